import type * as z from "zod/mini";
import type { entrySchema } from "@/components/signatures/read-entry";

/** Something that a clerk did and that Signet has not acknowledged yet. */
export type Entry = z.infer<typeof entrySchema>;
export type What = Entry["what"];

/** A line on paper: a signature, or why it is none. */
export type LineWhat = Extract<What, { kind: "signature" | "rejected" }>;
export type LineEntry = Entry & { what: LineWhat };

/** What Signet is to be told, as far as it did not refuse it. */
export const isSendable = ({ refused, what }: Entry) => refused === null && what.kind !== "typed";

export const isLine = (entry: Entry): entry is LineEntry =>
  entry.what.kind === "signature" || entry.what.kind === "rejected";
