import { z } from "zod";

// Backends give house numbers and zips as numbers too; null and an empty text both mean that nothing is known.
const text = z.union([z.string(), z.number().transform(String)]).transform((value) => value.trim() || undefined);
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

/** The fields of a hit, by which a search can be ordered too. */
export const hitFields = ["voterId", ...fields.keyof().options] as const;

// Why a voter is found whom a strict search misses, where the backend says it.
const shown = fields.extend({
  match: z
    .enum([
      ...(["similar", "sounds like", "swapped", "short form", "another number", "another street"] as const),
      ...(["another zip", "another city", "another county", "another address"] as const),
    ])
    .optional()
    .catch(undefined),
});

/** What a screen shows of a voter. Each field but the id may be missing; `match` says why she is similar. */
export type Voter = { voterId: string } & z.infer<typeof shown>;

const hitSchema = z.looseObject({ _source: z.looseObject({}).optional() });

const isRounded = (value: unknown) => typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * Reads a backend's hit: the fields of `_source` when present, else of the hit; the id is its `voterId`, else `_id`, else
 * `id`. Null for what has no id, or one whose last digits are lost: that would be another voter's.
 */
export function readHit(hit: unknown): Voter | null {
  const parsed = hitSchema.safeParse(hit);
  if (!parsed.success) return null;
  const { _source, _id, id, voterId } = parsed.data;
  const source = _source ?? parsed.data;
  const ids = [source.voterId, voterId, _id, source.id, id];
  const found = ids.map((value) => field.parse(value)).find((value) => value !== undefined);
  return found === undefined || ids.some(isRounded) ? null : { voterId: found, ...shown.parse(source) };
}
