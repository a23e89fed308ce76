import { z } from "zod";

// What PostgreSQL can't store: U+0000, half a surrogate pair, jsonb beyond its stack, and the year 0.

const maxDepth = 32; // of nested lists and objects

/** Whether a value is JSON that the database can store, with all of its texts and keys. */
export function isStorable(value: unknown, depth = 0): value is z.core.util.JSONType {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() && !value.includes("\0");
    case "number":
      return Number.isFinite(value); // 1e400 would be sent as null
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      return (
        depth < maxDepth && Object.entries(value).every(([key, part]) => isStorable(key) && isStorable(part, depth + 1))
      );
    default:
      return false;
  }
}

const unstorable = "contains a character that can't be stored";

/** A text that the database can store. The schema of every text that people send begins with it. */
export const storableText = z.string().refine(isStorable, unstorable);

/** Any JSON that the database can store. */
export const storableJson = z.custom<z.core.util.JSONType>((value) => isStorable(value), {
  error: ({ input }) => (input === undefined ? "is required" : `${unstorable}, or is more than 32 levels deep`),
});

/** A text as the database can store it: without U+0000, and with U+FFFD for half a surrogate pair. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

const noYearZero = [(day: string) => !day.startsWith("0000"), { error: "isn't in a valid year", abort: true }] as const;

/** A valid day, YYYY-MM-DD. */
export const daySchema = z.iso.date({ error: "must be a day, as YYYY-MM-DD", abort: true }).refine(...noYearZero);

/** A time, as ISO 8601 in UTC. */
export const momentSchema = z.iso
  .datetime({ error: "must be a time, as ISO 8601 in UTC", abort: true })
  .refine(...noYearZero);
