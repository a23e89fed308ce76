import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { PermissionsWatch } from "@/components/permissions/permissions-watch";
import { onSessionEnded } from "@/lib/forms/session-ended";

const router = { refresh: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));
const fetched = vi.fn<typeof fetch>();

// Loaded with the first answer, which is waited for by the clock.
beforeAll(() => Promise.all([import("@/lib/http/error-body"), import("@/lib/permissions/answers")]));
beforeEach(() => vi.stubGlobal("fetch", fetched));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

let renderings = 0;
/** A page that Back has brought back, which is checked at once. */
async function bringBack() {
  renderings += 1;
  const page = <PermissionsWatch rendering={`r${renderings}`} fingerprint="f" query="team=north" />;
  render(page).unmount();
  expect(fetched).not.toHaveBeenCalled();
  render(page);
  expect(fetched).toHaveBeenCalledOnce();
  await new Promise((later) => setTimeout(later, 200));
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/permissions/fingerprint?team=north");
}

test.each([
  ["permissions have changed", () => Response.json({ fingerprint: "g" })],
  ["a newer Signet answers otherwise", () => Response.json({ prints: [] })],
])("the page is made again when %s", async (_case, respond) => {
  fetched.mockImplementation(async () => respond());
  await bringBack();
  expect(router.refresh).toHaveBeenCalledOnce();
});

test.each([
  ["the permissions are the same", async () => Response.json({ fingerprint: "f" })],
  ["Signet is away", async () => Response.json({ error: "Away." }, { status: 503 })],
  ["there is no connection", () => Promise.reject(new TypeError("Failed to fetch"))],
])("the page stays when %s", async (_case, respond) => {
  fetched.mockImplementation(respond);
  await bringBack();
  expect(router.refresh).not.toHaveBeenCalled();
});

test("the page stays, and signing in is offered, when the session has ended", async () => {
  fetched.mockImplementation(async () => Response.json({ error: "Your session has ended." }, { status: 401 }));
  const offered = vi.fn();
  const end = onSessionEnded(offered);
  await bringBack();
  end();
  expect(offered).toHaveBeenCalledOnce();
  expect(router.refresh).not.toHaveBeenCalled();
});
