import { expect, test } from "vitest";
import { curveOf, progressCurve, totalOn } from "@/components/progress/progress-curve";
import { campaignCounts } from "../../support/campaign-counts.ts";

const campaign = {
  goal: 1_000,
  accepted: 150,
  startsOn: "2026-11-01",
  endsOn: "2026-12-31",
  today: "2026-11-22",
  final: { estimate: 540, low: 300, high: 800 },
  days: [
    { day: "2026-11-03", accepted: 100 },
    { day: "2026-11-04", accepted: 20 },
    { day: "2026-11-20", accepted: 30 },
  ],
};

/** Points of a curve from `day:total` pairs. */
const points = (text: string) =>
  text.split(" ").map((point) => {
    const [day = 0, total = 0] = point.split(":").map(Number);
    return { at: day, total };
  });

test("is flat on days without lines and ends today, where the projected lines start", () => {
  expect(progressCurve(campaign)).toEqual({
    from: "2026-11-01",
    to: "2026-12-31",
    span: 60,
    top: 1_040,
    ticks: [0, 250, 500, 750, 1_000],
    accepted: points("0:0 1:0 2:100 3:120 18:120 19:150 21:150"),
    needed: points("21:150 60:1000"),
    ahead: { line: points("21:150 60:540"), band: points("21:150 60:800 60:300") },
  });
});

test("has the total at the end of each day", () => {
  const curve = progressCurve(campaign);
  expect([0, 1, 2, 3, 10, 18, 19, 21].map((day) => totalOn(curve, day))).toEqual([0, 0, 100, 120, 120, 120, 150, 150]);
});

test("starts with lines accepted before its days", () => {
  const { accepted } = progressCurve({ ...campaign, accepted: 1_150 });
  expect([accepted[0]?.total, accepted.at(-1)?.total]).toEqual([1_000, 1_150]);
});

test.each([
  ["without a last day", { endsOn: null }],
  ["that ended", { endsOn: "2026-11-21" }],
])("shows no projection for a campaign %s", (_case, facts) => {
  expect(progressCurve({ ...campaign, ...facts })).toMatchObject({ needed: null, ahead: null });
});

test("shows the days of an ended campaign, and lines entered later", () => {
  const ended = progressCurve({ ...campaign, endsOn: "2026-11-10" });
  expect([ended.to, ended.accepted.at(-1)]).toEqual(["2026-11-20", { at: 19, total: 150 }]);
  const over = progressCurve({ ...campaign, endsOn: "2026-11-21" });
  expect([over.to, over.accepted.at(-1)]).toEqual(["2026-11-21", { at: 20, total: 150 }]);
});

test.each([
  ["2026-11-25T03:00:00Z", "2026-11-21"], // its last day
  ["2026-11-21T03:00:00Z", "2026-11-20"], // the day it was archived, in the west
])("the curve of a campaign archived at %s ends on %s", (archivedAt, to) => {
  const { final, startsOn } = campaign;
  const days = campaign.days.map((day) => ({ ...day, entered: day.accepted }));
  const progress = campaignCounts([], { days, startsOn, endsOn: "2026-11-21", today: "2026-12-22", archivedAt });
  expect(curveOf(progress, { ...final, lines: 0 }, "America/Los_Angeles")).toMatchObject({ to, ahead: null });
});

test("has room for the band", () => {
  expect(progressCurve({ ...campaign, final: { estimate: 900, low: 700, high: 1_400 } }).top).toBeGreaterThan(1_400);
});

test("is a curve with only one day", () => {
  const days = [{ day: "2026-11-22", accepted: 3 }];
  const curve = progressCurve({
    ...campaign,
    accepted: 3,
    days,
    startsOn: null,
    endsOn: null,
    goal: null,
    final: null,
  });
  expect(curve).toMatchObject({ from: "2026-11-21", to: "2026-11-28", ticks: [0, 1, 2, 3] });
  expect(curve.accepted).toEqual(points("0:0 1:3"));
});
