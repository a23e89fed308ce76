import { z } from "zod";
import { pointsAsCommas, readWholeNumber } from "@/lib/forms/read-number";

/**
 * Parses a typed whole number with `schema`. Thousands separators are allowed, and an empty field is null. `30.000` is refused:
 * it can mean 30 or 30,000.
 */
export function typedNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, { addIssue }) => {
    if (typeof value !== "string") return value;
    const meant = pointsAsCommas(value);
    if (meant !== null) addIssue(`Enter ${meant} instead of ${value.trim()}`);
    return value.trim() === "" ? null : readWholeNumber(value);
  }, schema);
}
