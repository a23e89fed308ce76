import { z } from "zod";
import { type ExtraField, extraFieldNames, matchWords, type VoterMatch } from "@/lib/voters/voter-query";

// Backends send house numbers and zips as numbers too; null and an empty text both mean that nothing is known.
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

/** The fields of a hit that a search can be ordered by. */
export const hitFields = ["voterId", ...fields.keyof().options] as const;

const shown = fields.extend({
  /** Why a near match is one, where the backend says it. */
  match: z
    .custom<VoterMatch>((value) => typeof value === "string" && Object.hasOwn(matchWords, value))
    .optional()
    .catch(undefined),
});

/** What a screen shows of a voter. Each field but the id may be missing. */
export type Voter = { voterId: string } & z.infer<typeof shown> & { [Field in ExtraField]?: string | undefined };

const hitSchema = z.looseObject({ _source: z.looseObject({}).optional() });

const isRounded = (value: unknown) => typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * Reads a backend's hit. The fields are those of `_source` if present, otherwise of the hit. The id is `voterId`, `_id` or
 * `id`, whichever comes first. Null without an id, or when the last digits of one are lost: it would be another voter's.
 */
export function readHit(hit: unknown): Voter | null {
  const parsed = hitSchema.safeParse(hit);
  if (!parsed.success) return null;
  const { _source, _id, id, voterId } = parsed.data;
  const source = _source ?? parsed.data;
  const ids = [source.voterId, voterId, _id, source.id, id];
  const found = ids.map((value) => field.parse(value)).find((value) => value !== undefined);
  if (found === undefined || ids.some(isRounded)) return null;
  const extras = Object.fromEntries(extraFieldNames.map((name) => [name, field.parse(source[name])]));
  return { voterId: found, ...shown.parse(source), ...extras };
}
