import * as z from "zod/mini";

const text = z.string().check(z.maxLength(100));

const draftSchema = z.object({
  texts: z.object({ lastName: text, firstName: text, houseNumber: text, zip: text, city: text, county: text }),
  /** YYYY-MM-DD, or empty. */
  signedOn: z.string().check(z.regex(/^(\d{4}-\d{2}-\d{2})?$/)),
  /** The sheet that is keyed, or null before one was started. */
  sheet: z.nullable(z.int().check(z.positive())),
  /** The line that is keyed next. */
  line: z.int().check(z.positive()),
});

/** What stands in the form of this tab: it outlasts a reload. */
export type EntryDraft = z.infer<typeof draftSchema>;

/** The draft that this tab keeps under a name, or null. */
export function readDraft(name: string): EntryDraft | null {
  try {
    const parsed = draftSchema.safeParse(JSON.parse(sessionStorage.getItem(name) ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
