import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";

const widths = { half: 590, full: 1_250 }; // px, scaled to the page

/**
 * The width at which a chart is drawn while the page is being printed. Layout for paper comes too late for a chart to measure
 * its box. Charts in a `data-wide` card fill the width of the page.
 */
export function usePaperWidth(chart: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const begin = () => flushSync(() => setWidth(widths[chart.current?.closest("[data-wide]") ? "full" : "half"]));
    const end = () => setWidth(null);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, [chart]);
  return width;
}
