/** A number as people type it, without its separators of thousands: `12,500`, `12 500` and `12'500` are `12500`. */
export function withoutSeparators(typed: string): string {
  const text = typed.trim();
  return /^\d{1,3}([,'’\s]\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(/[,'’\s]/g, "") : text;
}

/** A whole number as people type it, or NaN: `3.000` can mean 3 or 3,000. */
export function readWholeNumber(typed: string): number {
  const text = withoutSeparators(typed);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A number with points for thousands, such as `3.000`, with commas instead; null without such points. */
export const pointsAsCommas = (typed: string): string | null =>
  /^\d{1,3}(\.\d{3})+$/.test(typed.trim()) ? typed.trim().replaceAll(".", ",") : null;

/** A percentage as people type it, without its sign: `12.5%` and `12.5 %` are `12.5`. */
export const withoutPercentSign = (typed: string): string => withoutSeparators(typed.replace(/%\s*$/, ""));

/** A number with a decimal comma, such as `3,5%`, with a point instead; null without such a comma. */
export const commaAsPoint = (typed: string): string | null =>
  /^\d+,\d+ ?%?$/.test(typed.trim()) ? typed.trim().replace(",", ".") : null;

/** A number as a field shows it: formatted, unless a field would read that as another number. */
export function fieldNumber(value: number, format: (value: number) => string): string {
  const text = format(value);
  return Number(withoutSeparators(text)) === value ? text : String(value);
}
