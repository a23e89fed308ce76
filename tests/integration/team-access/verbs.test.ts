// The verbs of `lib` against the real database: what screens are told.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { permissionKeySchema } from "@/lib/permissions/permission-key-schema";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, makeAdministeredTeam } from "./administered-team.ts";

let database: TestDatabase;
let team: AdministeredTeam;
let signedIn: Person;
vi.mock("@/lib/supabase/admin", () => ({ createAdminClient: () => database.client("service") }));

const { activityCsv } = await import("@/lib/activity/activity-csv");
const { listActivity } = await import("@/lib/activity/list-activity");
const { listTeamRunners } = await import("@/lib/campaigns/list-team-runners");
const { readTeamSettings } = await import("@/lib/campaigns/read-team-settings");
const { acceptInvitation } = await import("@/lib/invitations/accept-invitation");
const { createInvitations } = await import("@/lib/invitations/create-invitations");
const { makeInvitationLink } = await import("@/lib/invitations/make-invitation-link");
const { listInvitations } = await import("@/lib/invitations/list-invitations");
const { readInvitation } = await import("@/lib/invitations/read-invitation");
const { revokeInvitation } = await import("@/lib/invitations/revoke-invitation");
const { explainAccess } = await import("@/lib/permissions/explain-access");
const { askForAccess } = await import("@/lib/team-access/ask-for-access");
const { changeAccess } = await import("@/lib/team-access/change-access");
const { closeAccessRequest } = await import("@/lib/team-access/close-access-request");
const { listAccessRequests } = await import("@/lib/team-access/list-access-requests");
const { membersCsv } = await import("@/lib/team-access/members-csv");
const { previewAccessChange } = await import("@/lib/team-access/preview-access-change");
const { listHolders } = await import("@/lib/team-access/list-holders");
const { listMembers } = await import("@/lib/team-access/list-members");
const { readTeamRoles } = await import("@/lib/team-access/read-team-roles");

beforeAll(async () => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://127.0.0.1");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_x");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_x");
  vi.stubEnv("SITE_URL", "https://signet.example");
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.close();
});
beforeEach(() => {
  signedIn = team.person("admin");
});

const session = () => ({ userId: signedIn.id, email: "", sessionId: "", accessToken: signedIn.token });

const memberChange = async (status: "active" | "suspended") => {
  const members = await listMembers("riverside");
  const clerk = members.find(({ email }) => email === "clerk@people.test");
  if (!clerk) throw new Error("The clerk is no member.");
  const { userId, roleId } = clerk;
  const before = { roleId, status: clerk.status };
  return { kind: "members" as const, team: "riverside", members: [{ userId, before, after: { roleId, status } }] };
};

test("a change is previewed, made, and made once; the one who may not is told why", async () => {
  const change = await memberChange("suspended");
  expect(await previewAccessChange(session(), change)).toEqual([
    {
      userId: team.person("clerk").id,
      name: "clerk",
      places: [
        { campaign: null, access: "closes", gains: [], losses: ["voters.search"] },
        {
          campaign: { id: "clean-water", name: "Clean water" },
          access: "closes",
          gains: [],
          losses: ["campaign.view", "signatures.enter", "signatures.view", "voters.search"],
        },
      ],
    },
  ]);
  expect(await changeAccess(session(), change)).toBe(true);
  expect(await changeAccess(session(), change)).toBe(false);

  const rows = await administeredRows(database);
  signedIn = team.person("staff");
  await expect(changeAccess(session(), change)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/may not change this any more/),
  });
  await expect(previewAccessChange(session(), change)).rejects.toMatchObject({ code: "conflict" });
  signedIn = team.person("admin");
  const stale = {
    ...change,
    members: change.members.map((one) => ({ ...one, after: { ...one.after, roleId: team.roles.Office ?? "" } })),
  };
  await expect(changeAccess(session(), stale)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/changed meanwhile/),
  });
  expect(await administeredRows(database)).toEqual(rows);
  expect(await changeAccess(session(), await memberChange("active"))).toBe(true);
});

test("what may not be taken from administrators is told before and after it is tried", async () => {
  const { teamSetIds: before } = await readTeamRoles("riverside");
  const without = (name: string) => ({
    kind: "team-sets" as const,
    team: "riverside",
    before,
    after: before.filter((id) => id !== team.sets[name]),
  });
  const told = async (name: string, message: RegExp) => {
    await expect(previewAccessChange(session(), without(name))).rejects.toMatchObject({ code: "conflict", message });
    await expect(changeAccess(session(), without(name))).rejects.toMatchObject({ code: "conflict", message });
  };
  await told(
    "Team administration",
    /^The administrators of the team would no longer manage .* Leave them .* with both;/,
  );

  const managing = [team.roles.Office, team.sets["Team administration"]];
  await database.sql("insert into public.role_p_sets values ($1, $2)", managing);
  signedIn = team.person("staff");
  await told(
    "Chart building",
    /^The administrators would lose a permission that you could not give back .* Ask one of them/,
  );
  await database.sql("delete from public.role_p_sets where role_id = $1 and permission_set_id = $2", managing);
  expect((await readTeamRoles("riverside")).teamSetIds).toEqual(before);
});

test("roles, sets and bundles are listed with what uses them", async () => {
  const { roles, sets, teamSetIds, campaigns } = await readTeamRoles("riverside");
  expect(roles.find(({ name }) => name === "Field team")).toEqual({
    id: team.roles["Field team"],
    name: "Field team",
    builtIn: true,
    scope: "assigned",
    setIds: [team.sets["Voter search"]],
    members: 3,
    inCampaigns: 0,
    invitations: 0,
  });
  expect(sets.find(({ name }) => name === "Chart building")).toMatchObject({
    builtIn: true,
    keys: ["charts.edit", "charts.view"],
    uses: 2,
  });
  expect(teamSetIds).toEqual(Object.values(team.sets).sort());
  expect(campaigns.map(({ id, setIds }) => [id, setIds])).toEqual([
    ["clean-water", []],
    ["open-parks", []],
    ["safe-streets", []],
  ]);
});

const invitationOf = (email: string) => ({
  team: "riverside",
  mail: false,
  invitations: [{ email, name: null, roleId: team.roles.Member ?? "", campaigns: [] }],
});

test("a link is made, read, listed, and lets its address in", async () => {
  const { made } = await createInvitations(session(), invitationOf("outsider@people.test"));
  const [{ id } = { id: "" }] = made;
  const link = await makeInvitationLink(session(), { team: "riverside", id });
  expect(await makeInvitationLink(session(), { team: "riverside", id })).toBe(link);
  signedIn = team.person("hill");
  await expect(makeInvitationLink(session(), { team: "riverside", id })).rejects.toMatchObject({ code: "conflict" });
  await expect(makeInvitationLink(session(), { team: "hillside", id })).rejects.toMatchObject({ code: "conflict" });
  signedIn = team.person("admin");
  expect(link).toMatch(/^https:\/\/signet\.example\/invitation\/[A-Za-z0-9_-]{43}$/);
  const token = link.split("/").at(-1) ?? "";
  expect(await readInvitation(token)).toMatchObject({
    state: "open",
    team: "Riverside",
    role: "Member",
    mailed: false,
  });
  expect(await readInvitation(`${token.slice(1)}A`)).toBe(null);
  expect(await readInvitation("nonsense")).toBe(null);
  expect(await listInvitations("riverside")).toMatchObject([{ email: "outsider@people.test", invitedBy: "admin" }]);

  signedIn = team.person("hill");
  await expect(acceptInvitation(session(), token)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/another address/),
  });
  signedIn = team.person("outsider");
  expect(await acceptInvitation(session(), token)).toEqual({ team: "riverside", campaign: null });
  await expect(acceptInvitation(session(), token)).rejects.toMatchObject({
    message: expect.stringMatching(/works once/),
  });
  expect(await listInvitations("riverside")).toEqual([]);
});

test("an invitation is revoked once, and by nobody else", async () => {
  await createInvitations(session(), invitationOf("later@people.test"));
  const [{ id } = { id: "" }] = await listInvitations("riverside");
  signedIn = team.person("hill");
  await expect(revokeInvitation(session(), { team: "riverside", id })).rejects.toMatchObject({ code: "conflict" });
  signedIn = team.person("admin");
  await revokeInvitation(session(), { team: "riverside", id });
  await expect(revokeInvitation(session(), { team: "riverside", id })).rejects.toMatchObject({ code: "conflict" });
  expect(await listInvitations("riverside")).toEqual([]);
});

test("a member asks, and an administrator closes", async () => {
  signedIn = team.person("clerk");
  const place = { team: "riverside", campaign: "clean-water" };
  expect(await askForAccess(session(), place, "charts.view", "/riverside")).toBe("asked");
  expect(await askForAccess(session(), place, "charts.view", "/riverside")).toBe("asked-already");
  expect(await askForAccess(session(), place, "voters.search", null)).toBe("held");
  await expect(askForAccess(session(), { team: "hillside" }, "charts.view", null)).rejects.toMatchObject({
    code: "not-found",
  });
  const [request] = await listAccessRequests("riverside");
  expect(request).toMatchObject({ name: "clerk", campaign: { name: "Clean water" }, key: "charts.view", held: false });
  await expect(closeAccessRequest(session(), { team: "riverside", id: request?.id ?? "" })).rejects.toMatchObject({
    code: "conflict",
  });
  signedIn = team.person("admin");
  await closeAccessRequest(session(), { team: "riverside", id: request?.id ?? "" });
  expect(await listAccessRequests("riverside")).toEqual([]);
});

test("who holds a key is who holds it by her snapshot, in the team and in each campaign, with the sets that give it", async () => {
  const held = async (campaign: string | undefined, key: PermissionKey) => {
    const rows = await database.sql<{ name: string }>(
      `select p.name from public.profiles p
       cross join lateral public.permissions_snapshot(p.user_id, 'riverside', $1) s
       where s -> 'permissionKeys' ? $2 and s ->> case when $1 is null then 'teamAccess' else 'campaignAccess' end = 'true'
       order by p.name`,
      [campaign ?? null, key],
    );
    return rows.map(({ name }) => name);
  };
  let all = 0;
  for (const campaign of [undefined, "clean-water", "open-parks"]) {
    for (const key of permissionKeySchema.array().parse(Object.keys(permissionKeys))) {
      const holders = await listHolders({ team: "riverside", ...(campaign && { campaign }) }, key);
      expect([campaign, key, holders.map(({ name }) => name)]).toEqual([campaign, key, await held(campaign, key)]);
      expect(holders.filter(({ sets }) => sets.length === 0)).toEqual([]);
      all += holders.length;
    }
  }
  expect(all).toBeGreaterThan(30);
  const enter = await listHolders({ team: "riverside", campaign: "clean-water" }, "signatures.enter");
  expect(enter).toMatchObject([{ name: "admin" }, { name: "clerk", role: "Field team", sets: ["Signature entry"] }]);
});

test("the members come as a file, as the filter says, in which nothing is a formula", async () => {
  await database.sql("update public.profiles set name = '=1+1' where user_id = $1", [team.person("analyst").id]);
  const { text, rowCount } = await membersCsv("riverside", {
    words: "people.test",
    campaign: "clean-water",
    sort: "-name",
  });
  const lines = text.trimEnd().split("\r\n");
  expect(rowCount).toBe(lines.length - 1);
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    '\uFEFF"Name"',
    ...['"suspended"', '"staff"', '"clerk"', '"canvasser"', '"admin"', `"'=1+1"`],
  ]);
  expect(lines[3]).toBe('"clerk","clerk@people.test","Field team","active","Clean water (Signature clerk)"');
  await database.sql("update public.profiles set name = 'analyst' where user_id = $1", [team.person("analyst").id]);
});

test("what is set for a team, and who runs its campaigns", async () => {
  expect(await readTeamSettings("hillside")).toEqual({
    ...{ name: "Hillside", timeZone: "UTC", locale: "en-US", linesPerSheet: 20 },
  });
  expect(await listTeamRunners("hillside")).toEqual(
    new Map([
      ["open-parks", { id: "riverside", name: "Riverside" }],
      ["hill-only", { id: "hillside", name: "Hillside" }],
    ]),
  );
});

test("why she can, and what is missing", async () => {
  const clerk = team.person("clerk").id;
  const can = await explainAccess(clerk, { team: "riverside", campaign: "clean-water" }, "signatures.enter");
  expect(can).toMatchObject({ held: true, campaignRole: "Signature clerk", membership: { role: "Field team" } });
  expect(
    can.rules
      .filter(({ holds }) => holds)
      .map(({ rule, source, sets }) => [rule, source, sets.map(({ name }) => name)]),
  ).toEqual([
    [2, "team_users", []],
    [5, "campaign_user_roles_team", []],
    [7, "role_p_sets", ["Signature entry"]],
  ]);
  const cannot = await explainAccess(clerk, { team: "riverside", campaign: "clean-water" }, "charts.view");
  expect(cannot.held).toBe(false);
  expect(
    cannot.rules
      .filter(({ applies, rule }) => applies && rule !== 5)
      .map(({ source, holds, without }) => [source, holds, without.map(({ name }) => name)]),
  ).toEqual([
    ["team_users", true, []],
    ["role_p_sets", false, ["Voter search"]],
    ["role_p_sets", false, ["Campaign overview", "Signature entry", "Voter search"]],
    ["campaign_user_team_sets", false, []],
  ]);
});

test("the activity comes in pages, and as a file with all of it, in which nothing is a formula", async () => {
  await changeAccess(session(), {
    kind: "create-set",
    team: "riverside",
    after: { name: '=HYPERLINK("x")', description: null },
    keys: [],
  });
  const { entries, next } = await listActivity("riverside", {}, 2);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ actor: "admin", action: "insert", table: "permission_sets", subject: null });
  expect(next).toBe(entries[1]?.id);
  const roles = await listActivity("riverside", { area: "roles", actor: signedIn.id });
  expect(new Set(roles.entries.map(({ table }) => table))).toEqual(new Set(["permission_sets"]));

  await database.sql("update public.profiles set name = '=1+1' where user_id = $1", [signedIn.id]);
  await changeAccess(session(), { kind: "create-role", team: "riverside", name: "Last", scope: "assigned" });
  const { text, rowCount } = await activityCsv("riverside", {}, 3);
  const lines = text.trimEnd().split("\r\n");
  expect(rowCount).toBe(lines.length - 1);
  const [{ count = 0 } = {}] = await database.sql<{ count: number }>(
    "select count(*)::int as count from public.audit_log where team_id = 'riverside'",
  );
  expect(lines).toHaveLength(count + 1);
  expect(lines[1]).toContain(`"'=1+1","insert","roles"`);
});

test("a set is copied with its keys, all of it or nothing", async () => {
  const copy = (name: string) => ({
    ...{ kind: "create-set" as const, team: "riverside", after: { name, description: null } },
    keys: ["charts.view" as const, "charts.edit" as const],
  });
  expect(await changeAccess(session(), copy("Our charts"))).toBe(true);
  const { sets } = await readTeamRoles("riverside");
  const made = sets.find(({ name }) => name === "Our charts");
  expect(made).toMatchObject({ builtIn: false, keys: ["charts.edit", "charts.view"] });
  await expect(changeAccess(session(), copy("Our charts"))).rejects.toMatchObject({
    message: expect.stringMatching(/with this name already/),
  });
  await changeAccess(session(), { kind: "delete-set", team: "riverside", setId: made?.id ?? "" });
});
