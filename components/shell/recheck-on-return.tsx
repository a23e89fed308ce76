"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Back and Forward show what was fetched before; this asks the server again whether it may still be shown. */
export function RecheckOnReturn() {
  const router = useRouter();
  useEffect(() => {
    // After the router's own listener, so that the page now shown is the one asked for.
    const recheck = () => setTimeout(() => router.refresh());
    const recheckRestored = (event: PageTransitionEvent) => {
      if (event.persisted) recheck();
    };
    window.addEventListener("popstate", recheck);
    window.addEventListener("pageshow", recheckRestored);
    return () => {
      window.removeEventListener("popstate", recheck);
      window.removeEventListener("pageshow", recheckRestored);
    };
  }, [router]);
  return null;
}
