import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { startTransition, use, useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { AccessChanges, useAccessChanges } from "@/components/team-access/access-changes";
import type { PreviewAccess, SaveAccess } from "@/components/team-access/change-review";
import type { AccessChange } from "@/lib/team-access/access-change";

const [refresh, replace] = [vi.fn(), vi.fn()];
const router = { refresh, replace };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

afterEach(() => {
  refresh.mockReset();
  replace.mockReset();
});

const change: AccessChange = { kind: "create-role", team: "riverside", name: "X", scope: "assigned" };
const person = (userId: string, name: string, gains: string[]) => ({
  userId,
  name,
  places: [{ campaign: null, access: "stays" as const, gains, losses: [] }],
});
const noChanges = { message: "No one's access changes.", error: null, data: { effects: [], invitations: [] } };
const previewOf = (preview: Awaited<ReturnType<PreviewAccess>>) => vi.fn<PreviewAccess>().mockResolvedValue(preview);

/** Opens the review of the change, and waits for this text of the preview. */
async function review(
  preview: PreviewAccess,
  text: string | RegExp,
  save = vi.fn<SaveAccess>(),
  requested = change,
  done?: string,
  endsOn?: string,
) {
  const [onDone, onCancel] = [vi.fn(), vi.fn()];
  function Opener() {
    const { review } = useAccessChanges();
    return (
      <button
        type="button"
        onClick={() =>
          review({
            change: requested,
            title: "Sure?",
            confirm: "Save it",
            ...(done && { done }),
            endsOn,
            onDone,
            onCancel,
          })
        }
      >
        Change
      </button>
    );
  }
  render(
    <AccessChanges team={{ id: "riverside", name: "Riverside" }} save={save} preview={preview}>
      <Opener />
    </AccessChanges>,
  );
  await press("Change");
  await screen.findByText(text);
  return () => [save, onDone, onCancel, refresh].map(({ mock }) => mock.calls.length);
}
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const sentChange = (form?: FormData) => JSON.parse(String(form?.get("change")));

it("previews the change, and saves exactly that once when it is confirmed", async () => {
  let resolveSave: (state: Awaited<ReturnType<SaveAccess>>) => void = () => undefined;
  const preview = previewOf(noChanges);
  const save = vi.fn<SaveAccess>(() => new Promise((resolve) => (resolveSave = resolve)));
  const calls = await review(preview, "No one's access changes.", save);
  expect(calls()).toEqual([0, 0, 0, 0]);
  await press("Save it");
  await press("Saving…");
  expect([preview, save].map(({ mock }) => mock.calls.map(([, form]) => sentChange(form)))).toEqual([
    [change],
    [change],
  ]);
  resolveSave({ message: "X created.", error: null });
  await screen.findByText("X created.");
  expect(calls().slice(0, 3)).toEqual([1, 1, 0]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("saves nothing while it checks whose access changes, and stays open with the error if saving fails", async () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<PreviewAccess>>>();
  const save = vi.fn<SaveAccess>().mockResolvedValue({ message: null, error: "This name is taken." });
  const checking = "Checking whose access changes…";
  const calls = await review(
    vi.fn<PreviewAccess>(() => promise),
    checking,
    save,
  );
  const button = screen.getByRole("button", { name: "Save it" });
  await press("Save it");
  expect(document.activeElement).toBe(button);
  await userEvent.keyboard("{Enter}");
  screen.getByText(checking);
  expect([button.ariaDisabled ?? button.getAttribute("aria-disabled"), ...calls()]).toEqual(["true", 0, 0, 0, 0]);
  resolve(noChanges);
  await screen.findByText("No one's access changes.");
  await press("Save it");
  await screen.findByText("This name is taken.");
  screen.getByRole("dialog", { name: "Sure?" });
  expect(calls()).toEqual([1, 0, 0, 0]);
});

it("shows what each person gains, and groups people who gain the same", async () => {
  const effects = [person("1", "Ada", ["charts.view"]), person("2", "Ben", []), person("3", "Cleo", ["charts.view"])];
  const data = { effects, invitations: [] };
  await review(previewOf({ message: "Access changes for 3 people:", error: null, data }), "Ada, Cleo");
  expect(screen.getByText("Ada, Cleo").closest("li")?.textContent).toContain("Gain: See charts");
});

it("says “you” before leaving, and lists places with the same losses once", async () => {
  const places = [null, { id: "a", name: "Lakes" }, { id: "b", name: "Parks" }].map((campaign) => ({
    campaign,
    access: "closes" as const,
    gains: [],
    losses: campaign ? ["charts.view"] : [],
  }));
  const data = { effects: [{ userId: "1", name: "Ada", places }], invitations: [] };
  const preview = previewOf({ message: "Access changes:", error: null, data });
  await review(preview, "You'll lose access to Lakes and Parks", vi.fn(), { kind: "leave-team", team: "riverside" });
  screen.getByText("You'll lose access to Riverside");
  screen.getByText("See charts");
});

it("says that a reactivated member gets their access back", async () => {
  const membership = { roleId: "00000000-0000-4000-8000-000000000001", status: "active" as const };
  const before = { ...membership, status: "suspended" as const };
  const members = [{ userId: membership.roleId, before, after: membership }];
  const places = [{ campaign: null, access: "opens" as const, gains: [], losses: [] }];
  const data = { effects: [{ userId: "1", name: "Ada", places }], invitations: [] };
  const preview = previewOf({ message: "Access changes:", error: null, data });
  await review(preview, "Regains access to Riverside", vi.fn(), { kind: "members", team: "riverside", members });
  expect(screen.queryByText("Ada")).toBeNull(); // the title names them
});

it("lists the invitations that would stop, and takes over those it can once that is chosen", async () => {
  const invitations = ["a@new.test", "b@new.test"].map((email, index) => ({
    email,
    invitedBy: "Jun Park",
    canTakeOver: index === 0,
  }));
  const save = vi.fn<SaveAccess>().mockResolvedValue({ message: "Saved.", error: null });
  const preview = previewOf({ message: "Changes.", error: null, data: { effects: [], invitations } });
  const members: AccessChange = { kind: "campaigns", team: "riverside", places: [] };
  await review(preview, /^2 open invitations from Jun Park will stop working: a@new.test, b@new.test/, save, members);
  await userEvent.click(screen.getByRole("checkbox", { name: /^Take over 1 of them/ }));
  await press("Save it");
  expect(sentChange(save.mock.calls[0]?.[1])).toEqual({ ...members, takeOver: true });
});

it("says why a change isn't allowed, saves nothing, and shows the current state", async () => {
  const refused = previewOf({ message: null, error: "Someone else changed this. Reload the page." });
  const calls = await review(refused, "Someone else changed this. Reload the page.");
  expect(screen.queryByRole("button", { name: "Save it" })).toBeNull();
  await press("Reload");
  const [saved, done, , refreshed] = calls();
  expect([saved, done, refreshed]).toEqual([0, 1, 1]);
});

it("offers no reload if that wouldn't help", async () => {
  await review(previewOf({ message: null, error: "This name is taken." }), /is taken/);
  expect(screen.queryByRole("button", { name: "Reload" })).toBeNull();
});

it("saves a role in a campaign with the last day that is chosen, and refuses a past one", async () => {
  const save = vi.fn<SaveAccess>().mockResolvedValue({ message: "Access changed.", error: null });
  const before = { roleId: null, setIds: [] };
  const place = { userId: "u", campaign: "lakes", before, after: { roleId: "r", setIds: [] } };
  await review(previewOf(noChanges), "No one's access changes.", save, {
    kind: "campaigns",
    team: "riverside",
    places: [place],
  });
  const end = screen.getByLabelText(/^Role ends/);
  fireEvent.change(end, { target: { value: "2020-01-31" } });
  await press("Save it");
  expect(save).not.toHaveBeenCalled();
  fireEvent.change(end, { target: { value: "2099-01-31" } });
  await press("Save it");
  const [saved] = sentChange(save.mock.calls[0]?.[1]).places;
  expect([saved.before.endsOn, saved.after]).toEqual([null, { roleId: "r", setIds: [], endsOn: "2099-01-31" }]);
});

it("changes the last day of the role they have too, and says that extra permission sets stay", async () => {
  const save = vi.fn<SaveAccess>().mockResolvedValue({ message: "Access changed.", error: null });
  const before = { roleId: "r", setIds: [] };
  const place = { userId: "u", campaign: "lakes", before, after: { roleId: "r", setIds: ["s"] } };
  const grant = { kind: "campaigns" as const, team: "riverside", places: [place] };
  await review(previewOf(noChanges), "No one's access changes.", save, grant, undefined, "2099-01-31");
  const end = screen.getByLabelText<HTMLInputElement>(/^Role ends/);
  expect(end.value).toBe("2099-01-31");
  screen.getByText("Extra permission sets stay when the role ends.");
  fireEvent.change(end, { target: { value: "2099-02-28" } });
  await press("Save it");
  const [saved] = sentChange(save.mock.calls[0]?.[1]).places;
  expect([saved.before.endsOn, saved.after.endsOn]).toEqual(["2099-01-31", "2099-02-28"]);
});

it("leads the only administrator to the members instead of letting them leave", async () => {
  const error = "Make someone else an administrator first.";
  const zodIssues = [{ code: "last-to-leave", path: [], message: error }];
  await review(previewOf({ message: null, error, zodIssues }), error, vi.fn(), {
    kind: "leave-team",
    team: "riverside",
  });
  screen.getByRole("dialog", { name: "You can't leave Riverside yet" });
  expect(screen.getByRole("link", { name: "Go to Members" }).getAttribute("href")).toBe("/riverside/members");
  expect(screen.queryByRole("button", { name: "Reload" })).toBeNull();
});

it("says in its own words that a change was saved, and in the server's that it wasn't", async () => {
  const answers = ["Role deleted. 2 invitations are now yours.", "Already up to date. Nothing was changed."];
  const save = vi.fn<SaveAccess>(async () => ({ message: answers.shift() ?? "", error: null }));
  const deletion: AccessChange = { kind: "delete-role", team: "riverside", roleId: "x" };
  await review(previewOf(noChanges), "No one's access changes.", save, deletion, "Greeter deleted.");
  await press("Save it");
  await screen.findByText("Greeter deleted. 2 invitations are now yours.");
  await press("Change");
  await screen.findByText("No one's access changes.");
  await press("Save it");
  await screen.findByText("Already up to date. Nothing was changed.");
});

it("reports that it was canceled, and saves nothing", async () => {
  const calls = await review(previewOf(noChanges), "No one's access changes.");
  await press("Cancel");
  expect(calls().slice(0, 3)).toEqual([0, 0, 1]);
});

it("tries again when the server could not be reached", async () => {
  const preview = previewOf(noChanges).mockRejectedValueOnce(new TypeError("fetch failed"));
  await review(preview, /^Couldn't reach Signet/);
  await press("Try again");
  await screen.findByText("No one's access changes.");
  const save = screen.getByRole("button", { name: "Save it" });
  await waitFor(() => expect(save.getAttribute("aria-disabled")).toBe("false"));
});

it("shows on the next page that a change was saved after which its page is gone", async () => {
  function Remover() {
    const { review } = useAccessChanges();
    const request = { change, title: "Sure?", confirm: "Remove", leadsTo: "/riverside/members" };
    return (
      <button type="button" onClick={() => review(request)}>
        Remove them
      </button>
    );
  }
  const save = vi.fn<SaveAccess>().mockResolvedValue({ message: "Jun Park removed from the team.", error: null });
  const shared = { team: { id: "riverside", name: "Riverside" }, save, preview: previewOf(noChanges) };
  const { rerender } = render(
    <AccessChanges key="member" {...shared}>
      <Remover />
    </AccessChanges>,
  );
  await press("Remove them");
  await screen.findByText("No one's access changes.");
  await press("Remove");
  await waitFor(() => expect(replace).toHaveBeenCalledWith("/riverside/members"));
  rerender(
    <AccessChanges key="members" {...shared}>
      Members
    </AccessChanges>,
  );
  await screen.findByText("Jun Park removed from the team.");
});

it("shows the message together with the page that shows the change", async () => {
  let showPage: (text: string) => void = () => undefined;
  const page = new Promise<string>((resolve) => (showPage = resolve));
  let rerender: () => void = () => undefined;
  const Page = ({ text }: { text: Promise<string> | null }) => (text === null ? "active" : use(text));
  function Suspender() {
    const { review } = useAccessChanges();
    const [text, setText] = useState<Promise<string> | null>(null);
    rerender = () => startTransition(() => setText(page)); // as Next.js does with the page of an action
    return (
      <>
        <button type="button" onClick={() => review({ change, title: "Sure?", confirm: "Save it" })}>
          Change
        </button>
        <p>
          <Page text={text} />
        </p>
      </>
    );
  }
  const save = vi.fn<SaveAccess>(async () => {
    rerender();
    return { message: "Jun Park suspended.", error: null };
  });
  render(
    <AccessChanges team={{ id: "riverside", name: "Riverside" }} save={save} preview={previewOf(noChanges)}>
      <Suspender />
    </AccessChanges>,
  );
  await press("Change");
  await screen.findByText("No one's access changes.");
  await press("Save it");
  await screen.findByText("active");
  expect(screen.queryByText("Jun Park suspended.")).toBeNull();
  await act(async () => showPage("suspended"));
  await screen.findByText("suspended");
  screen.getByText("Jun Park suspended.");
});

it("says that a new member without a campaign can't open any, but not of an administrator", async () => {
  const joins = (name: string, gains: string[]) => ({
    ...person(name, name, gains),
    places: [{ campaign: null, access: "opens" as const, gains, losses: [] }],
  });
  const effects = [joins("Jun", ["signatures.view"]), joins("Ada", ["members.manage", "roles.manage"])];
  await review(previewOf({ ...noChanges, data: { effects, invitations: [] } }), "Ada");
  expect(screen.getAllByText(/^They can't open a campaign/).map(({ textContent }) => textContent)).toEqual([
    "They can't open a campaign until you add them to one. Once added, they'll have: See signatures",
  ]);
});
