import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { OpenInvitationsList } from "@/components/invitations/open-invitations-list";
import { AccessChanges } from "@/components/team-access/access-changes";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { OpenInvitation } from "@/lib/invitations/invitations";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: vi.fn() }) }));

const invitation = (name: string): OpenInvitation => ({
  id: `id-of-${name}`,
  email: `${name}@people.test`,
  name: null,
  roleId: "member",
  role: "Member",
  campaigns: [],
  mail: "failed",
  invitedBy: "Ada Moreno",
  createdAt: "2026-10-01T10:00:00Z",
  expiresAt: "2026-10-08T10:00:00Z",
  expired: false,
  stopped: false,
});
const showLinks: FormSubmit<{ links: string[] }> = async (_, sent) => {
  const links = JSON.parse(String(sent.get("ids"))).map((id: string) => `https://signet.test/${id}`);
  return { message: "", error: null, data: { links } };
};

const listOf = (invitations: OpenInvitation[], resend: FormSubmit = vi.fn()) => (
  <AccessChanges team={{ id: "river", name: "River" }} save={vi.fn()} preview={vi.fn()}>
    <OpenInvitationsList
      invitations={invitations}
      roles={[]}
      campaigns={[]}
      defaultCampaignRoleId={undefined}
      showLinks={showLinks}
      resend={resend}
      edit={vi.fn()}
      revoke={vi.fn()}
    />
  </AccessChanges>
);
const show = (...args: Parameters<typeof listOf>) => render(listOf(...args));

it("finds one of many by name or email, and selects those that are shown", async () => {
  const user = userEvent.setup();
  const many = ["ann", "bo", "cy", "di", "ed", "flo", "gus", "hal", "ivo", "jo", "kim"].map(invitation);
  const { rerender } = show(many);
  await user.type(screen.getByRole("textbox", { name: "Find an open invitation" }), "kim PEOPLE");
  expect(screen.getAllByRole("checkbox").map(({ ariaLabel }) => ariaLabel)).toEqual(["Select kim@people.test"]);
  await user.clear(screen.getByRole("textbox"));
  await user.type(screen.getByRole("textbox"), "i");
  await user.click(screen.getByRole("checkbox", { name: "Select all" }));
  expect(screen.getByText("3 selected")).toBeTruthy();
  await user.type(screen.getByRole("textbox"), "zz");
  expect(screen.getByText("No invitations match.")).toBeTruthy();
  rerender(listOf(many.slice(1))); // what is typed can still be cleared
  expect(screen.getByRole("textbox")).toHaveProperty("value", "izz");
});

it("copies one link or many at once, shows what can't be copied, and keeps focus on the row of a sent email", async () => {
  const user = userEvent.setup();
  const resend = vi.fn<FormSubmit>().mockResolvedValue({ message: "The email is being sent.", error: null });
  show([invitation("mia"), invitation("jun"), { ...invitation("kim"), expired: true }], resend);
  const press = (name: string | RegExp) => user.click(screen.getByRole("button", { name }));
  await press(/^Copy link.*mia@/);
  await screen.findByText("Link copied for mia@people.test.");
  expect(await navigator.clipboard.readText()).toBe("https://signet.test/id-of-mia");
  await press(/^Send again.*jun@/);
  await screen.findByText("The email is being sent.");
  expect(document.activeElement).toBe(screen.getByRole("checkbox", { name: "Select jun@people.test" }));

  await user.click(screen.getByRole("checkbox", { name: "Select all" }));
  const both = "mia@people.test\thttps://signet.test/id-of-mia\njun@people.test\thttps://signet.test/id-of-jun";
  await press("Copy links");
  await screen.findByText("2 links and emails copied.");
  expect(await navigator.clipboard.readText()).toBe(both);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("refused"));
  await press("Copy links");
  expect(await screen.findByRole("textbox", { name: "Invitation links" })).toHaveProperty("value", both);
});
