import * as z from "zod/mini";
import { refusalReasons } from "@/lib/signatures/answers";
import { lineSchema } from "@/lib/signatures/line";
import { rejections } from "@/lib/signatures/verdicts";

const text = z.nullable(z.string());
const number = z.int().check(z.positive());

const whatSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("signature"),
    voterId: z.string(),
    firstName: text,
    lastName: text,
    /** House number and street. */
    address: text,
    city: text,
    county: text,
    zip: text,
    sheet: number,
    line: number,
    /** YYYY-MM-DD, or null where the paper gives none. */
    signedOn: text,
  }),
  z.object({
    kind: z.literal("rejected"),
    verdict: z.enum([...rejections, "blank"]),
    voterId: text,
    /** What was typed or who was marked, for the eye alone. */
    name: text,
    note: text,
    sheet: number,
    line: number,
    signedOn: z.optional(text), // not kept by earlier pages
  }),
  /** Keyed while nobody could be looked up: kept as it was typed, for the clerk to look up later. Never sent. */
  z.object({
    kind: z.literal("typed"),
    lastName: z.string(),
    firstName: z.string(),
    houseNumber: z.string(),
    sheet: number,
    line: number,
    signedOn: text,
  }),
  /** Takes the line `of` back. */
  z.object({ kind: z.literal("undo"), of: z.string() }),
  z.object({
    kind: z.literal("open-sheet"),
    sheet: number,
    /** What is written on it beside its lines, as far as it was typed. */
    paper: z.optional(
      z.object({
        circulator: z.optional(text),
        /** YYYY-MM-DD. */
        collectedOn: z.optional(text),
        /** How many signatures it bears, keyed or not. */
        signatureCount: z.optional(z.nullable(z.int().check(z.nonnegative()))),
      }),
    ),
  }),
  z.object({ kind: z.literal("close-sheet"), sheet: number }),
  /** Kept by a version of Signet that wrote something else. */
  z.object({ kind: z.literal("unreadable"), text: z.string() }),
]);

const refusalSchema = z.object({
  why: z.enum(["line-taken", ...refusalReasons]),
  /** A sentence. */
  error: z.string(),
  /** What stands on the line; what another version kept of it is not worth the entry. */
  taken: z.catch(z.optional(lineSchema), undefined),
});

// Earlier pages kept the sentence alone.
const keptRefusalSchema = z.union([
  refusalSchema,
  z.pipe(
    z.string(),
    z.transform((error): z.infer<typeof refusalSchema> => ({ why: "invalid", error })),
  ),
]);

/** How an entry is kept in the browser. */
export const entrySchema = z.object({
  /** Of a line: its own id for good, made here, so that sending it again is harmless. */
  id: z.string(),
  /** Rises from entry to entry on this device; they are sent in this order. */
  order: z.number(),
  /** ISO 8601. */
  at: z.string(),
  /** Why it can never be stored, or null. */
  refused: z.nullable(keptRefusalSchema),
  what: whatSchema,
});

/** Reads what a browser kept under `id`; what cannot be read stays visible as an entry that can only be discarded. */
export function readEntry(kept: string, { id, order }: { id: string; order: number }): z.infer<typeof entrySchema> {
  const parsed = entrySchema.safeParse(parseJson(kept));
  if (parsed.success && parsed.data.id === id) return { ...parsed.data, order };
  const error = "It was kept by another version of Signet and cannot be read any more. Enter the line again.";
  const refused = { why: "invalid" as const, error };
  return { id, order, at: new Date(0).toISOString(), refused, what: { kind: "unreadable", text: kept } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
