import * as z from "zod/mini";

const text = z.string().check(z.maxLength(100));
const number = z.nullable(z.int().check(z.positive()));

const draftSchema = z.object({
  texts: z.object({
    ...{ lastName: text, firstName: text, houseNumber: text, street: z._default(text, "") },
    ...{ zip: text, city: text, county: text, voterId: z._default(text, "") },
  }),
  /** YYYY-MM-DD, or empty. */
  signedOn: z.string().check(z.regex(/^(\d{4}-\d{2}-\d{2})?$/)),
  sheet: number,
  line: number,
});
const placeSchema = z.object({ sheet: z.int().check(z.positive()), line: number });

/** What stands in the form of this tab: it outlasts a reload. */
export type EntryDraft = z.infer<typeof draftSchema>;

/** Where a clerk was last on this device, in whatever tab. */
export type LastPlace = z.infer<typeof placeSchema>;

/** What this tab keeps of the form, and this device of where she was, under a name; null for each that there is not. */
export function readDraft(name: string): { draft: EntryDraft | null; last: LastPlace | null } {
  return {
    draft: parsed(draftSchema, () => sessionStorage.getItem(name)),
    last: parsed(placeSchema, () => localStorage.getItem(name)),
  };
}

function parsed<Kept>(schema: z.ZodMiniType<Kept>, read: () => string | null): Kept | null {
  try {
    return schema.safeParse(JSON.parse(read() ?? "null")).data ?? null;
  } catch {
    return null;
  }
}
