"use client";

import { useRouter } from "next/navigation";
import { useCallback, useRef, useState } from "react";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { StoredChart } from "@/lib/charts/definition/stored-chart";
import { type Answer, askSignet, type Failure } from "@/lib/http/ask-signet";

/** What has become of generating a chart here. A result counts for the version that it was asked for. */
type Generation = { version: number; state: "waiting" | "running" | Failure | ChartResult };

/** How far generating several charts has come. */
export type GenerationProgress = { done: number; failed: number; all: number };

/**
 * Generates charts, one after the other, and knows for each whether it waits, runs, has failed, or what came of it. A
 * limit on requests ends the round: what is left keeps what it had.
 */
export function useGeneration() {
  const [generations, setGenerations] = useState<ReadonlyMap<string, Generation>>(new Map());
  const [progress, setProgress] = useState<GenerationProgress | null>(null);
  const running = useRef(false);
  const router = useRouter();

  const generate = useCallback(
    async (charts: StoredChart[]) => {
      if (running.current) return;
      running.current = true;
      const put = (chart: StoredChart, state: Generation["state"]) =>
        setGenerations((before) => new Map(before).set(chart.id, { version: chart.version, state }));
      for (const chart of charts) put(chart, "waiting");
      let [done, failed] = [0, 0];
      let limit: Failure | null = null;
      for (const chart of charts) {
        setProgress({ done, failed, all: charts.length });
        put(chart, limit ?? "running");
        const answer: Answer<ChartResult> = limit ?? (await generateOne(chart.id));
        const failure: Failure | null = "body" in answer ? null : answer;
        put(chart, "body" in answer ? answer.body : answer);
        if (failure) failed += 1;
        if (failure?.status === 429) limit = failure;
        done += 1;
      }
      setProgress({ done, failed, all: charts.length });
      running.current = false;
      router.refresh(); // somebody may have edited a chart since: its numbers get their own name and filters
    },
    [router],
  );

  const of = (
    chart: StoredChart,
  ): { result: ChartResult | null; busy: "waiting" | "running" | null; failure: Failure | null } => {
    const generation = generations.get(chart.id);
    const state = generation?.version === chart.version && !chart.withheld ? generation.state : null;
    if (state === null) return { result: chart.data, busy: null, failure: null };
    if (state === "waiting" || state === "running") return { result: chart.data, busy: state, failure: null };
    if ("error" in state) return { result: chart.data, busy: null, failure: state };
    return { result: newer(state, chart.data), busy: null, failure: null };
  };
  return { generate, of, progress };
}

const generateOne = (id: string) =>
  askSignet(`/api/charts/${id}`, {
    schema: async () => (await import("@/lib/charts/definition/result")).chartResultSchema,
  });

// Somebody else may have generated it since.
const newer = (own: ChartResult, stored: ChartResult | null) =>
  stored && stored.generatedAt > own.generatedAt ? stored : own;
