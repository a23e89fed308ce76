import { render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { PermissionsWatch } from "@/components/permissions/permissions-watch";
import { onSessionEnded } from "@/lib/forms/session-ended";
import { reportRefusedRequest } from "@/lib/permissions/access-changed";

const refresh = vi.fn();
const router = { refresh };
vi.mock("next/navigation", () => ({ useRouter: () => router }));
const request = vi.hoisted(() => vi.fn());
vi.mock("@/lib/http/call-api", () => ({ callApi: request }));
afterEach(() => {
  vi.resetAllMocks();
});

test.each<[what: string, answer: object, refreshed: number, signInOffered: number]>([
  ["rendered again when permissions have changed", { body: { fingerprint: "g" } }, 1, 0],
  ["rendered again when a newer Signet returns another shape", { error: "Unread.", status: 200 }, 1, 0],
  ["kept when the permissions are the same", { body: { fingerprint: "f" } }, 0, 0],
  ["kept when Signet is unreachable", { error: "Unreachable.", status: 503 }, 0, 0],
  ["kept when there is no connection", { error: "Unreached.", status: null }, 0, 0],
  ["kept, with an offer to sign in, when the session has ended", { error: "Ended.", status: 401 }, 0, 1],
])("a page that Back has restored is %s", async (rendering, answer, refreshed, signInOffered) => {
  const answered = Promise.resolve(answer);
  request.mockReturnValue(answered);
  const offer = vi.fn();
  const end = onSessionEnded(offer);
  const page = <PermissionsWatch rendering={rendering} fingerprint="f" query="team=north" />;
  render(page).unmount();
  expect(request).not.toHaveBeenCalled();
  render(page);
  expect(request.mock.calls).toEqual([
    ["/api/permissions/fingerprint", expect.objectContaining({ query: "team=north" })],
  ]);
  await answered;
  end();
  expect([refresh.mock.calls.length, offer.mock.calls.length]).toEqual([refreshed, signInOffered]);
});

test("a refused request renders the page again at once if its permissions have changed", async () => {
  const answered = Promise.resolve({ body: { fingerprint: "g" } });
  request.mockReturnValue(answered);
  vi.useFakeTimers({ toFake: ["Date"] });
  render(<PermissionsWatch rendering="refused" fingerprint="f" query="team=north" />);
  vi.setSystemTime(Date.now() + 6_000);
  reportRefusedRequest();
  await answered;
  vi.useRealTimers();
  expect(refresh).toHaveBeenCalledTimes(1);
});
