import { expect, test } from "vitest";
import { makeLines } from "../../../scripts/demo-data/lines.ts";
import { makeVoters } from "../../../scripts/demo-data/voters.ts";

const voters = makeVoters(20_000);
const today = "2026-11-20"; // a Friday
const { lines, sheets } = makeLines(voters, today);
const accepted = lines.filter(({ verdict }) => verdict === "accepted");
const countBy = <T>(list: T[], key: (item: T) => string) =>
  Object.fromEntries([...Map.groupBy(list, key)].map(([name, group]) => [name, group.length]));

test("has 12,000 signatures, most of them for clean-water, and each voter once per campaign", () => {
  expect(countBy(accepted, ({ team, campaign }) => `${team}/${campaign}`)).toEqual({
    "riverside/clean-water": 11_862,
    "hillside/open-parks": 72,
    "riverside/open-parks": 38,
    "riverside/safe-streets": 28,
  });
  expect(new Set(accepted.map(({ campaign, voterId }) => `${campaign} ${voterId}`)).size).toBe(12_000);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  const known = new Map(voters.map((voter) => [voter.voterId, voter]));
  expect(accepted.filter(({ voterId, lastName }) => known.get(voterId ?? "")?.lastName !== lastName)).toEqual([]);
});

test("rejects about 6 %, with every verdict, with the voter and county where entry would know them", () => {
  const rejected = lines.filter(({ verdict }) => verdict !== "accepted");
  expect(rejected.length / lines.length).toBeGreaterThan(0.05);
  expect(rejected.length / lines.length).toBeLessThan(0.07);
  expect(Object.keys(countBy(rejected, ({ verdict }) => String(verdict))).toSorted()).toEqual([
    "duplicate",
    "illegible",
    "not-found",
    "not-registered",
    "other",
    "out-of-district",
  ]);
  const signed = new Set(accepted.map(({ voterId }) => voterId));
  for (const { verdict, voterId, county } of rejected) {
    const isKnown = verdict === "duplicate" ? signed.has(voterId) : ["out-of-district", "other"].includes(verdict);
    expect([voterId !== null, county !== null]).toEqual([isKnown, isKnown]);
  }
});

test("fills sheets of twenty lines in order, in working hours after signing, and never on Sundays or today", () => {
  const known = new Map(sheets.map((sheet) => [`${sheet.team}/${sheet.campaign}/${sheet.number}`, sheet]));
  expect(known.size).toBe(sheets.length);
  const bySheet = Map.groupBy(lines, ({ team, campaign, sheet }) => `${team}/${campaign}/${sheet}`);
  expect(bySheet.size).toBe(sheets.length);
  for (const [name, onSheet] of bySheet) {
    expect(onSheet.map(({ line }) => line)).toEqual(onSheet.map((_, index) => index + 1));
    expect(onSheet.length).toBeLessThanOrEqual(known.get(name)?.signatureCount ?? 0);
    expect(known.get(name)?.signatureCount).toBeLessThanOrEqual(20);
    const times = onSheet.map(({ enteredAt }) => enteredAt);
    expect(times).toEqual(times.toSorted());
    expect([known.get(name)?.openedAt, ...times].toSorted()[0]).toBe(known.get(name)?.openedAt);
    const { collectedOn = "", openedAt = "" } = known.get(name) ?? {};
    expect(collectedOn <= openedAt.slice(0, 10)).toBe(true);
    for (const { enteredAt, signedOn, verdict } of onSheet) {
      expect(signedOn === null || signedOn <= collectedOn).toBe(true);
      const [date = "", time = ""] = enteredAt.split("T");
      expect(date < today && date >= "2026-09-21").toBe(true);
      expect(new Date(`${date}T00:00:00Z`).getUTCDay()).not.toBe(0);
      expect(time > "08:00" && time < "19:00").toBe(true);
      expect(signedOn === null ? verdict !== "accepted" : signedOn >= "2026-09-21" && signedOn <= date).toBe(true);
    }
  }
});

test("has a few open sheets, none of them the suspended clerk's", () => {
  const open = sheets.filter(({ closedAt }) => closedAt === null);
  expect(open.length).toBeGreaterThanOrEqual(3);
  expect(open.length).toBeLessThanOrEqual(6);
  expect(open.map(({ openedBy }) => openedBy)).not.toContain("suspended@demo.test");
});

test.each(["2027-01-04", "2027-02-28", "2027-03-14"])("makes the same lines each time from %s", (date) => {
  const made = makeLines(voters, date);
  expect(made.lines.filter(({ verdict }) => verdict === "accepted")).toHaveLength(12_000);
  expect(makeLines(voters, date)).toEqual(made);
});
