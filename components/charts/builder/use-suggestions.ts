import { useQuery } from "@/components/shell/use-query";
import { callApi, unwrapBody } from "@/lib/http/call-api";

const typingDelayMs = 200;

/** Where the values of a column come from. */
export type ValueSource = { dashboard: string; source: string; column: string };

/** A value that a column has, as a text, and how many records have it. */
export type Suggestion = { text: string; count: number };

/**
 * At most 20 values of a column that begin with a text: the text itself first, then the most frequent. Null until loaded, and
 * unless `isEnabled`.
 */
export function useSuggestions({ dashboard, source, column }: ValueSource, text: string, isEnabled: boolean) {
  const body = { source, column, prefix: text.slice(0, 100) };
  const { data = null } = useQuery({
    queryKey: ["values", dashboard, body],
    queryFn: async ({ signal }): Promise<Suggestion[]> => {
      const schema = async () => (await import("@/lib/charts/definition/stored-chart")).valuesResponseSchema;
      const request = { body, schema, signal, delayMs: typingDelayMs };
      const { values } = await unwrapBody(callApi(`${dashboard}/values`, request));
      return values.flatMap(({ value, count }) =>
        (typeof value === "string" && value !== "") || typeof value === "number"
          ? [{ text: String(value), count }]
          : [],
      );
    },
    enabled: isEnabled,
    staleTime: "static",
  });
  return isEnabled ? data : null;
}

/** Whether no record has this value, or with `isBeginning` one that begins with it. False for long texts. */
export function isMissing(
  suggestions: Suggestion[] | null,
  text: string,
  { isNumber, isBeginning = false }: { isNumber: boolean; isBeginning?: boolean },
): boolean {
  if (suggestions === null || text === "" || text.length > 100) return false;
  if (isBeginning) return suggestions.length === 0;
  return !suggestions.some((known) => (isNumber ? Number(known.text) === Number(text) : known.text === text));
}

/** A number as the database writes it, so that its values can begin with it. */
export const suggestionPrefix = (text: string, isNumber: boolean) =>
  isNumber && Number(text) ? String(Number(text)) : text;
