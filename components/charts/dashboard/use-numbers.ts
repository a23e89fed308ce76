import { useRouter } from "next/navigation";
import { useCallback, useRef, useState } from "react";
import { useQuery } from "@/components/shell/use-query";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { DashboardChart, StoredChart } from "@/lib/charts/definition/stored-chart";
import { type Answer, askSignet, type Failure } from "@/lib/http/ask-signet";

/** The numbers of a chart, and whether they are being refreshed here. */
export type CardNumbers = {
  result: ChartResult | null;
  busy: "waiting" | "running" | null;
  failure: Failure | null;
};

export type GenerationProgress = { done: number; failed: number; all: number };

/**
 * Generates charts one after another. A rate limit stops it: the remaining charts keep their numbers. A result is only shown
 * for the version of the chart that was generated.
 */
export function useGeneration() {
  const [generations, setGenerations] = useState<ReadonlyMap<string, CardNumbers & { version: number }>>(new Map());
  const [progress, setProgress] = useState<GenerationProgress | null>(null);
  const isRunning = useRef(false);
  const router = useRouter();

  const generate = useCallback(
    async (charts: StoredChart[]) => {
      if (isRunning.current) return;
      isRunning.current = true;
      const setNumbers = (
        { id, version }: StoredChart,
        { result = null, busy = null, failure = null }: Partial<CardNumbers>,
      ) => setGenerations((before) => new Map(before).set(id, { version, result, busy, failure }));
      for (const chart of charts) setNumbers(chart, { busy: "waiting" });
      let failed = 0;
      let limit: Failure | null = null;
      for (const [done, chart] of charts.entries()) {
        setProgress({ done, failed, all: charts.length });
        if (!limit) setNumbers(chart, { busy: "running" });
        const answer: Answer<ChartResult> = limit ?? (await generateOne(chart.id));
        if ("body" in answer) {
          setNumbers(chart, { result: answer.body });
        } else {
          setNumbers(chart, { failure: answer });
          failed += 1;
          if (answer.status === 429) limit = answer;
        }
      }
      setProgress({ done: charts.length, failed, all: charts.length });
      isRunning.current = false;
      router.refresh(); // someone may have edited a chart since
    },
    [router],
  );

  const numbersOf = (chart: StoredChart): CardNumbers => {
    const generation = generations.get(chart.id);
    if (generation?.version !== chart.version || chart.withheld)
      return { result: chart.data, busy: null, failure: null };
    return { ...generation, result: newest(generation.result, chart.data) };
  };
  return { generate, numbersOf, progress };
}

const generateOne = (id: string) =>
  askSignet(`/api/charts/${id}`, {
    schema: async () => (await import("@/lib/charts/definition/result")).chartResultSchema,
  });

// Someone else may have generated a newer one.
const newest = (own: ChartResult | null, stored: ChartResult | null) =>
  own && !(stored && stored.generatedAt > own.generatedAt) ? own : stored;

const delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000]; // while the numbers are being computed
const idleMs = 60_000;

/** Refreshes the page: soon while the server computes stale charts, otherwise when the next chart becomes stale. */
export function useNewerNumbers(charts: DashboardChart[]) {
  const router = useRouter();
  const isStale = charts.some((chart) => chart.isStale && !chart.failed);
  const staleTimes = charts.flatMap(({ staleAt }) => (staleAt === null ? [] : Date.parse(staleAt)));
  const staleAt = staleTimes.length === 0 ? null : Math.min(...staleTimes);
  useQuery({
    queryKey: ["newer-numbers", isStale],
    queryFn: () => {
      router.refresh(); // loads the new numbers with the page
      return Date.now();
    },
    enabled: isStale || staleAt !== null,
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      isStale ? (delaysMs[state.dataUpdateCount] ?? idleMs) : Math.max(idleMs, (staleAt ?? 0) - Date.now()),
    // A refresh that was due while the tab was hidden happens now.
    refetchOnWindowFocus: () => (isStale || (staleAt ?? 0) <= Date.now() ? "always" : false),
  });
}
