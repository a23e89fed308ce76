import { z } from "zod";
import { filterOperators } from "@/lib/charts/chart-words";

/** Whether every text within a JSON value can be stored: PostgreSQL knows neither U+0000 nor half a surrogate pair. */
export function hasStorableTexts(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f]/.test((JSON.stringify(value) ?? "").replaceAll("\\\\", ""));
}

/** One condition on a column; those of a list are joined with and. `eq null` is "not given". */
export const chartFilterSchema = z.object({
  column: z.string().min(1, "is needed"),
  operator: z.enum(filterOperators),
  value: z.json().refine(hasStorableTexts, "has unreadable characters"),
});
export type ChartFilter = z.infer<typeof chartFilterSchema>;
