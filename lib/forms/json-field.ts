import { z } from "zod";

/** A form field that holds JSON, parsed by a schema. `maxLength` is in characters; without it, the limit of actions applies. */
export function jsonField<Schema extends z.ZodType>(schema: Schema, { maxLength = Number.POSITIVE_INFINITY } = {}) {
  return z
    .string()
    .max(maxLength, "is too long")
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "isn't valid JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
