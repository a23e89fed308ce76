import { z } from "zod";

// Backends give house numbers and zips as numbers too; null and an empty text both mean that nothing is known, and so do
// numbers whose last digits are lost.
const number = z.number().refine((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER);
const text = z.union([z.string(), number.transform(String)]).transform((value) => value.trim() || undefined);
const field = text.optional().catch(undefined);

const fields = z.object({
  firstName: field,
  middleName: field,
  lastName: field,
  houseNumber: field,
  street: field,
  unit: field,
  city: field,
  zip: field,
  county: field,
});

/** What a screen shows of a voter. Each field but the id may be missing. */
export type Voter = { voterId: string } & z.infer<typeof fields>;

const hitSchema = z.looseObject({ _source: z.looseObject({}).optional(), _id: field, id: field, voterId: field });

/**
 * Reads a backend's hit: the fields of `_source` when present, else of the hit; the id is its `voterId`, else `_id`, else
 * `id`. Null for what has no id.
 */
export function readHit(hit: unknown): Voter | null {
  const parsed = hitSchema.safeParse(hit);
  if (!parsed.success) return null;
  const { _source, _id, id, voterId } = parsed.data;
  const source = _source ?? parsed.data;
  const found = field.parse(source.voterId) ?? voterId ?? _id ?? field.parse(source.id) ?? id;
  return found === undefined ? null : { voterId: found, ...fields.parse(source) };
}
