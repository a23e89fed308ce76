import { expect, test } from "vitest";
import { assessProgress } from "../../../lib/progress/forecast.ts";
import { chanceToQualify, checkOutcome, moreToQualify, type Petition } from "../../../lib/progress/official-check.ts";
import type { OfficialRule } from "../../../lib/progress/responses.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

const rounds = 1_500;

// Checks a petition as the office does: line by line, and the sample as the rule's text says.
function simulate({ lines, valid, duplicates }: Petition, rule: OfficialRule, seed: number) {
  const random = seededRandom(seed);
  const voters = new Int32Array(lines).fill(-1); // -1 is a line without a voter
  for (let voter = 0; voter < valid; voter++) voters[voter] = voter;
  for (let pair = 0; pair < duplicates; pair++) voters[valid + pair] = pair;
  const counts = { pass: 0, fullCount: 0, fail: 0, qualifies: 0 };
  const lineIndexes = Int32Array.from(voters.keys()); // in any order: each round draws from it at random
  const counted = new Int32Array(valid).fill(-1); // the last round in which a voter was valid
  for (let round = 0; round < rounds; round++) {
    const checked =
      rule.rejection === 0 ? voters : voters.map((voter) => (random() < rule.rejection / 100 ? -1 : voter));
    let official = 0;
    for (const voter of checked) {
      if (voter < 0 || counted[voter] === round) continue;
      counted[voter] = round;
      official += 1;
    }
    const isEnough = official >= rule.required;
    const verdict =
      rule.method === "full" ? (isEnough ? "pass" : "fail") : verdictOfSample(checked, lineIndexes, rule, random);
    counts[verdict] += 1 / rounds;
    if (verdict === "pass" || (verdict === "fullCount" && isEnough)) counts.qualifies += 1 / rounds;
  }
  return counts;
}

function verdictOfSample(lines: Int32Array, lineIndexes: Int32Array, rule: OfficialRule, random: () => number) {
  const size = Math.min(
    lines.length,
    Math.max(rule.sampleMinimum ?? 0, Math.ceil((lines.length * (rule.samplePercent ?? 0)) / 100)),
  );
  const seen = new Map<number, number>();
  let invalid = 0;
  for (let index = 0; index < size; index++) {
    const chosen = index + Math.floor(random() * (lineIndexes.length - index));
    const lineIndex = lineIndexes[chosen] ?? 0;
    lineIndexes[chosen] = lineIndexes[index] ?? 0;
    lineIndexes[index] = lineIndex;
    const voter = lines[lineIndex] ?? -1;
    if (voter < 0) invalid += 1;
    else seen.set(voter, (seen.get(voter) ?? 0) + 1);
  }
  const pairs = [...seen.values()].filter((times) => times === 2).length;
  if (rule.method === "washington") {
    const ratio = size / lines.length;
    const mostInvalid = (invalid + 1.5 * Math.sqrt(invalid)) / ratio;
    const mostPairs = lines.length - (rule.required + mostInvalid);
    const expected = ratio ** 2 * mostPairs;
    return expected > 0 && pairs <= expected - 1.65 * Math.sqrt(expected) ? "pass" : "fullCount";
  }
  const value = lines.length / size;
  // 2 CCR 20531: each duplicate costs its own line and value·(value − 1) more.
  const projected = (size - invalid - pairs) * value - pairs * value * (value - 1);
  if (projected > (rule.required * (rule.passPercent ?? 0)) / 100) return "pass";
  return projected < (rule.required * (rule.failPercent ?? 0)) / 100 ? "fail" : "fullCount";
}

const base = { required: 10_000, margin: 0, rejection: 0, sampleMinimum: null, passPercent: null, failPercent: null };
const california: OfficialRule = {
  ...base,
  method: "sample",
  samplePercent: 3,
  sampleMinimum: 500,
  passPercent: 110,
  failPercent: 95,
};
const washington: OfficialRule = { ...base, method: "washington", samplePercent: 3 };
const full: OfficialRule = { ...base, method: "full", samplePercent: null };
const petition = (lines: number, valid: number, duplicates: number): Petition => ({
  lines,
  valid,
  duplicates,
  variance: 0,
});

test.each<[what: string, Petition, OfficialRule]>([
  ["California, at the pass threshold", petition(14_000, 11_100, 50), california],
  ["California, at the fail threshold", petition(13_000, 9_500, 30), california],
  [
    "California, many duplicates and a rejection of 4 %",
    petition(16_000, 11_600, 400),
    { ...california, rejection: 4 },
  ],
  ["Washington, comfortable", petition(15_000, 13_000, 60), washington],
  ["Washington, close", petition(14_000, 12_100, 150), { ...washington, rejection: 3 }],
  ["Washington, larger sample", petition(13_000, 11_000, 300), { ...washington, samplePercent: 20 }],
  ["a single threshold", petition(14_000, 10_050, 0), { ...california, passPercent: 100, failPercent: 100 }],
  [
    "a sample of half of the lines",
    petition(12_000, 10_200, 900),
    { ...california, samplePercent: 50, passPercent: 101, failPercent: 99 },
  ],
  ["a fixed sample", petition(20_000, 10_600, 100), { ...california, samplePercent: null, sampleMinimum: 1_000 }],
  ["a full count with a rejection of 5 %", petition(13_000, 10_500, 200), { ...full, rejection: 5 }],
])("%s: chances are within 4 points of a simulation", { timeout: 60_000 }, (_what, petitionCounts, rule) => {
  const [known, simulated] = [checkOutcome(petitionCounts, rule), simulate(petitionCounts, rule, 7)];
  for (const part of ["pass", "fullCount", "fail", "qualifies"] as const) {
    expect(Math.abs(known[part] - simulated[part]), `${part}: ${known[part]} for ${simulated[part]}`).toBeLessThan(
      0.04,
    );
  }
  expect(known.pass + known.fullCount + known.fail).toBeCloseTo(1, 6);
});

test("a full count is certain when nothing is rejected or unknown", () => {
  expect(checkOutcome(petition(12_000, 10_000, 100), full)).toMatchObject({ fail: 0 });
  expect(checkOutcome(petition(12_000, 10_000, 100), full).qualifies).toBeCloseTo(1, 9);
  expect(checkOutcome(petition(12_000, 9_999, 100), full)).toMatchObject({ pass: 0, qualifies: 0 });
});

test("a sample as large as the petition is a full count", () => {
  const rule = { ...california, samplePercent: 100 };
  expect(checkOutcome(petition(12_000, 10_000, 100), rule)).toEqual(checkOutcome(petition(12_000, 10_000, 100), full));
});

test("an uncertain number of valid signatures makes the result uncertain", () => {
  const uncertain = { ...petition(12_000, 10_100, 0), variance: 100 ** 2 };
  expect(checkOutcome(uncertain, full).pass).toBeCloseTo(0.843, 2);
});

test.each([5_800, 6_100, 6_400, 7_000])(
  "a full count of %i valid signatures is as likely to be passed as that goal to be reached",
  (goal) => {
    const official = { ...full, required: goal };
    const assessed = assessProgress(campaignCounts(steady(30, 100), { goal, official, endsOn: "2026-12-22" }));
    expect(chanceToQualify(assessed)).toBeCloseTo(assessed.forecast?.chance ?? Number.NaN, 2);
  },
);

test("more signatures reach 95 %, and not fewer", () => {
  for (const rule of [california, washington, { ...full, rejection: 3 }]) {
    const counts = petition(12_000, 9_500, 40);
    const more = moreToQualify(counts, rule);
    if (typeof more === "string") throw new Error(more);
    const after = (lines: number) => {
      const times = (counts.lines + lines) / counts.lines;
      const duplicates = counts.duplicates * times ** 2;
      const valid = (counts.valid + counts.duplicates) * times - duplicates;
      return {
        chance: checkOutcome({ ...counts, lines: counts.lines * times, valid, duplicates }, rule).qualifies,
        valid,
      };
    };
    const reached = after(more.lines);
    expect(reached.chance).toBeGreaterThanOrEqual(0.949);
    expect(reached.valid - counts.valid).toBeCloseTo(more.valid, -1);
    expect(after(more.lines * 0.98).chance).toBeLessThan(0.95);
  }
});

test("says that none are needed, or why the number is unknown", () => {
  expect(moreToQualify(petition(20_000, 16_000, 50), california)).toEqual({ lines: 0, valid: 0 });
  expect(moreToQualify(petition(9_000, 3_000, 2_900), california)).toBe("too-many-duplicates");
  expect(moreToQualify(petition(10, 9, 0), california)).toBe("too-few-lines");
  expect(moreToQualify(petition(0, 0, 0), california)).toBe("too-few-lines");
});
