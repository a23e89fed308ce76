"use client";

import { useEffect, useOptimistic } from "react";

let show: (() => void) | null = null;

/** The router calls this for each navigation, by link, form, Back, Forward or code. */
export function showNavigation() {
  show?.();
}

/** A bar at the top of the window during a slow navigation. */
export function NavigationProgress() {
  const [pending, setPending] = useOptimistic(false);
  useEffect(() => {
    // Called inside the navigation's transition, and therefore ends with it.
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
