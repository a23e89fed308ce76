import { z } from "zod";
import { pointsAsCommas, withoutSeparators } from "@/lib/forms/read-number";

/**
 * A whole number that a person types, also with separators of thousands, as `schema` wants it. An empty field is null. `30.000`
 * isn't one: it can mean 30 or 30,000.
 */
export function typedNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, { addIssue }) => {
    if (typeof value !== "string") return value;
    const text = withoutSeparators(value);
    const meant = pointsAsCommas(text);
    if (meant !== null) addIssue(`Enter ${meant} instead of ${text}`);
    return text === "" ? null : Number(text);
  }, schema);
}
