import type { SentItem } from "@/lib/signatures/entry/shown-lines";
import type { Line } from "@/lib/signatures/line";
import type { Change, OutboxItem, OutboxLine } from "@/lib/signatures/outbox/outbox";
import type { Outcome } from "@/lib/signatures/outbox/send";
import type { RegisterLine } from "@/lib/signatures/register/register";
import type { CurrentSheet, EntryState } from "@/lib/signatures/responses";

export const at = (minute: number) => `2026-11-03T12:${String(minute).padStart(2, "0")}:00.000Z`;

/** The fields of a line without a voter. */
export const noVoter = {
  voterId: null,
  firstName: null,
  lastName: null,
  address: null,
  city: null,
  county: null,
  zip: null,
};

/** A line of the register: illegible, on sheet 12. */
export const registerLine: RegisterLine = {
  id: "1",
  sheet: 12,
  line: 4,
  verdict: "illegible",
  ...noVoter,
  lastName: "Lee",
  signedOn: null,
  note: null,
  circulator: null,
  first: null,
  enteredAt: "2026-11-04T07:30:00.000Z",
  enteredBy: null,
  removedAt: null,
  removedBecause: null,
  isCorrected: false,
};

/** A stored line of sheet 12, entered in the minute of its number. */
export const storedLine = (number: number, given: Partial<Line> = {}): Line => ({
  id: `line-${number}`,
  sheet: 12,
  line: number,
  verdict: "accepted",
  voterId: `WA-${number}`,
  firstName: "Ada",
  lastName: "Smith",
  address: null,
  city: "Kent",
  county: null,
  zip: "98030",
  signedOn: null,
  note: null,
  enteredBy: "Rosa",
  mine: true,
  enteredAt: at(number),
  removedAt: null,
  ...given,
});

export const stateOf = (lines: Line[], given: Partial<EntryState> = {}): EntryState => ({
  at: at(30),
  timeZone: "UTC",
  today: "2026-11-03",
  goal: 50_000,
  startsOn: null,
  endsOn: null,
  linesPerSheet: 20,
  districts: null,
  campaign: { accepted: 100 },
  sheets: [],
  nextSheet: 13,
  sheet: null,
  lines,
  mine: { accepted: lines.length, duplicates: 0, rejected: 0, lastHour: lines.length, lastHourSince: at(0) },
  ...given,
});

/** A stored sheet, whose lines are by default entered by someone else. */
export const sheetOf = (entered: Partial<CurrentSheet["entered"][number]>[], number = 12): CurrentSheet => ({
  number,
  circulator: null,
  collectedOn: null,
  signatureCount: null,
  openedBy: "Rosa",
  mine: true,
  openedAt: at(0),
  closedAt: null,
  lines: entered.length,
  nextLine: 1,
  clerks: [],
  entered: entered.map((line, index) => ({
    ...storedLine(index + 1, { sheet: number, enteredBy: "Jun Park", mine: false, ...line }),
    line: line.line ?? index + 1,
  })),
});

export const signature = (line: number, sheet = 12): OutboxLine => ({
  kind: "line",
  verdict: "accepted",
  voterId: `WA-${line}`,
  firstName: "Ben",
  lastName: "Okafor",
  address: "31 Hill St",
  city: "Kent",
  county: "King",
  zip: "98030",
  sheet,
  line,
  signedOn: null,
  name: "Okafor, Ben",
  note: null,
});
export const rejected = (
  line: number,
  verdict: OutboxLine["verdict"],
  given: { name?: string; note?: string } = {},
): OutboxLine => ({
  kind: "line",
  verdict,
  ...noVoter,
  sheet: 12,
  line,
  signedOn: null,
  name: null,
  note: null,
  ...given,
});
export const typed = (line: number, sheet = 12): Change => ({
  kind: "typed",
  lastName: "oka",
  firstName: "b",
  houseNumber: "31",
  sheet,
  line,
  signedOn: null,
});

/** A pending change on the device, made in the minute of its number. */
export const itemOf = (
  number: number,
  change: Change = signature(number),
  given: Partial<OutboxItem> = {},
): OutboxItem => ({
  id: `line-${number}`,
  order: number,
  at: at(number),
  refused: null,
  change,
  ...given,
});
export const undoOf = (of: number, number: number, given: Partial<OutboxItem> = {}): OutboxItem =>
  itemOf(number, { kind: "undo", of: `line-${of}` }, { id: `undo-${of}`, ...given });

const accepted: Outcome = { outcome: "stored", verdict: "accepted" };
export const sentAs = (number: number, outcome: Outcome = accepted, change?: Change): SentItem => ({
  item: itemOf(number, change),
  outcome,
});
export const refusal = { reason: "not-allowed", error: "Not any more." } as const;
