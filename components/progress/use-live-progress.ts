import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useQuery } from "@/components/shell/use-query";
import { callApi } from "@/lib/http/call-api";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ProgressResponse } from "@/lib/progress/responses";

const pollIntervalMs = 4_000;

/** When the numbers were last confirmed, in ms since 1970 (null: not yet), and why they aren't current. */
export type CountsFreshness = { at: number | null; failure: string | null };

/**
 * A campaign's current numbers, asked for every few seconds while the tab is visible. The response is empty unless something
 * has changed. A failure only changes the freshness. The page is rendered again if what it shows around the numbers changed.
 */
export function useLiveProgress({ team, campaign }: CampaignOfTeam, initial: ProgressResponse) {
  const queryKey = ["progress", team, campaign, initial.version];
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const known = client.getQueryData<ProgressResponse>(queryKey) ?? initial;
      const response = await callApi("/api/progress", {
        query: { team, campaign },
        knownVersion: known.version,
        timeoutMs: 10_000,
        signal,
        schema: async () => (await import("@/lib/progress/responses")).progressResponseSchema,
      });
      if ("body" in response) return response.body;
      if (response.status === 304) return known;
      throw response;
    },
    initialData: initial,
    initialDataUpdatedAt: 0,
    refetchInterval: pollIntervalMs,
    refetchOnWindowFocus: "always",
  });
  const router = useRouter();
  const isPageOutdated = pageState(data) !== pageState(initial);
  useEffect(() => {
    if (isPageOutdated) router.refresh();
  }, [isPageOutdated, router]);
  const freshness: CountsFreshness = { at: dataUpdatedAt || null, failure: error?.error ?? null };
  return { ...data, freshness };
}

// Its settings, requests and failed charts, how many teams work on it, and what the quality check found.
const pageState = ({ pageVersion, progress: { teams, checked } }: ProgressResponse) =>
  JSON.stringify([pageVersion, teams, checked]);
