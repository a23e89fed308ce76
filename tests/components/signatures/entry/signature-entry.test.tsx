import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { SignatureEntry } from "@/components/signatures/entry/signature-entry";
import type { ChangeOutcome, CurrentSheet, EntryStateResponse } from "@/lib/signatures/responses";
import type { OpenedLine } from "@/lib/signatures/sheet-filter";
import type { ExtraParam } from "@/lib/voters/voter-query";
import { sheetOf, stateOf, storedLine } from "../../../support/entry-lines.ts";
import { ErrorPage } from "../../../support/error-page.tsx";

const userId = "0b7b0d1e-0000-4000-8000-000000000001";
const place = { team: "riverside", campaign: "clean-water" };
const initial = stateOf([]);

type Sent = { id: string; kind: string; sheet?: number; line?: number; verdict?: string; [name: string]: unknown };
const people = ["Smith", "Smithson", "Smitt"].map((lastName, index) => ({
  _source: {
    voterId: `WA-${index}`,
    lastName,
    firstName: "Ada",
    houseNumber: "12",
    street: "Oak St",
    city: "Kent",
    district: index === 0 ? "47" : "11",
    ...(index === 0 && { birthYear: 1974 }),
  },
}));
const submit = vi.fn();
const sheetActions = { saveSheetDetails: submit, renumberSheet: submit, deleteSheet: submit };
const user = userEvent.setup({ delay: null });

/** The state of a fake Signet. */
const signet = {
  signed: [] as string[],
  searchAnswers: true,
  extraParams: ["similar"] as ExtraParam[],
  /** Near matches of every search, sent when `similarReady` resolves; null fails. */
  similar: [] as object[] | null,
  similarReady: Promise.resolve(),
  sheet: null as CurrentSheet | null,
  here: [] as { name: string; line: number }[],
  sent: [] as Sent[],
  /** The outcome of a change, or the status of the whole request. */
  answer: (change: Sent): object | number => outcomeOf(change),
  /** Requests with changes are answered when this resolves. */
  ready: Promise.resolve(),
};
const uuid = (number: number) => `6a0d3a52-5f0f-4d8a-9f5e-${String(number).padStart(12, "0")}`;
const withLines = (...given: Parameters<typeof sheetOf>[0]) =>
  sheetOf(given.map((line, index) => ({ id: uuid(index), ...line })));
function outcomeOf({ kind, sheet: number, verdict }: Sent): ChangeOutcome {
  if (kind !== "open-sheet") return { outcome: "stored", ...(kind === "line" && { verdict: verdict as "accepted" }) };
  const { entered: _, ...sheet } = sheetOf([], number);
  return { outcome: "stored", sheet: { ...sheet, nextLine: 4 } };
}

async function respond(path: string, body: string): Promise<Response> {
  if (path.startsWith("/api/essearch")) {
    if (!signet.searchAnswers) throw new TypeError("Failed to fetch");
    const { lastName = "", firstName = "", city = "", voterId, similar } = JSON.parse(body).params;
    if (similar) {
      await signet.similarReady;
      const persons = lastName.includes(" ") ? [] : signet.similar; // no name is similar to a whole name
      if (!persons) return Response.json({ error: "The voter search returned an error." }, { status: 502 });
      return Response.json({ persons, hitsCount: persons.length, totalHits: persons.length });
    }
    const begins = (text: string, beginning: string) => text.toLowerCase().startsWith(beginning.toLowerCase());
    const persons = people.filter(
      ({ _source: of }) =>
        begins(of.lastName, lastName) &&
        begins(of.firstName, firstName) &&
        begins(of.city, city) &&
        (!voterId || of.voterId === voterId),
    );
    return Response.json({ persons, hitsCount: persons.length, totalHits: persons.length });
  }
  if (path === "/api/duplicate/batch") {
    const ids: string[] = JSON.parse(body).voterIds;
    return Response.json({ exists: Object.fromEntries(ids.map((id) => [id, signet.signed.includes(id)])) });
  }
  if (path === "/api/signatures/signed") {
    const at = { ownTeam: true, enteredBy: "Jun Park", sheet: 3, line: 9 };
    return Response.json({ signed: Object.fromEntries(signet.signed.map((id) => [id, at])) });
  }
  if (path.startsWith("/api/signatures/state")) {
    const { here, sheet } = signet;
    return Response.json({ ...initial, at: new Date().toISOString(), sheet, here } satisfies EntryStateResponse);
  }
  if (path === "/api/signatures") {
    await signet.ready;
    const { changes }: { changes: Sent[] } = JSON.parse(body);
    const answers = changes.map((change) => signet.answer(change));
    const status = answers.find((answer) => typeof answer === "number");
    if (status !== undefined) return new Response("", { status });
    signet.sent.push(...changes);
    return Response.json({ outcomes: answers.map((answer, index) => ({ id: changes[index]?.id, ...Object(answer) })) });
  }
  return Response.json({}, { status: 404 });
}

beforeEach(() => {
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => respond(path, String(init?.body ?? "{}")));
  Object.assign(signet, { signed: [], searchAnswers: true, extraParams: ["similar"], sheet: null, here: [], sent: [] });
  Object.assign(signet, { answer: outcomeOf, ready: Promise.resolve(), similar: [], similarReady: Promise.resolve() });
});

const readDraft = "@/lib/signatures/outbox/read-saved";

const show = (opened: OpenedLine = {}, { isArchived = false } = {}) =>
  render(
    <ErrorPage>
      <ScreenKeysProvider>
        <SignatureEntry
          userId={userId}
          place={place}
          source={{ path: "/api/essearch", extraParams: signet.extraParams }}
          initial={opened.sheet ? { ...initial, sheet: signet.sheet } : initial}
          opened={opened}
          circulators={["Maria Vega"]}
          canRemove
          isArchived={isArchived}
          actions={{ ...sheetActions, moveLine: submit, removeLine: submit }}
        />
      </ScreenKeysProvider>
    </ErrorPage>,
  );

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const lastName = () => field("Last name").value;
const line = () => screen.getByLabelText<HTMLInputElement>("Line").value;
const onSheet = (number: number) => screen.getByLabelText(new RegExp(`^Line ${number}: `));
const lineLabel = (number: number) => onSheet(number).getAttribute("aria-label");
const expectMessage = (text: string | RegExp) => expect(screen.getAllByText(text).length).toBeGreaterThan(0);
const lines = () => signet.sent.filter(({ kind }) => kind === "line");
const expectLines = (...expected: object[]) => waitFor(() => expect(lines()).toMatchObject(expected));
const unsentKeys = () => Object.keys(localStorage).filter((key) => key.startsWith("signet:entries"));
const pressShortcut = (key: string) => user.keyboard(`{Control>}{Shift>}${key}{/Shift}{/Control}`);

async function start() {
  show();
  await user.type(await screen.findByLabelText("Sheet number"), "12{Enter}");
  await screen.findByText("Sheet 12");
}
const findVoters = () => screen.findByLabelText("Voters found");
async function search(text: string) {
  await user.type(field("Last name"), text);
  await waitFor(async () => expect((await findVoters()).closest("[aria-busy=true]")).toBeNull());
  await waitFor(() => expect(screen.queryByText("checking…")).toBeNull());
}

async function accept() {
  await search("smitt");
  await user.keyboard("{Enter}");
}

it("warns when the marked voter's district is not the campaign's", async () => {
  initial.districts = "33, 47";
  await start();
  await search("smitt");
  expectMessage("Ada Smitt lives in district 11, outside the campaign's districts (33, 47).");
  cleanup();
  sessionStorage.clear();
  await start();
  await user.type(field("Last name"), "smitt");
  await user.type(field("First name"), "ada{Enter}");
  await screen.findByText("Line 4: Only Smitt, Ada matches. Is that right?");
  expect(document.activeElement).toBe(field("First name")); // where Enter was pressed
  expectMessage("Ada Smitt lives in district 11, outside the campaign's districts (33, 47).");
  expect(lines()).toEqual([]);
  initial.districts = "33; 11";
  cleanup();
  show();
  await screen.findByText("Enter as valid: Smitt, Ada");
  expect(screen.queryByText(/lives in district/)).toBeNull();
  initial.districts = null;
});

it("lists address, birth year and voter ID, in which namesakes differ", async () => {
  await start();
  await search("smith");
  const texts = screen.getAllByRole("option").map(({ textContent }) => textContent);
  expect(texts[0]).toContain("12 Oak St, Kentborn 1974 · WA-0");
  expect(texts[1]).toContain("12 Oak St, KentWA-1");
});

describe("near matches", () => {
  const smyth = { voterId: "WA-7", lastName: "Smyth", firstName: "Ada", houseNumber: "12", match: "sounds like" };
  const jones = { voterId: "WA-8", lastName: "Ada", firstName: "Smitt", match: "swapped" };
  const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);

  it("are listed below exact matches with reason and mark, and change nothing about those", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(signet, { similar: [smyth, jones], similarReady: promise, signed: ["WA-8"] });
    await start();
    await search("smitt");
    expect(options()).toEqual([expect.stringMatching(/^Smitt, Ada.*not signed$/)]);
    const accept = screen.getByText("Enter as valid: Smitt, Ada");
    await act(async () => resolve());
    const similar = within(await screen.findByLabelText("Near matches"));
    const exact = within(screen.getByLabelText("Exact"));
    await waitFor(() => expect(similar.getByText("already signed")).toBeTruthy());
    expect(exact.getAllByRole("option").map(({ ariaSelected }) => ariaSelected)).toEqual(["true"]);
    expect(options().slice(1)).toEqual([
      expect.stringMatching(/^Smyth, Ada.*not signedsounds alike$/),
      expect.stringMatching(/^Ada, Smitt.*already signed.*names swapped$/),
    ]);
    expect(screen.getByText("Enter as valid: Smitt, Ada")).toBe(accept);
    expectMessage("1 voter. 2 near matches.");
    await user.keyboard("{ArrowDown}{Enter}");
    await expectLines({ voterId: "WA-7", verdict: "accepted" });
  });

  it("are said to be looked for until they are there", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(signet, { similar: [smyth], similarReady: promise });
    await start();
    await user.type(field("Last name"), "smyht");
    await screen.findByRole("button", { name: /^Enter as valid/ });
    await waitFor(() => expect(screen.getAllByText("Searching…").length).toBe(1)); // for near matches
    await user.keyboard("{Enter}");
    expectMessage("No exact match. Looking for near matches…");
    await act(async () => resolve());
    await waitFor(() => expectMessage(/^No voters match exactly/));
  });

  it("are only marked by hand, even a single one, and a failure keeps the exact matches", async () => {
    signet.similar = [smyth];
    await start();
    await user.type(field("Last name"), "smyht");
    await screen.findByLabelText("No exact match. Near matches:");
    await waitFor(() => expect(screen.queryByText("checking…")).toBeNull());
    await user.keyboard("{Enter}{Enter}");
    expectMessage(/^No voters match exactly/);
    expect([lines(), screen.getByRole("option").ariaSelected]).toEqual([[], "false"]);
    signet.similar = null;
    await user.keyboard("{Escape}{Escape}smitt"); // the second Enter was swallowed
    await screen.findByText("Enter as valid: Smitt, Ada");
    expect(options()).toHaveLength(1);
    expect(screen.queryByRole("alert")).toBeNull();
    await user.keyboard("{Escape}smyht");
    await screen.findByText("No voters match");
    await user.keyboard("{Enter}");
    await waitFor(() => expectMessage("No voters match. Correct what you typed, or enter the line as not found."));
  });
});

it("offers to search everywhere while near matches of a city are listed, also after Enter", async () => {
  signet.similar = [{ voterId: "WA-7", lastName: "Smyth", firstName: "Ada", city: "Kent" }];
  await start();
  await user.type(field("City"), "Renton");
  await user.type(field("Last name"), "smith");
  await screen.findByLabelText("No exact match. Near matches:");
  expect(screen.getByRole("button", { name: "Search everywhere" })).toBeTruthy();
  await user.keyboard("{Enter}");
  await waitFor(() => expectMessage(/No voters match exactly/));
  await user.click(screen.getByRole("button", { name: "Search everywhere" }));
  await screen.findByLabelText("Exact");
  expect([field("City").value, lastName()]).toEqual(["", "smith"]);
});

it("says that only one city is searched, and searches everywhere for this line", async () => {
  await start();
  await search("smitt");
  expect(screen.queryByRole("button", { name: "Search everywhere" })).toBeNull();
  await user.type(field("City"), "Ken");
  await screen.findByText("1 of 1 · Only in Ken");
  act(() => screen.getByRole("button", { name: "Search everywhere" }).focus());
  await user.keyboard("{Enter}");
  await screen.findByText("1 of 1");
  expect([field("City").value, lastName(), document.activeElement]).toEqual(["", "smitt", field("Last name")]);
  await user.click(await screen.findByRole("button", { name: /^Enter as valid: / }));
  await expectLines({ line: 4 });
  expect([field("City").value, lastName()]).toEqual(["Ken", ""]);
});

describe("a whole name in the last name field", () => {
  it.each(["Smitt, Ada M", "smitt 12"])("finds the voter by “%s”, which stays as typed", async (text) => {
    await start();
    await user.click(field("Last name"));
    await user.paste(text);
    await screen.findByText("Enter as valid: Smitt, Ada");
    expect([lastName(), field("First name").value, field("House number").value]).toEqual([text, "", ""]);
    await user.keyboard("{Enter}");
    await expectLines({ voterId: "WA-2", verdict: "accepted", lastName: "Smitt", firstName: "Ada" });
  });

  it("has the near matches of its parts", async () => {
    signet.similar = [{ voterId: "WA-9", lastName: "Nguyen", firstName: "Anh", match: "similar" }];
    await start();
    await user.click(field("Last name"));
    await user.paste("nguyem anh 362");
    expect((await screen.findByRole("option")).textContent).toContain("Nguyen, Anh");
  });

  it("is not split when a first name was typed", async () => {
    await start();
    await user.type(field("First name"), "ada");
    await user.click(field("Last name"));
    await user.paste("smitt ada");
    await screen.findByText("No voters match");
    expect(screen.queryByRole("option")).toBeNull();
  });
});

describe("the form", () => {
  it("sends a line, draws and counts it, and is ready for the next with the same city", async () => {
    await start();
    expect([line(), document.activeElement]).toEqual(["4", field("Last name")]);
    await user.type(field("City"), "Kent");
    await search("smith");
    expect(screen.getByRole("button", { name: "Select Smith, Ada" })).toBeTruthy();
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(screen.getByRole("button", { name: "Enter as valid: Smithson, Ada" })).toBeTruthy();
    await user.keyboard("{Enter}");
    expect([line(), lastName(), field("City").value]).toEqual(["5", "", "Kent"]);
    expect(document.activeElement).toBe(field("Last name"));
    expect(lineLabel(4)).toBe("Line 4: Smithson, Ada, valid");
    await expectLines({
      voterId: "WA-1",
      lastName: "Smithson",
      firstName: "Ada",
      sheet: 12,
      line: 4,
      verdict: "accepted",
    });
    await waitFor(() => expect(unsentKeys()).toEqual([]));
    expect(screen.getByText("entered").textContent).toBe("1 entered");
    await user.keyboard("{PageUp}smi"); // typed on a line that is taken
    await user.click(screen.getByRole("button", { name: "Go to line 5" }));
    expect([line(), lastName(), document.activeElement]).toEqual(["5", "smi", field("Last name")]);
  });

  it("takes shortcuts for verdicts, a reason, a correction and the sheet, while letters only type", async () => {
    await start();
    await user.type(field("Last name"), "dlnotu");
    expect(lastName()).toBe("dlnotu");
    await pressShortcut("[Digit3]");
    expect([line(), lineLabel(4)]).toEqual(["5", "Line 4: dlnotu, illegible"]);
    expect(onSheet(4).textContent).toBe("4 dlnotu illegible");
    await pressShortcut("[Digit8]");
    expect(lineLabel(5)).toBe("Line 5: blank");
    await pressShortcut("[Digit7]");
    await user.type(await screen.findByLabelText("Reason"), "torn{Enter}");
    await expectLines(
      { verdict: "illegible", line: 4, lastName: "dlnotu", note: null },
      { verdict: "blank" },
      { verdict: "other", note: "torn" },
    );
    expect([line(), document.activeElement]).toEqual(["7", field("Last name")]);
    expect(lineLabel(6)).toBe("Line 6: other (torn)");
    await pressShortcut("{Enter}");
    expect([line(), lastName()]).toEqual(["6", ""]);
    await pressShortcut("[Digit7]");
    expect((await screen.findByLabelText<HTMLInputElement>("Reason")).value).toBe("torn");
    await user.keyboard("{Escape}");
    await user.keyboard("Zed");
    await pressShortcut("[Digit3]");
    await waitFor(() =>
      expect(signet.sent.slice(-2)).toMatchObject([{ kind: "undo", of: lines()[2]?.id }, { line: 6 }]),
    );
    expect([line(), lineLabel(6)]).toEqual(["7", "Line 6: Zed, illegible"]);
    await pressShortcut("[Digit9]");
    expect(await screen.findByRole("dialog", { name: "Sheet 12" })).toBeTruthy();
  });

  it("opens at the line of the address, once, unless a line is in the form, and asks before it reopens a sheet", async () => {
    signet.sheet = withLines({}, {});
    history.replaceState(null, "", "/?sheet=12&line=7");
    show({ sheet: 12, line: 7 });
    await screen.findByText("Sheet 12");
    expect([line(), document.activeElement, location.search]).toEqual(["7", field("Last name"), ""]);
    await user.keyboard("smi");
    cleanup();
    show({ sheet: 12, line: 9 });
    await waitFor(() => expectMessage("Enter this line first, or clear it."));
    expect([line(), lastName()]).toEqual(["7", "smi"]);
    cleanup();
    sessionStorage.clear();
    localStorage.clear();
    signet.sheet = { ...withLines({}), closedAt: "2026-11-03T12:00:00.000Z" };
    show({ sheet: 12, line: 9 });
    const dialog = within(await screen.findByRole("dialog", { name: "Reopen sheet 12?" }));
    expect(dialog.getByText(/^Sheet 12 was closed on Nov 3.* with 1 of 20 lines\.$/)).toBeTruthy();
    expect(signet.sent).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Reopen sheet 12" }));
    await screen.findByText("Sheet 12");
    expect([line(), signet.sent]).toMatchObject(["9", [{ kind: "open-sheet", sheet: 12 }]]);
    cleanup();
    sessionStorage.clear();
    localStorage.clear();
    show({ sheet: 13 });
    await waitFor(() => expectMessage("There's no sheet 13."));
  });

  it("doesn't call a full sheet entered while lines need attention, and leads back to them", async () => {
    signet.sheet = { ...withLines({}, {}, {}), signatureCount: 4 };
    await start();
    signet.searchAnswers = false;
    await user.type(field("Last name"), "smitt");
    await screen.findByText("Save for later");
    await user.keyboard("{Enter}");
    expect(await screen.findByText("No empty lines left")).toBeTruthy();
    expect(screen.queryByText("All lines are entered")).toBeNull();
    await pressShortcut("[Digit9]");
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Close sheet…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Close sheet 12?" }));
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Back to the line" }));
    expect(dialog.getByRole("button", { name: "Close without it" })).toBeTruthy();
  });

  it("reports a full sheet on Enter, and closes it", async () => {
    signet.sheet = { ...withLines({}, {}, { verdict: "blank" }), signatureCount: 4 };
    await start();
    await waitFor(() => expect(lineLabel(2)).toBe("Line 2: Smith, Ada, valid"));
    await pressShortcut("[Digit3]");
    await pressShortcut("[Digit3]");
    expect(screen.getByText("All lines are entered")).toBeTruthy();
    await user.keyboard("{Enter}");
    const dialog = within(screen.getByRole("dialog", { name: "Close sheet 12?" }));
    expect(dialog.getByText("No lines are missing.")).toBeTruthy();
    expect(dialog.getByText("5 of 5 lines: 4 signatures, 1 blank")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close sheet" }));
    await waitFor(() => expect(signet.sent.at(-1)).toMatchObject({ kind: "close-sheet", sheet: 12 }));
    expect(screen.getByRole("heading", { name: "Start a sheet" })).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field("Sheet number")));
  });

  it("goes on after each blank line that makes a full sheet longer", async () => {
    signet.sheet = { ...withLines({}, {}, { verdict: "blank" }), signatureCount: 3 };
    await start();
    await waitFor(() => expect(lineLabel(2)).toBe("Line 2: Smith, Ada, valid"));
    for (const after of ["5", "6"]) {
      await pressShortcut("[Digit8]");
      await waitFor(() => expect(line()).toBe(after));
    }
    expect(screen.queryByText("All lines are entered")).toBeNull();
    expectMessage("Line 5: blank.");
  });

  it("reports a sheet as full at the last line of the paper, although an earlier line is blank, and who is on it", async () => {
    signet.here = [{ name: "Jun Park", line: 14 }];
    const lines = Array.from({ length: 20 }, (_, index) => (index === 2 ? { verdict: "blank" as const } : {}));
    signet.sheet = { ...withLines(...lines), signatureCount: 20 };
    await start();
    await waitFor(() => expect(lineLabel(20)).toBe("Line 20: Smith, Ada, valid"));
    await user.keyboard("{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "Close sheet 12?" }));
    expect(dialog.getByText("20 of 20 lines: 19 signatures, 1 blank")).toBeTruthy();
    expect(dialog.getByText("Still entering on this sheet: Jun Park, line 14.")).toBeTruthy();
    expect(dialog.getByText(/^No lines are missing/).textContent).toBe(
      "No lines are missing.Only 19 signatures are entered. Check the number on the paper.",
    );
  });

  it.each(["Close sheet…", "Delete empty sheet"])(
    "doesn't reopen a sheet's dialog on the next one (%s)",
    async (how) => {
      signet.sheet = how === "Close sheet…" ? { ...withLines({}, {}, {}), signatureCount: 3 } : withLines();
      if (how !== "Close sheet…") submit.mockResolvedValueOnce({ message: "Sheet 12 deleted.", error: null });
      await start();
      await waitFor(() => expect(onSheet(3).getAttribute("title") !== null).toBe(how === "Close sheet…"));
      await pressShortcut("[Digit9]");
      await user.click(await within(await screen.findByRole("dialog")).findByRole("button", { name: how }));
      const report = screen.queryByRole("dialog", { name: "Close sheet 12?" });
      if (report) await user.click(within(report).getByRole("button", { name: "Close sheet" }));
      await user.type(await screen.findByLabelText("Sheet number"), "13{Enter}");
      await screen.findByText("Sheet 13");
      expect([screen.queryByRole("dialog"), document.activeElement]).toEqual([null, field("Last name")]);
    },
  );

  it("asks before it saves odd details, and no longer says that a sheet was saved when saving it again fails", async () => {
    signet.sheet = withLines({}, {});
    await start();
    await user.click(screen.getByRole("button", { name: "Sheet 12" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Sheet 12" }));
    await user.type(dialog.getAllByLabelText("Signatures on the sheet")[0] ?? document.body, "1");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await dialog.findByText("This sheet already has 2 signatures entered, more than 1. Press “Save” again to confirm.");
    submit.mockResolvedValueOnce({ message: "Saved sheet 12.", error: null, zodIssues: null });
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Saved sheet 12.")).toBeTruthy();
    expect([screen.queryByRole("dialog"), document.activeElement]).toEqual([null, field("Last name")]);
    await user.click(screen.getByRole("button", { name: "Sheet 12" }));
    const again = within(await screen.findByRole("dialog", { name: "Sheet 12" }));
    submit.mockResolvedValueOnce({ message: null, error: "Sheet 12 was deleted.", zodIssues: null });
    await user.click(again.getByRole("button", { name: "Save" }));
    expect(await again.findByText("Sheet 12 was deleted.")).toBeTruthy();
    expect(screen.queryByText("Saved sheet 12.")).toBeNull();
  });

  it("puts the focus where the next line is typed when the sheet's dialog is left", async () => {
    await start();
    await user.click(screen.getByRole("button", { name: "Sheet 12" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(document.activeElement).toBe(field("Last name")));
  });

  it("opens a line of the list, shows who entered it and who else is here, and undoes an own line", async () => {
    signet.sheet = withLines({ mine: true }, {});
    signet.here = [{ name: "Jun Park", line: 14 }];
    await start();
    await waitFor(() => expectMessage("Also here: Jun Park, line 14"));
    await user.click(onSheet(2));
    await screen.findByLabelText("Line 2", { selector: "section" });
    const lineDetails = (number: number) => screen.getByLabelText(`Line ${number}`, { selector: "section" });
    expect(lineDetails(2).textContent).toContain("valid · entered by Jun Park");
    expect(screen.queryByRole("button", { name: /^Correct line 2/ })).toBeNull();
    const correct = within(lineDetails(2)).getByRole("link", { name: "Correct…" });
    expect(correct.getAttribute("href")).toMatch(/register\?line=.*#correct$/);
    expect([line(), document.activeElement]).toEqual(["2", field("Last name")]);
    await user.keyboard("{Enter}");
    expect(line()).toBe("3");
    fireEvent.change(field("Line"), { target: { value: "2" } });
    await user.type(field("Line"), "{Enter}");
    expect([line(), document.activeElement]).toEqual(["2", field("Last name")]);
    await user.click(onSheet(1));
    await user.click(within(lineDetails(1)).getByRole("button", { name: "Remove line" }));
    expectMessage("Removed: line 1, Smith, Ada.");
    expect([line(), document.activeElement]).toEqual(["1", field("Last name")]);
    await waitFor(() => expect(signet.sent.at(-1)).toMatchObject({ kind: "undo", of: uuid(0) }));
    await user.click(screen.getByRole("button", { name: "Restore line" }));
    expectMessage("Restored: sheet 12, line 1, Smith, Ada.");
    await waitFor(() => expect(signet.sent.at(-1)).toMatchObject({ kind: "restore", of: uuid(0) }));
    expect([document.activeElement, screen.queryByRole("button", { name: "Restore line" })]).toEqual([
      field("Last name"),
      null,
    ]);
  });

  it("corrects line 7 with at most 10 keys: names, day and line are in the form, and it is replaced at once", async () => {
    const seven = {
      line: 7,
      mine: true,
      lastName: "Smith",
      firstName: "Ada",
      address: "12 Oak St",
      signedOn: "2026-11-01",
    };
    signet.sheet = withLines({ line: 1 }, { ...seven, voterId: "WA-0", verdict: "out-of-district" });
    await start();
    await waitFor(() => expect(lineLabel(7)).toBe("Line 7: Smith, Ada, out of district"));
    // Shift and Tab, 7, Ctrl, Shift and Enter.
    await user.keyboard("{Shift>}{Tab}{/Shift}7");
    await pressShortcut("{Enter}");
    expect([line(), lastName(), field("First name").value, field("House number").value]).toEqual([
      "7",
      "Smith",
      "Ada",
      "12",
    ]);
    expect([field("Date signed").value, document.activeElement]).toEqual(["2026-11-01", field("Last name")]);
    // Two letters and Enter: nine keys. The house number was the other voter's.
    await user.type(field("Last name"), "so");
    await screen.findByText("Change to valid: Smithson, Ada");
    expectMessage("Line 7 is out of district: Smith, Ada");
    expect(lineLabel(7)).toBe("Line 7: Smith, Ada, out of district, being corrected");
    expect(field("House number").value).toBe("");
    expect(signet.sent.filter(({ kind }) => kind === "undo")).toEqual([]); // nothing until then
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(signet.sent.slice(-2)).toMatchObject([
        { kind: "undo", of: uuid(1) },
        { kind: "line", line: 7, voterId: "WA-1" },
      ]),
    );
    expect(line()).toBe("8");
  });
});

describe("the voter of a line that is corrected", () => {
  const correct = async (line: object) => {
    signet.sheet = withLines({ line: 7, mine: true, address: null, ...line });
    await start();
    await user.type(field("City"), "Tacoma");
    await waitFor(() => expect(onSheet(7)).toBeTruthy());
    await user.click(onSheet(7));
    await pressShortcut("{Enter}");
  };

  it("is in the form after a reload, which says so", async () => {
    await correct({ lastName: "Smith", firstName: "Ada" });
    cleanup();
    show();
    await screen.findByText("Correct sheet 12, line 7");
    expect(lastName()).toBe("Smith");
  });

  it("is marked by their ID, in another city too, until something else is typed", async () => {
    signet.extraParams = ["voterId"];
    await correct({ lastName: "Smith", firstName: "Ada", voterId: "WA-0" });
    await screen.findByText("Replace with Smith, Ada");
    await user.keyboard("s");
    await screen.findByText("No voters match"); // in Tacoma
    const [cancel] = screen.getAllByRole("button", { name: /^Cancel correction/ });
    if (cancel) await user.click(cancel);
    expect([lastName(), screen.queryByRole("button", { name: /^Cancel correction/ })]).toEqual(["", null]);
  });

  it("has their name in the form, although the line has only their ID", async () => {
    signet.extraParams = ["voterId"];
    await correct({ lastName: null, firstName: null, voterId: "WA-2" });
    await screen.findByText("Replace with Smitt, Ada");
    fireEvent.change(field("Line"), { target: { value: "8" } });
    await screen.findByText("Move to line 8: Smitt, Ada");
    fireEvent.change(field("Line"), { target: { value: "7" } });
    expect([lastName(), field("First name").value, field("House number").value]).toEqual(["Smitt", "Ada", "12"]);
    await user.keyboard("{Enter}");
    await expectLines({ line: 7, voterId: "WA-2", lastName: "Smitt" });
  });
});

describe("a line that waits with a question", () => {
  it("lets the next lines be typed, which wait, and follow when it is entered", async () => {
    await start();
    await search("smith");
    await user.keyboard("{Enter}smitt{Tab}ada{Enter}ken");
    expectMessage(/^Line 4: 2 voters match\. Is it \S+, Ada\? Press Enter to confirm\.$/);
    expectMessage("Finish line 4 first. Waiting: smitt, ada; ken.");
    expect(screen.getByRole("button", { name: /^Line 4: Illegible/ })).toBeTruthy();
    await pressShortcut("7");
    expectMessage("Line 4 (smith) comes first. Enter it, then choose the reason for the next one.");
    expect([lastName(), field("First name").value, document.activeElement]).toEqual(["ken", "", field("Last name")]);
    await user.keyboard("{Escape}");
    expect(lastName()).toBe("smith");
    expect(lines()).toEqual([]);
    await user.keyboard("{Enter}");
    await expectLines({ line: 4, voterId: "WA-0" }, { line: 5, voterId: "WA-2" });
    await waitFor(() => expect([line(), lastName()]).toEqual(["6", "ken"]));
    expect(screen.queryByText(/Waiting: /)).toBeNull();
  });

  it("keeps what was typed after it over a reload, and behind it until it is cleared twice", async () => {
    await start();
    await search("smith");
    await user.keyboard("{Enter}smitt{Tab}ada");
    cleanup();
    show();
    await screen.findByText("Finish line 4 first. Waiting: smitt, ada.");
    expect(lastName()).toBe("smith");
    await user.keyboard("{Escape}");
    await screen.findByText("Type line 4, or clear it again to move the next line here. Waiting: smitt, ada.");
    expect([line(), lastName()]).toEqual(["4", ""]);
    await user.keyboard("{Escape}");
    expect([line(), lastName(), field("First name").value]).toEqual(["4", "smitt", "ada"]);
    expect(lines()).toEqual([]);
  });

  it("is entered by Enter after a pause, and by a click at once", async () => {
    await start();
    await search("smith");
    await user.keyboard("{Enter}{Enter}");
    expect(lines()).toEqual([]);
    const enterAfterPause = async () => {
      await user.keyboard("{Enter}");
      expect(lines()).toHaveLength(1);
    };
    await vi.waitFor(enterAfterPause, { interval: 1_000, timeout: 10_000 });
    await expectLines({ line: 4, voterId: "WA-0" });
    await search("smi");
    await user.click(await screen.findByRole("button", { name: /^Select / }));
    await user.click(await screen.findByRole("button", { name: /^Enter as duplicate/ }));
    await expectLines({ line: 4 }, { line: 5, verdict: "duplicate" });
  });
});

describe("before something unusual", () => {
  const closedSheet = () => ({ ...withLines({}, {}), closedAt: "2026-10-08T12:00:00Z", lines: 2, signatureCount: 2 });
  const opened = () => signet.sent.filter(({ kind }) => kind === "open-sheet");

  it("asks before a closed sheet is reopened, which one Enter too many doesn't do", async () => {
    signet.sheet = closedSheet();
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "12{Enter}");
    await screen.findByText(/^Sheet 12 was closed on Oct 8.* with 2 of 2 lines. Reopen it\?$/);
    expect(document.activeElement?.textContent).toBe("Cancel");
    await user.keyboard("{Enter}");
    expect([opened(), document.activeElement]).toEqual([[], field("Sheet number")]);
    await user.keyboard("{Enter}");
    await user.click(await screen.findByRole("button", { name: "Reopen sheet 12" }));
    await screen.findByText("Sheet 12");
    expect(opened()).toMatchObject([{ sheet: 12, reopens: true }]);
    await screen.findByText("This sheet has been closed. Reopen it, or open another sheet."); // again, by someone else
  });

  it("asks before a line is entered on a sheet that someone has closed, and loses nothing", async () => {
    signet.sheet = { ...closedSheet(), signatureCount: null };
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "12{Enter}");
    await user.click(await screen.findByRole("button", { name: "Reopen sheet 12" }));
    await screen.findByText("This sheet has been closed. Reopen it, or open another sheet."); // again, by someone else
    await accept();
    const dialog = within(await screen.findByRole("dialog", { name: "Reopen sheet 12?" }));
    expect([lines(), opened().length]).toEqual([[], 1]);
    await user.click(dialog.getByRole("button", { name: "Reopen sheet 12" }));
    await waitFor(() => expectMessage("Sheet 12 is open again."));
    expect([lastName(), opened().length, screen.queryByText(/^This sheet has been closed/)]).toEqual([
      "smitt",
      2,
      null,
    ]);
    await user.keyboard("{Enter}");
    await expectLines({ line: 4, lastName: "Smitt" });
  });

  it("asks before a sheet that was started without a connection turns out to be closed, and is reopened", async () => {
    signet.answer = () => 503;
    await start();
    await user.type(field("Last name"), "smi");
    signet.answer = (change) =>
      change.reopens ? outcomeOf(change) : { outcome: "refused", why: "sheet-closed", error: "It's closed." };
    window.dispatchEvent(new Event("online"));
    const list = within(await screen.findByLabelText("Needs attention"));
    expect(list.getByText("It's closed.")).toBeTruthy();
    signet.sent = [];
    await user.click(list.getByRole("button", { name: /^Reopen/ }));
    await waitFor(() => expect(opened()).toMatchObject([{ sheet: 12, reopens: true }]));
    await waitFor(() => expect([unsentKeys(), line(), lastName()]).toEqual([[], "1", "smi"]));
  });

  it("refuses a sheet without signatures, at the field", async () => {
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "12");
    await user.type(field("Signatures on the sheet"), "0{Enter}");
    await screen.findByText("Enter 1 to 1,000 signatures.");
    expect([opened(), document.activeElement]).toEqual([[], field("Signatures on the sheet")]);
    fireEvent.change(field("Sheet number"), { target: { value: "" } });
    expect(screen.queryByText("Enter 1 to 1,000 signatures.")).toBeNull();
    await user.keyboard("{Enter}"); // all wrong fields at once
    expectMessage("Enter the sheet number, or use the next one.");
    expectMessage("Enter 1 to 1,000 signatures.");
    expect(document.activeElement).toBe(field("Sheet number"));
  });

  it("asks about an unknown circulator, which keys typed too early don't answer, and shortcuts don't leave", async () => {
    show();
    await user.type(await screen.findByLabelText("Circulator"), "Mario Vega");
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now());
    await user.type(field("Sheet number"), "12{Enter}");
    await screen.findByRole("button", { name: "Use Maria Vega" });
    await user.keyboard("{Tab}");
    expect(document.activeElement?.textContent).toBe("Cancel");
    now.mockRestore();
    await user.keyboard("{Enter}");
    expect([opened(), document.activeElement]).toEqual([[], field("Circulator")]); // the field to correct
    expect([field("Circulator").selectionStart, field("Circulator").selectionEnd]).toEqual([0, "Mario Vega".length]);
    await user.type(field("Sheet number"), "{Enter}");
    await screen.findByRole("button", { name: "Use Maria Vega" });
    await user.keyboard("?3");
    expect([field("Sheet number").value, screen.queryByText("Keyboard shortcuts")]).toEqual(["12?3", null]);
  });

  it("asks about a number far from the highest one, although no sheet is open", async () => {
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "500{Enter}");
    await screen.findByText("The closest sheet number is 12. Start sheet 500 anyway?");
    expect(opened()).toEqual([]);
  });

  it("takes the only suggested circulator by ↓ and Tab", async () => {
    show();
    await user.type(await screen.findByLabelText("Circulator"), "mar{ArrowDown}{Tab}");
    expect(field("Circulator").value).toBe("Maria Vega");
    await user.clear(field("Circulator"));
    await user.type(field("Circulator"), "mar{Tab}");
    expect(field("Circulator").value).toBe("mar");
  });

  it("stores a known circulator as they are spelled", async () => {
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "12");
    await user.type(field("Circulator"), " maria vega {Enter}");
    await waitFor(() => expect(opened()).toMatchObject([{ sheet: 12, paper: { circulator: "Maria Vega" } }]));
  });

  it("offers the known circulator that was probably meant", async () => {
    show();
    await user.type(await screen.findByLabelText("Circulator"), "Mario Vega");
    await user.type(field("Sheet number"), "12{Enter}");
    await user.click(await screen.findByRole("button", { name: "Use Maria Vega" }));
    await waitFor(() => expect(opened()).toMatchObject([{ sheet: 12, paper: { circulator: "Maria Vega" } }]));
  });

  it("asks about the rest when the known circulator is used", async () => {
    initial.startsOn = "2026-10-01";
    show();
    await user.type(await screen.findByLabelText("Circulator"), "Mario Vega");
    fireEvent.change(field("Date collected"), { target: { value: "2026-09-30" } });
    await user.type(field("Sheet number"), "12{Enter}");
    await user.click(await screen.findByRole("button", { name: "Use Maria Vega" }));
    await screen.findByText("Sep 30, 2026 is before the campaign's first day, Oct 1, 2026. Start sheet 12 anyway?");
    expect([opened(), field("Circulator").value]).toEqual([[], "Maria Vega"]);
    initial.startsOn = null;
  });

  it("opens no other sheet over a typed line", async () => {
    await start();
    await user.type(field("Last name"), "smith");
    await pressShortcut("[Digit9]");
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByLabelText("Sheet number"), "13{Enter}");
    await dialog.findByText("Enter this line first, or clear it.");
    expect(opened()).not.toContainEqual(expect.objectContaining({ sheet: 13 }));
  });

  it("offers the circulator and the day of the sheet that was just closed", async () => {
    signet.sheet = { ...withLines({}), signatureCount: 1, circulator: "Maria Vega", collectedOn: "2026-11-02" };
    await start();
    await waitFor(() => expect(lineLabel(1)).toBe("Line 1: Smith, Ada, valid"));
    await pressShortcut("[Digit9]");
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Close sheet…" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Close sheet" }));
    await user.type(await screen.findByLabelText("Sheet number"), "13");
    expect([field("Circulator").value, field("Date collected").value]).toEqual(["", ""]);
    fireEvent.change(field("Date collected"), { target: { value: "2130-01-01" } });
    expectMessage("Check the date collected: Jan 1, 2130 is in the future.");
    await user.tab();
    expect(document.activeElement?.textContent).toMatch(/^Same as sheet 12: Maria Vega · Nov 2/);
    await user.keyboard("{Enter}");
    expect([field("Date collected").ariaInvalid, screen.queryByText(/in the future/)]).toEqual(["false", null]);
    expect(document.activeElement).toBe(field("Signatures on the sheet"));
    await user.keyboard("{Enter}");
    const paper = { circulator: "Maria Vega", collectedOn: "2026-11-02" };
    await waitFor(() => expect(opened().at(-1)).toMatchObject({ sheet: 13, paper }));
  });

  it("fills in the next number with its button, and starts nothing before Enter", async () => {
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "{Enter}{Enter}");
    expect(field("Sheet number").nextSibling?.textContent).toBe("Enter the sheet number, or use the next one.");
    expect(field("Sheet number").ariaInvalid).toBe("true");
    await user.click(screen.getByRole("button", { name: "Use the next number" }));
    await waitFor(() => expect(field("Sheet number").value).toBe("13"));
    expect([document.activeElement, field("Sheet number").ariaInvalid]).toEqual([field("Sheet number"), "false"]);
    expect(opened()).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(opened()).toMatchObject([{ sheet: 13 }]));
  });

  it("leaves the focus and a typed number alone when the next number arrives late", async () => {
    const wait = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      vi.stubGlobal("fetch", async (path: string) => promise.then(() => respond(path, "{}")));
      return () => act(async () => resolve());
    };
    show();
    const number = await screen.findByLabelText<HTMLInputElement>("Sheet number");
    const arrives = wait();
    await user.click(screen.getByRole("button", { name: "Use the next number" }));
    await user.click(field("Circulator"));
    await arrives();
    await waitFor(() => expect(number.value).toBe("13"));
    expect(document.activeElement).toBe(field("Circulator"));
    await user.clear(number);
    const arrivesLater = wait();
    await user.click(screen.getByRole("button", { name: "Use the next number" }));
    await user.type(number, "40");
    await arrivesLater();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(number.value).toBe("40");
  });

  it("refuses a day collected in the future at its field, at once, until it is corrected", async () => {
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "12");
    const collected = field("Date collected");
    fireEvent.change(collected, { target: { value: "2130-01-01" } });
    expectMessage("Check the date collected: Jan 1, 2130 is in the future.");
    expect(collected.ariaInvalid).toBe("true");
    await user.type(field("Sheet number"), "{Enter}");
    fireEvent.change(collected, { target: { value: "2026-11-02" } });
    expect([collected.ariaInvalid, screen.queryByText(/in the future/), opened()]).toEqual(["false", null, []]);
  });

  it("refuses a half typed day collected at its field", async () => {
    show();
    const number = await screen.findByLabelText("Sheet number");
    const isHalf = vi.spyOn(field("Date collected").validity, "badInput", "get").mockReturnValue(true);
    await user.type(number, "12{Enter}");
    expectMessage("Check the date collected: enter a real date with month, day, and year.");
    expect([document.activeElement, opened()]).toEqual([field("Date collected"), []]);
    isHalf.mockRestore();
    await user.type(number, "{Enter}");
    await waitFor(() => expect(opened()).toMatchObject([{ sheet: 12 }]));
  });

  it("names a day collected before the campaign at its field, and asks before the sheet is started", async () => {
    initial.startsOn = "2026-10-01";
    show();
    await user.type(await screen.findByLabelText("Sheet number"), "12");
    fireEvent.change(field("Date collected"), { target: { value: "2026-09-30" } });
    fireEvent.blur(field("Date collected"));
    expectMessage("Date collected is before the campaign's first day, Oct 1, 2026.");
    await user.type(field("Sheet number"), "{Enter}");
    await screen.findByRole("button", { name: "Start sheet 12" });
    await user.keyboard("{Escape}");
    expect([screen.queryByText(/Start sheet 12\?/), document.activeElement]).toEqual([null, field("Date collected")]);
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: "Start sheet 12" });
    expect(screen.getAllByText(/before the campaign's first day/)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Start sheet 12" }));
    await waitFor(() => expect(opened()).toMatchObject([{ paper: { collectedOn: "2026-09-30" } }]));
    initial.startsOn = null;
  });

  it("asks before a line beyond the sheet is stored", async () => {
    await start();
    fireEvent.change(field("Line"), { target: { value: "x1" } });
    expect(line()).toBe("4");
    fireEvent.change(field("Line"), { target: { value: "200" } });
    act(() => field("Line").focus());
    await user.tab();
    expectMessage("Sheet 12 has 20 lines. Check the line number on the paper.");
    await search("smitt");
    await user.type(field("Line"), "{Enter}");
    await user.click(await screen.findByRole("button", { name: "Change line" }));
    expect(document.activeElement).toBe(field("Line"));
    await user.keyboard("{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "Use line 200?" }));
    expect(lines()).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Use line 200" }));
    await user.keyboard("{Enter}");
    await expectLines({ line: 200, voterId: "WA-2" });
  });

  it("asks before a line that needs attention is discarded, and returns to the fields", async () => {
    await start();
    signet.answer = () => ({ outcome: "refused", why: "not-allowed", error: "Not any more." });
    await accept();
    const discard = async (answer: string) => {
      await user.click(await screen.findByRole("button", { name: /^Discard/ }));
      const dialog = await screen.findByRole("dialog", { name: "Discard your entry for line 4 of sheet 12?" });
      await user.click(within(dialog).getByRole("button", { name: answer }));
      expect(document.activeElement).toBe(field("Last name"));
    };
    await discard("Cancel");
    expect(unsentKeys()).toHaveLength(1);
    await discard("Discard entry");
    expect(unsentKeys()).toEqual([]);
    expectMessage(/^Discarded: /);
  });

  it("keeps the focus in a field after a line is discarded or sent again before a sheet is open", async () => {
    await start();
    signet.answer = () => ({ outcome: "refused", why: "not-allowed", error: "Not any more." });
    await accept();
    await accept();
    await waitFor(() => expect(screen.getAllByText("Not any more.")).toHaveLength(2));
    cleanup();
    sessionStorage.clear();
    show();
    const [first] = await screen.findAllByRole("button", { name: /^Discard/ });
    if (first) await user.click(first);
    await user.click(await screen.findByRole("button", { name: "Discard entry" }));
    await waitFor(() => expect(document.activeElement).toBe(field("Sheet number")));
    signet.answer = outcomeOf;
    await user.click(screen.getByRole("button", { name: /^Send again/ }));
    await waitFor(() => expect(unsentKeys()).toEqual([]));
    expect(document.activeElement).toBe(field("Sheet number"));
  });

  it("checks the day when its field is left, and suggests the day collected", async () => {
    signet.sheet = { ...withLines({}), collectedOn: "2026-11-02" };
    await start();
    await screen.findByRole("button", { name: /^Use Nov 2/ });
    act(() => field("Date signed").focus());
    await user.tab();
    await user.keyboard("{Enter}");
    expect([field("Date signed").value, document.activeElement]).toEqual(["2026-11-02", field("Last name")]);
    expect(screen.queryByRole("button", { name: /^Use Nov 2/ })).toBeNull();
    fireEvent.change(field("Date signed"), { target: { value: "2130-01-01" } });
    fireEvent.blur(field("Date signed"));
    expectMessage("Check the date signed: Jan 1, 2130 is in the future.");
    expect(field("Date signed").ariaInvalid).toBe("true");
    expect(screen.getByRole("button", { name: /^Use Nov 2/ })).toBeTruthy();
    await accept();
    expect(lines()).toEqual([]);
    fireEvent.change(field("Date signed"), { target: { value: "" } });
    const isHalf = vi.spyOn(field("Date signed").validity, "badInput", "get").mockReturnValue(true);
    fireEvent.blur(field("Date signed"));
    expectMessage("Check the date signed: enter a real date with month, day, and year.");
    await user.type(field("Last name"), "{Enter}");
    expect(lines()).toEqual([]);
    isHalf.mockRestore();
    fireEvent.blur(field("Date signed"));
    await user.type(field("Last name"), "{Enter}");
    await expectLines({ line: 4, signedOn: null });
  });

  it.each(["Date signed", "Line", "City"])("drops a day that can't be used by Esc in the field “%s”", async (name) => {
    await start();
    await user.type(field("Last name"), "smi");
    fireEvent.change(field("Date signed"), { target: { value: "2130-01-01" } });
    act(() => field(name).focus());
    await user.keyboard("{Escape}");
    expect([field("Date signed").value, lastName(), document.activeElement]).toEqual(["", "", field("Last name")]);
  });

  it("takes the day again from its month after it was refused", async () => {
    await start();
    const day = field("Date signed");
    expect(day.max).toMatch(/^\d{4}-/);
    fireEvent.change(day, { target: { value: "2130-01-01" } });
    act(() => day.focus());
    const focused = vi.spyOn(day, "focus");
    await user.keyboard("{Enter}");
    expectMessage("Check the date signed: Jan 1, 2130 is in the future.");
    expect([focused.mock.calls.length, document.activeElement]).toEqual([1, day]);
  });
});

describe("a voter who has signed", () => {
  it("is marked with sheet and line, and Enter saves a duplicate", async () => {
    signet.signed = ["WA-0"];
    await start();
    await search("smith");
    await screen.findByText("sheet 3, line 9 · entered by Jun Park");
    await user.keyboard("{ArrowDown}");
    expect(screen.getByRole("button", { name: "Enter as duplicate" })).toBeTruthy();
    await user.keyboard("{Enter}");
    expectMessage("Line 4: duplicate – Smith, Ada. Already signed: sheet 3, line 9, entered by Jun Park.");
    await expectLines({ verdict: "duplicate", voterId: "WA-0", line: 4 });
  });

  it("is known from unsent lines", async () => {
    await start();
    signet.ready = new Promise(() => undefined);
    await accept();
    await search("smitt");
    expect(screen.getByRole("option").textContent).toMatch(/already signed.*sheet 12, line 4 · entered .+ by you/);
    await user.keyboard("{Escape}");
    await pressShortcut("{Enter}");
    await waitFor(() => expect(screen.getByRole("option").textContent).toMatch(/not signed/));
  });

  it("is reported when a sent line turns out to be a duplicate", async () => {
    const of = { ownTeam: true, sheet: 3, line: 9, enteredBy: "Jun Park" };
    await start();
    signet.answer = () => ({ outcome: "duplicate", of });
    await accept();
    await waitFor(() =>
      expectMessage("Line 4: duplicate – Smitt, Ada. Already signed: sheet 3, line 9, entered by Jun Park."),
    );
    expect(lineLabel(4)).toBe("Line 4: Smitt, Ada, duplicate of sheet 3, line 9");
  });
});

describe("nothing that was typed is lost", () => {
  it("keeps a line when the session ends, and sends it after signing in", async () => {
    await start();
    signet.answer = () => 401;
    await accept();
    await screen.findByText("Your session has ended. Sign in again to send 1 unsent line saved on this device.");
    const { href } = screen.getByRole<HTMLAnchorElement>("link", { name: "Sign in again" });
    expect(new URL(href).searchParams.get("next")).toBe("/riverside/campaign/clean-water/signatures");
    signet.answer = outcomeOf;
    window.dispatchEvent(new Event("focus"));
    await expectLines({ voterId: "WA-2", line: 4 });
    await waitFor(() => expect(unsentKeys()).toEqual([]));
  });

  it("keeps a line when Signet was updated, asks to reload, and sends it then", async () => {
    await start();
    signet.answer = () => 404;
    await accept();
    await screen.findByText("Signet was updated. Reload the page to send 1 unsent line saved on this device.");
    expect([screen.queryByRole("button", { name: "Reload now" }) !== null, unsentKeys().length]).toEqual([true, 1]);
    cleanup();
    signet.answer = outcomeOf;
    show();
    await expectLines({ voterId: "WA-2", line: 4 });
    await waitFor(() => expect(unsentKeys()).toEqual([]));
    expect(line()).toBe("5");
  });

  it("says that the storage is full, and holds the line in the form until it is saved", async () => {
    await start();
    const { promise, resolve } = Promise.withResolvers<void>();
    signet.ready = promise;
    await search("smitt");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await user.keyboard("{Enter}");
    expectMessage(/^This browser can't save lines/);
    expect([line(), lastName()]).toEqual(["4", "smitt"]);
    await user.keyboard("{PageDown}{Enter}");
    expectMessage("The line in the form is still being sent.");
    expect([line(), lines()]).toEqual(["4", []]);
    await act(async () => resolve());
    await waitFor(() => expect([line(), lastName()]).toEqual(["5", ""]));
    expect(lines()).toHaveLength(1);
  });

  it("restores typed text after a reload, and resumes at the same line in another tab", async () => {
    await start();
    await accept();
    await user.type(field("Last name"), "smi");
    await user.type(field("City"), "Kent");
    await expectLines({ line: 4 });
    cleanup();
    show();
    await screen.findByText("Sheet 12");
    expect([line(), lastName(), field("City").value]).toEqual(["5", "smi", "Kent"]);
    await findVoters();
    cleanup();
    sessionStorage.clear();
    show();
    await user.click(await screen.findByRole("button", { name: "Resume sheet 12, line 5" }));
    expect([line(), lastName(), document.activeElement]).toEqual(["5", "", field("Last name")]);
  });

  it("restores every line that was typed ahead, up to the last key, wherever the page is reloaded", async () => {
    for (const keyCount of [8, 21, 39]) {
      const typed = [["", ""]];
      sessionStorage.clear();
      await start();
      for (const key of "xab⇥xc⏎xde⇥x⏎xfgh⇥xi⏎xj⇥xklmnop⏎xq⇥xr".slice(0, keyCount)) {
        const at = typed.at(-1) ?? [];
        const to = document.activeElement === field("First name") ? 1 : 0;
        if (key === "⏎") typed.push(["", ""]);
        else if (key !== "⇥") at[to] += key;
        await user.keyboard({ "⏎": "{Enter}", "⇥": "{Tab}" }[key] ?? key);
      }
      for (const _ of ["once", "twice"]) {
        cleanup();
        show();
        await screen.findByText("Sheet 12");
        const [inForm, ...ahead] = typed.map((names) => names.filter(Boolean).join(", ")).filter(Boolean);
        expect([lastName(), field("First name").value].filter(Boolean).join(", ")).toBe(inForm);
        if (ahead.length > 0) expectMessage(`Finish line 4 first. Waiting: ${ahead.join("; ")}.`);
      }
      cleanup();
    }
  }, 20_000);

  it("keeps the last voters in view while the search fails, but only those that can be meant, and enters none", async () => {
    await start();
    await search("smit");
    signet.searchAnswers = false;
    await user.type(field("Last name"), "t");
    await screen.findByText(/^These voters are from your last search/);
    const [, , smitt] = screen.getAllByRole("option");
    if (smitt) await user.click(smitt);
    expect(screen.queryByRole("option", { selected: true })).toBeNull();
    expectMessage("Save for later");
    await user.type(field("Last name"), "{Backspace}{Backspace}{Backspace}");
    expect(screen.queryByRole("option")).toBeNull();
  });

  it("repeats a failed search, alone and by a button that keeps the focus in the form", async () => {
    await start();
    signet.searchAnswers = false;
    await user.type(field("Last name"), "smith");
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    expect(document.activeElement).toBe(field("Last name"));
    await screen.findByRole("button", { name: "Try again" });
    signet.searchAnswers = true;
    await screen.findByLabelText("Voters found", {}, { timeout: 8_000 });
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  }, 15_000);

  it("saves lines as typed without a search, and looks them up later", async () => {
    await start();
    signet.searchAnswers = false;
    for (const name of ["smithson", "smitt"]) {
      await user.type(field("Last name"), name);
      await screen.findByText("Save for later");
      await user.keyboard("{Enter}");
    }
    expect([line(), lines()]).toEqual(["6", []]);
    expectMessage("2 lines need a lookup");
    expect(lineLabel(4)).toBe("Line 4: smithson, needs a lookup");
    signet.searchAnswers = true;
    await user.type(field("Last name"), "smith");
    await screen.findByText("Voter search works again.");
    expect(screen.getByRole("link", { name: "2 lines need a lookup" }).getAttribute("href")).toBe("#needs-attention");
    await user.type(field("Last name"), "{Escape}");
    await user.click(screen.getByRole("button", { name: "Look up" }));
    // A line that is looked up isn't lost by a reload and Esc.
    cleanup();
    show();
    await screen.findByText("Sheet 12");
    await findVoters();
    await user.type(field("Last name"), "{Escape}");
    await screen.findByRole("heading", { name: "2 lines need a lookup" });
    await user.click(screen.getByRole("button", { name: "Look up" }));
    for (const number of ["5", "4"]) {
      expect(line()).toBe(number);
      await findVoters();
      await waitFor(() => expect(screen.getByRole("button", { name: /^Enter as valid: Smi/ })).toBeTruthy());
      await user.keyboard("{Enter}");
    }
    await expectLines({ line: 5, lastName: "Smitt" }, { line: 4, lastName: "Smithson" });
    expect([line(), lastName()]).toEqual(["6", ""]);
    await waitFor(() => expect(unsentKeys()).toEqual([]));
  });

  it.each([
    ["not-allowed", "Not any more.", "under the same ID"],
    ["id-taken", "Couldn't save this line: another line has its ID.", "under a new ID"],
  ])(
    "keeps a refused line (%s) until it is settled, never over typed text, and sends it again",
    async (why, error, as) => {
      await start();
      signet.answer = () => ({ outcome: "refused", why, error });
      await accept();
      const list = within(await screen.findByLabelText("Needs attention"));
      expect(list.getByText(error)).toBeTruthy();
      expect([lineLabel(4), unsentKeys().length]).toEqual(["Line 4: Smitt, Ada, not saved", 1]);
      await user.type(field("Last name"), "x");
      await user.click(list.getByRole("button", { name: /^Correct/ }));
      expectMessage("Enter this line first, or clear it.");
      expect([line(), lastName()]).toEqual(["5", "x"]);
      signet.answer = outcomeOf;
      await user.click(list.getByRole("button", { name: /^Send again/ }));
      await waitFor(() => expect(unsentKeys()).toEqual([]));
      const [first, second, ...more] = lines();
      expect(more).toEqual([]);
      expect(second).toEqual({ ...first, id: expect.any(String), enteredAt: expect.any(String) });
      expect(second?.id === first?.id ? "under the same ID" : "under a new ID").toBe(as);
    },
  );

  it("offers only to send, export or discard in an archived campaign", async () => {
    await start();
    signet.answer = () => ({ outcome: "refused", why: "archived", error: "This campaign is archived." });
    await accept();
    await screen.findByLabelText("Needs attention");
    cleanup();
    show({ sheet: 12, line: 4 }, { isArchived: true });
    await screen.findByLabelText("Needs attention");
    const names = screen.getAllByRole("button").map(({ textContent }) => textContent?.split(" ").slice(0, 2).join(" "));
    expect(names).toEqual(["Export unsaved", "Send again", "Discard sheet"]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("blocks corrections after a reload until the draft is restored, which would overwrite them", async () => {
    await start();
    signet.answer = () => ({ outcome: "refused", why: "not-allowed", error: "Not any more." });
    fireEvent.change(field("Date signed"), { target: { value: "2026-11-01" } });
    await accept();
    await screen.findByLabelText("Needs attention");
    fireEvent.change(field("Date signed"), { target: { value: "" } });
    cleanup();
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.doMock(readDraft, async (original) => {
      await promise;
      return original();
    });
    show();
    const early = await screen.findByRole("button", { name: /^Correct.*sheet 12/ }, { timeout: 200 }).catch(() => null);
    if (early) await user.click(early);
    await act(async () => resolve());
    await screen.findByText("Sheet 12");
    vi.doUnmock(readDraft);
    if (!early) await user.click(await screen.findByRole("button", { name: /^Correct.*sheet 12/ }));
    expect([line(), lastName(), field("First name").value]).toEqual(["4", "Smitt", "Ada"]);
    expect(field("Date signed").value).toBe("2026-11-01");
  });

  it("fills in the voter of a link, but never over a line in the form", async () => {
    history.replaceState(null, "", "#lastName=Smitt&firstName=Ada&houseNumber=12");
    await start();
    expect([lastName(), field("First name").value, location.hash]).toEqual(["Smitt", "Ada", ""]);
    await screen.findByText("Enter as valid: Smitt, Ada");
    cleanup();
    history.replaceState(null, "", "#lastName=Smith&firstName=Ada&houseNumber=12");
    show();
    await screen.findByText(/^Enter this line first, or clear it/);
    expect(lastName()).toBe("Smitt");
  });

  it("keeps a draft that can't be read, and shows the error", async () => {
    await start();
    await user.type(field("Last name"), "smi");
    const draft = () => sessionStorage.getItem(`signet:draft:${userId}:riverside/clean-water`);
    await waitFor(() => expect(draft()).toContain("smi"));
    const before = draft();
    cleanup();
    vi.spyOn(console, "error").mockReturnValue();
    vi.doMock(readDraft, () => Promise.reject(new Error("The connection is gone.")));
    show();
    await screen.findByText("Error: The connection is gone.");
    vi.doUnmock(readDraft);
    expect(draft()).toBe(before);
  });

  it("shows someone else's line next to mine, and saves mine to another line", async () => {
    const taken = storedLine(4, { id: uuid(1), mine: false, lastName: "Okafor", firstName: "Ben" });
    await start();
    signet.answer = () => ({ outcome: "line-taken", taken, error: "Sheet 12, line 4 is taken." });
    signet.sheet = withLines({ line: 4, mine: false }, { line: 5, mine: false });
    await accept();
    await screen.findByText("Already saved");
    await waitFor(() => expect(field("Mine belongs on line").value).toBe("6"), { timeout: 3_000 }); // 5 isn't known at first
    expectMessage("Line 4 isn't saved yet: see the list below.");
    expect(screen.getByRole("link", { name: "1 line needs attention" })).toBeTruthy();
    expect(screen.getByText("Okafor, Ben")).toBeTruthy();
    signet.answer = outcomeOf;
    const number = screen.getByLabelText("Mine belongs on line");
    await user.clear(number);
    await user.type(number, "17{Enter}");
    await waitFor(() => expect(lines().map(({ line }) => line)).toEqual([4, 17]));
    expectMessage("Sent again: line 17, Smitt, Ada.");
    expect(screen.queryByText(/isn't saved yet/)).toBeNull();
    expect(new Set(lines().map(({ id }) => id)).size).toBe(2);
    await waitFor(() => expect(unsentKeys()).toEqual([]));
  });
});
