import { describe, expect, test } from "vitest";
import { enteredLineSchema } from "../../../lib/signatures/changes.ts";
import { rejections } from "../../../lib/signatures/verdicts.ts";

const id = "0b6f0a52-5f0f-4d8a-9f5e-0d6f5a1c2b3d";
const least = { id, team: "north", campaign: "lakes", verdict: "accepted", voterId: "V-1" };
const nothing = {
  firstName: null,
  lastName: null,
  address: null,
  city: null,
  county: null,
  zip: null,
  sheet: null,
  line: null,
  signedOn: null,
  note: null,
};
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("a line to be accepted", () => {
  test("only needs its ID, team, campaign and voter", () => {
    expect(enteredLineSchema.parse(least)).toEqual({ ...least, ...nothing });
  });

  test("keeps trimmed values, and drops empty texts and unknown fields", () => {
    const input = {
      ...least,
      firstName: "  Zoë ",
      lastName: "Lee\0",
      address: "12 Oak St",
      city: " ",
      county: null,
      zip: "",
      sheet: 3,
      line: 9,
      signedOn: "2026-11-02",
      note: "",
      enteredAt: "2026-11-21T10:00:00.000Z",
    };
    expect(enteredLineSchema.parse({ ...input, enteredBy: "someone" })).toEqual({
      ...input,
      firstName: "Zoë",
      lastName: "Lee",
      city: null,
      zip: null,
      note: null,
    });
  });

  test("normalizes its ID, and replaces half a surrogate pair", () => {
    const parsed = enteredLineSchema.parse({ ...least, id: id.toUpperCase(), city: "Lund\ud800" });
    expect(parsed).toMatchObject({ id, city: "Lund\ufffd" });
  });

  test.each<[field: string, value: unknown]>([
    ["id", "7"],
    ["team", "api"],
    ["team", "a/b"],
    ["campaign", "no-access"],
    ["voterId", ""],
    ["voterId", "two words"],
    ["voterId", "x".repeat(65)],
    ["voterId", 1],
    ["voterId", undefined],
    ["verdict", undefined],
    ["firstName", "x".repeat(201)],
    ["lastName", {}],
    ["zip", 12345],
    ["sheet", 1.5],
    ["sheet", "3"],
    ["line", 1_000_000],
    ["signedOn", "02.11.2026"],
    ["signedOn", daysFromNow(2)],
    ["signedOn", "0026-11-02"],
    ["enteredAt", "yesterday"],
    ["enteredAt", "2026-11-21T10:00:00+01:00"],
  ])("takes no %s like %j", (field, value) => {
    const parsed = enteredLineSchema.safeParse({ ...least, [field]: value });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  test("accepts any time of a clock, because the database ignores a wrong one", () => {
    for (const enteredAt of ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]) {
      expect(enteredLineSchema.parse({ ...least, enteredAt })).toMatchObject({ enteredAt });
    }
  });

  test("accepts today's date in every time zone", () => {
    expect(enteredLineSchema.safeParse({ ...least, signedOn: daysFromNow(0) }).success).toBe(true);
  });
});

describe("a rejected line", () => {
  const rejected = { id, team: "north", campaign: "lakes", verdict: "illegible" };

  test("only needs its ID, team, campaign and verdict", () => {
    expect(enteredLineSchema.parse(rejected)).toEqual({ ...rejected, ...nothing, voterId: null });
  });

  test("accepts each verdict", () => {
    for (const verdict of rejections)
      expect(enteredLineSchema.parse({ ...rejected, verdict })).toMatchObject({ verdict });
  });

  test.each<[field: string, value: unknown]>([
    ["verdict", "smudged"],
    ["verdict", null],
    ["voterId", "two words"],
    ["note", "x".repeat(501)],
  ])("takes no %s like %j", (field, value) => {
    const parsed = enteredLineSchema.safeParse({ ...rejected, [field]: value });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });
});
