import { dayIn } from "@/lib/format/days";
import type { EntryState } from "@/lib/signatures/answers";
import type { OwnLine } from "@/lib/signatures/entry/own-lines";
import type { Verdict } from "@/lib/signatures/verdicts";
import { pacePerHour, validityRate } from "@/lib/signatures/verdicts";

/** A clerk's day and the campaign's way to its goal. */
export type Totals = {
  entered: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** Accepted of entered, 0 to 1; null before the first line. */
  validity: number | null;
  /** Lines an hour; null before the first line. */
  pace: number | null;
  /** Accepted in the campaign as a whole. */
  campaign: number;
};

/** The totals of the state, with what this page knows beyond it: lines that were sent or taken back since it was read. */
export function entryTotals(state: EntryState, own: readonly OwnLine[]): Totals {
  const { accepted, duplicates, rejected } = state.mine;
  const totals = { accepted, duplicates, rejected };
  let { lastHour } = state.mine;
  let campaign = state.campaign.accepted;
  const count = (verdict: Verdict, by: 1 | -1) => {
    if (verdict === "blank") return; // counts nowhere
    totals[kindOf(verdict)] += by;
    lastHour += by;
    if (verdict === "accepted") campaign += by;
  };

  const before = new Set(state.lines.map(({ id }) => id));
  const now = new Set(own.map(({ id }) => id));
  const added = own.filter(({ id, stored }) => stored && !before.has(id));
  for (const { verdict } of added) count(verdict, 1);
  for (const { id, verdict, removedAt, enteredAt } of state.lines) {
    if (removedAt === null && !now.has(id) && dayIn(state.timeZone, enteredAt) === state.today) count(verdict, -1);
  }
  return {
    entered: totals.accepted + totals.duplicates + totals.rejected,
    ...totals,
    validity: validityRate({ accepted: totals.accepted, rejected: totals.duplicates + totals.rejected }),
    pace: pacePerHour({
      lines: lastHour,
      since: state.mine.lastHourSince ?? added.at(-1)?.at ?? null,
      at: added[0] && added[0].at > state.at ? added[0].at : state.at,
    }),
    campaign,
  };
}

function kindOf(verdict: Verdict) {
  if (verdict === "accepted") return "accepted";
  return verdict === "duplicate" ? "duplicates" : "rejected";
}
