import type { z } from "zod";

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** The default message of a zod issue. Pass it as `error` to `safeParse`. */
export function inPlainWords(issue: z.core.$ZodRawIssue) {
  switch (issue.code) {
    case "invalid_type": {
      const kind = kinds[issue.expected];
      return kind && `must be ${kind}`;
    }
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "custom":
    case "invalid_format":
    case "invalid_union":
      return "isn't valid";
    default:
      return undefined;
  }
}
