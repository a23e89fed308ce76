"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { tellSessionEnded } from "@/lib/forms/session-ended";
import { askSignet } from "@/lib/http/ask-signet";
import { reportAccessChanged } from "@/lib/permissions/access-changed";

const interval = 60_000; // ms, while the tab is looked at
const soonInterval = 6_000; // ms, for somebody who waits for an answer
const pause = 5_000; // ms between two checks that nobody asked for by going back

// Renderings that have been on the screen. One that comes again was brought back by Back or Forward, without a request.
// The popstate event would not do: the router's own listener has shown the page by the time that a later one hears it.
const shown = new Set<string>();

/**
 * Asks the server whether the permissions that this page was made from still hold: after Back and Forward, when the tab
 * is looked at again, and once a minute meanwhile. Tabs in the background ask nothing. The page is made again only when
 * the answer differs. When the session has ended, it is covered until she has signed in again: what she typed stays.
 */
export function PermissionsWatch({
  rendering,
  fingerprint,
  query,
  soon = false,
}: {
  /** Another text with each rendering on the server. */
  rendering: string;
  fingerprint: string;
  query: string;
  /** Asks every few seconds. */
  soon?: boolean;
}) {
  const router = useRouter();

  useEffect(() => {
    let checkedAt = Date.now();
    const asking = new AbortController();

    const check = async () => {
      checkedAt = Date.now();
      const answer = await askSignet("/api/permissions/fingerprint", {
        query,
        schema: async () => (await import("@/lib/permissions/answers")).fingerprintAnswer,
        signal: asking.signal,
      });
      // An answer that this page cannot read is that of a newer Signet. On any other failure the next check asks again.
      const replaced = "body" in answer ? answer.body.fingerprint !== fingerprint : answer.status === 200;
      if (replaced) {
        reportAccessChanged();
        router.refresh();
      } else if ("error" in answer && answer.status === 401) tellSessionEnded();
    };
    const checkWhenSeen = () => {
      if (document.visibilityState === "visible" && Date.now() - checkedAt > pause) void check();
    };
    const checkRestored = (event: PageTransitionEvent) => {
      if (event.persisted) void check();
    };

    if (shown.has(rendering)) void check();
    shown.add(rendering);
    // Not all tabs at one moment.
    const timer = setInterval(checkWhenSeen, (soon ? soonInterval : interval) * (0.9 + 0.2 * Math.random()));
    window.addEventListener("focus", checkWhenSeen);
    window.addEventListener("pageshow", checkRestored);
    document.addEventListener("visibilitychange", checkWhenSeen);
    return () => {
      asking.abort();
      clearInterval(timer);
      window.removeEventListener("focus", checkWhenSeen);
      window.removeEventListener("pageshow", checkRestored);
      document.removeEventListener("visibilitychange", checkWhenSeen);
    };
  }, [rendering, fingerprint, query, soon, router]);
  return null;
}
