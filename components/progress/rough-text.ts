import type { Format } from "@/lib/format/format-of";

/** An estimate with the ends of its interval, written no more exactly than it is: `13,330 (13,250 to 13,410)`. */
export function roughText({ value, low, high }: { value: number; low: number; high: number }, { number }: Format) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, high - low))) - 1);
  const round = (of: number) => number(Math.round(of / unit) * unit);
  return { value: round(value), interval: low === high ? null : `${round(low)} to ${round(high)}` };
}
