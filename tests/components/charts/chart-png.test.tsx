import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import { chartPng } from "@/components/charts/drawing/chart-png";
import { formatOf } from "@/lib/format/format-of";
import { resultOf } from "../../support/chart-result.ts";

it("draws the arrow of a number that has changed", async () => {
  const week = { name: "week", label: "Week", type: "date" as const, part: { of: "at", unit: "week" as const } };
  const weeks = [
    ["2026-10-26", 60],
    ["2026-11-02", 70],
    ["2026-11-09", 80],
  ];
  const result = resultOf("week", [{ key: "n", aggregation: "count" }], weeks);
  render(
    <article>
      <ChartFigure name="Pace" subject={{ kind: "number", columns: [week], format: formatOf(), result }} />
    </article>,
  );
  const drawn: unknown[] = [];
  const nothing = () => undefined;
  const context = new Proxy(
    { stroke: (line: unknown) => drawn.push(line), measureText: () => ({ width: 9 }) },
    { get: (has, name) => Reflect.get(has, name) ?? nothing, set: () => true },
  );
  vi.stubGlobal("Path2D", String); // its text is what is drawn
  // @ts-expect-error jsdom has no canvas: this one draws only what the test looks at
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) => done(new Blob()));
  Object.assign(Range.prototype, { getBoundingClientRect: () => new DOMRect() });
  expect(await chartPng(screen.getByRole("article"), "Pace", [])).toBeInstanceOf(Blob);
  expect(drawn.map(String)).toEqual(["m5 12 7-7 7 7", "M12 19V5"]);
});
