import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { useQuery } from "@/components/shell/use-query";
import { isDialogOpen } from "@/components/ui/dialog";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { DashboardChart, StoredChart } from "@/lib/charts/definition/stored-chart";
import { type ApiResult, callApi, type Failure } from "@/lib/http/call-api";

/** The numbers of a chart, and whether they are being refreshed here. */
export type CardNumbers = {
  result: ChartResult | null;
  busy: "waiting" | "running" | null;
  failure: Failure | null;
};

export type GenerationProgress = { done: number; failed: number; all: number };

/**
 * Generates charts one after another. A rate limit or a lost connection stops it: the remaining charts keep their numbers. A
 * result is only shown for the version of the chart that was generated.
 */
export function useGeneration() {
  const [generations, setGenerations] = useState<ReadonlyMap<string, CardNumbers & { chart: StoredChart }>>(new Map());
  const [progress, setProgress] = useState<GenerationProgress | null>(null);
  const isRunning = useRef(false);
  const router = useRouter();

  const generate = useCallback(
    async (charts: StoredChart[]) => {
      if (isRunning.current) return;
      isRunning.current = true;
      const setNumbers = (chart: StoredChart, { result = null, busy = null, failure = null }: Partial<CardNumbers>) =>
        setGenerations((before) => new Map(before).set(chart.id, { chart, result, busy, failure }));
      for (const chart of charts) setNumbers(chart, { busy: "waiting" });
      let failed = 0;
      let limit: Failure | null = null;
      for (const [done, chart] of charts.entries()) {
        setProgress({ done, failed, all: charts.length });
        if (!limit) setNumbers(chart, { busy: "running" });
        const response: ApiResult<ChartResult> = limit ?? (await generateOne(chart.id));
        if ("body" in response) {
          setNumbers(chart, { result: response.body });
        } else {
          setNumbers(chart, { failure: response });
          failed += 1;
          if (response.status === 429 || response.status === null) limit = response;
        }
      }
      setProgress({ done: charts.length, failed, all: charts.length });
      isRunning.current = false;
      if (limit?.status !== null) router.refresh(); // someone may have edited a chart since
    },
    [router],
  );

  const numbersOf = (chart: StoredChart): CardNumbers => {
    const generation = generations.get(chart.id);
    // It failed, and there are newer numbers.
    const isObsolete = generation?.failure && generation.chart.data?.generatedAt !== chart.data?.generatedAt;
    if (generation?.chart.version !== chart.version || chart.withheld || isObsolete)
      return { result: chart.data, busy: null, failure: null };
    return { ...generation, result: newest(generation.result, chart.data) };
  };
  return { generate, numbersOf, progress };
}

const generateOne = (id: string) =>
  callApi(`/api/charts/${id}`, {
    schema: async () => (await import("@/lib/charts/definition/result")).chartResultSchema,
  });

// Someone else may have generated a newer one.
const newest = (own: ChartResult | null, stored: ChartResult | null) =>
  own && !(stored && stored.generatedAt > own.generatedAt) ? own : stored;

/** Which dashboard's version is asked for, as the query of the route. */
type VersionQuery = Record<string, string>;

/** The version of a dashboard; the status of the failure is 304 if it is still the known one. */
export const fetchDashboardVersion = (query: VersionQuery, known: string, signal?: AbortSignal) =>
  callApi("/api/dashboard", {
    query,
    knownVersion: known,
    timeoutMs: 10_000,
    ...(signal && { signal }),
    schema: async () => (await import("@/lib/charts/definition/stored-chart")).versionResponseSchema,
  });

const delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000]; // while the numbers are being computed
const pollIntervalMs = 10_000;
const dueAgainMs = 60_000; // the clocks of browser and database differ

/**
 * Loads the page again when others have changed the dashboard, when new numbers are there, and when a chart becomes stale, but
 * not while `isHeld`. Returns why it can't be asked for.
 */
export function useNewerDashboard({
  query,
  version,
  charts,
  isHeld: isBusy,
}: {
  query: VersionQuery;
  version: string;
  charts: DashboardChart[];
  isHeld: () => boolean;
}): string | null {
  const router = useRouter();
  const dueAt = useRef(0);
  const isStale = charts.some((chart) => chart.isStale && !chart.failed);
  const staleTimes = charts.flatMap(({ staleAt }) => (staleAt === null ? [] : Date.parse(staleAt)));
  const staleAt = Math.min(...staleTimes);
  const queryKey = ["dashboard", query, version, isStale];
  const { error } = useQuery({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const response = await fetchDashboardVersion(query, version, signal);
      const isNewer = "body" in response;
      if (!isNewer && response.status !== 304) throw response;
      const asks = client.getQueryState(queryKey)?.dataUpdateCount ?? 0;
      const isDue = (isStale ? asks >= delaysMs.length : staleAt <= Date.now()) && dueAt.current <= Date.now();
      if ((isNewer || isDue) && !isBusy()) {
        if (isDue) dueAt.current = Date.now() + dueAgainMs;
        router.refresh(); // loads all with the page
      }
      return Date.now();
    },
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }) =>
      (isStale && delaysMs[dataUpdateCount + errorUpdateCount]) || pollIntervalMs,
    // Catches up on what was due while the tab was hidden or offline.
    refetchOnWindowFocus: "always",
    refetchOnReconnect: "always",
  });
  return error?.error ?? null;
}

const inUseMs = 3_000;

/** Whether someone is working on the page right now: typing, clicking, or in a dialog or menu. Then nothing may move. */
export function useIsPersonBusy(): () => boolean {
  const usedAt = useRef(0);
  useEffect(() => {
    const use = () => {
      usedAt.current = Date.now();
    };
    const events = ["pointerdown", "keydown", "dragend"];
    for (const event of events) window.addEventListener(event, use, true);
    return () => {
      for (const event of events) window.removeEventListener(event, use, true);
    };
  }, []);
  return () =>
    Date.now() - usedAt.current < inUseMs || isDialogOpen() || document.querySelector("[role=menu]") !== null;
}
