import { expect, it } from "vitest";
import { emptyForm } from "../../../../lib/signatures/entry/entry-form.ts";
import { othersOf } from "../../../../lib/signatures/entry/entry-search.ts";
import { emptyFields } from "../../../../lib/voters/voter-query.ts";

it.each([
  ["minh b", ["minh"]],
  ["Minh B. T.", ["Minh"]],
  ["mary ann", []],
  ["b", []],
])("the first name “%s” is also searched as %j", (firstName, expected) => {
  const others = othersOf({ ...emptyForm, fields: { ...emptyFields, lastName: "nguyen", firstName } });
  expect(others).toEqual(expected.map((firstName) => ({ ...emptyFields, lastName: "nguyen", firstName })));
});
