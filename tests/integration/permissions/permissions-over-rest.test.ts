import { expect, test } from "vitest";
import { emptyWorld, insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const database = await setUpTestDatabase();
await insertUsers(database, ["zoe"]);

const rpc = async (name: string, body: object) => {
  const response = await database.rest(`rpc/${name}`, { as: "service", body: { p_user_id: uuidOf("zoe"), ...body } });
  return response.body;
};

test("a campaign without its team is an error", async () => {
  const refused = { code: "22023", details: null, hint: null, message: "A campaign needs its team." };
  expect(await rpc("permissions_snapshot", { p_campaign_id: "lakes" })).toEqual(refused);
});

// REST cuts lists at 1,000 rows without an error.
test("snapshots and places include all keys and campaigns, even over 1,000", async () => {
  const keys = many(1100, (letters) => `many.${letters}`);
  const campaigns = many(1100, (letters) => `many-${letters}`);
  const [first = "", last = ""] = [campaigns.at(0), campaigns.at(-1)];
  const role_id = "large-administrator";
  // All keys are team keys in one team, and keys of the last of all campaigns in the other.
  await insertWorld(database, {
    ...emptyWorld,
    permission_keys: keys.map((key) => ({ key })),
    teams: [{ id: "deep" }, { id: "wide" }],
    campaigns: campaigns.map((id) => ({ id })),
    campaign_team: campaigns.map((campaign_id) => ({ team_id: "wide", campaign_id })),
    roles: [{ id: role_id, team_id: null, scope: "inherit_team" }],
    permission_sets: [{ id: "large-set", team_id: null }],
    permission_set_keys: keys.map((key) => ({ permission_set_id: "large-set", key })),
    team_users: ["deep", "wide"].map((team_id) => ({ user_id: "zoe", team_id, role_id, status: "active" })),
    team_p_sets: [{ team_id: "deep", permission_set_id: "large-set" }],
    campaign_team_sets: [{ team_id: "wide", campaign_id: last, permission_set_id: "large-set" }],
  });

  const readSnapshot = (p_team_id: string, p_campaign_id?: string) =>
    rpc("permissions_snapshot", { p_team_id, p_campaign_id });
  const inWide = { teamAccess: true, campaignAccess: true, permissionKeys: [] };
  expect(await readSnapshot("deep")).toEqual({ teamAccess: true, permissionKeys: keys });
  expect(await readSnapshot("wide", first)).toEqual(inWide);
  expect(await readSnapshot("wide", last)).toEqual({ ...inWide, permissionKeys: keys });
  expect(await readSnapshot("wide", "many-none")).toEqual({ ...inWide, campaignAccess: false });

  const place = (id: string, more: object) => ({ id, name: id, permissionKeys: [], ...more });
  const region = { timeZone: "UTC", locale: "en-US", secondFactorFrom: null };
  const campaignPlaces = campaigns.map((id) =>
    place(id, { archivedAt: null, canEdit: false, ...(id === last && { permissionKeys: keys }) }),
  );
  expect(await rpc("permission_places", {})).toEqual({
    teams: [
      place("deep", { ...region, permissionKeys: keys, campaigns: [] }),
      place("wide", { ...region, campaigns: campaignPlaces }),
    ],
  });
});

// Texts in the order of their code points; keys can't contain digits.
function many(count: number, name: (letters: string) => string) {
  const letter = (number: number) => String.fromCharCode(97 + (number % 26));
  return Array.from({ length: count }, (_, n) =>
    name(letter(Math.floor(n / 676)) + letter(Math.floor(n / 26)) + letter(n)),
  );
}
