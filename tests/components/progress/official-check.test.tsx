import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OfficialCheck } from "@/components/progress/overview/official-check";
import { assessProgress } from "@/lib/progress/forecast";
import { officialOutlook } from "@/lib/progress/official-check";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

afterEach(cleanup);

const show = (
  required: number,
  targets: number[] = [],
  { endsOn = "2026-12-22", outsideDates = 0, margin = 0, duplicates = 0 } = {},
) => {
  const counties = targets.map((target) => ({
    county: "King",
    target,
    entered: 600,
    accepted: 600,
    last7Days: 140,
  }));
  const official = { required, margin, rejection: margin && 5, ...fullCount };
  const assessed = assessProgress(
    campaignCounts(steady(30, 100), { goal: required, endsOn, official, counties, duplicates }),
  );
  const check = officialOutlook(assessed);
  if (check) render(<OfficialCheck {...assessed} check={check} outsideDates={outsideDates} />);
};

test("says how many valid signatures the office would count", () => {
  show(2_000, [], { margin: 3 }); // 5% of 3,000 are rejected
  screen.getByText("2,000 required; about 2,850 would count");
});

test("says that fewer signatures than required can't pass a full count", () => {
  show(5_000);
  screen.getByText("Only 3,000 signatures received, fewer than the 5,000 required. A full count would fail.");
  cleanup();
  show(2_900);
  expect(screen.queryByText(/fewer than/)).toBeNull();
  screen.getByText("You have enough to be at least 95% likely to qualify today.");
});

test("says what a campaign that has ended expects, and how many signatures were signed outside its dates", () => {
  show(2_900, [], { endsOn: "2026-11-20", outsideDates: 12 });
  screen.getByText(
    /^With the 3,000 valid signatures expected at the end, the petition is to pass the official check\.$/,
  );
  screen.getByText("The valid signatures include 12 signed outside the campaign's dates, which the office may reject.");
});

test("what is still needed names the county targets", () => {
  show(5_000, [700]);
  screen.getByText(
    /^To be 95% likely to qualify, turn in .* \(about [\d,]+0 collected\) and reach every county target\.$/,
  );
  cleanup();
  show(2_900, [700]);
  screen.getByText("You have enough to be 95% likely to qualify today, once every county target is reached.");
});

test("says what the safety margin asks for, and why the office's rejections cost less than their share", () => {
  show(2_900, [], { margin: 10, duplicates: 20 });
  screen.getByText(
    "To reach your own target of 3,358, with the 10% safety margin, you need 358 more valid signatures.",
  );
  expect(screen.getAllByRole("listitem")[0]?.textContent).toMatch(
    /the office would reject 5% of those\. A voter who signed twice still counts if one of the lines remains, so you lose fewer than that\.$/,
  );
});
