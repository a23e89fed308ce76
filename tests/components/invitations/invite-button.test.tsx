import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { InviteButton } from "@/components/invitations/invite-button";
import type { Inviting } from "@/components/invitations/use-invite";
import { AccessChanges } from "@/components/team-access/access-changes";

const replace = vi.fn();
const search = vi.hoisted(() => ({ query: "invite=yes" }));
const router = { replace };
vi.mock("next/navigation", () => ({
  useRouter: () => router,
  usePathname: () => "/river/members",
  useSearchParams: () => new URLSearchParams(search.query),
}));

const [member, clerk] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const preview = vi.fn<Inviting["preview"]>().mockResolvedValue({
  message: "",
  error: null,
  data: {
    made: [{ email: "ada@people.test" }],
    members: ["jun@people.test", "hal@people.test"],
    suspended: ["hal@people.test"],
    invited: [],
    effects: [
      {
        userId: member,
        name: "ada@people.test",
        places: [{ campaign: null, access: "opens", gains: ["members.view", "signatures.enter"], losses: [] }],
      },
    ],
  },
});

it("opens by a command, corrects a name, imports a file, and names in the preview who is invited as what", async () => {
  render(
    <AccessChanges team={{ id: "river", name: "River" }} save={vi.fn()} preview={vi.fn()}>
      <InviteButton
        roles={[
          { id: member, name: "Member", scope: "assigned" },
          { id: clerk, name: "Clerk", scope: "assigned" },
        ]}
        campaigns={[{ id: "lakes", name: "Clear lakes" }]}
        defaultRoleId={member}
        defaultCampaignRoleId={clerk}
        preview={preview}
        invite={vi.fn()}
      />
    </AccessChanges>,
  );
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText("They'll join the team, but can't open a campaign until you add them to one.");
  const box = dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "Email addresses" });
  await userEvent.click(dialog.getByRole("button", { name: "Preview access" }));
  dialog.getByText("Enter an email.");
  await userEvent.click(box);
  await userEvent.paste("email,campaign\nada@people.test,Clear lake");
  expect(dialog.queryByText("Enter an email.")).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Preview access" }));
  dialog.getByText("1 of 1 line needs fixing.");
  await userEvent.click(dialog.getByRole("button", { name: "Change “Clear lake” to “Clear lakes”" }));
  expect([box.value, document.activeElement]).toEqual(["email,campaign\nada@people.test,Clear lakes", box]);
  expect(dialog.queryByText("1 of 1 line needs fixing.")).toBeNull();
  await userEvent.clear(box);
  await userEvent.click(box);
  await userEvent.paste("email,role\nada@people.test,Clerk\nbo,Clerk\ncy@people.test,Boss");
  await userEvent.click(dialog.getByRole("button", { name: "Preview access" }));
  await userEvent.click(dialog.getByRole("button", { name: "Remove these 2 lines" }));
  expect([box.value, document.activeElement]).toEqual(["email,role\nada@people.test,Clerk", box]);
  const list = "email,campaign\nAda@people.test,lakes\njun@people.test,\nada@people.test,lakes\nhal@people.test,\n";
  await userEvent.upload(dialog.getByLabelText("Import from a CSV file"), new File([list], "people.csv"));
  await dialog.findByText("people.csv");
  await userEvent.click(dialog.getByRole("button", { name: "Preview access" }));
  await dialog.findByText("Inviting 1 person:");
  expect(dialog.getByText("Ada@people.test").parentElement?.textContent).toBe(
    "Ada@people.test as Member in River, Clerk in Clear lakes",
  );
  expect(dialog.getAllByRole("table").map(({ textContent }) => textContent)).toEqual([
    "LineEmailSkipped because3jun@people.testAlready an active member4ada@people.testLines 2 and 4 have the same email5hal@people.testAlready a member, but suspended: reactivate them under Members",
  ]);
  dialog.getByText("See members");
  dialog.getByText(/^They can't open a campaign until you add them to one. Once added, they'll have: Enter signatures/);
  await userEvent.click(dialog.getByRole("button", { name: "Back" }));
  await userEvent.clear(dialog.getByLabelText("Email addresses"));
  await userEvent.click(dialog.getByLabelText("Email addresses"));
  await userEvent.paste("Ada Moreno <ada@people.test>");
  await userEvent.click(dialog.getByRole("button", { name: "Preview access" }));
  await dialog.findByText("Ada Moreno");
  // What the server refuses is in its row too.
  const zodIssues = [{ code: "custom", path: ["list", "invitations", 0, "name"], message: "is too long" }];
  preview.mockResolvedValueOnce({ message: null, error: "One field is wrong.", zodIssues });
  await userEvent.click(dialog.getByRole("button", { name: "Back" }));
  await userEvent.click(dialog.getByRole("button", { name: "Preview access" }));
  expect((await dialog.findByRole("table")).textContent).toBe(
    "LineEmailResult1ada@people.testAda MorenoThe name is too long.",
  );
  await userEvent.click(dialog.getByRole("button", { name: "Close" }));
  await userEvent.click(await screen.findByRole("button", { name: /^Discard/ }));
  expect(replace).toHaveBeenCalledWith("/river/members", { scroll: false });
});

it("starts with the email and the role of someone who is invited again", async () => {
  search.query = `invite=mia%40people.test&role=${clerk}`;
  render(
    <InviteButton
      roles={[
        { id: member, name: "Member", scope: "assigned" },
        { id: clerk, name: "Clerk", scope: "assigned" },
      ]}
      campaigns={[]}
      defaultRoleId={member}
      defaultCampaignRoleId={clerk}
      preview={preview}
      invite={vi.fn()}
    />,
  );
  expect(screen.getByLabelText("Email addresses")).toHaveProperty("value", "mia@people.test");
  expect(screen.getByLabelText("Team role")).toHaveProperty("value", clerk);
});
