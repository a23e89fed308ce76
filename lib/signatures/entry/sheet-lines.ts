import type { SheetAtHand } from "@/lib/signatures/answers";
import { type OwnLine, type Settled, undoneIds } from "@/lib/signatures/entry/own-lines";
import type { Entry } from "@/lib/signatures/queue/entry";
import { type Verdict, verdictWords } from "@/lib/signatures/verdicts";

/** What is known of a numbered line of the sheet at hand: stored, or on its way from this device. */
export type SheetLine = {
  id: string;
  line: number;
  /** Who it is, `Smith, Ada`; empty where nobody knows. */
  name: string;
  /** What became of it; "typed" is kept as typed, to be looked up; "refused" waits for a decision. */
  state: Verdict | "typed" | "refused";
  /** The state in words. */
  words: string;
  /** Whether Signet has it. */
  stored: boolean;
  /** Who keyed it: null is somebody whose account is gone. */
  by: string | null;
  mine: boolean;
  /** ISO 8601: when it was keyed. */
  at: string;
};

/** The lines of the sheet at hand by their numbers; one that is not in it is empty. */
export type LinesByNumber = ReadonlyMap<number, SheetLine>;

/** The numbers from 1 to `count` that are empty. */
export function emptyLines(isEmpty: (line: number) => boolean, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1).filter(isEmpty);
}

/** The next empty line after `line`, else the first empty one before it; null when the sheet is full. */
export function nextEmptyLine(isEmpty: (line: number) => boolean, count: number, line: number): number | null {
  const empty = emptyLines(isEmpty, count);
  return empty.find((one) => one > line) ?? empty.at(0) ?? null;
}

/** What is reported when a sheet is closed: how many lines there are of each kind, and the empty ones. */
export function closingReport(lines: LinesByNumber, count: number) {
  const counts = new Map<Verdict, number>();
  let open = 0;
  for (const { state } of lines.values()) {
    if (state === "typed" || state === "refused") open += 1;
    else counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return {
    /** By verdict, those that there are. */
    counts,
    /** Lines that this device still has to settle. */
    open,
    gaps: emptyLines((line) => !lines.has(line), count),
  };
}

/** What is known of the lines of a sheet: keyed by anybody, and kept on this device. The latter shows where both are. */
export function linesOfSheet(
  number: number,
  {
    sheet,
    own,
    entries,
    settled,
  }: {
    /** The sheet as Signet has it; another one's lines are left out. */
    sheet: SheetAtHand | null;
    own: readonly OwnLine[];
    entries: readonly Entry[];
    settled: readonly Settled[];
  },
): LinesByNumber {
  const gone = undoneIds(entries, settled);
  const lines = new Map<number, SheetLine>();
  for (const keyed of sheet?.number === number ? sheet.entered : []) {
    if (gone.has(keyed.id)) continue;
    const { id, line, verdict: state, enteredBy: by, mine, enteredAt: at } = keyed;
    const name =
      [keyed.lastName, keyed.firstName].filter(Boolean).join(", ") || (state !== "other" && keyed.note) || "";
    lines.set(line, { id, line, name, state, words: verdictWords[state], stored: true, by, mine, at });
  }
  const here = { by: null, mine: true };
  for (const one of own) {
    if (one.sheet !== number || one.line === null) continue;
    const { id, line, name, verdict: state, words, stored, at } = one;
    lines.set(line, { id, line, name, state, words, stored, at, ...here });
  }
  for (const { id, at, what, refused } of entries) {
    if (!("sheet" in what && "line" in what) || what.sheet !== number) continue;
    const shared = { id, line: what.line, stored: false, at, ...here };
    if (what.kind === "typed") {
      const name = [what.lastName, what.firstName].filter(Boolean).join(", ");
      lines.set(what.line, { ...shared, name, state: "typed", words: "to be looked up" });
    } else if (refused !== null) {
      const name =
        what.kind === "signature" ? [what.lastName, what.firstName].filter(Boolean).join(", ") : (what.name ?? "");
      lines.set(what.line, {
        ...shared,
        name,
        state: "refused",
        words: refused.why === "line-taken" ? "in conflict" : "not stored",
      });
    }
  }
  return lines;
}
