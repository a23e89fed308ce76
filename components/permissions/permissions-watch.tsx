"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { reportSessionEnded } from "@/lib/forms/session-ended";
import { callApi } from "@/lib/http/call-api";
import { onRefusedRequest, reportAccessChanged } from "@/lib/permissions/access-changed";

const intervalMs = 60_000;
const frequentIntervalMs = 6_000;
const minIntervalMs = 5_000; // between two checks, except after Back and Forward

// Renderings that were on the screen. If one appears again, Back or Forward restored it without a request. A popstate
// listener would be too late: the router's own listener has already shown the page.
const shown = new Set<string>();

/**
 * Asks the server whether this page's permissions are still current: once a minute, after Back and Forward, after a refused
 * request, and when the tab becomes visible. Hidden tabs don't ask. The page is rendered again only when the response differs.
 * When the session has ended, the page is covered until the user has signed in again, so nothing they typed is lost.
 */
export function PermissionsWatch({
  rendering,
  fingerprint,
  query,
  frequent = false,
}: {
  /** Unique for each rendering on the server. */
  rendering: string;
  fingerprint: string;
  query: string;
  /** Asks every few seconds. */
  frequent?: boolean;
}) {
  const router = useRouter();

  useEffect(() => {
    let checkedAt = Date.now();
    const asking = new AbortController();

    const check = async () => {
      checkedAt = Date.now();
      const response = await callApi("/api/permissions/fingerprint", {
        query,
        schema: async () => (await import("@/lib/permissions/responses")).fingerprintResponseSchema,
        signal: asking.signal,
      });
      // A response this page can't read comes from a newer Signet. After any other failure the next check asks again.
      const isOutdated = "body" in response ? response.body.fingerprint !== fingerprint : response.status === 200;
      if (isOutdated) {
        reportAccessChanged();
        router.refresh();
      } else if ("error" in response && response.status === 401) reportSessionEnded();
    };
    const checkWhenVisible = () => {
      if (document.visibilityState === "visible" && Date.now() - checkedAt > minIntervalMs) void check();
    };
    const checkRestored = (event: PageTransitionEvent) => {
      if (event.persisted) void check();
    };

    if (shown.has(rendering)) void check();
    shown.add(rendering);
    const jitter = 0.9 + 0.2 * Math.random(); // so that not all tabs ask at once
    const timer = setInterval(checkWhenVisible, (frequent ? frequentIntervalMs : intervalMs) * jitter);
    const leaveRefused = onRefusedRequest(checkWhenVisible);
    window.addEventListener("focus", checkWhenVisible);
    window.addEventListener("pageshow", checkRestored);
    document.addEventListener("visibilitychange", checkWhenVisible);
    return () => {
      asking.abort();
      clearInterval(timer);
      leaveRefused();
      window.removeEventListener("focus", checkWhenVisible);
      window.removeEventListener("pageshow", checkRestored);
      document.removeEventListener("visibilitychange", checkWhenVisible);
    };
  }, [rendering, fingerprint, query, frequent, router]);
  return null;
}
