import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SettingsHints } from "@/components/progress/overview/settings-hints";
import type { CampaignProgress } from "@/lib/progress/responses";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

const thresholds = { samplePercent: null, sampleMinimum: null, passPercent: null, failPercent: null };
const official = { required: 400, margin: 0, rejection: 0, method: "full" as const, ...thresholds };
const counties = [{ county: "King", target: 40, entered: 0, accepted: 0, last7Days: 0 }];
const place = { team: "north", campaign: "rents" };
const hints = (facts: Partial<CampaignProgress>) => {
  render(<SettingsHints place={place} progress={campaignCounts(steady(5, 10), { goal: 500, ...facts })} />);
  return screen.queryAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
};
const check = ["enter the required number and how the office checks", "/north/campaign/rents/settings#official-check"];
const targets = ["Set county targets", "/north/campaign/rents/settings#county-targets"];

test.each<[facts: Partial<CampaignProgress>, links: string[][]]>([
  [{}, [check, targets]],
  [{ official }, [targets]],
  [{ counties }, [check]],
  [{ official, counties }, []],
  [{ collected: 0 }, []],
  [{ goal: null }, []],
  [{ archivedAt: "2026-11-03T12:00:00Z" }, []],
])("with %o the overview leads to the settings %o", (facts, links) => {
  expect(hints(facts)).toEqual(links);
});
