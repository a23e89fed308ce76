import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import type { ChartCell, ChartSubject } from "@/lib/charts/chart-model";
import { formatOf } from "@/lib/format/format-of";

const rows = [
  { key: "King", group: { county: "King" }, values: { n: 3, a: 1.5 } },
  { key: "", group: { county: null }, values: { n: 0, a: null } },
];
const subject = (kind: ChartSubject["kind"], change: Partial<ChartSubject["result"]> = {}): ChartSubject => ({
  kind,
  columns: [
    { name: "county", label: "County", type: "text" },
    { name: "line", label: "Line", type: "number" },
  ],
  format: formatOf(),
  result: {
    source: "signatures",
    groupBy: "county",
    metrics: [
      { key: "n", aggregation: "count" },
      { key: "a", aggregation: "avg", column: "line" },
    ],
    rows,
    recordCount: 3,
    groupCount: 2,
    generatedAt: "2026-11-20T10:00:00Z",
    ...change,
  },
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

it.each(["bar", "stacked-bar", "line", "area", "pie"] as const)(
  "%s: is drawn after the page, in words too",
  async (kind) => {
    const { container } = render(<ChartFigure name="Mine" subject={subject(kind)} />);
    const box = container.firstElementChild;
    expect(box?.className).toContain("h-64"); // its place is kept
    const svg = await vi.waitFor(() => {
      const found = container.querySelector("svg[aria-label]");
      if (!found) throw new Error("not drawn yet");
      return found;
    }, 5_000);
    expect(svg.getAttribute("aria-label")).toMatch(/^Mine: .* The largest: King, 3\. The table has all numbers\.$/);
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
  await userEvent.click(screen.getByRole("button", { name: "1.5: show the records" }));
  expect(opened.mock.calls).toEqual([[{ group: { county: "King" }, metricKey: "a" }]]);
});

it("says that no record matches, and that there is no number to draw", () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("bar", { rows: [] })} />);
  expect(screen.getByText(/No record matches/)).toBeTruthy();
  rerender(<ChartFigure name="Mine" subject={subject("pie", { rows: rows.slice(1) })} />);
  expect(screen.getByText(/There is no number to draw/)).toBeTruthy();
});

it("a pie of averages has no percentages", () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("pie")} />);
  expect(screen.getByText("100%")).toBeTruthy();
  const averages: ChartSubject["result"]["metrics"] = [{ key: "a", aggregation: "avg", column: "line" }];
  rerender(<ChartFigure name="Mine" subject={subject("pie", { metrics: averages })} />);
  expect(screen.getByText("1.5")).toBeTruthy();
  expect(screen.queryByText(/%/)).toBeNull();
});

it("what is below nothing is stacked below it, and covers nothing", async () => {
  const parts = [
    { key: "", group: { county: "King", city: "Kent" }, values: { s: 8 } },
    { key: "", group: { county: "King", city: "Auburn" }, values: { s: -4 } },
  ];
  const change: Partial<ChartSubject["result"]> = {
    groupBy: "county,city",
    metrics: [{ key: "s", aggregation: "sum", column: "line" }],
    rows: parts,
  };
  const { container } = render(<ChartFigure name="Mine" subject={subject("stacked-bar", change)} />);
  const bars = await vi.waitFor(() => {
    const found = [...container.querySelectorAll(".recharts-bar-rectangle path")].map((path) => path.getAttribute("d"));
    if (found.length < 2) throw new Error("not drawn yet");
    return found;
  }, 5_000);
  const [above, below] = bars.map((path) => /^M (?<from>[\d.]+),\S+ h (?<wide>-?[\d.]+)/.exec(path ?? "")?.groups);
  expect(Number(above?.wide)).toBeGreaterThan(0);
  expect(Number(below?.wide)).toBeLessThan(0);
  expect(below?.from).toBe(above?.from);
});
