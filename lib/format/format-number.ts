const grouped = new Intl.NumberFormat("en-GB");

/** A whole number with spaces, which do not break, between its thousands: `50 000`. */
export function formatNumber(value: number): string {
  return grouped.format(value).replaceAll(",", "\u00a0");
}
