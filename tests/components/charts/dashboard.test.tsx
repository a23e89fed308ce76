import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import type NextLink from "next/link";
import type { ComponentProps } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Dashboard } from "@/components/charts/dashboard/dashboard";
import type { DashboardEditing } from "@/components/charts/dashboard/use-dashboard";
import { FormatProvider } from "@/components/shell/format-provider";
import { PlacesProvider } from "@/components/shell/navigation/places-provider";
import { signersHiddenMessage } from "@/lib/charts/definition/columns";
import type { MaxAge } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { resultOf } from "../../support/chart-result.ts";

const chartPng = vi.hoisted(() => vi.fn(() => null));
vi.mock("@/components/charts/drawing/chart-png", () => ({ chartPng }));
const router = { refresh: vi.fn(), push: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));
// Without Next.js, a link doesn't call `onNavigate`.
vi.mock("next/link", () => ({
  default: ({ onNavigate, prefetch: _, ...props }: ComponentProps<typeof NextLink>) => (
    <a
      {...props}
      href={String(props.href)}
      onClick={(event) => {
        event.preventDefault();
        onNavigate?.(event);
      }}
    >
      {props.children}
    </a>
  ),
}));

const server = setupServer();
const origin = window.location.origin;
const place = { team: "riverside", campaign: "clean-water" };
const path = "/riverside/campaign/clean-water/dashboard";

const columns: ChartSource["columns"] = [
  { name: "id", label: "Line id", type: "uuid" },
  { name: "team_id", label: "Team", type: "text" },
  { name: "county", label: "County", type: "text" },
  { name: "line", label: "Line", type: "number" },
];
const sources = [{ name: "signatures", label: "Signatures", description: "accepted lines", columns }];
const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const metrics: DashboardChart["metrics"] = [{ key: "n", aggregation: "count", label: "Signatures" }];

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const result = (count: number, generatedAt = hoursAgo(0)) => ({
  ...resultOf("county", metrics, [
    ["King", count],
    ["", 2],
    [null, null],
  ]),
  recordCount: count + 2,
  generatedAt,
});
const chart = (number: number, fields: Partial<DashboardChart> = {}): DashboardChart => ({
  ...place,
  id: idOf(number),
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
  carried: null,
  leftOut: 0,
  failure: null,
  dashboard: null,
  width: 1,
  text: null,
  updatedAt: null,
  ...fields,
});

const done = () => Promise.resolve({ message: "Done.", error: null });
let editing: DashboardEditing;
const sent = (action: keyof DashboardEditing) => {
  const calls = vi.mocked(editing[action] as DashboardEditing["orderCharts"]).mock.calls;
  return calls.map(([, form]) => Object.fromEntries(form));
};

const choices = { counties: ["King"], clerks: [{ id: idOf(1), name: "Ann Lee" }], circulators: ["Bo"] };
type Shown = {
  edits?: boolean;
  canSeeRecords?: boolean;
  filter?: DashboardFilter;
  maxAge?: MaxAge;
  dashboardId?: string;
  version?: string;
};
const dashboard = (charts: DashboardChart[], { edits = true, ...shown }: Shown = {}) => (
  <FormatProvider region={{ locale: "en-US", timeZone: "America/Los_Angeles" }}>
    <Dashboard
      place={place}
      charts={charts}
      sources={sources}
      choices={choices}
      filter={{}}
      maxAge={15}
      canSeeRecords={true}
      {...{
        dashboardId: null,
        dashboards: shown.dashboardId ? [{ id: shown.dashboardId, name: "Field" }] : [],
        version: "v1",
        ...shown,
      }}
      {...(edits && { editing })}
    />
  </FormatProvider>
);
const show = (...shown: Parameters<typeof dashboard>) => render(dashboard(...shown));

const card = (number: number) => screen.getByRole("article", { name: `Chart ${number}` });
const inCard = (number: number) => within(card(number));
const expectText = (number: number, text: string | RegExp) => expect(inCard(number).getByText(text)).toBeTruthy();
const expectNoText = (number: number, text: string | RegExp) => expect(inCard(number).queryByText(text)).toBeNull();
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const press = (name: string) => user.click(screen.getByRole("button", { name }));
const pick = async (number: number, entry: string) => {
  await press(`More actions for Chart ${number}`);
  await user.click(await screen.findByRole("menuitem", { name: entry }));
};
const entriesOf = async (number: number) => {
  await press(`More actions for Chart ${number}`);
  return (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
};
const choose = (label: string, option: string) => user.selectOptions(screen.getByLabelText(label), option);
const values = (label: string) => screen.getByLabelText(new RegExp(`^${label}: `));
/** Checks or unchecks a value of the filter. */
const check = async (label: string, option: string) => {
  await user.click(values(label));
  const entry = await screen.findByText(option, { selector: "[role^=menuitem] *" });
  await user.click(entry);
  await user.keyboard("{Escape}");
};

/** Sets the answer to generating a chart; returns the requested IDs. */
function answerCharts(respondTo: (id: string, index: number) => Response | Promise<Response>) {
  const ids: string[] = [];
  const respond = ({ params }: { params: Record<string, unknown> }) => {
    const id = String(params.id);
    return respondTo(id, ids.push(id) - 1);
  };
  server.use(http.post(`${origin}/api/charts/:id`, respond));
  return ids;
}

/** Sets the answer to a request for the records behind a number; returns the request bodies. */
function answerRecords(handler: (body: { offset: number }) => Response) {
  const bodies: unknown[] = [];
  const respond = async ({ request }: { request: Request }) => {
    expect(new URL(request.url).search).toBe(""); // voters' names never appear in an address
    const body: { offset: number } = JSON.parse(await request.text());
    bodies.push(body);
    return handler(body);
  };
  server.use(http.post(`${origin}${path}/records`, respond));
  return bodies;
}

/** Sets the answer to asking for the dashboard's version; returns the queries. */
function answerVersion(handler: () => Response | Promise<Response> = () => new HttpResponse(null, { status: 304 })) {
  const queries: string[] = [];
  const respond = ({ request }: { request: Request }) => {
    queries.push(new URL(request.url).search);
    return handler();
  };
  server.use(http.get(`${origin}/api/dashboard`, respond));
  return queries;
}

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());

// fetch in Node has no base address.
beforeEach(() => {
  answerVersion();
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (to: string, init: RequestInit) => real(new URL(to, origin), init));
  editing = {
    duplicateChart: vi.fn(done),
    deleteChart: vi.fn(done),
    restoreChart: vi.fn(done),
    orderCharts: vi.fn(done),
    addSuggestedChart: vi.fn(done),
    setMaxAge: vi.fn(done),
    moveChart: vi.fn(done),
    resizeChart: vi.fn(done),
    saveText: vi.fn(done),
    saveDashboard: vi.fn(done),
    deleteDashboard: vi.fn(done),
    suggestions: [{ reason: "Why not.", definition: { ...chart(9), name: "Suggested" } }],
  };
});
afterEach(() => {
  router.refresh.mockClear();
  router.push.mockClear();
  server.resetHandlers();
});

describe("a card", () => {
  it("shows the age of its numbers, and when they are over a day old", () => {
    show([chart(1), chart(2, { data: result(10, hoursAgo(72)) })]);
    expect(
      inCard(1)
        .getByText(/just now/)
        .closest("p")?.textContent,
    ).toBe("12 signatures · just now");
    expectNoText(1, "over a day old");
    expectText(2, "over a day old");
    expectText(2, "3 days ago");
  });

  it("shows its time in the team's format, on screen and in the image", async () => {
    show([chart(1, { kind: "bar", data: result(11_860, "2026-09-23T02:18:00.000Z") })]);
    expect(inCard(1).getByText("on Sep 22, 2026").closest("time")?.title).toBe("Sep 22, 2026, 7:18 PM");
    await pick(1, "Download image (PNG)");
    const note = "11,862 signatures, Sep 22, 2026, 7:18 PM";
    await waitFor(() =>
      expect(chartPng).toHaveBeenCalledExactlyOnceWith(card(1), "Chart 1", ["Only where Line is more than 3", note]),
    );
  });

  it("that identifies signers names the missing permission and offers no refresh", async () => {
    const requested = answerCharts(() => HttpResponse.json(result(777)));
    const { rerender } = show([chart(1), chart(2)]);
    await press("Refresh all");
    await screen.findByText("2 charts refreshed.");
    expectText(1, "777");
    // The permission is gone, and with it what was computed here.
    rerender(dashboard([chart(1, { withheld: true, groupBy: "", metrics: [], filters: [], data: null }), chart(2)]));
    expectText(1, signersHiddenMessage);
    expectNoText(1, "777");
    expect(inCard(1).queryByRole("button", { name: /^Refresh/ })).toBeNull();
    await press("Refresh all");
    await screen.findByText("1 chart refreshed.");
    expect(requested).toEqual([idOf(1), idOf(2), idOf(2)]);
  });

  it("shows how many lines are newer and that it is refreshing; numbers generated here count as newest", async () => {
    const data = result(10, hoursAgo(1));
    show([chart(1, { newer: 13, data }), chart(2, { newer: 1_001, isStale: true, data })]);
    expectText(1, /13 newer lines/);
    expectNoText(1, "Refreshing…");
    expectText(2, /over 1,000 newer lines/);
    expectText(2, "Refreshing…");
    answerCharts(() => HttpResponse.json(result(20)));
    await press("Refresh Chart 1");
    await inCard(1).findByText(/just now/);
    expectNoText(1, /newer line/);
  });

  it("says that a refresh failed, and links editors to the reason", () => {
    const fields = { isStale: true, failed: true };
    show([chart(1, { ...fields, data: result(10, hoursAgo(48)) }), chart(2, { ...fields, data: null })]);
    expect(screen.queryByText(/Refreshing…/)).toBeNull();
    expectText(1, "over a day old");
    expectText(1, /Couldn't refresh/);
    for (const number of [1, 2]) {
      const why = inCard(number).getByRole("link", { name: "Edit it to see why" });
      expect(why.getAttribute("href")).toBe(`${path}/charts/${idOf(number)}`);
    }
    cleanup();
    show([chart(1, fields)], { edits: false });
    expectText(1, /Couldn't refresh/);
    expect(screen.queryByRole("link", { name: "Edit it to see why" })).toBeNull();
  });

  it("says that its definition has changed, and hides the old numbers", () => {
    show([chart(1, { data: null, outdated: true })]);
    expectText(1, /was changed and has no new numbers yet/);
    expect(inCard(1).queryByRole("table")).toBeNull();
    expect(inCard(1).getAllByRole("button", { name: /^Refresh/ })).toHaveLength(2);
  });

  it("says that its definition can't be read, and disables what needs it", async () => {
    show([chart(1, { metrics: [], filters: [], problem: "filters.0.value: Invalid input" }), chart(2)]);
    expectText(1, "filters.0.value: Invalid input");
    const numbers = (number: number) => inCard(number).queryAllByRole("button", { name: /: show signatures/ });
    expect([numbers(1).length, numbers(2).length]).toEqual([0, 3]);
    for (const [number, isDisabled] of [
      [1, "true"],
      [2, null],
    ] as const) {
      await press(`More actions for Chart ${number}`);
      const save = await screen.findByRole("menuitem", { name: "Download CSV" });
      expect(save.getAttribute("aria-disabled")).toBe(isDisabled);
      await user.keyboard("{Escape}");
    }
  });

  it("shows the first hundred groups, and more on request", async () => {
    const rows = Array.from({ length: 230 }, (_, index) => [`c${index}`, index]);
    show([chart(1, { data: resultOf("county", metrics, rows) })]);
    const shown = () => card(1).querySelectorAll("tbody tr").length;
    expect(shown()).toBe(100);
    await press("Show 100 more");
    await press("Show 30 more");
    expect(shown()).toBe(230);
  });

  it("shows a number large, or as a table when it has groups", () => {
    const data = resultOf("", metrics, [[11_862]]);
    show([chart(1, { kind: "number", groupBy: "", data }), chart(2, { kind: "number" })]);
    expect(inCard(1).queryByRole("table")).toBeNull();
    expect(inCard(1).getByRole("button", { name: "11,862" })).toBeTruthy();
    expect(inCard(2).getByRole("table")).toBeTruthy();
  });
});

describe("refreshing", () => {
  it("refreshes all charts one by one with progress, and shows each new number at once", async () => {
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const requested = answerCharts(async (_id, index) => {
      await gates[index]?.promise;
      return HttpResponse.json(result(500 + index, hoursAgo(-1)));
    });
    show([chart(1), chart(2), chart(3)]);
    await press("Refresh all");
    await screen.findByText("Refreshing 1 of 3…");
    expectText(1, "Refreshing…");
    expectText(3, "Waiting…");
    expectText(1, "10"); // until the new ones are there
    await waitFor(() => expect(requested).toEqual([idOf(1)]));
    gates[0]?.resolve();
    await screen.findByText("Refreshing 2 of 3…");
    expectText(1, "500");
    gates[1]?.resolve();
    gates[2]?.resolve();
    await screen.findByText("3 charts refreshed.");
    expect(requested).toEqual([idOf(1), idOf(2), idOf(3)]);
    expect(router.refresh).toHaveBeenCalledTimes(1); // a chart edited by someone else gets its new name and filters
  });

  it("says what is wrong after a 422 and links to the builder, while the other charts continue", async () => {
    const error = 'The source "votes" is not there.';
    answerCharts((id) =>
      id === idOf(1) ? HttpResponse.json({ error }, { status: 422 }) : HttpResponse.json(result(77, hoursAgo(-1))),
    );
    show([chart(1), chart(2)]);
    await press("Refresh all");
    await screen.findByText("1 of 2 refreshed. The others show why.");
    const alert = inCard(1).getByText(new RegExp(error));
    expect(alert.textContent).toContain("These are the previous numbers.");
    const href = inCard(1).getByRole("link", { name: "Edit chart" }).getAttribute("href");
    expect(href).toBe(`${path}/charts/${idOf(1)}`);
    expectText(1, "10");
    expectText(2, "77");
  });

  it("stops after a 429", async () => {
    const error = "Too many requests. Try again in 30 seconds.";
    const requested = answerCharts(() =>
      HttpResponse.json({ error }, { status: 429, headers: { "Retry-After": "30" } }),
    );
    show([chart(1), chart(2), chart(3)]);
    await press("Refresh all");
    await screen.findByText("0 of 3 refreshed. Each chart shows why.");
    expect(requested).toHaveLength(1);
    for (const number of [1, 2, 3]) expectText(number, new RegExp(error));
  });

  it("shows its error until there are newer numbers, also of someone else", async () => {
    answerCharts(() => HttpResponse.error());
    const { rerender } = show([chart(1, { data: result(5, "2026-01-01T00:00:00Z") })]);
    await press("Refresh all");
    await screen.findByText("0 of 1 refreshed. Each chart shows why.");
    expectText(1, /Couldn't reach Signet/);
    rerender(dashboard([chart(1)]));
    expectNoText(1, /Couldn't reach Signet/);
  });

  it("keeps someone else's newer result", async () => {
    answerCharts(() => HttpResponse.json(result(5, "2020-01-01T00:00:00Z")));
    show([chart(1)]);
    await press("Refresh Chart 1");
    await screen.findByText("1 chart refreshed.");
    expectText(1, "10");
  });
});

describe("changes", () => {
  it("sends team and campaign; the arrow keys on the handle move a card", async () => {
    show([chart(1), chart(2), chart(3)]);
    screen.getByRole("button", { name: /^Move Chart 1/ }).focus();
    await user.keyboard("{ArrowLeft}");
    expect(sent("orderCharts")).toEqual([]); // it is the first
    await user.keyboard("{ArrowRight}");
    await screen.findByText("Done.");
    await pick(3, "Move earlier");
    const moved = [
      { id: idOf(1), ids: [2, 1, 3] },
      { id: idOf(3), ids: [1, 3, 2] },
    ].map(({ id, ids }) => ({ ...place, id, ids: ids.map(idOf).join(",") }));
    await waitFor(() => expect(sent("orderCharts")).toEqual(moved));
  });

  it("offers to undo a deletion, also after other changes", async () => {
    editing.restoreChart = vi.fn(() => Promise.resolve({ message: "Restored.", error: null }));
    editing.deleteChart = vi.fn(() => Promise.resolve({ message: "Chart 1 deleted.", error: null }));
    show([chart(1), chart(2)]);
    await pick(1, "Delete");
    await screen.findByText("Chart 1 deleted.");
    const undo = screen.getByRole("button", { name: "Undo" });
    expect(document.activeElement).toBe(undo);
    await pick(2, "Make a copy");
    await screen.findByText("Done.");
    await user.click(undo);
    for (const action of ["deleteChart", "restoreChart"] as const)
      await waitFor(() => expect(sent(action)).toEqual([{ ...place, id: idOf(1) }]));
    await screen.findByText("Restored.");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Move Chart 1 / }));
  });

  it("says why a change failed", async () => {
    editing.duplicateChart = vi.fn(() => Promise.resolve({ message: null, error: "This chart no longer exists." }));
    show([chart(1)]);
    await pick(1, "Make a copy");
    await screen.findByText("This chart no longer exists.");
  });
});

it("shows a team-wide chart on a campaign's dashboard without changes and records", async () => {
  show([chart(1), chart(2, { campaign: null })]);
  expectText(2, "whole team");
  expectText(2, "King");
  expect(inCard(2).queryByRole("button", { name: /^(Move|Refresh)|show signatures/ })).toBeNull();
  expect(await entriesOf(2)).toEqual(["Download CSV", "Download image (PNG)"]);
});

describe("the filter", () => {
  const settle = () => waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  const expectAddress = async (address: string) => {
    await waitFor(() => expect(router.push).toHaveBeenLastCalledWith(address, { scroll: false }));
    await settle();
  };
  const day = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  const enter = (label: string, value: string) => fireEvent.change(day(label), { target: { value } });

  it("is added to the address, and removed by clearing it", async () => {
    show([chart(1)], { filter: { county: [""], days: "today" } });
    expect(values("County").textContent).toBe("No county");
    await check("Clerk", "Ann Lee");
    await expectAddress(`${path}?county=&days=today&clerk=${idOf(1)}`);
    await check("County", "All counties");
    await expectAddress(`${path}?days=today`);
    await check("County", "King");
    await expectAddress(`${path}?county=&county=King&days=today`);
    await choose("Date entered", "Last 30 days");
    await expectAddress(`${path}?county=&days=last+30+days`);
    await press("Clear");
    await expectAddress(path);
  });

  it("keeps the page and the choice when Signet can't be reached, and applies it once it can", async () => {
    answerVersion(() => HttpResponse.error());
    show([chart(1)], { filter: { county: ["King"] } });
    await check("Clerk", "Ann Lee");
    await screen.findByText(/Couldn't reach Signet, so the charts still use the previous filter/);
    expect(router.push).not.toHaveBeenCalled();
    await settle();
    expect(values("Clerk").textContent).toBe("Ann Lee");
    answerVersion();
    await waitFor(() => expect(router.push).toHaveBeenCalled(), { timeout: 5_000 });
    await expectAddress(`${path}?county=King&clerk=${idOf(1)}`);
    expect(screen.queryByText(/Couldn't reach Signet/)).toBeNull();
  });

  it("says while it is applied that the numbers are the previous ones", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answerVersion(() => promise);
    show([chart(1)]);
    await check("County", "No county");
    await screen.findByText("Applying the filter… These are the previous numbers.");
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await press("Copy link");
    expect(writeText).toHaveBeenCalledExactlyOnceWith(`${origin}${path}?county=`);
    resolve(new HttpResponse(null, { status: 304 }));
    await expectAddress(`${path}?county=`);
    expect(screen.queryByText(/Applying the filter/)).toBeNull();
  });

  it("isn't applied once another dashboard is being opened", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answerVersion(() => promise);
    show([chart(1)], { dashboardId: idOf(7) });
    await check("County", "No county");
    await user.click(screen.getByRole("link", { name: "Main" }));
    resolve(new HttpResponse(null, { status: 304 }));
    await settle();
    expect(router.push).not.toHaveBeenCalled();
    await user.click(screen.getByRole("link", { name: "Field" })); // back to the shown one
    await check("County", "No county");
    await expectAddress(`${path}?board=${idOf(7)}&county=`);
  });

  it("says at once that its days are backwards, also while it is applied", async () => {
    answerVersion(() => new Promise(() => {}));
    show([chart(1)], { filter: { from: "2026-11-08" } });
    await check("County", "No county");
    enter("Last day", "2026-11-07");
    await screen.findByText("The last day is before the first day. Change one of them.");
    expect(day("Last day").getAttribute("aria-invalid")).toBe("true");
  });

  it("keeps a number a number, also of a week that isn't whole", () => {
    const week = { name: "week", label: "Week", type: "date" as const, part: { of: "at", unit: "week" as const } };
    const data = { ...resultOf("week", metrics, [["2026-11-02", 7]]), generatedAt: "2026-11-05T20:00:00Z" };
    columns.push(week);
    show([chart(1, { kind: "number", groupBy: "week", data })], { filter: { days: "today" } });
    columns.pop();
    expect(inCard(1).queryByRole("table")).toBeNull();
    expectText(1, "Signatures · Week of Nov 2, 2026, so far");
  });

  it("stays with its dashboard, whose link with the filter can be copied", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    show([chart(1)], { filter: { county: ["King"] }, dashboardId: idOf(7) });
    await press("Copy link");
    await screen.findByText("Copied");
    expect(writeText).toHaveBeenCalledExactlyOnceWith(`${origin}${path}?board=${idOf(7)}&county=King`);
    expect(screen.getByRole("link", { name: "Main" }).getAttribute("href")).toBe(`${path}?county=King`);
    await check("County", "No county");
    await expectAddress(`${path}?board=${idOf(7)}&county=King&county=`);
  });

  it("shows the dates of the address, also when they change", async () => {
    const { rerender } = show([chart(1)], { filter: { from: "2026-11-01", to: "2026-11-07" } });
    enter("First day", "2026-11-02");
    enter("Last day", "2026-11-06");
    await settle();
    rerender(dashboard([chart(1)], { filter: { from: "2026-11-08" } }));
    expect([day("First day").value, day("Last day").value]).toEqual(["2026-11-08", ""]);
  });

  it("takes a date once its year is complete, and drops the relative dates until Back restores them", async () => {
    const { rerender } = show([chart(1)], { filter: { days: "today" } });
    await choose("Date entered", "Custom range");
    await expectAddress(path);
    rerender(dashboard([chart(1)]));
    enter("First day", "0002-11-01");
    expect(router.push).toHaveBeenCalledOnce();
    enter("First day", "2026-11-01");
    await waitFor(() => expect(String(router.push.mock.lastCall?.[0])).toContain("from=2026-11-01"));
    rerender(dashboard([chart(1)], { filter: { days: "today" } })); // Back
    await settle();
    expect(screen.getByLabelText<HTMLSelectElement>("Date entered").selectedOptions[0]?.text).toBe("Today");
    expect(screen.queryByLabelText("First day")).toBeNull();
  });

  it("applies to records, hides refreshing, and says which cards it can't apply to", async () => {
    const narrowed = [{ column: "county", operator: "eq" as const, value: "King" }];
    const requested = answerRecords(() => HttpResponse.json({ columns: [], records: [], total: 0 }));
    const unreadable = chart(3, { missing: ["county"], problem: "filters.0.value: Invalid input" });
    const charts = [chart(1, { narrowed }), chart(2, { missing: ["county", "circulator"] }), unreadable];
    show(charts, { filter: { county: ["King"] } });
    expect(screen.queryByRole("button", { name: /^Refresh/ })).toBeNull();
    expectText(2, "Not filtered by county or circulator: signatures don't have them.");
    expectText(3, "Not filtered by county: its definition has an error.");
    await user.click(inCard(1).getByRole("button", { name: "10: show signatures" }));
    await screen.findByText("0 signatures");
    const filters = [{ column: "line", operator: "gt", value: 3 }, ...narrowed];
    expect(requested).toMatchObject([{ cell: { filters } }]);
    expect(screen.getByRole("dialog").textContent).toContain(" · Only county King");
  });

  it("says why it can't be computed, and hides the unfiltered numbers", () => {
    const failure = {
      error: "This chart took longer than 15 seconds.",
      status: 504,
      part: null,
      retryAfterSeconds: null,
    };
    show([chart(1, { data: null, failure })], { filter: { county: ["King"] } });
    expectText(1, failure.error);
    expectText(1, "No numbers with this filter.");
    expect(inCard(1).queryByRole("table")).toBeNull();
  });
});

describe("what others change", () => {
  const refreshCount = () => router.refresh.mock.calls.length;
  const inMinutes = (minutes: number) => hoursAgo(-minutes / 60);
  const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
  const changed = () => HttpResponse.json({ version: "v2" });
  beforeEach(() => vi.useFakeTimers());

  it("arrives while the page is visible", async () => {
    const queries = answerVersion();
    show([chart(1)], { dashboardId: idOf(7), filter: { county: ["King"] } });
    await wait(10.1);
    expect(queries).toEqual([`?team=riverside&campaign=clean-water&board=${idOf(7)}&filtered=true`]);
    expect(refreshCount()).toBe(0);
    answerVersion(changed);
    await wait(10);
    expect(refreshCount()).toBe(1);
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await wait(3_600);
    expect(refreshCount()).toBe(1);
    vi.restoreAllMocks();
    window.dispatchEvent(new Event("visibilitychange"));
    await wait(1);
    expect(refreshCount()).toBe(2);
  });

  it("waits while someone works: after a key, in a menu and in a dialog", async () => {
    answerVersion(changed);
    show([chart(1)]);
    await wait(9);
    fireEvent.keyDown(document.body, { key: "Tab" });
    await wait(1.5);
    expect(refreshCount()).toBe(0);
    const menu = document.body.appendChild(document.createElement("div"));
    for (const role of ["menu", "dialog"]) {
      menu.setAttribute("role", role);
      await wait(30);
      expect(refreshCount(), role).toBe(0);
    }
    menu.remove();
    await wait(10);
    expect(refreshCount()).toBe(1);
  });

  it("says when the page isn't updating", async () => {
    answerVersion(() => HttpResponse.error());
    show([chart(1)]);
    await wait(10.1);
    expect(screen.getByText(/This page isn't updating. Couldn't reach Signet/)).toBeTruthy();
    answerVersion();
    for (const change of ["offline", "online"]) fireEvent(window, new Event(change));
    await wait(0.1);
    expect(screen.queryByText(/This page isn't updating/)).toBeNull();
  });

  it("says once that Signet can't be reached, also after a filter is chosen", async () => {
    answerVersion(() => HttpResponse.error());
    show([chart(1)]);
    await wait(10.1);
    fireEvent.change(screen.getByLabelText("Date entered"), { target: { value: "today" } });
    await wait(0.1);
    expect(screen.getAllByText(/Couldn't reach Signet/)).toHaveLength(1);
    expect(screen.getByText(/so the charts still use the previous filter/)).toBeTruthy();
  });

  it("is asked for at growing intervals while numbers are computed, and shown at the latest after half a minute", async () => {
    const queries = answerVersion();
    show([chart(1, { isStale: true })]);
    for (const [seconds, requests] of [
      [1.1, 1],
      [1, 1],
      [1, 2],
      [4, 3],
      [8, 4],
      [15, 5],
    ] as const) {
      await wait(seconds);
      expect(queries).toHaveLength(requests);
    }
    expect(refreshCount()).toBe(0);
    await wait(10);
    expect(refreshCount()).toBe(1);
  });

  it.each<[string, Partial<DashboardChart>, Shown]>([
    ["under a filter", { isStale: true, staleAt: inMinutes(1) }, { filter: { county: ["King"] } }],
    ["after a failure", { isStale: true, failed: true }, {}],
    ["without a maximum age", { data: result(1, hoursAgo(1)) }, { maxAge: null }],
  ])("doesn't reload unchanged charts %s", async (_where, fields, shown) => {
    show([chart(1, fields)], shown);
    await wait(300);
    expect(refreshCount()).toBe(0);
  });

  it("comes with new numbers when the first chart becomes stale", async () => {
    // Its age says nothing: charts of the whole team may be older than those of a campaign.
    const second = chart(2, { data: result(1, hoursAgo(1)), staleAt: inMinutes(5) });
    show([chart(1, { staleAt: inMinutes(12) }), second]);
    await wait(4.9 * 60);
    expect(refreshCount()).toBe(0);
    await wait(20);
    expect(refreshCount()).toBe(1);
  });
});

it("says on a card what its filters are, also alternatives, and once what a filter by county leaves out", async () => {
  const county = (value: string) => ({ column: "county", operator: "eq" as const, value });
  const filters = [{ any: [county("King"), county("Pierce")] }];
  const filter: DashboardFilter = { county: ["King"], from: "2026-11-09", to: "2026-11-22" };
  const charts = [1_204, 9, 0].map((leftOut, index) =>
    chart(index + 1, { filters, narrowed: [county("King")], leftOut }),
  );
  show(charts, { filter });
  expectText(1, "Only where County is King or County is Pierce");
  expect(screen.getByText("Leaves out up to 1,204 lines without a county.")).toBeTruthy();
  cleanup();
  show(charts.slice(0, 1), { filter });
  expect(screen.getByText("Leaves out 1,204 lines without a county.")).toBeTruthy();
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => {} });
  await pick(1, "Download CSV");
  const name = /^Chart 1 Only entered from Nov 9 2026 to Nov 22 2026 - county King \d{4}-\d\d-\d\d\.csv$/;
  await waitFor(() => expect(names).toEqual([expect.stringMatching(name)]));
});

it("prints at once, or after three seconds what could be drawn by then", async () => {
  vi.useFakeTimers();
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  show([chart(1)], { edits: false });
  const pressed = async (seconds: number) => {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
    return print.mock.calls.length;
  };
  fireEvent.click(screen.getByLabelText("Print"));
  expect(await pressed(0.1)).toBe(1);
  card(1).append(document.createElement("div"));
  card(1).lastElementChild?.setAttribute("data-drawing", ""); // whose code can't be loaded
  fireEvent.click(screen.getByLabelText("Print"));
  expect(await pressed(2.5)).toBe(1);
  expect(await pressed(1)).toBe(2);
  vi.useRealTimers();
});

it("offers an image of every chart that has numbers, also as a table", async () => {
  const none = { ...result(0), rows: [] };
  show([chart(1, { kind: "table" }), chart(2, { kind: "number" }), chart(3, { data: none })]);
  for (const [index, isDisabled] of [false, false, true].entries()) {
    await press(`More actions for Chart ${index + 1}`);
    const image = await screen.findByRole("menuitem", { name: "Download image (PNG)" });
    expect(image.getAttribute("aria-disabled") === "true").toBe(isDisabled);
    await user.keyboard("{Escape}");
  }
});

it("says that no line has the county, clerk or circulator of a link", () => {
  show([chart(1)], { filter: { county: ["Atlantis"], clerk: [idOf(9)], circulator: ["Bo"] } });
  const words = /No line has the county “Atlantis” or the clerk in this link. Choose from the list, or clear/;
  expect(screen.getByText(words)).toBeTruthy();
  cleanup();
  show([chart(1)], { filter: { county: [""], clerk: [idOf(1)], circulator: ["Bo"] } });
  expect(screen.queryByText(/No line has/)).toBeNull();
});

describe("cards", () => {
  it("have three widths, by their menu and by Shift and the arrow keys", async () => {
    show([chart(1), chart(2, { width: 3 })]);
    await pick(1, "Make wider");
    await screen.findByText("Done.");
    screen.getByRole("button", { name: /^Move Chart 2/ }).focus();
    await user.keyboard("{Shift>}{ArrowRight}{ArrowLeft}{/Shift}");
    const widths = [
      { ...place, id: idOf(1), width: "2" },
      { ...place, id: idOf(2), width: "2" },
    ];
    await waitFor(() => expect(sent("resizeChart")).toEqual(widths));
    expect(sent("orderCharts")).toEqual([]);
  });

  it("keep their new widths while several are saved", async () => {
    const saving = Promise.withResolvers<{ message: string; error: null }>();
    editing.resizeChart = vi.fn(() => saving.promise);
    show([chart(1), chart(2, { width: 3 })]);
    for (const [number, key] of [
      [1, "ArrowRight"],
      [2, "ArrowLeft"],
    ] as const) {
      screen.getByRole("button", { name: new RegExp(`^Move Chart ${number}`) }).focus();
      await user.keyboard(`{Shift>}{${key}}{/Shift}`);
    }
    await waitFor(() => expect(document.querySelectorAll("[class*='md:col-span-2']")).toHaveLength(2));
    saving.resolve({ message: "Done.", error: null });
  });

  it("with a text show it as it was typed, and editors change it", async () => {
    const text = "<b>Goal</b>\n\n3,400 by Dec 4";
    show([chart(1, { text, version: 4 }), chart(2)]);
    expect([...card(1).querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual(text.split("\n\n"));
    expect(card(1).parentElement?.className).toContain("self-start"); // as high as its text
    expect(screen.getByText("1 chart")).toBeTruthy();
    expect(await entriesOf(1)).not.toContain("Download CSV");
    await user.click(screen.getByRole("menuitem", { name: "Edit" }));
    const field = await screen.findByLabelText("Text");
    await user.clear(field);
    await user.type(field, "New");
    await press("Save text");
    await screen.findByText("Done.");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sent("saveText")).toEqual([{ ...place, id: idOf(1), version: "4", name: "Chart 1", text: "New" }]);
    cleanup();
    show([chart(1, { text })], { edits: false });
    expect(inCard(1).queryByRole("button")).toBeNull();
  });

  it("with a text have links for web addresses, without what ends the sentence", () => {
    show([chart(1, { text: "See https://example.org/a?b=1, (http://example.net/c) or example.com." })]);
    expect(
      inCard(1)
        .getAllByRole("link")
        .map((link) => link.getAttribute("href")),
    ).toEqual(["https://example.org/a?b=1", "http://example.net/c"]);
    expect(card(1).textContent).toContain("See https://example.org/a?b=1, (http://example.net/c) or example.com.");
  });

  it("with a text have headings, lists, bold text and named links, and no other markup", () => {
    const list = "- **Now** [plan](https://example.org/p)\n  * 2 * 3 ** 4\n- [x](javascript:alert(1))";
    const steps = "9. Call\n   1. Ann\n     - at noon\n   2. Cy\n10. Ask **Bo**";
    show([
      { ...chart(1), name: "Goals", text: `# Goals\nFor **all of** us\nand *you*\n${list}\n${steps}\n#1 <img src=x>` },
    ]);
    const html = screen.getByRole("article", { name: "Goals" }).querySelector("section")?.innerHTML ?? "";
    expect(html.replaceAll(/ class="[^"]*"/g, "")).toBe(
      "<h3>Goals</h3><p>For <strong>all of</strong> us\nand *you*</p>" +
        '<ul><li><strong>Now</strong> <a href="https://example.org/p">plan</a><ul><li>2 * 3 ** 4</li></ul></li>' +
        "<li>[x](javascript:alert(1))</li></ul>" +
        '<ol start="9"><li>Call<ol start="1"><li>Ann<ul><li>at noon</li></ul></li><li>Cy</li></ol></li><li>Ask <strong>Bo</strong></li></ol><p>#1 &lt;img src=x&gt;</p>',
    );
  });

  it("with a text need no title, and say at its field that the text is missing", async () => {
    const zodIssues = [{ code: "custom", path: ["text"], message: "is empty" }];
    editing.saveText = vi.fn(() => Promise.resolve({ message: null, error: "Fix the field above.", zodIssues }));
    show([{ ...chart(1), name: "Call Ann", text: "Call Ann\non Monday" }]);
    const untitled = screen.getByRole("article", { name: "Call Ann" });
    expect(within(untitled).getByRole("heading").className).toBe("sr-only");
    await press("More actions for Call Ann");
    await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Title (optional)")).value).toBe("");
    await user.clear(screen.getByLabelText("Text"));
    await press("Save text");
    await screen.findByText("Text is empty.");
    expect(sent("saveText")).toEqual([{ ...place, id: idOf(1), version: "1", name: "", text: "" }]);
  });

  it("stay when an action can't be sent", async () => {
    editing.duplicateChart = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
    show([chart(1)]);
    await pick(1, "Make a copy");
    await screen.findByText(/Couldn't reach Signet. Check your connection/);
    expectText(1, "King");
  });
});

describe("several dashboards", () => {
  it("a card moves to another one of the place", async () => {
    show([chart(1)], { dashboardId: idOf(7) });

    await pick(1, "Move to dashboard…");
    expect((await screen.findByLabelText<HTMLSelectElement>("Dashboard")).textContent).toBe("Main");
    await press("Move to dashboard");
    await waitFor(() => expect(sent("moveChart")).toEqual([{ ...place, id: idOf(1), to: "" }]));
  });

  const pickOfDashboard = async (entry: string) => {
    await press("More actions for this dashboard");
    await user.click(await screen.findByRole("menuitem", { name: entry }));
  };

  it("are created and renamed by editors; the first one can't be deleted", async () => {
    show([chart(1)]);
    await press("More actions for this dashboard");
    const entries = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
    expect(entries).toEqual(["Add text", "New dashboard", "Print"]);
    await user.click(screen.getByRole("menuitem", { name: "New dashboard" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Name")).required).toBe(false); // no bubble of the browser
    await user.keyboard("Field"); // it has the focus
    await press("Create dashboard");
    await waitFor(() => expect(sent("saveDashboard")).toEqual([{ ...place, name: "Field" }]));
  });

  it("are deleted after a question that counts their cards", async () => {
    show([chart(1), chart(2)], { dashboardId: idOf(7) });
    await pickOfDashboard("Rename dashboard");
    await press("Rename dashboard");
    const renamed = { ...place, dashboardId: idOf(7), before: "Field", name: "Field" };
    await waitFor(() => expect(sent("saveDashboard")).toEqual([renamed]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await pickOfDashboard("Delete dashboard");
    const dialog = await screen.findByRole("dialog", { name: "Delete “Field”?" });
    expect(within(dialog).getByText("Its 2 cards will be deleted too. This can't be undone.")).toBeTruthy();
    expect(sent("deleteDashboard")).toEqual([]);
    await press("Delete dashboard");
    await waitFor(() => expect(sent("deleteDashboard")).toEqual([{ ...place, dashboardId: idOf(7) }]));
  });

  it("are deleted without a word about cards if they have none", async () => {
    show([], { dashboardId: idOf(7) });
    await pickOfDashboard("Delete dashboard");
    const dialog = await screen.findByRole("dialog", { name: "Delete “Field”?" });
    expect(within(dialog).getByText("This can't be undone.")).toBeTruthy();
  });

  it("keep new charts", () => {
    show([chart(1)], { dashboardId: idOf(7) });
    const href = screen.getByRole("link", { name: "New chart" }).getAttribute("href");
    expect(href).toBe(`${path}/charts/new?board=${idOf(7)}`);
  });
});

it("lets editors choose how often numbers refresh, and shows it to others", async () => {
  show([chart(1)]);
  await choose("Auto-refresh", "Off");
  expect(sent("setMaxAge")).toEqual([{ ...place, maxAge: "null" }]);
  cleanup();
  show([chart(1)], { edits: false, maxAge: 60 });
  expect(screen.getByText("Auto-refresh: Every hour")).toBeTruthy();
  const print = vi.spyOn(window, "print").mockReturnValue();
  const drawing = document.createElement("div");
  drawing.dataset.drawing = "";
  document.body.append(drawing);
  await press("Print");
  await new Promise(requestAnimationFrame);
  expect(print).not.toHaveBeenCalled(); // it waits for the drawing
  drawing.innerHTML = "<svg />";
  await waitFor(() => expect(print).toHaveBeenCalledOnce());
  drawing.remove();
  expect(screen.queryByLabelText("Auto-refresh")).toBeNull();
});

it("suggests charts to editors of an empty dashboard, and says to others that an editor can add them", async () => {
  show([]);
  await user.click(await screen.findByText("Add", {}, { timeout: 9_000 }));
  expect(sent("addSuggestedChart")).toEqual([{ ...place, name: "Suggested" }]);
  cleanup();
  show([], { edits: false });
  expect(screen.getByText(/Ask someone who can edit charts/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});

it("offers no change without charts.edit", async () => {
  show([chart(1), chart(2, { data: null })], { edits: false });
  expect(screen.queryByRole("link")).toBeNull();
  const buttons = screen.getAllByRole("button", { hidden: true });
  expect(new Set(buttons.map(({ textContent, ariaLabel }) => ariaLabel ?? textContent))).toEqual(
    new Set([
      "Print",
      ...["10", "2", "no value"].map((number) => `${number}: show signatures`),
      "More actions for Chart 1",
      "More actions for Chart 2",
      "County: All counties",
      "Clerk: All clerks",
      "Circulator: All circulators",
      "County",
      "Signatures", // which sort the table
    ]),
  );
  expectText(2, /Ask someone who can edit charts to refresh it/);
  expect(await entriesOf(1)).toEqual(["Download CSV", "Download image (PNG)"]);
});

describe("the records behind a number", () => {
  const pageOf = (total: number, from: number) => {
    const row = (index: number) => [idOf(1), "riverside", "King", from + index];
    return HttpResponse.json({
      columns,
      total,
      records: Array.from({ length: Math.min(50, total - from) }, (_, index) => row(index)),
    });
  };

  it("are requested page by page with the cell that was counted, in the body", async () => {
    const requested = answerRecords(({ offset }) => pageOf(60, offset));
    const counted = chart(1);
    show([counted]);
    await press("10: show signatures");
    const dialog = within(await screen.findByRole("dialog", { name: "Signatures: King" }));
    await dialog.findByText("60 signatures");
    const head = dialog.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(head).toEqual(["Line"]); // no IDs, and nothing that is the same in all rows
    expect(dialog.getByText("Same for all: County: King")).toBeTruthy();
    expect(dialog.getAllByRole("row")).toHaveLength(51);
    await user.click(dialog.getByRole("button", { name: "Next 50 signatures" }));
    await dialog.findByText(/showing 51 to 60/);
    const cell = {
      source: "signatures",
      groupBy: "county",
      filters: [{ column: "line", operator: "gt", value: 3 }],
      group: { county: "King" },
      metric: metrics[0],
      at: counted.data?.generatedAt,
    };
    expect(requested).toEqual([
      { cell, offset: 0, limit: 50, sort: null },
      { cell, offset: 50, limit: 50, sort: null },
    ]);
    // Sorted, they begin with the first page.
    await user.click(dialog.getByRole("button", { name: "Line" }));
    await waitFor(() =>
      expect(requested.at(-1)).toMatchObject({ offset: 0, sort: { column: "line", descending: false } }),
    );
    await user.click(dialog.getByRole("button", { name: "Line" }));
    await waitFor(() => expect(requested.at(-1)).toMatchObject({ sort: { column: "line", descending: true } }));
    const head2 = await dialog.findByRole("columnheader", { name: "Line" });
    expect(head2.getAttribute("aria-sort")).toBe("descending");
    // Back closes them, and the focus is where it was.
    history.back();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("10: show signatures"));
  });

  it("lead to the register for people who can open it there", async () => {
    answerRecords(() => pageOf(1, 0));
    const open = (permissionKeys: string[]) => {
      const campaigns = [{ id: "clean-water", name: "Clean water", archivedAt: null, canEdit: false, permissionKeys }];
      const region = { timeZone: "UTC", locale: "en-US", secondFactorFrom: null };
      const teams = [{ id: "riverside", name: "Riverside", ...region, permissionKeys: [], campaigns }];
      render(
        <PlacesProvider userId={idOf(1)} teams={teams} canCreateTeam={false}>
          {dashboard([chart(1)])}
        </PlacesProvider>,
      );
      return press("10: show signatures");
    };
    await open(["signatures.view"]);
    const link = await screen.findByRole("link", { name: "Open in a new tab" });
    const register = "/riverside/campaign/clean-water/signatures/register";
    expect(link.getAttribute("href")).toBe(`${register}?line=${idOf(1)}`);
    expect(link.getAttribute("target")).toBe("_blank"); // the sorted records stay
    cleanup();
    await open([]);
    await screen.findByText("1 signature");
    expect(screen.queryByRole("link", { name: "Open in a new tab" })).toBeNull();
  });

  it("say why they can't be read, and can be requested again", async () => {
    const error = "This chart took longer than 15 seconds. Add a filter.";
    answerRecords(() => HttpResponse.json({ error }, { status: 504 }));
    show([chart(1)]);
    await press("10: show signatures");
    await screen.findByText(error);
    answerRecords(() => pageOf(1, 0));
    await press("Try again");
    await screen.findByText("1 signature");
    expect(screen.queryByText(error)).toBeNull();
  });

  it("are offered only to people who can see them", () => {
    show([chart(1)], { canSeeRecords: false });
    expect(screen.queryByRole("button", { name: /show signatures/ })).toBeNull();
  });
});
