import { expect, it } from "vitest";
import { emptyForm } from "../../../../lib/signatures/entry/entry-form.ts";
import { alternativeReadings, searchQuery } from "../../../../lib/signatures/entry/entry-search.ts";
import { emptyFields } from "../../../../lib/voters/voter-query.ts";

it.each([
  ["minh b", ["minh"]],
  ["Minh B. T.", ["Minh"]],
  ["mary ann", []],
  ["b", []],
])("the first name “%s” is also searched as %j", async (firstName, expected) => {
  const others = await alternativeReadings(
    { ...emptyForm, fields: { ...emptyFields, lastName: "nguyen", firstName } },
    [],
  );
  expect(others).toEqual(expected.map((firstName) => ({ ...emptyFields, lastName: "nguyen", firstName })));
});

it("a whole name in the field of the last name is also searched with two last names", async () => {
  const others = await alternativeReadings(
    { ...emptyForm, fields: { ...emptyFields, lastName: "ana garcia lopez" } },
    [],
  );
  expect(others).toContainEqual({ ...emptyFields, firstName: "ana", lastName: "garcia lopez" });
  expect(others).toContainEqual({ ...emptyFields, firstName: "lopez", lastName: "ana garcia" });
});

const ofLine = { ...emptyFields, lastName: "nguyen", city: "Kent", voterId: "WA-7" };
it.each([
  [
    "by its voter's ID, then by name in case no one has it",
    ["voterId"] as const,
    ofLine,
    [{ voterId: "WA-7" }, { lastName: "nguyen", city: "Kent" }],
  ],
  ["by name where the search doesn't take IDs", [], ofLine, [{ lastName: "nguyen", city: "Kent" }]],
  ["by nothing without either", [], { ...ofLine, lastName: "" }, [{}]],
])("a line that is corrected is searched %s", async (_how, params, fields, expected) => {
  const form = { ...emptyForm, fields };
  const searched = [searchQuery(form, params).fields, ...(await alternativeReadings(form, params))];
  expect(searched).toEqual(expected.map((one) => ({ ...emptyFields, ...one })));
});
