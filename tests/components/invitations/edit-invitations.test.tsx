import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { EditInvitations } from "@/components/invitations/edit-invitations";
import type { OpenInvitation } from "@/lib/invitations/invitations";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: vi.fn() }) }));

it("shows what each campaign's role becomes when another one is chosen", async () => {
  const campaigns = [
    { id: "lakes", name: "Lakes" },
    { id: "parks", name: "Parks" },
  ];
  const roles = ["Analyst", "Clerk"].map((name) => ({ id: name, name, scope: "assigned" as const }));
  const invitation = {
    id: "1",
    email: "gus@people.test",
    roleId: "Clerk",
    campaigns: [{ id: "parks", roleId: "Clerk" }],
  } as OpenInvitation;
  render(
    <EditInvitations
      invitations={[invitation]}
      roles={roles}
      campaigns={campaigns}
      defaultCampaignRoleId="Clerk"
      hidden={{}}
      edit={vi.fn()}
      onDone={vi.fn()}
      onClose={vi.fn()}
    />,
  );
  expect(screen.queryByText(/^New access/)).toBeNull();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Lakes" }));
  screen.getByText("New access: Clerk in Parks, Clerk in Lakes.");
  await userEvent.selectOptions(screen.getByLabelText("Campaign role"), "Analyst");
  screen.getByText("New access: Analyst in Parks, Analyst in Lakes.");
});
