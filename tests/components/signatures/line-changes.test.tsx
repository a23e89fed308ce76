import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { LineChanges } from "@/components/signatures/register/line-changes";
import type { FormSubmit } from "@/lib/forms/form-state";
import { sheetOf, stateOf, registerLine as stored } from "../../support/entry-lines.ts";

const replace = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({ useRouter: () => ({ replace }) }));

const place = { team: "riverside", campaign: "clean-water" };
const timestamp = stored.enteredAt;
const sent: [name: string, fields: object][] = [];
let failing = false;
const action =
  <Result,>(name: string, message: string, data?: Result): FormSubmit<Result> =>
  async (_state, form) => {
    sent.push([name, Object.fromEntries(form)]);
    if (failing) return { message: null, error: "Line 5 isn't empty." };
    return { message, error: null, ...(data !== undefined && { data }) };
  };
const line = (removed: boolean, own = false, secondEntry?: ComponentProps<typeof LineChanges>["secondEntry"]) => (
  <LineChanges
    line={{ ...stored, ...(secondEntry && { voterId: "WA-2", city: "Kent" }), removedAt: removed ? timestamp : null }}
    secondEntry={secondEntry}
    place={place}
    query={{ sheet: 12 }}
    own={own}
    source={{ path: "/api/essearch", extraParams: ["voterId"] }}
    actions={{
      correct: action("correct", "Line corrected.", { id: "2" }),
      move: action("move", "Moved to sheet 12, line 5."),
      remove: action("remove", "Line removed."),
      restore: action("restore", "Line restored."),
    }}
  />
);

beforeEach(() => {
  sent.splice(0);
  failing = false;
});
afterEach(cleanup);

it("removes a line for a reason, moves the focus to what was done, and offers to undo it", async () => {
  const { rerender } = render(line(false));
  await userEvent.click(screen.getByText("Remove…"));
  await userEvent.type(screen.getAllByLabelText("Reason (required)").at(-1) ?? document.body, "Crossed out");
  await userEvent.click(screen.getByRole("button", { name: "Remove line" }));
  await screen.findByText("Line removed.");
  rerender(line(true));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Line removed."));
  await userEvent.click(await screen.findByText("Undo")); // finding it by its role takes over a second on a busy machine
  await waitFor(() => expect(sent).toHaveLength(2));
  rerender(line(false));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Line restored."));
  expect(sent).toEqual([
    ["remove", { ...place, id: "1", reason: "Crossed out" }],
    ["restore", { ...place, id: "1" }],
  ]);
});

it("corrects and moves a line, one's own without a reason, and goes to the corrected line", async () => {
  render(line(false, true));
  await userEvent.click(screen.getByText("Correct…"));
  await userEvent.selectOptions(screen.getByLabelText("Status"), "Not found");
  await userEvent.type(screen.getByLabelText("First name"), "Ann");
  await userEvent.click(screen.getByRole("button", { name: "Correct line" }));
  await waitFor(() => expect(replace).toHaveBeenCalledOnce());
  expect(replace.mock.calls[0]?.[0]).toBe("/riverside/campaign/clean-water/signatures/register?sheet=12&line=2");
  await screen.findByRole("button", { name: "Correct line" }); // no longer “Saving…”
  await userEvent.click(screen.getByText("Move…"));
  await userEvent.click(screen.getByRole("button", { name: "Move line" }));
  await screen.findByText("The line is already there. Enter another sheet or line.");
  await userEvent.clear(screen.getByLabelText("Line"));
  await userEvent.type(screen.getByLabelText("Line"), "5");
  const state = { ...stateOf([], { sheet: { ...sheetOf([]), signatureCount: 4 } }), here: [] };
  vi.stubGlobal("fetch", async () => Response.json(state));
  await userEvent.click(screen.getByRole("button", { name: "Move line" }));
  await screen.findByText("Sheet 12 has 4 lines. Press “Move line” again to use line 5.");
  expect(sent).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Move line" }));
  await screen.findByText("Moved to sheet 12, line 5.");
  expect(document.querySelector("details[open]")).toBeNull();
  await userEvent.click(screen.getByText("Move…"));
  const [[, correction] = [], moved] = sent;
  expect(correction).toMatchObject({ id: "1", verdict: "not-found", lastName: "Lee", firstName: "Ann", reason: "" });
  expect(moved).toEqual(["move", { ...place, id: "1", sheet: "12", line: "5", reason: "" }]);
  // What was done isn't next to the error of the next change.
  failing = true;
  vi.unstubAllGlobals();
  await userEvent.click(screen.getByRole("button", { name: "Move line" }));
  await screen.findByText("Line 5 isn't empty.");
  expect(screen.queryByText("Moved to sheet 12, line 5.")).toBeNull();
});

it("asks before a line starts a sheet", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ ...stateOf([]), sheet: null, here: [] }));
  render(line(false, true));
  await userEvent.click(screen.getByText("Move…"));
  await userEvent.clear(screen.getByLabelText("To sheet"));
  await userEvent.type(screen.getByLabelText("To sheet"), "5000");
  await userEvent.click(screen.getByRole("button", { name: "Move line" }));
  await screen.findByText("There is no sheet 5000. Press “Move line” again to start it.");
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Move line" }));
  await waitFor(() => expect(sent).toMatchObject([["move", { sheet: "5000", line: "4" }]]));
});

it("fills in the second entry of the quality check if that one is right", async () => {
  const second = {
    verdict: "not-found" as const,
    firstName: "Ana",
    lastName: "Leigh",
    address: "14",
    voterId: null,
    note: null,
  };
  render(line(false, false, second));
  await userEvent.click(screen.getByText("Correct…"));
  await userEvent.click(screen.getByRole("button", { name: "Correct line" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const filledIn = { verdict: "not-found", lastName: "Leigh", firstName: "Ana", address: "14", voterId: "", city: "" };
  expect(sent[0]?.[1]).toMatchObject({ ...filledIn, reason: "Quality check: the second entry is right" });
});

it("has the fields of a correction in the order of the paper, with the voter ID after the address", () => {
  render(line(false));
  const fields = [...document.querySelectorAll<HTMLInputElement>("[data-change=correct] input[maxlength]")];
  const names = fields.map(({ name }) => name).filter(Boolean);
  expect(names.slice(0, 4)).toEqual(["lastName", "firstName", "address", "voterId"]);
});

it("asks for a missing reason at its field, and keeps an unsaved correction open", async () => {
  render(line(false));
  await userEvent.click(screen.getByText("Correct…"));
  await userEvent.type(screen.getByLabelText("First name"), "Ann");
  await userEvent.click(screen.getByText("Remove…"));
  await userEvent.click(screen.getByRole("button", { name: "Remove line" }));
  await screen.findByText("Reason is required: someone else entered this line.");
  expect(document.activeElement).toBe(screen.getAllByLabelText("Reason (required)").at(-1));
  expect(sent).toEqual([]);
  const correction = screen.getByLabelText<HTMLInputElement>("First name");
  expect([correction.value, correction.closest("details")?.open]).toEqual(["Ann", true]);
});

it("opens a change by its key, in its first field, and a correction by the address", async () => {
  location.hash = "correct";
  render(line(false));
  expect(document.activeElement).toBe(screen.getByLabelText("Find the voter"));
  location.hash = "";
  cleanup();
  render(<ScreenKeysProvider>{line(false)}</ScreenKeysProvider>);
  await userEvent.keyboard("m");
  expect(document.activeElement).toBe(screen.getByLabelText("To sheet"));
  await userEvent.keyboard("r");
  expect(document.activeElement).toBe(screen.getByLabelText("To sheet"));
  act(() => screen.getByLabelText("To sheet").blur());
  await userEvent.keyboard("r");
  expect(document.activeElement).toBe(screen.getAllByLabelText("Reason (required)").at(-1));
  await userEvent.keyboard("{Escape}");
  expect([document.activeElement?.textContent, screen.getByText("Remove…").closest("details")?.open]).toEqual([
    "Remove…",
    false,
  ]);
  cleanup();
  render(line(false));
  await userEvent.click(screen.getByText("Remove…"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByLabelText("Reason (required)").at(-1)));
});

it("finds the voter for a correction by keyboard, and fills in what the line stores of them", async () => {
  const ann = { voterId: "WA-7", lastName: "Lee", firstName: "Ann", houseNumber: "12", street: "Oak St", city: "Kent" };
  const persons = [{ ...ann, voterId: "WA-6", firstName: "Al" }, ann].map((_source) => ({ _source }));
  const signed = { exists: { "WA-7": true }, signed: { "WA-7": { sheet: 3, line: 9 } } };
  vi.stubGlobal("fetch", async (path: string) =>
    path === "/api/essearch" ? Response.json({ persons, hitsCount: 2, totalHits: 2 }) : Response.json(signed),
  );
  render(line(false, true));
  await userEvent.click(screen.getByText("Correct…"));
  await userEvent.type(screen.getByLabelText("Find the voter"), "lee");
  await waitFor(() => expect(within(screen.getByLabelText("Voters found")).getAllByRole("option")).toHaveLength(2));
  expect(await screen.findByText(/already signed/)).toBeTruthy();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(sent).toEqual([]);
  await screen.findByText("Filled in Lee, Ann. Check the status, then correct the line.");
  await userEvent.click(screen.getByRole("button", { name: "Correct line" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const stored = { voterId: "WA-7", lastName: "Lee", firstName: "Ann", address: "12 Oak St", city: "Kent", county: "" };
  expect(sent[0]?.[1]).toMatchObject({ ...stored, verdict: "illegible" });
});

it.each([
  ["refuses an unknown ID", "WA-8", ["Voter ID isn't in the voter file."], []],
  [
    "asks about another voter's ID, and uses their name and address",
    "WA-7",
    ["WA-7 is Lee, Ann, 12 Oak St, Kent. Press “Correct line” again to use this name and address."],
    [{ voterId: "WA-7", lastName: "Lee", firstName: "Ann", address: "12 Oak St", city: "Kent" }],
  ],
])("%s when a line is corrected to valid", async (_, voterId, [problem = ""], stored) => {
  const address = { houseNumber: "12", street: "Oak St", city: "Kent" };
  const persons = [{ _source: { voterId: "WA-7", lastName: "Lee", firstName: "Ann", ...address } }];
  vi.stubGlobal("fetch", async () => Response.json({ persons, hitsCount: 1, totalHits: 1 }));
  render(line(false, true));
  await userEvent.click(screen.getByText("Correct…"));
  await userEvent.selectOptions(screen.getByLabelText("Status"), "Valid");
  await userEvent.type(screen.getByLabelText("Voter ID"), voterId);
  await userEvent.click(screen.getByRole("button", { name: "Correct line" }));
  await screen.findByText(problem);
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Correct line" }));
  await waitFor(() => expect(sent.map(([, fields]) => fields)).toMatchObject(stored));
});
