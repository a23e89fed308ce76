import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { readSavedArea } from "@/components/voters/saved-search";
import { TeamVoterSearch } from "@/components/voters/team-voter-search";
import type { VoterSource } from "@/components/voters/use-voter-search";
import { Highlight } from "@/components/voters/voter-badges";
import { VoterSearch } from "@/components/voters/voter-search";
import { onSessionEnded, reportSessionRenewed } from "@/lib/forms/session-ended";
import { searchCredentials } from "@/lib/voters/search-profile";
import { extraParams } from "@/lib/voters/voter-query";

type Params = Record<string, string | number | boolean>;
type SearchRequest = { params: Params; credentials?: unknown };

const requests: SearchRequest[] = [];
type Respond = (body: never) => Response | Promise<Response>;
const routes = new Map<string, Respond>();

const person = (index: number, fields: object = {}) => ({
  _id: `doc-${index}`,
  _source: {
    voterId: `WA-${index}`,
    lastName: "Smith",
    firstName: `Ada ${index}`,
    middleName: "M.",
    houseNumber: "1204",
    street: "Oak St",
    unit: "4",
    city: "Kent",
    zip: "98030",
    county: "King",
    ...fields,
  },
});

function answerWith(respond: (params: Params) => Response | Promise<Response>) {
  routes.set("/api/essearch", (body: SearchRequest) => {
    requests.push(body);
    return respond(body.params);
  });
}

const answerOf = (persons: object[], hitsCount = persons.length, totalHits = persons.length) =>
  Response.json({ persons, hitsCount, totalHits });

/** A backend with this many voters, which returns the first three of each page. */
const voters = (total: number) => (params: Params) => {
  const from = Number(params.queryFrom);
  const onPage = Math.max(0, Math.min(25, total - from));
  const persons = Array.from({ length: Math.min(3, onPage) }, (_, index) => person(from + index));
  return answerOf(persons, onPage, total);
};

const user = userEvent.setup({ delay: null });
const source = { path: "/api/essearch", credentials: searchCredentials("NY"), extraParams: [] } as const;
const screenOf = ({
  storageKey = "riverside/clean-water",
  ...props
}: Partial<ComponentProps<typeof VoterSearch>> = {}) => (
  <ScreenKeysProvider>
    <VoterSearch fieldsShown={false} storageKey={storageKey} source={source} {...props} />
  </ScreenKeysProvider>
);
/** Shows the single search box and pastes a text into it. */
function showBox(text = "", taken: VoterSource["extraParams"] = extraParams) {
  render(screenOf({ source: { ...source, extraParams: taken } }));
  return user.paste(text);
}
/** Shows the separate fields, on a backend that only takes the contract's params. */
function show(storageKey = "riverside/clean-water") {
  render(screenOf({ storageKey, fieldsShown: true }));
  act(() => field("Last name").focus());
}

/** Shows the fields and searches for these letters. */
async function search(respond: (params: Params) => Response | Promise<Response>, letters = "smi") {
  answerWith(respond);
  show();
  await user.paste(letters);
  await grid();
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: "[data-field]" });
const fill = (name: string, text: string) => {
  act(() => field(name).focus());
  return user.paste(text);
};
const box = () => field("Name, address, ZIP code, or voter ID");
const chips = () => screen.queryAllByLabelText(/^Clear .+: /).map(({ textContent }) => textContent);
const head = (column: string) => screen.getByTitle(column);
const grid = () => screen.findByLabelText("Voters found");
const status = () => screen.getAllByRole("status")[0]?.textContent;
const expectStatus = (text: string) => waitFor(() => expect(status()).toBe(text));
const dialog = () => screen.queryByRole("dialog");
const activeRow = () => {
  const id = document.activeElement?.getAttribute("aria-activedescendant");
  return id ? document.getElementById(id)?.textContent : undefined;
};
const params = () => requests.map((one) => one.params);

beforeAll(async () => {
  await import("@/lib/voters/responses"); // loaded later by the page
});

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string, { body, signal }: RequestInit) => {
    const respond = routes.get(path);
    if (!respond) throw new Error(`Nothing answers ${path}.`);
    const aborted = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const response = await Promise.race([respond(JSON.parse(String(body)) as never), aborted]);
    if (response.type === "error") throw new TypeError("no connection");
    return response;
  });
});
afterEach(() => {
  routes.clear();
  requests.length = 0;
  history.replaceState(null, "", location.pathname);
});

describe("a search", () => {
  it("starts with the first character, and shows the first step before", async () => {
    vi.useFakeTimers();
    show();
    expect(screen.getByText("Find a voter")).toBeTruthy();
    fireEvent.change(field("Last name"), { target: { value: "  " } });
    await act(() => vi.runAllTimersAsync());
    expect(requests).toEqual([]);
  });

  it("sends one request for text typed in one go, with the profile's names and no empty field", async () => {
    answerWith(voters(312));
    show();
    await user.keyboard(" smi ");
    await expectStatus("312 voters, 25 shown");
    const params = { lastName: "smi", order: "lastName", queryFrom: 0, querySize: 25 };
    expect(requests).toEqual([{ params, credentials: searchCredentials("NY") }]);
  });

  it("sends all fields", async () => {
    answerWith(voters(1));
    show();
    const texts = {
      "Last name": "s",
      "First name": "a",
      "House number": "12",
      "ZIP code": "98",
      City: "Ken",
      County: "Ki",
    };
    for (const [name, text] of Object.entries(texts)) await fill(name, text);
    await waitFor(() =>
      expect(params().at(-1)).toMatchObject({
        lastName: "s",
        firstName: "a",
        houseNumber: "12",
        zip: "98",
        city: "Ken",
        county: "Ki",
      }),
    );
  });

  it("shows the newer answer when the older one arrives last", async () => {
    const older = Promise.withResolvers<Response>();
    const answer = (lastName: string) => answerOf([person(1, { lastName })]);
    answerWith(({ lastName }) => (lastName === "s" ? older.promise : answer("Smith")));
    show();
    await user.paste("s");
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.paste("m");
    expect((await grid()).textContent).toContain("Smith");
    await act(async () => older.resolve(answer("Sato")));
    expect((await grid()).textContent).not.toContain("Sato");
    expect(params().map(({ lastName }) => lastName)).toEqual(["s", "sm"]);
  });
});

describe("the results", () => {
  it.each([
    ["smi", "Smith", "Smi"],
    ["NUN", "Núñez", "Núñ"],
    ["núñ", "Nunez", "Nun"],
    ["nun", "Nu\u0301n\u0303ez", "Nu\u0301n\u0303"],
    ["oconnor", "O'Connor", "O'Connor"],
    ["smith j", "Smith-Jones", "Smith-J"],
    ["ith", "Smith", undefined],
  ])("%s in %s marks %s", (query, text, marked) => {
    const { container } = render(<Highlight query={query} text={text} />);
    expect([container.textContent, container.querySelector("mark")?.textContent]).toEqual([text, marked]);
  });

  it("show in a row all that distinguishes namesakes, with the search text marked", async () => {
    await search(voters(1));
    const cells = [...(await grid()).querySelectorAll("td")];
    const texts = ["Smith", "Ada 0 M.", "1204", "Oak St #4", "Kent", "98030", "King"];
    expect(cells.slice(-7).map(({ textContent }) => textContent)).toEqual(texts);
    expect(cells[0]?.textContent).toBe("Smith, Ada 0 M.1204 Oak St #4, Kent 98030 · King");
    expect(cells[1]?.querySelector("mark")?.textContent).toBe("Smi");
  });

  it("show birth year and party where the voter file has them", async () => {
    await search(() => answerOf([person(1, { birthYear: 1975, party: "Green" }), person(2)]));
    const heads = [...document.querySelectorAll("th")].map(({ textContent }) => textContent);
    expect(heads.slice(-2)).toEqual(["Born", "Party"]);
    const rows = [...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/King · born 1975 · Green.*King1975Green$/);
    expect(rows[1]).not.toMatch(/born/);
    await user.keyboard("{Enter}");
    expect((await screen.findByRole("dialog")).textContent).toMatch(/CountyKingBirth year1975Also at.*PartyGreen/);
  });

  it("count a hit without an ID, but don't show it", async () => {
    await search(() => answerOf([person(1), { _source: { lastName: "Smith" } }]));
    expect(screen.getByText("1 result without a voter ID isn't shown.")).toBeTruthy();
    expect(screen.getByText("1–2 of 2")).toBeTruthy();
  });

  it("offer to drop a field when no voter matches", async () => {
    answerWith((asking) => voters(asking.houseNumber ? 0 : 3)(asking));
    show();
    await fill("Last name", "smi");
    await fill("House number", "999");
    await screen.findByText("No voters match");
    expect(status()).toBe("No exact match");
    await user.click(screen.getByText("Search without house number “999”"));
    await expectStatus("3 voters");
    expect(field("House number").value).toBe("");
  });

  // More failures: tests/unit/http/call-api.test.ts.
  it.each<[what: string, respond: () => Response, text: string]>([
    ["an error", () => Response.json({ error: "Not set up.", errorCode: 418 }, { status: 502 }), "Not set up."],
    ["no connection", () => Response.error(), "Couldn't search voters."],
  ])("show %s in a sentence, with a button that asks again", async (_what, respond, text) => {
    answerWith(respond);
    show();
    await user.paste("smi");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(text));
    expect(screen.queryByLabelText("Voters found")).toBeNull();
    answerWith(voters(3));
    await user.click(screen.getByText("Try again"));
    await expectStatus("3 voters");
    expect(screen.getByRole("alert").textContent).toBe("");
    expect(params()[1]).toEqual(params()[0]);
  });

  it("offer no button without a connection, whose return repeats the search", async () => {
    answerWith(() => Response.error());
    show();
    const connection = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await user.paste("smi");
    await screen.findByText(/Couldn't search voters/);
    await waitFor(() => expect(screen.queryByText("Try again")).toBeNull());
    answerWith(voters(3));
    connection.mockRestore();
    act(() => void window.dispatchEvent(new Event("online")));
    await expectStatus("3 voters");
  });

  it("wait for the rate limit after a 429", async () => {
    const error = "Too many requests. Try again in 30 seconds.";
    answerWith(() => Response.json({ error }, { status: 429, headers: { "Retry-After": "30" } }));
    show();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await user.paste("smi");
    await user.click(await screen.findByText("Try again in 30 s"));
    act(() => vi.advanceTimersByTime(29_000));
    await user.click(screen.getByText("Try again in 1 s"));
    act(() => vi.advanceTimersByTime(1000));
    expect(requests).toHaveLength(1);
    answerWith(voters(3));
    await user.click(screen.getByText("Try again"));
    await expectStatus("3 voters");
  });

  it("stay during a slow search, which counts the seconds", async () => {
    const slow = Promise.withResolvers<Response>();
    await search((asking) => (asking.lastName === "smit" ? slow.promise : voters(312)(asking)));
    const before = await grid();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await user.paste("t");
    expect(screen.queryByText("The voters below are from your last search.")).toBeNull();
    act(() => vi.advanceTimersByTime(1000));
    expect(screen.getByText("Searching… 1 s")).toBeTruthy();
    expect(screen.getByText("Searching…").getAttribute("role")).toBe("status");
    expect(screen.getByText("The voters below are from your last search.")).toBeTruthy();
    await user.paste("x");
    expect(screen.queryByText("Searching… 1 s")).toBeNull();
    await user.keyboard("{Backspace}");
    await user.click(before.querySelector("tbody button") ?? before);
    expect(dialog()).toBeNull();
    expect(await grid()).toBe(before);
    expect(before.parentElement?.getAttribute("aria-busy")).toBe("true");
    slow.resolve(voters(3)({ queryFrom: 0 }));
    await expectStatus("3 voters");
    expect(screen.queryByText(/Searching/)).toBeNull();
  });
});

describe("a failed search", () => {
  it("keeps the voters found before, opens none of them, and is repeated once the device is online again", async () => {
    await search(voters(60));
    routes.set("/api/essearch", () => Response.error());
    await user.paste("th");
    await screen.findByText(/Couldn't search voters/);
    expect(await grid()).toBeTruthy();
    expect(screen.getByText("The voters below are from your last search.")).toBeTruthy();
    expect(screen.queryByText("1–25 of 60")).toBeNull();
    await user.keyboard("{Enter}");
    expect(dialog()).toBeNull();
    answerWith(voters(1));
    fireEvent(window, new Event("online"));
    await expectStatus("1 voter");
    expect(params().at(-1)).toMatchObject({ lastName: "smith" });
    expect(screen.queryByText(/Couldn't search voters|from your last search/)).toBeNull();
  });

  it("shows what was found before for the same words, and says so", async () => {
    await search((asking) => (asking.lastName === "smit" ? answerOf([person(7)]) : voters(60)(asking)));
    await user.paste("t");
    await expectStatus("1 voter");
    routes.set("/api/essearch", () => Response.error());
    await user.keyboard("{Backspace}");
    await screen.findByText("The voters below are from an earlier search for the same.");
    expect((await grid()).textContent).toContain("Ada 2");
    await user.paste("x");
    await screen.findByText("The voters below are from your last search.");
    expect((await grid()).textContent).toContain("Ada 7");
  });

  it("is repeated after a pause if it may pass", async () => {
    answerWith(() => Response.json({ error: "Try again." }, { status: 503, headers: { "Retry-After": "1" } }));
    show();
    await user.paste("smi");
    await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(""));
    answerWith(voters(3));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(""), { timeout: 5_000 });
    await expectStatus("3 voters");
  });

  it("is repeated once before it says so", async () => {
    const busy = [Response.json({ error: "Try again." }, { status: 502 })];
    answerWith((asking) => busy.pop() ?? voters(3)(asking));
    show();
    await user.paste("smi");
    await waitFor(() => expect(requests).toHaveLength(2), { timeout: 3_000 }); // an error is shown for 5 s
    await expectStatus("3 voters");
  });

  it("shows no voters to someone who may not search any more", async () => {
    await search(voters(60));
    answerWith(() => Response.json({ error: "You need a permission." }, { status: 403 }));
    await user.paste("th");
    await screen.findByText("You need a permission.");
    expect(screen.queryByLabelText("Voters found")).toBeNull();
  });
});

describe("pages and order", () => {
  it("turns pages by key and by button", async () => {
    await search(voters(60));
    await user.keyboard("{PageUp}{PageDown}");
    await screen.findByText("26–50 of 60");
    expect(status()).toBe("60 voters, 26 to 50 shown");
    await user.click(screen.getAllByLabelText("Next 25 voters")[0] as HTMLElement);
    await screen.findByText("51–60 of 60");
    act(() => field("Last name").focus());
    await user.keyboard("{PageDown}{PageUp}");
    await screen.findByText("26–50 of 60");
    expect(params().map(({ queryFrom }) => queryFrom)).toEqual([0, 25, 50, 25]);
    await user.paste("t");
    await screen.findByText("1–25 of 60");
  });

  it("orders by a column, reverses it, and orders by the list", async () => {
    await search(voters(60));
    await user.click(head("City"));
    await waitFor(() => expect(params().at(-1)?.order).toBe("city"));
    await user.click(head("City"));
    await waitFor(() => expect(params().at(-1)?.order).toBe("-city"));
    expect(head("City").closest("th")?.getAttribute("aria-sort")).toBe("descending");
    await user.selectOptions(screen.getByLabelText("Sort by"), "House number");
    await waitFor(() => expect(params().at(-1)).toMatchObject({ order: "houseNumber", queryFrom: 0 }));
  });
});

describe("the keyboard", () => {
  it("moves with arrows up to the ends, opens with Enter, and returns to the field", async () => {
    await search(voters(3));
    await user.keyboard("{ArrowUp}");
    expect(activeRow()).toContain("Ada 0");
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(activeRow()).toContain("Ada 2");
    expect(params()).toHaveLength(1);
    await user.keyboard("{Enter}");
    const opened = await screen.findByRole("dialog", { name: "Ada 2 M. Smith" });
    expect(opened.textContent).toContain("1204 Oak St #4");
    await user.click(within(opened).getByLabelText("Copy voter ID"));
    expect(await within(opened).findByText("Copied.")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe("WA-2");
    await user.keyboard("{ArrowUp}");
    await screen.findByRole("dialog", { name: "Ada 1 M. Smith" });
    await user.keyboard("{ArrowDown}{ArrowDown}");
    const last = await screen.findByRole("dialog", { name: "Ada 2 M. Smith" });
    await user.click(within(last).getByLabelText("Close"));
    expect(dialog()).toBeNull();
    expect(document.activeElement).toBe(field("Last name"));
  });

  it("leads from where a voter has signed to the line, for people who may see it", async () => {
    answerWith(() => answerOf([person(0)]));
    routes.set("/api/duplicate/batch", () => Response.json({ exists: { "WA-0": true } }));
    const at = { ownTeam: true, sheet: 3, line: 9 };
    routes.set("/api/signatures/signed", () => Response.json({ signed: { "WA-0": at } }));
    render(screenOf({ signedMarks: { campaign: "clean-water", detailsTeamId: "riverside", entryPath: null } }));
    await user.paste("smi");
    await grid();
    await screen.findByText(/ · signed sheet 3, line 9$/);
    await user.keyboard("{Enter}");
    const opened = within(await screen.findByRole("dialog", { name: "Ada 0 M. Smith" }));
    const link = await opened.findByRole("link", { name: "Yes: sheet 3, line 9" });
    expect(link.getAttribute("href")).toBe("/riverside/campaign/clean-water/signatures/register?voter=WA-0");
  });

  it("shows a voter's registration and household, copies them, and enters the voter", async () => {
    const bo = person(7, { firstName: "Bo", birthYear: 1990, unit: "4" });
    const neighbor = person(8, { firstName: "Cy", unit: "5" });
    let isDown = true;
    answerWith((asking) => {
      if (asking.houseNumber) return isDown ? Response.error() : answerOf([person(0), bo, neighbor]);
      return answerOf([person(0, { status: "Active", district: "47", precinct: "Kent 12" })]);
    });
    routes.set("/api/duplicate/batch", ({ voterIds }: { voterIds: string[] }) =>
      Response.json({ exists: Object.fromEntries(voterIds.map((id) => [id, id === "WA-7"])) }),
    );
    const entryPath = "/riverside/campaign/clean-water/signatures";
    render(screenOf({ signedMarks: { campaign: "clean-water", detailsTeamId: null, entryPath } }));
    await user.paste("smi");
    await grid();
    await user.keyboard("{Enter}");
    const opened = within(await screen.findByRole("dialog", { name: "Ada 0 M. Smith" }));
    await waitFor(() => expect(opened.getByText("Registration").nextSibling?.textContent).toBe("Active"));
    expect(opened.getByText("District").nextSibling?.textContent).toBe("47");
    expect(opened.getByText("Precinct").nextSibling?.textContent).toBe("Kent 12");
    const household = within(opened.getByLabelText("Household"));
    await household.findByText("Couldn't load who lives here.");
    await user.click(household.getByText("Try again"));
    await household.findByText("Couldn't load who lives here.");
    act(() => void window.dispatchEvent(new Event("offline")));
    isDown = false;
    act(() => void window.dispatchEvent(new Event("online")));
    await household.findByText("already signed");
    expect(household.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Bo M. Smith, born 1990already signed",
    ]);
    expect(params()).toContainEqual(
      expect.objectContaining({ houseNumber: "1204", street: "Oak St", zip: "98030", querySize: 100 }),
    );
    await user.click(opened.getByText("Copy name and address"));
    expect(await navigator.clipboard.readText()).toBe("Ada 0 M. Smith\n1204 Oak St #4\nKent 98030\nWA-0");
    const link = await opened.findByText("Enter this voter");
    expect(link.getAttribute("href")).toBe(`${entryPath}#lastName=Smith&firstName=Ada+0&houseNumber=1204`);

    await user.click(household.getByText(/Bo M. Smith/));
    const other = within(await screen.findByRole("dialog", { name: "Bo M. Smith" }));
    await waitFor(() => expect(other.getByText("Signed").nextSibling?.textContent).toBe("Yes"));
    expect(other.queryByText("Enter this voter")).toBeNull();
    history.back();
    await screen.findByRole("dialog", { name: "Ada 0 M. Smith" });
    history.forward();
    const again = within(await screen.findByRole("dialog", { name: "Bo M. Smith" }));
    await user.click(again.getByLabelText("Close"));
    await waitFor(() => expect(location.hash).toBe("#q=smi"));
    expect(dialog()).toBeNull();
  });

  it("checks again who has signed once the device is online, or on a click", async () => {
    answerWith(() => answerOf([person(0)]));
    let isDown = true;
    routes.set("/api/duplicate/batch", () => (isDown ? Response.error() : Response.json({ exists: { "WA-0": true } })));
    render(screenOf({ signedMarks: { campaign: "clean-water", detailsTeamId: null, entryPath: null } }));
    await user.paste("smi");
    await grid();
    await user.keyboard("{Enter}");
    const opened = within(await screen.findByRole("dialog"));
    await opened.findByText("Couldn't check");
    act(() => void window.dispatchEvent(new Event("offline")));
    isDown = false;
    act(() => void window.dispatchEvent(new Event("online")));
    await waitFor(() => expect(opened.getByText("Signed").nextSibling?.textContent).toBe("Yes"));
  });

  it("moves from the last row to the first row of the next page", async () => {
    await search(voters(60));
    const rows = new Set<string | null | undefined>();
    const observer = new MutationObserver(() => rows.add(activeRow()?.match(/Ada \d+/)?.[0]));
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    await screen.findByText("26–50 of 60");
    observer.disconnect();
    expect([...rows]).toEqual(["Ada 1", "Ada 2", "Ada 25"]);
  });

  it("is closed by Back", async () => {
    await search(voters(1));
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("dialog")).toBeTruthy();
    history.back();
    await waitFor(() => expect(dialog()).toBeNull());
  });

  it("is in the address, opens again on reload, and is closed by Back, which doesn't search again", async () => {
    answerWith(voters(3));
    await showBox("smith, ada");
    await grid();
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("dialog", { name: "Ada 1 M. Smith" });
    await waitFor(() => expect(location.hash).toBe("#q=smith%2C+ada&open=WA-1"));
    cleanup();
    await showBox();
    await screen.findByRole("dialog", { name: "Ada 1 M. Smith" });
    await waitFor(() => expect(location.hash).toBe("#q=smith%2C+ada&open=WA-1"));
    await waitFor(() => expect(screen.queryByText("Searching…")).toBeNull());
    const searches = () =>
      params().filter(({ querySize, similar, voterId }) => querySize === 25 && !similar && !voterId);
    const before = searches();
    history.back();
    await waitFor(() => expect([dialog(), location.hash]).toEqual([null, "#q=smith%2C+ada"]));
    expect([searches(), box().value]).toEqual([before, "smith, ada"]);
  });

  it("is in the address until a voter who isn't listed is looked up, also after a link on the same page", async () => {
    const slow = Promise.withResolvers<void>();
    answerWith(async ({ voterId }) => {
      if (voterId === "WA-7") await slow.promise;
      return voterId ? answerOf([person(Number(`${voterId}`.slice(3)))]) : voters(3)({ queryFrom: 0 });
    });
    history.replaceState(null, "", "#q=smith%2C+ada&open=WA-7");
    await showBox();
    await grid();
    await new Promise((resolve) => setTimeout(resolve, 400)); // longer than the address's delay
    expect(location.hash).toBe("#q=smith%2C+ada&open=WA-7");
    slow.resolve();
    await screen.findByRole("dialog", { name: "Ada 7 M. Smith" });
    location.hash = "#q=smith&open=WA-8";
    await screen.findByRole("dialog", { name: "Ada 8 M. Smith" });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(location.hash).toBe("#q=smith&open=WA-8");
  });

  it("keeps the search when the panel is closed before the address has it", async () => {
    await search((asking) => voters(asking.lastName === "smi" ? 60 : 3)(asking));
    await waitFor(() => expect(location.hash).toBe("#lastName=smi"));
    await user.paste("t");
    await expectStatus("3 voters");
    await user.keyboard("{Enter}");
    await screen.findByRole("dialog");
    history.back();
    await waitFor(() => expect(dialog()).toBeNull());
    expect([location.hash, field("Last name").value]).toEqual(["#lastName=smit", "smit"]);
  });

  it("opens no one from the previous answer", async () => {
    const slow = Promise.withResolvers<Response>();
    await search((asking) => (asking.lastName === "smi" ? voters(3)(asking) : slow.promise));
    await user.keyboard("t{Enter}");
    await waitFor(() => expect(params().at(-1)?.lastName).toBe("smit"));
    expect(dialog()).toBeNull();
  });

  it("hides the phone's keyboard on Enter", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    await search(voters(3));
    await user.keyboard("{Enter}");
    expect([document.activeElement, dialog()]).toEqual([document.body, null]);
  });

  it("clears all but city and county on Esc, and returns to the box on /", async () => {
    answerWith(voters(3));
    show();
    await fill("City", "Kent");
    await fill("House number", "12");
    await user.keyboard("{Escape}");
    expect([field("House number").value, field("City").value]).toEqual(["", "Kent"]);
    const box = field("Name, house number, or ZIP code");
    expect(document.activeElement).toBe(box);
    act(() => box.blur());
    await user.keyboard("/");
    expect([document.activeElement, box.value]).toEqual([box, ""]);
  });
});

describe("city and county", () => {
  it("are kept for this team or campaign until they are cleared, and nothing else is", async () => {
    answerWith(voters(3));
    show();
    await fill("City", "Kent");
    await fill("Last name", "smi");
    cleanup();
    show();
    expect([field("City").value, field("Last name").value]).toEqual(["Kent", ""]);
    await waitFor(() => expect(params().at(-1)).toMatchObject({ city: "Kent" }));
    cleanup();
    show("riverside");
    expect(field("City").value).toBe("");
    cleanup();
    show();
    await user.click(screen.getByLabelText("Clear the city"));
    expect(document.activeElement).toBe(field("City"));
    expect(localStorage).toHaveLength(0);
  });

  it.each(["{", "null", "7", '{"city":7}'])("ignore any other stored value: %s", (stored) => {
    localStorage.setItem("signet:voters:riverside", stored);
    expect(readSavedArea("riverside")).toEqual({ city: "", county: "" });
  });
});

describe("the search box", () => {
  /** A backend that knows these pairs of last and first name, and these near matches. */
  const people = (known: string[], similar: object[] = []) =>
    answerWith((asking) => {
      if (asking.similar) return answerOf(similar);
      const asked = `${asking.lastName}, ${asking.firstName ?? ""}`;
      return answerOf(known.flatMap((name, index) => (name === asked ? [person(index)] : [])));
    });
  const lastParams = () => {
    const { order, queryFrom, querySize, ...texts } = params().at(-1) ?? {};
    return texts;
  };

  it("has the focus, and shows how it understood the text", async () => {
    people(["smith, john"]);
    await showBox();
    expect(document.activeElement).toBe(box());
    await user.paste("John Smith 98030 ");
    await waitFor(() => expect(chips()).toEqual(["Last name: Smith", "First name: John", "ZIP code: 98030"]));
    expect(screen.queryByLabelText("Last name")).toBeNull();
  });

  it("promises only what the backend takes, and shows what isn't searched", async () => {
    answerWith(voters(3));
    await showBox("", []);
    expect(field("Name, house number, or ZIP code")).toBe(document.activeElement);
    await user.paste("1352 mill ave");
    await waitFor(() => expect(chips()).toEqual(["House number: 1352"]));
    expect(screen.getByText("Not searched: “mill ave”")).toBeTruthy();
  });

  it("tries names in the other order when no one matches, and reads the next letter the same way", async () => {
    people(["smith, john", "smith, johnn"]);
    await showBox("smith john");
    await expectStatus("1 voter");
    expect(chips()).toEqual(["Last name: smith", "First name: john"]);
    expect(params().map(({ lastName, firstName }) => `${lastName}, ${firstName}`)).toEqual(
      expect.arrayContaining(["john, smith", "smith, john"]),
    );
    await user.paste("n");
    expect(chips()).toEqual(["Last name: smith", "First name: john"]); // until the answer is there
    await waitFor(() => expect(chips()).toEqual(["Last name: smith", "First name: johnn"]));
    await waitFor(() => expect(params().at(-1)).toMatchObject({ lastName: "smith", firstName: "johnn" }));
    expect(params()).not.toContainEqual(expect.objectContaining({ lastName: "johnn" }));
  });

  it("leaves out a word only when no reading of all words finds anyone, also while typing", async () => {
    people(["garcia, maria", "garcia gomez, maria", "gomez, maria"]);
    await showBox("maria garcia");
    await expectStatus("1 voter");
    await user.paste(" gomez");
    await waitFor(() => expect(chips()).toEqual(["Last name: garcia gomez", "First name: maria"]));
  });

  it("turns pages of the other reading's results", async () => {
    answerWith((asking) => (asking.lastName === "smith" ? voters(60)(asking) : answerOf([])));
    await showBox("smith john");
    await screen.findByText("1–25 of 60");
    await user.keyboard("{PageDown}");
    await screen.findByText("26–50 of 60");
    expect(params().at(-1)).toMatchObject({ lastName: "smith", firstName: "john", queryFrom: 25 });
  });

  it("is cleared by Esc, and restored with its reading by the next Esc", async () => {
    people(["james, david"]);
    await showBox();
    await user.keyboard("{Escape}");
    await user.paste("james david");
    await expectStatus("1 voter");
    await user.keyboard("{Escape}");
    expect([box().value, ...chips()]).toEqual([""]);
    await user.keyboard("{Escape}");
    await expectStatus("1 voter");
    expect([box().value, ...chips()]).toEqual(["james david", "Last name: james", "First name: david"]);
  });

  it("offers the other readings by name, and shows exactly the chosen one", async () => {
    people(["david, james", "james, david"]);
    await showBox("james david");
    await expectStatus("1 voter");
    await user.click(await screen.findByText("Or Last name: james · First name: david"));
    expect(chips()).toEqual(["Last name: james", "First name: david"]);
    expect(await screen.findByText("Or Last name: david · First name: james")).toBeTruthy();
    expect(document.activeElement).toBe(box());
  });

  it("offers only readings that find someone else", async () => {
    answerWith(({ lastName, street, city, county }) =>
      answerOf(lastName ? [person(0)] : street ? [person(1)] : city || county ? [person(2)] : []),
    );
    await showBox("river");
    expect(await screen.findByText("Or Street: river")).toBeTruthy();
    expect(screen.getAllByTitle("Search this way instead").map(({ textContent }) => textContent)).toEqual([
      "Or City: river", // the county has the same voters
      "Or Street: river",
    ]);
  });

  it("offers the readings that are answered in time", async () => {
    answerWith(({ lastName, firstName }) =>
      lastName || firstName ? answerOf([person(lastName ? 0 : 1)]) : new Promise(() => undefined),
    );
    await showBox("robert");
    expect(await screen.findByText("Or First name: robert", {}, { timeout: 8_000 })).toBeTruthy();
  });

  it("offers both names of a couple, also as near matches", async () => {
    people([], [person(7, { match: "sounds like" })]);
    await showBox("Chad & Sandra Macdonald");
    await user.click(await screen.findByText("Or First name: Sandra"));
    await waitFor(() => expect(chips()).toEqual(["Last name: Macdonald", "First name: Sandra"]));
    expect(await screen.findByText("Or First name: Chad")).toBeTruthy();
    expect(screen.getByText("Not searched: “Chad &”")).toBeTruthy();
  });

  it("offers no street to someone who typed a first name", async () => {
    answerWith(({ firstName, street, city }) =>
      answerOf(firstName ? [person(0)] : city ? [person(1)] : street ? [person(2)] : []),
    );
    await showBox("madison");
    expect(await screen.findByText(/^Or /)).toBeTruthy();
    expect(screen.queryByText("Or Street: madison")).toBeNull();
  });

  it("offers first the readings after the one that found someone, and says which word isn't searched", async () => {
    answerWith(({ firstName, lastName, city, county }) =>
      answerOf(
        firstName === "maria" && /^(lopez|hernandez)$/.test(`${lastName}`) && !city && !county
          ? [person(`${lastName}`.length)]
          : [],
      ),
    );
    await showBox("maria hernandez lopez");
    expect(await screen.findByText("Not searched: “hernandez”")).toBeTruthy();
    await user.click(await screen.findByText("Or Last name: hernandez"));
    expect(await screen.findByText("Not searched: “lopez”")).toBeTruthy();
  });

  it("reads a street kind as a street, also where names were read before", async () => {
    answerWith(({ street }) => answerOf(street === "main st" ? [person(0)] : []));
    await showBox("main s");
    await screen.findByText("No voters match");
    await user.paste("t");
    await expectStatus("1 voter");
    expect(chips()).toEqual(["Street: main st"]);
    expect(params().filter(({ lastName }) => lastName === "st")).toEqual([]);
  });

  it("says as what a word was looked for when no one has it", async () => {
    answerWith(() => answerOf([]));
    await showBox("seattle");
    expect(await screen.findByText("Searched as last name, first name, city, county, and street.")).toBeTruthy();
    await user.clear(screen.getByRole("combobox"));
    await user.paste("9803");
    expect(await screen.findByText("Searched as house number, voter ID, and ZIP code.")).toBeTruthy();
    await user.click(screen.getByText("Clear house number “9803”"));
    await user.paste("x");
    expect(await screen.findByText("Check the letter, or search by house number or ZIP code.")).toBeTruthy();
  });

  it("shows the household of a typed unit first, and says that units aren't searched", async () => {
    answerWith(({ street }) =>
      answerOf(street ? [person(0), person(1, { unit: "209" }), person(2, { unit: "21" })] : []),
    );
    await showBox("1204 oak st apt 209");
    await expectStatus("3 voters");
    const rows = [...(await grid()).querySelectorAll("tbody tr")];
    expect(rows.map((row) => /Ada \d/.exec(row.textContent)?.[0])).toEqual(["Ada 1", "Ada 0", "Ada 2"]);
    expect(screen.getByText("Not searched: “apt 209”")).toBeTruthy();
  });

  it("searches a birth year, or says that it wasn't", async () => {
    const born = (index: number, birthYear: number) => person(index, { birthYear });
    answerWith(({ houseNumber, lastName, zip, birthYear }) =>
      answerOf(lastName && !houseNumber && !zip && !birthYear ? [born(0, 1950), born(1, 1949)] : []),
    );
    await showBox("smith 1949");
    expect(await screen.findByText("Birth year not searched: “1949”")).toBeTruthy();
    expect(params()).toContainEqual(expect.objectContaining({ lastName: "smith", birthYear: "1949" }));
  });

  it.each([
    ["1/15/1960", "Birth dates can't be searched. Enter a name, house number, or ZIP code."],
    ["*", "Nothing to search. Enter a name, house number, or ZIP code."],
    ["Apt 21", "Units can't be searched alone. Enter a name, house number, or ZIP code."],
  ])("says why it doesn't search “%s”", async (text, message) => {
    await showBox(text);
    expect(screen.getByText(message)).toBeTruthy();
    await user.clear(box());
    expect(screen.getByText("Find a voter")).toBeTruthy();
  });

  it("shows its likeliest reading when the connection fails during the others", async () => {
    answerWith(({ street }) => (street ? Response.error() : answerOf([])));
    await showBox("nguyen anh");
    await screen.findByText(/Couldn't search voters/);
    expect(chips()).toEqual(["Last name: anh", "First name: nguyen"]);
  });

  it("finds a city alone once it is neither a last nor a first name", async () => {
    answerWith((asking) => (asking.city === "Auburn" ? voters(30)(asking) : answerOf([])));
    await showBox("Auburn");
    await screen.findByText("1–25 of 30");
    expect(chips()).toEqual(["City: Auburn"]);
  });

  it("drops a part when its chip is clicked", async () => {
    people([]);
    await showBox("smith, john");
    await user.click(await screen.findByLabelText("Clear last name: smith"));
    expect(chips()).toEqual(["First name: john"]);
    expect([box().value, document.activeElement]).toEqual(["john", box()]);
    await waitFor(() => expect(lastParams()).toEqual({ firstName: "john" }));
    await user.keyboard(" smith 98030-1234");
    await user.click(screen.getByLabelText("Clear first name: john"));
    expect([box().value, ...chips()]).toEqual(["smith 98030-1234", "Last name: smith", "ZIP code: 98030"]);
    await user.click(screen.getByLabelText("Clear ZIP code: 98030"));
    expect([box().value, ...chips()]).toEqual(["", "Last name: smith"]);
  });

  it("shows the fields on F2 with what was understood, remembers that, and lets typing there take over", async () => {
    answerWith(voters(3));
    await showBox("john smith");
    await user.keyboard("{F2}");
    expect(document.activeElement).toBe(field("Last name"));
    expect(document.cookie).toContain("signet-voter-fields=1");
    expect([field("Last name").value, field("First name").value]).toEqual(["smith", "john"]);
    await user.paste("s");
    expect([box().value, field("Last name").value, field("First name").value]).toEqual(["", "smiths", "john"]);
    await user.keyboard("{F2}");
    expect(document.activeElement).toBe(box());
    expect(document.cookie).toBe("");
    await waitFor(() => expect(chips()).toEqual(["Last name: smiths", "First name: john"]));
  });

  it("keeps text typed before the page was hydrated", async () => {
    answerWith(voters(3));
    const container = document.body.appendChild(document.createElement("div"));
    container.innerHTML = renderToString(screenOf({ source: { ...source, extraParams } }));
    const [input] = container.getElementsByTagName("input");
    if (input) input.value = "smi";
    render(screenOf({ source: { ...source, extraParams } }), { container, hydrate: true });
    await waitFor(() => expect(lastParams()).toEqual({ lastName: "smi" }));
    expect(box().value).toBe("smi");
    container.remove();
  });

  it("is only in the address's fragment, which no server gets", async () => {
    people(["smith, john"]);
    const before = [location.pathname, location.search, document.title, history.length];
    await showBox("john smith");
    await expectStatus("1 voter");
    await waitFor(() => expect(location.hash).toBe("#q=john+smith"));
    expect([location.pathname, location.search, document.title, history.length]).toEqual(before);
    expect(document.querySelector("form")).toBeNull();
    expect([document.cookie, localStorage.length, sessionStorage.length]).toEqual(["", 0, 0]);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(location.href).not.toContain("#q"));
  });

  it("is in the address while it runs", async () => {
    answerWith(() => new Promise<Response>(() => undefined));
    await showBox("john smith");
    await waitFor(() => expect(location.hash).toBe("#q=john+smith"));
  });

  it("comes back from the fragment with its reading, order and page", async () => {
    history.replaceState(null, "", "#q=james+david&as=1&order=-city&from=25&county=King");
    answerWith(voters(60));
    await showBox();
    await screen.findByText("26–50 of 60");
    expect(params()).toEqual([
      { lastName: "james", firstName: "david", county: "King", order: "-city", queryFrom: 25, querySize: 25 },
    ]);
    expect(box().value).toBe("james david");
    location.hash = "#q=smith"; // as by Back
    await waitFor(() => expect(lastParams()).toEqual({ lastName: "smith" }));
  });

  it("offers to sign in in place when the session has ended, and searches again then", async () => {
    const ended = vi.fn();
    const stop = onSessionEnded(ended);
    answerWith(() => Response.json({ error: "Your session has ended. Sign in again." }, { status: 401 }));
    await showBox("john smith");
    await waitFor(() => expect(ended).toHaveBeenCalledOnce());
    stop();
    people(["smith, john"]);
    act(() => reportSessionRenewed());
    await expectStatus("1 voter");
    expect(box().value).toBe("john smith");
  });

  it("shows near matches with their reasons when there is no exact match", async () => {
    people(
      [],
      [person(7, { match: "sounds like" }), person(8, { lastName: "Ada", firstName: "Smyth", match: "swapped" })],
    );
    await showBox("smyth, ada");
    await screen.findByText("No exact match. Near matches:", { selector: "th:last-child" });
    expect(status()).toBe("No exact match · 2 near matches");
    expect(screen.queryByText("No voters match")).toBeNull();
    expect(activeRow()).toContain("sounds alike");
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(activeRow()).toContain("names swapped");
    const marks = document.querySelectorAll("[aria-selected=true] mark");
    expect([...marks].map(({ textContent }) => textContent)).toEqual(["Ada", "Smyth", "Ada", "Smyth"]);
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("dialog", { name: "Smyth M. Ada" })).toBeTruthy();
  });

  it("offers a city that is spelled similarly by name, also in its own field", async () => {
    answerWith((asking) => {
      if (asking.similar && asking.city === "Aubrun")
        return answerOf([person(1, { city: "Auburn", match: "similar city" })]);
      return asking.city === "Auburn" ? voters(30)(asking) : answerOf([]);
    });
    await showBox("Aubrun");
    await user.click(await screen.findByText("Or City: Auburn"));
    await screen.findByText("1–25 of 30");
    expect([box().value, ...chips()]).toEqual(["Aubrun", "City: Auburn"]);
    await waitFor(() => expect(location.hash).toBe("#city=Auburn"));
    cleanup();
    history.replaceState(null, "", location.pathname);
    render(screenOf({ source: { ...source, extraParams }, fieldsShown: true }));
    await fill("City", "Aubrun");
    await user.click(await screen.findByText("Or City: Auburn"));
    await screen.findByText("1–25 of 30");
    expect(field("City").value).toBe("Auburn");
  });

  it("finds a name in a city that is misspelled", async () => {
    answerWith((asking) => {
      if (asking.similar)
        return answerOf(asking.city === "aubrun" ? [person(1, { city: "Auburn", match: "similar city" })] : []);
      return asking.lastName === "smith" && asking.firstName === "ada" && asking.city === "Auburn"
        ? voters(1)(asking)
        : answerOf([]);
    });
    await showBox("smith aubrun ada");
    await expectStatus("1 voter");
    expect(chips()).toEqual(["Last name: smith", "First name: ada", "City: Auburn"]);
    expect(screen.queryByText(/^Or /)).toBeNull();
  });

  it("shows near matches of a name around a city", async () => {
    answerWith(({ similar, city }) =>
      answerOf(similar && city === "auburn" ? [person(7, { match: "part of name" })] : []),
    );
    await showBox("jones auburn asa");
    await expectStatus("No exact match · 1 near match");
    expect(chips()).toEqual(["Last name: asa", "First name: jones", "City: auburn"]);
  });

  it("shows near matches below a few exact ones, which stay marked", async () => {
    people(["smith, ada"], [person(0), person(7, { match: "similar" })]);
    await showBox("smith, ada");
    await screen.findByText("Near matches", { selector: "th:last-child" });
    expect(activeRow()).toContain("Ada 0");
    await user.keyboard("{ArrowDown}");
    expect(activeRow()).toContain("Ada 7");
    expect(status()).toBe("1 voter · 1 near match");
  });

  it("shows near matches in a city if more are there than of both names", async () => {
    answerWith(({ similar, lastName, firstName, city }) =>
      answerOf(
        similar && lastName === "smyth" && city === "kent"
          ? [person(7, { match: "similar" }), person(8, { match: "similar" })]
          : similar && firstName === "kent"
            ? [person(9, { match: "similar" })]
            : [],
      ),
    );
    await showBox("smyth kent");
    await expectStatus("No exact match · 2 near matches");
    expect(chips()).toEqual(["Last name: smyth", "City: kent"]);
  });

  it("shows near matches in a city after a nickname and a last name", async () => {
    answerWith(({ similar, firstName, city }) =>
      answerOf(similar && firstName === "abby" && city === "kent" ? [person(7, { match: "short form" })] : []),
    );
    await showBox("/abby smith kent");
    await expectStatus("No exact match · 1 near match");
    expect([box().value, ...chips()]).toEqual([
      "abby smith kent",
      "Last name: smith",
      "First name: abby",
      "City: kent",
    ]);
  });

  it("shows no one of another city as a near match in a city", async () => {
    answerWith(({ similar, city }) => answerOf(similar && city ? [person(7, { match: "another city" })] : []));
    await showBox("lopez garcia angel");
    expect(await screen.findByText("No voters match")).toBeTruthy();
  });

  it.each([
    ["smtih john", []],
    ["smtih john 98030", ["ZIP code: 98030"]],
  ])("shows near matches of the other reading for a slip in swapped names: %s", async (text, others) => {
    answerWith((asking) =>
      answerOf(
        asking.similar && asking.lastName === "smtih" && !asking.houseNumber ? [person(7, { match: "similar" })] : [],
      ),
    );
    await showBox(text);
    await screen.findByText(/^No exact match/, { selector: "th:last-child" });
    await waitFor(() => expect(chips()).toEqual(["Last name: smtih", "First name: john", ...others]));
  });

  it("shows near matches by name after a number, where a street is likelier", async () => {
    answerWith((asking) =>
      answerOf(asking.similar && asking.lastName === "smtih" ? [person(7, { match: "similar" })] : []),
    );
    await showBox("1204 smtih");
    await screen.findByText(/^No exact match/, { selector: "th:last-child" });
    await waitFor(() => expect(chips()).toEqual(["Last name: smtih", "House number: 1204"]));
  });

  it("shows in which part a near match differs", async () => {
    people([], [person(7, { match: "another zip" })]);
    await showBox("smith, ada 98031");
    const reasons = await screen.findAllByText("different ZIP code");
    expect(reasons.map((reason) => reason.closest("td")?.textContent)).toContain("Oak St #4different ZIP code");
  });

  it("asks at most twice for each letter, and for the other readings, six at a time, once typing stops", async () => {
    const typed = Promise.withResolvers<void>();
    answerWith(async ({ lastName, firstName }) => {
      if (firstName === "jone") await typed.promise;
      return lastName === "smith jones" ? answerOf([person(0)], 1, 11) : answerOf([]);
    });
    await showBox("smith jone");
    await waitFor(() => expect(params()).toHaveLength(2));
    await user.keyboard("s");
    typed.resolve();
    await expectStatus("11 voters, 1 shown");
    expect(
      params()
        .map(({ lastName, firstName }) => [lastName, firstName])
        .slice(0, 5),
    ).toEqual([
      ["jone", "smith"],
      ["smith", "jone"],
      ["jones", "smith"],
      ["smith", "jones"],
      ["smith jones", undefined],
    ]);
    expect(
      params()
        .slice(4)
        .filter(({ querySize }) => querySize === 25),
    ).toHaveLength(6);
  });

  it("stops trying other readings after four seconds", async () => {
    const goOn = Promise.withResolvers<Response>();
    answerWith(({ firstName, similar }) =>
      similar
        ? answerOf([person(7, { match: "similar" })])
        : firstName === "ada b"
          ? goOn.promise
          : new Promise(() => undefined),
    );
    await showBox("smith, ada b");
    vi.useFakeTimers({ toFake: ["setTimeout"], shouldAdvanceTime: true });
    goOn.resolve(answerOf([]));
    await waitFor(() => expect(params()).toHaveLength(2));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(await screen.findByText("The search took too long to try every meaning of this text.")).toBeTruthy();
    expect(params().filter(({ similar }) => !similar)).toHaveLength(2);
    expect(await screen.findByText("Near matches", { selector: "th:last-child" })).toBeTruthy();
    expect(screen.queryByText(/No exact match/)).toBeNull();
    people(["smith, ada b"]);
    await user.click(screen.getByText("Try again"));
    await expectStatus("1 voter");
  });

  it("reads a name as one after a search by address", async () => {
    answerWith(({ houseNumber }) => answerOf(houseNumber ? [person(0)] : []));
    await showBox("1204 oak st");
    await waitFor(() => expect(chips()).toEqual(["House number: 1204", "Street: oak st"]));
    fireEvent.change(box(), { target: { value: "zzqxv" } });
    await screen.findByText("No voters match");
    expect(chips()).toEqual(["Last name: zzqxv"]);
  });

  it("gives advice only when there is no near match either", async () => {
    const goOn = Promise.withResolvers<void>();
    answerWith(async (asking) => {
      if (asking.similar) await goOn.promise;
      return answerOf([]);
    });
    await showBox("xqx, ada");
    await waitFor(() => expect(params().at(-1)).toMatchObject({ similar: true }));
    expect(screen.queryByText("No voters match")).toBeNull();
    goOn.resolve();
    expect(await screen.findByText("No voters match")).toBeTruthy();
  });

  it("says when more than 10,000 voters are ordered by name, and shows no other order", async () => {
    answerWith(voters(14_000));
    await showBox("s");
    await screen.findByText("1–25 of 10,000+");
    expect(head("Last name").closest("th")?.getAttribute("aria-sort")).toBe("ascending");
    expect(screen.queryByText(/ordered by name/)).toBeNull();
    await user.click(head("Street"));
    await screen.findByText("More than 10,000 voters match, ordered by name. Narrow the search to sort by street.");
    expect(document.querySelector("[aria-sort]")).toBeNull();
  });
});

describe("who has signed, on the team's page", () => {
  const campaigns = [
    { campaign: "clean-water", name: "Clean water", detailsTeamId: null, entryPath: null },
    { campaign: "open-parks", name: "Open parks", detailsTeamId: null, entryPath: null },
  ];
  const showTeam = () =>
    render(
      <ScreenKeysProvider>
        <TeamVoterSearch fieldsShown={false} storageKey="riverside" source={source} campaigns={campaigns} />
      </ScreenKeysProvider>,
    );
  const choice = () => screen.getByLabelText<HTMLSelectElement>("Show who signed");
  const badges = async () =>
    [...(await grid()).querySelectorAll("td:last-child")].map(({ textContent }) => textContent);

  it("remembers the chosen campaign, and shows no one as unsigned until it is known", async () => {
    const known = Promise.withResolvers<void>();
    const checkedCampaigns: string[] = [];
    routes.set("/api/duplicate/batch", async ({ campaignId }: { campaignId: string }) => {
      checkedCampaigns.push(campaignId);
      await known.promise;
      return Response.json({ exists: { "WA-0": true, "WA-1": false } });
    });
    answerWith(voters(2));
    showTeam();
    await user.paste("smi");
    expect(await badges()).not.toContain("checking…");
    expect(checkedCampaigns).toEqual([]);

    await user.selectOptions(choice(), "Open parks");
    expect(await badges()).toEqual(["checking…", "checking…"]);
    known.resolve();
    await waitFor(async () => expect(await badges()).toEqual(["already signed", "not signed"]));
    expect(checkedCampaigns).toEqual(["open-parks"]);

    cleanup();
    showTeam();
    expect(choice().value).toBe("open-parks");
    await user.selectOptions(choice(), "Off");
    cleanup();
    showTeam();
    expect(choice().value).toBe("");
  });

  it("ignores a stored campaign that the user can't open any more", () => {
    localStorage.setItem("signet:signed:riverside", '"gone"');
    showTeam();
    expect(choice().value).toBe("");
  });
});
