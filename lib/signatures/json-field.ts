import { z } from "zod";

const longest = 20_000; // characters; the widest line has a tenth of it

/** A form's field that holds one value as JSON. */
export function jsonField<Schema extends z.ZodType>(schema: Schema) {
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
