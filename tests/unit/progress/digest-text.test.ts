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

test("a daily email says whether it qualifies, what the official check finds, and what needs attention", () => {
  const progress = campaignCounts(steady(30, 100), { goal: 5_000, endsOn: "2026-12-22", official });
  const known = { campaignId: "lakes", progress, sheetsOpenForDays: 2, outsideDates: 0 };
  const [verdict, ...more] = digestSentences(known, true, formatOf());
  expect(verdict).toMatch(/^On track: .* likely to reach the goal\. About /);
  expect(more).toEqual([
    "Official check: 5% likely to pass with the sheets still to come.",
    "The goal of 5,000 is too low: the official check needs 8,106 valid signatures.",
    "Needs attention: 2 sheets open for more than 2 days.",
  ]);
  expect(digestSentences({ ...known, progress: { ...progress, official: null } }, false, formatOf())).toHaveLength(1);
});
