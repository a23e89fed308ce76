import { z } from "zod";

/** A form field that holds JSON, parsed by a schema. `longest` is in characters; without it, what an action takes at all. */
export function jsonField<Schema extends z.ZodType>(schema: Schema, { longest = Number.POSITIVE_INFINITY } = {}) {
  return z
    .string()
    .max(longest, "is too long")
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "is not valid JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
