import type { Format } from "@/lib/format/format-of";
import type { EntryState, SheetAtHand } from "@/lib/signatures/answers";
import type { Line } from "@/lib/signatures/line";
import { nameText, placeText } from "@/lib/signatures/line-text";
import {
  isLine,
  type LineItem,
  type OutboxItem,
  type OutboxLine,
  type TypedLine,
} from "@/lib/signatures/outbox/outbox";
import type { Outcome } from "@/lib/signatures/outbox/send";
import { type SignedMarks, signedAtText } from "@/lib/signatures/signed-mark";
import { type Verdict, verdictWords } from "@/lib/signatures/verdicts";

/** A line as the entry screen shows it, whether it is stored or still in the outbox. */
export type ShownLine = Pick<Line, "id" | "sheet" | "line" | "voterId" | "enteredBy" | "mine" | "enteredAt"> & {
  /** Who it is, `Smith, Ada`; empty if no one knows. */
  name: string;
  /** A typed line has yet to be looked up; a refused one needs a decision. */
  state: Verdict | "typed" | "refused";
  /** The state in words: `duplicate of sheet 3, line 9`. */
  words: string;
  stored: boolean;
};

/** The lines of a sheet by their numbers; one that is missing is empty. */
export type LinesByNumber = ReadonlyMap<number, ShownLine>;

/** An item that this page has sent, and its outcome. */
export type SentItem = { item: OutboxItem; outcome: Outcome };

type Known = { items: readonly OutboxItem[]; sent: readonly SentItem[] };

/**
 * The clerk's last lines, newest first and each once: from the outbox, sent by this page, and stored before. Those that
 * they took back are in `undone`; refused and typed ones are in neither.
 */
export function ownLines({
  items,
  sent,
  state,
  format,
}: Known & { state: Pick<EntryState, "lines">; format: Format }): { live: ShownLine[]; undone: ShownLine[] } {
  const lines = new Map<string, ShownLine>();
  const gone = undoneIds({ items, sent });
  for (const line of state.lines) {
    if (line.removedAt !== null) gone.add(line.id);
    lines.set(line.id, storedLine(line));
  }
  for (const { item, outcome } of sent) {
    if (!isLine(item)) continue;
    if (outcome.outcome === "stored" && outcome.verdict === undefined) gone.add(item.id);
    const known = lines.get(item.id); // it may have been moved since
    const place = known && { sheet: known.sheet, line: known.line };
    lines.set(item.id, { ...itemLine(item), ...duplicateOf(outcome, format), ...place, stored: true });
  }
  for (const item of items) {
    if (isLine(item) && item.refused === null && !lines.has(item.id)) lines.set(item.id, itemLine(item));
  }
  const all = [...lines.values()].sort((a, b) => b.enteredAt.localeCompare(a.enteredAt) || a.id.localeCompare(b.id));
  return { live: all.filter(({ id }) => !gone.has(id)), undone: all.filter(({ id }) => gone.has(id)) };
}

/** The lines of a sheet: stored by anyone, and on this device, which shows where both are. */
export function linesOfSheet(
  number: number,
  { sheet, own, items, sent }: Known & { sheet: SheetAtHand | null; own: readonly ShownLine[] },
): LinesByNumber {
  const gone = undoneIds({ items, sent });
  const lines = new Map<number, ShownLine>();
  for (const line of sheet?.number === number ? sheet.entered : []) {
    if (!gone.has(line.id)) lines.set(line.line, storedLine(line));
  }
  for (const line of own) {
    if (line.sheet === number && line.line !== null) lines.set(line.line, line);
  }
  for (const item of items) {
    const { change, refused } = item;
    if ((change.kind !== "line" && change.kind !== "typed") || change.sheet !== number) continue;
    if (change.kind === "typed") {
      const name = nameText(change);
      lines.set(change.line, { ...shown(item, change), name, state: "typed", words: "needs lookup" });
    } else if (refused !== null) {
      const words = refused.why === "line-taken" ? "line already used" : "not saved";
      lines.set(change.line, { ...shown(item, change), name: change.name ?? "", state: "refused", words });
    }
  }
  return lines;
}

/** The lines that the clerk took back, whether Signet knows it yet or not. */
function undoneIds({ items, sent }: Known): Set<string> {
  const undos = [...items, ...sent.map(({ item }) => item)];
  return new Set(
    undos.flatMap(({ change, refused }) => (change.kind === "undo" && refused === null ? [change.of] : [])),
  );
}

function storedLine(line: Line): ShownLine {
  const { id, sheet, line: number, voterId, enteredBy, mine, enteredAt, verdict, note } = line;
  const name = nameText(line) || (verdict !== "other" && note) || "";
  const words = verdictWords[verdict];
  return { id, sheet, line: number, voterId, enteredBy, mine, enteredAt, name, state: verdict, words, stored: true };
}

const shown = ({ id, at: enteredAt }: OutboxItem, { sheet, line }: OutboxLine | TypedLine) => {
  return { id, sheet, line, voterId: null, enteredBy: null, mine: true, enteredAt, stored: false };
};

function itemLine(item: LineItem): ShownLine {
  const { name, verdict, voterId } = item.change;
  return { ...shown(item, item.change), voterId, name: name ?? "", state: verdict, words: verdictWords[verdict] };
}

function duplicateOf(outcome: Outcome, format: Format): Pick<ShownLine, "state" | "words"> | null {
  if (outcome.outcome !== "duplicate") return null;
  const { of } = outcome;
  if (!of) return { state: "duplicate", words: verdictWords.duplicate };
  const isOnSheet = of.ownTeam && of.sheet !== undefined;
  return {
    state: "duplicate",
    words: isOnSheet ? `duplicate of ${placeText(of)}` : `duplicate · ${signedAtText(of, format)}`,
  };
}

/** Who has signed according to the server, with this clerk's lines that it may not know yet. */
export function withOwnLines(
  served: SignedMarks,
  { live, undone }: { live: readonly ShownLine[]; undone: readonly ShownLine[] },
): SignedMarks {
  const marks = new Map(served);
  for (const { voterId, sheet, line } of undone) {
    const mark = voterId === null ? undefined : marks.get(voterId);
    const isThere = mark?.state === "signed" && mark.at?.ownTeam && mark.at.sheet === sheet && mark.at.line === line;
    if (voterId !== null && isThere) marks.set(voterId, { state: "not-signed" });
  }
  for (const { voterId, state, enteredAt, ...place } of live) {
    if (voterId === null || state !== "accepted") continue;
    const [sheet, line] = [place.sheet ?? undefined, place.line ?? undefined];
    marks.set(voterId, { state: "signed", at: { ownTeam: true, enteredAt, enteredBy: "you", sheet, line } });
  }
  return marks;
}

/** What was entered on a line that this page knows, wherever it is; null for others, and for those saved as typed. */
export function enteredLine(
  id: string,
  { items, sent, state }: Known & { state: Pick<EntryState, "lines" | "sheet"> },
): OutboxLine | null {
  const item = [...items, ...sent.map(({ item }) => item)].find((one) => one.id === id);
  if (item && isLine(item)) return item.change;
  const line = [...(state.sheet?.entered ?? []), ...state.lines].find((one) => one.id === id);
  if (line?.sheet == null || line.line === null) return null;
  const { id: _id, enteredBy: _by, mine: _mine, enteredAt: _at, removedAt: _removed, ...rest } = line;
  return { ...rest, kind: "line", sheet: line.sheet, line: line.line, name: nameText(line) || line.note };
}

/** The lines as they would be if one were taken back. */
export const without = ({ live, undone }: { live: ShownLine[]; undone: ShownLine[] }, id: string | null) => ({
  live: live.filter((line) => line.id !== id),
  undone: [...undone, ...live.filter((line) => line.id === id)],
});

/** The numbers from 1 to `count` that are empty. */
export function emptyLines(isEmpty: (line: number) => boolean, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1).filter(isEmpty);
}

/** The next empty line after `line`, otherwise the first empty one before it; null when the sheet is full. */
export function nextEmptyLine(isEmpty: (line: number) => boolean, count: number, line: number): number | null {
  const empty = emptyLines(isEmpty, count);
  return empty.find((one) => one > line) ?? empty.at(0) ?? null;
}

/** The summary of a sheet before it is closed: lines by verdict, how many need attention here, and which are empty. */
export function closingReport(lines: LinesByNumber, count: number) {
  const counts = new Map<Verdict, number>();
  let open = 0;
  for (const { state } of lines.values()) {
    if (state === "typed" || state === "refused") open += 1;
    else counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return { counts, open, gaps: emptyLines((line) => !lines.has(line), count) };
}
