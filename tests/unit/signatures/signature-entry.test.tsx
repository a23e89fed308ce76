// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { SignatureEntry } from "@/components/signatures/signature-entry";
import type { EntryState } from "@/lib/signatures/answers";

const userId = "0b7b0d1e-0000-4000-8000-000000000001";
const place = { team: "riverside", campaign: "clean-water" };
const initial: EntryState = {
  ...{
    at: "2026-11-03T12:00:00.000Z",
    timeZone: "UTC",
    today: "2026-11-03",
    goal: 50_000,
    startsOn: null,
    endsOn: null,
  },
  ...{ linesPerSheet: 20, campaign: { accepted: 11_862 }, days: [], sheets: [], sheet: null, lines: [] },
  mine: { accepted: 0, duplicates: 0, rejected: 0, lastHour: 0, lastHourSince: null },
};

const people = ["Smith", "Smithson", "Smitt"].map((lastName, index) => ({
  _source: { voterId: `WA-${index}`, lastName, firstName: "Ada", houseNumber: "12", street: "Oak St", city: "Kent" },
}));
let signed: string[] = [];
let searchAnswers = true;
const submit = vi.fn();
const submitOpenSheet = vi.fn();
const actions = {
  ...{ submitLine: submit, submitRemoval: submit },
  ...{ submitOpenSheet, submitCloseSheet: submit },
};

function respond(path: string, body: string | undefined): Response {
  if (path.startsWith("/api/permissions/fingerprint")) return Response.json({ fingerprint: "f" });
  if (path.startsWith("/api/essearch")) {
    if (!searchAnswers) throw new TypeError("Failed to fetch");
    const { lastName = "" } = JSON.parse(body ?? "{}").params;
    const persons = people.filter(({ _source }) => _source.lastName.toLowerCase().startsWith(lastName.toLowerCase()));
    return Response.json({ persons, hitsCount: persons.length, totalHits: persons.length });
  }
  if (path === "/api/duplicate/batch") {
    const ids: string[] = JSON.parse(body ?? "{}").voterIds;
    return Response.json({ exists: Object.fromEntries(ids.map((id) => [id, signed.includes(id)])) });
  }
  if (path === "/api/signatures/signed") {
    const at = {
      ownTeam: true,
      enteredAt: `${new Date().getUTCFullYear()}-11-03T11:00:00Z`,
      enteredBy: "Jun Park",
      sheet: 3,
      line: 9,
    };
    return Response.json({ signed: Object.fromEntries(signed.map((id) => [id, at])) });
  }
  return Response.json({}, { status: 404 });
}

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});
beforeEach(() => {
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) =>
    Promise.resolve().then(() => respond(path, typeof init?.body === "string" ? init.body : undefined)),
  );
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
  };
  HTMLDialogElement.prototype.close = function close() {
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  };
  submit.mockResolvedValue({ message: "Accepted.", error: null, data: { outcome: "accepted" } });
  submitOpenSheet.mockImplementation((_state, form: FormData) => {
    const number = Number(form.get("number"));
    const sheet = { number, openedBy: "Rosa", mine: true, openedAt: initial.at, closedAt: null, lines: 3, nextLine: 4 };
    return Promise.resolve({ message: "", error: null, data: { outcome: "opened", sheet } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  signed = [];
  searchAnswers = true;
});

function show() {
  render(
    <ScreenKeysProvider>
      <SignatureEntry
        userId={userId}
        place={place}
        source={{ path: "/api/essearch" }}
        initial={initial}
        actions={actions}
      />
    </ScreenKeysProvider>,
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const line = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Line" }).value;
const said = () => screen.getAllByRole("status")[0]?.textContent;
const list = () => within(screen.getByRole("list", { name: "Your last lines" }));
const sent = () =>
  submit.mock.calls.map(([, form]) =>
    form.get("line") ? JSON.parse(String(form.get("line"))) : Object.fromEntries(form),
  );

async function start() {
  show();
  await userEvent.type(await screen.findByRole("textbox", { name: /Number on the paper/ }), "12{Enter}");
  await screen.findByRole("button", { name: "Sheet Sheet 12" });
}
async function search(text: string) {
  await userEvent.type(field("Last name"), text);
  await screen.findByRole("listbox");
}

describe("a line", () => {
  it("goes on at the sheet's next line, is accepted by Enter, and leaves the form ready for the next", async () => {
    await start();
    expect(line()).toBe("4");
    await userEvent.type(field("City"), "Kent");
    await search("smith");
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect([line(), field("Last name").value, field("City").value]).toEqual(["5", "", "Kent"]);
    expect(document.activeElement).toBe(field("Last name"));
    await waitFor(() => expect(list().getByText("accepted")).toBeTruthy());
    expect(sent()).toMatchObject([{ voterId: "WA-1", lastName: "Smithson", firstName: "Ada", sheet: 12, line: 4 }]);
    expect(localStorage).toHaveLength(0);
  });

  it("who has signed already is not accepted: Enter says so, and D records a duplicate", async () => {
    signed = ["WA-0"];
    await start();
    await search("smith");
    await screen.findByText("Nov 3 · sheet 3, line 9 · by Jun Park");
    await userEvent.keyboard("{Enter}");
    expect(said()).toContain("Smith, Ada has signed already: Nov 3 · sheet 3, line 9 · by Jun Park. D records");
    expect([submit.mock.calls.length, line()]).toEqual([0, "4"]);
    await userEvent.keyboard("d");
    await waitFor(() => expect(sent()).toMatchObject([{ verdict: "duplicate", voterId: "WA-0", line: 4 }]));
    expect(document.activeElement).toBe(field("Last name"));
  });

  it("D records nobody as a duplicate who has not signed", async () => {
    await start();
    await search("smith");
    act(() => screen.getByRole("listbox").focus());
    await userEvent.keyboard("d");
    expect(said()).toBe("Smith, Ada has not signed yet. Enter accepts the line.");
    expect(submit).not.toHaveBeenCalled();
  });

  it("E records the line as outside dates, with the day that is typed", async () => {
    await start();
    await userEvent.type(screen.getByLabelText("Day signed"), "2026-08-01");
    await search("smith");
    act(() => screen.getByRole("listbox").focus());
    await userEvent.keyboard("e");
    await waitFor(() =>
      expect(sent()).toMatchObject([
        { verdict: "outside-dates", signedOn: "2026-08-01", voterId: null, note: "smith" },
      ]),
    );
    expect(said()).toBe("Line 4: smith, outside dates");
  });

  it("Enter accepts nobody without a sheet, without a name, or whom one has not seen", async () => {
    show();
    await screen.findByRole("textbox", { name: /Number on the paper/ });
    await userEvent.type(field("Last name"), "smith");
    await userEvent.keyboard("{Enter}{Enter}");
    await userEvent.type(await screen.findByRole("textbox", { name: /Number on the paper/ }), "12{Enter}");
    await screen.findByRole("button", { name: "Sheet Sheet 12" });
    await userEvent.type(field("Last name"), "{Escape}");
    await userEvent.type(field("City"), "Kent{Enter}");
    await userEvent.type(field("Last name"), "smitt{Enter}"); // faster than the search
    expect(localStorage).toHaveLength(0);
    expect(submit).not.toHaveBeenCalled();
  });

  it("Ctrl+Shift+Enter undoes the last line while typing, and the number goes back; other chords do nothing", async () => {
    await start();
    await search("smith");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(list().getByText("accepted")).toBeTruthy());
    await userEvent.keyboard("{Shift>}{Enter}{/Shift}{Control>}{Enter}{/Control}{Meta>}{Enter}{/Meta}");
    expect(line()).toBe("5");
    await userEvent.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(line()).toBe("4");
    await waitFor(() => expect(list().getByText("undone")).toBeTruthy());
    const { id } = sent()[0];
    expect(sent()[1]).toEqual({ ...place, id });
  });
});

describe("nothing typed is lost", () => {
  it("a server that was replaced: the line waits, the page says to reload, and sends it after", async () => {
    submit.mockRejectedValue(new UnrecognizedActionError("not found"));
    await start();
    await search("smith");
    await userEvent.keyboard("{Enter}");
    expect(
      await screen.findByText("Signet was updated, and 1 line waits. Reload the page; nothing is lost."),
    ).toBeTruthy();
    expect(screen.getByRole("button", { name: "Reload now" })).toBeTruthy();
    cleanup();
    submit.mockResolvedValue({ message: "Accepted.", error: null, data: { outcome: "accepted" } });
    show();
    await waitFor(() => expect(list().getByText("accepted")).toBeTruthy());
    expect(new Set(sent().map(({ id }) => id)).size).toBe(1);
    expect([line(), localStorage.length]).toEqual(["5", 0]);
  });

  it("a full storage: says so, and holds the line in the form until it is stored", async () => {
    let arrive: (state: unknown) => void = () => undefined;
    submit.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
    await start();
    await search("smith");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await userEvent.keyboard("{Enter}");
    expect(said()).toMatch(/^This browser cannot keep lines/);
    expect([line(), field("Last name").value]).toEqual(["4", "smith"]);
    await userEvent.keyboard("{Enter}");
    expect(said()).toBe("The line in the form is still being sent.");
    expect(submit).toHaveBeenCalledTimes(1);
    await act(async () => arrive({ message: "Accepted.", error: null, data: { outcome: "accepted" } }));
    await waitFor(() => expect([line(), field("Last name").value]).toEqual(["5", ""]));
  });

  it("no search: Enter keeps the line as typed; L looks it up, Enter accepts it, and the form goes on where it was", async () => {
    await start();
    searchAnswers = false;
    for (const name of ["smithson", "smitt"]) {
      await userEvent.type(field("Last name"), name);
      await screen.findByText(/Enter keeps the line as you typed it/);
      await userEvent.keyboard("{Enter}");
    }
    expect([line(), submit.mock.calls.length]).toEqual(["6", 0]);
    expect(screen.getByText("2 lines were kept as typed.")).toBeTruthy();
    searchAnswers = true;
    await userEvent.click(screen.getByRole("button", { name: /^Look them up/ }));
    for (const number of ["4", "5"]) {
      expect(line()).toBe(number);
      await screen.findByRole("listbox");
      await userEvent.keyboard("{Enter}");
    }
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent().map((one) => [one.line, one.lastName])).toEqual([
      [4, "Smithson"],
      [5, "Smitt"],
    ]);
    expect([line(), field("Last name").value, localStorage.length]).toEqual(["6", "", 0]);
  });

  it("a refused line can be sent again, corrected or discarded, and never replaces what is typed", async () => {
    submit.mockResolvedValue({ message: null, error: "Not any more.", data: { outcome: "refused" } });
    await start();
    await search("smith");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(list().getByText("Not any more.")).toBeTruthy());
    await userEvent.keyboard("x");
    await userEvent.click(list().getByRole("button", { name: /^Correct/ }));
    expect(said()).toBe("Finish the line in the form first, or clear it with Esc.");
    expect(field("Last name").value).toBe("x");
    submit.mockResolvedValue({ message: "", error: null, data: { outcome: "accepted" } });
    await userEvent.click(list().getByRole("button", { name: /^Send again/ }));
    await waitFor(() => expect(list().getByText("accepted")).toBeTruthy());
    expect(new Set(sent().map(({ id }) => id)).size).toBe(1);
  });
});
