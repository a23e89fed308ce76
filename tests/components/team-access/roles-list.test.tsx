import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { AccessChanges } from "@/components/team-access/access-changes";
import { Administrators } from "@/components/team-access/administrators";
import type { PreviewAccess } from "@/components/team-access/change-review";
import { RolesList } from "@/components/team-access/roles-list";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({
  useRouter: () => ({ replace: vi.fn() }),
  usePathname: () => "/riverside/roles",
  useSearchParams: () => new URLSearchParams(),
}));

const set = { description: null, roles: [], builtIn: true };
const sets = [
  { ...set, id: "s", name: "Viewer", keys: ["charts.view"] },
  { ...set, id: "b", name: "Builder", keys: ["charts.edit"] },
];

test("a new role is created with the chosen permission sets, an administrators' role with none", async () => {
  const create = vi.fn<FormSubmit>().mockResolvedValue({ error: null, message: "Drivers created." });
  render(<RolesList roles={[]} sets={sets as never} create={create} rename={create} />);
  const user = userEvent.setup();
  const sent = async (type: RegExp) => {
    await user.click(screen.getByRole("button", { name: "New role" }));
    await user.type(await screen.findByLabelText("Name"), "Drivers");
    await user.click(screen.getByLabelText(/^Builder/));
    screen.getByText("“Create and edit charts” only works together with “See charts.”");
    await user.click(screen.getByLabelText(/^Viewer/));
    await user.click(screen.getByLabelText(/^Builder/));
    expect(screen.queryByText(/only works together/)).toBeNull();
    await user.click(screen.getByLabelText(type));
    await user.click(screen.getByRole("button", { name: "Create role" }));
    await vi.waitFor(() => expect(screen.queryByRole("dialog", { name: "New role" })).toBeNull());
    const form = create.mock.lastCall?.[1];
    return [form?.get("name"), form?.get("scope"), form?.get("setIds")];
  };
  expect(await sent(/^A role with its own/)).toEqual(["Drivers", "assigned", '["s"]']);
  expect(await sent(/^An administrator/)).toEqual(["Drivers", "inherit_team", "[]"]);
});

test("a role that is in use leads to the people who have it, and says what to do before it can be deleted", async () => {
  const preview = vi.fn<PreviewAccess>();
  const greeter = { id: "g", name: "Greeter", builtIn: false, scope: "assigned" as const, setIds: [] };
  const role = { ...greeter, members: 2, inCampaigns: 1, invitations: 1 };
  render(
    <AccessChanges team={{ id: "riverside", name: "Riverside" }} save={vi.fn()} preview={preview}>
      <RolesList roles={[role]} sets={[]} create={vi.fn()} rename={vi.fn()} />
    </AccessChanges>,
  );
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("2 members")).toBe("/riverside/members?role=g");
  expect(hrefOf("1 person in specific campaigns")).toBe("/riverside/members?campaignRole=g");
  await userEvent.click(screen.getByRole("button", { name: /^Delete ?Greeter/ }));
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(
    "2 members and 1 person in specific campaigns have this role, and 1 open invitation grants it. Give them another role, change or revoke the invitation under Members, then delete Greeter.",
  );
  expect(dialog.queryByRole("button", { name: "Delete role" })).toBeNull();
  expect(preview).not.toHaveBeenCalled();
});

test("the administrators are named, each with a link to their page", () => {
  const roles = { roles: [], sets: [], teamSetIds: [], campaigns: [] };
  const members = [
    { userId: "1", name: "Ada Moreno", status: "active" as const },
    { userId: "2", name: "Jun Park", status: "suspended" as const },
  ];
  render(
    <AccessChanges team={{ id: "riverside", name: "Riverside" }} save={vi.fn()} preview={vi.fn()}>
      <Administrators roles={roles} members={members} />
    </AccessChanges>,
  );
  const link = screen.getByRole("link", { name: "Ada Moreno" });
  expect(link.getAttribute("href")).toBe("/riverside/members/1");
  expect(link.closest("p")?.textContent).toBe("Administrators: Ada Moreno, Jun Park (suspended)");
});
