import { expect, it, vi } from "vitest";
import InvitationPage from "@/app/invitation/[token]/page";

const calls = vi.hoisted(() => ({ readInvitation: vi.fn(), getSession: vi.fn(), listPlaces: vi.fn() }));
vi.mock("@/app/invitation/[token]/actions", () => ({
  createAccount: 0,
  declineToJoin: 0,
  joinTeam: 0,
  sendPasswordLink: 0,
}));
vi.mock("@/app/login/actions", () => ({ endSession: 0 }));
vi.mock("@/lib/auth/get-session", () => ({ getSession: calls.getSession }));
vi.mock("@/lib/invitations/invitations", () => ({
  readInvitation: calls.readInvitation,
  isFirstVisit: async () => false,
}));
vi.mock("@/lib/permissions/list-places", () => ({ listPlaces: calls.listPlaces }));

it.each([
  ["opens the team to the member who accepted it", "Hal@people.test", ["riverside"], "redirect"],
  ["is closed for others in the team", "ada@people.test", ["riverside"], "page"],
  ["is closed for them once they have no access", "hal@people.test", [], "page"],
])("the link of an accepted invitation %s", async (_what, email, teams, outcome) => {
  calls.readInvitation.mockResolvedValue({
    state: "used",
    teamId: "riverside",
    team: "Riverside",
    role: "Member",
    email: "hal@people.test",
    invitedBy: "Ada",
  });
  calls.getSession.mockResolvedValue({ userId: "u", email });
  calls.listPlaces.mockResolvedValue(teams.map((id) => ({ id })));
  const page = InvitationPage({ params: Promise.resolve({ token: "t" }) }).then(
    () => "page",
    (error) => String(error.digest ?? error),
  );
  expect(await page).toMatch(outcome === "page" ? "page" : /^NEXT_REDIRECT;.*;\/riverside;/);
});
