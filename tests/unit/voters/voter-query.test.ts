import { describe, expect, it } from "vitest";
import { countText, pagesAround, screenReaderCount, unsortedText } from "@/components/voters/count-text";
import { formatOf } from "@/lib/format/format-of";
import {
  emptyFields,
  extraParams,
  type SearchFields,
  type VoterColumn,
  type VoterQuery,
} from "@/lib/voters/voter-query";
import { differingColumn, wantsNearMatches } from "@/lib/voters/voter-text";

const query = (from: number, fields: Partial<SearchFields> = {}): VoterQuery => ({
  fields: { ...emptyFields, ...fields },
  order: { column: "lastName", descending: false },
  from,
});
const page = (hitsCount: number, totalHits: number) => ({ voters: [], unreadable: 0, hitsCount, totalHits });

describe("countText and screenReaderCount", () => {
  it.each([
    [0, 0, 0, "0 of 0", "No exact match"],
    [0, 1, 1, "1 of 1", "1 voter"],
    [0, 3, 3, "1–3 of 3", "3 voters"],
    [0, 25, 312, "1–25 of 312", "312 voters, 25 shown"],
    [25, 25, 312, "26–50 of 312", "312 voters, 26 to 50 shown"],
    [25, 1, 26, "26 of 26", "26 voters, 26 to 26 shown"],
    [0, 25, 9_999, "1–25 of 9,999", "9,999 voters, 25 shown"],
    [0, 25, 10_000, "1–25 of 10,000+", "10,000+ voters, 25 shown"],
    [9_975, 25, 2_000_000, "9,976–10,000 of 10,000+", "10,000+ voters, 9,976 to 10,000 shown"],
  ])("from %i, %i hits of %i: %s", (from, hits, total, text, spoken) => {
    expect(countText(query(from), page(hits, total), formatOf())).toBe(text);
    expect(screenReaderCount(query(from), page(hits, total), formatOf())).toBe(spoken);
  });
});

describe("pagesAround: a page never reaches beyond 10 000", () => {
  it.each([
    [0, 25, { before: false, after: false, atLimit: false }],
    [0, 26, { before: false, after: true, atLimit: false }],
    [25, 50, { before: true, after: false, atLimit: false }],
    [9_950, 14_000, { before: true, after: true, atLimit: false }],
    [9_975, 10_000, { before: true, after: false, atLimit: false }],
    [9_975, 10_001, { before: true, after: false, atLimit: true }],
  ])("from %i of %i", (from, total, expected) => {
    expect(pagesAround(query(from), page(25, total))).toEqual(expected);
  });
});

describe("unsortedText: more than 10,000 hits are ordered by name", () => {
  it.each<[column: VoterColumn, descending: boolean, total: number, wish: string | null]>([
    ["lastName", false, 10_000, null],
    ["firstName", false, 10_000, null],
    ["lastName", true, 10_000, "reverse the order"],
    ["street", false, 9_999, null],
    ["street", false, 10_000, "sort by street"],
    ["houseNumber", false, 10_000, "sort by house number"],
  ])("%s, descending %s, of %i: %s", (column, descending, total, wish) => {
    const text = unsortedText({ ...query(0), order: { column, descending } }, page(25, total), formatOf());
    expect(text).toBe(wish && `More than 10,000 voters match, ordered by name. Narrow the search to ${wish}.`);
  });
});

describe("wantsNearMatches", () => {
  const smith = query(0, { lastName: "smtih" });

  it.each<[what: string, query: VoterQuery, totalHits: number, wanted: boolean]>([
    ["a last name that no one has", smith, 0, true],
    ["a last name that a few have", smith, 10, true],
    ["a last name that many have", smith, 11, false],
    ["a first name", query(0, { firstName: "hernando" }), 0, true],
    ["a beginning of both names", query(0, { lastName: "sm", firstName: "ad" }), 0, false],
    ["a name of blanks", query(0, { lastName: "   " }), 0, false],
    ["an address that no one has", query(0, { houseNumber: "1204", street: "oak st" }), 0, true],
    ["an address that someone has", query(0, { houseNumber: "1204", street: "oak st" }), 1, false],
    ["only a house number", query(0, { houseNumber: "1204" }), 0, false],
    ["a voter ID with the name", query(0, { lastName: "smtih", voterId: "WA-1" }), 0, false],
    ["the beginning of a voter ID", query(0, { voterId: "WA-1" }), 0, true],
    ["two letters of a voter ID", query(0, { voterId: "WA" }), 0, false],
    ["a voter ID that someone has", query(0, { voterId: "WA-1" }), 1, false],
    ["a later page", query(25, { lastName: "smtih" }), 0, false],
  ])("%s: %#", (_what, query, totalHits, wanted) => {
    expect(wantsNearMatches(extraParams, query, { totalHits })).toBe(wanted);
  });

  it("asks nothing of a backend without near matches", () => {
    expect(wantsNearMatches(["street", "voterId"], smith, { totalHits: 0 })).toBe(false);
  });
});

describe("differingColumn", () => {
  const smyth = { voterId: "1", lastName: "Smyth", firstName: "John" };
  it.each([
    ["lastName", { lastName: "smith", firstName: "john" }, "sounds like"],
    ["firstName", { lastName: "smy", firstName: "jon" }, "sounds like"],
    ["firstName", { firstName: "jon" }, "similar"],
    ["lastName", { lastName: "smyth" }, "part of name"],
    ["lastName", { lastName: "john", firstName: "smyth" }, "swapped"],
    ["street", { lastName: "smyth", zip: "98031" }, "another zip"],
    ["street", { houseNumber: "12", street: "mian st" }, "similar street"],
  ] as const)("is the %s of %j, %s", (column, fields, match) => {
    expect(differingColumn({ ...smyth, match }, { ...emptyFields, ...fields })).toBe(column);
  });
});
