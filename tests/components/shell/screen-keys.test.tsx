import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ScreenKeysProvider, useScreenKeys } from "@/components/shell/screen-keys";

const [voters, find] = [vi.fn(), vi.fn()];
const keys = [
  { key: "g v", does: "Go to Voters", run: voters },
  { key: "v", does: "Find", run: find },
];
function Screen() {
  useScreenKeys(keys);
  return <input aria-label="Name" />;
}

it("runs a shortcut of two keys, and each key alone otherwise, but none while someone types", async () => {
  render(
    <ScreenKeysProvider>
      <Screen />
    </ScreenKeysProvider>,
  );
  const calls = () => [voters.mock.calls.length, find.mock.calls.length];
  await userEvent.keyboard("gv");
  expect(calls()).toEqual([1, 0]);
  await userEvent.keyboard("v");
  expect(calls()).toEqual([1, 1]);
  await userEvent.keyboard("xv");
  expect(calls()).toEqual([1, 2]);
  await userEvent.keyboard("{Escape}gv");
  expect(calls()).toEqual([2, 2]);
  await userEvent.type(screen.getByLabelText("Name"), "gv");
  expect(calls()).toEqual([2, 2]);
});

it("lists the shortcuts on Ctrl+/ while someone types, where ? is text", async () => {
  render(
    <ScreenKeysProvider>
      <Screen />
    </ScreenKeysProvider>,
  );
  await userEvent.type(screen.getByLabelText("Name"), "?");
  expect([screen.getByLabelText("Name")]).toHaveProperty("0.value", "?");
  expect(screen.queryByText("Find")).toBeNull();
  await userEvent.keyboard("{Control>}/{/Control}");
  await screen.findByText("Find");
});
