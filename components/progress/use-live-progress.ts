import { useEffect, useEffectEvent, useState } from "react";
import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ProgressAnswer } from "@/lib/progress/answers";

const beat = 4_000; // ms between two questions, while the tab is looked at

/** When the numbers were last known to be so, in ms since 1970, null before the first answer; and why they are not by now. */
export type Freshness = { at: number | null; failure: string | null };

/**
 * The numbers of a campaign as they are: asked for again every few seconds while the tab is looked at, with one request
 * that is answered only when something has changed. A failed one changes nothing but the freshness.
 */
export function useLiveProgress({ team, campaign }: CampaignOfTeam, given: ProgressAnswer) {
  const [live, setLive] = useState({ given, answer: given });
  const [freshness, setFreshness] = useState<Freshness>({ at: null, failure: null });
  // The page was made again on the server.
  if (live.given !== given) setLive({ given, answer: given });

  const ask = useEffectEvent(async (signal: AbortSignal) => {
    const asked = Date.now();
    const answer = await askSignet("/api/progress", {
      ...{ query: { team, campaign }, known: live.answer.version, timeoutMs: 10_000, signal },
      schema: async () => (await import("@/lib/progress/answers")).progressAnswer,
    });
    if (signal.aborted) return;
    if ("body" in answer) setLive((before) => (before.given === given ? { given, answer: answer.body } : before));
    const isKnown = "body" in answer || answer.status === 304;
    setFreshness(({ at }) => (isKnown ? { at: asked, failure: null } : { at, failure: answer.error }));
  });

  useEffect(() => {
    const over = new AbortController();
    let asking = false;
    const askWhenSeen = async () => {
      if (asking || document.visibilityState !== "visible") return;
      asking = true;
      await ask(over.signal);
      asking = false;
    };
    void askWhenSeen();
    const timer = setInterval(() => void askWhenSeen(), beat);
    const onVisible = () => void askWhenSeen();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      over.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);

  return { ...live.answer, freshness };
}
