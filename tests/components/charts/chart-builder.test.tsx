import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ChartBuilder } from "@/components/charts/builder/chart-builder";
import { FormatProvider } from "@/components/shell/format-provider";
import { definitionOf, draftOf } from "@/lib/charts/builder-draft";
import type { ChartDefinition, ChartQuery } from "@/lib/charts/chart-definition";
import type { ChartSource } from "@/lib/charts/chart-source";
import { touched } from "@/lib/charts/draft-filters";
import { columnsWithheld } from "@/lib/charts/signers-withheld";
import type { StoredChart } from "@/lib/charts/stored-chart";
import type { FormState } from "@/lib/forms/form-state";
import { ErrorPage } from "../../support/error-page.tsx";

const server = setupServer();
const origin = window.location.origin;
const place = { team: "riverside", campaign: "clean-water" };
const path = "/riverside/campaign/clean-water/dashboard";
const columns = [
  { name: "team_id", label: "Team", type: "text" },
  { name: "county", label: "County", type: "text" },
  { name: "line", label: "Line", type: "number", identifies: true },
  { name: "signed_on", label: "Signed on", type: "date" },
  {
    ...{ name: "signed_on_week", label: "Signed on by week", type: "date" },
    part: { of: "signed_on", unit: "week" },
  },
  { name: "entered_at", label: "Entered at", type: "time", identifies: true },
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
  withheld: false,
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

const empty = Promise.resolve({ signatures: ["tags"] });
const region = { locale: "en-US", timeZone: "America/Los_Angeles" };
function show(chart: StoredChart | null = stored, seesSigners = true) {
  const router = { push, back: vi.fn(), forward: vi.fn(), prefetch: vi.fn(), refresh: vi.fn(), replace: vi.fn() };
  render(
    // @ts-expect-error the router of a test has only what is used
    <AppRouterContext value={router}>
      <FormatProvider region={region}>
        <ErrorPage>
          <ChartBuilder
            place={place}
            chart={chart}
            sources={sources}
            emptyColumns={empty}
            seesSigners={seesSigners}
            {...actions}
          />
        </ErrorPage>
      </FormatProvider>
    </AppRouterContext>,
  );
}
const box = (name: string | RegExp) => screen.getByRole<HTMLSelectElement>("combobox", { name });
const addFilter = async (column: string) => {
  await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
  expect(document.activeElement).toBe(box("Column of filter 1")); // for the next key
  await userEvent.selectOptions(box("Column of filter 1"), column);
};
const sentForms = () => actions.save.mock.calls.map(([, form]) => Object.fromEntries(form));

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());
beforeEach(() => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (to: string, init: RequestInit) => real(new URL(to, origin), init));
  vi.stubGlobal("CSS", { escape: (text: string) => text.replaceAll(/[^\w-]/g, (letter) => `\\${letter}`) });
  server.use(http.post(`${origin}${path}/values`, () => HttpResponse.json({ values: [{ value: "King", count: 3 }] })));
  asked = [];
  sessionStorage.clear();
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
    ["a beginning", { filters: [{ column: "county", operator: "ilike", value: "k%" }] }],
    ["a pattern", { filters: [{ column: "county", operator: "ilike", value: "k_ng%" }] }],
    ["a part", { filters: [{ column: "county", operator: "contains", value: "k" }] }],
    ["a place in the alphabet", { filters: [{ column: "county", operator: "gte", value: "k" }] }],
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
    expect(definitionOf(draft, zone)).toEqual({ definition, problems: new Map(), unfinished: new Map() });
    const asTyped = {
      ...draft,
      metrics: draft.metrics.map((metric) => ({ ...metric, segment: metric.segment.map((one) => touched(one)) })),
      filters: draft.filters.map((one) => touched(one)),
    };
    expect(definitionOf(asTyped, zone)).toEqual({ definition, problems: new Map(), unfinished: new Map() });
  });

  it.each([
    ["a moment with more digits than its field", "entered_at", "2026-11-01T08:00:00.000001Z"],
    ["a moment as another program writes it", "entered_at", "2026-11-01 08:00:00+00"],
    ["a moment of the hour that comes twice", "entered_at", "2026-11-01T09:30:00Z"],
    ["an empty text", "county", ""],
    ["no value of several", "county", []],
  ])("%s, unless it is changed", (_case, column, value) => {
    const { name, kind, source, groupBy, metrics } = stored;
    const filters = [{ column, operator: "gte", value }] satisfies ChartDefinition["filters"];
    const draft = draftOf({ name, kind, source, groupBy, metrics, filters }, columns, zone.timeZone);
    expect(definitionOf(draft, zone).definition.filters).toEqual(filters);
    const typed = column === "county" ? "King" : "2026-11-02T10:00";
    const changed = {
      ...draft,
      filters: draft.filters.map((one) => touched(one, { operator: "eq", values: [typed] })),
    };
    const read = column === "county" ? "King" : "2026-11-02T18:00:00.000Z";
    expect(definitionOf(changed, zone).definition.filters[0]?.value).toBe(read);
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
    [" ", "Write a number."],
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
    await waitFor(() => expect(names("Group 1")).toEqual(["County", "Line", "Signed on", "Entered at", "Accepted"]));
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
    expect(document.activeElement).toBe(box("What measure 2 computes"));
    await waitFor(() => expect(asked.at(-1)?.metrics).toHaveLength(2));
    const before = asked.length;
    await userEvent.click(screen.getByRole("button", { name: "A rate, a sum so far, a share or a change" }));
    expect(document.activeElement).toBe(box("What derived number 1 is"));
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
  it("on days are relative, or between two of them", async () => {
    answerWith(preview(1));
    show();
    await addFilter("Signed on");
    await userEvent.selectOptions(box("Value of filter 1, a day or relative"), "in this month");
    expect(screen.queryByLabelText("Value of filter 1")).toBeNull();
    await waitFor(() => expect(asked.at(-1)?.filters[0]?.value).toBe("this month"));
    await userEvent.selectOptions(box("Operator of filter 1"), "is in the last …");
    await userEvent.type(screen.getByLabelText("Value of filter 1"), "7");
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
    await addFilter("County");
    const operators = () => [...box("Operator of filter 1").options].map(({ label }) => label);
    expect(operators()).toEqual([
      ...["is", "is not", "is one of", "contains", "starts with", "is empty", "is not empty"],
    ]);
    await userEvent.selectOptions(box("Operator of filter 1"), "starts with");
    await userEvent.type(box("Value of filter 1"), "Ki");
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ column: "county", operator: "ilike", value: "Ki%" }]));
    await userEvent.type(box("Value of filter 1"), "_");
    await screen.findByText(/^A beginning with % or _ cannot be looked for/);
    await userEvent.selectOptions(box("Column of filter 1"), "Signed on");
    expect(box("Operator of filter 1").value).toBe("eq");
    expect(operators()).toEqual([
      ...["is", "is in the last …", "is between", "is on or after", "is on or before", "is after", "is before"],
      ...["is not", "is one of", "is empty", "is not empty"],
    ]);
    expect(screen.getByLabelText("Value of filter 1").getAttribute("type")).toBe("date");
    await userEvent.selectOptions(box("Operator of filter 1"), "is empty");
    expect(screen.queryByLabelText("Value of filter 1")).toBeNull();
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ column: "signed_on", operator: "eq", value: null }]));
  });

  it.each([
    ["county", "gte", "k", "is or comes after, in the alphabet"],
    ["county", "ilike", "%ing", "is like (% any, _ one)"],
    ["accepted", "neq", true, "is not"],
    ["entered_by", "in", [stored.id], "is one of"],
    ["tags", "eq", ["a"], "is"],
  ] as const)("of %s that are stored with %s %j are shown and kept", async (column, operator, value, words) => {
    answerWith(preview(1));
    const filters = [{ column, operator, value: typeof value === "object" ? [...value] : value }];
    show({ ...stored, filters });
    expect(box("Column of filter 1").value).toBe(column);
    expect(box("Operator of filter 1").selectedOptions[0]?.label).toBe(words);
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual(filters));
  });

  it("offer neither ids nor columns that no record has a value in", async () => {
    answerWith(preview(1));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Only some of the records" }));
    const offered = () => [...box("Column of filter 1").options].map(({ label }) => label);
    await waitFor(() =>
      expect(offered()).toEqual(["Choose a column …", "County", "Line", "Signed on", "Entered at", "Accepted"]),
    );
  });

  it("offer what tells who signed only where that may be seen, and say why not; of a moment its days", async () => {
    answerWith(preview(1));
    show(stored, false);
    expect(screen.getByText(columnsWithheld)).toBeTruthy();
    await addFilter("Entered at by day");
    const names = (name: string) => within(box(name)).getAllByRole("option");
    const offered = names("Column of filter 1").map(({ textContent }) => textContent);
    expect(offered).toEqual(["County", "Signed on", "Entered at by day", "Accepted"]);
    await userEvent.click(screen.getByRole("button", { name: "Then by another column" }));
    await userEvent.selectOptions(box("Group 2"), "Entered at");
    expect(names("Group 2, by").map(({ textContent }) => textContent)).toEqual(["by day"]);
    cleanup();
    show(stored);
    expect(screen.queryByText(columnsWithheld)).toBeNull();
  });

  it("are chosen from what the column has, by keys or by hand", async () => {
    answerWith(preview(1));
    show();
    await addFilter("County");
    await userEvent.type(box("Value of filter 1"), "Ki");
    await screen.findByRole("option", { name: "King 3" });
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(screen.queryByRole("option", { name: "King 3" })).toBeNull();
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ column: "county", operator: "eq", value: "King" }]));
    expect(actions.save).not.toHaveBeenCalled();
    await userEvent.clear(box("Value of filter 1"));
    await userEvent.click(box("Value of filter 1"));
    await userEvent.click(await screen.findByRole("option", { name: "King 3" }));
    expect(screen.getByLabelText<HTMLInputElement>("Value of filter 1").value).toBe("King");
  });

  it("say that no record has their value, and keep it", async () => {
    answerWith(preview(0));
    show({ ...stored, filters: [{ column: "county", operator: "eq", value: "Kng" }] });
    const none = await screen.findByText("No signature has the county “Kng”.");
    expect(screen.getByLabelText("Value of filter 1").getAttribute("aria-describedby")).toContain(none.id);
    await waitFor(() => expect(asked.at(-1)?.filters[0]?.value).toBe("Kng"));
    await userEvent.type(box("Value of filter 1"), "{Control>}a{/Control}King");
    await waitFor(() => expect(screen.queryByText(/^No signature has/)).toBeNull());
  });

  it("have no part in the preview until they have a value, and saving names those without one", async () => {
    answerWith(preview(1));
    show();
    await screen.findByText("1 record · 1 group · 41 ms");
    await addFilter("Line");
    await screen.findByText("Without 1 filter that has no value yet");
    const value = screen.getByLabelText("Value of filter 1");
    expect(value.getAttribute("aria-invalid")).toBe("false");
    await delay(500);
    expect(asked).toHaveLength(1);
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(document.activeElement).toBe(value));
    expect(value.getAttribute("aria-describedby")).toContain(screen.getByText("Give it a value, or remove it.").id);
    expect(actions.save).not.toHaveBeenCalled();
    await userEvent.type(value, "3");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(actions.save).toHaveBeenCalledTimes(1));
  });

  it("several values, one after another with Enter", async () => {
    answerWith(preview(1));
    show();
    await addFilter("County");
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
    await addFilter("Line");
    const value = screen.getByLabelText("Value of filter 1");
    await userEvent.type(value, "x");
    expect(value.getAttribute("aria-describedby")).toContain(screen.getByText("Write a number.").id);
    expect(value.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText("waits until each field is filled in")).toBeTruthy();
    fireEvent.change(value, { target: { value: "12" } });
    await waitFor(() => expect(asked.at(-1)?.filters).toEqual([{ column: "line", operator: "eq", value: 12 }]));
    expect(asked).toHaveLength(2);
    expect(value.getAttribute("aria-invalid")).toBe("false");
  });
});

describe("the preview", () => {
  it("asks once for what was typed in one go, and says what was read, and how long it took", async () => {
    answerWith(preview(11_862));
    show();
    await screen.findByText("11,862 records · 1 group · 41 ms");
    await addFilter("County");
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
    expect(document.activeElement).toBe(box("Group 2"));
    const offered = [...box("Group 2").querySelectorAll("option")].map(({ textContent }) => textContent);
    expect(offered).not.toContain("County");
    expect(offered).not.toContain("Team");
    await userEvent.click(screen.getByRole("button", { name: "Group 2 earlier" }));
    await waitFor(() => expect(asked.at(-1)?.groupBy).toBe("signed_on,county"));
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

describe("the kind", () => {
  it("that fits is marked, with why; one that cannot show it says so, and offers it", async () => {
    answerWith((query) => {
      const days = Array.from({ length: 40 }, (_, day) =>
        new Date(Date.UTC(2026, 8, 1 + day)).toISOString().slice(0, 10),
      );
      const rows = days.map((day) => ({ key: day, group: { signed_on: day }, values: { n: 1 } }));
      const result = { ...query, rows, recordCount: 40, groupCount: 40, generatedAt: "2026-11-20T10:00:00Z" };
      return HttpResponse.json({ result, milliseconds: 1 });
    });
    show({ ...stored, kind: "pie", groupBy: "signed_on" });
    await screen.findByText("Not shown as “pie”");
    const why = (name: string) => {
      const id = screen.getByRole("radio", { name }).getAttribute("aria-describedby") ?? "";
      return document.getElementById(id)?.textContent;
    };
    expect(why("Lines")).toBe("Fits. A line shows how it goes on.");
    expect(why("Number")).toBe("A number has no groups, and this has.");
    await userEvent.click(screen.getByRole("button", { name: "Show as “lines”" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Lines" }).checked).toBe(true);
    expect(screen.queryByText(/^Not shown as/)).toBeNull();
  });

  it("of days that stand second: they can be put first, as lines", async () => {
    answerWith((query) => {
      const groups = Array.from({ length: 40 }, (_, at) => ({ county: `County ${at}`, signed_on: "2026-11-20" }));
      const rows = groups.map((group) => ({ key: group.county, group, values: { n: 1 } }));
      const result = { ...query, rows, recordCount: 40, groupCount: 40, generatedAt: "2026-11-20T10:00:00Z" };
      return HttpResponse.json({ result, milliseconds: 1 });
    });
    show({ ...stored, kind: "bar", groupBy: "county,signed_on" });
    await userEvent.click(await screen.findByRole("button", { name: "Show as “lines”, with “Signed on” first" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Lines" }).checked).toBe(true);
    await waitFor(() => expect(asked.at(-1)?.groupBy).toBe("signed_on,county"));
  });
});

describe("leaving with changes that are not saved", () => {
  const draftSchema = "@/lib/charts/draft-schema";
  const name = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
  const keptTexts = () => Object.values(sessionStorage).join("");
  const change = async () => {
    answerWith(preview(1));
    show();
    await userEvent.type(name(), " 2");
    await waitFor(() => expect(keptTexts()).toContain("By county 2"));
  };
  beforeEach(() => {
    HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true;
    };
    HTMLDialogElement.prototype.close = function close() {
      this.open = false;
      this.dispatchEvent(new Event("close"));
    };
  });

  it("asks first, and stays where one is", async () => {
    await change();
    await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Stay" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(name().value).toBe("By county 2");
    expect(push).not.toHaveBeenCalled();
  });

  it("kept, they are there when one comes back, with the version that they began with", async () => {
    await change();
    await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Keep and leave" }));
    expect(push).toHaveBeenCalledWith(path);
    cleanup();
    show({ ...stored, version: 9 });
    await screen.findByText("Your changes are back, not saved yet.");
    expect(name().value).toBe("By county 2");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sentForms()[0]?.version).toBe("7"));
  });

  it("discarded, they are gone, here and later", async () => {
    await change();
    await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Discard and leave" }));
    expect(push).toHaveBeenCalledWith(path);
    expect(keptTexts()).toBe("");
    cleanup();
    await change();
    cleanup();
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Discard them" }));
    expect(name().value).toBe("By county");
    expect(keptTexts()).toBe("");
  });

  it("asks at Back, and goes on from there", async () => {
    const navigation = Object.assign(new EventTarget(), { traverseTo: vi.fn(() => ({})) });
    vi.stubGlobal("navigation", navigation);
    await change();
    const back = () =>
      Object.assign(new Event("navigate", { cancelable: true }), {
        navigationType: "traverse",
        destination: { key: "before", sameDocument: true },
      });
    const first = back();
    act(() => void navigation.dispatchEvent(first));
    expect(first.defaultPrevented).toBe(true);
    await userEvent.click(await screen.findByRole("button", { name: "Keep and leave" }));
    expect(navigation.traverseTo).toHaveBeenCalledWith("before");
    const second = back();
    navigation.dispatchEvent(second);
    expect(second.defaultPrevented).toBe(false);
  });

  it("as the tab is closed the browser asks; without changes, and after them, nobody does", async () => {
    const isAsked = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await change();
    expect(isAsked()).toBe(true);
    await userEvent.type(name(), "{Backspace}{Backspace}");
    expect(isAsked()).toBe(false);
    expect(keptTexts()).toBe("");
    await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("until they are read nothing can be typed, which they would overwrite", async () => {
    await change();
    cleanup();
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.doMock(draftSchema, async (original) => {
      await promise;
      return original();
    });
    show();
    const form = screen.getByRole("form");
    await delay(50);
    expect(form.hasAttribute("inert")).toBe(true);
    resolve();
    await screen.findByText("Your changes are back, not saved yet.");
    vi.doUnmock(draftSchema);
    expect(form.hasAttribute("inert")).toBe(false);
    expect(name().value).toBe("By county 2");
  });

  it("stay when they cannot be read, and the page hears of it", async () => {
    await change();
    const before = keptTexts();
    cleanup();
    vi.spyOn(console, "error").mockReturnValue();
    vi.doMock(draftSchema, () => Promise.reject(new Error("The connection is gone.")));
    show();
    await screen.findByText("Error: The connection is gone.");
    vi.doUnmock(draftSchema);
    expect(keptTexts()).toBe(before);
  });

  it("what another program has put in their place is passed over", async () => {
    sessionStorage.setItem(`signet:chart::${path}/${stored.id}`, '{"draft":{"name":3}}');
    answerWith(preview(1));
    show();
    await screen.findByText("1 record · 1 group · 41 ms");
    expect(name().value).toBe("By county");
    expect(keptTexts()).toBe("");
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
