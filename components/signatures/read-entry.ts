import * as z from "zod/mini";
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
    verdict: z.enum(rejections),
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
  z.object({ kind: z.literal("open-sheet"), sheet: number }),
  z.object({ kind: z.literal("close-sheet"), sheet: number }),
  /** Kept by a version of Signet that wrote something else. */
  z.object({ kind: z.literal("unreadable"), text: z.string() }),
]);

/** How an entry is kept in the browser. */
export const entrySchema = z.object({
  /** Of a line: its own id for good, made here, so that sending it again is harmless. */
  id: z.string(),
  /** Rises from entry to entry on this device; they are sent in this order. */
  order: z.number(),
  /** ISO 8601. */
  at: z.string(),
  /** Whether it was sent, and so may be stored, though no answer came. */
  tried: z.boolean(),
  /** Why it can never be stored, or null. */
  refused: text,
  what: whatSchema,
});

/** Reads what a browser kept under `id`; what cannot be read stays visible as an entry that can only be discarded. */
export function readEntry(kept: string, { id, order }: { id: string; order: number }): z.infer<typeof entrySchema> {
  const parsed = entrySchema.safeParse(parseJson(kept));
  if (parsed.success && parsed.data.id === id) return { ...parsed.data, order };
  const refused = "It was kept by another version of Signet and cannot be read any more. Enter the line again.";
  return { id, order, at: new Date(0).toISOString(), tried: false, refused, what: { kind: "unreadable", text: kept } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
