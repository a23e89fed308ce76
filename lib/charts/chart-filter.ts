import { z } from "zod";
import { filterOperators } from "@/lib/charts/chart-words";

/** Whether every text within a JSON value can be stored: PostgreSQL knows neither U+0000 nor half a surrogate pair. */
export function hasStorableTexts(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f]/.test((JSON.stringify(value) ?? "").replaceAll("\\\\", ""));
}

/** The name of a source or column, as a request gives it. Whether there is one is decided by the database. */
export const chartNameSchema = z.string().min(1, "is needed").refine(hasStorableTexts, "has unreadable characters");

/** One condition on a column; those of a list are joined with and. `eq null` is "not given". */
export const chartFilterSchema = z.object({
  column: chartNameSchema,
  operator: z.enum(filterOperators),
  value: z.json().refine(hasStorableTexts, "has unreadable characters"),
});
export type ChartFilter = z.infer<typeof chartFilterSchema>;
