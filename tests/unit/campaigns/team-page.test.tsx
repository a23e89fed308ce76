import { beforeEach, expect, it, vi } from "vitest";
import TeamPage from "@/app/[team]/page";

const calls = vi.hoisted(() => ({ requireTeam: vi.fn(), listPlaces: vi.fn(), listCampaignTeams: vi.fn() }));
vi.mock("@/app/[team]/actions", () => ({}));
vi.mock("@/app/[team]/campaign/actions", () => ({ createCampaign: vi.fn() }));
vi.mock("@/app/[team]/list-campaign-rows", () => ({
  listCampaignRows: async () => ({ running: [], archived: [], requests: [] }),
}));
vi.mock("@/lib/campaigns/campaigns", () => ({ listCampaignTeams: calls.listCampaignTeams }));
vi.mock("@/lib/permissions/list-places", () => ({ listPlaces: calls.listPlaces }));
vi.mock("@/lib/permissions/require-place", () => ({ requireTeam: calls.requireTeam, findPlace: vi.fn() }));

const pageWith = async (permissionKeys: string[], campaignsOfTeam: number) => {
  calls.requireTeam.mockResolvedValue({ session: { userId: "u" }, snapshot: { permissionKeys } });
  calls.listCampaignTeams.mockResolvedValue(
    new Map(Array.from({ length: campaignsOfTeam }, (_, index) => [`c${index}`, {}])),
  );
  const page = await TeamPage({ params: Promise.resolve({ team: "riverside" }), searchParams: Promise.resolve({}) });
  return [page.props.title, Boolean(page.props.actions)];
};
beforeEach(() => {
  calls.listPlaces.mockResolvedValue([
    { id: "riverside", name: "Riverside", timeZone: "UTC", locale: "en-US", permissionKeys: [], campaigns: [] },
  ]);
});

it("says to a manager of members that they can't open the team's campaigns, instead of that there are none", async () => {
  expect(await pageWith(["members.manage"], 2)).toEqual(["You can't open any of the 2 campaigns yet", true]);
  expect(await pageWith(["members.manage"], 1)).toEqual(["You can't open the team's campaign yet", true]);
  expect(await pageWith(["members.manage"], 0)).toEqual(["Campaigns", false]);
  expect(await pageWith([], 2)).toEqual(["No campaigns yet", false]);
});
