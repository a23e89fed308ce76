const msPerDay = 86_400_000;
const windowDays = 14;
const farthest = 36_500; // days, beyond which a projection says nothing

/**
 * The day, YYYY-MM-DD, on which a campaign reaches its goal when work goes on as on the last 14 days before today: each
 * day counts, also one without lines, from the first with lines on. Work that began today goes on as today. Null without
 * a goal, with one that is reached, and when nothing was accepted lately. `days` are in the zone that `today` is in.
 */
export function goalProjection({
  goal,
  accepted,
  days,
  today,
}: {
  goal: number | null;
  /** All accepted lines of the campaign. */
  accepted: number;
  days: { day: string; accepted: number }[];
  today: string;
}): string | null {
  if (goal === null || accepted >= goal) return null;
  const worked = days
    .filter((day) => day.accepted > 0)
    .map((day) => ({ ago: Math.round((Date.parse(today) - Date.parse(day.day)) / msPerDay), accepted: day.accepted }));
  const onDays = (from: number, to: number) =>
    worked.filter(({ ago }) => ago >= to && ago <= from).reduce((sum, day) => sum + day.accepted, 0);

  const began = Math.min(windowDays, Math.max(0, ...worked.map(({ ago }) => ago)));
  const before = onDays(windowDays, 1);
  const soFar = onDays(0, 0);
  const aDay = before > 0 ? before / began : soFar;
  if (aDay === 0) return null;
  const restOfToday = Math.max(0, aDay - soFar);
  const away = Math.max(0, Math.ceil((goal - accepted - restOfToday) / aDay));
  return away > farthest ? null : new Date(Date.parse(today) + away * msPerDay).toISOString().slice(0, 10);
}
