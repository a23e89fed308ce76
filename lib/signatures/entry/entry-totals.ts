import { dayIn } from "@/lib/format/days";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import type { EntryState } from "@/lib/signatures/responses";
import { pacePerHour, validityRate } from "@/lib/signatures/verdicts";

/** A clerk's day and the campaign's progress. */
export type Totals = {
  entered: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** Accepted of entered, 0 to 1; null before the first line. */
  validity: number | null;
  /** Lines an hour; null while they are too few. */
  pace: number | null;
  /** Accepted in the campaign as a whole. */
  campaign: number;
};

/** The totals of the state, updated by the lines entered or undone on this page since. The campaign's count only stored ones. */
export function entryTotals(state: EntryState, own: readonly ShownLine[]): Totals {
  const { accepted, duplicates, rejected } = state.mine;
  const totals = { accepted, duplicates, rejected };
  let { lastHour } = state.mine;
  let campaign = state.campaign.accepted;
  const count = (verdict: ShownLine["state"], by: 1 | -1, isStored = true) => {
    if (verdict === "blank") return; // counts nowhere
    totals[verdict === "accepted" ? "accepted" : verdict === "duplicate" ? "duplicates" : "rejected"] += by;
    lastHour += by;
    if (verdict === "accepted" && isStored) campaign += by;
  };

  const before = new Map(state.lines.map(({ id, removedAt }) => [id, removedAt]));
  const now = new Set(own.map(({ id }) => id));
  const isToday = (at: string) => dayIn(state.timeZone, at) === state.today;
  const added = own.filter(
    ({ id, stored, enteredAt }) => before.get(id) !== null && ((stored && !before.has(id)) || isToday(enteredAt)),
  );
  for (const line of added) count(line.state, 1, line.stored);
  for (const { id, verdict, removedAt, enteredAt } of state.lines) {
    if (removedAt === null && !now.has(id) && isToday(enteredAt)) count(verdict, -1);
  }
  const lastAdded = added[0]?.enteredAt ?? "";
  return {
    entered: totals.accepted + totals.duplicates + totals.rejected,
    ...totals,
    validity: validityRate({ accepted: totals.accepted, rejected: totals.duplicates + totals.rejected }),
    pace: pacePerHour({
      lines: lastHour,
      since: state.mine.lastHourSince ?? added.at(-1)?.enteredAt ?? null,
      at: lastAdded > state.at ? lastAdded : state.at,
    }),
    campaign,
  };
}
