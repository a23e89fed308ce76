import { z } from "zod";
import { withoutSeparators } from "@/lib/forms/read-number";

/** A number that a person types, also with separators of thousands, as `schema` wants it. An empty field is null. */
export function typedNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    const text = withoutSeparators(value);
    return text === "" ? null : Number(text);
  }, schema);
}
