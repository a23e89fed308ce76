import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { Differences } from "@/components/signatures/quality/differences";
import type { FormSubmit } from "@/lib/forms/form-state";

afterEach(cleanup);

const [ada, bea, max, kim] = [1, 2, 3, 4].map((number) => `6f2f2a1e-0d55-4a3b-9d3c-1c7a0a5b000${number}`) as [
  string,
  string,
  string,
  string,
];
const entry = (id: string, name: string, note: string | null = null) => ({
  verdict: note === null ? ("illegible" as const) : ("other" as const),
  voterId: null,
  firstName: null,
  lastName: null,
  address: null,
  note,
  by: { id, name },
});
const difference = (line: number, right: "second" | "neither" | null = null) => ({
  id: `line-${line}`,
  sheet: 12,
  line,
  right,
  first: entry(ada, "Ada"),
  second: entry(bea, "Bea"),
});
const place = { team: "riverside", campaign: "clean-water" };

function show(userId: string, lines: number[], unsettled = lines.length) {
  const sent: object[] = [];
  const settle: FormSubmit = async (_state, form) => {
    sent.push(Object.fromEntries(form));
    return { message: "", error: null };
  };
  const page = (shown: ReturnType<typeof difference>[]) => (
    <ScreenKeysProvider>
      <Differences
        place={place}
        userId={userId}
        differences={shown}
        unsettled={unsettled}
        settlers={[
          { userId: bea, name: "Bea" },
          { userId: kim, name: "Kim" },
        ]}
        settle={settle}
      />
    </ScreenKeysProvider>
  );
  const { rerender } = render(page(lines.map((line) => difference(line))));
  return { sent, become: (shown: ReturnType<typeof difference>[]) => rerender(page(shown)) };
}

it.each([
  ["a supervisor", max, 3, null],
  ["the person who entered the line first", ada, 0, "You entered this line. Ask Kim to settle it."],
])("offers to settle a difference: %s", (_, userId, buttons, text) => {
  show(userId, [4]);
  expect(screen.queryAllByRole("button", { name: /is right$/ })).toHaveLength(buttons);
  expect(screen.queryByText(/^You entered/)?.textContent ?? null).toBe(text);
  expect(screen.queryByText(/1 difference is waiting for Bea or Kim/) !== null).toBe(text !== null);
});

it("lists a difference in one's own entry after the others", () => {
  const own = { ...difference(4), first: entry(max, "Max") };
  show(max, []).become([own, difference(5)]);
  expect(screen.getAllByRole("listitem").map((item) => item.ariaLabel)).toEqual([
    "Sheet 12, line 5",
    "Sheet 12, line 4",
  ]);
});

it("says who settles differences in one's own second entries, which aren't listed", () => {
  show(bea, [], 2);
  expect(screen.getByText(/^2 differences are waiting for Bea or Kim, because you entered the lines\./)).toBeTruthy();
});

it("shows the reason that each entry has", () => {
  show(max, []).become([{ ...difference(4), first: entry(ada, "Ada", "Torn") }]);
  expect(screen.getByText(/\(Torn\)$/)).toBeTruthy();
});

it("settles by keyboard, goes on to the next difference, and takes the last decision back", async () => {
  const { sent, become } = show(max, [4, 5, 6]);
  const current = () => document.querySelector("[aria-current]")?.ariaLabel;
  const settled = (line: number, right: string, was = "") => ({ ...place, id: `line-${line}`, right, was });
  expect(current()).toBe("Sheet 12, line 4");
  await userEvent.keyboard("n");
  expect([current(), document.activeElement?.textContent]).toEqual(["Sheet 12, line 5", "Sheet 12, line 5"]);
  await userEvent.keyboard("1");
  await screen.findByText("Sheet 12, line 5: the first entry is right.");
  become([difference(4), difference(6)]);
  expect(current()).toBe("Sheet 12, line 6");
  await userEvent.keyboard("u");
  await waitFor(() => expect(screen.queryByText(/the first entry is right\.$/)).toBeNull());
  become([difference(4), difference(5), difference(6)]);
  expect([current(), document.activeElement?.textContent]).toEqual(["Sheet 12, line 5", "Sheet 12, line 5"]);
  await userEvent.keyboard("2");
  await screen.findByText("Sheet 12, line 5: the second entry is right.");
  become([difference(4), difference(5, "second"), difference(6)]);
  const decided = within(screen.getByRole("listitem", { name: "Sheet 12, line 5" }));
  await userEvent.click(decided.getByRole("button", { name: "Change decision" }));
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(sent).toEqual([settled(5, "first"), settled(5, "", "first"), settled(5, "second"), settled(5, "", "second")]);
});

it("settles by key that neither entry is right, links to the line, and asks to correct it", async () => {
  const { sent, become } = show(max, [4]);
  await userEvent.keyboard("3");
  await screen.findByText("Sheet 12, line 4: neither entry is right.");
  expect(sent).toEqual([{ ...place, id: "line-4", right: "neither", was: "" }]);
  become([difference(4, "neither")]);
  expect(screen.getByRole("link", { name: "Correct line" }).getAttribute("href")).toBe(
    "/riverside/campaign/clean-water/signatures/register?sheet=12&sort=sheet&line=line-4#correct",
  );
  expect(screen.getByText("Neither entry is right. Correct the line to match the paper.")).toBeTruthy();
});
