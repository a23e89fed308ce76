import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Refusal } from "../../../scripts/local-stack/report.ts";
import { inspectVoters, readVoters } from "../../../scripts/voter-file/read-voters.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-voter-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(content: string | Buffer, maps: string[] = []) {
  const path = join(folder, "voters");
  writeFileSync(path, content);
  const voters: (string | null)[][] = [];
  const refused: [number, string][] = [];
  for await (const line of readVoters(path, await inspectVoters(path), maps)) {
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
  ...Array.from({ length: 6 }, (_, index) => rest[index] ?? null),
];
const refusal = (message: RegExp) => ({ message: expect.stringMatching(message), constructor: Refusal });

test.each([
  ["commas", "voter_id,First Name,LASTNAME\nW1,Ana,Núñez\n"],
  ["tabs", "voter_id\tFirst Name\tLASTNAME\r\nW1\tAna\tNúñez\r\n"],
  ["bars, and no end of the last line", "voter_id|First Name|LASTNAME\nW1|Ana|Núñez"],
  ["a byte order mark", "\ufeffvoter_id,First Name,LASTNAME\nW1, Ana ,Núñez\n"],
  ["quotation marks", '"voter_id","First Name","LASTNAME"\n"W1","Ana","Núñez"\n'],
  ["empty lines", "voter_id,First Name,LASTNAME\n\nW1,Ana,Núñez\n\n"],
])("a file with %s", async (_what, text) => {
  expect(await read(text)).toEqual({ voters: [voter("W1", "Ana", "Núñez")], refused: [] });
});

test("a file in Latin-1, which only its last line shows", async () => {
  const text = `voterId,lastName\n${Array.from({ length: 20_000 }, (_, n) => `W${n},Smith\n`).join("")}X,Núñez\n`;
  const { voters } = await read(Buffer.from(text, "latin1"));
  expect(voters.length).toBe(20_001);
  expect(voters.at(-1)).toEqual(voter("X", null, "Núñez"));
});

test("letters of several bytes, wherever the file is cut in reading", async () => {
  const text = `voterId,lastName\n${Array.from({ length: 15_000 }, (_, n) => `W${n},Nguyễn\n`).join("")}`;
  const { voters } = await read(text);
  expect(voters.filter(([, , , last]) => last !== "Nguyễn")).toEqual([]);
});

test("commas, line ends and quotation marks within a value", async () => {
  expect(await read('voterId,street,lastName\nW1,"Oak St, rear","O""Neil"\nW2,"a\nb",Li\n')).toEqual({
    voters: [voter("W1", null, 'O"Neil', [null, "Oak St, rear"]), voter("W2", null, "Li", [null, "a\nb"])],
    refused: [],
  });
  expect((await read('voterId|firstName|lastName\nW1|"Al" John|Li\n')).voters).toEqual([
    voter("W1", '"Al" John', "Li"),
  ]);
});

test("Washington's public file", async () => {
  const header =
    "StateVoterID|FName|MName|LName|NameSuffix|Birthyear|Gender|RegStNum|RegStFrac|RegStName|RegStType|RegUnitType|" +
    "RegStPreDirection|RegStPostDirection|RegStUnitNum|RegCity|RegState|RegZipCode|CountyCode|StatusCode";
  const line = "WA0001|ADA|M|SMITH||1970|F|1204|1/2|OAK|ST|APT|SE||4|KENT|WA|98030|KI|Active";
  const elsewhere = "WA0002||||||||||||||||||ZZ|Active";
  expect((await read(`${header}\n${line}\n${elsewhere}\n`)).voters).toEqual([
    ["WA0001", "ADA", "M", "SMITH", "1204 1/2", "SE OAK ST", "APT 4", "KENT", "98030", "King"],
    voter("WA0002", null, null, [null, null, null, null, null, "ZZ"]),
  ]);
});

test("columns that are mapped", async () => {
  const text = "ID,DIR,NAME,LNAME\nW1,SE,Oak,Li\nW2,,Mill,\n";
  expect((await read(text, ["voterId=id", "street=DIR+NAME", "lastName=LNAME"])).voters).toEqual([
    voter("W1", null, "Li", [null, "SE Oak"]),
    voter("W2", null, null, [null, "Mill"]),
  ]);
});

test.each<[string, string[], RegExp]>([
  ["ID,NAME\n", [], /^No column is known as the voter id\. .* The file has: ID, NAME\.$/],
  ["ID,NAME\n", ["lastName=NAME"], /^Say which column is the voter id/],
  ["ID,NAME\n", ["voterId=VID"], /^The file has no column VID\. It has: ID, NAME\.$/],
  ["ID,NAME\n", ["surname=NAME"], /^--map surname=NAME: .* Fields are voterId, /],
  ["ID,NAME\n", ["voterId"], /^--map voterId: /],
  ["ID,NAME\n", ["voterId=ID+"], /^--map voterId=ID\+: /],
  ['voterId,lastName\nW1,"Li\n', [], /cannot be read: Quote Not Closed/],
  ["", [], /is empty\.$/],
  ["\n", [], /is empty\.$/],
])("%j with %j is refused", async (text, maps, message) => {
  await expect(read(text, maps)).rejects.toMatchObject(refusal(message));
});

test("lines that are no voters are told with why", async () => {
  const text = "voterId,lastName\n,Li\nW1,Li\nW 2,Li\nW3\nW4,Li,x\nW5,L\0i\nW6,Ng\n";
  expect(await read(text)).toEqual({
    voters: [voter("W1", null, "Li"), voter("W6", null, "Ng")],
    refused: [
      [2, "no voter id"],
      [4, "a voter id that is not of 1 to 64 letters, digits and signs of ASCII"],
      [5, "not 2 columns as in the first line"],
      [6, "not 2 columns as in the first line"],
      [7, "a character that no text can hold"],
    ],
  });
});
