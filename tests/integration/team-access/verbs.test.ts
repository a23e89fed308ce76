// The functions of `lib` on the real database: what screens get.
import { expect, test, vi } from "vitest";
import { describeEntry } from "@/components/activity/describe-entry";
import { type ActivityEntry, listActivity } from "@/lib/activity/activity";
import { listCampaignTeams, listSearchProfiles, readCampaignFacts, readTeamSettings } from "@/lib/campaigns/campaigns";
import { formatOf } from "@/lib/format/format-of";
import {
  acceptInvitation,
  createInvitations,
  listInvitations,
  makeInvitationLink,
  previewInvitations,
  readInvitation,
  revokeInvitations,
} from "@/lib/invitations/invitations";
import { explainAccess } from "@/lib/permissions/explain";
import { readMemberTeam } from "@/lib/permissions/list-places";
import { type PermissionKey, permissionKeys } from "@/lib/permissions/permission-keys";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { changeAccess, previewAccessChange } from "@/lib/team-access/change-access";
import { listHolders, listInactiveMemberships, membersCsv, readMemberFacts } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";
import { askForAccess, declineAccessRequest, listAccessRequests, listOwnRequests } from "@/lib/team-access/requests";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "./administered-team.ts";

const signedIn = vi.hoisted(() => ({ userId: "" }));
vi.mock("@/lib/auth/require-user", () => ({ requireUser: async () => signedIn }));

const database = await setUpTestDatabase();
setUpEnv({ ...(await database.serve()), SITE_URL: "https://signet.example" });
const team = await makeAdministeredTeam(database);

const as = (name: string) => ({ userId: team.person(name).id, email: "", sessionId: "", accessToken: "" });
const conflict = (done: Promise<unknown>, message = /./) =>
  expect(done).rejects.toMatchObject({ code: "conflict", message: expect.stringMatching(message) });

test("a change is previewed and made once, and a refusal says why", async () => {
  const userId = team.person("clerk").id;
  const [field = "", office = ""] = [team.roles["Field team"], team.roles.Office];
  const clerk = (from: "active" | "suspended", status: "active" | "suspended", roleId = field) => ({
    kind: "members" as const,
    team: "riverside",
    members: [{ userId, before: { roleId: field, status: from }, after: { roleId, status } }],
  });
  const suspends = clerk("active", "suspended");
  const effects = [
    {
      userId,
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
  ];
  expect(await previewAccessChange(as("admin"), suspends)).toMatchObject({ effects, invitations: [] });
  expect(await changeAccess(as("admin"), suspends)).toEqual({ takenOver: 0 });
  expect(await changeAccess(as("admin"), suspends)).toBe(null);
  await conflict(changeAccess(as("staff"), suspends), /no longer have permission/);
  await conflict(previewAccessChange(as("staff"), suspends));
  await conflict(changeAccess(as("admin"), clerk("active", "suspended", office)), /Someone else changed this/);
  expect(await changeAccess(as("admin"), clerk("suspended", "active"))).toEqual({ takenOver: 0 });
});

test("roles and sets are listed with their uses; a new set has its keys; no name is another's, not even in another case", async () => {
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
  const building = { builtIn: true, keys: ["charts.edit", "charts.view"], uses: 2 };
  expect(sets.find(({ name }) => name === "Chart editing")).toMatchObject(building);
  expect(teamSetIds).toEqual(Object.values(team.sets).sort());
  const places = campaigns.map(({ id, setIds }) => [id, setIds]);
  expect(places).toEqual(["clean-water", "open-parks", "safe-streets"].map((id) => [id, []]));

  const copy = {
    kind: "create-set" as const,
    team: "riverside",
    after: { name: "Our charts", description: null },
    keys: ["charts.view" as const, "charts.edit" as const],
  };
  expect(await changeAccess(as("admin"), copy)).not.toBe(null);
  const made = (await readTeamRoles("riverside")).sets.find(({ name }) => name === "Our charts");
  expect(made).toMatchObject({ builtIn: false, keys: ["charts.edit", "charts.view"] });
  await conflict(changeAccess(as("admin"), copy), /name is taken/);

  const makeRole = (name: string) => ({
    kind: "create-role" as const,
    team: "riverside",
    name,
    scope: "assigned" as const,
    setIds: [team.sets["Chart viewing"] ?? ""],
  });
  expect(await changeAccess(as("admin"), makeRole("Runner"))).not.toBe(null);
  const { roles: after } = await readTeamRoles("riverside");
  const runner = after.find(({ name }) => name === "Runner");
  expect(runner?.setIds).toEqual([team.sets["Chart viewing"]]);
  const roleId = runner?.id ?? "";
  const rename = (name: string) => ({
    ...makeRole(name),
    kind: "rename-role" as const,
    roleId,
    before: "Runner",
    after: name,
  });
  for (const taken of ["administrator", " Field TEAM "]) {
    for (const change of [makeRole(taken), rename(taken)])
      await conflict(changeAccess(as("admin"), change), /name is taken/);
  }
  expect(await changeAccess(as("admin"), rename("runner"))).not.toBe(null);
});

const invite = (email: string) => {
  const invitations = [{ email, name: null, roleId: team.roles.Member ?? "", campaigns: [] }];
  return createInvitations(as("admin"), { team: "riverside", mail: false, invitations });
};
const atOnce = <T>(times: number, run: () => Promise<T>) => Promise.allSettled(Array.from({ length: times }, run));

test("a link is made, read and listed, and lets in its address once, also with requests at once", async () => {
  await atOnce(2, () => invite("outsider@people.test"));
  const [{ id = "" } = {}, ...others] = await listInvitations("riverside");
  expect(others).toEqual([]);
  const input = { team: "riverside", id };
  const link = await makeInvitationLink(as("admin"), input);
  expect(await makeInvitationLink(as("admin"), input)).toBe(link);
  for (const of of ["riverside", "hillside"]) await conflict(makeInvitationLink(as("hill"), { ...input, team: of }));
  expect(link).toMatch(/^https:\/\/signet\.example\/invitation\/[A-Za-z0-9_-]{43}$/);
  const token = link.split("/").at(-1) ?? "";
  const state = { state: "open", team: "Riverside", role: "Member", mailed: false };
  expect(await readInvitation(token)).toMatchObject(state);
  for (const wrong of [`${token.slice(1)}A`, "nonsense"]) expect(await readInvitation(wrong)).toBe(null);
  expect(await listInvitations("riverside")).toMatchObject([{ email: "outsider@people.test", invitedBy: "admin" }]);

  await conflict(acceptInvitation(as("hill"), token), /another address/);
  const accepted = await atOnce(6, () => acceptInvitation(as("outsider"), token));
  const answers = accepted.map((response) =>
    response.status === "fulfilled" ? response.value : String(response.reason),
  );
  expect(answers.filter((response) => typeof response === "object")).toEqual([{ team: "riverside", campaign: null }]);
  expect(answers.filter((response) => /already been accepted/.test(String(response)))).toHaveLength(5);
  expect(await listInvitations("riverside")).toEqual([]);
});

test("a preview creates no invitation", async () => {
  const invitations = [{ email: "perhaps@people.test", name: null, roleId: team.roles.Member ?? "", campaigns: [] }];
  const { made } = await previewInvitations(as("admin"), { team: "riverside", mail: false, invitations });
  expect(made).toEqual([{ email: "perhaps@people.test" }]);
  expect(await listInvitations("riverside")).toEqual([]);
});

test("people get only their own inactive memberships", async () => {
  expect(await listInactiveMemberships(as("suspended"))).toEqual([
    {
      teamId: "riverside",
      team: { name: "Riverside", timeZone: "UTC", locale: "en-US" },
      status: "suspended",
      hasEnded: false,
    },
  ]);
  expect(await listInactiveMemberships(as("clerk"))).toEqual([]);
});

test("an invitation is revoked once, only by its team", async () => {
  const { made } = await invite("later@people.test");
  const input = { team: "riverside", ids: [made[0]?.id ?? ""] };
  await conflict(revokeInvitations(as("hill"), input));
  expect(await revokeInvitations(as("admin"), input)).toBe(1);
  await conflict(revokeInvitations(as("admin"), input));
  expect(await listInvitations("riverside")).toEqual([]);
});

test("a member asks for access, and an administrator declines", async () => {
  const clerk = as("clerk");
  const place = { team: "riverside", campaign: "clean-water" };
  const words = { page: "/riverside", reason: "For the report" };
  expect(await askForAccess(clerk, place, "charts.view", words)).toBe("asked");
  expect(await askForAccess(clerk, place, "charts.view", words)).toBe("already-asked");
  expect(await askForAccess(clerk, place, "voters.search", words)).toBe("already-granted");
  Object.assign(signedIn, clerk);
  expect(await listOwnRequests("riverside")).toMatchObject([{ campaign_id: "clean-water", key: "charts.view" }]);
  expect(await listOwnRequests("hillside")).toEqual([]);
  Object.assign(signedIn, as("admin"));
  expect(await listOwnRequests("riverside")).toEqual([]);
  const elsewhere = askForAccess(clerk, { team: "hillside" }, "charts.view", words);
  await expect(elsewhere).rejects.toMatchObject({ code: "not-found" });
  const [request] = await listAccessRequests("riverside");
  expect(request).toMatchObject({
    name: "clerk",
    campaign: { name: "Clean water" },
    key: "charts.view",
    granted: false,
    ...words,
  });
  const input = { team: "riverside", id: request?.id ?? "", answer: "Not now" };
  await conflict(declineAccessRequest(clerk, input));
  await declineAccessRequest(as("admin"), input);
  expect(await listAccessRequests("riverside")).toEqual([]);
});

test("the holders of a key are those whose snapshot has it, in the team and each campaign, with their sets", async () => {
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
  const from = (name: string, role: string | null, campaignRole: string | null) => ({
    name,
    role,
    campaignRole,
    direct: false,
    sets: ["Signature entry"],
  });
  expect(enter).toMatchObject([from("admin", "Administrator", null), from("clerk", null, "Signature clerk")]);
});

test("the filtered members are exported to a file without formulas", async () => {
  const rename = (name: string) =>
    database.sql("update public.profiles set name = $1 where user_id = $2", [name, team.person("analyst").id]);
  await rename("=1+1");
  const filter = { words: "people.test", campaign: "clean-water", sort: "-name" as const };
  const { text, rowCount } = await membersCsv("riverside", filter);
  await rename("analyst");
  const lines = text.trimEnd().split("\r\n");
  expect(rowCount).toBe(lines.length - 1);
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    '\uFEFF"Name"',
    '"suspended"',
    '"staff"',
    '"clerk"',
    '"canvasser"',
    '"admin"',
    `"'=1+1"`,
  ]);
  expect(lines[3]).toBe('"clerk","clerk@people.test","Field team","active","","Clean water (Signature clerk)"');
});

test("the settings of a team, the teams that run its campaigns, and its configured searches are read", async () => {
  const settings = {
    name: "Hillside",
    timeZone: "UTC",
    locale: "en-US",
    linesPerSheet: 20,
    eraseAfterDays: null,
    secondFactor: "optional",
  };
  expect(await readTeamSettings("hillside")).toEqual(settings);
  const runBy = { id: "riverside", name: "Riverside" };
  expect(await listCampaignTeams("hillside")).toEqual(
    new Map([
      ["open-parks", { runBy, sharedWith: [] }],
      ["hill-only", { runBy: { id: "hillside", name: "Hillside" }, sharedWith: [] }],
    ]),
  );
  expect((await listCampaignTeams("riverside")).get("open-parks")).toEqual({ runBy, sharedWith: ["Hillside"] });
  for (const name of ["NY", "OH"]) vi.stubEnv(`SEARCHSVC_URL_${name}`, "https://search.example");
  await database.sql(
    "insert into public.team_search_profiles values ('riverside', 'NY'), ('riverside', 'TX'), ('hillside', 'OH')",
  );
  expect(await listSearchProfiles("riverside")).toEqual(["NY"]);
});

test("the facts of a campaign have its percentages as numbers", async () => {
  const check = { safetyMargin: 10, officialRejection: 2.5, samplePercent: 3, passPercent: 110, failPercent: 95 };
  await database.sql(`update public.campaigns set required_signatures = 400, safety_margin = 10, official_rejection = 2.5,
    check_method = 'sample', sample_percent = 3, sample_minimum = 500, pass_percent = 110, fail_percent = 95
    where id = 'hill-only'`);
  expect(await readCampaignFacts("hill-only")).toMatchObject({
    ...check,
    requiredSignatures: 400,
    checkMethod: "sample",
  });
});

test("access is explained, and what is missing", async () => {
  const place = { team: "riverside", campaign: "clean-water" };
  const can = await explainAccess(team.person("clerk").id, place, "signatures.enter");
  expect(can).toMatchObject({ granted: true, campaignRole: "Signature clerk", membership: { role: "Field team" } });
  const holding = can.rules.filter(({ holds }) => holds);
  expect(holding.map(({ rule, source, sets }) => [rule, source, sets.map(({ name }) => name)])).toEqual([
    [2, "team_users", []],
    [5, "campaign_user_roles_team", []],
    [7, "role_p_sets", ["Signature entry"]],
  ]);
  const cannot = await explainAccess(team.person("clerk").id, place, "charts.view");
  expect(cannot.granted).toBe(false);
  const applying = cannot.rules.filter(({ applies, rule }) => applies && rule !== 5);
  expect(applying.map(({ source, holds, without }) => [source, holds, without.map(({ name }) => name)])).toEqual([
    ["team_users", true, []],
    ["role_p_sets", false, ["Voter search"]],
    ["role_p_sets", false, ["Campaign overview", "Signature entry", "Voter search"]],
    ["campaign_user_team_sets", false, []],
  ]);
});

const describe = (entry: ActivityEntry) => describeEntry(entry, formatOf());

test("the activity is searched for the words that readers see, among all entries, in pages", async () => {
  await database.sql(`insert into public.audit_log (team_id, actor_name, action, table_name, before, after)
    select 'riverside', case n when 3 then 'Garcia' else 'Jun' end, 'update', 'lines', '{"sheet": 170, "line": 2}',
      jsonb_build_object('kind', case when n in (2, 3, 4, 2500) then 'moved' else 'restored' end, 'sheet', 170, 'line', n)
    from generate_series(1, 2600) n`);
  const line = ({ after }: ActivityEntry) => after?.line;
  const first = await listActivity("riverside", { words: "MOVED sheet  170" }, describe, 3);
  expect(first.entries.map(line)).toEqual([2500, 4, 3]);
  const second = await listActivity("riverside", { words: "moved sheet 170", before: Number(first.next) }, describe, 3);
  expect([second.entries.map(line), second.next]).toEqual([[2], null]);
  expect((await listActivity("riverside", { words: "moved garcia" }, describe)).entries.map(line)).toEqual([3]);
  expect((await listActivity("riverside", { words: "moved nothing-of-it" }, describe)).entries).toEqual([]);
});

test("the activity is read in pages", async () => {
  const admin = as("admin");
  const after = { name: '=HYPERLINK("x")', description: null };
  await changeAccess(admin, { kind: "create-set", team: "riverside", after, keys: [] });
  const { entries, next } = await listActivity("riverside", {}, describe, 2);
  expect(entries).toHaveLength(2);
  const newest = { actor: "admin", action: "insert", table: "permission_sets", subject: null };
  expect(entries[0]).toMatchObject(newest);
  expect(next).toBe(entries[1]?.id);
  const roles = await listActivity("riverside", { area: "roles", actor: admin.userId }, describe);
  expect(new Set(roles.entries.map(({ table }) => table))).toEqual(
    new Set(["permission_sets", "permission_set_keys", "roles", "role_p_sets"]),
  );
});

test("a member's permissions are read by place as in force, only in the team asked about", async () => {
  const readAs = async (name: string, teamId = "riverside") => {
    const access = await readMemberTeam(team.person(name).id, teamId);
    return access && { id: access.id, team: access.permissionKeys, campaigns: access.campaigns.map(({ id }) => id) };
  };
  expect(await readAs("staff")).toMatchObject({ id: "riverside", campaigns: ["clean-water"] });
  expect(await readAs("staff", "hillside")).toBeNull();
  expect(await readAs("suspended")).toBeNull();
});

test("a member's page has when they joined and were last active in this team, and whether they have a second factor", async () => {
  const { id } = team.person("analyst");
  const facts = await readMemberFacts("riverside", id);
  expect(facts).toEqual({ joinedAt: expect.any(String), lastActiveAt: null, hasSecondFactor: false });
  expect(await readMemberFacts("hillside", id)).toMatchObject({ joinedAt: null });
  await database.sql(
    "insert into public.read_log (actor_id, team_id, kind, filter, row_count) values ($1, 'riverside', 'sign-in', '{}', 0)",
    [id],
  );
  await database.sql(`update auth.users set raw_app_meta_data = '{"second_factor": true}' where id = $1`, [id]);
  const { lastActiveAt, hasSecondFactor } = await readMemberFacts("riverside", id);
  expect([Date.parse(lastActiveAt ?? "") >= Date.parse(facts.joinedAt ?? ""), hasSecondFactor]).toEqual([true, true]);
});
