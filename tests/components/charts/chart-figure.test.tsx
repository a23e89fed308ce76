import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import type { ChartMetric } from "@/lib/charts/definition/definition";
import type { ChartSubject } from "@/lib/charts/display/model";
import type { ChartCell } from "@/lib/charts/display/points";
import { formatOf } from "@/lib/format/format-of";
import { type Cell, resultOf } from "../../support/chart-result.ts";

const metrics: ChartMetric[] = [
  { key: "n", aggregation: "count" },
  { key: "a", aggregation: "avg", column: "line" },
];
const king: Cell[] = ["King", 3, 1.5];
const none: Cell[] = [null, 0, null];
const columns: ChartSubject["columns"] = [
  { name: "county", label: "County", type: "text" },
  { name: "line", label: "Line", type: "number" },
];
const subject = (kind: ChartSubject["kind"], rows = [king, none], measures = metrics, groupBy = "county") => ({
  ...{ kind, columns, format: formatOf(), result: resultOf(groupBy, measures, rows) },
});

beforeAll(async () => {
  await import("@/components/charts/drawing/drawn-chart");
}, 30_000);

// jsdom has no layout: everything is as large as this says.
beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 400, 256));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const drawn = (container: HTMLElement, selector: string, count: number) =>
  waitFor(() => {
    const found = [...container.querySelectorAll(selector)];
    expect(found).toHaveLength(count);
    return found;
  });

it.each(["bar", "stacked-bar", "line", "area", "pie"] as const)(
  "%s: is drawn after the page, in words too",
  async (kind) => {
    const { container } = render(<ChartFigure name="Mine" subject={subject(kind)} />);
    const box = container.firstElementChild;
    expect(box?.className).toContain("h-64"); // its place is kept
    const [svg] = await drawn(container, "svg[aria-label]", 1);
    expect(svg?.getAttribute("aria-label")).toMatch(/^Mine: .* Largest: King, 3\. The table lists all numbers\.$/);
    expect(container.firstElementChild).toBe(box);
  },
);

it("as a table, and as a table with numbers that open their records", async () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("bar")} asTable />);
  expect(screen.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "CountyCountAverage of line",
    "King31.5",
    "not given0no value",
  ]);
  expect(screen.queryByRole("button")).toBeNull();
  const opened = vi.fn<(cell: ChartCell) => void>();
  rerender(<ChartFigure name="Mine" subject={subject("bar")} asTable onCell={opened} />);
  await userEvent.click(screen.getByRole("button", { name: "1.5: show records" }));
  expect(opened.mock.calls).toEqual([[{ group: { county: "King" }, metricKey: "a" }]]);
});

it("says that no record matches, and that there is no number to draw", () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("bar", [])} />);
  expect(screen.getByText(/No records match/)).toBeTruthy();
  rerender(<ChartFigure name="Mine" subject={subject("pie", [none])} />);
  expect(screen.getByText(/No numbers to draw/)).toBeTruthy();
});

it("a pie of averages has no percentages", () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("pie")} />);
  expect(screen.getByText("100%")).toBeTruthy();
  rerender(
    <ChartFigure
      name="Mine"
      subject={subject(
        "pie",
        [
          ["King", 1.5],
          ["Kitsap", null],
        ],
        metrics.slice(1),
      )}
    />,
  );
  expect(screen.getByText("1.5")).toBeTruthy();
  expect(screen.queryByText(/%/)).toBeNull();
});

it("what is below nothing is stacked below it, and covers nothing", async () => {
  const parts = [
    ["King", "Kent", 8],
    ["King", "Auburn", -4],
  ];
  const sum: ChartMetric[] = [{ key: "s", aggregation: "sum", column: "line" }];
  const { container } = render(<ChartFigure name="Mine" subject={subject("stacked-bar", parts, sum, "county,city")} />);
  const bars = await drawn(container, ".recharts-bar-rectangle path", 2);
  const [above, below] = bars.map(
    (bar) => /^M (?<from>[\d.]+),\S+ h (?<wide>-?[\d.]+)/.exec(bar.getAttribute("d") ?? "")?.groups,
  );
  expect(Number(above?.wide)).toBeGreaterThan(0);
  expect(Number(below?.wide)).toBeLessThan(0);
  expect(below?.from).toBe(above?.from);
});
