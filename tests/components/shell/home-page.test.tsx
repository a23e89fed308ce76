import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import HomePage from "@/app/page";

const state = vi.hoisted(() => ({
  teams: [] as object[],
  memberships: [] as object[],
  refused: null as object | null,
}));
const session = { userId: "u", email: "ada@people.test", sessionId: "s" };
vi.mock("next/navigation", () => ({
  redirect: (to: string) => {
    throw new Error(`redirect ${to}`);
  },
}));
vi.mock("@/app/account/actions", () => ({ saveTheme: vi.fn() }));
vi.mock("@/app/actions", () => ({ startTeam: vi.fn() }));
vi.mock("@/app/invitation/[token]/actions", () => ({ declineToJoin: vi.fn(), joinTeam: vi.fn() }));
vi.mock("@/app/login/actions", () => ({ endSession: vi.fn(), renewSession: vi.fn(), verifyCode: vi.fn() }));
vi.mock("@/app/[team]/list-campaign-rows", () => ({
  listCampaignRows: async ({ campaigns }: { campaigns: object[] }) => ({ running: campaigns, requests: [] }),
}));
vi.mock("@/components/auth/sign-in-again", () => ({ SignInAgain: () => null }));
vi.mock("@/components/palette/palette", () => ({ Palette: () => null }));
vi.mock("@/components/permissions/permissions-check", () => ({ PermissionsCheck: () => null }));
vi.mock("@/components/permissions/refusal-panel", async (original) => ({
  ...(await original<object>()),
  RefusalPanel: ({ title, children }: { title: string; children: object }) => (
    <>
      <h1>{title}</h1>
      {children}
    </>
  ),
}));
vi.mock("@/components/shell/navigation/user-menu", () => ({ UserMenu: () => null }));
vi.mock("@/lib/activity/last-change", () => ({ describeLastChange: async () => null }));
vi.mock("@/lib/env", () => ({ allowsNewTeams: () => false, publicEnv: () => ({}) }));
vi.mock("@/lib/invitations/invitations", () => ({
  isNewPerson: async () => false,
  listOwnInvitations: async () => [],
}));
vi.mock("@/lib/permissions/explain", () => ({
  listGranters: async () => ({ others: ["Jun Park"], isGranter: false }),
}));
vi.mock("@/lib/permissions/list-places", () => ({
  listPlaces: async () => state.teams,
  listTeamsLackingSecondFactor: async () => [],
}));
vi.mock("@/lib/permissions/require-place", () => ({
  readRefusedPlace: async () => state.refused,
  requireSignedIn: async () => ({ session, snapshot: { teamAccess: state.teams.length > 0 } }),
}));
vi.mock("@/lib/team-access/members", () => ({
  listInactiveMemberships: async () => state.memberships,
  readOwnRoles: async () => new Map([["river", "Office"]]),
}));

const show = async (query = {}) => render(await HomePage({ searchParams: Promise.resolve(query) }));
const region = { timeZone: "UTC", locale: "en-US" };
const team = (id: string, name: string, campaigns: object[] = []) => ({
  id,
  name,
  permissionKeys: [],
  campaigns,
  ...region,
});
const river = team("river", "River", [{ id: "lakes", name: "Clear lakes", archivedAt: null, permissionKeys: [] }]);
beforeEach(() => Object.assign(state, { teams: [], memberships: [], refused: null }));

it("names the team from which someone is suspended, and who can restore their access", async () => {
  state.memberships = [{ teamId: "river", team: { name: "River", ...region }, status: "suspended", hasEnded: false }];
  state.refused = { team: "river" };
  const { container } = await show();
  screen.getByRole("heading", { name: "Your access to River is suspended" });
  screen.getByText(/Ask Jun Park to restore your access\.$/);
  expect(container.textContent).not.toMatch(/\briver\b|No access/);
});

it("opens an only team at once, unless all teams are asked for", async () => {
  state.teams = [river];
  await expect(show()).rejects.toThrow("redirect /river");
  await show({ all: "" });
  screen.getByRole("heading", { name: "Your teams" });
});

it("shows of several teams the role in each, and their running campaigns", async () => {
  state.teams = [river, team("hill", "Hill")];
  await show();
  expect(screen.getByRole("region", { name: "River" }).textContent).toMatch(/^RiverOffice.*Clear lakes/);
  screen.getByRole("region", { name: "Hill" });
});
