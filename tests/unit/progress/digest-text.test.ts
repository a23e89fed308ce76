import { expect, test } from "vitest";
import { digestSentences } from "@/components/progress/digest-text";
import { formatOf } from "@/lib/format/format-of";
import type { OfficialRule } from "@/lib/progress/responses";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

const official: OfficialRule = {
  required: 7_000,
  margin: 10,
  rejection: 5,
  ...fullCount,
};

test("a daily email says whether it qualifies, what the counties and the official check find, and what needs attention", () => {
  const counties = [{ county: "King", target: 5_000, entered: 600, accepted: 600, last7Days: 140 }];
  const progress = campaignCounts(steady(30, 100), { goal: 5_000, endsOn: "2026-12-22", official, counties });
  const known = { campaignId: "lakes", progress, sheetsOpenForDays: 2, outsideDates: 0 };
  const [verdict, ...more] = digestSentences(known, true, formatOf());
  expect(verdict).toMatch(
    /^Behind: .* likely to qualify\. To qualify, the petition must pass the official check and reach every county target\. About .* The petition is .* likely to reach 8,106 valid signatures and every county target\. /,
  );
  expect(more).toEqual([
    "The goal of 5,000 is too low. You need 8,106 valid signatures with a 10% margin and 5% expected rejections.",
    "1 county target is behind: King.",
    "Needs attention: 2 sheets open for 2 days or more.",
  ]);
  expect(
    digestSentences({ ...known, progress: { ...progress, official: null, counties: [] } }, false, formatOf()),
  ).toHaveLength(1);
});
