import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await insertUsers(database, ["zoe"]);
});
afterAll(() => database.close());

test("a campaign without its team is an error, never an answer", async () => {
  const body = { p_user_id: uuidOf("zoe"), p_campaign_id: "lakes" };
  expect(await database.rest("rpc/permissions_snapshot", { as: "service", body })).toEqual({
    status: 400,
    body: { code: "22023", details: null, hint: null, message: "A campaign needs its team." },
  });
});

// REST cuts lists at 1000 rows without a word (traps.md, Supabase 1).
describe("beyond 1000 rows", () => {
  const keys = many(1100, (letters) => `many.${letters}`);
  const campaigns = many(1100, (letters) => `many-${letters}`);

  const first = campaigns.at(0) ?? "";
  const last = campaigns.at(-1) ?? "";

  // All keys are team keys in one team, and keys of the last of all campaigns in the other.
  beforeAll(async () => {
    const role_id = "large-administrator";
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
  });

  test("a snapshot holds each key and knows each campaign", async () => {
    const ask = async (p_team_id: string, p_campaign_id?: string) => {
      const body = { p_user_id: uuidOf("zoe"), p_team_id, p_campaign_id };
      return (await database.rest("rpc/permissions_snapshot", { as: "service", body })).body;
    };
    expect(await ask("deep")).toEqual({ teamAccess: true, permissionKeys: keys });
    expect(await ask("wide", first)).toEqual({ teamAccess: true, campaignAccess: true, permissionKeys: [] });
    expect(await ask("wide", last)).toEqual({ teamAccess: true, campaignAccess: true, permissionKeys: keys });
    expect(await ask("wide", "many-none")).toEqual({ teamAccess: true, campaignAccess: false, permissionKeys: [] });
  });

  test("permission_places has each campaign and each key", async () => {
    const answer = await database.rest("rpc/permission_places", { as: "service", body: { p_user_id: uuidOf("zoe") } });
    const team = (id: string) => ({ id, name: id, timeZone: "UTC", locale: "en-US" });
    expect(answer).toEqual({
      status: 200,
      body: {
        teams: [
          { ...team("deep"), permissionKeys: keys, campaigns: [] },
          {
            ...team("wide"),
            permissionKeys: [],
            campaigns: campaigns.map((id) => ({
              id,
              name: id,
              archivedAt: null,
              permissionKeys: id === last ? keys : [],
            })),
          },
        ],
      },
    });
  });
});

// Texts in the order of their code points; keys may hold no digits.
function many(count: number, name: (letters: string) => string) {
  const letter = (number: number) => String.fromCharCode(97 + (number % 26));
  return Array.from({ length: count }, (_, n) =>
    name(letter(Math.floor(n / 676)) + letter(Math.floor(n / 26)) + letter(n)),
  );
}
