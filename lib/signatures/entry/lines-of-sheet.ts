import type { SheetAtHand } from "@/lib/signatures/answers";
import { type OwnLine, type Settled, undoneIds } from "@/lib/signatures/entry/own-lines";
import type { LinesByNumber, SheetLine } from "@/lib/signatures/entry/sheet-line";
import type { Entry } from "@/lib/signatures/queue/entry";
import { verdictWords } from "@/lib/signatures/verdicts";

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
  for (const keyed of sheet?.number === number ? sheet.keyed : []) {
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
