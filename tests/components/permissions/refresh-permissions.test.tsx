import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { renderToString } from "react-dom/server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RefreshPermissions } from "@/components/permissions/refresh-permissions";
import { FormatProvider } from "@/components/shell/format-provider";

const refresh = vi.fn();
const router = { refresh };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

const address = `${window.location.origin}/api/permissions/revalidate`;
const requests: Request[] = [];
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());

const changedText = "Your permissions have changed, but this is not open to you yet.";
const before = { changedText, fingerprint: "old", checkedAt: "2026-11-20T12:04:31.000Z" };
const after = { ...before, checkedAt: "2026-11-20T12:04:35.000Z" };

function answer(respond: () => Response) {
  server.use(
    http.post(address, ({ request }) => {
      requests.push(request);
      return respond();
    }),
  );
}

/** Renders the button; a refresh of the router brings `next` from the server. */
function show(next: typeof before = after) {
  const view = render(<RefreshPermissions {...before} />);
  refresh.mockImplementation(() => view.rerender(<RefreshPermissions {...next} />));
  return { press: () => userEvent.click(screen.getByRole("button", { name: "Refresh permissions" })) };
}

const status = () => screen.getByRole("status").textContent;

// jsdom knows no address base for fetch in Node.
beforeEach(() => {
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => real(new URL(path, window.location.origin), init));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  server.resetHandlers();
  refresh.mockReset();
  requests.length = 0;
});

describe("RefreshPermissions", () => {
  it("says when the page was checked, on the server too: in the team's zone, outside of any team in UTC", () => {
    const inTeam = (
      <FormatProvider region={{ locale: "en-US", timeZone: "America/Los_Angeles" }}>
        <RefreshPermissions {...before} />
      </FormatProvider>
    );
    expect(renderToString(inTeam)).toContain(`<time dateTime="${before.checkedAt}">4:04 AM</time>`);
    render(inTeam);
    expect(status()).toBe("Checked 4:04 AM. ");
    cleanup();
    show();
    expect(status()).toBe("Checked 12:04 PM UTC. ");
  });

  it("204 and the same permissions: nothing has changed", async () => {
    answer(() => new HttpResponse(null, { status: 204 }));
    await show().press();
    await waitFor(() => expect(status()).toContain("Nothing has changed since."));
    expect(screen.getByRole("status").querySelector("time")?.dateTime).toBe(after.checkedAt);
    expect(refresh).toHaveBeenCalledOnce();
    expect(requests).toHaveLength(1);
    expect(await requests[0]?.text()).toBe("");
    expect(screen.getByRole("alert").textContent).toBe("");
  });

  it("204 and other permissions: they have changed", async () => {
    answer(() => new HttpResponse(null, { status: 204 }));
    await show({ ...after, fingerprint: "new" }).press();
    await waitFor(() => expect(status()).toContain(changedText));
    expect(status()).not.toContain("Nothing");
  });

  it.each([
    [503, "The store is away. Try again in a moment."],
    [429, "That was too often. Try again in 42 seconds."],
    [403, "This request came from another site. Open Signet itself and try again."],
  ])("%i: shows the sentence of the server and does not reload the page", async (code, error) => {
    answer(() => HttpResponse.json({ error }, { status: code }));
    await show().press();
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(error));
    expect(refresh).not.toHaveBeenCalled();
    expect(status()).not.toContain("Nothing has changed");
  });

  it.each([
    ["an answer that is no JSON", () => new HttpResponse("<h1>502</h1>", { status: 502 })],
    ["an answer without a sentence", () => HttpResponse.json({ error: 7 }, { status: 500 })],
    ["no connection", () => HttpResponse.error()],
  ])("%s: says what to do", async (_case, respond) => {
    answer(respond);
    await show().press();
    await waitFor(() =>
      expect(screen.getByRole("alert").textContent).toContain("Check your connection and try again."),
    );
    expect(refresh).not.toHaveBeenCalled();
  });

  it("takes the failure away when the next attempt works", async () => {
    answer(() => HttpResponse.json({ error: "The store is away." }, { status: 503 }));
    const { press } = show();
    await press();
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("The store is away."));
    answer(() => new HttpResponse(null, { status: 204 }));
    await press();
    await waitFor(() => expect(status()).toContain("Nothing has changed since."));
    expect(screen.getByRole("alert").textContent).toBe("");
  });

  it("asks once while it waits", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      http.post(address, async ({ request }) => {
        requests.push(request);
        await promise;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { press } = show();
    await press();
    await waitFor(() => expect(status()).toBe("Checking…"));
    await press();
    resolve();
    await waitFor(() => expect(status()).toContain("Nothing has changed since."));
    expect(requests).toHaveLength(1);
  });
});
