import { expect, test } from "vitest";
import { findCountyProblem } from "@/components/progress/overview/problems";
import { formatOf } from "@/lib/format/format-of";
import { assessProgress } from "@/lib/progress/forecast";
import { officialOutlook } from "@/lib/progress/official-check";
import type { CampaignProgress, OfficialRule } from "@/lib/progress/responses";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

// 3,000 on hand and 100 a day: about 6,100 on the last day.
const facts = { endsOn: "2026-12-22", goal: 5_000 };
const county = (name: string, target: number) => ({
  county: name,
  target,
  entered: 600,
  accepted: 600,
  last7Days: 140,
});
const rule: OfficialRule = {
  required: 5_000,
  margin: 10,
  rejection: 5,
  ...fullCount,
};
function problems(overrides: Partial<CampaignProgress>) {
  const assessed = assessProgress(campaignCounts(steady(30, 100), { ...facts, ...overrides }));
  const problem = findCountyProblem(assessed, formatOf());
  return problem && `${problem.link}${problem.text}`;
}

test.each<[what: string, given: Partial<CampaignProgress>, expected: string | null]>([
  ["nothing of one on track", {}, null],
  ["nothing of the verdict, which is shown above", { goal: 9_000 }, null],
  [
    "counties at risk",
    { counties: ["King", "Pierce", "Clark", "Lewis"].map((name) => county(name, 4_000)) },
    "4 county targets are behind: King, Pierce, Clark, and 1 more",
  ],
  [
    "the county that is worst off first",
    { counties: [county("King", 3_000), county("Pierce", 4_000)] },
    "2 county targets are behind: Pierce, King",
  ],
  [
    "counties as the table marks them",
    { counties: [county("King", 1_200), county("Pierce", 4_000)] },
    "2 county targets are behind or at risk: Pierce, King",
  ],
  ["nothing of an archived campaign", { goal: 9_000, archivedAt: "2026-11-03T12:00:00Z" }, null],
])("names %s", (_what, overrides, expected) => expect(problems(overrides)).toEqual(expected));

test("to qualify today, the sheets must reach every county target too", () => {
  const qualifies = (counties: CampaignProgress["counties"]) => {
    const official = { ...rule, required: 2_000 };
    return officialOutlook(assessProgress(campaignCounts(steady(30, 100), { ...facts, official, counties })))?.now
      .qualifies;
  };
  expect(qualifies([county("King", 500)])).toBeGreaterThan(0.99);
  expect(qualifies([county("King", 500), county("Pierce", 4_000)])).toBeLessThan(0.01);
});
