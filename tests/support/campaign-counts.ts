import { dayAfter } from "../../lib/format/days.ts";
import type { CampaignProgress } from "../../lib/progress/responses.ts";

const today = "2026-11-22";

/** The progress of a campaign that collected and entered `linesByDay` valid lines: yesterday, the day before … */
export function campaignCounts(linesByDay: number[], facts: Partial<CampaignProgress> = {}): CampaignProgress {
  const days = linesByDay
    .map((lines, index) => ({ day: dayAfter(today, -index - 1), accepted: lines, entered: lines }))
    .filter(({ entered }) => entered > 0)
    .reverse();
  const lines = linesByDay.reduce((sum, count) => sum + count, 0);
  return {
    today,
    goal: null,
    startsOn: null,
    endsOn: null,
    archivedAt: null,
    accepted: lines,
    entered: lines,
    duplicates: 0,
    collected: lines,
    teams: 1,
    own: { accepted: lines, entered: lines },
    days,
    lagDays: 0,
    collectedDays: days.map(({ day, entered }) => ({ day, lines: entered })),
    sheetSums: { count: 0, lines: 0, valid: 0, linesSquared: 0, linesValid: 0, validSquared: 0 },
    checked: { lines: 0, errors: 0 },
    counties: [],
    withCounty: { accepted: lines, entered: lines },
    official: null,
    ...facts,
  };
}

export const steady = (days: number, linesPerDay: number) => Array.from({ length: days }, () => linesPerDay);
