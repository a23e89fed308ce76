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

test("a new role is created with the chosen permission sets, an administrators' role with none", async () => {
  const create = vi.fn<FormSubmit>().mockResolvedValue({ error: null, message: "Drivers created." });
  render(<RolesList roles={[]} sets={sets as never} create={create} rename={create} />);
  const user = userEvent.setup();
  const sent = async (type: RegExp) => {
    await user.click(screen.getByRole("button", { name: "New role" }));
    await user.type(await screen.findByLabelText("Name"), "Drivers");
    await user.click(screen.getByLabelText(/^Viewer/));
    await user.click(screen.getByLabelText(type));
    await user.click(screen.getByRole("button", { name: "Create role" }));
    await vi.waitFor(() => expect(screen.queryByRole("dialog", { name: "New role" })).toBeNull());
    const form = create.mock.lastCall?.[1];
    return [form?.get("name"), form?.get("scope"), form?.get("setIds")];
  };
  expect(await sent(/^A role with its own/)).toEqual(["Drivers", "assigned", '["s"]']);
  expect(await sent(/^An administrator/)).toEqual(["Drivers", "inherit_team", "[]"]);
});
