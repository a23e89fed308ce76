import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CampaignSettingsForm } from "@/components/campaigns/campaign-settings-form";
import { noOfficialCheck } from "../../support/no-official-check.ts";

const router = { push: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-25T12:00:00Z"), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const save = vi.fn().mockResolvedValue({ message: "Campaign saved.", error: null });
beforeEach(() => void save.mockClear());

const settings = {
  name: "Lakes",
  signatureGoal: 10_000,
  startsOn: "2026-09-01",
  endsOn: "2026-12-31",
  linesPerSheet: 20,
  searchProfile: null,
  districts: null,
  archived: false,
  ...noOfficialCheck,
};
function show(changed: Partial<typeof settings> = {}) {
  const place = { team: "north", campaign: "lakes" };
  const form = (changes: Partial<typeof settings>) => (
    <CampaignSettingsForm
      place={place}
      settings={{ ...settings, ...changes }}
      profiles={[]}
      areas={{ counties: ["King", "Pierce"], districts: ["11", "33"] }}
      save={save}
    />
  );
  const { rerender } = render(form(changed));
  return (changes: Partial<typeof settings>) => rerender(form(changes));
}
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("says at the goal that it is lower than what the official check needs, and raises it", () => {
  show();
  expect(screen.getByLabelText<HTMLInputElement>("Goal").value).toBe("10,000");
  type("Required valid signatures", "9,500");
  expect(screen.getByText("The goal of 10,000 is enough.")).toBeDefined();
  type("Safety margin (%)", "-50");
  expect(screen.queryByText(/^The goal of/)).toBeNull();
  type("Safety margin (%)", "10%");
  expect(screen.getByText("Lower than the 10,450 that the official check needs.")).toBeDefined();
  expect(screen.getByText("The goal of 10,000 is too low.")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Set the goal to 10,450" }));
  expect(screen.getByLabelText<HTMLInputElement>("Goal").value).toBe("10,450");
  expect(screen.queryByText(/^Lower than/)).toBeNull();
});

test("a preset fills the fields of the check, and none empties them", () => {
  show();
  const shown = () =>
    ["How the office checks", "State rules"].map((label) => screen.getByLabelText<HTMLSelectElement>(label).value);
  type("State rules", "california");
  expect(shown()).toEqual(["sample", "california"]);
  type("State rules", "");
  expect(shown()).toEqual(["", ""]);
  expect(screen.queryByLabelText("Sample size (%)")).toBeNull();
});

test("marks the county targets that can't be read", () => {
  show();
  const box = () => screen.getByLabelText("Counties").getAttribute("aria-invalid");
  expect(box()).toBe("false");
  type("Counties", "King twelve");
  expect(box()).toBe("true");
  expect(screen.getAllByText(/King twelve/).map(({ textContent }) => textContent)).toEqual([
    "King twelve", // the field
    "Line 1: “King twelve” needs a county and a number, such as King, 12,000.",
  ]);
  expect(screen.queryByText(/Fix /)).toBeNull();
});

test("warns of county targets that no line and no voter names, with the nearest name", () => {
  show();
  type("Counties", "king, 100\nPeirce, 200\nLewis, 9800\nPierce County, 400");
  expect(
    screen.getByText("Line 2: “Peirce” isn't a county in the voter file. Check its name. Did you mean Pierce?"),
  ).toBeDefined();
  expect(screen.getByText("Line 3: “Lewis” isn't a county in the voter file. Check its name.")).toBeDefined();
  expect(screen.queryByText(/“(king|Pierce).* isn't a county/)).toBeNull();
  expect(screen.getByText("The targets add up to 10,500, more than the goal of 10,000.")).toBeDefined();
  type("Counties", "Lewis, 9800\nKing, many");
  expect(screen.getAllByText(/^Line \d/).map(({ textContent }) => textContent)).toEqual([
    "Line 1: “Lewis” isn't a county in the voter file. Check its name.",
    "Line 2: “many” isn't a whole number from 1 to 100,000,000.",
  ]);
  type("Counties", "Pierce, 200");
  expect(screen.queryByText(/isn't a county/)).toBeNull();
});

test("saves counties as the voter file spells them, and changes neither text nor notes on leaving the field", async () => {
  show();
  const text = "County\tTarget\nking county\t1200\nPIERCE 400\nLewis, 5\nTotal\t1605";
  type("Counties", text);
  fireEvent.blur(screen.getByLabelText("Counties"));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Counties").value).toBe(text);
  screen.getByText("Line 5: Skipped the Total line.");
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(save.mock.calls[0]?.[1].get("countyTargets")).toBe("King, 1,200\nPierce, 400\nLewis, 5");
});

test("says which districts have no voters", () => {
  show();
  type("Districts", "33, abc; 11,");
  const texts = screen.getAllByText(/isn't a district/).map(({ textContent }) => textContent);
  expect(texts).toEqual(["“abc” isn't a district in the voter file. Check its number."]);
});

test("says at the last day that it is before the first one, or has passed", () => {
  show();
  type("Last day", "2026-08-31");
  expect(screen.getByText("Last day must be on or after the first day, Sep 1, 2026.")).toBeDefined();
  type("Last day", "2026-11-24");
  expect(screen.getByText("This day has passed, so the campaign has ended.")).toBeDefined();
  type("Last day", "2026-12-24");
  expect(screen.queryByText(/before the first day|has passed/)).toBeNull();
});

test.each([
  ["Goal", "the goal"],
  ["Last day", "the last day"],
])("removes %s only once confirmed", async (label, removed) => {
  show();
  type(label, "");
  const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
  await press("Save");
  await screen.findByRole("heading", { name: `Remove ${removed}?` });
  await press("Keep editing");
  expect(save).not.toHaveBeenCalled();
  await press("Save");
  await press(`Save without ${removed}`);
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
});

test("a last day that has passed ends the campaign only once confirmed", async () => {
  show();
  type("Last day", "2026-11-24");
  const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
  await press("Save");
  await screen.findByRole("heading", { name: "End Lakes?" });
  screen.getByText(/^This ends Lakes: its last day, Nov 24, 2026, has passed\./);
  await press("Keep editing");
  expect(save).not.toHaveBeenCalled();
  await press("Save");
  await press("End campaign");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
});

test("a number that can't be read has no hints, and is refused before ending the campaign is asked", async () => {
  show();
  type("Counties", "King, 11,500");
  screen.getByText(/^The targets add up to 11,500/);
  type("Goal", "32.500");
  expect(screen.queryByText(/^The targets add up/)).toBeNull();
  type("Last day", "2026-11-24");
  fireEvent.click(await screen.findByRole("button", { name: "Save" }));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(screen.queryByRole("heading", { name: "End Lakes?" })).toBeNull();
});

test("the settings of an archived campaign can only be read", () => {
  show({ archived: true });
  const fields = [...screen.getAllByRole("textbox"), ...screen.getAllByRole("combobox")];
  expect(fields.filter((field) => !field.matches(":disabled"))).toEqual([]);
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Lakes");
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});

test("takes what someone else saved where nothing was changed here, and marks a field that both changed", async () => {
  const update = show();
  type("Goal", "12,000");
  type("Last day", "2026-12-24");
  type("Counties", "King, 500");
  update({ signatureGoal: 11_000, endsOn: "2026-12-30", linesPerSheet: 25 });
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect(["Goal", "Lines per sheet", "Counties"].map(value)).toEqual(["12,000", "25", "King, 500"]);
  expect(screen.getByText("Goal was changed to 11,000 by someone else.")).toBeDefined();
  expect(screen.getByText("Last day was changed to Dec 30, 2026 by someone else.")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(JSON.parse(save.mock.calls[0]?.[1].get("before"))).toMatchObject({ signatureGoal: 11_000, linesPerSheet: 25 });
  await waitFor(() => expect(screen.queryByText(/by someone else/)).toBeNull());
});
