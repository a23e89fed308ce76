import { describe, expect, test } from "vitest";
import {
  ignoredParts,
  registerFilterSchema,
  registerViewSchema,
  strictRegisterFilterSchema,
} from "@/lib/signatures/register/filter";
import { registerPath } from "@/lib/signatures/register/register-path";
import { ignoredOpenedLine, openedLineSchema } from "@/lib/signatures/sheet-filter";

const place = { team: "north", campaign: "lakes" };
const id = "00000000-0000-4000-8000-000000000001";
const query = {
  name: " Lee, Ann ",
  voter: "V-1",
  sheet: "12",
  verdict: "duplicate",
  clerk: id,
  circulator: "M. Osei",
  county: "King",
  signedFrom: "2026-11-01",
  signedTo: "2026-11-30",
  enteredFrom: "2026-11-02",
  enteredTo: "2026-11-03",
  state: "all",
};
const filter = { ...query, name: "Lee, Ann", sheet: 12 };

test("reads a whole filter from an address, and writes the same address", () => {
  const parsed = registerFilterSchema.parse(query);
  expect(parsed).toEqual(filter);
  expect(strictRegisterFilterSchema.parse(query)).toEqual(filter);
  expect(
    registerFilterSchema.parse(Object.fromEntries(new URL(registerPath(place, parsed), "http://x.test").searchParams)),
  ).toEqual(filter);
});

test("writes nothing into the address for an empty filter", () => {
  expect(registerPath(place, registerFilterSchema.parse({}))).toBe("/north/campaign/lakes/signatures/register");
  expect(registerPath(place, { sort: "-name", line: id })).toMatch(new RegExp(`register\\?sort=-name&line=${id}$`));
});

describe.each<[field: string, wrong: unknown[]]>([
  ["name", ["", "  ", "x".repeat(201), "a\0b", ["Lee", "Ann"]]],
  ["voter", ["", "a b", "é", ["V-1"]]],
  ["sheet", ["", "0", "1.5", "x", "1000000", ["1", "2"]]],
  ["verdict", ["", "Accepted", "valid"]],
  ["clerk", ["", "ada"]],
  ["circulator", ["", " "]],
  ["county", ["", " ", "x".repeat(201)]],
  ["signedFrom", ["", "yesterday", "2026-02-30"]],
  ["enteredTo", ["", "0000-01-01"]],
  ["state", ["", "live", "gone"]],
])("an invalid %s", (field, wrong) => {
  test.each(wrong.map((value) => [value]))("%j is ignored by the page and refused for a file", (value) => {
    expect(registerFilterSchema.parse({ ...query, [field]: value })).toEqual({ ...filter, [field]: undefined });
    const { error } = strictRegisterFilterSchema.safeParse({ ...query, [field]: value });
    expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });
});

test.each<[object, object]>([
  [{ sort: "name" }, { sort: "name" }],
  [{ sort: "-clerk" }, { sort: "-clerk" }],
  [{ sort: "--name" }, {}],
  [{ sort: "id; drop table" }, {}],
  [{ sort: "" }, {}],
  [{ after: id, before: "1", line: [id] }, { after: id }],
  [{ line: "first" }, { line: "first" }],
  [{ line: "second" }, {}],
])("reads %j as the view %j", (given, view) => {
  expect(registerViewSchema.parse(given)).toEqual(view);
});

test("names what an address asks for in vain, and nothing else", () => {
  expect(ignoredParts({ ...query, line: id, utm: "x" }, true)).toEqual([]);
  expect(ignoredParts({ sheet: "abc", name: "", line: "7", verdict: ["valid", "x"] }, false)).toEqual([
    "Status “valid,x”",
    "Line (not found)",
  ]);
});

test.each([
  [{ sheet: "12", line: "7" }, { sheet: 12, line: 7 }, []],
  [{ sheet: "12" }, { sheet: 12 }, []],
  [{ sheet: "abc", line: "7" }, { line: 7 }, ["Sheet “abc”"]],
  [{ sheet: "12", line: "0" }, { sheet: 12 }, ["Line “0”"]],
  [{ line: "7" }, { line: 7 }, ["Line “7”"]],
])("of the address %j data entry opens %j, and says what it ignores", (address, opened, ignored) => {
  expect(openedLineSchema.parse(address)).toEqual(opened);
  expect(ignoredOpenedLine(address)).toEqual(ignored);
});
