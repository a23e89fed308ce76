import type { ChartKind } from "@/lib/charts/definition/words";

/** Whether a chart can have a right axis: stacks add up on one axis, other kinds draw one measure or have no axis. */
export const canHaveRightAxis = (kind: ChartKind, groupCount: number) =>
  kind === "bar" || ((kind === "line" || kind === "area") && groupCount < 2);

/** Which of the shown numbers are drawn on the right axis. Never all of them: a single axis is on the left. */
export function rightKeys(kind: ChartKind, groupCount: number, shown: string[], chosen: string[] = []): Set<string> {
  const right = canHaveRightAxis(kind, groupCount) ? shown.filter((key) => chosen.includes(key)) : [];
  return new Set(right.length < shown.length ? right : []);
}
