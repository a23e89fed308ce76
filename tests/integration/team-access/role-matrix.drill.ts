import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invite } from "../../support/invite.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import {
  type AdministeredTeam,
  administeredRows,
  callFor,
  demoNames,
  makeAdministeredTeam,
} from "./administered-team.ts";

// Each demo person × each change, called past the screens and the guards: allowed for the administrator of the team,
// refused for everyone else, and nothing is different after a refusal.

let database: TestDatabase;
let session: SqlSession;
let team: AdministeredTeam;
let teamRole: string;
let teamSet: string;
let unusedSet: string;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await openSqlSession(database);
  team = await makeAdministeredTeam(database);
  const one = async (statement: string) => {
    const [row] = await database.sql<{ id: string }>(`${statement} returning id`);
    return row?.id ?? "";
  };
  teamRole = await one("insert into public.roles (team_id, name) values ('riverside', 'Helpers')");
  teamSet = await one("insert into public.permission_sets (team_id, name) values ('riverside', 'Helping')");
  unusedSet = await one("insert into public.permission_sets (team_id, name) values ('riverside', 'Unused')");
  await database.sql("insert into public.role_p_sets values ($1, $2)", [teamRole, teamSet]);
  await database.sql("insert into public.team_search_profiles values ('riverside', 'NY')");
  // One that another team runs.
  await database.sql("insert into public.campaigns (id, name, team_id) values ('shared', 'Shared', 'hillside')");
  await database.sql("insert into public.campaign_team values ('hillside', 'shared'), ('riverside', 'shared')");
  // A campaign comes from a team that its bringer manages too.
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'hillside', $2, 'active')",
    [team.person("admin").id, team.roles.Administrator],
  );
});
afterAll(async () => {
  await session.close();
  await database.close();
});

const member = (name: string, role: string) => ({
  userId: team.person(name).id,
  before: { roleId: team.roles[role], status: "active" },
});
const newTexts = { name: "Clean water", signatureGoal: null, startsOn: null, endsOn: null };
const texts = { ...newTexts, linesPerSheet: 20, searchProfile: null, archived: false };
const settings = { name: "Riverside", timeZone: "UTC", locale: "en-US", linesPerSheet: 20 };
const nowhere = { roleId: null, setIds: [] };

const changes: Record<string, () => object> = {
  "suspends a member": () => ({
    kind: "members",
    members: [{ ...member("clerk", "Field team"), after: { roleId: team.roles["Field team"], status: "suspended" } }],
  }),
  "gives a member another role": () => ({
    kind: "members",
    members: [{ ...member("clerk", "Field team"), after: { roleId: team.roles.Office, status: "active" } }],
  }),
  "changes several members at once": () => ({
    kind: "members",
    members: ["clerk", "canvasser"].map((name) => ({
      ...member(name, "Field team"),
      after: { roleId: team.roles.Member, status: "active" },
    })),
  }),
  "removes a member": () => ({ kind: "members", members: [{ ...member("clerk", "Field team"), after: null }] }),
  "reactivates a member": () => ({
    kind: "members",
    members: [
      {
        userId: team.person("suspended").id,
        before: { roleId: team.roles["Field team"], status: "suspended" },
        after: { roleId: team.roles["Field team"], status: "active" },
      },
    ],
  }),
  "gives a member a campaign, with a role and a set": () => ({
    kind: "campaigns",
    places: [
      {
        userId: team.person("clerk").id,
        campaign: "safe-streets",
        before: nowhere,
        after: { roleId: team.roles.Canvasser, setIds: [team.sets["Chart reading"]] },
      },
    ],
  }),
  "takes a member out of a campaign": () => ({
    kind: "campaigns",
    places: [
      {
        userId: team.person("clerk").id,
        campaign: "clean-water",
        before: { roleId: team.roles["Signature clerk"], setIds: [] },
        after: nowhere,
      },
    ],
  }),
  "creates a campaign": () => ({
    kind: "create-campaign",
    campaign: "new-one",
    after: { ...newTexts, name: "New one" },
  }),
  "changes the team": () => ({
    kind: "edit-team",
    before: settings,
    after: { name: "Rivers", timeZone: "Europe/Berlin", locale: "de-DE", linesPerSheet: 10 },
  }),
  "hands a campaign over": () => ({ kind: "hand-over-campaign", campaign: "open-parks", to: "hillside" }),
  "takes a campaign out": () => ({ kind: "detach-campaign", campaign: "shared" }),
  "edits a campaign": () => ({
    kind: "edit-campaign",
    campaign: "clean-water",
    before: texts,
    after: {
      ...{ ...texts, name: "Cleaner water", signatureGoal: 10, startsOn: "2026-01-01", endsOn: "2026-02-01" },
      ...{ linesPerSheet: 25, searchProfile: "NY" },
    },
  }),
  "archives a campaign": () => ({
    kind: "edit-campaign",
    campaign: "clean-water",
    before: texts,
    after: { ...texts, archived: true },
  }),
  "attaches a campaign": () => ({ kind: "attach-campaign", campaign: "hill-only" }),
  "creates a role": () => ({ kind: "create-role", name: "Drivers", scope: "assigned" }),
  "renames a role": () => ({ kind: "rename-role", roleId: teamRole, before: "Helpers", after: "Helping hands" }),
  "deletes a role": () => ({ kind: "delete-role", roleId: teamRole }),
  "changes what a role bundles": () => ({
    kind: "role-sets",
    roleId: teamRole,
    before: [teamSet],
    after: [team.sets["Chart reading"]],
  }),
  "creates a permission set": () => ({
    kind: "create-set",
    after: { name: "Driving", description: null },
    keys: ["charts.view"],
  }),
  "edits a permission set": () => ({
    kind: "edit-set",
    setId: teamSet,
    before: { name: "Helping", description: null },
    after: { name: "Helping", description: "What helpers do." },
  }),
  "deletes a permission set": () => ({ kind: "delete-set", setId: unusedSet }),
  "changes the keys of permission sets": () => ({
    kind: "set-keys",
    sets: [
      { setId: teamSet, before: [], after: ["charts.view"] },
      { setId: unusedSet, before: [], after: ["voters.search", "charts.view"] },
    ],
  }),
  "changes what administrators hold in the team": () => ({
    kind: "team-sets",
    before: Object.values(team.sets),
    after: Object.values(team.sets).filter((id) => id !== team.sets["Chart building"]),
  }),
  "changes what administrators hold in a campaign": () => ({
    kind: "campaign-sets",
    campaign: "clean-water",
    before: [],
    after: [team.sets["Chart building"]],
  }),
};

const call = async (name: string, change: object, verb = "change_access") =>
  callFor(database, team.person(name), verb, { p_change: change });

describe.each(Object.keys(changes))("%s", (what) => {
  const change = () => ({ team: "riverside", ...changes[what]?.() });

  test.each(demoNames.filter((name) => name !== "admin"))("%s may not, and nothing is different", async (name) => {
    const before = await administeredRows(database);
    expect(await call(name, change())).toEqual({ status: 200, body: { outcome: "not-allowed" } });
    expect(await call(name, change(), "preview_access_change")).toEqual({
      status: 200,
      body: { outcome: "not-allowed" },
    });
    expect(await administeredRows(database)).toEqual(before);
  });

  test("the administrator may: it is logged as hers, and a second sending changes nothing", async () => {
    const before = await administeredRows(database);
    expect(await call("admin", change(), "preview_access_change")).toMatchObject({ body: { outcome: "done" } });
    expect(await administeredRows(database)).toEqual(before);

    const [{ id: last = 0 } = {}] = await database.sql<{ id: number }>("select max(id) as id from public.audit_log");
    expect(await call("admin", change())).toEqual({ status: 200, body: { outcome: "done" } });
    const after = await administeredRows(database);
    expect(after).not.toEqual(before);
    const logged = await database.sql<{ actor_id: string; actor_name: string; team_id: string | null }>(
      "select distinct actor_id, actor_name from public.audit_log where id > $1",
      [last],
    );
    expect(logged).toEqual([{ actor_id: team.person("admin").id, actor_name: "admin" }]);

    const again = await call("admin", change());
    expect(again.body).not.toEqual({ outcome: "done" });
    expect(await administeredRows(database)).toEqual(after);
    await restore(before);
  });
});

// Every row as it was; the log and the notes stay longer.
async function restore(rows: Record<string, unknown>) {
  await session.sql("begin");
  await session.sql("set local session_replication_role = replica");
  for (const [table, kept] of Object.entries(rows)) {
    if (table === "audit_log" || table === "permission_changes") continue;
    await session.sql(`delete from public.${table}`);
    await session.sql(
      `insert into public.${table} select * from jsonb_populate_recordset(null::public.${table}, $1::text::jsonb)`,
      [JSON.stringify(kept)],
    );
  }
  await session.sql("commit");
}

describe("invitations", () => {
  const inviteAs = async (name: string, role = "Member") => {
    const asked = { team: "riverside", email: "new@people.test", roleId: team.roles[role] };
    const { status, body } = await invite(database, team.person(name), asked);
    return { status, body };
  };

  test.each(demoNames.filter((name) => name !== "admin"))(
    "%s may not invite, and nothing is different",
    async (name) => {
      const before = await administeredRows(database);
      expect(await inviteAs(name)).toEqual({ status: 200, body: { outcome: "not-allowed" } });
      expect(await administeredRows(database)).toEqual(before);
    },
  );

  test("the administrator may", async () => {
    const before = await administeredRows(database);
    expect(await inviteAs("admin")).toMatchObject({ status: 200, body: { outcome: "done" } });
    await restore(before);
  });
});
