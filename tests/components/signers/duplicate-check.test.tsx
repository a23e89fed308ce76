import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { FormatProvider } from "@/components/shell/format-provider";
import { DuplicateCheck } from "@/components/signers/duplicate-check";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { SignerSet } from "@/lib/signers/responses";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";

const built: SignerSet = { members: 11_862, builtAt: "2026-11-21T20:04:31.000Z", running: null };
const request = vi.hoisted(() => vi.fn());
vi.mock("@/lib/http/call-api", async (load) => ({ ...(await load<object>()), callApi: request }));
afterEach(() => {
  vi.resetAllMocks();
});

function show(rebuild: FormSubmit<RebuildCounts>, signers: SignerSet | null = built, isArchived = false) {
  const place = { team: "riverside", campaign: "clean-water" };
  render(
    <FormatProvider region={{ locale: "en-US", timeZone: "America/Los_Angeles" }}>
      <DuplicateCheck place={place} signers={signers} isArchived={isArchived} rebuild={rebuild} />
    </FormatProvider>,
  );
}
const status = () => screen.getByRole("status").textContent;
const start = () => userEvent.click(screen.getByRole("button", { name: "Rebuild duplicate check" }));
const done =
  (read: number, added: number, dropped: number): FormSubmit<RebuildCounts> =>
  async () => ({ message: "Rebuilt.", error: null, data: { read, added, dropped } });

test.each([
  [built, "11,862 signers, last updated Nov 21, 2026, 12:04 PM"],
  [{ ...built, members: 1 }, "1 signer, last updated"],
  [null, "Not available right now. Duplicates are still caught."],
  [{ members: 0, builtAt: null, running: null }, "Being updated. Duplicates are still caught."],
])("shows %j as %s", (signers, text) => {
  show(done(0, 0, 0), signers);
  expect(screen.getByRole("region", { name: "Duplicate check" }).textContent).toContain(text);
});

test.each([
  [false, "Rebuild it if a voter who hasn't signed shows as already signed. Clerks can keep entering lines."],
  [true, "Rebuild it if a voter who hasn't signed shows as already signed."],
])("says what rebuilding does, also if the campaign is archived: %s", (isArchived, text) => {
  show(done(0, 0, 0), built, isArchived);
  expect(status()).toBe(text);
});

test.each([
  [done(11_862, 0, 0), "11,862 lines checked: no errors found."],
  [done(1, 1, 0), "1 line checked: 1 missing signer added."],
  [done(1_200, 30, 1), "1,200 lines checked: 30 missing signers added, 1 signer without a valid line removed."],
])("shows the result of a rebuild: %#", async (rebuild, text) => {
  show(rebuild);
  await start();
  await waitFor(() => expect(status()).toBe(text));
});

test("shows the progress of a running rebuild, which can't be started twice", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const end = Promise.withResolvers<void>();
  const sent: FormData[] = [];
  request.mockResolvedValue({ body: { ...built, running: { read: 4_000, total: 11_862 } } });
  show(async (state, form) => {
    sent.push(form);
    await end.promise;
    return done(11_862, 0, 0)(state, form);
  });
  await start();
  await waitFor(() => expect(status()).toBe("Rebuilding… 4,000 of 11,862 lines read"));
  const query = { team: "riverside", campaign: "clean-water" };
  expect(request.mock.calls).toEqual([["/api/signers/progress", expect.objectContaining({ query })]]);
  const button = screen.getByRole("button", { name: "Rebuilding…" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await userEvent.click(button);
  end.resolve();
  await waitFor(() => expect(status()).toContain("no errors found"));
  expect(sent.map((form) => Object.fromEntries(form))).toEqual([query]);
  await act(async () => undefined); // until all effects have run
  await vi.advanceTimersByTimeAsync(2_000);
  expect(request).toHaveBeenCalledOnce();
});

test("shows a failed rebuild, which can be started again", async () => {
  const error = "Couldn't rebuild the duplicate check. Try again in a minute.";
  show(async () => ({ message: null, error }));
  await start();
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(error));
  expect(screen.getByRole("button", { name: "Rebuild duplicate check" }).getAttribute("aria-disabled")).toBe("false");
});
