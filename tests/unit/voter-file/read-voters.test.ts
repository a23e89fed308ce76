import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { UserError } from "../../../scripts/cli.ts";
import { confirm } from "../../../scripts/voter-file/confirm.ts";
import { fields } from "../../../scripts/voter-file/map-columns.ts";
import { inspectVoters, previewVoters, readVoters } from "../../../scripts/voter-file/read-voters.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-voter-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, "voters");
async function read(content: string | Buffer, maps: string[] = []) {
  writeFileSync(path, content);
  const voters: (string | null)[][] = [];
  const refused: [number, string][] = [];
  const format = await inspectVoters(path);
  for await (const line of readVoters(path, format, await previewVoters(path, format, maps))) {
    if ("values" in line) voters.push(line.values);
    else refused.push([line.line, line.refused]);
  }
  return { voters, refused };
}

const voter = (id: string, first: string | null, last: string | null, rest: (string | null)[] = []) => [
  id,
  first,
  null,
  last,
  ...Array.from({ length: Object.keys(fields).length - 4 }, (_, index) => rest[index] ?? null),
];
const refusal = (message: RegExp) => ({ message: expect.stringMatching(message), constructor: UserError });

test.each([
  ["commas", "voter_id,First Name,LASTNAME\nW1,Ana,Núñez\n"],
  ["tabs", "voter_id\tFirst Name\tLASTNAME\r\nW1\tAna\tNúñez\r\n"],
  ["semicolons", 'voter_id;First Name;LASTNAME\r\nW1;Ana;"Núñez"\r\n'],
  ["tabs and quotation marks", '"voter_id"\t"First Name"\t"LASTNAME"\nW1\t"Ana"\t"Núñez"\n'],
  ["bars, and no end of the last line", "voter_id|First Name|LASTNAME\nW1|Ana|Núñez"],
  ["a byte order mark", "\ufeffvoter_id,First Name,LASTNAME\nW1, Ana ,Núñez\n"],
  ["quotation marks", '"voter_id","First Name","LASTNAME"\n"W1","Ana","Núñez"\n'],
  ["empty lines", "voter_id,First Name,LASTNAME\n\nW1,Ana,Núñez\n\n"],
])("reads a file with %s", async (_what, text) => {
  expect(await read(text)).toEqual({ voters: [voter("W1", "Ana", "Núñez")], refused: [] });
});

test("reads a file in Latin-1, which only its last line reveals", async () => {
  const text = `voterId,lastName\n${Array.from({ length: 20_000 }, (_, n) => `W${n},Smith\n`).join("")}X,Núñez\n`;
  const { voters } = await read(Buffer.from(text, "latin1"));
  expect(voters.length).toBe(20_001);
  expect(voters.at(-1)).toEqual(voter("X", null, "Núñez"));
});

test("reads characters of several bytes, wherever the file is split", async () => {
  const text = `voterId,lastName\n${Array.from({ length: 15_000 }, (_, n) => `W${n},Nguyễn\n`).join("")}`;
  const { voters } = await read(text);
  expect(voters.filter(([, , , last]) => last !== "Nguyễn")).toEqual([]);
});

test("reads commas, line ends and quotation marks within a value", async () => {
  expect(await read('voterId,street,lastName\nW1,"Oak St, rear","O""Neil"\nW2,"a\nb",Li\n')).toEqual({
    voters: [voter("W1", null, 'O"Neil', [null, "Oak St, rear"]), voter("W2", null, "Li", [null, "a\nb"])],
    refused: [],
  });
  expect((await read('voterId|firstName|lastName\nW1|"Al" John|Li\n')).voters).toEqual([
    voter("W1", '"Al" John', "Li"),
  ]);
});

test("reads Washington's public file", async () => {
  const header =
    "StateVoterID|FName|MName|LName|NameSuffix|Birthyear|Gender|RegStNum|RegStFrac|RegStName|RegStType|RegUnitType|" +
    "RegStPreDirection|RegStPostDirection|RegStUnitNum|RegCity|RegState|RegZipCode|CountyCode|StatusCode|LegislativeDistrict|PrecinctName";
  const line = "WA0001|ADA|M|SMITH||1970|F|1204|1/2|OAK|ST|APT|SE||4|KENT|WA|98030|KI|Active|47|KENT 12";
  const elsewhere = "WA0002||||||||||||||||||ZZ|Active||";
  expect((await read(`${header}\n${line}\n${elsewhere}\n`)).voters).toEqual([
    [
      "WA0001",
      "ADA",
      "M",
      "SMITH",
      "1204 1/2",
      "SE OAK ST",
      "APT 4",
      "KENT",
      "98030",
      "King",
      "1970",
      null,
      "Active",
      "47",
      "KENT 12",
    ],
    voter("WA0002", null, null, [null, null, null, null, null, "ZZ", null, null, "Active"]),
  ]);
});

const commas = (text: string) => text.split(",");
const all = ["I", "F", "M", "L", "1 A", "SE Oak St N", "Apt 2", "Kent", "98030"];

// Columns as in the files of these states.
test.each<[string, string, string, string[]]>([
  [
    "Colorado",
    "VOTER_ID,COUNTY,LAST_NAME,FIRST_NAME,MIDDLE_NAME,NAME_SUFFIX,HOUSE_NUM,HOUSE_SUFFIX,PRE_DIR,STREET_NAME,STREET_TYPE," +
      "POST_DIR,UNIT_TYPE,UNIT_NUM,RESIDENTIAL_CITY,RESIDENTIAL_ZIP_CODE,MAIL_CITY,MAILING_ZIP_CODE",
    "I,King,L,F,M,Jr,1,A,SE,Oak,St,N,Apt,2,Kent,98030,Reno,1",
    ["NAME_SUFFIX", "MAIL_CITY", "MAILING_ZIP_CODE"],
  ],
  [
    "New York",
    "LASTNAME,FIRSTNAME,MIDDLENAME,RADDNUMBER,RHALFCODE,RPREDIRECTION,RSTREETNAME,RPOSTDIRECTION,RAPARTMENTTYPE," +
      "RAPARTMENT,RCITY,RZIP5,RZIP4,COUNTYCODE,SBOEID",
    "L,F,M,1,A,SE,Oak St,N,Apt,2,Kent,98030,1,7,I",
    ["RZIP4", "COUNTYCODE"],
  ],
  [
    "Georgia",
    "County,Voter Registration Number,Last Name,First Name,Middle Name,Residence Street Number,Residence Pre Direction," +
      "Residence Street Name,Residence Street Type,Residence Post Direction,Residence Apt Unit Number,Residence City," +
      "Residence Zipcode,Mailing City",
    "King,I,L,F,M,1 A,SE,Oak,St,N,Apt 2,Kent,98030,Reno",
    ["Mailing City"],
  ],
  [
    "Michigan",
    "LAST_NAME,FIRST_NAME,MIDDLE_NAME,STREET_NUMBER,STREET_NUMBER_SUFFIX,DIRECTION_PREFIX,STREET_NAME,STREET_TYPE," +
      "DIRECTION_SUFFIX,UNIT_TYPE,UNIT_NUMBER,CITY,ZIP_CODE,VOTER_IDENTIFICATION_NUMBER,COUNTY_NAME",
    "L,F,M,1,A,SE,Oak,St,N,Apt,2,Kent,98030,I,King",
    [],
  ],
  [
    "no particular state",
    "VOTER_ID,SURNAME,GIVEN,MI,HOUSE_NO,PREDIR,STREET,STTYPE,POSTDIR,APT,TOWN,RES_ZIP,ZIP,COUNTY_DESC",
    "I,L,F,M,1 A,SE,Oak,St,N,Apt 2,Kent,98030,1,King",
    ["ZIP"],
  ],
])("reads a file as in %s, and lists unused columns", async (_state, header, line, unused) => {
  expect((await read(`${header}\n${line}\n`)).voters).toEqual([
    [...all, header.includes("COUNTYCODE") ? null : "King", ...Array(5).fill(null)],
  ]);
  const { mapping } = await previewVoters(path, await inspectVoters(path), []);
  expect(mapping.unused).toEqual(unused);
  expect(mapping.columns.flatMap(({ names }) => names).length + unused.length).toBe(commas(header).length);
});

test.each([
  ["1975", "1975"],
  ["1975-03-24", "1975"],
  ["3/24/1975", "1975"],
  ["19750324", "1975"],
  ["24", null],
  ["", null],
])("reads a birth year from %j, and the party", async (birth, year) => {
  const { voters } = await read(`voterId,lastName,DOB,Party Affiliation\nW1,Li,${birth},Green\n`);
  expect(voters).toEqual([voter("W1", null, "Li", [null, null, null, null, null, null, year, "Green"])]);
});

test("ignores parts of an address without the main part", async () => {
  const { voters } = await read("voterId,lastName,streetType,unitType\nW1,Li,St,Apt\n");
  expect(voters).toEqual([voter("W1", null, "Li")]);
});

test("adds mapped columns to known ones", async () => {
  const text = "ID,DIR,NAME,LNAME,UNIT\nW1,SE,Oak,Li,2\nW2,,Mill,,3\n";
  expect((await read(text, ["voterId=id", "street=DIR+NAME", "unit="])).voters).toEqual([
    voter("W1", null, "Li", [null, "SE Oak"]),
    voter("W2", null, null, [null, "Mill"]),
  ]);
});

test("shows the first three voters", async () => {
  writeFileSync(path, "voterId;lastName\n;Ng\nW1;Li\nW2;Kim\nW3;Abe\nW4;Ito\n");
  const { samples } = await previewVoters(path, await inspectVoters(path), []);
  expect(samples).toEqual([voter("W1", null, "Li"), voter("W2", null, "Kim"), voter("W3", null, "Abe")]);
});

test.each<[string, string[], RegExp]>([
  ["ID,NAME\n", [], /^Couldn't find the voter ID and the last name in the file\. .* Its columns are: ID, NAME\.$/],
  ["ID,NAME\n", ["lastName=NAME"], /^Couldn't find the voter ID in the file\. Add --map voterId=COLUMN\./],
  ["VOTER_ID,NAME\n", [], /^Couldn't find the last name in the file\. Add --map lastName=COLUMN\./],
  ["ID,NAME\n", ["voterId=VID"], /^The file has no column VID\. Its columns are: ID, NAME\.$/],
  ["ID,NAME\n", ["surname=NAME"], /^--map surname=NAME: .* Fields are voterId, /],
  ["ID,NAME\n", ["voterId"], /^--map voterId: /],
  ["ID,NAME\n", ["voterId=ID+"], /^--map voterId=ID\+: /],
  ['voterId,lastName\nW1,"Li\n', [], /cannot be read: Quote Not Closed/],
  ["", [], /is empty\.$/],
  ["\n", [], /is empty\.$/],
])("refuses %j with %j", async (text, maps, message) => {
  await expect(read(text, maps)).rejects.toMatchObject(refusal(message));
});

test.each([
  ["y\n", true],
  [" YES \n", true],
  ["\n", false],
  ["no\n", false],
  ["yesterday\n", false],
  ["", false],
])("reads %j at a terminal as %s", async (typed, isYes) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  expect(await confirm("Replace?", { input, output })).toBe(isYes);
  expect(String(output.read())).toBe("Replace? [y/N] ");
});

test("says which lines aren't voters, and why", async () => {
  const text = "voterId,lastName\n,Li\nW1,Li\nW 2,Li\nW3\nW4,Li,x\nW5,L\0i\nW6,Ng\n";
  expect(await read(text)).toEqual({
    voters: [voter("W1", null, "Li"), voter("W6", null, "Ng")],
    refused: [
      [2, "no voter ID"],
      [4, "a voter ID that isn't 1 to 64 ASCII letters, digits or symbols"],
      [5, "not 2 columns like the first line"],
      [6, "not 2 columns like the first line"],
      [7, "a character that can't be stored"],
    ],
  });
});
