"use client";

import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";

/** Stands while a search is under way: it shows after 300 ms, and counts the seconds after the first. */
export function SearchProgress() {
  const [seconds, setSeconds] = useState(0);

  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <span className="appear-late flex items-center gap-1.5 whitespace-nowrap text-muted-foreground text-sm">
      <LoaderCircle aria-hidden className="size-3.5 motion-safe:animate-spin" />
      {seconds === 0 ? "Searching…" : `Searching… ${seconds} s`}
    </span>
  );
}
