import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { PageBar } from "@/components/shell/page-bar";

const page = vi.hoisted(() => ({ path: "/a" }));
vi.mock("next/navigation", () => ({ usePathname: () => page.path }));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  ["/a/campaign/b/signatures", /^No connection\. Your lines are saved on this device\./],
  ["/a/campaign/b/signatures/register", /^No connection\. What you see may be out of date\./],
])("says on %s that there is no connection, and keeps links from leaving", (path, text) => {
  page.path = path;
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  render(
    <>
      <PageBar title="Register" />
      <a href="/b">Leave</a>
      <a href="#c">Skip</a>
    </>,
  );
  const follows = (name: string) => fireEvent.click(screen.getByRole("link", { name }));
  expect([screen.getByRole("status").textContent, follows("Leave")]).toEqual(["", true]);
  online.mockReturnValue(false);
  fireEvent(window, new Event("offline"));
  expect(screen.getByRole("status").textContent).toMatch(text);
  expect(screen.getByRole("status").closest(".sticky.top-0")).toBeTruthy(); // also on a scrolled page
  expect([follows("Leave"), follows("Skip")]).toEqual([false, true]);
  online.mockReturnValue(true);
  fireEvent(window, new Event("online"));
  expect(screen.getByRole("status").textContent).toBe("");
});
