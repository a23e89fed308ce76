import { z } from "zod";

/** An optional field of a form: null if it is missing or has only spaces, otherwise as `schema` wants it. */
export function emptyAsNull<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === undefined || isBlank(value) ? null : value), schema);
}

const isBlank = (value: unknown) => typeof value === "string" && value.trim() === "";
