import { Refusal } from "../local-stack/report.ts";

/** The columns of a voter, as voterfile.voters and --map name them. */
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
} as const;
type Field = keyof typeof fields;

/** For each field the columns of a file whose values, with blanks between, are its value, and codes that stand for others. */
type Mapping = { columns: Partial<Record<Field, string[]>>; countyOf?: Map<string, string> };

// The public file of Washington's Secretary of State, "Current Version of the Statewide Voter Registration Database".
const washington: Mapping = {
  columns: {
    voterId: ["StateVoterID"],
    firstName: ["FName"],
    middleName: ["MName"],
    lastName: ["LName"],
    houseNumber: ["RegStNum", "RegStFrac"],
    street: ["RegStPreDirection", "RegStName", "RegStType", "RegStPostDirection"],
    unit: ["RegUnitType", "RegStUnitNum"],
    city: ["RegCity"],
    zip: ["RegZipCode"],
    county: ["CountyCode"],
  },
  countyOf: new Map(
    (
      "AD Adams,AS Asotin,BE Benton,CH Chelan,CM Clallam,CR Clark,CU Columbia,CZ Cowlitz,DG Douglas,FE Ferry,FR Franklin," +
      "GA Garfield,GR Grant,GY Grays Harbor,IS Island,JE Jefferson,KI King,KP Kitsap,KS Kittitas,KT Klickitat,LE Lewis," +
      "LI Lincoln,MA Mason,OK Okanogan,PA Pacific,PE Pend Oreille,PI Pierce,SJ San Juan,SK Skagit,SM Skamania," +
      "SN Snohomish,SP Spokane,ST Stevens,TH Thurston,WK Wahkiakum,WL Walla Walla,WM Whatcom,WT Whitman,YA Yakima"
    )
      .split(",")
      .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
  ),
};

// LAST_NAME, Last name and lastName are one name.
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * How a line of the file becomes a voter, by the names of its columns: those that `maps` tell (`lastName=LNAME`,
 * `street=DIR+NAME+TYPE`), else those of Washington's public file, else those that are named as the fields. Its answer reads
 * a line's values in the order of `fields`, null for what is missing. Throws a Refusal when no column is the voter id, or a
 * name is not known.
 */
export function mapColumns(header: string[], maps: string[]): (values: string[]) => (string | null)[] {
  const { columns, countyOf } = maps.length > 0 ? readMaps(maps) : presetFor(header);
  const names = header.map(bare);
  const placesOf = (wanted: string[]) =>
    wanted.map((name) => {
      const place = names.indexOf(bare(name));
      if (place < 0) throw new Refusal(`The file has no column ${name}. It has: ${header.join(", ")}.`);
      return place;
    });
  const places = Object.keys(fields).map((field) => placesOf(isField(field) ? (columns[field] ?? []) : []));
  const county = Object.keys(fields).indexOf("county");
  return (values) =>
    places.map((of, field) => {
      const value = of
        .map((place) => values[place]?.trim())
        .filter(Boolean)
        .join(" ");
      return (field === county ? countyOf?.get(value) : undefined) ?? (value || null);
    });
}

const isField = (name: string): name is Field => Object.hasOwn(fields, name);

function readMaps(maps: string[]): Mapping {
  const columns: Mapping["columns"] = {};
  for (const map of maps) {
    const [field = "", ...names] = map.split(/[=+]/);
    if (!isField(field) || names.length === 0 || names.includes("")) {
      const known = Object.keys(fields).join(", ");
      throw new Refusal(`--map ${map}: write a field, = and columns with + between. Fields are ${known}.`);
    }
    columns[field] = names;
  }
  if (!columns.voterId) throw new Refusal("Say which column is the voter id: --map voterId=COLUMN.");
  return { columns };
}

function presetFor(header: string[]): Mapping {
  const names = new Set(header.map(bare));
  if (Object.values(washington.columns).every((wanted) => wanted.every((name) => names.has(bare(name))))) {
    return washington;
  }
  const own = Object.keys(fields).filter((field) => names.has(bare(field)));
  if (own.includes("voterId")) return { columns: Object.fromEntries(own.map((field) => [field, [field]])) };
  throw new Refusal(
    `No column is known as the voter id. Say which columns are what, as in --map voterId=ID --map street=DIR+NAME. ` +
      `The file has: ${header.join(", ")}.`,
  );
}
