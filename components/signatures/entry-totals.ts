import type { ShownLine } from "@/components/signatures/shown-lines";
import { dayIn } from "@/lib/format/day-in";
import type { EntryState } from "@/lib/signatures/answers";
import { pacePerHour, validityRate } from "@/lib/signatures/line-rates";

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
export function entryTotals(state: EntryState, lines: readonly ShownLine[]): Totals {
  const before = new Map(state.lines.map((line) => [line.id, line]));
  const totals = { accepted: state.mine.accepted, duplicates: state.mine.duplicates, rejected: state.mine.rejected };
  let campaign = state.campaign.accepted;
  let lastHour = state.mine.lastHour;
  const count = (kind: "accepted" | "duplicates" | "rejected", by: 1 | -1) => {
    totals[kind] += by;
    lastHour += by;
    if (kind === "accepted") campaign += by;
  };
  for (const line of lines) {
    const stored = before.get(line.id);
    const wasLive = stored && stored.removedAt === null && stored.verdict !== "blank";
    if (wasLive && line.state === "undone" && isToday(state, line.at)) count(kindOf(stored.verdict), -1);
    if (stored) continue;
    if (line.state === "accepted") count("accepted", 1);
    if (line.state === "duplicate") count("duplicates", 1);
    if (line.state === "rejected") count("rejected", 1);
  }
  const added = lines.filter(({ id }) => !before.has(id)).map(({ at }) => at);
  return {
    entered: totals.accepted + totals.duplicates + totals.rejected,
    ...totals,
    validity: validityRate({ accepted: totals.accepted, rejected: totals.duplicates + totals.rejected }),
    pace: pacePerHour({
      lines: lastHour,
      since: state.mine.lastHourSince ?? added.at(-1) ?? null,
      at: added[0] && added[0] > state.at ? added[0] : state.at,
    }),
    campaign,
  };
}

function kindOf(verdict: EntryState["lines"][number]["verdict"]) {
  if (verdict === "accepted") return "accepted";
  return verdict === "duplicate" ? "duplicates" : "rejected";
}

const isToday = ({ timeZone, today }: EntryState, at: string) => dayIn(timeZone, at) === today;
