import { UserError } from "../cli.ts";

/** The fields of a voter as --map names them, with their columns in voterfile.voters. */
export const fields = {
  voterId: "voter_id",
  firstName: "first_name",
  middleName: "middle_name",
  lastName: "last_name",
  houseNumber: "house_number",
  street: "street",
  unit: "unit",
  city: "city",
  zip: "zip",
  county: "county",
  birthYear: "birth_year",
  party: "party",
  status: "status",
  district: "district",
  precinct: "precinct",
} as const;
type Field = keyof typeof fields;
const isField = (name: string): name is Field => Object.hasOwn(fields, name);
const fieldNames = Object.keys(fields).filter(isField);

/** How the lines of a file become voters. */
export type Mapping = {
  /** Each field, with the columns of the file that it is read from. Several values are joined by spaces. */
  columns: { field: Field; names: string[] }[];
  /** The columns that no field uses. */
  unused: string[];
  /** Reads a line's values in the order of `fields`; missing ones are null. */
  read(values: string[]): (string | null)[];
};

// The column names of state voter files, the best first. An address has several parts, in the order in which they are
// written; without the part marked * the others are ignored.
const synonyms: Record<Field, string[]> = {
  voterId: [
    "*voterId stateVoterId statewideVoterId sosVoterId sboeId ncId vuId voterIdNumber voterIdentificationNumber " +
      "voterRegistrationNumber voterRegNumber voterRegNum voterRegNo voterNumber voterNum voterNo registrantId " +
      "registrationId registrationNumber registrationNum regNum regnNum",
  ],
  firstName: ["*firstName fName first given givenName nameFirst firstNm"],
  middleName: ["*middleName mName middle middleInitial mi nameMiddle middleNm"],
  lastName: ["*lastName lName last surname familyName nameLast lastNm"],
  houseNumber: [
    "*houseNumber houseNum houseNo streetNumber streetNum streetNo stNum addressNumber addressNum addrNumber addrNum " +
      "addNumber",
    "houseSuffix houseNumberSuffix streetNumberSuffix addressNumberSuffix",
    "houseFraction houseFractionNumber streetFraction stFrac halfCode",
  ],
  street: [
    "preDir preDirection streetPreDirection streetPreDir streetDirPrefix stPreDirection stPreDir directionPrefix",
    "*street streetName stName",
    "streetType stType",
    "postDir postDirection streetPostDirection streetPostDir streetDirSuffix stPostDirection stPostDir directionSuffix",
  ],
  unit: [
    "unitType apartmentType aptType",
    "*unit unitNumber unitNum unitNo stUnitNum apartment apartmentNumber apt aptNumber aptNum aptNo aptUnitNumber",
  ],
  city: ["*city cityName cityDesc town"],
  zip: ["*zip5 zip zipCode zipCode5 postalCode"],
  county: ["*county countyName countyDesc"],
  birthYear: ["*birthYear yearOfBirth yob birthdate dateOfBirth dob"],
  party: ["*party partyName partyAffiliation partyDesc politicalParty partyCode partyCd"],
  status: ["*status statusCode statusDesc voterStatus registrationStatus registrantStatus regStatus voterStatusDesc"],
  district: [
    "*legislativeDistrict legislativeDist legDist legDistrict stateHouseDistrict stateHouse houseDistrict " +
      "stateRepresentativeDistrict assemblyDistrict district districtName districtCode",
  ],
  precinct: ["*precinct precinctName precinctDesc precinctCode precinctNumber precinctNo precinctId"],
};
const prefixes = {
  name: ["", "voter"],
  address: ["residential", "residence", "resident", "res", "registration", "reg", "r", ""], // never a mailing address
};

// Washington's public file has codes for its counties.
const washingtonCounties = new Map(
  (
    "AD Adams,AS Asotin,BE Benton,CH Chelan,CM Clallam,CR Clark,CU Columbia,CZ Cowlitz,DG Douglas,FE Ferry,FR Franklin," +
    "GA Garfield,GR Grant,GY Grays Harbor,IS Island,JE Jefferson,KI King,KP Kitsap,KS Kittitas,KT Klickitat,LE Lewis," +
    "LI Lincoln,MA Mason,OK Okanogan,PA Pacific,PE Pend Oreille,PI Pierce,SJ San Juan,SK Skagit,SM Skamania," +
    "SN Snohomish,SP Spokane,ST Stevens,TH Thurston,WK Wahkiakum,WL Walla Walla,WM Whatcom,WT Whitman,YA Yakima"
  )
    .split(",")
    .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
);

// `LAST_NAME`, `Last name` and `lastName` are the same name.
const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Maps a file's columns. `maps` names them (`lastName=LNAME`, `street=DIR+NAME+TYPE`, `unit=` for none). Others are found by
 * the known names of state voter files. Throws a UserError if there is no voter id or last name, or if `maps` names an unknown
 * field or column.
 */
export function mapColumns(header: string[], maps: string[]): Mapping {
  const names = header.map(normalizeName);
  const mapped = readMaps(maps);
  const isWashington = names.includes("statevoterid") && names.includes("regstpredirection");
  const indexesOf = (field: Field) => {
    const columns = mapped.get(field) ?? (isWashington && field === "county" ? ["CountyCode"] : undefined);
    return columns ? columns.map((name) => columnIndex(name, header)) : guessColumns(field, names);
  };
  const indexesByField = fieldNames.map((field) => [field, indexesOf(field)] as const);
  const missing = indexesByField.filter(
    ([field, { length }]) => length === 0 && (field === "voterId" || field === "lastName"),
  );
  if (missing.length > 0) {
    const needed = missing.map(([field]) => (field === "voterId" ? "voter ID" : "last name")).join(" and the ");
    const example = missing.map(([field]) => `--map ${field}=COLUMN`).join(" ");
    throw new UserError(
      `Couldn't find the ${needed} in the file. Add ${example}. Its columns are: ${header.join(", ")}.`,
    );
  }
  const used = new Set(indexesByField.flatMap(([, indexes]) => indexes));
  return {
    columns: indexesByField.map(([field, indexes]) => ({ field, names: indexes.map((index) => header[index] ?? "") })),
    unused: header.filter((_, index) => !used.has(index)),
    read: (values) =>
      indexesByField.map(([field, indexes]) => {
        const value = indexes
          .map((index) => values[index]?.trim())
          .filter(Boolean)
          .join(" ");
        if (field === "birthYear") return yearOf(value);
        return (isWashington && field === "county" && washingtonCounties.get(value)) || value || null;
      }),
  };
}

// The year in a year or a date: 1975, 1975-03-24, 3/24/1975, 19750324.
const yearOf = (value: string) => /(?<!\d)(1[89]|20)\d\d(?!\d)|^(1[89]|20)\d{2}(?=\d{4}$)/.exec(value)?.[0] ?? null;

function columnIndex(name: string, header: string[]) {
  const index = header.map(normalizeName).indexOf(normalizeName(name));
  if (index < 0) throw new UserError(`The file has no column ${name}. Its columns are: ${header.join(", ")}.`, 2);
  return index;
}

function guessColumns(field: Field, names: string[]) {
  const { name, address } = prefixes;
  const fieldPrefixes = ["houseNumber", "street", "unit", "city", "zip", "county"].includes(field) ? address : name;
  const parts = synonyms[field].map((part) => ({
    isMain: part.startsWith("*"),
    index: bareNames(part, fieldPrefixes)
      .map((candidate) => names.indexOf(candidate))
      .find((index) => index >= 0),
  }));
  if (parts.some(({ isMain, index }) => isMain && index === undefined)) return [];
  return parts.flatMap(({ index }) => index ?? []);
}

const bareNames = (part: string, fieldPrefixes: string[]) =>
  fieldPrefixes.flatMap((prefix) => part.split(" ").map((candidate) => prefix + normalizeName(candidate)));

function readMaps(maps: string[]) {
  const mapped = new Map<Field, string[]>();
  for (const map of maps) {
    const [field = "", columns, ...more] = map.split("=");
    const names = columns === "" ? [] : (columns?.split("+") ?? [""]);
    if (!isField(field) || more.length > 0 || names.some((name) => normalizeName(name) === "")) {
      throw new UserError(
        `--map ${map}: use FIELD=COLUMN or FIELD=COLUMN+COLUMN. Fields are ${fieldNames.join(", ")}.`,
        2,
      );
    }
    mapped.set(field, names);
  }
  return mapped;
}
