import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { RefreshPermissions } from "@/components/permissions/refresh-permissions";
import { FormatProvider } from "@/components/shell/format-provider";
import { permissionMessages } from "@/lib/permissions/messages";

const refresh = vi.fn();
const router = { refresh };
vi.mock("next/navigation", () => ({ useRouter: () => router, usePathname: () => "/riverside" }));
vi.mock("@/components/permissions/request-access", () => ({ requestAccess: vi.fn() }));
const request = vi.hoisted(() => vi.fn());
vi.mock("@/lib/http/call-api", () => ({ callApi: request }));
afterEach(() => {
  vi.resetAllMocks();
});

const changedText = "Your permissions have changed, but you don't have access to this yet.";
const before = { changedText, fingerprint: "old", checkedAt: "2026-11-20T12:04:31.000Z" };
const after = { ...before, checkedAt: "2026-11-20T12:04:35.000Z" };
const done = { body: new Blob() };

/** Renders the button; refreshing the router brings `next` from the server. */
function show(next: typeof before = after) {
  const view = render(<RefreshPermissions {...before} />);
  refresh.mockImplementation(() => view.rerender(<RefreshPermissions {...next} />));
}
const press = () => userEvent.click(screen.getByRole("button", { name: "Check again" }));
const status = () => screen.getByRole("status").textContent;
const alert = () => screen.getByRole("alert").textContent;

test("shows the times of the check and of the request in the team's time zone, the request first", async () => {
  const request = {
    campaign_id: null,
    unknown_campaign_id: null,
    key: "charts.view",
    page: null,
    asked_at: "2026-11-20T12:00:00Z",
    closed_at: null,
    granted: false,
    answer: null,
  };
  const accessRequest = { place: { team: "riverside" }, permissionKey: "charts.view", request };
  render(
    <FormatProvider region={{ locale: "en-US", timeZone: "America/Los_Angeles" }}>
      <RefreshPermissions {...before} accessRequest={accessRequest} />
    </FormatProvider>,
  );
  await screen.findByText(/^You requested access on Nov 20, 2026, 4:00 AM\. /);
  const texts = screen.getAllByRole("status").map(({ textContent }) => textContent);
  expect(texts).toEqual([expect.stringMatching(/^You requested access/), "Checked at 4:04 AM. "]);
});

test.each([
  ["says that nothing has changed when the permissions are the same", after, "Nothing has changed."],
  ["says that permissions have changed when they have", { ...after, fingerprint: "new" }, changedText],
])("%s", async (_, next, text) => {
  request.mockResolvedValue(done);
  show(next);
  await press();
  await waitFor(() => expect(status()).toBe(`Checked at 12:04 PM. ${text}`));
  expect(screen.getByRole("status").querySelector("time")?.dateTime).toBe(after.checkedAt);
  expect(request.mock.calls.map(([path]) => path)).toEqual(["/api/permissions/revalidate"]);
  const unreachableMessage = "Couldn't check your access. Check your connection and try again.";
  expect(request).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ unreachableMessage }));
  expect(refresh).toHaveBeenCalledOnce();
  expect(alert()).toBe("");
});

test("shows a failure and keeps the page until the next attempt works", async () => {
  request.mockResolvedValueOnce({ error: permissionMessages.notRefreshed, status: 503 });
  show();
  await press();
  await waitFor(() => expect(alert()).toBe(permissionMessages.notRefreshed));
  expect(refresh).not.toHaveBeenCalled();
  expect(status()).toBe("Checked at 12:04 PM. ");
  request.mockResolvedValueOnce(done);
  await press();
  await waitFor(() => expect(status()).toContain("Nothing has changed."));
  expect(alert()).toBe("");
});

test("sends one request while it waits", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof done>();
  request.mockReturnValue(promise);
  show();
  await press();
  await waitFor(() => expect(status()).toBe("Checking…"));
  await press();
  resolve(done);
  await waitFor(() => expect(status()).toContain("Nothing has changed."));
  expect(request).toHaveBeenCalledOnce();
});
