"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

const waits = [1_000, 2_000, 4_000, 8_000, 15_000]; // ms, while the numbers are being computed
const rest = 60_000; // ms

/**
 * Asks for the page again: soon, while charts are stale and the server computes them; else when they will be. Not while
 * nobody looks.
 */
export function useNewerNumbers({ isStale, staleAt }: { isStale: boolean; staleAt: number | null }) {
  const router = useRouter();
  const asked = useRef(0);

  useEffect(() => {
    if (!isStale) asked.current = 0;
    if (!isStale && staleAt === null) return;
    const ask = () => {
      if (document.visibilityState === "hidden") return;
      asked.current += 1;
      router.refresh();
    };
    const wait = isStale ? (waits[asked.current] ?? rest) : Math.max(rest, (staleAt ?? 0) - Date.now());
    let timer = setTimeout(function again() {
      ask();
      timer = setTimeout(again, isStale ? (waits[asked.current] ?? rest) : rest);
    }, wait);
    return () => clearTimeout(timer);
  }, [isStale, staleAt, router]);
}
