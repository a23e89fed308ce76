// Which search profiles a person can use, in a real database. tests/unit/voters/essearch-routes.test.ts tests the search.
import { beforeAll, expect, test } from "vitest";
import { searchCredentials, searchProfile } from "../../../lib/voters/search-profile.ts";
import { emptyWorld, insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

const database = await setUpTestDatabase();
setUpEnv({
  ...(await database.serve()),
  SEARCHSVC_URL_NY: "http://ny.test",
  SEARCHSVC_URL_OH: "http://oh.test",
  SEARCHSVC_API_EMAIL_SEARCH: "common",
  SEARCHSVC_API_PASSWORD_SEARCH: "common",
});

// lakes is searched with NY, rivers with the common profile. `ann` can search in lakes, `ben` only in rivers, `cleo` in rivers
// but only see lakes, `dan` in the team but in no campaign, `fay` as administrator, `gus` like ann until suspended, and `hal`
// in lakes through another team, which has left it.
beforeAll(async () => {
  const lakes = { team_id: "north", campaign_id: "lakes" };
  const rivers = { team_id: "north", campaign_id: "rivers" };
  const member = { team_id: "north", role_id: "member", status: "active" } as const;
  await insertUsers(database, ["ann", "ben", "cleo", "dan", "fay", "gus", "hal"]);
  await insertWorld(database, {
    ...emptyWorld,
    teams: [{ id: "north" }, { id: "south" }],
    campaigns: [{ id: "lakes" }, { id: "rivers" }],
    campaign_team: [lakes, rivers],
    roles: [
      { id: "administrator", team_id: null, scope: "inherit_team" },
      { id: "member", team_id: null, scope: "assigned" },
      { id: "searcher", team_id: null, scope: "assigned" },
    ],
    permission_sets: ["searching", "looking"].map((id) => ({ id, team_id: null })),
    permission_set_keys: [
      { permission_set_id: "searching", key: "voters.search" },
      { permission_set_id: "looking", key: "campaign.view" },
    ],
    role_p_sets: [{ role_id: "searcher", permission_set_id: "searching" }],
    team_p_sets: [{ team_id: "north", permission_set_id: "searching" }],
    team_users: [
      ...["ann", "ben", "cleo"].map((user_id) => ({ ...member, user_id })),
      { ...member, user_id: "dan", role_id: "searcher" },
      { ...member, user_id: "fay", role_id: "administrator" },
      { ...member, user_id: "gus", status: "suspended" },
      { ...member, user_id: "hal", team_id: "south", role_id: "administrator" },
    ],
    campaign_user_team_sets: [
      { user_id: "ann", ...lakes, permission_set_id: "searching" },
      { user_id: "ben", ...rivers, permission_set_id: "searching" },
      { user_id: "cleo", ...rivers, permission_set_id: "searching" },
      { user_id: "cleo", ...lakes, permission_set_id: "looking" },
      { user_id: "gus", ...lakes, permission_set_id: "searching" },
    ],
    campaign_team_sets: [{ team_id: "south", campaign_id: "lakes", permission_set_id: "searching" }],
  });
  await setProfile("NY");
});

const setProfile = (id: string) =>
  database.sql("update public.campaigns set search_profile = $1 where id = 'lakes'", [id]);
const profileOf = (name: string, profile = "NY") => searchProfile(uuidOf(name), searchCredentials(profile));
const refusal = expect.objectContaining({
  code: "forbidden",
  message: expect.stringContaining("in a campaign with this search profile"),
});

test.each(["ann", "fay"])("%s can use the profile of their campaign", async (name) => {
  expect(await profileOf(name)).toMatchObject({ url: "http://ny.test", cookieName: "searchsvc_token_ny" });
});

test.each(["ben", "cleo", "dan", "gus", "hal"])(
  "%s can't use the profile of a campaign in which they can't search",
  async (name) => {
    await expect(profileOf(name)).rejects.toEqual(refusal);
  },
);

test("no one can use a profile that no campaign has", async () => {
  await expect(profileOf("fay", "OH")).rejects.toEqual(refusal);
});

test("a revoke applies to the next search", async () => {
  await setProfile("OH");
  await expect(profileOf("ann")).rejects.toEqual(refusal);
  await setProfile("NY");
  expect(await profileOf("ann")).toMatchObject({ url: "http://ny.test" });
});

test("a failed read is 503, not a refusal", async () => {
  await database.sql("alter function public.searches_with_profile rename to searches_away");
  try {
    const message = "Couldn't load the data. Try again in a moment.";
    await expect(profileOf("ann")).rejects.toMatchObject({ code: "unavailable", message });
  } finally {
    await database.sql("alter function public.searches_away rename to searches_with_profile");
  }
});
