import type { z } from "zod";

/** The schema for the query of a page, where invalid fields count as missing: the page's form shows the rest. */
export function ignoreInvalidFields<Schema extends z.ZodObject>(strict: Schema) {
  return strict.catch(({ value, issues }) => {
    const invalid = new Set(issues.map(({ path }) => path?.[0]));
    return strict.parse(Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !invalid.has(name))));
  });
}

/** The parts of a query that the strict schema refuses: `Sheet “abc”`. */
export function ignoredFields(
  strict: z.ZodObject,
  query: Record<string, unknown>,
  labels: Record<string, string>,
): string[] {
  const invalid = new Set(strict.safeParse(query).error?.issues.map(({ path }) => path[0]));
  return Object.entries(labels).flatMap(([name, label]) => {
    const text = String(query[name] ?? "").trim();
    return text !== "" && invalid.has(name) ? [`${label} “${text.slice(0, 40)}”`] : [];
  });
}
