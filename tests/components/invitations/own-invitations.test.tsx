import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { OwnInvitations } from "@/components/invitations/own-invitations";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({ useRouter: () => ({}) }));

const invitation = {
  id: "00000000-0000-4000-8000-000000000001",
  teamId: "river",
  team: "Riverside",
  access: "Clerk (no campaign yet)",
  name: "Mia One",
  invitedBy: "Ada Moreno",
  token: "t".repeat(43),
};
const action = () => vi.fn<FormSubmit>().mockResolvedValue({ message: "Done.", error: null });
const show = (isNew: boolean) => {
  const [join, decline] = [action(), action()];
  render(
    <OwnInvitations invitations={[invitation]} email="mia@people.test" isNew={isNew} join={join} decline={decline} />,
  );
  return { join, decline };
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const sent = (mock: ReturnType<typeof action>) => mock.mock.calls.map(([, form]) => [...(form ?? [])]);

it("says who invites as what, and declines once confirmed", async () => {
  const { join, decline } = show(false);
  screen.getByText("Ada Moreno invited you to Riverside as Clerk (no campaign yet).");
  expect(screen.queryByRole("textbox")).toBeNull();
  await press("Decline");
  await screen.findByRole("dialog", { name: "Decline the invitation to Riverside?" });
  expect(decline).not.toHaveBeenCalled();
  await press("Decline invitation");
  expect([sent(decline), sent(join)]).toEqual([[[["token", invitation.token]]], []]);
});

it("says that one without an inviter is invited", () => {
  const founding = { ...invitation, invitedBy: null, access: "Administrator" };
  render(
    <OwnInvitations
      invitations={[founding]}
      email="mia@people.test"
      isNew={false}
      join={action()}
      decline={action()}
    />,
  );
  screen.getByText("You're invited to Riverside as Administrator.");
});

it("asks a new person for their name", async () => {
  const { join } = show(true);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Your name" }).value).toBe("Mia One");
  await press("Join Riverside");
  expect(sent(join)).toEqual([
    expect.arrayContaining([
      ["token", invitation.token],
      ["name", "Mia One"],
    ]),
  ]);
});
