import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { RolesList } from "@/components/team-access/roles-list";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({
  useRouter: () => ({ replace: vi.fn() }),
  usePathname: () => "/riverside/roles",
  useSearchParams: () => new URLSearchParams(),
}));

const sets = [{ id: "s", name: "Viewer", description: null, keys: ["charts.view"], roles: [], builtIn: true }];
const role = { id: "r", name: "Drivers", builtIn: false, setIds: [], members: 0, inCampaigns: 0, invitations: 0 };

test.each([
  ["assigned", true],
  ["inherit_team", false],
])("a new role of the type %s opens its permission sets: %s", async (scope, opens) => {
  const create: FormSubmit = async () => ({ error: null, message: "Role created." });
  const list = (roles: object[]) => (
    <RolesList roles={roles as never} sets={sets as never} create={create} rename={create} />
  );
  const { rerender } = render(list([]));
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "New role" }));
  await user.type(await screen.findByLabelText("Name"), " Drivers ");
  await user.click(screen.getByRole("button", { name: "Create role" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog", { name: "New role" })).toBeNull());
  rerender(list([{ ...role, scope }]));
  expect(screen.queryByRole("dialog", { name: "Permission sets of Drivers" }) !== null).toBe(opens);
});
