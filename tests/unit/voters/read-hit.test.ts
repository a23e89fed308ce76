import { expect, test } from "vitest";
import { readHit } from "../../../lib/voters/read-hit.ts";
import { searchCredentials } from "../../../lib/voters/search-profile.ts";

test.each([
  ["a flat hit", { voterId: "V1", firstName: "Ada", zip: "98030" }, { voterId: "V1", firstName: "Ada", zip: "98030" }],
  [
    "_source before the hit",
    { lastName: "Outer", _source: { voterId: "V2", lastName: "Inner" } },
    { voterId: "V2", lastName: "Inner" },
  ],
  ["voterId before _id before id", { _id: "B", id: "C", _source: { voterId: "A" } }, { voterId: "A" }],
  ["_id before id", { _id: "B", id: "C", _source: {} }, { voterId: "B" }],
  ["the id of the source", { _source: { id: "C" } }, { voterId: "C" }],
  ["numbers as texts", { id: 7, houseNumber: 1204, zip: 98030 }, { voterId: "7", houseNumber: "1204", zip: "98030" }],
  ["the reason of a near match", { _source: { voterId: "V1", match: "swapped" } }, { voterId: "V1", match: "swapped" }],
  ["a different address", { voterId: "V1", match: "another zip" }, { voterId: "V1", match: "another zip" }],
  ["an invalid reason", { voterId: "V1", match: ["similar"] }, { voterId: "V1" }],
  ["no known field", { id: "1", city: null, unit: " ", street: { a: 1 } }, { voterId: "1" }],
])("reads %s", (_name, hit, voter) => {
  expect(JSON.parse(JSON.stringify(readHit(hit)))).toEqual(voter);
});

test.each([
  null,
  "x",
  5,
  [],
  {},
  { _source: {} },
  { voterId: "" },
  { _source: "x", id: null },
  { _id: "x", _source: { voterId: 2 ** 53 } },
])("rejects %j", (hit) => {
  expect(readHit(hit)).toBeNull();
});

test("derives the names of a search profile, or the common ones without one", () => {
  expect(searchCredentials("NY")).toEqual({
    name: "searchsvc_token_ny",
    emailKey: "SEARCHSVC_API_EMAIL_NY",
    endpointKey: "SEARCHSVC_URL_NY",
    passwordKey: "SEARCHSVC_API_PASSWORD_NY",
  });
  expect(searchCredentials(null).name).toBe("searchsvc_token_search");
});
