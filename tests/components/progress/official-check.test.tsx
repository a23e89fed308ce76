import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OfficialCheck } from "@/components/progress/overview/official-check";
import { assessProgress } from "@/lib/progress/forecast";
import { officialOutlook } from "@/lib/progress/official-check";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

afterEach(cleanup);

const show = (required: number, targets: number[] = []) => {
  const counties = targets.map((target) => ({ county: "King", target, entered: 600, accepted: 600, lately: 140 }));
  const official = { required, margin: 0, rejection: 0, ...fullCount };
  const assessed = assessProgress(
    campaignCounts(steady(30, 100), { goal: required, endsOn: "2026-12-22", official, counties }),
  );
  const check = officialOutlook(assessed);
  if (check) render(<OfficialCheck {...assessed} check={check} />);
};

test("says that fewer signatures than required can't pass a full count", () => {
  show(5_000);
  screen.getByText("Only 3,000 signatures are collected, fewer than required: a full count would fail.");
  cleanup();
  show(2_900);
  expect(screen.queryByText(/fewer than required/)).toBeNull();
  screen.getByText("You have enough to be at least 95% likely to qualify today.");
});

test("what is still needed names the county targets", () => {
  show(5_000, [700]);
  screen.getByText(/^To be 95% likely to qualify today, you need .*, and every county target\.$/);
  cleanup();
  show(2_900, [700]);
  screen.getByText("You have enough to be 95% likely to qualify today, once every county target is reached.");
});
