import { expect, test } from "vitest";
import { outlookText } from "@/components/progress/outlook-text";
import { formatOf } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import type { Pace } from "@/lib/progress/pace";
import type { Worth } from "@/lib/progress/worth-of-paper";

const progress: CampaignProgress = {
  ...{ today: "2026-11-22", goal: 50_000, startsOn: "2026-09-23", endsOn: "2027-02-20", archivedAt: null },
  ...{ accepted: 11_862, keyed: 12_627, duplicates: 312, onPaper: 12_627, teams: 1 },
  own: { accepted: 11_862, keyed: 12_627 },
  days: [{ day: "2026-09-23", accepted: 11_862, keyed: 12_627 }],
};
const met = { on: "2027-04-17", daysLate: 56, band: { earliest: "2027-04-02", latest: "2027-05-05" } };
const early = { on: "2027-02-03", daysLate: -17, band: { earliest: "2027-01-20", latest: "2027-02-18" } };
const open = { earliest: "2027-01-20", latest: null };
const pace: Pace = { last7: 166, last28: 260.4, weekBefore: null, needed: 423.8, met };
const none: Pace = { last7: null, last28: null, weekBefore: null, needed: 423.8, met: null };
const format = { ...formatOf(), shortDay: formatOf().day }; // with the year, in whichever year this runs

const needs = "It needs 424 a day from today, 164 more than the 260 of the last 28 days. The last 7 days brought 166.";
const likeBefore = "Takes the days to come as like those before, by the day on which lines were keyed.";
const within = `${likeBefore} The days in brackets are a 95% interval, told from how much the days differ.`;
const likeKeyed =
  "Takes paper that is not keyed yet as like what is keyed, with a 95% interval. Sheets are keyed as they come in, not at random.";
const noEnd = "It has no last day, so nothing says how many a day it needs.";
const worth: Worth = { estimate: 13_330, low: 13_250, high: 13_410 };

type Case = [
  name: string,
  given: Partial<CampaignProgress> & { pace?: Partial<Pace>; worth?: Worth },
  verdict: [tone: string, title: string, says: string, assumes?: string],
];
const onPaper = { onPaper: 14_210 };
const ended = { endsOn: "2026-11-19" };
const cases: Case[] = [
  [
    "archived",
    { archivedAt: "2026-11-03T12:00:00Z", accepted: 60_000 },
    ["neutral", "Archived", "It was archived on Nov 3, 2026, with 60,000 of 50,000 accepted."],
  ],
  [
    "archived without a goal",
    { archivedAt: "2026-11-03T12:00:00Z", goal: null },
    ["neutral", "Archived", "It was archived on Nov 3, 2026, with 11,862 accepted."],
  ],
  [
    "without a goal",
    { goal: null, pace: { needed: null, met: null } },
    ["neutral", "No goal is set", "With a goal and a last day, this says whether the campaign will be in time."],
  ],
  [
    "exactly at its goal",
    { accepted: 50_000, pace: { met: null } },
    ["done", "Yes, the goal is met", "50,000 signatures are accepted, as many as the goal."],
  ],
  [
    "one missing is not met",
    { accepted: 49_999, ...ended, pace: { met: null, needed: null } },
    ["wrong", "No, it ended short of its goal", "The last day was Nov 19, 2026, and 1 signature is missing."],
  ],
  [
    "met, and over",
    { accepted: 50_138, ...ended, pace: { met: null, needed: null } },
    ["done", "Yes, the goal is met", "50,138 signatures are accepted, 138 more than the goal."],
  ],
  [
    "ended short, with too little on paper",
    { ...ended, ...onPaper, worth },
    [
      ...(["wrong", "No, it ended short of its goal"] as const),
      "The last day was Nov 19, 2026, and 38,138 signatures are missing. " +
        "What is on paper is worth about 13,330 (13,250 to 13,410) valid signatures.",
      likeKeyed,
    ],
  ],
  [
    "ended, with about enough on paper",
    { ...ended, ...onPaper, goal: 13_300, worth },
    [
      ...(["waiting", "Perhaps: the rest of the paper decides"] as const),
      "The last day was Nov 19, 2026, and 1,438 signatures are missing. " +
        "What is on paper is worth about 13,330 (13,250 to 13,410) valid signatures.",
      likeKeyed,
    ],
  ],
  [
    "enough on paper while it goes on",
    { ...onPaper, goal: 13_250, worth },
    [
      ...(["done", "Yes, as it looks: it is on paper"] as const),
      "What is on paper is worth about 13,330 (13,250 to 13,410) valid signatures: key the rest to be sure.",
      likeKeyed,
    ],
  ],
  [
    "not begun",
    { startsOn: "2026-12-01", keyed: 0, accepted: 0, onPaper: 0, days: [], pace: none },
    ["neutral", "It starts in 9 days", "Then it needs 610 a day."],
  ],
  [
    "not begun, without a last day",
    {
      startsOn: "2026-11-23",
      endsOn: null,
      keyed: 0,
      accepted: 0,
      onPaper: 0,
      days: [],
      pace: { ...none, needed: null },
    },
    ["neutral", "It starts in 1 day", noEnd],
  ],
  [
    "begun, with nothing keyed",
    { keyed: 0, accepted: 0, onPaper: 0, days: [], pace: none },
    ["neutral", "Nothing is keyed yet", "It needs 424 a day from today."],
  ],
  [
    "on the first day with lines",
    { days: [{ day: "2026-11-22", accepted: 9, keyed: 10 }], pace: none },
    [
      ...(["neutral", "Too early to say"] as const),
      "Today is the first day with keyed lines: tomorrow there is a pace to tell it from. It needs 424 a day from today.",
    ],
  ],
  [
    "after one day",
    {
      days: [{ day: "2026-11-21", accepted: 9, keyed: 10 }],
      pace: { last7: 9, last28: 9, needed: 8.61, met: { ...met, band: null } },
    },
    [
      ...(["waiting", "Too early to be sure"] as const),
      "It needs 8.7 a day from today. At the pace of the last day the goal is met on Apr 17, 2027, 8 weeks late.",
      likeBefore,
    ],
  ],
  [
    "late",
    {},
    [
      ...(["wrong", "No, not at this pace"] as const),
      `${needs} ` +
        "At the pace of the last 28 days the goal is met on Apr 17, 2027, 8 weeks late (Apr 2, 2027 to May 5, 2027).",
      within,
    ],
  ],
  [
    "later than a year",
    { pace: { met: { on: "2034-09-14", daysLate: 2_763, band: { earliest: "2032-01-01", latest: "2042-01-01" } } } },
    [
      ...(["wrong", "No, not at this pace"] as const),
      `${needs} At the pace of the last 28 days the goal is met over a year late.`,
      likeBefore,
    ],
  ],
  [
    "late, with paper that is not keyed",
    { ...onPaper, worth },
    [
      ...(["wrong", "No, not at this pace"] as const),
      `${needs} ` +
        "At the pace of the last 28 days the goal is met on Apr 17, 2027, 8 weeks late (Apr 2, 2027 to May 5, 2027). " +
        `What is on paper is worth about 13,330 (13,250 to 13,410) valid signatures.`,
      `${within} ${likeKeyed}`,
    ],
  ],
  [
    "early",
    { pace: { met: early, last7: 501.6 } },
    [
      ...(["done", "Yes, at this pace"] as const),
      "It needs 424 a day from today, 164 more than the 260 of the last 28 days. The last 7 days brought 502. " +
        "At the pace of the last 28 days the goal is met on Feb 3, 2027, 17 days early (Jan 20, 2027 to Feb 18, 2027).",
      within,
    ],
  ],
  [
    "early, but nobody knows how late it may be",
    { pace: { met: { on: "2027-02-20", daysLate: 0, band: open }, last7: 0 } },
    [
      ...(["waiting", "Perhaps, at this pace"] as const),
      "It needs 424 a day from today, 164 more than the 260 of the last 28 days. The last 7 days brought none. " +
        "At the pace of the last 28 days the goal is met on Feb 20, 2027, on the last day (Jan 20, 2027 at the earliest).",
      within,
    ],
  ],
  [
    "without a last day",
    { endsOn: null, pace: { needed: null, met: { ...met, daysLate: null } } },
    [
      ...(["neutral", "It cannot be late: it has no last day"] as const),
      `At the pace of the last 28 days the goal is met on Apr 17, 2027 (Apr 2, 2027 to May 5, 2027). ${noEnd}`,
      within,
    ],
  ],
  [
    "stopped",
    { pace: { last7: 0, last28: 0, met: null } },
    [
      ...(["wrong", "No, not at this pace"] as const),
      "Nothing was accepted in the last 28 days. It needs 424 a day from today.",
    ],
  ],
  [
    "never",
    { pace: { last28: 0.1, met: null } },
    [
      "wrong",
      "No, not at this pace",
      `At this pace it would take over a hundred years. ${needs.replace("164", "424").replace("260", "0.1")}`,
    ],
  ],
];

test.each(cases)("%s", (_name, { pace: going, worth = null, ...campaign }, [tone, title, says, assumes]) => {
  const known = { progress: { ...progress, ...campaign }, pace: { ...pace, ...going }, worth };
  expect(outlookText(known, format)).toEqual({ tone, title, says, ...(assumes && { assumes }) });
});
