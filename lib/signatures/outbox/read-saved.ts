// What this browser saved: lines that aren't sent yet, and what is in the form. Loaded after the page, with zod.
import { z } from "zod";
import { lineSchema } from "@/lib/signatures/line";
import { refusalReasons } from "@/lib/signatures/responses";
import { fieldNames, maxTextLength } from "@/lib/voters/voter-query";

const text = z.string().nullable();
const number = z.int().positive();

const changeSchema = z.discriminatedUnion("kind", [
  lineSchema.omit({ id: true, enteredBy: true, mine: true, enteredAt: true, removedAt: true }).extend({
    kind: z.literal("line"),
    sheet: number,
    line: number,
    /** Who it is, as shown until it is stored; without names in its fields, its note on the server. */
    name: text,
  }),
  /** Entered while the search was unreachable, to be looked up later. Never sent. */
  lineSchema.pick({ signedOn: true }).extend({
    kind: z.literal("typed"),
    lastName: z.string(),
    firstName: z.string(),
    houseNumber: z.string(),
    sheet: number,
    line: number,
  }),
  /** Undoes line `of`. */
  z.object({ kind: z.literal("undo"), of: z.string() }),
  z.object({
    kind: z.literal("open-sheet"),
    sheet: number,
    /** Its own fields, as far as they were typed. */
    paper: z
      .object({ circulator: text, collectedOn: text, signatureCount: z.int().nonnegative().nullable() })
      .partial()
      .optional(),
  }),
  z.object({ kind: z.literal("close-sheet"), sheet: number }),
  z.object({ kind: z.literal("unreadable"), text: z.string() }),
]);

export const itemSchema = z.object({
  /** Made here, and the id of the line for good, so that sending it again is harmless. */
  id: z.string(),
  /** Rises from item to item on this device; they are sent in this order. */
  order: z.number(),
  /** ISO 8601. */
  at: z.string(),
  /** Why it can never be stored, or null. */
  refused: z
    .object({
      reason: z.enum(["line-taken", ...refusalReasons]),
      error: z.string(),
      /** The line in its place; one that can't be read is not worth losing the item. */
      taken: lineSchema.optional().catch(undefined),
    })
    .nullable(),
  change: changeSchema,
});

/** Reads what a browser saved under `id`. What can't be read stays visible, as an item that can only be discarded. */
export function readItem(saved: string, { id, order }: { id: string; order: number }): z.infer<typeof itemSchema> {
  const item = parsed(itemSchema, saved);
  if (item?.id === id) return { ...item, order };
  const error = "Another version of Signet saved this, so it can't be read. Enter the line again.";
  const refused = { reason: "invalid" as const, error };
  return { id, order, at: new Date(0).toISOString(), refused, change: { kind: "unreadable", text: saved } };
}

const draftSchema = z.object({
  fields: z.record(z.enum(fieldNames), z.string().max(maxTextLength)),
  /** YYYY-MM-DD, or empty. */
  signedOn: z.string().regex(/^(\d{4}-\d{2}-\d{2})?$/),
  sheet: number.nullable(),
  line: number.nullable(),
});
const placeSchema = z.object({ sheet: number, line: number.nullable() });

/** What is in the form of this tab: it survives a reload. */
export type EntryDraft = z.infer<typeof draftSchema>;

/** Where a clerk was last on this device, in any tab. */
export type LastPlace = z.infer<typeof placeSchema>;

/** The draft of this tab, and where the clerk was last on this device. */
export function readDraft(name: string): { draft: EntryDraft | null; last: LastPlace | null } {
  try {
    return {
      draft: parsed(draftSchema, sessionStorage.getItem(name)),
      last: parsed(placeSchema, localStorage.getItem(name)),
    };
  } catch {
    return { draft: null, last: null }; // storage is switched off
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string | null): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}
