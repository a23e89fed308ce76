import { expect, test } from "vitest";
import { methodSentences } from "@/components/progress/method-text";
import {
  chanceText,
  countyShortfallText,
  outlookQuestion,
  outlookText,
  turnedInText,
} from "@/components/progress/outlook-text";
import { formatOf } from "@/lib/format/format-of";
import { type AssessedProgress, assessProgress, type Forecast } from "@/lib/progress/forecast";
import type { CampaignProgress, OfficialRule } from "@/lib/progress/responses";
import { campaignCounts } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

const progress = campaignCounts([100], {
  goal: 15_000,
  startsOn: "2026-09-23",
  endsOn: "2027-02-20",
  accepted: 11_862,
  entered: 12_627,
  collected: 14_210,
});
const forecast: Forecast = {
  onHand: { lines: 14_210, estimate: 13_330, low: 13_250, high: 13_410 },
  final: { lines: 17_000, estimate: 15_840, low: 14_100, high: 17_900 },
  scenarios: [],
  aDay: 120.4,
  neededADay: 211.2,
  isGoalOnly: false,
  averageADay: 87.2,
  leastADay: 80,
  chance: 0.72,
  chanceNow: 0.04,
  designEffect: 1,
  isNeverEnough: false,
  lateLines: 0,
  span: { from: "2026-11-16", to: "2026-11-21", days: 6 },
};
const format = { ...formatOf(), shortDay: formatOf().day }; // always with the year
const about = "About 15,800 (14,100–17,900) valid signatures expected by Feb 20, 2027. Goal: 15,000.";
// 87.2 a day would reach it in 90 days, 120.4 in 65.2.
const pace = "You collected 120 a day over the last 6 days. At that pace, you'd reach the goal around Jan 27, 2027.";
const paceAlone = "You collected 120 a day over the last 6 days.";
const needed =
  "To be 90% likely to reach the goal, collect 212 a day starting tomorrow. The bare minimum, with no late rush, is 88 a day.";
const needs = `${pace} ${needed}`;
const early = needs.replace("To be", "First estimate: to be");
const ofCounties = needs
  .replace("goal, collect", "goal and every county target, collect")
  .replace(/ The bare minimum.*/, "");

const county = (name: string, short: number, chance: number) => ({
  county: name,
  target: 500,
  entered: 500,
  accepted: 500 - short,
  last7Days: 0,
  aDay: 0,
  short,
  chance,
});

type Given = Partial<CampaignProgress> & { forecast?: Partial<Forecast> | null; towns?: ReturnType<typeof county>[] };
test.each<[name: string, given: Given, title: string, texts: string]>([
  [
    "archived",
    { archivedAt: "2026-11-03T12:00:00Z", accepted: 60_000 },
    "neutral: Archived, goal reached",
    "Archived on Nov 3, 2026 with 60,000 valid signatures.",
  ],
  [
    "archived short of its goal",
    { archivedAt: "2026-11-03T12:00:00Z" },
    "neutral: Archived, 3,138 short of its goal",
    "Archived on Nov 3, 2026 with 11,862 valid signatures.",
  ],
  [
    "archived without a goal",
    { archivedAt: "2026-11-03T12:00:00Z", goal: null },
    "neutral: Archived",
    "Archived on Nov 3, 2026 with 11,862 valid signatures.",
  ],
  ["without a goal", { goal: null }, "neutral: No goal set", ""],
  ["at its goal", { accepted: 15_000 }, "success: Goal reached", "15,000 valid signatures, exactly the goal."],
  ["above it", { accepted: 15_138 }, "success: Goal reached", "15,138 valid signatures, 138 more than the goal."],
  [
    "at its goal with a county that is short",
    { accepted: 15_000, towns: [county("King", 0, 1), county("Pierce", 20, 0.4)], forecast: { chance: 0.4 } },
    "warning: At risk: 40% likely to qualify",
    `${about.replace("15,000.", "15,000, reached.")} ${ofCounties}`,
  ],
  [
    "with many counties at risk",
    { towns: ["A", "B", "C", "D", "E"].map((name) => county(name, 20, 0.8)) },
    "warning: At risk: 72% likely to qualify",
    `${about} ${ofCounties}`,
  ],
  ["at risk", {}, "warning: At risk: 72% likely to qualify", `${about} ${needs}`],
  ["likely", { forecast: { chance: 0.9 } }, "success: On track: 90% likely to qualify", `${about} ${needs}`],
  ["unlikely", { forecast: { chance: 0.001 } }, "danger: Behind: under 1% likely to qualify", `${about} ${needs}`],
  ["too early", { forecast: { chance: null } }, "neutral: Too early to tell", `${about} ${early}`],
  [
    "too vague for numbers",
    { forecast: { chance: null, final: { lines: 17_000, estimate: 960, low: 3, high: 210_000 } } },
    "neutral: Too early to tell",
    `Goal: 15,000. ${early}`,
  ],
  [
    "with a low end that rounds to 0",
    { forecast: { final: { lines: 17_000, estimate: 903, low: 28, high: 2_910 } } },
    "warning: At risk: 72% likely to qualify",
    `${about.replace("15,800 (14,100–17,900)", "900 (28–2,900)")} ${needs}`,
  ],
  [
    "enough collected",
    { forecast: { neededADay: 0 } },
    "warning: At risk: 72% likely to qualify",
    `${about} You've collected enough if the rest are as valid as those entered.`,
  ],
  [
    "with a lag of sheets",
    { forecast: { span: { from: "2026-10-21", to: "2026-11-17", days: 28 } } },
    "warning: At risk: 72% likely to qualify",
    `${about} ${needs.replace("over the last 6 days", "from Oct 21, 2026 to Nov 17, 2026")}`,
  ],
  [
    "planned",
    { forecast: { aDay: 112, span: null } },
    "warning: At risk: 72% likely to qualify",
    `${about} ${needs.replace(pace, "Assumes 112 a day. At that pace, you'd reach the goal around Feb 1, 2027.")}`,
  ],
  [
    "without a pace that makes it likely",
    { forecast: { neededADay: null } },
    "warning: At risk: 72% likely to qualify",
    `${about} ${pace} Enter more sheets to see which pace makes it 90% likely to reach the goal. The bare minimum, with no late rush, is 88 a day.`,
  ],
  [
    "at a pace that is too slow",
    { forecast: { aDay: 60 } },
    "warning: At risk: 72% likely to qualify",
    `${about} You collected 60 a day over the last 6 days. At that pace, you'd reach the goal around Apr 2, 2027, after the last day. ${needed}`,
  ],
  [
    "at a pace that takes years",
    { forecast: { aDay: 3, chance: 0.01 } },
    "danger: Behind: 1% likely to qualify",
    `${about} You collected 3 a day over the last 6 days. ${needed}`,
  ],
  [
    "without a pace that makes a county likely",
    { forecast: { isGoalOnly: true } },
    "warning: At risk: 72% likely to qualify",
    `${about} ${needs.replace("goal,", "goal (no pace makes every county target that likely),")}`,
  ],
  [
    "with enough for the goal, without such a pace",
    { forecast: { neededADay: 0, isGoalOnly: true } },
    "warning: At risk: 72% likely to qualify",
    `${about} You've collected enough for the goal, but no pace makes every county target 90% likely.`,
  ],
  [
    "with a rate of duplicates that may be too high",
    { accepted: 109, entered: 110, duplicates: 1, forecast: { neededADay: null, averageADay: null, chance: 0.05 } },
    "danger: Behind: 5% likely to qualify",
    `${about} ${paceAlone} It's too early to set a daily target: 1 of your first 110 lines is a duplicate. With no more duplicates, you'd need 80 a day. Enter more sheets for a better estimate.`,
  ],
  [
    "with invalid lines only",
    { accepted: 0, entered: 3, forecast: { neededADay: null, averageADay: null, chance: 0.05 } },
    "danger: Behind: 5% likely to qualify",
    `${about} ${paceAlone} No valid signatures are entered yet, so the pace you need is unknown.`,
  ],
  [
    "never enough",
    { forecast: { neededADay: null, averageADay: null, isNeverEnough: true, chance: 0.05 } },
    "danger: Behind: 5% likely to qualify",
    `${about} ${paceAlone} At this rate of duplicates, more sheets won't reach the goal.`,
  ],
  [
    "without a last day",
    { endsOn: null, forecast: { final: null, chance: null, neededADay: null, averageADay: null } },
    "neutral: No last day set",
    "About 13,330 (13,250–13,410) valid signatures on all sheets. Goal: 15,000.",
  ],
  [
    "ended short",
    { endsOn: "2026-11-19", forecast: { final: forecast.onHand, chance: 0.01 } },
    "danger: Ended short of its goal",
    "It ended on Nov 19, 2026. About 13,330 (13,250–13,410) valid signatures on all sheets. Goal: 15,000.",
  ],
  [
    "ended without a line",
    { endsOn: "2026-11-19", entered: 0, accepted: 0, forecast: null },
    "danger: Ended short of its goal",
    "It ended on Nov 19, 2026.",
  ],
  [
    "not started",
    { entered: 0, accepted: 0, startsOn: "2026-12-01", forecast: null },
    "neutral: Starts in 9 days",
    "You need 183 valid signatures a day.",
  ],
  [
    "nothing entered",
    { entered: 0, accepted: 0, forecast: null },
    "neutral: No signatures entered yet",
    "You need 165 valid signatures a day.",
  ],
])("%s", (_name, { forecast: changed, towns = [], ...facts }, title, texts) => {
  const text = outlookText(
    {
      progress: { ...progress, ...facts },
      forecast: changed === null ? null : { ...forecast, ...changed },
      counties: towns,
    },
    format,
  );
  expect([`${text.tone}: ${text.title}`, text.texts.join(" ")]).toEqual([title, texts]);
});

test.each<[given: Given, question: string]>([
  [{}, "Will it qualify?"],
  [{ accepted: 15_000, endsOn: null }, "Will it qualify?"],
  [{ goal: null }, "Forecast"],
  [{ endsOn: null }, "Forecast"],
  [{ entered: 0, accepted: 0 }, "Forecast"],
  [{ endsOn: "2026-11-19", forecast: { chance: 0.01 } }, "Result"],
  [{ archivedAt: "2026-11-03T12:00:00Z" }, "Result"],
])("asks a question only if the title answers it: %o", ({ forecast: changed, ...facts }, question) => {
  const known = { progress: { ...progress, ...facts }, forecast: { ...forecast, ...changed }, counties: [] };
  expect(outlookQuestion(known, outlookText(known, format).title)).toBe(question);
});

const rule: OfficialRule = {
  required: 12_000,
  margin: 0,
  rejection: 0,
  ...fullCount,
};
const onHand = "about 13,330 (13,250–13,410) valid signatures";
test.each<[what: string, given: Partial<CampaignProgress>, now: Partial<Forecast>, text: string | null]>([
  ["running", {}, {}, `If you turn in the sheets today: ${onHand}, 4% likely to qualify.`],
  [
    "enough on hand",
    {},
    { chanceNow: 0.995 },
    `If you turn in the sheets today: ${onHand}, over 99% likely to qualify.`,
  ],
  [
    "with an official check",
    { official: rule },
    {},
    `If you turn in the sheets today: ${onHand}, over 99% likely to qualify.`,
  ],
  ["with an official check that is sure to fail", { official: { ...rule, required: 14_000 } }, {}, null],
  ["as good as impossible", {}, { chanceNow: 0.009 }, null],
  ["without a last day", { endsOn: null }, {}, `If you turn in the sheets today: ${onHand}, 4% likely to qualify.`],
  ["reached", { accepted: 15_000 }, { chanceNow: 1 }, null],
  ["over", { endsOn: "2026-11-21" }, {}, null],
  ["archived", { archivedAt: "2026-11-03T12:00:00Z" }, {}, null],
  ["without a goal", { goal: null }, { chanceNow: null }, null],
])("says the verdict on what is on hand: %s", (_what, facts, now, text) => {
  const known = { progress: { ...progress, ...facts }, forecast: { ...forecast, ...now }, counties: [] };
  expect(turnedInText(known, format)).toBe(text);
});

// 17,000 lines, of which as many are valid as it says.
const ofCheck = (mean: number, accepted: number, towns: ReturnType<typeof county>[] = []) => ({
  progress: { ...progress, accepted, official: rule },
  forecast: { ...forecast, scenarios: [{ share: 1, lines: 17_000, mean, sdBelow: 400, sdAbove: 400 }] },
  counties: towns,
});
test.each([
  [14_000, [], "The petition is 72% likely to reach the goal of 15,000. ", "likely to reach the goal, "],
  [
    14_000,
    [county("King", 20, 1)],
    "The petition is 72% likely to reach the goal of 15,000 and every county target. ",
    "target, ",
  ],
  [15_000, [county("King", 20, 1)], "The petition is 72% likely to reach every county target. ", "target, "],
  [15_000, [], "Required: 12,000. Goal: 15,000, reached. You collected 120 a day over the last 6 days.", "6 days."],
])("with an official check and %d of 15,000, it decides, and the goal is second", (accepted, towns, goal, pace) => {
  const known = ofCheck(12_000, accepted, towns);
  const { title, texts } = outlookText(known, format);
  expect(title).toBe("At risk: 50% likely to qualify");
  expect(outlookQuestion(known, title)).toBe("Will it qualify?");
  const targets = towns.length > 0 ? " and reach every county target" : "";
  expect(texts[0]).toBe(`To qualify, the petition must pass the official check${targets}.`);
  expect(texts.join(" ")).toContain(goal);
  expect(texts.join(" ")).toContain(pace);
});

test("a county that is short can decide the official check, and a campaign that ended can hardly pass it", () => {
  const titleOf = (known: AssessedProgress) => outlookText(known, format).title;
  expect(titleOf(ofCheck(14_000, 14_000, [county("King", 20, 0.4)]))).toMatch(/^At risk: 40% likely to qualify/);
  const over = ofCheck(10_000, 10_000);
  expect(titleOf({ ...over, progress: { ...over.progress, endsOn: "2026-11-19" } })).toBe(
    "Ended short: under 1% likely to qualify",
  );
});

test("without a last day, what is on hand says whether it passes the official check, if it does", () => {
  const titleFor = (required: number) => {
    const known = ofCheck(0, 15_000);
    const official = { ...rule, required };
    const open = { ...known.forecast, chance: 1, final: null, scenarios: [] };
    return outlookText({ ...known, progress: { ...known.progress, endsOn: null, official }, forecast: open }, format)
      .title;
  };
  expect(titleFor(12_000)).toBe("On track: over 99% likely to qualify");
  expect(titleFor(13_330)).toBe("No last day set");
});

test.each([
  [0, "under 1%"],
  [0.014, "1%"],
  [0.724, "72%"],
  [0.899, "89%"],
  [0.9, "90%"],
  [0.096, "9%"],
  [0.1, "10%"],
  [0.995, "over 99%"],
])("writes a chance of %d as %s", (chance, text) => expect(chanceText(chance, format)).toBe(text));

test("explains the lag of sheets, and how sheets differ", () => {
  const known = { ...progress, lagDays: 3, days: [{ day: "2026-11-20", accepted: 600, entered: 700 }] };
  const texts = methodSentences(
    {
      progress: known,
      forecast: { ...forecast, designEffect: 2.24 },
      counties: [],
    },
    format,
  ).join("\n");
  expect(texts).toContain("9 of 10 sheets arrive within 3 days of collection");
  expect(texts).toContain("Validity varies from sheet to sheet 2.2 times as much as you'd expect by chance.");
});

test("says how many collected signatures it expects on sheets to come, and none where there are none", () => {
  const paceOf = (late: number) => {
    const known = { progress, forecast: { ...forecast, lateLines: late }, counties: [] };
    return methodSentences(known, format)[0];
  };
  expect(paceOf(243.4)).toBe(
    "The forecast adds new sheets at the average pace of collection over the last 6 days, and includes about 240 signatures already collected on sheets that haven't arrived yet.",
  );
  expect(paceOf(0)).toMatch(/over the last 6 days\.$/);
  const span = { from: "2026-11-18", to: "2026-11-18", days: 1 };
  const oneDay = { progress, forecast: { ...forecast, span, lateLines: 0 }, counties: [] };
  expect(methodSentences(oneDay, format)[0]).toBe("The forecast adds new sheets at the pace of Nov 18, 2026.");
});

test("says how many counties reach their targets, and what is missing", () => {
  const shortfall = (...towns: CampaignProgress["counties"]) =>
    countyShortfallText(assessProgress({ ...progress, counties: towns }), formatOf());
  const town = { county: "King", target: 1_500, entered: 400, accepted: 300, last7Days: 0 };
  const reached = { ...town, county: "Pierce", target: 200 };
  expect([shortfall(), shortfall(town, reached), shortfall(reached)]).toEqual([
    null,
    "1 of 2 reached, 1,200 valid signatures short.",
    "1 of 1 reached.",
  ]);
});
