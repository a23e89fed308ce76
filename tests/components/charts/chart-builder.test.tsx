import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ChartBuilder } from "@/components/charts/builder/chart-builder";
import { UnreadableChart } from "@/components/charts/dashboard/unreadable-chart";
import { FormatProvider } from "@/components/shell/format-provider";
import { columnsHiddenMessage } from "@/lib/charts/definition/columns";
import type { ChartDefinition, ChartQuery } from "@/lib/charts/definition/definition";
import type { ChartRow } from "@/lib/charts/definition/result";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { StoredChart } from "@/lib/charts/definition/stored-chart";
import { changedByOther } from "@/lib/charts/messages";
import type { FormState } from "@/lib/forms/form-state";
import { ErrorPage } from "../../support/error-page.tsx";

// What is decided without a page is in tests/unit/charts/builder-draft.test.ts.

// Only the test of the pause in typing waits for it.
const typing = vi.hoisted(() => ({ isDelayed: false }));
vi.mock("@/lib/http/call-api", async (load) => {
  const real = await load<typeof import("@/lib/http/call-api")>();
  const callApi = (...[path, question]: Parameters<typeof real.callApi>) =>
    real.callApi(path, { ...question, ...(!typing.isDelayed && { delayMs: 0 }) });
  return { ...real, callApi };
});
configure({ defaultHidden: true }); // nothing is hidden in jsdom, and computing that is slow

const server = setupServer();
const origin = window.location.origin;
const place = { team: "riverside", campaign: "clean-water" };
const path = "/riverside/campaign/clean-water/dashboard";
const columns: ChartSource["columns"] = [
  { name: "team_id", label: "Team", type: "text" },
  { name: "county", label: "County", type: "text" },
  { name: "line", label: "Line", type: "number", identifies: true },
  { name: "signed_on", label: "Signed on", type: "date" },
  { name: "signed_on_week", label: "Signed on by week", type: "date", part: { of: "signed_on", unit: "week" } },
  { name: "entered_at", label: "Entered at", type: "time", identifies: true },
  { name: "entered_at_day", label: "Entered at by day", type: "date", part: { of: "entered_at", unit: "day" } },
  { name: "accepted", label: "Accepted", type: "boolean" },
  { name: "entered_by", label: "Entered by", type: "uuid" },
  { name: "tags", label: "Tags", type: "array" },
];
const sources: ChartSource[] = [
  { name: "signatures", label: "Signatures", description: "accepted lines", columns },
  { name: "lines", label: "Lines", description: "every line that was entered", columns: columns.slice(0, 3) },
];
const definition: ChartDefinition = {
  name: "By county",
  kind: "table",
  source: "signatures",
  groupBy: "county",
  metrics: [{ key: "n", aggregation: "count" }],
  filters: [],
  display: null,
};
const stored: StoredChart = {
  ...definition,
  ...place,
  id: "00000000-0000-4000-8000-000000000001",
  display: null,
  version: 7,
  data: null,
  outdated: false,
  withheld: false,
  problem: null,
  updatedAt: "2026-11-20T09:00:00.123456+00:00",
  dashboard: null,
  width: 1,
  text: null,
};

let queries: ChartQuery[] = [];
const actions = { save: vi.fn<(state: FormState, form: FormData) => Promise<FormState>>(), remove: vi.fn() };
const push = vi.fn();
const replace = vi.fn();
const refresh = vi.fn();

function answerWith(respond: (query: ChartQuery) => Response | Promise<Response>) {
  const handler = async ({ request }: { request: Request }) => {
    const query: ChartQuery = JSON.parse(await request.text());
    queries.push(query);
    return respond(query);
  };
  server.use(http.post(`${origin}${path}/preview`, handler));
}
const preview = (query: ChartQuery, recordCount: number, rows: ChartRow[]) => {
  const result = { ...query, rows, recordCount, groupCount: rows.length, generatedAt: "2026-11-20T10:00:00Z" };
  return HttpResponse.json({ result });
};
const counted = (recordCount: number) => (query: ChartQuery) =>
  preview(query, recordCount, [
    { key: "King", group: { county: "King" }, values: { [query.metrics[0]?.key ?? ""]: recordCount } },
  ]);
const grouped = (groups: ChartRow["group"][]) => (query: ChartQuery) =>
  preview(
    query,
    groups.length,
    groups.map((group) => ({ key: JSON.stringify(group), group, values: { n: 1 } })),
  );

const empty = Promise.resolve({ signatures: ["tags"] });
function builderOf(chart: StoredChart | null, canSeeSigners: boolean, read = sources) {
  const router = { push, back: vi.fn(), forward: vi.fn(), prefetch: vi.fn(), refresh, replace };
  return (
    // @ts-expect-error the router of a test has only what is used
    <AppRouterContext value={router}>
      <FormatProvider region={{ locale: "en-US", timeZone: "America/Los_Angeles" }}>
        <ErrorPage>
          <ChartBuilder
            place={place}
            chart={chart}
            dashboardId={null}
            sources={read}
            canSeeSigners={canSeeSigners}
            emptyColumns={empty}
            {...actions}
          />
        </ErrorPage>
      </FormatProvider>
    </AppRouterContext>
  );
}

const show = (chart: StoredChart | null = stored, canSeeSigners = true) => render(builderOf(chart, canSeeSigners));

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const box = (label: string) => screen.getByLabelText<HTMLSelectElement>(label);
const offered = (label: string) => [...box(label).options].map(({ text }) => text);
const button = (name: string) => screen.getByRole("button", { name });
const press = (name: string) => user.click(button(name));
const choose = (label: string, option: string) => user.selectOptions(box(label), option);
const type = (label: string | RegExp, text: string) => user.type(field(label), text);
const describedBy = (element: HTMLElement) => element.getAttribute("aria-describedby") ?? "";
const addFilter = async (column: string) => {
  await press("Add a filter");
  expect(document.activeElement).toBe(box("Column of filter 1")); // for the next key
  await choose("Column of filter 1", column);
  await screen.findAllByLabelText(/^Value of filter 1/);
};
const expectQuery = (query: Partial<ChartQuery>) => waitFor(() => expect(queries.at(-1)).toMatchObject(query));
const expectFilters = (...filters: ChartQuery["filters"]) => expectQuery({ filters });
const savedForm = async () => {
  await waitFor(() => expect(actions.save).toHaveBeenCalledTimes(1));
  const { definition: sent, ...fields } = Object.fromEntries(actions.save.mock.calls[0]?.[1] ?? []);
  return { fields, definition: JSON.parse(String(sent)) };
};

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());
beforeEach(() => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (to: string, init: RequestInit) => real(new URL(to, origin), init));
  vi.stubGlobal("CSS", { escape: (text: string) => text.replaceAll(/[^\w-]/g, (letter) => `\\${letter}`) });
  server.use(http.post(`${origin}${path}/values`, () => HttpResponse.json({ values: [{ value: "King", count: 3 }] })));
  answerWith(counted(1));
  queries = [];
  typing.isDelayed = false;

  actions.save.mockResolvedValue({ message: "Saved.", error: null });
  actions.remove.mockResolvedValue({ message: "Deleted.", error: null });
});
afterEach(() => {
  vi.clearAllMocks();
  server.resetHandlers();
});

describe("groups", () => {
  it("offers a date or time as one field with its parts, by day at first", async () => {
    show({ ...stored, groupBy: "signed_on_week" });
    await waitFor(() => expect(offered("Group 1")).toEqual(["County", "Line", "Signed on", "Entered at", "Accepted"]));
    expect(offered("Group 1, by")).toEqual(["by day", "by week"]);
    expect(box("Group 1, by").value).toBe("signed_on_week");
    await choose("Group 1", "Entered at");
    await expectQuery({ groupBy: "entered_at_day" });
    await choose("Group 1, by", "by exact time");
    await expectQuery({ groupBy: "entered_at" });
    await choose("Group 1", "County");
    expect(screen.queryByLabelText("Group 1, by")).toBeNull();
  });

  it("reorders groups, offers each column once, and keeps those that another source has", async () => {
    show();
    await press("Add a group");
    expect(document.activeElement).toBe(box("Group 2"));
    expect(offered("Group 2")).not.toContain("County");
    expect(offered("Group 2")).not.toContain("Team");
    await press("Move group 2 up");
    await expectQuery({ groupBy: "signed_on,county" });
    await choose("Source", "Lines");
    await expectQuery({ source: "lines", groupBy: "county" });
  });
});

it("adds, changes and removes measures, each with a unique key", async () => {
  show(null);
  await press("Add a measure");
  expect(document.activeElement).toBe(box("Aggregation of measure 2"));
  expect(offered("Column of measure 2").slice(0, 2)).toEqual([
    "signatures",
    "only signatures where County is filled in",
  ]);
  await press("Remove measure 1");
  await press("Add a measure");
  await choose("Aggregation of measure 2", "Highest");
  expect(offered("Column of measure 2")).toEqual(["Line", "Signed on", "Entered at"]);
  await expectQuery({
    metrics: [
      { key: "m2", aggregation: "count" },
      { key: "m1", aggregation: "max", column: "line" },
    ],
  });
});

it.each([
  ["table", []],
  ["bar", ["n", "m1"]],
] as const)(
  "offers registered voters by county once the voter file is loaded, and a rate per 100 in a %s",
  async (kind, hidden) => {
    const first = "Aggregation of measure 1";
    const note = /ask the person who runs this server to load a voter file/;
    show();
    expect(offered(first)).not.toContain("Registered voters");
    expect(screen.getByText(note)).toBeTruthy();
    cleanup();
    const [signatures] = sources;
    render(builderOf({ ...stored, kind }, true, signatures && [{ ...signatures, countsVoters: true }]));
    expect(screen.queryByText(note)).toBeNull();
    await press("Add a measure");
    await choose("Aggregation of measure 2", "Registered voters");
    expect(screen.queryByLabelText("Column of measure 2")).toBeNull();
    expect(screen.getAllByRole("button", { name: "Only signatures where…" })).toHaveLength(1);
    await press("Add a rate, running total, share, or change");
    await press("Save chart");
    expect((await savedForm()).definition).toMatchObject({
      metrics: [
        { key: "n", aggregation: "count" },
        { key: "m1", aggregation: "registered" },
      ],
      display: { derived: [{ kind: "rate", of: "n", over: "m1", format: "per100" }], hidden },
    });
    await choose("Group 1", "Signed on");
    expect(offered(first)).not.toContain("Registered voters");
  },
);

it("saves a rate of two measures with a goal in percent, without asking for the data again", async () => {
  const metrics = ["n", "m1"].map((key) => ({ key, aggregation: "count" as const }));
  show({ ...stored, metrics });
  await expectQuery({ metrics });
  await press("Add a rate, running total, share, or change");
  expect(document.activeElement).toBe(box("Kind of calculation 1"));
  for (const shown of screen.getAllByRole("checkbox", { name: "Signatures" })) await user.click(shown);
  await type("Label of calculation 1", "Valid");
  await type("Goal, in percent", "95.5");
  await choose("Sort groups by", "Valid: largest first");
  await choose("Number of groups", "County: top 5, the rest as Other");
  await press("Save chart");
  expect((await savedForm()).definition.display).toEqual({
    derived: [{ key: "d1", label: "Valid", kind: "rate", of: "m1", over: "n", format: "percent" }],
    hidden: ["n", "m1"],
    order: { by: "d1", descending: true },
    top: { column: "county", count: 5 },
    goal: { value: 0.955 },
  });
  expect(queries).toHaveLength(1);
  await type("Goal, in percent", " or so");
  await press("Save chart");
  await screen.findByText("Enter the goal as a number.");
  expect(actions.save).toHaveBeenCalledTimes(1);
  await press("Remove measure 2");
  expect(screen.queryByLabelText("Kind of calculation 1")).toBeNull();
});

it("asks for another divisor while a rate is of itself", async () => {
  show();
  await press("Add a rate, running total, share, or change");
  await choose("Kind of calculation 1", "Rate of");
  const problem = screen.getByText("Choose another divisor, or add a measure.");
  expect(describedBy(box("Divisor of calculation 1"))).toContain(problem.id);
});

it("offers shares and running totals only of measures that add up", async () => {
  const metrics = [
    { key: "u", aggregation: "distinct" as const, column: "county" },
    { key: "n", aggregation: "count" as const },
  ];
  show({ ...stored, metrics });
  await press("Add a rate, running total, share, or change");
  await choose("Measure of calculation 1", "Unique counties");
  await choose("Kind of calculation 1", "Share of");
  expect([...box("Measure of calculation 1").options].map(({ text }) => text)).toEqual(["Signatures"]);
  expect(box("Measure of calculation 1").value).toBe("n");
});

describe("filters", () => {
  it("on dates are relative or between two dates", async () => {
    show();
    await addFilter("Signed on");
    await choose("Value of filter 1, fixed or relative", "in this month");
    expect(screen.queryByLabelText("Value of filter 1")).toBeNull();
    await expectFilters({ column: "signed_on", operator: "eq", value: "this month" });
    await choose("Operator of filter 1", "is in the last …");
    await type("Value of filter 1", "7");
    await expectFilters({ column: "signed_on", operator: "eq", value: "last 7 days" });
    await screen.findByText("Only where Signed on is in the last 7 days (Nov 14, 2026 to Nov 20, 2026)");
    await choose("Operator of filter 1", "is between");
    fireEvent.change(field("Value of filter 1, from"), { target: { value: "2026-11-01" } });
    fireEvent.change(field("Value of filter 1, to"), { target: { value: "2026-11-09" } });
    await expectFilters(
      { column: "signed_on", operator: "gte", value: "2026-11-01" },
      { column: "signed_on", operator: "lte", value: "2026-11-09" },
    );
  });

  it("show a database error at the right field when an earlier filter counts as two", async () => {
    answerWith(() => HttpResponse.json({ error: "No such line.", part: "filters.2.value" }, { status: 422 }));
    const ends = [
      { column: "line", operator: "gte" as const, value: 1 },
      { column: "line", operator: "lte" as const, value: 9 },
    ];
    show({ ...stored, filters: [...ends, { column: "line", operator: "eq", value: 3 }] });
    await waitFor(() => expect(field("Value of filter 2").getAttribute("aria-invalid")).toBe("true"));
    const shownAt = screen.getAllByText("No such line.").map(({ id }) => id);
    expect(shownAt.some((id) => describedBy(field("Value of filter 2")).includes(id))).toBe(true);
    expect(field("Value of filter 1, to").getAttribute("aria-invalid")).toBe("false");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("keep a chart from being saved that can't be computed, such as one of too many groups", async () => {
    const error = "This makes more than 5,000 groups. Group by fewer columns or add a filter.";
    answerWith(() => HttpResponse.json({ error, part: "groupBy" }, { status: 422 }));
    show();
    await waitFor(() => expect(field("Group 1").getAttribute("aria-invalid")).toBe("true"));
    await press("Save chart");
    await waitFor(() => expect(document.activeElement).toBe(field("Group 1")));
    expect(actions.save).not.toHaveBeenCalled();
  });

  it("ask for a label where two measures are called the same", async () => {
    const metrics = ["n", "m"].map((key) => ({ key, aggregation: "count" as const }));
    show({ ...stored, metrics });
    await expectQuery({ metrics });
    await press("Save chart");
    await screen.findByText("“Signatures” is already a measure. Enter another label.");
    expect(actions.save).not.toHaveBeenCalled();
    await type("Label of measure 2", "All");
    await press("Save chart");
    expect((await savedForm()).definition.metrics).toMatchObject([{ key: "n" }, { key: "m", label: "All" }]);
  });

  it("name a measure that the database refuses by what it is called", async () => {
    const error = 'The measure "n" needs a column.';
    answerWith(() => HttpResponse.json({ error, part: "metrics.0.column" }, { status: 422 }));
    show({ ...stored, metrics: [{ key: "n", aggregation: "count", label: "Lines" }] });
    await screen.findAllByText("The measure “Lines” needs a column.");
  });

  it("drop an operator and a value that don't fit the new column", async () => {
    show();
    await addFilter("County");
    await choose("Operator of filter 1", "starts with");
    await type("Value of filter 1", "Ki");
    await expectFilters({ column: "county", operator: "ilike", value: "Ki%" });
    await type("Value of filter 1", "_");
    await screen.findByText(/^“Starts with” can't look for % or _/);
    await choose("Column of filter 1", "Signed on");
    expect(box("Operator of filter 1").value).toBe("eq");
    expect(field("Value of filter 1").type).toBe("date");
    await choose("Operator of filter 1", "is empty");
    expect(screen.queryByLabelText("Value of filter 1")).toBeNull();
    await expectFilters({ column: "signed_on", operator: "eq", value: null });
  });

  it("offer columns that identify signers only to people who can see signatures, and say why", async () => {
    show(stored, false);
    expect(screen.getByText(columnsHiddenMessage)).toBeTruthy();
    await addFilter("Entered at by day");
    expect(offered("Column of filter 1")).toEqual(["County", "Signed on", "Entered at by day", "Accepted"]);
    await press("Add a group");
    await choose("Group 2", "Entered at");
    expect(offered("Group 2, by")).toEqual(["by day"]);
    cleanup();
    sessionStorage.clear();
    show();
    expect(screen.queryByText(columnsHiddenMessage)).toBeNull();
    await press("Add a filter");
    const all = ["Choose a column…", "County", "Line", "Signed on", "Entered at", "Accepted"];
    await waitFor(() => expect(offered("Column of filter 1")).toEqual(all)); // without those that no record has
  });

  it("suggest values of the column, chosen by keyboard or mouse", async () => {
    show();
    await addFilter("County");
    await type("Value of filter 1", "Ki");
    await screen.findByRole("option", { name: "King 3" });
    await user.keyboard("{ArrowDown}{Enter}");
    expect(screen.queryByRole("option", { name: "King 3" })).toBeNull();
    await expectFilters({ column: "county", operator: "eq", value: "King" });
    expect(actions.save).not.toHaveBeenCalled();
    await user.clear(field("Value of filter 1"));
    await user.click(field("Value of filter 1"));
    await user.click(await screen.findByRole("option", { name: "King 3" }));
    expect(field("Value of filter 1").value).toBe("King");
  });

  it("take the spelling of the only value that differs in its case", async () => {
    show();
    await addFilter("County");
    await type("Value of filter 1", "king");
    await screen.findByRole("option", { name: "King 3" });
    await user.tab();
    await expectFilters({ column: "county", operator: "eq", value: "King" });
  });

  it("say that no record has the value, and keep it", async () => {
    show({ ...stored, filters: [{ column: "county", operator: "eq", value: "Kng" }] });
    const none = await screen.findByText("No signature has the county “Kng.”");
    expect(describedBy(field("Value of filter 1"))).toContain(none.id);
    await expectFilters({ column: "county", operator: "eq", value: "Kng" });
    fireEvent.change(field("Value of filter 1"), { target: { value: "King" } });
    await waitFor(() => expect(screen.queryByText(/^No signature has/)).toBeNull());
  });

  it("of a measure are called conditions", async () => {
    show();
    await press("Only signatures where…");
    await screen.findByText("1 unfinished condition isn't applied");
    await press("Save chart");
    await screen.findByText("Choose a column, or remove this condition.");
  });

  it("are left out of the preview until their value is valid, and saving points to those without one", async () => {
    show();
    await expectQuery({});
    await addFilter("Line");
    await screen.findByText("1 unfinished filter isn't applied");
    const value = field("Value of filter 1");
    expect(value.getAttribute("aria-invalid")).toBe("false");
    await press("Save chart");
    await waitFor(() => expect(document.activeElement).toBe(value));
    expect(describedBy(value)).toContain(screen.getByText("Enter a value, or remove this filter.").id);
    expect(actions.save).not.toHaveBeenCalled();
    await type("Value of filter 1", "x");
    expect(describedBy(value)).toContain(screen.getByText("Enter a number.").id);
    expect(value.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText("Fix the fields marked in red to update the preview")).toBeTruthy();
    fireEvent.change(value, { target: { value: "12" } });
    await expectFilters({ column: "line", operator: "eq", value: 12 });
    expect(queries).toHaveLength(2);
    expect(value.getAttribute("aria-invalid")).toBe("false");
    await press("Save chart");
    await savedForm();
  });

  it("are alternatives with “or”", async () => {
    show();
    await addFilter("County");
    await type("Value of filter 1", "King");
    await press("Add another filter");
    await choose("Column of filter 2", "Accepted");
    await choose("Value of filter 2", "no");
    await choose("How filter 2 is combined", "or");
    const any = [
      { column: "county", operator: "eq" as const, value: "King" },
      { column: "accepted", operator: "eq" as const, value: false },
    ];
    await expectFilters({ any });
    await choose("How filter 2 is combined", "and");
    await expectFilters(...any);
  });

  it("take several values, each confirmed with Enter", async () => {
    show();
    await addFilter("County");
    await choose("Operator of filter 1", "is one of");
    await type(/^Value of filter 1/, "King{Enter}Pierce");
    await expectFilters({ column: "county", operator: "in", value: ["King", "Pierce"] });
    await press("Remove King");
    await expectFilters({ column: "county", operator: "in", value: ["Pierce"] });
    expect(actions.save).not.toHaveBeenCalled();
  });
});

describe("the preview", () => {
  it("asks once for text typed in one go, and shows the record count and the time it took", async () => {
    typing.isDelayed = true;
    answerWith(counted(11_862));
    show({ ...stored, filters: [{ column: "county", operator: "contains", value: "K" }] });
    await screen.findByText("11,862 signatures · 1 group");
    await type("Value of filter 1", "ing");
    await expectFilters({ column: "county", operator: "contains", value: "King" });
    expect(queries.length).toBeLessThanOrEqual(3); // a busy machine may pause once
  });

  it("is waited for when a chart is saved, which is then refused if its type doesn't fit", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    show({ ...stored, kind: "pie" });
    await screen.findByText("1 signature · 1 group");
    answerWith((query) => promise.then(() => counted(-1)(query)));
    await press("Remove group 1");
    await press("Save chart");
    expect(screen.getByText("Saving…")).toBeTruthy();
    expect(actions.save).not.toHaveBeenCalled();
    resolve();
    await screen.findByText(/^Choose another chart type/);
    expect(actions.save).not.toHaveBeenCalled();
  });

  it("ignores an older answer that arrives after a newer one", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const answers: Promise<unknown>[] = [];
    answerWith((query) => {
      const result = query.groupBy === "county" ? promise.then(() => counted(1)(query)) : counted(2)(query);
      answers.push(Promise.resolve(result));
      return result;
    });
    show();
    await expectQuery({ groupBy: "county" });
    await press("Remove group 1");
    await screen.findByText("2 signatures");
    resolve();
    await act(() => Promise.all(answers));
    expect(screen.getByText("2 signatures")).toBeTruthy();
    expect(queries.map(({ groupBy }) => groupBy)).toEqual(["county", ""]);
  });

  it("shows an error, and asks again on request", async () => {
    const error = "This chart took longer than 15 seconds. Add a filter.";
    answerWith(() => HttpResponse.json({ error }, { status: 504 }));
    show();
    await screen.findByText(error);
    answerWith(counted(3));
    await press("Try again");
    await screen.findByText("3 signatures · 1 group");
    expect(screen.queryByText(error)).toBeNull();
  });

  it("shows its numbers in a table", async () => {
    show({ ...stored, kind: "bar" });
    await screen.findByText("1 signature · 1 group");
    await press("Table");
    expect(within(screen.getByRole("table")).getByText("King")).toBeTruthy();
  });
});

describe("saving", () => {
  it("requires a name and focuses its field", async () => {
    show(null);
    await press("Save chart");
    await waitFor(() => expect(document.activeElement).toBe(field("Name")));
    expect(screen.getByText("Enter a name.").id).toBe(describedBy(field("Name")));
    expect(actions.save).not.toHaveBeenCalled();
  });

  it("sends the definition, with the version that was edited", async () => {
    show();
    await user.click(screen.getByRole("radio", { name: "Pie" }));
    await press("Save chart");
    const fields = { ...place, id: stored.id, version: "7", updatedAt: stored.updatedAt };
    expect(await savedForm()).toEqual({ fields, definition: { ...definition, kind: "pie" } });
  });

  it("as a copy sends another name and no ID", async () => {
    show();
    await press("Save as a copy");
    expect(await savedForm()).toEqual({ fields: place, definition: { ...definition, name: "By county (copy)" } });
  });

  it("shows why a value was refused until it changes, and keeps everything typed", async () => {
    const message = "The measure n has a column that cannot be summed.";
    const zodIssues = [{ code: "custom" as const, path: ["definition", "metrics", "0", "column"], message }];
    actions.save.mockResolvedValue({ message: null, error: "Not saved.", zodIssues });
    show();
    await type("Name", " 2");
    await press("Save chart");
    await screen.findByText("Not saved.");
    await waitFor(() => expect(document.activeElement).toBe(box("Aggregation of measure 1")));
    const id = describedBy(box("Aggregation of measure 1"));
    expect(document.getElementById(id)?.textContent).toBe(message);
    expect(field("Name").value).toBe("By county 2");
    await choose("Aggregation of measure 1", "Sum");
    expect(document.getElementById(id)?.textContent).toBe("");
  });
});

describe("a chart that someone else changed", () => {
  const theirs = { ...stored, name: "Theirs", kind: "pie" as const, updatedAt: "2026-11-20T09:30:00+00:00" };
  // Their version is read again, as by a refresh of the page.
  async function saveLate() {
    actions.save.mockResolvedValueOnce({ message: null, error: changedByOther });
    const { rerender } = show();
    await type("Name", " 2");
    await press("Save chart");
    await waitFor(() => expect(refresh).toHaveBeenCalled());
    rerender(builderOf(theirs, true));
    const dialog = await screen.findByRole("dialog", { name: "Someone else changed this chart" });
    expect(dialog.textContent).toContain("Yours differs in its name (theirs: “Theirs”) and chart type (theirs: pie).");
    return async () => {
      const sent = Object.fromEntries(actions.save.mock.calls.at(-1)?.[1] ?? []);
      return [JSON.parse(String(sent.definition)).name, sent.id, sent.updatedAt];
    };
  }

  it("is only replaced after a question", async () => {
    const lastSaved = await saveLate();
    expect(actions.save).toHaveBeenCalledTimes(1);
    await press("Replace theirs");
    await waitFor(() => expect(actions.save).toHaveBeenCalledTimes(2));
    expect(await lastSaved()).toEqual(["By county 2", stored.id, theirs.updatedAt]);
  });

  it("can be saved as a copy, or edited further", async () => {
    const lastSaved = await saveLate();
    await press("Keep editing");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(field("Name").value).toBe("By county 2");
    await press("Save as a copy");
    await waitFor(() => expect(actions.save).toHaveBeenCalledTimes(2));
    expect(await lastSaved()).toEqual(["By county 2", undefined, undefined]);
  });
});

describe("undo and redo", () => {
  it("takes back each change, and all typing in one field at once", async () => {
    show();
    expect(button("Undo").ariaDisabled).toBe("true");
    await type("Name", " and city");
    await user.click(screen.getByRole("radio", { name: "Pie" }));
    await press("Remove group 1");
    await expectQuery({ groupBy: "" });
    await press("Undo");
    await expectQuery({ groupBy: "county" });
    await press("Undo");
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Table" }).checked).toBe(true);
    await press("Undo");
    expect(field("Name").value).toBe("By county");
    expect(button("Undo").ariaDisabled).toBe("true");
    await press("Redo");
    expect(field("Name").value).toBe("By county and city");
    await type("Name", "!");
    expect(button("Redo").ariaDisabled).toBe("true"); // a change forgets what was taken back
  });

  it("has keys, except in text fields, where the browser takes typing back", async () => {
    show();
    await press("Remove group 1");
    await user.click(field("Name"));
    await user.keyboard("{Control>}z{/Control}");
    expect(screen.queryByLabelText("Group 1")).toBeNull();
    box("Source").focus();
    await user.keyboard("{Control>}z{/Control}");
    expect(box("Group 1").value).toBe("county");
    await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
    expect(screen.queryByLabelText("Group 1")).toBeNull();
    await user.keyboard("{Control>}z{/Control}{Control>}y{/Control}");
    expect(screen.queryByLabelText("Group 1")).toBeNull();
  });
});

it("sorts by the head of the preview's table, which saves the order", async () => {
  show();
  const sortOf = (name: string) => screen.getByRole("columnheader", { name }).getAttribute("aria-sort");
  await user.click(await screen.findByRole("button", { name: "Signatures" }));
  await waitFor(() => expect(sortOf("Signatures")).toBe("descending"));
  expect(box("Sort groups by").selectedOptions[0]?.text).toBe("Signatures: largest first");
  await press("County");
  await waitFor(() => expect([sortOf("Signatures"), sortOf("County")]).toEqual([null, "ascending"]));
  await press("County");
  await waitFor(() => expect(sortOf("County")).toBe("descending"));
  await press("Save chart");
  expect((await savedForm()).definition.display).toEqual({
    derived: [],
    hidden: [],
    order: { column: "county", descending: true },
  });
  cleanup();
  sessionStorage.clear(); // the draft, which the builder would restore
  show();
  await user.click(await screen.findByRole("button", { name: "County" }));
  await waitFor(() => expect(sortOf("County")).toBe("ascending"));
  await press("County");
  await waitFor(() => expect(sortOf("County")).toBe("descending"));
  await press("County");
  await waitFor(() => expect(sortOf("County")).toBeNull()); // the usual order again
});

describe("the kind", () => {
  const expectLine = () => expect(screen.getByRole<HTMLInputElement>("radio", { name: "Line" }).checked).toBe(true);

  it("marks the one that fits and why, and offers it when the chosen one can't show the data", async () => {
    const day = (index: number) => new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10);
    answerWith(grouped(Array.from({ length: 40 }, (_, index) => ({ signed_on: day(index) }))));
    show({ ...stored, kind: "pie", groupBy: "signed_on" });
    await screen.findByText("Can't show this as “pie”");
    const why = (name: string) =>
      document.getElementById(describedBy(screen.getByRole("radio", { name })))?.textContent;
    expect(why("Line")).toBe("A line shows change along its axis.");
    expect(why("Heat map")).toBe("A heat map needs exactly two groups.");
    expect(screen.getAllByText("needs two groups")).toHaveLength(2); // for people who don't choose it to find out
    await press("Show as “line”");
    expectLine();
    expect(screen.queryByText(/^Can't show this as/)).toBeNull();
  });

  it("suggests a name, which only a press takes over", async () => {
    show(null);
    expect(field("Name").value).toBe("");
    await press("Use “Signatures by county”");
    expect(field("Name").value).toBe("Signatures by county");
    expect(screen.queryByRole("button", { name: /^Use/ })).toBeNull();
  });

  it("doesn't save a new chart as a type that can't show it, and says what to choose", async () => {
    show(null);
    await type("Name", "Sheets");
    for (const name of ["Table", "Bar"]) await user.click(screen.getByRole("radio", { name }));
    await press("Remove group 1");
    await screen.findByText("Can't show this as “bar”");
    await press("Save chart");
    const bar = screen.getByRole("radio", { name: "Bar" });
    await waitFor(() => expect(document.activeElement).toBe(bar));
    screen.getByText("Choose another chart type, such as “Number.”");
    await press("Show as “number”");
    await press("Save chart");
    expect((await savedForm()).definition.kind).toBe("number");
  });

  it("follows the best fit of a new chart until one is chosen", async () => {
    const isChecked = (name: string) => screen.getByRole<HTMLInputElement>("radio", { name }).checked;
    answerWith(grouped([{ signed_on: "2026-11-19" }, { signed_on: "2026-11-20" }]));
    show(null);
    for (const source of ["Lines", "Signatures"]) await choose("Source", source);
    await press("Remove group 1");
    await waitFor(() => expect(isChecked("Number")).toBe(true));
    await press("Add a group");
    await waitFor(() => expect(isChecked("Line")).toBe(true));
    await user.click(screen.getByRole("radio", { name: "Table" }));
    await press("Remove group 1");
    await waitFor(() => expect(queries.at(-1)?.groupBy).toBe(""));
    await screen.findByText(/2 signatures/);
    expect(isChecked("Table")).toBe(true);
  });

  it("says at the measures which of them it shows", async () => {
    const two = ["a", "b"].map((key) => ({ key, aggregation: "count" as const }));
    show({ ...stored, kind: "heat-map", groupBy: "county,signed_on", metrics: two });
    await screen.findByText("A heat map shows only the first measure. Choose “Table” to see all.");
    await user.click(screen.getByRole("radio", { name: "Table" }));
    expect(screen.queryByText(/only the first measure/)).toBeNull();
  });

  it("puts a new calculation in another unit than the left axis on the right one", async () => {
    const axis = "Axis of calculation 1";
    show({ ...stored, kind: "line", groupBy: "signed_on" });
    await press("Add a rate, running total, share, or change");
    expect(box(axis).selectedOptions[0]?.text).toBe("Axis: Left");
    await choose("Kind of calculation 1", "Change in");
    expect(box(axis).selectedOptions[0]?.text).toBe("Axis: Right");
    await type("Label of calculation 1", "Growth");
    await choose(axis, "Axis: Left");
    await type("Label of calculation 1", "!");
    expect(box(axis).selectedOptions[0]?.text).toBe("Axis: Left");
  });

  it("puts numbers that can't share an axis on the right one, and says where there is none", async () => {
    const derived = [{ key: "s", label: "Part", kind: "share" as const, of: "n" }];
    const display = { derived, hidden: [] };
    show({ ...stored, kind: "bar", metrics: [{ key: "n", aggregation: "count" }], display });
    await screen.findByText(/^“Part” is only in the table: .* Move it to the other axis to show it in the chart.$/);
    await choose("Axis of calculation 1", "Axis: Right");
    expect(screen.queryByText(/separate axes/)).toBeNull();
    await type("Right axis title", "Of all");
    await type("Minimum of the right axis, in percent", "20");
    await type("Maximum of the right axis, in percent", "80");
    await user.click(screen.getByRole("radio", { name: "Stacked bar" }));
    screen.getByText("Only bar charts, and line and area charts with one group, have a right axis.");
    screen.getByText("“Part” is only in the table: percentages and other numbers need separate axes.");
    for (const name of ["Axis of calculation 1", "Right axis title"]) expect(screen.queryByLabelText(name)).toBeNull();
    await user.click(screen.getByRole("radio", { name: "Bar" }));
    await choose("Axis of measure 1", "Axis: Right");
    screen.getByText("No number is on the left axis, so all of them share one axis.");
    await choose("Axis of measure 1", "Axis: Left");
    await press("Save chart");
    const right = { keys: ["s"], title: "Of all", min: 0.2, max: 0.8 };
    expect((await savedForm()).definition.display).toEqual({ ...display, axis: { right } });
  });

  it("offers a line when the second group is a date, and puts the date first", async () => {
    answerWith(
      grouped(Array.from({ length: 40 }, (_, index) => ({ county: `County ${index}`, signed_on: "2026-11-20" }))),
    );
    show({ ...stored, kind: "bar", groupBy: "county,signed_on" });
    await user.click(await screen.findByRole("button", { name: "Show as “line” by “Signed on”" }));
    expectLine();
    await expectQuery({ groupBy: "signed_on,county" });
  });
});

describe("leaving with unsaved changes", () => {
  const draftSchema = "@/lib/charts/builder/draft-schema";
  const back = "Unsaved changes restored.";
  const storedDrafts = () => Object.values(sessionStorage).join("");
  const change = async () => {
    show();
    await type("Name", " 2");
    await waitFor(() => expect(storedDrafts()).toContain("By county 2"));
  };
  const leave = async (how: string) => {
    await user.click(screen.getByRole("link", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: how }));
  };

  it("asks first, and restores kept changes later with the version they were based on", async () => {
    await change();
    await leave("Stay");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(push).not.toHaveBeenCalled();
    await leave("Keep and leave");
    expect(push).toHaveBeenCalledWith(path);
    cleanup();
    show({ ...stored, version: 9 });
    await screen.findByText(back);
    expect(field("Name").value).toBe("By county 2");
    await press("Save chart");
    expect((await savedForm()).fields.version).toBe("7");
  });

  it("drops discarded changes for good", async () => {
    await change();
    await leave("Discard and leave");
    expect(push).toHaveBeenCalledWith(path);
    expect(storedDrafts()).toBe("");
    cleanup();
    await change();
    cleanup();
    show();
    await user.click(await screen.findByRole("button", { name: "Discard changes" }));
    expect(field("Name").value).toBe("By county");
    expect(storedDrafts()).toBe("");
  });

  it("asks on Back, then goes on to that page", async () => {
    const navigation = Object.assign(new EventTarget(), { traverseTo: vi.fn(() => ({})) });
    vi.stubGlobal("navigation", navigation);
    await change();
    const isStopped = () => {
      const event = new Event("navigate", { cancelable: true });
      const destination = { key: "before", sameDocument: true };
      act(() => void navigation.dispatchEvent(Object.assign(event, { navigationType: "traverse", destination })));
      return event.defaultPrevented;
    };
    expect(isStopped()).toBe(true);
    await user.click(await screen.findByRole("button", { name: "Keep and leave" }));
    expect(navigation.traverseTo).toHaveBeenCalledWith("before");
    expect(isStopped()).toBe(false);
  });

  it("lets the browser ask when the tab closes, but only while there are changes", async () => {
    const asks = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await change();
    expect(asks()).toBe(true);
    await type("Name", "{Backspace}{Backspace}");
    expect(asks()).toBe(false);
    expect(storedDrafts()).toBe("");
    await user.click(screen.getByRole("link", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("blocks typing until the saved draft is loaded, because the draft would overwrite it", async () => {
    await change();
    cleanup();
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.doMock(draftSchema, async (original) => {
      await promise;
      return original();
    });
    show();
    await screen.findByText("1 signature · 1 group");
    const form = screen.getByRole("form");
    expect(form.hasAttribute("inert")).toBe(true);
    resolve();
    await screen.findByText(back);
    vi.doUnmock(draftSchema);
    expect(form.hasAttribute("inert")).toBe(false);
    expect(field("Name").value).toBe("By county 2");
  });

  it("keeps a draft that can't be read, and shows the error", async () => {
    await change();
    const before = storedDrafts();
    cleanup();
    vi.spyOn(console, "error").mockReturnValue();
    vi.doMock(draftSchema, () => Promise.reject(new Error("The connection is gone.")));
    show();
    await screen.findByText("Error: The connection is gone.");
    vi.doUnmock(draftSchema);
    expect(storedDrafts()).toBe(before);
  });

  it("ignores a stored draft of another shape", async () => {
    sessionStorage.setItem(`signet:chart::${path}/${stored.id}`, '{"draft":{"name":3}}');
    show();
    await waitFor(() => expect(storedDrafts()).toBe(""));
    expect(field("Name").value).toBe("By county");
  });
});

it("opens the dashboard after a deletion, where the chart can be restored", async () => {
  show();
  await press("Delete chart");
  await waitFor(() => expect(replace).toHaveBeenCalledWith(`${path}?deleted=${stored.id}`));
  expect(Object.fromEntries(actions.remove.mock.calls[0]?.[1])).toEqual({ ...place, id: stored.id });
});

it("shows the reason instead of a form when a definition can't be read", async () => {
  render(<UnreadableChart name="By county" problem="metrics.0.aggregation: Invalid option" dashboard={path} />);
  const section = await screen.findByRole("region", { name: "By county" });
  expect(within(section).getByText("metrics.0.aggregation: Invalid option")).toBeTruthy();
  expect(within(section).getByRole("link", { name: "Back to dashboard" }).getAttribute("href")).toBe(path);
});
