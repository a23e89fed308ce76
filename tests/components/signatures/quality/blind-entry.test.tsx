import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BlindEntry } from "@/components/signatures/quality/blind-entry";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { TakenLine } from "@/lib/signatures/quality";

const people = ["Smith", "Smithson"].map((lastName, index) => ({
  _source: { voterId: `WA-${index}`, lastName, firstName: "Ada", houseNumber: "12", street: "Oak St", city: "Kent" },
}));
const requested: string[] = [];
beforeEach(() => {
  requested.length = 0;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    requested.push(path);
    const { lastName = "" } = JSON.parse(String(init?.body)).params;
    const persons = people.filter(({ _source }) => _source.lastName.toLowerCase().startsWith(lastName.toLowerCase()));
    return Response.json({ persons, hitsCount: persons.length, totalHits: persons.length });
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const place = { team: "riverside", campaign: "clean-water" };
const user = userEvent.setup({ delay: null });

function start() {
  const sent: object[] = [];
  const state = { error: null as string | null, wait: Promise.resolve() };
  let next = 1;
  const enter: FormSubmit<TakenLine> = async (_state, form) => {
    sent.push(Object.fromEntries(form));
    await state.wait;
    if (state.error) return { message: null, error: state.error };
    const line = next > 3 ? null : { id: `id-${next}`, sheet: 12, line: next };
    next += 1;
    return { message: "", error: null, data: { line } };
  };
  const show = (check: object) => (
    <BlindEntry
      userId="ada"
      place={place}
      check={{
        drawn: 3,
        waiting: 3,
        forYou: 3,
        sheetsForYou: [12],
        differing: 0,
        unsettled: 0,
        differences: [],
        ...check,
      }}
      canSettle
      settlers={[]}
      source={{ path: "/api/essearch", extraParams: [] }}
      enter={enter}
    />
  );
  const { rerender } = render(show({}));
  return { sent, state, become: (check: object) => rerender(show(check)) };
}
const lastName = () => screen.getByLabelText<HTMLInputElement>("Last name");
const lineShown = async (line: number) => {
  await screen.findByRole("heading", { name: `Sheet 12, line ${line}` });
  await waitFor(() => expect(document.activeElement).toBe(lastName()));
};

it("shows only where a line is, takes a voter or a verdict by keyboard or button, and goes on to the next line", async () => {
  const { sent, become } = start();
  expect(screen.getByText(/You won't be able to settle differences on lines you enter\.$/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  expect(lastName().value).toBe("");

  await user.keyboard("smith ada");
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
  expect(screen.getByRole("button", { name: "Enter as valid" }).ariaDisabled).toBe("true");
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  await lineShown(2);
  expect(lastName().value).toBe("");
  // The list would say where a voter was entered first.
  expect(requested.filter((path) => path !== "/api/essearch")).toEqual([]);
  expect(screen.queryByText(/signed|checking/)).toBeNull();

  await user.keyboard("{Control>}{Shift>}2{/Shift}{/Control}");
  await screen.findByText("Type the name on the line first.");
  await user.keyboard("jones{Control>}{Shift>}2{/Shift}{/Control}");
  await lineShown(3);
  await user.click(screen.getByRole("button", { name: "Blank" }));
  const none = await screen.findByText(/^No lines for you now: 3 left, each assigned to someone else/);
  expect(document.activeElement).toBe(none);
  become({ waiting: 0, differing: 1, unsettled: 1 });
  expect(screen.getByText(/^Done: /).textContent).toBe(
    "Done: 3 lines entered twice. 2 of 3 agree (66.7%). 1 difference to settle",
  );
  expect(document.activeElement).toBe(screen.getByText(/^Done: /));
  expect(screen.getByRole("link").getAttribute("href")).toBe("#differences");
  become({ waiting: 0, differing: 1, differences: [{ right: "second" }] });
  expect(screen.getByRole("link", { name: "1 line to correct" })).toBeTruthy();
  become({ waiting: 0 });
  expect(screen.getByText(/^Done: .*No differences to settle\.$/)).toBeTruthy();
  const typed = { firstName: "", address: "" };
  expect(sent).toEqual([
    place,
    {
      ...place,
      id: "id-1",
      verdict: "accepted",
      voterId: "WA-1",
      firstName: "Ada",
      lastName: "Smithson",
      address: "12 Oak St",
    },
    { ...place, id: "id-2", verdict: "not-found", lastName: "jones", ...typed },
    { ...place, id: "id-3", verdict: "blank", lastName: "", ...typed },
  ]);
});

it("keeps what was typed of a line over a reload, and not for another line", async () => {
  start();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  await user.keyboard("smith");
  await waitFor(() => expect(JSON.stringify(sessionStorage)).toContain("smith"));
  cleanup();
  start();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await waitFor(() => expect(lastName().value).toBe("smith"));
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
  await user.click(screen.getByRole("button", { name: "Skip this line" }));
  await lineShown(2);
  expect(lastName().value).toBe("");
});

it("doesn't offer lines that are left only for others, also after a reload", async () => {
  const { become } = start();
  become({ waiting: 6, forYou: 2 });
  expect(screen.getByText(/^2 lines need a second entry from you\. 4 more aren't yours/)).toBeTruthy();
  become({ waiting: 6, forYou: 0 });
  expect(screen.getByText(/^No lines for you now: 6 left/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Enter lines" })).toBeNull();
  expect(screen.getByRole("button", { name: "Check again" })).toBeTruthy();
});

it("asks for another reason", async () => {
  const { sent } = start();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  await user.keyboard("jones");
  await user.click(screen.getByRole("button", { name: "Other" }));
  await user.type(await screen.findByLabelText("Reason"), "{Enter}");
  expect(await screen.findByText("Reason can't be empty. Say why in a few words.")).toBeTruthy();
  expect(sent).toHaveLength(1);
  await user.type(await screen.findByLabelText("Reason"), "Signed twice in one line{Enter}");
  await lineShown(2);
  expect(sent.at(-1)).toMatchObject({
    id: "id-1",
    verdict: "other",
    lastName: "jones",
    note: "Signed twice in one line",
  });
});

it("offers to enter the last line again", async () => {
  const { sent } = start();
  expect(screen.getByText("Pull 1 sheet").parentElement).toHaveProperty("open", true);
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  expect(screen.queryByRole("button", { name: /again/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Blank" }));
  await lineShown(2);
  await user.click(screen.getByRole("button", { name: "Enter sheet 12, line 1 again" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ ...place, id: "id-2", again: "id-1" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: /again/ })).toBeNull());
});

it("folds a long list of sheets", () => {
  start().become({ sheetsForYou: [1, 2, 3, ...Array.from({ length: 48 }, (_, at) => 10 + 2 * at)] });
  const folded = screen.getByText("Pull 51 sheets").parentElement;
  expect(folded).toHaveProperty("open", false);
  expect(folded?.textContent).toContain("1–3, 10, 12");
});

it("stores what is typed ahead, line by line, before searches answer and lines are saved", async () => {
  const { sent, state } = start();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  const saving = Promise.withResolvers<void>();
  state.wait = saving.promise;
  await user.keyboard("smithson{Tab}ada{Enter}jones{Control>}{Shift>}3{/Shift}{/Control}smith{Tab}ada{Tab}12{Enter}");
  expect(lastName().value).toBe("");
  await screen.findByText("Saving…");
  saving.resolve();
  await screen.findByText(/^No lines for you now/);
  expect(sent.slice(1)).toMatchObject([
    { id: "id-1", verdict: "accepted", voterId: "WA-1" },
    { id: "id-2", verdict: "illegible", lastName: "jones" },
    { id: "id-3", verdict: "accepted", voterId: "WA-0" },
  ]);
});

it("asks about a line that isn't certain after a pause, and keeps what was typed ahead", async () => {
  const { sent } = start();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  await user.keyboard("smit{Enter}jones");
  expect(lastName().value).toBe("jones");
  await screen.findByText("2 voters match. Check the line, then continue.");
  expect([lastName().value, document.activeElement, sent.length]).toEqual(["smit", lastName(), 1]);
  await user.keyboard("{ArrowDown}{Enter}");
  await lineShown(2);
  expect(sent.at(-1)).toMatchObject({ id: "id-1", verdict: "accepted", voterId: "WA-0" });
  expect(lastName().value).toBe("jones");
  await user.click(screen.getByRole("button", { name: "Enter sheet 12, line 1 again" }));
  await lineShown(3);
  expect(lastName().value).toBe("");
});

it("keeps the line after an error, and can skip it", async () => {
  const { sent, state } = start();
  await user.click(screen.getByRole("button", { name: "Enter lines" }));
  await lineShown(1);
  state.error = "Someone else has this line now.";
  await user.keyboard("jones");
  await user.click(screen.getByRole("button", { name: "Illegible" }));
  await screen.findByText(state.error);
  await waitFor(() => expect(lastName().value).toBe("jones"));
  state.error = null;
  await user.click(screen.getByRole("button", { name: "Skip this line" }));
  await lineShown(2);
  expect(sent.at(-1)).toEqual({ ...place, id: "id-1" });
});
