import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  AccessChanges,
  type PreviewAccess,
  type SaveAccess,
  useAccessChanges,
} from "@/components/team-access/access-changes";
import type { AccessChange } from "@/lib/team-access/access-change";
import type { AccessEffects } from "@/lib/team-access/access-effects";

const refresh = vi.fn();
const router = { refresh };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

// jsdom has the element and no way to open it.
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
});
afterEach(() => {
  cleanup();
  refresh.mockReset();
});

const change: AccessChange = { kind: "create-role", team: "riverside", name: "X", scope: "assigned" };
const place = (gains: string[]) => ({ campaign: null, access: "stays" as const, gains, losses: [] });
const person = (userId: string, name: string, gains: string[]) => ({ userId, name, places: [place(gains)] });
const nobody: AccessEffects = [];

function show(preview: PreviewAccess, save: SaveAccess) {
  const [onDone, onCancel] = [vi.fn(), vi.fn()];
  function Asks() {
    const { review } = useAccessChanges();
    return (
      <button type="button" onClick={() => review({ change, title: "Sure?", confirm: "Save it", onDone, onCancel })}>
        Change
      </button>
    );
  }
  render(
    <AccessChanges teamName="Riverside" save={save} preview={preview}>
      <Asks />
    </AccessChanges>,
  );
  return { onDone, onCancel };
}
const ask = () => userEvent.click(screen.getByRole("button", { name: "Change" }));
const sentChange = (form: FormData) => JSON.parse(String(form.get("change")));

it("previews the change, and makes the very same one when it is confirmed, once", async () => {
  const sent: unknown[] = [];
  let answer: () => void = () => undefined;
  const save: SaveAccess = (_state, form) => {
    sent.push(sentChange(form));
    return new Promise((resolve) => {
      answer = () => resolve({ message: "Role created.", error: null });
    });
  };
  const preview: PreviewAccess = (_state, form) => {
    sent.push(sentChange(form));
    return Promise.resolve({ message: "Nobody's access changes.", error: null, data: nobody });
  };
  const { onDone, onCancel } = show(preview, save);
  await ask();
  await screen.findByText("Nobody's access changes.");
  expect(sent).toEqual([change]);
  const button = screen.getByRole("button", { name: "Save it" });
  await userEvent.click(button);
  await userEvent.click(screen.getByRole("button", { name: "Saving…" }));
  expect(sent).toEqual([change, change]);
  answer();
  await screen.findByText("Role created.");
  expect([onDone.mock.calls.length, onCancel.mock.calls.length]).toEqual([1, 0]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("says of each what she gains, and of several together what is the same for them", async () => {
  const effects = [person("1", "Ada", ["charts.view"]), person("2", "Ben", []), person("3", "Cleo", ["charts.view"])];
  show(
    () => Promise.resolve({ message: "This changes the access of 3 people.", error: null, data: effects }),
    () => Promise.reject(new Error("not asked for")),
  );
  await ask();
  expect((await screen.findByText("Ada, Cleo")).closest("li")?.textContent).toContain("Gains: See charts");
});

it("says why it may not be, saves nothing, and shows how it is now", async () => {
  const save = vi.fn<SaveAccess>();
  const { onDone } = show(() => Promise.resolve({ message: null, error: "Somebody would hold more." }), save);
  await ask();
  await screen.findByText("Somebody would hold more.");
  expect(screen.queryByRole("button", { name: "Save it" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show how it is now" }));
  expect(save).not.toHaveBeenCalled();
  expect([onDone.mock.calls.length, refresh.mock.calls.length]).toEqual([1, 1]);
});

it("tells who asked that it was cancelled, and saves nothing", async () => {
  const save = vi.fn<SaveAccess>();
  const found = { message: "Nobody's access changes.", error: null, data: nobody };
  const { onDone, onCancel } = show(() => Promise.resolve(found), save);
  await ask();
  await screen.findByText("Nobody's access changes.");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([save, onDone, onCancel].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
});

it("tries again when the server could not be reached", async () => {
  const preview = vi
    .fn<PreviewAccess>()
    .mockRejectedValueOnce(new TypeError("fetch failed"))
    .mockResolvedValueOnce({ message: "Nobody's access changes.", error: null, data: nobody });
  show(preview, () => Promise.resolve({ message: null, error: "not asked for" }));
  await ask();
  await screen.findByText(/could not be reached/);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Nobody's access changes.");
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Save it" }).getAttribute("aria-disabled")).toBe("false"),
  );
});
