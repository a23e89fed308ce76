import type { Format } from "@/lib/format/format-of";
import { wilsonInterval } from "@/lib/progress/worth-of-paper";

/** The share of keyed lines that are accepted, and its 95 % interval: `93.9%` and `93.5% – 94.3%`; null without lines. */
export function rateText(
  { accepted, lines }: { accepted: number; lines: number },
  { percent }: Pick<Format, "percent">,
) {
  const known = wilsonInterval(accepted, lines);
  return known && { rate: percent(known.rate), interval: `${percent(known.low)} – ${percent(known.high)}` };
}
