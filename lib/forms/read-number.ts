/** A number as people type it, without its separators of thousands: `12,500`, `12 500` and `12'500` are `12500`. */
export function withoutSeparators(typed: string): string {
  const text = typed.trim();
  return /^\d{1,3}([,'’\s]\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(/[,'’\s]/g, "") : text;
}
