import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { Switcher } from "@/components/shell/navigation/switcher";
import { Dialog } from "@/components/ui/dialog";
import { lazyLoad } from "@/components/ui/lazy-load";
import { Menu } from "@/components/ui/menu";

const focused = () => document.activeElement;

function Opener({ name, children }: { name: string; children?: React.ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open {name}
      </button>
      {open && (
        <Dialog title={name} onClose={() => setOpen(false)}>
          <input aria-label={`Field of ${name}`} data-first />
          {children}
        </Dialog>
      )}
    </>
  );
}

test("focuses a dialog's first field, and returns focus to its opener on Esc and Close", async () => {
  render(<Opener name="Sheet" />);
  const button = screen.getByRole("button", { name: "Open Sheet" });
  await userEvent.click(button);
  const dialog = await screen.findByRole("dialog", { name: "Sheet" });
  expect(focused()).toBe(screen.getByLabelText("Field of Sheet"));
  await userEvent.keyboard("{Escape}");
  expect(dialog.isConnected).toBe(false);
  expect(focused()).toBe(button);
  await userEvent.keyboard("{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(focused()).toBe(button);
});

test("closes only the upper dialog on Esc, nested or not", async () => {
  render(
    <>
      <Opener name="Lower">
        <Opener name="Inner" />
      </Opener>
      <Opener name="Upper" />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Open Lower" }));
  await userEvent.click(await screen.findByRole("button", { name: "Open Inner" }));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Inner" })).toBe(null);
  await userEvent.click(screen.getByRole("button", { name: "Open Upper", hidden: true }));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Upper", hidden: true })).toBe(null);
  screen.getByRole("dialog", { name: "Lower", hidden: true });
});

test("opens a menu by keyboard, with arrows, letters and Enter, and closes it again", async () => {
  const onPick = vi.fn();
  render(
    <Menu
      aria-label="More"
      entries={[
        { label: "Edit", href: "/edit" },
        { label: "Move", disabled: true, onPick },
        { label: "Delete", onPick },
      ]}
    >
      …
    </Menu>,
  );
  const button = screen.getByRole("button", { name: "More" });
  button.focus();
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("menu", { name: "More" });
  await waitFor(() => expect(focused()).toBe(screen.getByRole("menuitem", { name: "Edit" })));
  await userEvent.keyboard("d");
  expect(focused()).toBe(screen.getByRole("menuitem", { name: "Delete" }));
  await userEvent.keyboard("{Enter}");
  expect(onPick).toHaveBeenCalledOnce();
  expect(screen.queryByRole("menu")).toBe(null);
  expect(focused()).toBe(button);
  await userEvent.click(button);
  await screen.findByRole("menu");
  await userEvent.click(button);
  expect(screen.queryByRole("menu")).toBe(null);
});

test("filters a switcher by typed text, and marks the first match", async () => {
  render(
    <Switcher
      what="team"
      current="a"
      label="Alpha"
      options={[
        { id: "a", label: "Alpha", href: "/a" },
        { id: "b", label: "Beta", href: "/b", note: "archived" },
      ]}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: /^Switch team, current:/ }));
  const field = await screen.findByRole("combobox", { name: "Find a team" });
  expect(screen.getAllByRole("option")).toHaveLength(2);
  await userEvent.type(field, "bet");
  const [option] = screen.getAllByRole<HTMLAnchorElement>("option");
  expect([option?.textContent, option?.pathname]).toEqual(["Betaarchived", "/b"]);
  expect(field.getAttribute("aria-activedescendant")).toBe(option?.id);
  await userEvent.type(field, "x");
  screen.getByText("No team matches “betx.”");
  await userEvent.keyboard("{Escape}");
  expect(focused()).toBe(screen.getByRole("button", { name: /^Switch team, current:/ }));
});

test("loads a component again after a failure", async () => {
  vi.useFakeTimers();
  const load = vi.fn(async () => () => <p>Here</p>);
  load.mockRejectedValueOnce(new Error("offline"));
  const Later = lazyLoad(load);
  render(<Later />);
  await vi.advanceTimersByTimeAsync(1_900);
  expect([load.mock.calls.length, screen.queryByText("Here")]).toEqual([1, null]);
  await act(() => vi.advanceTimersByTimeAsync(200));
  screen.getByText("Here");
});

test("has the code of menus and switchers early, so that they open without a connection", async () => {
  vi.useRealTimers();
  vi.resetModules();
  const requestIdleCallback = vi.fn();
  vi.stubGlobal("requestIdleCallback", requestIdleCallback);
  await import("@/components/ui/menu");
  expect(requestIdleCallback).toHaveBeenCalledTimes(1);
  await import("@/components/shell/navigation/switcher");
  expect(requestIdleCallback).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
  const load = vi.fn(async () => () => <p>Here</p>);
  lazyLoad(load, { whenIdle: true });
  window.dispatchEvent(new Event("load")); // Safari doesn't know when it is idle
  expect(load).toHaveBeenCalledOnce();
});
