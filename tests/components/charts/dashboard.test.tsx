import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Dashboard } from "@/components/charts/dashboard/dashboard";
import { FilterBar } from "@/components/charts/dashboard/filter-bar";
import type { DashboardEditing } from "@/components/charts/dashboard/use-changes";
import { FormatProvider } from "@/components/shell/format-provider";
import type { ChartSource } from "@/lib/charts/chart-source";
import type { DashboardChart } from "@/lib/charts/dashboard-chart";
import type { DashboardFilter } from "@/lib/charts/dashboard-filter";
import type { MaxAge } from "@/lib/charts/max-age";
import { signersWithheld } from "@/lib/charts/signers-withheld";

const findDrawing = vi.hoisted(() => vi.fn(() => null));
vi.mock("@/components/charts/drawing/chart-png", () => ({ findDrawing, chartPng: vi.fn() }));
const router = { refresh: vi.fn(), replace: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

const server = setupServer();
const origin = window.location.origin;
const place = { team: "riverside", campaign: "clean-water" };
const path = "/riverside/campaign/clean-water/dashboard";

const sources: ChartSource[] = [
  {
    name: "signatures",
    label: "Signatures",
    description: "accepted lines",
    columns: [
      { name: "id", label: "Line id", type: "uuid" },
      { name: "team_id", label: "Team", type: "text" },
      { name: "county", label: "County", type: "text" },
      { name: "line", label: "Line", type: "number" },
    ],
  },
];
const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const metrics: DashboardChart["metrics"] = [{ key: "n", aggregation: "count", label: "Signatures" }];

function result(count: number, generatedAt = new Date().toISOString()): NonNullable<DashboardChart["data"]> {
  return {
    source: "signatures",
    groupBy: "county",
    metrics,
    rows: [
      { key: "King", group: { county: "King" }, values: { n: count } },
      { key: "", group: { county: "" }, values: { n: 2 } },
      { key: "", group: { county: null }, values: { n: null } },
    ],
    recordCount: count + 2,
    groupCount: 3,
    generatedAt,
  };
}

function chart(number: number, fields: Partial<DashboardChart> = {}): DashboardChart {
  return {
    id: idOf(number),
    ...place,
    name: `Chart ${number}`,
    kind: "table",
    source: "signatures",
    groupBy: "county",
    metrics,
    filters: [{ column: "line", operator: "gt", value: 3 }],
    display: null,
    version: 1,
    data: result(10 * number),
    outdated: false,
    withheld: false,
    problem: null,
    isStale: false,
    failed: false,
    staleAt: null,
    newer: 0,
    narrowed: [],
    missing: [],
    failure: null,
    ...fields,
  };
}

const done = () => Promise.resolve({ message: "Done.", error: null });
let editing: DashboardEditing;
const sent = (action: keyof DashboardEditing) => {
  const calls = vi.mocked(editing[action] as DashboardEditing["order"]).mock.calls;
  return calls.map(([, form]) => Object.fromEntries(form));
};

const region = { locale: "en-US", timeZone: "America/Los_Angeles" };
const choices = { counties: ["King"], clerks: [{ id: idOf(1), name: "Ann Lee" }], circulators: ["Bo"] };
type Shown = { edits?: boolean; seesRecords?: boolean; filter?: DashboardFilter; maxAge?: MaxAge };
const show = (...shown: Parameters<typeof screenOf>) => render(screenOf(...shown));

function screenOf(
  charts: DashboardChart[],
  { edits = true, seesRecords = true, filter = {}, maxAge = 15 }: Shown = {},
) {
  return (
    <FormatProvider region={region}>
      <Dashboard
        place={place}
        charts={charts}
        sources={sources}
        filter={filter}
        choices={choices}
        maxAge={maxAge}
        seesRecords={seesRecords}
        {...(edits && { editing })}
      />
    </FormatProvider>
  );
}

const card = (number: number) => screen.getByRole("article", { name: `Chart ${number}` });

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());

// jsdom knows no address base for fetch in Node, no popovers and no modal dialogs.
beforeEach(() => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (to: string, init: RequestInit) => real(new URL(to, origin), init));
  HTMLElement.prototype.hidePopover = () => undefined;
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
  };
  editing = {
    duplicate: vi.fn(done),
    remove: vi.fn(done),
    restore: vi.fn(done),
    order: vi.fn(done),
    addSuggested: vi.fn(done),
    setMaxAge: vi.fn(done),
    suggestions: [{ why: "Why not.", definition: { ...chart(9), name: "Suggested" } }],
  };
});
afterEach(() => {
  cleanup();
  router.refresh.mockClear();
  router.replace.mockClear();
  vi.unstubAllGlobals();
  server.resetHandlers();
});

describe("a card", () => {
  it("shows all groups, tells what is not given from an empty text, and from when its numbers are", () => {
    show([chart(1)]);
    const rows = within(card(1))
      .getAllByRole("row")
      .map(({ textContent }) => textContent);
    expect(rows).toEqual(["CountySignatures", "King10", "empty text2", "not givenno value"]);
    expect(
      within(card(1))
        .getByText(/just now/)
        .closest("p")?.textContent,
    ).toBe("12 records · just now");
    expect(within(card(1)).queryByText("older than a day")).toBeNull();
  });

  it("says when its numbers are older than a day", () => {
    const threeDays = new Date(Date.now() - 3 * 24 * 3600 * 1000).toISOString();
    show([chart(1, { data: result(10, threeDays) })]);
    expect(within(card(1)).getByText("older than a day")).toBeTruthy();
    expect(within(card(1)).getByText("3 days ago")).toBeTruthy();
  });

  it("tells its time as the team writes it, on the screen and in the image", async () => {
    show([chart(1, { kind: "bar", data: result(11_860, "2026-09-23T02:18:00.000Z") })]);
    const age = within(card(1)).getByText("on Sep 22, 2026");
    expect(age.closest("time")?.title).toBe("Sep 22, 2026, 7:18 PM");
    await userEvent.click(within(card(1)).getByRole("button", { name: "Save as image (PNG)", hidden: true }));
    const note = "11,862 records, Sep 22, 2026, 7:18 PM";
    await waitFor(() => expect(findDrawing).toHaveBeenCalledExactlyOnceWith(card(1), "Chart 1", [note]));
  });

  it("that tells who signed says which permission it needs, and offers nothing to compute", async () => {
    const asked: string[] = [];
    server.use(
      http.post(`${origin}/api/charts/:id`, ({ params }) => {
        asked.push(String(params.id));
        return HttpResponse.json(result(777));
      }),
    );
    const { rerender } = show([chart(1), chart(2)]);
    await userEvent.click(screen.getByRole("button", { name: "Regenerate all" }));
    await screen.findByText("2 charts computed.");
    expect(within(card(1)).getByText("777")).toBeTruthy();
    // The permission is gone, and with it what was computed here.
    rerender(screenOf([chart(1, { withheld: true, groupBy: "", metrics: [], filters: [], data: null }), chart(2)]));
    expect(within(card(1)).getByText(signersWithheld)).toBeTruthy();
    expect(within(card(1)).queryByText("777")).toBeNull();
    expect(within(card(1)).queryByRole("button", { name: /enerate/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Regenerate all" }));
    await screen.findByText("1 chart computed.");
    expect(asked).toEqual([idOf(1), idOf(2), idOf(2)]);
  });

  it("says how many lines are newer, and that the numbers are computed anew; what was generated here is newer still", async () => {
    const anHour = new Date(Date.now() - 3_600_000).toISOString();
    show([
      chart(1, { newer: 13, data: result(10, anHour) }),
      chart(2, { newer: 1_001, isStale: true, data: result(10, anHour) }),
    ]);
    const footer = (number: number) =>
      within(card(number))
        .getByText(/1 h ago/)
        .closest("p")?.parentElement?.textContent;
    expect(footer(1)).toContain("12 records · 1 h ago");
    expect(within(card(1)).getByText(/13 newer lines/)).toBeTruthy();
    expect(within(card(1)).queryByText("Computing anew…")).toBeNull();
    expect(within(card(2)).getByText(/over 1,000 newer lines/)).toBeTruthy();
    expect(within(card(2)).getByText("Computing anew…")).toBeTruthy();
    server.use(http.post(`${origin}/api/charts/:id`, () => HttpResponse.json(result(20))));
    await userEvent.click(within(card(1)).getByRole("button", { name: "Regenerate Chart 1" }));
    await within(card(1)).findByText(/just now/);
    expect(within(card(1)).queryByText(/newer line/)).toBeNull();
  });

  it("that could not be computed anew says so, and leads those who may change it to why", () => {
    const twoDays = new Date(Date.now() - 48 * 3_600_000).toISOString();
    const fields = { isStale: true, failed: true };
    show([chart(1, { ...fields, data: result(10, twoDays) }), chart(2, { ...fields, data: null })]);
    expect(screen.queryByText(/Computing anew|being computed now/)).toBeNull();
    expect(within(card(1)).getByText("older than a day")).toBeTruthy();
    expect(within(card(1)).getByText(/Could not be computed anew/)).toBeTruthy();
    for (const number of [1, 2]) {
      const why = within(card(number)).getByRole("link", { name: "See why" });
      expect(why.getAttribute("href")).toBe(`${path}/charts/${idOf(number)}`);
    }
    cleanup();
    show([chart(1, fields)], { edits: false });
    expect(within(card(1)).getByText(/Could not be computed anew/)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "See why" })).toBeNull();
  });

  it("says that its definition has changed since, and shows no number of the old one", () => {
    show([chart(1, { data: null, outdated: true })]);
    expect(within(card(1)).getByText(/was changed since its numbers were computed/)).toBeTruthy();
    expect(within(card(1)).queryByRole("table")).toBeNull();
    expect(within(card(1)).getAllByRole("button", { name: /^Regenerate/ })).toHaveLength(2);
  });

  it("says that its definition cannot be read, and offers nothing that needs it", () => {
    show([chart(1, { metrics: [], filters: [], problem: "filters.0.value: Invalid input" }), chart(2)]);
    const offered = (number: number, name: string) => {
      const items = within(card(number)).getAllByRole("button", { name, hidden: true });
      return items.map((item) => item.getAttribute("aria-disabled"));
    };
    expect(within(card(1)).getByText("filters.0.value: Invalid input")).toBeTruthy();
    expect(offered(1, "Save as CSV")).toEqual(["true"]);
    expect(within(card(1)).queryByRole("button", { name: /^10/ })).toBeNull();
    expect(offered(2, "Save as CSV")).toEqual(["false"]);
    expect(within(card(2)).getByRole("button", { name: /^20/ })).toBeTruthy();
  });

  it("of a hundred groups and more shows a hundred, and the next when asked", async () => {
    const rows = Array.from({ length: 230 }, (_, at) => ({
      key: `c${at}`,
      group: { county: `c${at}` },
      values: { n: at },
    }));
    show([chart(1, { data: { ...result(1), rows, groupCount: 230 } })]);
    expect(within(card(1)).getAllByRole("row")).toHaveLength(101);
    await userEvent.click(within(card(1)).getByRole("button", { name: "Show 100 more" }));
    await userEvent.click(within(card(1)).getByRole("button", { name: "Show 30 more" }));
    expect(within(card(1)).getAllByRole("row")).toHaveLength(231);
  });

  it("a number stands large, and is a table where it has groups", () => {
    const rows = [{ key: "", group: {}, values: { n: 11862 } }];
    show([
      chart(1, { kind: "number", groupBy: "", data: { ...result(1), groupBy: "", rows } }),
      chart(2, { kind: "number" }),
    ]);
    expect(within(card(1)).queryByRole("table")).toBeNull();
    expect(within(card(1)).getByRole("button", { name: "11,862" })).toBeTruthy();
    expect(within(card(2)).getByRole("table")).toBeTruthy();
  });

  it("no record: says so", () => {
    show([chart(1, { data: { ...result(0), rows: [] } })]);
    expect(within(card(1)).getByText(/No record matches/)).toBeTruthy();
  });
});

describe("regenerating", () => {
  it("all, one after the other, with progress; the new numbers stand at once", async () => {
    const asked: string[] = [];
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    server.use(
      http.post(`${origin}/api/charts/:id`, async ({ params }) => {
        const at = asked.push(String(params.id)) - 1;
        await gates[at]?.promise;
        return HttpResponse.json(result(500 + at, new Date(Date.now() + 1000).toISOString()));
      }),
    );
    show([chart(1), chart(2), chart(3)]);
    await userEvent.click(screen.getByRole("button", { name: "Regenerate all" }));
    await screen.findByText("Computing 1 of 3…");
    expect(within(card(1)).getByText("Computing…")).toBeTruthy();
    expect(within(card(3)).getByText("Waits for its turn…")).toBeTruthy();
    expect(within(card(1)).getByText("10")).toBeTruthy(); // until the new ones are there
    await waitFor(() => expect(asked).toEqual([idOf(1)]));
    gates[0]?.resolve();
    await screen.findByText("Computing 2 of 3…");
    expect(within(card(1)).getByText("500")).toBeTruthy();
    gates[1]?.resolve();
    gates[2]?.resolve();
    await screen.findByText("3 charts computed.");
    expect(asked).toEqual([idOf(1), idOf(2), idOf(3)]);
    expect(router.refresh).toHaveBeenCalledTimes(1); // a chart that was edited meanwhile gets its new name and filters
  });

  it("422: says what is wrong and leads to the builder; the numbers from before stay", async () => {
    const error = 'The source "votes" is not there.';
    server.use(http.post(`${origin}/api/charts/:id`, () => HttpResponse.json({ error }, { status: 422 })));
    show([chart(1)]);
    await userEvent.click(screen.getByRole("button", { name: "Regenerate Chart 1" }));
    const alert = await within(card(1)).findByText(new RegExp(error));
    expect(alert.textContent).toContain("The numbers shown are those from before.");
    expect(within(card(1)).getByRole("link", { name: "Change the chart" }).getAttribute("href")).toBe(
      `${path}/charts/${idOf(1)}`,
    );
    expect(within(card(1)).getByText("10")).toBeTruthy();
  });

  it.each([
    [409, "The chart was changed while it was computed. Generate it again."],
    [504, "The chart took longer than 15 seconds. Narrow it with a filter."],
  ])("%i: the server's sentence stands on the card, the others go on", async (status, error) => {
    server.use(
      http.post(`${origin}/api/charts/:id`, ({ params }) =>
        params.id === idOf(1)
          ? HttpResponse.json({ error }, { status })
          : HttpResponse.json(result(77, new Date(Date.now() + 1000).toISOString())),
      ),
    );
    show([chart(1), chart(2)]);
    await userEvent.click(screen.getByRole("button", { name: "Regenerate all" }));
    await screen.findByText("1 of 2 computed. The others say why.");
    expect(within(card(1)).getByText(new RegExp(error))).toBeTruthy();
    expect(within(card(2)).getByText("77")).toBeTruthy();
  });

  it("429: the rest is not asked for", async () => {
    let asked = 0;
    const error = "That was too often. Try again in 30 seconds.";
    server.use(
      http.post(`${origin}/api/charts/:id`, () => {
        asked += 1;
        return HttpResponse.json({ error }, { status: 429, headers: { "Retry-After": "30" } });
      }),
    );
    show([chart(1), chart(2), chart(3)]);
    await userEvent.click(screen.getByRole("button", { name: "Regenerate all" }));
    await screen.findByText("0 of 3 computed. The others say why.");
    expect(asked).toBe(1);
    for (const number of [1, 2, 3]) expect(within(card(number)).getByText(new RegExp(error))).toBeTruthy();
  });

  it("a result that somebody else made later is not replaced by one's own", async () => {
    server.use(http.post(`${origin}/api/charts/:id`, () => HttpResponse.json(result(5, "2020-01-01T00:00:00Z"))));
    show([chart(1)]);
    await userEvent.click(screen.getByRole("button", { name: "Regenerate Chart 1" }));
    await screen.findByText("1 chart computed.");
    expect(within(card(1)).getByText("10")).toBeTruthy();
  });
});

describe("changes", () => {
  it("are sent with team and campaign; arrows on the handle move a card", async () => {
    show([chart(1), chart(2), chart(3)]);
    screen.getByRole("button", { name: /^Move Chart 1/ }).focus();
    await userEvent.keyboard("{ArrowLeft}");
    expect(sent("order")).toEqual([]); // it is the first
    await userEvent.keyboard("{ArrowRight}");
    await screen.findByText("Done.");
    expect(sent("order")).toEqual([{ ...place, ids: [idOf(2), idOf(1), idOf(3)].join(",") }]);
    await userEvent.click(within(card(3)).getByText("Move earlier"));
    await waitFor(() => expect(sent("order")).toHaveLength(2));
    expect(sent("order")[1]).toEqual({ ...place, ids: [idOf(1), idOf(3), idOf(2)].join(",") });
  });

  it("a deleted chart can be brought back from where it was said", async () => {
    show([chart(1)]);
    await userEvent.click(within(card(1)).getByText("Delete"));
    await screen.findByText("“Chart 1” is deleted.");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
    await userEvent.keyboard("{Enter}");
    await screen.findByText("Done.");
    expect(sent("remove")).toEqual([{ ...place, id: idOf(1) }]);
    expect(sent("restore")).toEqual([{ ...place, id: idOf(1) }]);
  });

  it("what failed says why", async () => {
    editing.duplicate = vi.fn(() => Promise.resolve({ message: null, error: "This chart is not there any more." }));
    show([chart(1)]);
    await userEvent.click(within(card(1)).getByText("Duplicate"));
    expect(await screen.findByText("This chart is not there any more.")).toBeTruthy();
  });

  it("a chart of the whole team is shown, and not changed here", () => {
    show([chart(1), chart(2, { campaign: null })]);
    expect(within(card(2)).getByText("whole team")).toBeTruthy();
    expect(within(card(2)).queryByText("Delete")).toBeNull();
    expect(within(card(2)).queryByRole("button", { name: /^(Move|Regenerate)/ })).toBeNull();
  });
});

describe("the filter", () => {
  it("goes into the address, with what there is already; clearing takes it out", async () => {
    show([chart(1)], { filter: { county: "", days: "today" } });
    const county = screen.getByRole<HTMLSelectElement>("combobox", { name: "County" });
    expect(county.selectedOptions[0]?.text).toBe("not given");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Clerk" }), "Ann Lee");
    expect(router.replace).toHaveBeenLastCalledWith(`${path}?county=&days=today&clerk=${idOf(1)}`, { scroll: false });
    await userEvent.selectOptions(county, "All counties");
    expect(router.replace).toHaveBeenLastCalledWith(`${path}?days=today`, { scroll: false });
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(router.replace).toHaveBeenLastCalledWith(path, { scroll: false });
  });

  it.each(["last 7 days", "last 30 days"])("offers the %s", async (days) => {
    show([chart(1)]);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Keyed" }), days);
    expect(router.replace).toHaveBeenLastCalledWith(`${path}?${new URLSearchParams({ days })}`, { scroll: false });
  });

  it("shows the days of the address, also when they become others", () => {
    const days = (filter: DashboardFilter) => (
      <FormatProvider region={region}>
        <FilterBar path={path} filter={filter} choices={choices}>
          {() => null}
        </FilterBar>
      </FormatProvider>
    );
    const { rerender } = render(days({ from: "2026-11-01", to: "2026-11-07" }));
    fireEvent.change(screen.getByLabelText("First day"), { target: { value: "2026-11-02" } });
    fireEvent.change(screen.getByLabelText("Last day"), { target: { value: "2026-11-06" } });
    rerender(days({ from: "2026-11-08" }));
    expect(screen.getByLabelText<HTMLInputElement>("First day").value).toBe("2026-11-08");
    expect(screen.getByLabelText<HTMLInputElement>("Last day").value).toBe("");
  });

  it("between two days takes a day when its year is typed, and leaves the relative ones", async () => {
    show([chart(1)], { filter: { days: "today" } });
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Keyed" }), "between two days");
    expect(router.replace).toHaveBeenLastCalledWith(path, { scroll: false });
    fireEvent.change(screen.getByLabelText("First day"), { target: { value: "0002-11-01" } });
    expect(router.replace).toHaveBeenCalledOnce();
    fireEvent.change(screen.getByLabelText("First day"), { target: { value: "2026-11-01" } });
    expect(String(router.replace.mock.lastCall?.[0])).toContain("from=2026-11-01");
  });

  it("is part of what records are asked for; nothing is generated under it, and what it leaves out is said", async () => {
    const narrowed = [{ column: "county", operator: "eq" as const, value: "King" }];
    let asked: unknown;
    server.use(
      http.post(`${origin}${path}/records`, async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json({ columns: [], records: [], total: 0 });
      }),
    );
    show(
      [
        chart(1, { narrowed }),
        chart(2, { missing: ["county", "circulator"] }),
        chart(3, { missing: ["county"], problem: "filters.0.value: Invalid input" }),
      ],
      { filter: { county: "King" } },
    );
    expect(screen.queryByRole("button", { name: /^Regenerate/ })).toBeNull();
    const why = "its source has no such column.";
    expect(within(card(2)).getByText(`Not filtered by county and circulator: ${why}`)).toBeTruthy();
    expect(within(card(3)).getByText("Not filtered by county: its definition cannot be read.")).toBeTruthy();
    await userEvent.click(within(card(1)).getByRole("button", { name: "10: show the records" }));
    await screen.findByText("0 records");
    expect(asked).toMatchObject({ cell: { filters: [{ column: "line", operator: "gt", value: 3 }, ...narrowed] } });
  });

  it("that cannot be computed says why, and shows no other numbers", () => {
    const failure = { error: "The chart took longer than 15 seconds.", status: 504, part: null, retryAfter: null };
    show([chart(1, { data: null, failure })], { filter: { county: "King" } });
    expect(within(card(1)).getByText(failure.error)).toBeTruthy();
    expect(within(card(1)).getByText("It has no numbers under this filter.")).toBeTruthy();
    expect(within(card(1)).queryByRole("table")).toBeNull();
  });
});

describe("newer numbers", () => {
  const asks = () => router.refresh.mock.calls.length;
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("are asked for soon while they are computed, more and more seldom, and not while nobody looks", () => {
    show([chart(1, { isStale: true })]);
    vi.advanceTimersByTime(1_000);
    expect(asks()).toBe(1);
    vi.advanceTimersByTime(2_000);
    expect(asks()).toBe(2);
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    vi.advanceTimersByTime(3_600_000);
    expect(asks()).toBe(2);
  });

  it.each<[string, Partial<DashboardChart>, Shown]>([
    ["under a filter", { isStale: true }, { filter: { county: "King" } }],
    ["where it has failed", { isStale: true, failed: true }, {}],
  ])("are not asked for again and again %s", (_where, fields, shown) => {
    show([chart(1, fields)], shown);
    vi.advanceTimersByTime(3_600_000);
    expect(asks()).toBe(0);
  });

  it("are asked for when the first chart has grown as old as it may, and never without an age", () => {
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    // How old the second is here says nothing: those of the whole team grow older than those of a campaign.
    const old = result(1, inMinutes(-60));
    show([chart(1, { staleAt: inMinutes(12) }), chart(2, { data: old, staleAt: inMinutes(5) })]);
    vi.advanceTimersByTime(4.9 * 60_000);
    expect(asks()).toBe(0);
    vi.advanceTimersByTime(0.2 * 60_000);
    expect(asks()).toBe(1);
    cleanup();
    router.refresh.mockClear();
    show([chart(1, { data: old })], { maxAge: null });
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(asks()).toBe(0);
  });
});

describe("how old numbers get", () => {
  it("is set by those who may, and told to others", async () => {
    show([chart(1)]);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "New numbers" }), "by hand alone");
    expect(sent("setMaxAge")).toEqual([{ ...place, maxAge: "null" }]);
    cleanup();
    show([chart(1)], { edits: false, maxAge: 60 });
    expect(screen.getByText("New numbers every hour")).toBeTruthy();
    expect(screen.queryByRole("combobox", { name: "New numbers" })).toBeNull();
  });
});

describe("an empty dashboard", () => {
  it("suggests charts, one click each", async () => {
    show([]);
    await userEvent.click(screen.getByRole("button", { name: "Add Suggested" }));
    expect(sent("addSuggested")).toEqual([{ ...place, name: "Suggested" }]);
  });

  it("tells those who only see charts whom to ask", () => {
    show([], { edits: false });
    expect(screen.getByText(/Ask somebody who may build charts/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });
});

it("without charts.edit nothing on the dashboard changes anything", () => {
  show([chart(1), chart(2, { data: null })], { edits: false });
  expect(screen.queryByRole("link")).toBeNull();
  const buttons = screen
    .getAllByRole("button", { hidden: true })
    .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent);
  expect(new Set(buttons)).toEqual(
    new Set([
      "More of Chart 1",
      "Save as CSV",
      "10: show the records",
      "2: show the records",
      "no value: show the records",
      "More of Chart 2",
    ]),
  );
  expect(within(card(2)).getByText(/Somebody who may change charts has to generate it/)).toBeTruthy();
});

describe("the records behind a number", () => {
  const answer = (total: number, from: number) => ({
    columns: sources[0]?.columns,
    records: Array.from({ length: Math.min(50, total - from) }, (_, at) => [idOf(1), "riverside", "King", from + at]),
    total,
  });

  it("are asked for by what was counted, in the body, and paged", async () => {
    const asked: unknown[] = [];
    server.use(
      http.post(`${origin}${path}/records`, async ({ request }) => {
        expect(new URL(request.url).search).toBe("");
        const body: { offset: number } = JSON.parse(await request.text());
        asked.push(body);
        return HttpResponse.json(answer(60, body.offset));
      }),
    );
    const counted = chart(1);
    show([counted]);
    await userEvent.click(within(card(1)).getByRole("button", { name: "10: show the records" }));
    const dialog = screen.getByRole("dialog", { name: "King" });
    await within(dialog).findByText("60 records");
    const head = within(dialog)
      .getAllByRole("columnheader")
      .map(({ textContent }) => textContent);
    expect(head).toEqual(["County", "Line"]); // no ids, and not what is the same for all
    expect(within(dialog).getAllByRole("row")).toHaveLength(51);
    await userEvent.click(within(dialog).getByRole("button", { name: "Next 50 records" }));
    await within(dialog).findByText(/51 to 60 shown/);
    const cell = {
      source: "signatures",
      groupBy: "county",
      filters: [{ column: "line", operator: "gt", value: 3 }],
      group: { county: "King" },
      metric: metrics[0],
      at: counted.data?.generatedAt,
    };
    expect(asked).toEqual([
      { cell, offset: 0, limit: 50 },
      { cell, offset: 50, limit: 50 },
    ]);
  });

  it("that cannot be read say why, and are asked for again", async () => {
    let refused = true;
    const error = "The chart took longer than 15 seconds. Narrow it with a filter.";
    server.use(
      http.post(`${origin}${path}/records`, () =>
        refused ? HttpResponse.json({ error }, { status: 504 }) : HttpResponse.json(answer(1, 0)),
      ),
    );
    show([chart(1)]);
    await userEvent.click(within(card(1)).getByRole("button", { name: "10: show the records" }));
    await screen.findByText(error);
    refused = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("1 record");
    expect(screen.queryByText(error)).toBeNull();
  });

  it("are offered to those alone who may see them", () => {
    show([chart(1)], { seesRecords: false });
    expect(screen.queryByRole("button", { name: /show the records/ })).toBeNull();
  });

  it("are not offered for a chart of the whole team: the campaign's are not all that it counts", () => {
    show([chart(1, { campaign: null })]);
    expect(card(1).textContent).toContain("King");
    expect(screen.queryByRole("button", { name: /show the records/ })).toBeNull();
  });
});
