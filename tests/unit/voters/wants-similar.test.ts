import { expect, test } from "vitest";
import { extraParams, noTexts, type VoterQuery, type VoterTexts } from "@/lib/voters/voter-query";
import { wantsSimilar } from "@/lib/voters/wants-similar";

const queryOf = (texts: Partial<VoterTexts>, from = 0): VoterQuery => ({
  ...{ texts: { ...noTexts, ...texts }, order: { column: "lastName", descending: false }, from },
});
const smith = queryOf({ lastName: "smtih" });

test.each<[what: string, query: VoterQuery, totalHits: number, wanted: boolean]>([
  ["a last name that nobody has", smith, 0, true],
  ["one that a few have", smith, 10, true],
  ["one that many have", smith, 11, false],
  ["a first name", queryOf({ firstName: "hernando" }), 0, true],
  ["a beginning of both names", queryOf({ lastName: "sm", firstName: "ad" }), 0, false],
  ["a name of blanks", queryOf({ lastName: "   " }), 0, false],
  ["a house alone", queryOf({ houseNumber: "1204", street: "oak st" }), 0, false],
  ["a voter id beside the name", queryOf({ lastName: "smtih", voterId: "WA-1" }), 0, false],
  ["a later page", queryOf({ lastName: "smtih" }, 25), 0, false],
])("%s: %#", (_what, query, totalHits, wanted) => {
  expect(wantsSimilar(extraParams, query, { totalHits })).toBe(wanted);
});

test("a backend that knows nobody similar is never asked", () => {
  expect(wantsSimilar(["street", "voterId"], smith, { totalHits: 0 })).toBe(false);
});
