const msPerHour = 3_600_000;
const shortest = msPerHour / 12;

/**
 * Lines an hour, whole, from those of the last hour: over the time since the first of them, at least 5 minutes. Null when
 * there is none. Times are ISO 8601.
 */
export function pacePerHour({ lines, since, at }: { lines: number; since: string | null; at: string }): number | null {
  if (lines === 0 || since === null) return null;
  const elapsed = Math.max(shortest, Date.parse(at) - Date.parse(since));
  return Math.round((lines * msPerHour) / elapsed);
}

/** The share of lines that count, from 0 to 1; null when there is none. */
export function validityRate({ accepted, rejected }: { accepted: number; rejected: number }): number | null {
  return accepted + rejected === 0 ? null : accepted / (accepted + rejected);
}
