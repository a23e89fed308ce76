import { expect, it } from "vitest";
import { listConditions } from "@/lib/charts/definition/operators";
import { verdicts } from "@/lib/signatures/verdicts";
import { demoCharts } from "../../../scripts/demo-data/demo-charts.ts";

it("counts each result in exactly one column of the demo's table, so that they add up to its lines", () => {
  const table = demoCharts.find(({ kind }) => kind === "table");
  const counted = table?.metrics.flatMap(({ segment = [] }) => listConditions(segment).map(({ value }) => value));
  expect(counted?.toSorted()).toEqual(verdicts.filter((verdict) => verdict !== "blank").toSorted());
});
