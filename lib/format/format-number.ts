const grouped = new Intl.NumberFormat("en-GB");

/** A whole number with thin spaces between its thousands: `50 000`. */
export function formatNumber(value: number): string {
  return grouped.format(value).replaceAll(",", "\u202f");
}
