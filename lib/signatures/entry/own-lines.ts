import type { Format } from "@/lib/format/format-of";
import type { EntryState } from "@/lib/signatures/answers";
import { type Entry, isLine, type LineWhat } from "@/lib/signatures/queue/entry";
import type { Outcome } from "@/lib/signatures/queue/send";
import { type SignedMarks, signedAtText } from "@/lib/signatures/signed-mark";
import { type Verdict, verdictWords } from "@/lib/signatures/verdicts";

/** An entry that this page has sent, and what came of it. */
export type Settled = { entry: Entry; outcome: Outcome };

/** A line of the clerk's: stored, or on its way. */
export type OwnLine = {
  id: string;
  sheet: number | null;
  line: number | null;
  name: string;
  verdict: Verdict;
  /** The verdict in words: `duplicate of sheet 3, line 9`. */
  words: string;
  voterId: string | null;
  /** Whether Signet has it. */
  stored: boolean;
  /** ISO 8601: when it was keyed. */
  at: string;
};

const nameText = (...parts: (string | null)[]) => parts.filter(Boolean).join(", ");

/**
 * The clerk's last lines, the newest first: what waits on this device, what this page has sent, and what was stored before,
 * each once. Those that stand, and apart from them those that were taken back; refused ones are in neither.
 */
export function ownLines({
  entries,
  settled,
  state,
  format,
}: {
  entries: readonly Entry[];
  settled: readonly Settled[];
  state: Pick<EntryState, "lines">;
  format: Format;
}): { standing: OwnLine[]; undone: OwnLine[] } {
  const lines = new Map<string, OwnLine>();
  const gone = undoneIds(entries, settled);
  for (const line of state.lines) {
    if (line.removedAt !== null) gone.add(line.id);
    const { id, sheet, verdict, voterId, enteredAt: at } = line;
    const name = nameText(line.lastName, line.firstName) || (verdict !== "other" && line.note) || "";
    lines.set(id, {
      id,
      sheet,
      line: line.line,
      name,
      verdict,
      words: verdictWords[verdict],
      voterId,
      stored: true,
      at,
    });
  }
  for (const { entry, outcome } of settled) {
    if (!isLine(entry)) continue;
    if (outcome.outcome === "stored" && outcome.verdict === undefined) gone.add(entry.id);
    const known = lines.get(entry.id); // it may have been moved since
    const place = known && { sheet: known.sheet, line: known.line };
    lines.set(entry.id, { ...ofEntry(entry, entry.what), ...ofOutcome(outcome, format), ...place, stored: true });
  }
  for (const entry of entries) {
    if (isLine(entry) && entry.refused === null && !lines.has(entry.id))
      lines.set(entry.id, ofEntry(entry, entry.what));
  }
  const all = [...lines.values()].sort((a, b) => b.at.localeCompare(a.at) || a.id.localeCompare(b.id));
  return { standing: all.filter(({ id }) => !gone.has(id)), undone: all.filter(({ id }) => gone.has(id)) };
}

/** The lines that the clerk took back, whether Signet knows it already or not. */
export function undoneIds(entries: readonly Entry[], settled: readonly Settled[]): Set<string> {
  return new Set(
    [...entries, ...settled.map(({ entry }) => entry)].flatMap(({ what, refused }) =>
      what.kind === "undo" && refused === null ? [what.of] : [],
    ),
  );
}

function ofEntry({ id, at }: Entry, what: LineWhat): OwnLine {
  const { sheet, line, voterId } = what;
  const verdict = what.kind === "signature" ? "accepted" : what.verdict;
  const name = what.kind === "signature" ? nameText(what.lastName, what.firstName) : (what.name ?? "");
  return { id, sheet, line, name, verdict, words: verdictWords[verdict], voterId, stored: false, at };
}

function ofOutcome(outcome: Outcome, format: Format): Pick<OwnLine, "verdict" | "words"> | null {
  if (outcome.outcome !== "duplicate") return null;
  const { of } = outcome;
  if (!of) return { verdict: "duplicate", words: verdictWords.duplicate };
  const place = of.ownTeam &&
    of.sheet !== undefined && [`sheet ${of.sheet}`, of.line !== undefined && `line ${of.line}`];
  const words = place ? `duplicate of ${place.filter(Boolean).join(", ")}` : `duplicate · ${signedAtText(of, format)}`;
  return { verdict: "duplicate", words };
}

/** What the server tells of signatures, with the lines of this clerk that it may not know yet. */
export function withOwnLines(
  served: SignedMarks,
  { standing, undone }: { standing: readonly OwnLine[]; undone: readonly OwnLine[] },
): SignedMarks {
  const marks = new Map(served);
  for (const { voterId, sheet, line } of undone) {
    const mark = voterId === null ? undefined : marks.get(voterId);
    const isThere = mark?.state === "signed" && mark.at?.ownTeam && mark.at.sheet === sheet && mark.at.line === line;
    if (voterId !== null && isThere) marks.set(voterId, { state: "not-signed" });
  }
  for (const { voterId, verdict, at: enteredAt, ...place } of standing) {
    if (voterId === null || verdict !== "accepted") continue;
    const [sheet, line] = [place.sheet ?? undefined, place.line ?? undefined];
    marks.set(voterId, { state: "signed", at: { ownTeam: true, enteredAt, enteredBy: "you", sheet, line } });
  }
  return marks;
}
