import type { EntryState, SheetAtHand, StoredLine } from "@/lib/signatures/answers";
import type { Settled } from "@/lib/signatures/entry/own-lines";
import type { Entry, What } from "@/lib/signatures/queue/entry";
import type { Outcome } from "@/lib/signatures/queue/send";

export const at = (minute: number) => `2026-11-03T12:${String(minute).padStart(2, "0")}:00.000Z`;

/** A line of sheet 12 as Signet has it, keyed in the minute of its number. */
export const storedLine = (number: number, given: Partial<StoredLine> = {}): StoredLine => ({
  ...{ id: `line-${number}`, verdict: "accepted", voterId: `WA-${number}`, firstName: "Ada", lastName: "Smith" },
  ...{ city: "Kent", zip: "98030", sheet: 12, line: number, note: null, enteredAt: at(number), removedAt: null },
  ...given,
});

export const stateOf = (lines: StoredLine[], given: Partial<EntryState> = {}): EntryState => ({
  ...{ at: at(30), timeZone: "UTC", today: "2026-11-03", goal: 50_000, startsOn: null, endsOn: null },
  ...{ linesPerSheet: 20, campaign: { accepted: 100 }, sheets: [], sheet: null, lines },
  mine: { accepted: lines.length, duplicates: 0, rejected: 0, lastHour: lines.length, lastHourSince: at(0) },
  ...given,
});

/** A sheet as Signet has it; its lines are keyed by somebody else unless told. */
export const sheetOf = (keyed: Partial<SheetAtHand["keyed"][number]>[], number = 12): SheetAtHand => ({
  ...{ number, circulator: null, collectedOn: null, signatureCount: null, openedBy: "Rosa", mine: true },
  ...{ openedAt: at(0), closedAt: null, lines: keyed.length, nextLine: 1, clerks: [] },
  keyed: keyed.map((line, index) => ({
    ...{ id: `line-${index + 1}`, line: index + 1, verdict: "accepted", voterId: `WA-${index + 1}` },
    ...{ firstName: "Ada", lastName: "Smith", city: null, zip: null, note: null, signedOn: null },
    ...{ enteredBy: "Jun Park", mine: false, enteredAt: at(index + 1) },
    ...line,
  })),
});

export const signature = (line: number, sheet = 12): What => ({
  ...{ kind: "signature", voterId: `WA-${line}`, firstName: "Ben", lastName: "Okafor", address: "31 Hill St" },
  ...{ city: "Kent", county: "King", zip: "98030", sheet, line, signedOn: null },
});
export const rejected = (
  line: number,
  verdict: Extract<What, { kind: "rejected" }>["verdict"],
  given: { name?: string; note?: string } = {},
): What => ({
  ...{ kind: "rejected", verdict, voterId: null, name: null, note: null, sheet: 12, line, signedOn: null },
  ...given,
});
export const typed = (line: number, sheet = 12): What => ({
  ...{ kind: "typed", lastName: "oka", firstName: "b", houseNumber: "31", sheet, line, signedOn: null },
});

/** What waits on the device, done in the minute of its number. */
export const entryOf = (number: number, what: What = signature(number), given: Partial<Entry> = {}): Entry => ({
  ...{ id: `line-${number}`, order: number, at: at(number), refused: null, what },
  ...given,
});
export const undoOf = (of: number, number: number, given: Partial<Entry> = {}): Entry =>
  entryOf(number, { kind: "undo", of: `line-${of}` }, { id: `undo-${of}`, ...given });

const accepted: Outcome = { outcome: "stored", verdict: "accepted" };
export const settledAs = (number: number, outcome: Outcome = accepted, what?: What): Settled => ({
  entry: entryOf(number, what),
  outcome,
});
export const refusal = { why: "not-allowed", error: "Not any more." } as const;
