import { type Entry, isLine, type LineWhat } from "@/components/signatures/entry";
import type { Outcome } from "@/components/signatures/send-entries";
import { signedAtText } from "@/components/voters/signed-mark";
import type { Format } from "@/lib/format/format-of";
import type { EntryState, StoredLine } from "@/lib/signatures/answers";
import { type Verdict, verdictWords } from "@/lib/signatures/verdicts";

/** How a line stands: on its way, kept until the connection is back, or what came of it. */
export type LineState = "sending" | "typed" | "waiting" | "refused" | "accepted" | "duplicate" | "rejected" | "undone";

/** A line of the list, as a person reads it. */
export type ShownLine = {
  id: string;
  sheet: number | null;
  line: number | null;
  name: string;
  /** What tells namesakes apart, or the clerk's note. */
  detail: string;
  state: LineState;
  /** The state in words: `duplicate of sheet 3, line 9`. */
  words: string;
  /** ISO 8601: when it was keyed. */
  at: string;
  voterId: string | null;
  /** Whether it is a signature, and not a line with a verdict. */
  signature: boolean;
  /** There while it has not left the device. */
  entry: Entry | null;
};

/** An entry that this page has sent, with what came of it. */
export type Settled = { entry: Entry; outcome: Outcome };

const joined = (parts: (string | false | null | undefined)[], by: string) => parts.filter(Boolean).join(by);

/**
 * The lines of a clerk, the newest first: what waits on this device, what this page has sent, and what was stored before;
 * each line once, and one that was taken back as undone.
 */
export function shownLines({
  entries,
  settled,
  state,
  waiting,
  format,
}: {
  entries: readonly Entry[];
  settled: readonly Settled[];
  state: EntryState;
  waiting: boolean;
  format: Format;
}): ShownLine[] {
  const undone = undoneIds(entries, settled);
  const lines = new Map<string, ShownLine>();
  for (const line of state.lines) lines.set(line.id, storedLine(line));
  for (const { entry, outcome } of settled) {
    if (!isLine(entry)) continue;
    const stored = lines.get(entry.id);
    // The page knows the names of a line that did not count, and what it is a duplicate of.
    lines.set(entry.id, {
      ...ofEntry(entry, entry.what),
      ...ofOutcome(outcome, entry.what, format),
      entry: null,
    });
    if (stored?.state === "undone") undone.add(entry.id);
  }
  for (const entry of entries) {
    if (!isLine(entry) && entry.refused !== null) lines.set(entry.id, refusedWork(entry, entry.refused, lines));
    if (entry.what.kind === "typed") lines.set(entry.id, typedLine(entry, entry.what));
    if (!isLine(entry) || lines.has(entry.id)) continue;
    const standing = entry.refused === null ? (waiting ? "waiting" : "sending") : "refused";
    lines.set(entry.id, {
      ...ofEntry(entry, entry.what),
      state: standing,
      words: entry.refused ?? standingWords[standing],
      entry,
    });
  }
  return [...lines.values()]
    .map((line) =>
      undone.has(line.id) && line.state !== "refused" ? { ...line, state: "undone" as const, words: "undone" } : line,
    )
    .sort((a, b) => b.at.localeCompare(a.at) || a.id.localeCompare(b.id));
}

const standingWords = { waiting: "waits", sending: "sending", refused: "" } as const;

/** The lines that the clerk took back, whether Signet knows it already or not. */
function undoneIds(entries: readonly Entry[], settled: readonly Settled[]): Set<string> {
  return new Set(
    [...entries, ...settled.map(({ entry }) => entry)].flatMap(({ what, refused }) =>
      what.kind === "undo" && refused === null ? [what.of] : [],
    ),
  );
}

function ofEntry({ id, at }: Entry, what: LineWhat) {
  const signature = what.kind === "signature";
  return {
    id,
    sheet: what.sheet,
    line: what.line,
    name: signature ? nameText(what) : (what.name ?? ""),
    detail: signature ? joined([what.address, what.city], ", ") : (what.note ?? ""),
    at,
    voterId: what.voterId,
    signature,
    entry: null as Entry | null,
  };
}

function ofOutcome(outcome: Outcome, what: LineWhat, format: Format): Pick<ShownLine, "state" | "words"> {
  if (outcome.outcome === "removed") return { state: "undone", words: "undone" };
  if (outcome.outcome === "duplicate") return { state: "duplicate", words: duplicateWords(outcome, format) };
  return ofVerdict(what.kind === "signature" ? "accepted" : what.verdict);
}

function duplicateWords({ of }: Extract<Outcome, { outcome: "duplicate" }>, format: Format) {
  if (!of) return "duplicate";
  if (of.ownTeam && of.sheet !== undefined) {
    return joined([`duplicate of sheet ${of.sheet}`, of.line !== undefined && `line ${of.line}`], ", ");
  }
  return `duplicate · ${signedAtText(of, format)}`;
}

const ofVerdict = (verdict: Verdict): Pick<ShownLine, "state" | "words"> => ({
  state: verdict === "accepted" || verdict === "duplicate" ? verdict : "rejected",
  words: verdictWords[verdict],
});

/** A line as it is stored. */
export function storedLine(line: StoredLine): ShownLine {
  const removed = line.removedAt !== null;
  return {
    id: line.id,
    sheet: line.sheet,
    line: line.line,
    // Of a line that is no signature the note says who it was; of another reason, which one.
    name: nameText(line) || (line.verdict !== "other" && line.note) || (line.voterId ? `Voter ${line.voterId}` : ""),
    detail: (line.verdict === "other" && line.note) || joined([line.city, line.zip], " "),
    at: line.enteredAt,
    voterId: line.voterId,
    signature: line.verdict === "accepted",
    entry: null,
    ...ofVerdict(line.verdict),
    ...(removed && { state: "undone" as const, words: "undone" }),
  };
}

function typedLine(entry: Entry, what: Extract<Entry["what"], { kind: "typed" }>): ShownLine {
  const shared = { sheet: what.sheet, line: what.line, voterId: null, signature: false, at: entry.at, entry };
  const words = { state: "typed" as const, words: "to be looked up" };
  return {
    id: entry.id,
    name: nameText(what),
    detail: what.houseNumber && `no. ${what.houseNumber}`,
    ...words,
    ...shared,
  };
}

/** Something else than a line that can never be done: an undo, work on a sheet, or what nobody can read any more. */
function refusedWork(entry: Entry, words: string, lines: ReadonlyMap<string, ShownLine>): ShownLine {
  const { what, id, at } = entry;
  const of = what.kind === "undo" ? lines.get(what.of) : undefined;
  const sheet = "sheet" in what ? what.sheet : (of?.sheet ?? null);
  const shared = {
    id,
    sheet,
    line: of?.line ?? null,
    detail: "",
    state: "refused" as const,
    words,
    at,
    voterId: null,
    signature: false,
    entry,
  };
  switch (what.kind) {
    case "undo":
      return { ...shared, name: `Undo ${of?.name ?? "a line"}` };
    case "open-sheet":
      return { ...shared, name: `Start sheet ${what.sheet}` };
    case "close-sheet":
      return { ...shared, name: `Close sheet ${what.sheet}` };
    default:
      return { ...shared, name: "A line kept on this device" };
  }
}

const nameText = ({ lastName, firstName }: { lastName: string | null; firstName: string | null }) =>
  joined([lastName, firstName], ", ");
