// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ChartBuilder } from "@/components/charts/builder/chart-builder";
import { FormatProvider } from "@/components/shell/format-provider";
import { definitionOf, draftOf, touched } from "@/lib/charts/builder-draft";
import { operatorChoices } from "@/lib/charts/builder-words";
import type { ChartDefinition, ChartQuery } from "@/lib/charts/chart-definition";
import type { ChartSource } from "@/lib/charts/chart-source";
import { columnTypes, operatorsFor } from "@/lib/charts/chart-words";
import type { StoredChart } from "@/lib/charts/stored-chart";
import type { FormState } from "@/lib/forms/form-state";

const server = setupServer();
const origin = window.location.origin;
const place = { team: "riverside", campaign: "clean-water" };
const path = "/riverside/campaign/clean-water/dashboard";
const columns = [
  { name: "team_id", label: "Team", type: "text" },
  { name: "county", label: "County", type: "text" },
  { name: "line", label: "Line", type: "number" },
  { name: "signed_on", label: "Signed on", type: "date" },
  {
    ...{ name: "signed_on_week", label: "Signed on by week", type: "date" },
    part: { of: "signed_on", unit: "week" },
  },
  { name: "entered_at", label: "Entered at", type: "time" },
  {
    ...{ name: "entered_at_day", label: "Entered at by day", type: "date" },
    part: { of: "entered_at", unit: "day" },
  },
  { name: "accepted", label: "Accepted", type: "boolean" },
  { name: "entered_by", label: "Entered by", type: "uuid" },
  { name: "tags", label: "Tags", type: "array" },
] satisfies ChartSource["columns"];
const sources: ChartSource[] = [
  { name: "signatures", label: "Signatures", description: "accepted lines", columns },
  {
    name: "lines",
    label: "Lines",
    description: "every line that was keyed",
    columns: columns.slice(0, 3),
  },
];
const stored: StoredChart = {
  id: "00000000-0000-4000-8000-000000000001",
  ...place,
  name: "By county",
  kind: "table",
  source: "signatures",
  groupBy: "county",
  metrics: [{ key: "n", aggregation: "count" }],
  filters: [],
  display: null,
  version: 7,
  data: null,
  outdated: false,
  problem: null,
};

let asked: ChartQuery[] = [];
const actions = { save: vi.fn<(state: FormState, form: FormData) => Promise<FormState>>(), remove: vi.fn() };
const push = vi.fn();

function answerWith(respond: (query: ChartQuery) => Response | Promise<Response>) {
  server.use(
    http.post(`${origin}${path}/preview`, async ({ request }) => {
      const query: ChartQuery = JSON.parse(await request.text());
      asked.push(query);
      return respond(query);
    }),
  );
}
const preview = (recordCount: number) => (query: ChartQuery) =>
  HttpResponse.json({
    result: {
      ...query,
      rows: [{ key: "King", group: { county: "King" }, values: { [query.metrics[0]?.key ?? ""]: recordCount } }],
      recordCount,
      groupCount: 1,
      generatedAt: "2026-11-20T10:00:00Z",
    },
    milliseconds: 41,
  });

const region = { locale: "en-US", timeZone: "America/Los_Angeles" };
function show(chart: StoredChart | null = stored) {
  const router = { push, back: vi.fn(), forward: vi.fn(), prefetch: vi.fn(), refresh: vi.fn(), replace: vi.fn() };
  render(
    // @ts-expect-error the router of a test has only what is used
    <AppRouterContext value={router}>
      <FormatProvider region={region}>
        <ChartBuilder place={place} chart={chart} sources={sources} seesRecords {...actions} />
      </FormatProvider>
    </AppRouterContext>,
  );
}
const box = (name: string | RegExp) => screen.getByRole<HTMLSelectElement>("combobox", { name });
const sentForms = () => actions.save.mock.calls.map(([, form]) => Object.fromEntries(form));

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());
beforeEach(() => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (to: string, init: RequestInit) => real(new URL(to, origin), init));
  vi.stubGlobal("CSS", { escape: (text: string) => text.replaceAll(/[^\w-]/g, (letter) => `\\${letter}`) });
  server.use(http.post(`${origin}${path}/values`, () => HttpResponse.json({ values: [{ value: "King", count: 3 }] })));
  asked = [];
  actions.save.mockResolvedValue({ message: "Saved.", error: null });
  actions.remove.mockResolvedValue({ message: "Deleted.", error: null });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  server.resetHandlers();
});

describe("a definition goes into the fields and comes out as it was", () => {
  const zone = { columns, ...region };
  it.each<[string, Partial<ChartDefinition>]>([
    ["groups in their order", { groupBy: "line,county" }],
    ["no group", { groupBy: "" }],
    [
      "each aggregation, a name, a segment",
      {
        metrics: [
          { key: "a", aggregation: "avg", column: "line", label: "Mean" },
          { key: "b", aggregation: "count", column: "county", segment: [{ column: "line", operator: "gt", value: 3 }] },
        ],
      },
    ],
    ["a text", { filters: [{ column: "county", operator: "ilike", value: "k%" }] }],
    ["an empty text", { filters: [{ column: "county", operator: "eq", value: "" }] }],
    ["several", { filters: [{ column: "county", operator: "in", value: ["King", "Pierce"] }] }],
    ["several numbers", { filters: [{ column: "line", operator: "in", value: [1, 2.5] }] }],
    [
      "not given, and given",
      {
        filters: [
          { column: "county", operator: "eq", value: null },
          { column: "line", operator: "neq", value: null },
        ],
      },
    ],
    ["a day", { filters: [{ column: "signed_on", operator: "gte", value: "2026-11-01" }] }],
    ["a relative day", { filters: [{ column: "signed_on", operator: "eq", value: "last 14 days" }] }],
    ["a relative moment", { filters: [{ column: "entered_at", operator: "lt", value: "this month" }] }],
    [
      "from … to, and more",
      {
        filters: [
          { column: "line", operator: "gte", value: 1 },
          { column: "line", operator: "lte", value: 9 },
          { column: "signed_on", operator: "gte", value: "this month" },
          { column: "signed_on", operator: "lte", value: "today" },
        ],
      },
    ],
    ["a moment", { filters: [{ column: "entered_at", operator: "lt", value: "2026-11-01T08:00:00.000Z" }] }],
    [
      "a moment with seconds",
      { filters: [{ column: "entered_at", operator: "lt", value: "2026-11-01T08:00:30.500Z" }] },
    ],
    ["a number beyond 2^53", { filters: [{ column: "line", operator: "gt", value: "9007199254740993" }] }],
    ["a boolean", { filters: [{ column: "accepted", operator: "eq", value: false }] }],
    ["an id", { filters: [{ column: "entered_by", operator: "eq", value: stored.id }] }],
    ["an element", { filters: [{ column: "tags", operator: "contains", value: "a,b" }] }],
    [
      "what is derived, and what is shown of it",
      {
        groupBy: "county",
        display: {
          derived: [{ key: "d", kind: "rate", of: "n", over: "n", format: "percent" }],
          hidden: ["n"],
          order: { by: "d", descending: false },
          top: { column: "county", count: 7 },
          goal: { value: 0.29, label: "Needed" },
        },
      },
    ],
    ["a list", { filters: [{ column: "tags", operator: "eq", value: ["a"] }] }],
  ])("%s", (_case, change) => {
    const { name, kind, source, groupBy, metrics, filters, display } = stored;
    const definition = { name, kind, source, groupBy, metrics, filters, display, ...change };
    const draft = draftOf(definition, columns, zone.timeZone);
    expect(definitionOf(draft, zone)).toEqual({ definition, problems: new Map() });
    const asTyped = {
      ...draft,
      metrics: draft.metrics.map((metric) => ({ ...metric, segment: metric.segment.map((one) => touched(one)) })),
      filters: draft.filters.map((one) => touched(one)),
    };
    expect(definitionOf(asTyped, zone)).toEqual({ definition, problems: new Map() });
  });

  it.each([
    ["a moment with more digits than its field", "entered_at", "2026-11-01T08:00:00.000001Z"],
    ["a moment as another program writes it", "entered_at", "2026-11-01 08:00:00+00"],
    ["a moment of the hour that comes twice", "entered_at", "2026-11-01T09:30:00Z"],
  ])("%s, unless it is changed", (_case, column, value) => {
    const { name, kind, source, groupBy, metrics } = stored;
    const filters = [{ column, operator: "gte", value }] satisfies ChartDefinition["filters"];
    const draft = draftOf({ name, kind, source, groupBy, metrics, filters }, columns, zone.timeZone);
    expect(definitionOf(draft, zone).definition.filters).toEqual(filters);
    const changed = { ...draft, filters: draft.filters.map((one) => touched(one, { values: ["2026-11-02T10:00"] })) };
    expect(definitionOf(changed, zone).definition.filters[0]?.value).toBe("2026-11-02T18:00:00.000Z");
  });
});

describe("a number is kept as it was typed", () => {
  const typed = (column: string, text: string) => {
    const filter = { id: 1, column, operator: "eq" as const, values: [text] };
    const draft = { ...draftOf(stored, columns, "UTC"), filters: [filter] };
    const { definition, problems } = definitionOf(draft, { columns, timeZone: "UTC" });
    return problems.get("filters.0.value") ?? definition.filters[0]?.value;
  };
  it.each([
    [" 12 ", 12],
    ["-0.50", -0.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["0.1", 0.1],
    ["9007199254740992", 9_007_199_254_740_992],
    ["100000000000000000000000", 1e23],
    // What JavaScript would change goes as its text.
    ["9007199254740993", "9007199254740993"],
    ["-9007199254740993", "-9007199254740993"],
    ["0.1234567890123456789", "0.1234567890123456789"],
    ["NaN", "NaN"],
    ["9007199254740993e1", "Write a number."],
    ["1e400", "Write a number."],
    ["twelve", "Write a number."],
    ["1.2.3", "Write a number."],
    ["", "Write a number."],
  ])("%j", (text, value) => expect(typed("line", text)).toBe(value));

  it("also within a list, or it is refused", () => {
    expect(typed("tags", '[12, 0.5, "9007199254740993"]')).toEqual([12, 0.5, "9007199254740993"]);
    expect(typed("tags", "[1, 9007199254740993]")).toBe("It holds a number of more digits than can be kept here.");
  });
});

describe("groups", () => {
  it("by days and moments are one field with its parts, by day at first", async () => {
    answerWith(preview(1));
    show({ ...stored, groupBy: "signed_on_week" });
    const names = (name: string) => [...box(name).options].map(({ label }) => label);
    expect(names("Group 1")).toEqual(["County", "Line", "Signed on", "Entered at", "Accepted", "Entered by", "Tags"]);
    expect(names("Group 1, by")).toEqual(["by day", "by week"]);
    expect(box("Group 1, by").value).toBe("signed_on_week");
    await userEvent.selectOptions(box("Group 1"), "Entered at");
    await waitFor(() => expect(asked.at(-1)?.groupBy).toBe("entered_at_day"));
    await userEvent.selectOptions(box("Group 1, by"), "by moment");
    await waitFor(() => expect(asked.at(-1)?.groupBy).toBe("entered_at"));
    await userEvent.selectOptions(box("Group 1"), "County");
    expect(screen.queryByRole("combobox", { name: "Group 1, by" })).toBeNull();
  });
});

describe("numbers from numbers", () => {
  it("a rate is of two measures, in percent, with a goal in percent; nothing is asked for anew", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Another measure" }));
    await waitFor(() => expect(asked.at(-1)?.metrics).toHaveLength(2));
    const before = asked.length;
    await userEvent.click(screen.getByRole("button", { name: "A rate, a sum so far, a share or a change" }));
    for (const shown of screen.getAllByRole("checkbox", { name: "Count" })) await userEvent.click(shown);
    await userEvent.type(screen.getByLabelText("Name of derived number 1"), "Valid");
    await userEvent.type(screen.getByLabelText("Goal or line to compare with, in percent"), "95.5");
    await userEvent.selectOptions(box("Order of groups"), "Valid: largest first");
    await userEvent.selectOptions(box("How many groups"), "Only the 5 largest of County, the others as one");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(actions.save).toHaveBeenCalled());
    expect(JSON.parse(String(sentForms()[0]?.definition)).display).toEqual({
      derived: [{ key: "d1", label: "Valid", kind: "rate", of: "m1", over: "n", format: "percent" }],
      hidden: ["n", "m1"],
      order: { by: "d1", descending: true },
      top: { column: "county", count: 5 },
      goal: { value: 0.955 },
    });
    expect(asked).toHaveLength(before);
  });

  it("what is derived of a measure goes with it, and a goal that is no number is said beside its field", async () => {
    answerWith(preview(1));
    const metrics = ["n", "m"].map((key) => ({ key, aggregation: "count" as const }));
    show({
      ...stored,
      metrics,
      display: { derived: [{ key: "d", kind: "share", of: "m" }], hidden: ["m"], order: { by: "d", descending: true } },
    });
    await userEvent.click(screen.getByRole("button", { name: "Remove measure 2" }));
    expect(screen.queryByLabelText("What derived number 1 is")).toBeNull();
    await userEvent.type(screen.getByLabelText("Goal or line to compare with"), "many");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Write the goal as a number.");
    expect(actions.save).not.toHaveBeenCalled();
    await userEvent.clear(screen.getByLabelText("Goal or line to compare with"));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(actions.save).toHaveBeenCalled());
    expect(JSON.parse(String(sentForms()[0]?.definition)).display).toBeNull();
  });
});

describe("filters", () => {
  it.each(columnTypes)("of %s have the operators that fit, and whether there is a value", (type) => {
    const offered = operatorChoices(type).map(({ operator }) => operator);
    const spans = ["number", "date", "time"].includes(type) ? ["between"] : [];
    expect(offered).toEqual([...operatorsFor(type), ...spans, "missing", "given"]);
  });

  it("on days are relative, or between two of them", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    await userEvent.selectOptions(box("Column of filter 1"), "Signed on");
    await userEvent.selectOptions(box("Value of filter 1, a day or relative"), "in the last 7 days");
    expect(screen.queryByLabelText("Value of filter 1")).toBeNull();
    const relative = { column: "signed_on", operator: "eq", value: "last 7 days" };
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([relative]));
    await screen.findByText("Signed on in the last 7 days (Nov 14, 2026 to Nov 20, 2026)");
    await userEvent.selectOptions(box("Operator of filter 1"), "is between");
    fireEvent.change(screen.getByLabelText("Value of filter 1, from"), { target: { value: "2026-11-01" } });
    fireEvent.change(screen.getByLabelText("Value of filter 1, to"), { target: { value: "2026-11-09" } });
    await waitFor(() =>
      expect(asked.at(-1)?.filters).toEqual([
        { column: "signed_on", operator: "gte", value: "2026-11-01" },
        { column: "signed_on", operator: "lte", value: "2026-11-09" },
      ]),
    );
  });

  it("behind one that is two, a refusal stands beside its own field", async () => {
    answerWith(() => HttpResponse.json({ error: "No such line.", part: "filters.2.value" }, { status: 422 }));
    show({
      ...stored,
      filters: [
        { column: "line", operator: "gte", value: 1 },
        { column: "line", operator: "lte", value: 9 },
        { column: "line", operator: "eq", value: 3 },
      ],
    });
    await waitFor(() => expect(screen.getByLabelText("Value of filter 2").getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByLabelText("Value of filter 1, to").getAttribute("aria-invalid")).toBe("false");
  });

  it("offer operators by the column, and forget what does not fit another one", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    const operators = () => [...box("Operator of filter 1").querySelectorAll("option")].map((option) => option.value);
    expect(operators()).toEqual([...operatorsFor("text"), "missing", "given"]);
    await userEvent.selectOptions(box("Operator of filter 1"), "is like (% any, _ one)");
    await userEvent.selectOptions(box("Column of filter 1"), "Signed on");
    expect(operators()).toEqual([...operatorsFor("date"), "between", "missing", "given"]);
    expect(box("Operator of filter 1").value).toBe("eq");
    expect(screen.getByLabelText("Value of filter 1").getAttribute("type")).toBe("date");
    await userEvent.selectOptions(box("Operator of filter 1"), "is not given");
    expect(screen.queryByLabelText("Value of filter 1")).toBeNull();
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ column: "signed_on", operator: "eq", value: null }]));
  });

  it("suggest what the column has", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    await userEvent.type(box("Value of filter 1"), "Ki");
    await waitFor(() => expect(document.querySelector("datalist option")?.getAttribute("value")).toBe("King"));
  });

  it("several values, one after another with Enter", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    await userEvent.selectOptions(box("Operator of filter 1"), "is one of");
    await userEvent.type(box(/^Value of filter 1/), "King{Enter}Pierce");
    await waitFor(() =>
      expect(asked.at(-1)?.filters).toEqual([{ column: "county", operator: "in", value: ["King", "Pierce"] }]),
    );
    await userEvent.click(screen.getByRole("button", { name: "Without King" }));
    await waitFor(() =>
      expect(asked.at(-1)?.filters).toEqual([{ column: "county", operator: "in", value: ["Pierce"] }]),
    );
    expect(actions.save).not.toHaveBeenCalled();
  });

  it("a value that cannot be is said beside its field, and nothing is asked for until it is mended", async () => {
    answerWith(preview(1));
    show();
    await screen.findByText("1 record · 1 group · 41 ms");
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    await waitFor(() => expect(asked).toHaveLength(2));
    await userEvent.selectOptions(box("Column of filter 1"), "Line");
    const value = screen.getByLabelText("Value of filter 1");
    expect(screen.getByText("Write a number.").id).toBe(value.getAttribute("aria-describedby"));
    expect(value.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText("waits until each field is filled in")).toBeTruthy();
    await userEvent.type(value, "12");
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ column: "line", operator: "eq", value: 12 }]));
    expect(asked).toHaveLength(3);
    expect(value.getAttribute("aria-invalid")).toBe("false");
  });
});

describe("the preview", () => {
  it("asks once for what was typed in one go, and says what was read, and how long it took", async () => {
    answerWith(preview(11_862));
    show();
    await screen.findByText("11,862 records · 1 group · 41 ms");
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    await userEvent.type(box("Value of filter 1"), "King");
    await waitFor(() => expect(asked.at(-1)?.filters[0]?.value).toBe("King"));
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(actions.save).not.toHaveBeenCalled();
  });

  it("no older answer takes the place of a newer one", async () => {
    answerWith(async (query) => {
      const slow = query.groupBy === "county";
      if (slow) await delay(700);
      return preview(slow ? 1 : 2)(query);
    });
    show();
    await waitFor(() => expect(asked).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Remove group 1" }));
    await screen.findByText("2 records · 1 group · 41 ms");
    await delay(800);
    expect(screen.getByText("2 records · 1 group · 41 ms")).toBeTruthy();
    expect(asked.map(({ groupBy }) => groupBy)).toEqual(["county", ""]);
  });

  it("what the database refuses stands beside the field that it is about", async () => {
    const error = "The filter on county has a pattern that ends with a backslash.";
    answerWith(() => HttpResponse.json({ error, part: "metrics.0.column" }, { status: 422 }));
    show();
    const beside = () => screen.getAllByText(error).map(({ id }) => id);
    await waitFor(() => expect(beside()).toContain(box("What measure 1 computes").getAttribute("aria-describedby")));
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("what went wrong otherwise is said, and asked for again", async () => {
    const error = "The chart took longer than 15 seconds. Narrow it with a filter.";
    answerWith(() => HttpResponse.json({ error }, { status: 504 }));
    show();
    await screen.findByText(error);
    answerWith(preview(3));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("3 records · 1 group · 41 ms");
    expect(screen.queryByText(error)).toBeNull();
  });
});

describe("the parts of a chart", () => {
  it("groups are put in order, and none is offered twice", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Then by another column" }));
    const offered = [...box("Group 2").querySelectorAll("option")].map(({ textContent }) => textContent);
    expect(offered).not.toContain("County");
    expect(offered).not.toContain("Team");
    await userEvent.click(screen.getByRole("button", { name: "Group 2 earlier" }));
    await waitFor(() => expect(asked.at(-1)?.groupBy).toBe("line,county"));
  });

  it("an aggregation is offered the columns that it fits", async () => {
    answerWith(preview(1));
    show();
    const offered = () =>
      [...box("Column of measure 1").querySelectorAll("option")].map(({ textContent }) => textContent);
    expect(offered()).toContain("records");
    await userEvent.selectOptions(box("What measure 1 computes"), "Average");
    expect(offered()).toEqual(["Line"]);
    await userEvent.selectOptions(box("What measure 1 computes"), "Highest");
    expect(offered()).toEqual(["Line", "Signed on", "Entered at"]);
    await waitFor(() => expect(asked.at(-1)?.metrics).toEqual([{ key: "n", aggregation: "max", column: "line" }]));
  });

  it("another source keeps what it has columns for", async () => {
    answerWith(preview(1));
    show({ ...stored, groupBy: "county,signed_on", metrics: [{ key: "n", aggregation: "max", column: "signed_on" }] });
    await userEvent.selectOptions(box("Source"), "Lines");
    await waitFor(() =>
      expect(asked.at(-1)).toEqual({
        source: "lines",
        groupBy: "county",
        metrics: [{ key: "n", aggregation: "count" }],
        filters: [],
      }),
    );
  });

  it("measures have keys of their own", async () => {
    answerWith(preview(1));
    show(null);
    await userEvent.click(screen.getByRole("button", { name: "Another measure" }));
    await waitFor(() => expect(asked.at(-1)?.metrics.map(({ key }) => key)).toEqual(["m1", "m2"]));
    await userEvent.click(screen.getByRole("button", { name: "Remove measure 1" }));
    await userEvent.click(screen.getByRole("button", { name: "Another measure" }));
    await waitFor(() => expect(asked.at(-1)?.metrics.map(({ key }) => key)).toEqual(["m2", "m1"]));
  });
});

describe("saving", () => {
  it("wants a name, and leads to its field", async () => {
    answerWith(preview(1));
    show(null);
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const name = screen.getByRole("textbox", { name: "Name" });
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(screen.getByText("Give the chart a name.").id).toBe(name.getAttribute("aria-describedby"));
    expect(actions.save).not.toHaveBeenCalled();
  });

  it("sends the definition, with the version that was edited", async () => {
    answerWith(preview(1));
    show();
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    await userEvent.click(screen.getByRole("radio", { name: "Pie" }));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(actions.save).toHaveBeenCalledTimes(1));
    const [{ definition, ...fields } = {}] = sentForms();
    expect(fields).toEqual({ ...place, id: stored.id, version: "7" });
    expect(JSON.parse(String(definition))).toEqual({
      name: "By county 2",
      kind: "pie",
      source: "signatures",
      groupBy: "county",
      metrics: [{ key: "n", aggregation: "count" }],
      filters: [],
      display: null,
    });
  });

  it("as a copy sends no id, under another name", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Save as a copy" }));
    await waitFor(() => expect(actions.save).toHaveBeenCalledTimes(1));
    const [{ definition, ...fields } = {}] = sentForms();
    expect(fields).toEqual(place);
    expect(JSON.parse(String(definition)).name).toBe("By county (copy)");
  });

  it("somebody else has changed it meanwhile: says so, and nothing typed is lost", async () => {
    answerWith(preview(1));
    const error = "Somebody else has changed this chart meanwhile.";
    actions.save.mockResolvedValue({ message: null, error });
    show();
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), " 2");
    await userEvent.selectOptions(box("What measure 1 computes"), "Sum");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText(error);
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("By county 2");
    expect(box("What measure 1 computes").value).toBe("sum");
  });

  it("what was refused stands beside its field until that is changed", async () => {
    answerWith(preview(1));
    const message = "The measure n has a column that cannot be summed.";
    actions.save.mockResolvedValue({
      message: null,
      error: message,
      zodIssues: [{ code: "custom", path: ["definition", "metrics", "0", "column"], message }],
    });
    show();
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const id = box("What measure 1 computes").getAttribute("aria-describedby") ?? "";
    await waitFor(() => expect(document.getElementById(id)?.textContent).toBe(message));
    await userEvent.selectOptions(box("What measure 1 computes"), "Sum");
    expect(document.getElementById(id)?.textContent).toBe("");
  });
});

it("a deleted chart is left for the dashboard, where it can be brought back", async () => {
  answerWith(preview(1));
  show();
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(push).toHaveBeenCalledWith(`${path}?deleted=${stored.id}`));
  const [[, form] = []] = actions.remove.mock.calls;
  expect(Object.fromEntries(form)).toEqual({ ...place, id: stored.id });
});

it("a definition that cannot be read is no form, which would save it as an empty one: it says what is wrong", () => {
  show({ ...stored, metrics: [], problem: "metrics.0.aggregation: Invalid option" });
  const section = screen.getByRole("region", { name: "By county" });
  expect(within(section).getByText("metrics.0.aggregation: Invalid option")).toBeTruthy();
  expect(within(section).getByRole("link", { name: "Back to the dashboard" }).getAttribute("href")).toBe(path);
  expect(screen.queryByRole("form")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
  expect(asked).toEqual([]);
});

it("the table of the preview has its numbers", async () => {
  answerWith(preview(5));
  show({ ...stored, kind: "bar" });
  await screen.findByText("5 records · 1 group · 41 ms");
  await userEvent.click(screen.getByRole("button", { name: "Table" }));
  expect(within(screen.getByRole("table")).getByText("King")).toBeTruthy();
});
