import type { z } from "zod";

/** The same schema for the query of a page, where invalid fields count as missing: the page's form shows the rest. */
export function ignoreInvalidFields<Schema extends z.ZodObject>(strict: Schema) {
  return strict.catch(({ value, issues }) => {
    const invalid = new Set(issues.map(({ path }) => path?.[0]));
    return strict.parse(Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !invalid.has(name))));
  });
}
