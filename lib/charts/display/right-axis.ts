import type { ChartKind } from "@/lib/charts/definition/words";

/** Whether a chart can have a right axis: stacks add up on one axis, other kinds draw one measure or have no axis. */
export const canHaveRightAxis = (kind: ChartKind, groupCount: number) =>
  kind === "bar" || ((kind === "line" || kind === "area") && groupCount < 2);

type MaybeDerived = { derived?: { kind: string } | undefined };
const isRunningTotal = ({ derived }: MaybeDerived) => derived?.kind === "cumulated";

/** Whether the goal is on the right axis: it's for running totals, if only that axis has some. */
export const isGoalOnRight = (left: MaybeDerived[], right: MaybeDerived[]) =>
  right.some(isRunningTotal) && !left.some(isRunningTotal);

/** Which of the shown numbers are drawn on the right axis. Never all of them: a single axis is on the left. */
export function rightKeys(kind: ChartKind, groupCount: number, shown: string[], chosen: string[] = []): Set<string> {
  const right = canHaveRightAxis(kind, groupCount) ? shown.filter((key) => chosen.includes(key)) : [];
  return new Set(right.length < shown.length ? right : []);
}
