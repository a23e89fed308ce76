import type { DerivedNumber } from "@/lib/charts/display";
import type { Format } from "@/lib/format/format-of";

/** What stands for a number that there is none of: the average of nothing. */
const noValue = "no value";

/** What a number is one of: how it is written, and with which others it shares an axis. */
export type NumberUnit = "number" | "percent" | "difference" | "relativeChange";

/** The unit of a derived number; that of a measure without one. */
export function unitOf(derived: DerivedNumber | undefined): NumberUnit {
  switch (derived?.kind) {
    case "rate":
      return derived.format;
    case "share":
      return "percent";
    case "change":
      return derived.format === "percent" ? "relativeChange" : "difference";
    default:
      return "number";
  }
}

/** A metric's number for people. */
export function valueText(value: number | null, format: Format, unit: NumberUnit = "number"): string {
  return value === null ? noValue : format[unit](value);
}

/** The same for an axis, where there is little room: `12K`, `1.5M`. */
export function axisValueText(value: number, format: Format, unit: NumberUnit = "number"): string {
  const isCount = unit === "number" || unit === "difference";
  return isCount && Math.abs(value) >= 10_000 ? format.compact(value) : format[unit](value);
}
