import { useEffect, useState } from "react";

/** Counts seconds up from `start`, or down to 0. */
export function useSeconds(start: number, step: 1 | -1) {
  const [seconds, setSeconds] = useState(start);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => Math.max(0, before + step)), 1000);
    return () => clearInterval(timer);
  }, [step]);
  return seconds;
}
