import { expect, test, vi } from "vitest";
import { listPlaces } from "@/lib/permissions/list-places";
import { requireCampaign, requirePermission, requireTeam } from "@/lib/permissions/require-place";
import { requireCampaignAccess, requireRoutePermission } from "@/lib/permissions/require-route-permission";

const state = vi.hoisted(() => ({ hasEnteredCode: false, requiredFrom: null as string | null }));
const session = () => ({
  userId: "u",
  email: "",
  sessionId: "s",
  accessToken: "t",
  hasEnteredCode: state.hasEnteredCode,
});
vi.mock("@/lib/permissions/cached-by-epoch", () => ({
  cachedByEpoch: async () => ({
    teams: [{ id: "north", permissionKeys: [], secondFactorFrom: state.requiredFrom, campaigns: [{ id: "lakes" }] }],
  }),
}));
vi.mock("@/lib/permissions/route-permissions", () => ({
  routePermissions: async () => ({ teamAccess: true, campaignAccess: true, permissionKeys: ["charts.view"] }),
}));
vi.mock("@/lib/auth/require-user", () => ({ requireUser: async () => session() }));
vi.mock("next/navigation", () => ({
  redirect: (to: string) => {
    throw new Error(`redirect ${to}`);
  },
}));
vi.spyOn(console, "info").mockImplementation(() => undefined);

const [past, future] = ["2026-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"];
const place = { team: "north", campaign: "lakes" };
const guards = [
  () => requireTeam("north"),
  () => requireCampaign("north", "lakes"),
  () => requirePermission(place, "charts.view"),
  () => requireRoutePermission(session(), place, "charts.view"),
  () => requireCampaignAccess(session(), "lakes"),
];

test.each([
  ["doesn't require it", null, false],
  ["will require it", future, false],
  ["requires it, and it was given", past, true],
])("a team that %s opens", async (_what, requiredFrom, hasEnteredCode) => {
  Object.assign(state, { requiredFrom, hasEnteredCode });
  for (const guard of guards) await guard();
  expect(await listPlaces(session())).toHaveLength(1);
});

test("a team that requires a second factor opens to no session without one, in pages, actions, routes and lists", async () => {
  Object.assign(state, { requiredFrom: past, hasEnteredCode: false });
  const refusals = await Promise.all(
    guards.map((guard) =>
      guard().then(
        () => "open",
        (error: Error) => error.message,
      ),
    ),
  );
  expect(refusals.slice(0, 3)).toEqual(Array(3).fill("redirect /account?secure=north"));
  expect(refusals[3]).toBe("This team requires two-factor sign-in. Set it up under Account, then try again.");
  expect(refusals[4]).toContain("You don't have access to this campaign");
  expect(await listPlaces(session())).toEqual([]);
});
