import { z } from "zod";
import { withoutSeparators } from "@/lib/forms/read-number";

/**
 * A number that a person types, also with separators of thousands, as `schema` wants it. An empty field is null. `30.000` isn't
 * a number: it can mean 30 or 30,000.
 */
export function typedNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    const text = withoutSeparators(value);
    if (/^\d{1,3}(\.000)+$/.test(text)) return Number.NaN;
    return text === "" ? null : Number(text);
  }, schema);
}
