// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { VoterSearch } from "@/components/voters/voter-search";
import { searchCredentials } from "@/lib/voters/search-credentials";

type Params = Record<string, string | number>;
type Asked = { params: Params; credentials?: unknown };

const asked: Asked[] = [];
const server = setupServer();
const address = `${window.location.origin}/api/essearch`;

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
  server.use(
    http.post(address, async ({ request }) => {
      const body = JSON.parse(await request.text());
      asked.push(body);
      return respond(body.params);
    }),
  );
}

/** A backend with so many voters. */
const voters = (total: number) => (params: Params) => {
  const from = Number(params.queryFrom);
  const persons = Array.from({ length: Math.max(0, Math.min(25, total - from)) }, (_, index) => person(from + index));
  return HttpResponse.json({ persons, hitsCount: persons.length, totalHits: total });
};

function show(keptAs = "riverside/clean-water") {
  render(
    <ScreenKeysProvider>
      <VoterSearch
        keptAs={keptAs}
        source={{ path: "/api/essearch", credentials: searchCredentials("NY"), extras: [] }}
      />
    </ScreenKeysProvider>,
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const status = () => screen.getAllByRole("status")[0]?.textContent;
const activeRow = () => {
  const id = document.activeElement?.getAttribute("aria-activedescendant");
  return id ? document.getElementById(id)?.textContent : undefined;
};
const params = () => asked.map((one) => one.params);

beforeAll(() => {
  server.listen({ onUnhandledFrame: "error" });
  Element.prototype.scrollIntoView = () => undefined;
});
afterAll(() => server.close());

// jsdom knows no address base for fetch in Node, no pointers and no modal dialogs.
let pointer = "fine";
beforeEach(() => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => real(new URL(path, window.location.origin), init));
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query.includes(pointer) }));
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
  };
  HTMLDialogElement.prototype.close = function close() {
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  server.resetHandlers();
  localStorage.clear();
  asked.length = 0;
  pointer = "fine";
});

describe("what is asked", () => {
  it("asks nothing before there is a character, and shows the first step", async () => {
    show();
    expect(screen.getByRole("heading", { name: "Start with the last name" })).toBeTruthy();
    expect(document.activeElement).toBe(field("Last name"));
    await userEvent.keyboard("  ");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(asked).toEqual([]);
  });

  it("asks once for letters typed in one go, with the names of the profile and nothing empty", async () => {
    answerWith(voters(312));
    show();
    await userEvent.keyboard(" smi ");
    await waitFor(() => expect(status()).toBe("312 voters, 25 shown"));
    expect(asked).toEqual([
      {
        params: { lastName: "smi", order: "lastName", queryFrom: 0, querySize: 25 },
        credentials: {
          name: "searchsvc_token_ny",
          emailKey: "SEARCHSVC_API_EMAIL_NY",
          endpointKey: "SEARCHSVC_URL_NY",
          passwordKey: "SEARCHSVC_API_PASSWORD_NY",
        },
      },
    ]);
  });

  it("asks with all fields", async () => {
    answerWith(voters(1));
    show();
    const texts = { "Last name": "s", "First name": "a", "House no.": "12", Zip: "98", City: "Ken", County: "Ki" };
    for (const [name, text] of Object.entries(texts)) await userEvent.type(field(name), text);
    await waitFor(() => expect(status()).toBe("1 voter, 1 shown"));
    expect(params().at(-1)).toEqual({
      ...{ lastName: "s", firstName: "a", houseNumber: "12", zip: "98", city: "Ken", county: "Ki" },
      ...{ order: "lastName", queryFrom: 0, querySize: 25 },
    });
  });

  it("shows the newer answer, though the older one comes last", async () => {
    answerWith(async ({ lastName }) => {
      if (lastName === "s") await delay(500);
      const persons = [person(1, { lastName: lastName === "s" ? "Sato" : "Smith" })];
      return HttpResponse.json({ persons, hitsCount: 1, totalHits: 1 });
    });
    show();
    await userEvent.keyboard("s");
    await waitFor(() => expect(asked).toHaveLength(1));
    await userEvent.keyboard("m");
    await waitFor(() => expect(screen.getByRole("grid").textContent).toContain("Smith"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(screen.getByRole("grid").textContent).not.toContain("Sato");
    expect(params().map(({ lastName }) => lastName)).toEqual(["s", "sm"]);
  });

  it("leaves address and title alone", async () => {
    answerWith(voters(1));
    show();
    const before = [location.href, document.title, history.length];
    await userEvent.keyboard("smi");
    await waitFor(() => expect(status()).toBe("1 voter, 1 shown"));
    expect([location.href, document.title, history.length]).toEqual(before);
    expect(document.querySelector("form")).toBeNull();
    expect(JSON.stringify(localStorage)).not.toContain("smi");
  });
});

describe("what is shown", () => {
  it.each([
    ["smi", "Smith", "Smi"],
    ["NUN", "Núñez", "Núñ"],
    ["núñ", "Nunez", "Nun"],
    ["nun", "Nu\u0301n\u0303ez", "Nu\u0301n\u0303"],
    ["ith", "Smith", undefined],
  ])("%s in %s marks %s", async (query, lastName, marked) => {
    answerWith(() => HttpResponse.json({ persons: [person(1, { lastName })], hitsCount: 1, totalHits: 1 }));
    show();
    await userEvent.keyboard(query);
    const grid = await screen.findByRole("grid");
    expect(grid.querySelector("mark")?.textContent).toBe(marked);
  });

  it("a row has all that tells namesakes apart", async () => {
    answerWith(voters(1));
    show();
    await userEvent.keyboard("smi");
    const grid = await screen.findByRole("grid");
    const cells = [...grid.querySelectorAll("td")];
    const texts = ["Smith", "Ada 0 M.", "1204", "Oak St #4", "Kent", "98030", "King"];
    expect(cells.slice(-7).map(({ textContent }) => textContent)).toEqual(texts);
    expect(cells[0]?.textContent).toBe("Smith, Ada 0 M.1204 Oak St #4, Kent 98030 · King");
  });

  it("a hit without an id is counted, not shown", async () => {
    const persons = [person(1), { _source: { lastName: "Smith" } }];
    answerWith(() => HttpResponse.json({ persons, hitsCount: 2, totalHits: 2 }));
    show();
    await userEvent.keyboard("smi");
    expect(await screen.findByText(/1 record is left out here/)).toBeTruthy();
    expect(screen.getByText("1–2 of 2")).toBeTruthy();
  });

  it("nobody: hints, and the fields at hand to leave out", async () => {
    answerWith((asking) => voters(asking.houseNumber ? 0 : 3)(asking));
    show();
    await userEvent.type(field("Last name"), "smi");
    await userEvent.type(field("House no."), "999");
    await screen.findByRole("heading", { name: "No voter matches" });
    expect(status()).toBe("No voter matches.");
    await userEvent.click(screen.getByRole("button", { name: "Without house no. “999”" }));
    await waitFor(() => expect(status()).toBe("3 voters, 3 shown"));
    expect(field("House no.").value).toBe("");
  });

  it.each([
    [500, "The search is not set up. Tell an administrator."],
    [502, "The voter file did not answer as it should. Try again in a moment."],
  ])("%i: the server's sentence, and Retry asks again", async (code, error) => {
    answerWith(() => HttpResponse.json({ error, errorCode: 418 }, { status: code }));
    show();
    await userEvent.keyboard("smi");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(error));
    expect(screen.queryByRole("grid")).toBeNull();
    answerWith(voters(3));
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(status()).toBe("3 voters, 3 shown"));
    expect(screen.getByRole("alert").textContent).toBe("");
    expect(params()[1]).toEqual(params()[0]);
  });

  it.each([
    ["an answer that is no JSON", () => new HttpResponse("<h1>502</h1>", { status: 502 })],
    ["half an answer", () => HttpResponse.json({ persons: [] })],
    ["no connection", () => HttpResponse.error()],
  ])("%s: says that the search could not be reached", async (_case, respond) => {
    answerWith(respond);
    show();
    await userEvent.keyboard("smi");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("could not be reached"));
  });

  it("429: Retry waits until the limit allows it", async () => {
    const error = "That was too often. Try again in 2 seconds.";
    answerWith(() => HttpResponse.json({ error }, { status: 429, headers: { "Retry-After": "2" } }));
    show();
    await userEvent.keyboard("smi");
    await userEvent.click(await screen.findByRole("button", { name: "Retry in 2 s" }));
    expect(asked).toHaveLength(1);
    answerWith(voters(3));
    await userEvent.click(await screen.findByRole("button", { name: "Retry" }, { timeout: 3000 }));
    await waitFor(() => expect(status()).toBe("3 voters, 3 shown"));
  });

  it("a slow search keeps what was found and counts the seconds", async () => {
    answerWith(async (asking) => {
      if (asking.lastName === "smit") await delay(1400);
      return voters(312)(asking);
    });
    show();
    await userEvent.keyboard("smi");
    const grid = await screen.findByRole("grid");
    await userEvent.keyboard("t");
    await screen.findByText("Searching… 1 s", undefined, { timeout: 2000 });
    expect(screen.getByRole("grid")).toBe(grid);
    expect(grid.parentElement?.getAttribute("aria-busy")).toBe("true");
    await waitFor(() => expect(screen.queryByText(/Searching/)).toBeNull());
  });
});

describe("pages and order", () => {
  it("turns pages by key and by button, and counts", async () => {
    answerWith(voters(60));
    show();
    await userEvent.keyboard("smi");
    await screen.findByText("1–25 of 60");
    await userEvent.keyboard("{PageUp}{PageDown}");
    await screen.findByText("26–50 of 60");
    expect(status()).toBe("60 voters, 26 to 50 shown");
    await userEvent.click(screen.getAllByRole("button", { name: "Next 25 voters" })[0] as HTMLElement);
    await screen.findByText("51–60 of 60");
    await userEvent.type(field("Last name"), "{PageDown}");
    await userEvent.keyboard("{PageUp}");
    await screen.findByText("26–50 of 60");
    expect(params().map(({ queryFrom }) => queryFrom)).toEqual([0, 25, 50, 25]);
    await userEvent.keyboard("t");
    await screen.findByText("1–25 of 60");
  });

  it("counts to 10 000, as backends do", async () => {
    answerWith(voters(14_000));
    show();
    await userEvent.keyboard("s");
    await screen.findByText("1–25 of 10,000+");
    expect(status()).toBe("10,000+ voters, 25 shown");
    expect(screen.queryByText(/Refine the search/)).toBeNull();
  });

  it("orders by a head, turns it round, and by the list", async () => {
    answerWith(voters(60));
    show();
    await userEvent.keyboard("smi{PageDown}");
    await screen.findByText("1–25 of 60");
    await userEvent.click(screen.getByRole("button", { name: "City" }));
    await waitFor(() => expect(params().at(-1)?.order).toBe("city"));
    await userEvent.click(screen.getByRole("button", { name: "City" }));
    await waitFor(() => expect(params().at(-1)?.order).toBe("-city"));
    expect(screen.getByRole("columnheader", { name: "City" }).getAttribute("aria-sort")).toBe("descending");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Order" }), "House no.");
    await waitFor(() => expect(params().at(-1)).toMatchObject({ order: "houseNumber", queryFrom: 0 }));
  });
});

describe("by keyboard", () => {
  it("arrows move and stop at the ends, Enter opens, closing comes back to the field", async () => {
    const user = userEvent.setup(); // with a clipboard
    answerWith(voters(3));
    show();
    await userEvent.keyboard("smi");
    await screen.findByText("1–3 of 3");
    expect(activeRow()).toContain("Ada 0");
    await userEvent.keyboard("{ArrowUp}");
    expect(activeRow()).toContain("Ada 0");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(activeRow()).toContain("Ada 2");
    await userEvent.keyboard("{Enter}");
    const dialog = screen.getByRole("dialog", { name: "Ada 2 M. Smith" });
    expect(dialog.textContent).toContain("1204 Oak St #4");
    await user.click(within(dialog).getByRole("button", { name: "Copy the voter id" }));
    expect(await within(dialog).findByText("Copied.")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe("WA-2");
    await userEvent.click(within(dialog).getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog", { name: /Smith/ })).toBeNull();
    expect(document.activeElement).toBe(field("Last name"));
  });

  it("Enter before the answer opens nobody of the answer before", async () => {
    answerWith(async (asking) => {
      if (asking.lastName !== "smi") await delay(100);
      return voters(3)(asking);
    });
    show();
    await userEvent.keyboard("smi");
    await screen.findByText("1–3 of 3");
    await userEvent.keyboard("t{Enter}");
    expect(screen.queryByRole("dialog", { name: /Smith/ })).toBeNull();
    await waitFor(() => expect(params().at(-1)?.lastName).toBe("smit"));
  });

  it("Enter on a phone puts the keyboard away", async () => {
    pointer = "coarse";
    answerWith(voters(3));
    show();
    await userEvent.type(field("Last name"), "smi");
    await screen.findByText("1–3 of 3");
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement).toBe(document.body);
    expect(screen.queryByRole("dialog", { name: /Smith/ })).toBeNull();
  });

  it("Esc clears all but city and county; / comes back to the last name", async () => {
    answerWith(voters(3));
    show();
    await userEvent.type(field("City"), "Kent");
    await userEvent.type(field("House no."), "12{Escape}");
    expect([field("House no.").value, field("City").value]).toEqual(["", "Kent"]);
    expect(document.activeElement).toBe(field("Last name"));
    act(() => field("Last name").blur());
    await userEvent.keyboard("/");
    expect(document.activeElement).toBe(field("Last name"));
    expect(field("Last name").value).toBe("");
  });
});

describe("city and county are kept", () => {
  it("for this team or campaign alone, until they are cleared; nothing else is", async () => {
    answerWith(voters(3));
    show();
    await userEvent.type(field("City"), "Kent");
    await userEvent.type(field("Last name"), "smi");
    cleanup();
    show();
    expect([field("City").value, field("Last name").value]).toEqual(["Kent", ""]);
    await waitFor(() => expect(params().at(-1)).toMatchObject({ city: "Kent" }));
    cleanup();
    show("riverside");
    expect(field("City").value).toBe("");
    cleanup();
    show();
    await userEvent.click(screen.getByRole("button", { name: "Clear the city" }));
    expect(document.activeElement).toBe(field("City"));
    expect(localStorage).toHaveLength(0);
  });

  it.each(["{", "null", "7", '{"city":7}'])("what stands in the storage may be anything: %s", (stored) => {
    localStorage.setItem("signet:voters:riverside/clean-water", stored);
    show();
    expect([field("City").value, field("County").value]).toEqual(["", ""]);
  });
});
