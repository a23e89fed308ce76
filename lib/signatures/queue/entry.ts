import type * as z from "zod/mini";
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
