import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LiveForm } from "@/components/forms/live-form";

const [push, replace] = vi.hoisted(() => [vi.fn(), vi.fn()]);
vi.mock("next/navigation", () => ({ useRouter: () => ({ push, replace }) }));

beforeEach(() => {
  vi.useFakeTimers();
  replace.mockReset();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const form = (query: string) => (
  <LiveForm path="/lines" query={query} className="">
    <input name="name" aria-label="Name" defaultValue="" />
    <input name="sheet" aria-label="Sheet" defaultValue="" pattern="[0-9]+" />
    <select name="status" aria-label="Status" defaultValue="">
      <option value="">All</option>
      <option>valid</option>
    </select>
  </LiveForm>
);
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const wait = () => act(() => vi.advanceTimersByTime(300));

it("applies what is typed once, without empty or invalid fields", () => {
  render(form(""));
  type("Name", "sm");
  type("Name", " smi ");
  expect(replace).not.toHaveBeenCalled();
  wait();
  type("Sheet", "x");
  wait();
  expect(replace.mock.calls).toEqual([["/lines?name=smi", { scroll: false }]]);
  type("Sheet", "");
  type("Name", "");
  wait();
  expect(replace).toHaveBeenLastCalledWith("/lines", { scroll: false });
});

it("adds a choice from a list to the history, and replaces what is typed", () => {
  const { rerender } = render(form(""));
  type("Name", "smi");
  fireEvent.change(screen.getByLabelText("Status"), { target: { value: "valid" } });
  wait();
  rerender(form("?name=smi&status=valid"));
  type("Name", "smit");
  wait();
  expect(push.mock.calls).toEqual([["/lines?name=smi&status=valid", { scroll: false }]]);
  expect(replace.mock.calls).toEqual([["/lines?name=smit&status=valid", { scroll: false }]]);
});

it("follows the address, but never overwrites what is being typed", () => {
  const { rerender } = render(form("?name=smi&sheet=12"));
  expect([field("Name").value, field("Sheet").value]).toEqual(["smi", "12"]);
  rerender(form("?name=smi"));
  expect(field("Sheet").value).toBe("");
  type("Name", "smit");
  wait();
  type("Name", "smith");
  rerender(form("?name=smit"));
  expect(field("Name").value).toBe("smith");
  wait();
  rerender(form("?name=smith"));
  rerender(form(""));
  expect(field("Name").value).toBe("");
});

it("waits for the connection, and then applies what was typed", () => {
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  render(form(""));
  type("Name", "smi");
  wait();
  expect(replace).not.toHaveBeenCalled();
  isOnline.mockRestore();
  fireEvent(window, new Event("online"));
  expect(replace.mock.calls).toEqual([["/lines?name=smi", { scroll: false }]]);
});
