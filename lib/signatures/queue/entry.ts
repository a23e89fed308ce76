import type * as z from "zod/mini";
import { type CsvValue, csv } from "@/lib/format/csv";
import type { entrySchema } from "@/lib/signatures/queue/read-entry";

/** Something that a clerk did and that Signet has not acknowledged yet. */
export type Entry = z.infer<typeof entrySchema>;
export type What = Entry["what"];

/** Why an entry can never be stored as it is: the code, a sentence for the clerk, and what stands on its line, if it is taken. */
export type EntryRefusal = NonNullable<Entry["refused"]>;

/** A line on paper: a signature, or why it is none. */
export type LineWhat = Extract<What, { kind: "signature" | "rejected" }>;
export type LineEntry = Entry & { what: LineWhat };

export type SendableEntry = Entry & { what: Exclude<What, { kind: "typed" | "unreadable" }> };

/** What Signet is to be told, as far as it did not refuse it. */
export const isSendable = (entry: Entry): entry is SendableEntry =>
  entry.refused === null && entry.what.kind !== "typed" && entry.what.kind !== "unreadable";

export const isLine = (entry: Entry): entry is LineEntry =>
  entry.what.kind === "signature" || entry.what.kind === "rejected";

const columns = [
  ...[
    "sheet",
    "line",
    "verdict",
    "voterId",
    "lastName",
    "firstName",
    "houseNumber",
    "address",
    "city",
    "county",
    "zip",
  ],
  ...["signedOn", "name", "note", "circulator", "collectedOn", "signatureCount", "of", "text"],
];

/**
 * What is kept on a device as a CSV file, such as the lines that were refused: what was done and when (ISO 8601), what it
 * says, and why it is refused. No cell is taken for a formula by a spreadsheet.
 */
export function entriesCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ id, at, what, refused }) => {
    const texts = new Map<string, unknown>(Object.entries({ ...what, ...("paper" in what && what.paper) }));
    return [id, at, what.kind, ...columns.map((name) => cell(texts.get(name))), refused?.error ?? null];
  });
  return csv([["id", "at", "kind", ...columns, "refused"], ...rows]);
}

const cell = (value: unknown): CsvValue => (typeof value === "string" || typeof value === "number" ? value : null);
