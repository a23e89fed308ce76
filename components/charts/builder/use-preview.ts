import { useMemo, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useQuery } from "@/components/shell/use-query";
import type { ChartDefinition, ChartQuery } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { metricLabel } from "@/lib/charts/display/chart-text";
import { formatOf } from "@/lib/format/format-of";
import { callApi, unwrapBody } from "@/lib/http/call-api";

const typingDelayMs = 300;

// Loaded with the first response: before it there is nothing to draw.
const loadDrawing = async () => ({
  ...(await import("@/lib/charts/display/derive-numbers")),
  ...(await import("@/lib/charts/builder/suggest")),
});
let drawing: Awaited<ReturnType<typeof loadDrawing>> | null = null;

export const toChartQuery = ({ source, groupBy, metrics, filters }: ChartQuery): ChartQuery => ({
  source,
  groupBy,
  metrics,
  filters,
});

// The server names a measure by its key, which people don't see.
const withMeasureNames = (text: string, { metrics, source }: ChartDefinition, columns: ChartColumn[]) =>
  text.replace(/(?<=^The measure )"(\w+)"/, (quoted, key) => {
    const metric = metrics.find((candidate) => candidate.key === key);
    return metric ? `“${metricLabel(metric, columns, source)}”` : quoted;
  });

type PreviewQuery = { dashboard: string; definition: ChartDefinition; columns: ChartColumn[]; canRun: boolean };

/**
 * The preview of a definition, and the chart types that fit it. It is requested if the definition `canRun`. Until a newer
 * result arrives, the previous one stays. A new request aborts the previous one.
 */
export function usePreview({ dashboard, definition, columns, canRun }: PreviewQuery) {
  const format = useFormat();
  const query = toChartQuery(definition);
  const result = useQuery({
    queryKey: ["preview", dashboard, query],
    queryFn: ({ signal }) =>
      unwrapBody(
        callApi(`${dashboard}/preview`, {
          body: query,
          schema: async () => {
            drawing ??= await loadDrawing();
            return (await import("@/lib/charts/definition/stored-chart")).previewResponseSchema;
          },
          signal,
          delayMs: typingDelayMs,
        }),
      ),
    enabled: canRun,
    placeholderData: (before) => before,
    staleTime: "static",
  });
  const [preview, setPreview] = useState(result.data);
  if (result.data && result.data !== preview) setPreview(result.data);

  // The same object until it changes: typing a name doesn't draw the chart again, and an error keeps the last one.
  const { kind, filters } = definition;
  const latest = { display: definition.display ?? null, filters };
  const [drawn, setDrawn] = useState(latest);
  if (canRun && JSON.stringify(drawn) !== JSON.stringify(latest)) setDrawn(latest);
  const subject = useMemo(
    () =>
      preview && drawing
        ? {
            kind,
            columns,
            filters: drawn.filters,
            format: formatOf(format, drawn.display?.decimals),
            result: drawing.deriveNumbers(preview.result, drawn.display, columns, {
              filters: drawn.filters,
              timeZone: format.timeZone,
            }),
          }
        : null,
    [preview, drawn, columns, kind, format],
  );
  const fits = useMemo(() => (subject && drawing ? drawing.chartKindFits(subject) : null), [subject]);

  return {
    preview,
    subject,
    fits,
    failure:
      canRun && result.error
        ? { ...result.error, error: withMeasureNames(result.error.error, definition, columns) }
        : null,
    isWaiting: canRun && result.isFetching,
    retry: () => void result.refetch(),
  };
}
