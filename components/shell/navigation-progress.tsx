"use client";

import { useEffect, useOptimistic } from "react";

let show: (() => void) | null = null;

/** Told by the router of each navigation: by a link, a form, Back, Forward or code. */
export function showNavigation() {
  show?.();
}

/** A bar at the top of the window while a navigation takes its time. */
export function NavigationProgress() {
  const [pending, setPending] = useOptimistic(false);
  useEffect(() => {
    // The router tells of a navigation inside of its transition, with which this ends, wherever it leads.
    show = () => setPending(true);
    return () => {
      show = null;
    };
  }, [setPending]);
  if (!pending) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the page"
      className="appear-late fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden bg-primary-soft"
    >
      <div className="navigation-progress h-full bg-primary" />
    </div>
  );
}
