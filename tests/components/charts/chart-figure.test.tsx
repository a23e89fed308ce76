import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import { type ChartMetric, chartDisplaySchema } from "@/lib/charts/definition/definition";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import type { ShownMetric } from "@/lib/charts/display/fold-others";
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
  kind,
  columns,
  format: formatOf(),
  result: resultOf(groupBy, measures, rows),
});

beforeAll(async () => {
  await import("@/components/charts/drawing/drawn-chart");
}, 30_000);

// jsdom has no layout: this is the size of everything.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 400, 256));
});

const drawnElements = (container: HTMLElement, selector: string, count: number) =>
  waitFor(() => {
    const result = [...container.querySelectorAll(selector)];
    expect(result).toHaveLength(count);
    return result;
  });

it.each(["bar", "stacked-bar", "line", "area", "pie"] as const)(
  "draws a %s chart after the page, with a text for screen readers",
  async (kind) => {
    const { container } = render(<ChartFigure name="Mine" subject={subject(kind)} />);
    const box = container.firstElementChild;
    expect(box?.className).toContain("h-64"); // its space is reserved
    const [svg] = await drawnElements(container, "svg[aria-label]", 1);
    expect(svg?.getAttribute("aria-label")).toMatch(/^Mine: .* Largest: King, 3\. The table lists all numbers\.$/);
    expect(container.firstElementChild).toBe(box);
  },
);

it("shows a table, and one whose numbers open their records", async () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("bar")} asTable />);
  expect(screen.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "CountySignaturesAverage of line",
    "King31.5",
    "No county0no value",
    "TotalAverages don't add up3–",
  ]);
  expect(screen.getByText("Total").closest(".sticky.bottom-0")).toBeTruthy(); // while rows scroll
  expect(screen.queryByRole("button", { name: /show signatures/ })).toBeNull();
  const opened = vi.fn<(cell: ChartCell) => void>();
  rerender(<ChartFigure name="Mine" subject={subject("bar")} asTable onCell={opened} />);
  await userEvent.click(screen.getByRole("button", { name: "1.5: show signatures" }));
  expect(opened.mock.calls).toEqual([[{ group: { county: "King" }, metricKey: "a" }]]);
});

it("shades the cells of a heat map, and none of a pivot table, which has the same totals", async () => {
  const measures: ChartMetric[] = [{ key: "n", aggregation: "count" }];
  const shown = async (kind: ChartSubject["kind"]) => {
    const input = subject(kind, [["King", 3, 4]], measures, "county,line");
    const { container, unmount } = render(<ChartFigure name="Mine" subject={input} />);
    const { textContent } = await screen.findByRole("table");
    const shaded = [...container.querySelectorAll("td")].filter((cell) => cell.getAttribute("style"));
    const box = screen.getByRole("region").getAttribute("aria-label");
    expect(screen.getByRole("rowheader", { name: "Total" }).closest(".sticky.bottom-0")).toBeTruthy();
    unmount();
    return [box, textContent, shaded.length];
  };
  const text = "County3TotalKing44Total44";
  expect(await shown("heat-map")).toEqual(["Mine, heat map of Signatures", text, 1]);
  expect(await shown("pivot")).toEqual(["Mine, pivot table of Signatures", text, 0]);
});

it("puts many columns of a pivot table into several tables on paper, with each number once", async () => {
  const cities = Array.from({ length: 40 }, (_, index): Cell[] => ["King", `City ${index}`, index]);
  const city = { name: "city", label: "City", type: "text" as const };
  const pivot = { ...subject("pivot", cities, metrics.slice(0, 1), "county,city"), columns: [...columns, city] };
  render(<ChartFigure name="Mine" subject={pivot} />);
  const [whole] = await screen.findAllByRole("table");
  const textsOf = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);
  const [heads, cells] = [textsOf("columnheader"), textsOf("cell")];
  fireEvent(window, new Event("beforeprint"));
  expect(screen.getAllByRole("table")).toHaveLength(3);
  expect(textsOf("columnheader").filter((text) => text !== "County")).toEqual(heads.slice(1));
  expect(textsOf("cell").toSorted()).toEqual(cells.toSorted());
  expect(screen.getAllByRole("table").map((table) => table.querySelectorAll("th[scope=row]").length)).toEqual([
    2, 2, 2,
  ]);
  fireEvent(window, new Event("afterprint"));
  expect(screen.getAllByRole("table")).toEqual([whole]);
});

it("shows as many groups on a card as in the preview", async () => {
  const rows = Array.from({ length: 17 }, (_, index): Cell[] => [`County ${index}`, index + 1, 1]);
  const labels = (["card", "large"] as const).map(async (size) => {
    const { container } = render(<ChartFigure name="Mine" size={size} subject={subject("bar", rows)} />);
    const [svg] = await drawnElements(container, "svg[aria-label]", 1);
    return svg?.getAttribute("aria-label");
  });
  const [onCard, inPreview] = await Promise.all(labels);
  expect(onCard).toContain(", 7 groups. Largest: Other (11 groups)");
  expect(inPreview).toBe(onCard);
});

it("writes the numbers of a column with as many decimals as one of them needs", () => {
  const rows: Cell[][] = [
    ["King", 3, 2.49],
    ["Pierce", 1, 2.6],
    ["Kitsap", 1, 4],
  ];
  render(<ChartFigure name="Mine" subject={subject("table", rows)} />);
  const texts = screen.getAllByRole("row").map(({ textContent }) => textContent);
  expect(texts.slice(1, 4)).toEqual(["King32.49", "Pierce12.60", "Kitsap14.00"]);
});

it("has the rate of the sums as the total of a rate, also of hidden measures", () => {
  const counts = ["ok", "n"].map((key) => ({ key, aggregation: "count" as const }));
  const rows = [
    ["King", 1, 2],
    ["Pierce", 1, 8],
  ];
  const derived = { key: "r", label: "Rate", kind: "rate", of: "ok", over: "n", format: "percent" };
  const display = chartDisplaySchema.parse({ derived: [derived], hidden: ["ok", "n"] });
  const shown = subject("table", rows, counts);
  render(<ChartFigure name="Mine" subject={{ ...shown, result: deriveNumbers(shown.result, display, columns) }} />);
  expect(screen.getAllByRole("row").at(-1)?.textContent).toBe("Total20.0%");
});

it("notes partial periods, also in the table", () => {
  const week = { name: "week", label: "Week", type: "date" as const, part: { of: "day", unit: "week" as const } };
  const day = { name: "day", label: "Day", type: "date" as const };
  const rows = resultOf("week", metrics.slice(0, 1), [
    ["2026-11-02", 3],
    ["2026-11-16", 4],
  ]);
  const filters = [{ column: "day", operator: "gte" as const, value: "2026-11-04" }];
  const shown = { ...subject("line"), columns: [day, week], result: rows };
  const { rerender } = render(<ChartFigure name="Mine" subject={{ ...shown, filters }} asTable />);
  expect(
    screen.getByText(
      /^Week of Nov 2, 2026 is partial: Nov 4.* to Nov 8.*\. Week of Nov 16, 2026 is still in progress\.$/,
    ),
  );
  const change = { derived: [{ key: "d", kind: "change", of: "n", format: "percent" }] };
  const result = deriveNumbers(rows, chartDisplaySchema.parse(change), [day, week]);
  rerender(<ChartFigure name="Mine" subject={{ ...shown, result }} asTable />);
  expect(screen.getByText(/^Week of Nov 2, 2026 is the first and may be partial, so nothing is compared with it\./));
});

it("says that no record matches, or that there is no number to draw", () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("bar", [])} />);
  expect(screen.getByText("No signatures yet.")).toBeTruthy();
  const filters = [{ column: "county", operator: "eq" as const, value: "King" }];
  rerender(<ChartFigure name="Mine" subject={{ ...subject("bar", []), filters }} />);
  expect(screen.getByText("No signatures match the filters.")).toBeTruthy();
  rerender(<ChartFigure name="Mine" subject={subject("pie", [none])} />);
  expect(screen.getByText(/Nothing to draw/)).toBeTruthy();
});

it("shows no percentages for a pie of averages", () => {
  const { rerender } = render(<ChartFigure name="Mine" subject={subject("pie")} />);
  expect(screen.getByText("100%")).toBeTruthy();
  const averages = Object.entries({ King: 1.5, Kitsap: null });
  rerender(<ChartFigure name="Mine" subject={subject("pie", averages, metrics.slice(1))} />);
  expect(screen.getByText("1.5")).toBeTruthy();
  expect(screen.queryByText(/%/)).toBeNull();
});

it("stacks negative numbers below zero, where they cover nothing", async () => {
  const parts = [
    ["King", "Kent", 8],
    ["King", "Auburn", -4],
  ];
  const sum: ChartMetric[] = [{ key: "s", aggregation: "sum", column: "line" }];
  const { container } = render(<ChartFigure name="Mine" subject={subject("stacked-bar", parts, sum, "county,city")} />);
  const bars = await drawnElements(container, ".recharts-bar-rectangle path", 2);
  const [above, below] = bars.map(
    (bar) => /^M (?<from>[\d.]+),\S+ h (?<wide>-?[\d.]+)/.exec(bar.getAttribute("d") ?? "")?.groups,
  );
  expect(Number(above?.wide)).toBeGreaterThan(0);
  expect(Number(below?.wide)).toBeLessThan(0);
  expect(below?.from).toBe(above?.from);
});

it("labels each stack with its own total, and opens the records of its own part, where the last part has a gap", async () => {
  const day: ChartSubject["columns"][number] = { name: "day", label: "Day", type: "date" };
  const parts = ["v", "i"].map((key): ChartMetric => ({ key, aggregation: "count" }));
  const rows = [
    ["2026-11-02", 5, 0],
    ["2026-11-03", 7, 2],
    ["2026-11-04", 1, 0],
  ];
  const result = resultOf("day", parts, rows);
  const opened = vi.fn<(cell: ChartCell) => void>();
  const { container } = render(
    <ChartFigure
      name="Mine"
      subject={{ kind: "stacked-bar", columns: [day], format: formatOf(), result }}
      onCell={opened}
    />,
  );
  const labels = await drawnElements(container, ".recharts-label-list text", 3);
  expect(labels.map(({ textContent }) => textContent)).toEqual(["5", "9", "1"]);
  const [part] = await drawnElements(container, ".recharts-bar:last-of-type .recharts-bar-rectangle path", 1);
  if (part) await userEvent.click(part);
  expect(opened.mock.calls).toEqual([[{ group: { day: "2026-11-03" }, metricKey: "i" }]]);
});

it.each([
  ["bar", ".recharts-bar", 1],
  ["line", ".recharts-line-curve", 2],
  ["area", ".recharts-area-area", 1],
] as const)("draws a line on a right axis of a %s chart, and says so in its legend", async (kind, selector, count) => {
  const day: ChartSubject["columns"][number] = { name: "day", label: "Day", type: "date" };
  const rate = { key: "r", kind: "rate" as const, of: "v", over: "n", format: "percent" as const };
  const measures: ShownMetric[] = [
    { key: "n", aggregation: "count", label: "Lines" },
    { key: "r", aggregation: "count", label: "Validity", derived: rate },
  ];
  const rows = [
    ["2026-11-02", 500, 0.8],
    ["2026-11-03", 700, 0.75],
  ];
  const result = { ...resultOf("day", measures, rows), axis: { right: { keys: ["r"] } } };
  const { container } = render(
    <ChartFigure name="Mine" subject={{ kind, columns: [day], format: formatOf(), result }} />,
  );
  await drawnElements(container, selector, count);
  expect([...container.querySelectorAll(".recharts-line-curve")].at(-1)?.getAttribute("stroke-dasharray")).toBe("6 3");
  const titles = [...container.querySelectorAll("svg > text")].map((text) => text.lastChild?.textContent);
  expect(titles).toEqual(["Lines", "Validity"]);
  await drawnElements(container, ".recharts-yAxis", 2);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Lines",
    "Validity(right axis)",
  ]);
});

it("draws dots on the right axis above bars with names, which then stand upright", async () => {
  const right = { result: { ...subject("bar").result, axis: { right: { keys: ["a"] } } } };
  const opened = vi.fn<(cell: ChartCell) => void>();
  const { container } = render(<ChartFigure name="Mine" subject={{ ...subject("bar"), ...right }} onCell={opened} />);
  await drawnElements(container, ".recharts-line-dot", 1); // an average of nothing has none
  const [bar] = await drawnElements(container, ".recharts-bar-rectangle path", 1);
  if (bar) await userEvent.click(bar);
  expect(opened.mock.calls).toEqual([[{ group: { county: "King" }, metricKey: "n" }]]);
});

it("draws the axis from its lowest to its highest value, with its title and decimals", async () => {
  const day: ChartSubject["columns"][number] = { name: "day", label: "Day", type: "date" };
  const rows = [
    ["2026-11-02", 5],
    ["2026-11-03", 7],
  ];
  const result = { ...resultOf("day", metrics.slice(1), rows), axis: { title: "Lines a day", min: 2, max: 10 } };
  const format = formatOf(undefined, 1);
  const { container } = render(<ChartFigure name="Mine" subject={{ kind: "line", columns: [day], format, result }} />);
  await waitFor(() => expect(container.textContent).toContain("Lines a day"));
  const ticks = [...container.querySelectorAll(".recharts-yAxis-tick-labels text")].map(
    ({ textContent }) => textContent,
  );
  expect(ticks.at(-1)).toBe("10.0"); // the only one that jsdom has room for
});

it.each(["line", "bar"] as const)(
  "draws no value and no goal of a %s chart beyond the end of its axis",
  async (kind) => {
    const rows = [
      ["King", 54],
      ["Pierce", 40],
    ];
    const column = { name: "county", label: "County", type: kind === "line" ? ("number" as const) : ("text" as const) };
    const places = kind === "line" ? rows.map(([, value], index) => [index, value ?? 0]) : rows;
    const result = { ...resultOf("county", metrics.slice(0, 1), places), axis: { max: 50 }, goal: { value: 60 } };
    const { container } = render(
      <ChartFigure name="Mine" subject={{ kind, columns: [column], format: formatOf(), result }} />,
    );
    const labels = () =>
      [...container.querySelectorAll(".recharts-label")].flatMap(({ textContent }) => textContent || []);
    await waitFor(() => expect(labels()).toEqual(["40"]));
    screen.getByText("1 value and the goal are above 50 and cut off.");
  },
);

it("says how much of its goal a number reaches", () => {
  const { result, ...rest } = subject("number", [[3]], metrics.slice(0, 1), "");
  render(<ChartFigure name="Mine" subject={{ ...rest, result: { ...result, goal: { value: 4 } } }} />);
  expect(screen.getByRole("term").textContent).toBe("Signatures · Goal: 4 · 75%");
});

it("opens the records of the point that the arrow keys chose, on Enter", async () => {
  const opened = vi.fn<(cell: ChartCell) => void>();
  const counts = metrics.slice(0, 1);
  const { container } = render(
    <ChartFigure
      name="Mine"
      subject={subject(
        "line",
        [
          ["2026-11-02", 3],
          ["2026-11-03", 4],
        ],
        counts,
        "day",
      )}
      onCell={opened}
    />,
  );
  const [svg] = await drawnElements(container, "svg[aria-label]", 1);
  fireEvent.focus(svg as Element);
  fireEvent.keyDown(svg as Element, { key: "ArrowRight" });
  await waitFor(() => expect(container.querySelector("[data-slot=chart-tooltip]")?.textContent).toMatch(/2026-11-03/));
  fireEvent.keyDown(svg as Element, { key: "Enter" });
  const cell = { group: { day: "2026-11-03" }, metricKey: "n" };
  expect(opened.mock.calls).toEqual([[cell]]);
  // Again when the focus returns from them.
  fireEvent.blur(svg as Element);
  fireEvent.focus(svg as Element);
  await waitFor(() => expect(container.querySelector("[data-slot=chart-tooltip]")).toBeNull());
  expect(fireEvent.keyDown(svg as Element, { key: "Enter" })).toBe(false); // it presses no button of theirs
  expect(opened.mock.calls).toEqual([[cell], [cell]]);
});

it.each([
  ["half the width", undefined, "590"],
  ["the width", true, "1250"],
])("draws at %s of a page while it prints", async (_part, isWide, width) => {
  const { container } = render(
    <div data-wide={isWide}>
      <ChartFigure name="Mine" subject={subject("bar")} />
    </div>,
  );
  const [svg] = await drawnElements(container, "svg[aria-label]", 1);
  expect(svg?.getAttribute("width")).toBe("400");
  window.dispatchEvent(new Event("beforeprint"));
  expect(svg?.getAttribute("width")).toBe(width); // at once: the browser doesn't wait
  window.dispatchEvent(new Event("afterprint"));
  await waitFor(() => expect(svg?.getAttribute("width")).toBe("400"));
});

it("adds up the parts of a stack under the pointer", async () => {
  const counts = ["n", "m"].map((key) => ({ key, aggregation: "count" as const }));
  const { container } = render(<ChartFigure name="Mine" subject={subject("stacked-bar", [["King", 3, 1]], counts)} />);
  const [svg] = await drawnElements(container, "svg[aria-label]", 1);
  fireEvent.focus(svg as Element);
  await waitFor(() => expect(container.querySelector("[data-slot=chart-tooltip]")?.textContent).toMatch(/Total4$/));
});
