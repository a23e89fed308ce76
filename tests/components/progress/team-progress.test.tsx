import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TeamTotals } from "@/components/progress/team-progress";
import { dayAfter } from "@/lib/format/days";
import { formatOf } from "@/lib/format/format-of";

const today = "2026-11-22";

// A campaign with `aDay` accepted lines on each of the `days` before today.
function campaign(aDay: number, days: number, goal: number | null) {
  const accepted = aDay * days;
  return {
    ...{ today, goal, startsOn: null, endsOn: "2026-12-31", archivedAt: null, accepted, entered: accepted },
    ...{ duplicates: 0, collected: accepted, teams: 1, own: { accepted, entered: accepted } },
    days: Array.from({ length: days }, (_, ago) => ({
      ...{ day: dayAfter(today, ago - days), accepted: aDay, entered: aDay },
    })),
  };
}

function show(campaigns: ReturnType<typeof campaign>[], requests: number | null) {
  const { container } = render(
    <TeamTotals teamId="north" format={formatOf()} campaigns={campaigns} requests={requests} />,
  );
  return [...container.querySelectorAll("dl > div")].map((figure) =>
    [...figure.querySelectorAll("dt, span")].map(({ textContent }) => textContent),
  );
}

test("adds up running campaigns: valid signatures, pace, and how many will qualify", () => {
  expect(show([campaign(10, 20, 100), campaign(20, 14, 9_000), campaign(5, 30, null)], 2)).toEqual([
    ["Valid signatures", "630", "in 3 running campaigns"],
    ["Valid per day, last 7 days", "35", "excluding today, same as the week before"],
    ["On track to qualify", "1 of 3", "1 off track, 1 unknown"],
    ["Requests for access", "2", "waiting"],
  ]);
  expect(screen.getByRole("link", { name: "2" }).getAttribute("href")).toBe("/north/activity");
});

test("has nothing to compare with when a campaign is younger than two weeks", () => {
  expect(show([campaign(10, 20, 100), campaign(20, 13, 9_000)], 0)[1]).toEqual([
    "Valid per day, last 7 days",
    ...["30", "excluding today"],
  ]);
});

test("shows no numbers without a campaign, and requests only to people who answer them", () => {
  expect(show([], null)).toEqual([
    ["Valid signatures", "0", "in 0 running campaigns"],
    ["Valid per day, last 7 days", "–", "excluding today"],
    ["On track to qualify", "–"],
  ]);
});
