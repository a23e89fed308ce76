import type { Format } from "@/lib/format/format-of";
import type { Line, Sheet } from "@/lib/signatures/line";
import { nameText, placeText, signerText } from "@/lib/signatures/line-text";
import {
  isLine,
  type LineItem,
  type OutboxItem,
  type OutboxLine,
  type TypedLine,
} from "@/lib/signatures/outbox/outbox";
import type { Outcome } from "@/lib/signatures/outbox/send";
import type { CurrentSheet, EntryState } from "@/lib/signatures/responses";
import { type SignedMarks, signedAtText } from "@/lib/signatures/signed-mark";
import { type Verdict, verdictText, verdictWords } from "@/lib/signatures/verdicts";

/** A line as the entry screen shows it, whether it is stored or still in the outbox. */
export type ShownLine = Pick<Line, "id" | "sheet" | "line" | "voterId" | "enteredBy" | "mine" | "enteredAt"> & {
  /** The signer, such as `Smith, Ada`; empty if unknown. */
  name: string;
  /** A typed line has yet to be looked up; a refused one needs a decision. */
  state: Verdict | "typed" | "refused";
  /** The state in words: `duplicate of sheet 3, line 9`. */
  stateText: string;
  stored: boolean;
};

/** The lines of a sheet by their numbers; one that is missing is empty. */
export type LinesByNumber = ReadonlyMap<number, ShownLine>;

/** An item that this page has sent, and its outcome. */
export type SentItem = { item: OutboxItem; outcome: Outcome };

type LocalChanges = { items: readonly OutboxItem[]; sent: readonly SentItem[] };

/**
 * The clerk's last lines, newest first and each once: from the outbox, sent by this page, and stored before. Those that
 * they undid are in `undone`; refused and typed ones are in neither.
 */
export function ownLines({
  items,
  sent,
  state,
  format,
}: LocalChanges & { state: Pick<EntryState, "lines">; format: Format }): { live: ShownLine[]; undone: ShownLine[] } {
  const lines = new Map<string, ShownLine>();
  const removedIds = undoneIds({ items, sent }, state.lines);
  for (const line of state.lines) lines.set(line.id, storedLine(line));
  for (const { item, outcome } of sent) {
    if (!isLine(item)) continue;
    if (outcome.outcome === "stored" && outcome.verdict === undefined) removedIds.add(item.id);
    const savedLine = lines.get(item.id); // it may have been moved since
    const place = savedLine && { sheet: savedLine.sheet, line: savedLine.line };
    lines.set(item.id, { ...lineFromOutbox(item), ...duplicateState(outcome, format), ...place, stored: true });
  }
  for (const item of items) {
    if (isLine(item) && item.refused === null && !lines.has(item.id)) lines.set(item.id, lineFromOutbox(item));
  }
  const all = [...lines.values()].sort((a, b) => b.enteredAt.localeCompare(a.enteredAt) || a.id.localeCompare(b.id));
  return { live: all.filter(({ id }) => !removedIds.has(id)), undone: all.filter(({ id }) => removedIds.has(id)) };
}

/**
 * The lines of a sheet. Sent and unsent lines on this device win over stored ones; one that is to be looked up or was refused
 * is shown only where no other line is.
 */
export function linesOfSheet(
  number: number,
  { sheet, own, items, sent }: LocalChanges & { sheet: CurrentSheet | null; own: readonly ShownLine[] },
): LinesByNumber {
  const removedIds = undoneIds({ items, sent });
  const lines = new Map<number, ShownLine>();
  for (const line of sheet?.number === number ? sheet.entered : []) {
    if (!removedIds.has(line.id)) lines.set(line.line, storedLine(line));
  }
  for (const line of own) {
    if (line.sheet === number && line.line !== null) lines.set(line.line, line);
  }
  for (const item of items) {
    const { change, refused } = item;
    if (!("line" in change) || change.sheet !== number || lines.has(change.line)) continue;
    const line = baseLine(item, change);
    if (change.kind === "typed") {
      const name = nameText(change);
      lines.set(change.line, { ...line, name, state: "typed", stateText: "needs a lookup" });
    } else if (refused !== null) {
      const stateText = refused.reason === "line-taken" ? "line already used" : "not saved";
      lines.set(change.line, { ...line, name: change.name ?? "", state: "refused", stateText });
    }
  }
  return lines;
}

/** The removed lines: those stored as removed, with what the clerk has undone and restored since. */
function undoneIds({ items, sent }: LocalChanges, stored: readonly Line[] = []): Set<string> {
  const ids = new Set(stored.flatMap(({ id, removedAt }) => (removedAt === null ? [] : id)));
  for (const { change, refused } of [...sent.map(({ item }) => item), ...items]) {
    if (refused === null && change.kind === "undo") ids.add(change.of);
    if (refused === null && change.kind === "restore") ids.delete(change.of);
  }
  return ids;
}

function storedLine(stored: Line): ShownLine {
  const { id, sheet, line, voterId, enteredBy, mine, enteredAt, verdict: state, note } = stored;
  const name = signerText(stored) || (state !== "other" && note) || "";
  const texts = { name, state, stateText: verdictText(stored) };
  return { id, sheet, line, voterId, enteredBy, mine, enteredAt, ...texts, stored: true };
}

const baseLine = ({ id, at: enteredAt }: OutboxItem, { sheet, line }: OutboxLine | TypedLine) => {
  return { id, sheet, line, voterId: null, enteredBy: null, mine: true, enteredAt, stored: false };
};

function lineFromOutbox(item: LineItem): ShownLine {
  const { name, verdict: state, voterId } = item.change;
  const stateText = verdictText(item.change);
  return { ...baseLine(item, item.change), voterId, name: name ?? "", state, stateText };
}

function duplicateState(outcome: Outcome, format: Format): Pick<ShownLine, "state" | "stateText"> | null {
  if (outcome.outcome !== "duplicate") return null;
  const { of: original } = outcome;
  if (!original) return { state: "duplicate", stateText: verdictWords.duplicate };
  const isOnSheet = original.ownTeam && original.sheet !== undefined;
  return {
    state: "duplicate",
    stateText: isOnSheet ? `duplicate of ${placeText(original)}` : `duplicate · ${signedAtText(original, format)}`,
  };
}

/** Who has signed according to the server, updated with lines of this clerk that the server may not have yet. */
export function withOwnLines(
  serverMarks: SignedMarks,
  { live, undone }: { live: readonly ShownLine[]; undone: readonly ShownLine[] },
): SignedMarks {
  const marks = new Map(serverMarks);
  for (const { voterId, sheet, line } of undone) {
    const mark = voterId === null ? undefined : marks.get(voterId);
    const isSameLine = mark?.state === "signed" && mark.at?.ownTeam && mark.at.sheet === sheet && mark.at.line === line;
    if (voterId !== null && isSameLine) marks.set(voterId, { state: "not-signed" });
  }
  for (const { voterId, state, enteredAt, ...place } of live) {
    if (voterId === null || state !== "accepted") continue;
    const [sheet, line] = [place.sheet ?? undefined, place.line ?? undefined];
    marks.set(voterId, { state: "signed", at: { ownTeam: true, enteredAt, enteredBy: "you", sheet, line } });
  }
  return marks;
}

/** What was entered on a line; null if it isn't loaded, or if it is to be looked up. */
export function enteredLine(
  id: string,
  { items, sent, state }: LocalChanges & { state: Pick<EntryState, "lines" | "sheet"> },
): OutboxLine | null {
  const item = [...items, ...sent.map(({ item }) => item)].find((one) => one.id === id);
  if (item && isLine(item)) return item.change;
  const line = [...(state.sheet?.entered ?? []), ...state.lines].find((one) => one.id === id);
  if (line?.sheet == null || line.line === null) return null;
  const { id: _id, enteredBy: _by, mine: _mine, enteredAt: _at, removedAt: _removed, ...rest } = line;
  return { ...rest, kind: "line", sheet: line.sheet, line: line.line, name: signerText(line) || line.note };
}

/** The lines as they would be if one were undone. */
export const withLineUndone = ({ live, undone }: { live: ShownLine[]; undone: ShownLine[] }, id: string | null) => ({
  live: live.filter((line) => line.id !== id),
  undone: [...undone, ...live.filter((line) => line.id === id)],
});

/** Who entered how many lines of a sheet, with the clerk's own as they are on this device; `replaced` is being corrected. */
export function withOwnCount(
  clerks: Sheet["clerks"],
  lines: StatesByNumber<"mine">,
  replaced: Pick<OutboxLine, "verdict"> | null,
): Sheet["clerks"] {
  const states = [...lines.values()].filter(({ mine }) => mine).map(({ state }) => state);
  const own = [...states, ...(replaced ? [replaced.verdict] : [])].filter(
    (state) => state !== "blank" && state !== "typed" && state !== "refused",
  );
  const others = clerks.filter(({ mine }) => !mine);
  const all = own.length === 0 ? others : [{ name: null, mine: true, lines: own.length }, ...others];
  return all.toSorted((a, b) => b.lines - a.lines);
}

/** The numbers from 1 to `count` that are empty. */
export function emptyLines(isEmpty: (line: number) => boolean, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1).filter(isEmpty);
}

/** The next empty line after `line`, otherwise the first empty one before it; null when the sheet is full. */
export function nextEmptyLine(isEmpty: (line: number) => boolean, count: number, line: number): number | null {
  const empty = emptyLines(isEmpty, count);
  return empty.find((one) => one > line) ?? empty.at(0) ?? null;
}

/** Where to resume a sheet: the first line that is empty, here too; null if all are entered. */
export function lineToResume(
  { number, nextLine, lines, signatureCount }: Pick<Sheet, "number" | "nextLine" | "lines" | "signatureCount">,
  { own, linesPerSheet }: { own: readonly ShownLine[]; linesPerSheet: number },
): number | null {
  const ownNumbers = new Set(own.filter(({ sheet }) => sheet === number).map(({ line }) => line));
  let line = nextLine;
  while (ownNumbers.has(line)) line += 1;
  const isFull = signatureCount === null ? line > linesPerSheet : line > signatureCount && lines >= signatureCount;
  return isFull ? null : line;
}

type StatesByNumber<More extends keyof ShownLine = never> = ReadonlyMap<number, Pick<ShownLine, "state" | More>>;

/** How many lines a sheet should have: its signatures and the blank lines among them, up to the lines on the paper. */
export function expectedLines(
  signatureCount: number | null | undefined,
  { lines, linesPerSheet }: { lines: StatesByNumber; linesPerSheet: number },
): number {
  if (signatureCount == null) return linesPerSheet;
  const blankCount = [...lines.values()].filter(({ state }) => state === "blank").length;
  return Math.max(signatureCount, Math.min(signatureCount + blankCount, linesPerSheet));
}

/** The summary of a sheet before it is closed: lines by verdict, and which are empty. */
export function closingReport(lines: StatesByNumber, count: number) {
  const counts = new Map<Verdict, number>();
  for (const { state } of lines.values()) {
    if (state !== "typed" && state !== "refused") counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const gaps = emptyLines((line) => !lines.has(line), count);
  const blank = counts.get("blank") ?? 0;
  const signatureCount = [...counts.values()].reduce((sum, of) => sum + of, 0) - blank;
  return { counts, gaps, lines: signatureCount, blank, expected: count };
}
