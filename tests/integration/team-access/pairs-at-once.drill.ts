// Two people change access at the same moment: rows and answers must be those of one change after the other. Single changes are
// tested by random-changes.long.test.ts. An ordinary run tries a tenth of the pairs of kinds; ALL_PAIRS=1 tries each.
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { plainCampaign } from "../../support/no-official-check.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { accessTables, administeredRows, makeAdministeredTeam } from "./administered-team.ts";

const rounds = 20;

const database = await setUpTestDatabase();
const team = await makeAdministeredTeam(database);
const connections = [0, 1].map(() => postgres(database.url, { max: 1, onnotice: () => undefined }));
afterAll(() => Promise.all(connections.map((sql) => sql.end())));
let ids: Record<"friend" | "other" | "mia" | "managers" | "managing" | "second" | "unusedRole" | "unusedSet", string>;
let start: Record<string, unknown[]>;
let everything: string[];

beforeAll(async () => {
  const person = async (name: string, roleId: string | undefined, teamId = "riverside") => {
    const { id } = team.people.get(name) ?? (await database.signUp(name));
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, $2, $3, 'active')",
      [id, teamId, roleId],
    );
    return id;
  };
  const make = async (table: "roles" | "permission_sets", name: string, ...keys: string[]) => {
    const [{ id = "" } = {}] = await database.sql<{ id: string }>(
      `insert into public.${table} (team_id, name) values ('riverside', $1) returning id`,
      [name],
    );
    for (const key of keys) await database.sql("insert into public.permission_set_keys values ($1, $2)", [id, key]);
    return id;
  };
  const managers = await make("roles", "Managers");
  ids = {
    managers,
    managing: await make("permission_sets", "Managing", "members.manage", "members.view"),
    friend: await person("friend", managers),
    other: await person("other", team.roles.Administrator), // a second administrator
    mia: await person("mia", managers), // manages members, and no roles
    // Administrators also manage through this set.
    second: await make("permission_sets", "Second", "members.manage", "members.view", "roles.manage"),
    unusedRole: await make("roles", "Unused"),
    unusedSet: await make("permission_sets", "Unused"),
  };
  everything = [...Object.values(team.sets), ids.second].sort();
  await database.sql("insert into public.team_p_sets values ('riverside', $1)", [ids.second]);
  await database.sql("insert into public.role_p_sets values ($1, $2)", [managers, ids.managing]);
  // The administrator also administers hillside, so that campaigns can be moved.
  await person("admin", team.roles.Administrator, "hillside");
  start = await rows();
});

const rows = () => administeredRows(database, accessTables);

async function reset() {
  const copied = accessTables.map(
    (name) => `delete from public.${name}; insert into public.${name}
      select * from jsonb_populate_recordset(null::public.${name}, current_setting('signet.rows')::jsonb -> '${name}');`,
  );
  await connections[0]?.begin(async (sql) => {
    await sql`select set_config('signet.rows', ${JSON.stringify(start)}, true)`;
    await sql.unsafe(`set local session_replication_role = replica; ${copied.join("\n")}`);
  });
}

/** The rows without what differs in each run: new ids, and times. */
function settled(all: Record<string, unknown[]>) {
  const known = JSON.stringify(start);
  const text = (row: unknown) =>
    JSON.stringify(row, (key, value) => (/_at$/.test(key) && value !== null ? "some time" : value)).replaceAll(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      (id) => (known.includes(id) ? id : "new"),
    );
  return accessTables.map((name) => [name, all[name]?.map(text).sort()]);
}

/** One call of the database: a change by a person, or by SQL. */
type Call = { as: string; change: object } | { sql: string };

const outcomeSchema = z.object({ outcome: z.string() });
async function make(sql: postgres.Sql | undefined, call: Call): Promise<string> {
  if (!sql) throw new Error("There is no connection.");
  if ("sql" in call) {
    await sql.unsafe(call.sql);
    return "done";
  }
  const change = JSON.stringify({ team: "riverside", ...call.change });
  const [row] = await sql`select public.change_access(${call.as}, ${change}::text::jsonb, true) as answer`;
  return outcomeSchema.parse(row?.answer).outcome;
}

// Several calls of each kind that conflict with others: they change the source of the other's permission, the last manager,
// or the same row.
function callsByKind(): Record<string, Call[]> {
  const admin = team.person("admin").id;
  const clerk = team.person("clerk").id;
  const { other, mia, friend } = ids;
  const administrator = { roleId: team.roles.Administrator, status: "active" };
  const manager = { roleId: ids.managers, status: "active" };
  const member = (userId: string, before: object, after: object | null) => ({
    kind: "members",
    members: [{ userId, before, after }],
  });
  const settings = { name: "Riverside", timeZone: "UTC", locale: "en-US", linesPerSheet: 20, eraseAfterDays: null };
  const newFields = { name: "New", signatureGoal: null, startsOn: null, endsOn: null };
  const campaignSettings = { ...plainCampaign, ...newFields };
  const clerks = { roleId: team.roles["Signature clerk"], setIds: [] };
  const place = (userId: string, before: object, after: object) => ({
    kind: "campaigns",
    places: [{ userId, campaign: "clean-water", before, after }],
  });
  const teamSets = (...without: (string | undefined)[]) => ({
    kind: "team-sets",
    before: everything,
    after: everything.filter((id) => !without.includes(id)),
  });
  const roleSets = (after: (string | undefined)[]) => ({
    kind: "role-sets",
    roleId: ids.managers,
    before: [ids.managing],
    after,
  });
  const keysOf = (setId: string, before: string[], after: string[]) => ({
    kind: "set-keys",
    sets: [{ setId, before, after }],
  });
  const managing = ["members.manage", "members.view"];
  const administration = team.sets["Team administration"];
  const building = team.sets["Chart editing"];
  const both = (change: object): Call[] => [admin, other].map((as) => ({ as, change }));
  return {
    members: [
      { as: admin, change: member(other, administrator, { ...administrator, status: "suspended" }) },
      { as: other, change: member(admin, administrator, { ...administrator, status: "suspended" }) },
      { as: other, change: member(admin, administrator, null) },
      { as: admin, change: member(other, administrator, manager) },
      { as: mia, change: member(friend, manager, administrator) },
      { as: mia, change: member(admin, administrator, null) },
      { as: mia, change: member(other, administrator, manager) },
      { as: admin, change: member(mia, manager, null) },
      { as: admin, change: member(mia, manager, administrator) },
    ],
    "leave-team": [admin, other, mia].map((as) => ({ as, change: { kind: "leave-team" } })),
    campaigns: [
      { as: admin, change: place(clerk, clerks, { roleId: team.roles.Analyst, setIds: [] }) },
      { as: other, change: place(clerk, clerks, { roleId: null, setIds: [building] }) },
      { as: mia, change: place(clerk, clerks, { roleId: null, setIds: [] }) },
      { as: admin, change: place(mia, { roleId: null, setIds: [] }, clerks) },
    ],
    "edit-team": both({ kind: "edit-team", before: settings, after: { ...settings, name: "River" } }),
    "create-campaign": both({ kind: "create-campaign", campaign: "new-one", after: newFields }),
    "edit-campaign": both({
      kind: "edit-campaign",
      campaign: "clean-water",
      before: { ...campaignSettings, name: "Clean water" },
      after: { ...campaignSettings, name: "Clean water", archived: true },
    }),
    "attach-campaign": [{ as: admin, change: { kind: "attach-campaign", campaign: "hill-only" } }],
    "detach-campaign": [
      { as: admin, change: { kind: "detach-campaign", team: "hillside", campaign: "open-parks" } },
      { as: admin, change: { kind: "detach-campaign", campaign: "open-parks" } },
    ],
    "stop-sharing": both({ kind: "stop-sharing", campaign: "open-parks", from: "hillside" }),
    "hand-over-campaign": both({ kind: "hand-over-campaign", campaign: "open-parks", to: "hillside" }),
    "role-sets": [...both(roleSets([])), ...both(roleSets([ids.managing, building]))],
    "set-keys": [
      ...both(keysOf(ids.second, [...managing, "roles.manage"], [])),
      ...both(keysOf(ids.managing, managing, ["members.view"])),
      ...both(keysOf(ids.managing, managing, ["charts.edit", ...managing])),
    ],
    "team-sets": [...both(teamSets(administration)), ...both(teamSets(ids.second)), ...both(teamSets(building))],
    "campaign-sets": both({ kind: "campaign-sets", campaign: "clean-water", before: [], after: [building] }),
    "create-role": both({ kind: "create-role", name: "Twice", scope: "assigned" }),
    "rename-role": both({ kind: "rename-role", roleId: ids.unusedRole, before: "Unused", after: "Twice" }),
    "delete-role": [
      ...both({ kind: "delete-role", roleId: ids.unusedRole }),
      {
        as: admin,
        change: member(clerk, { ...manager, roleId: team.roles["Field team"] }, { ...manager, roleId: ids.unusedRole }),
      },
    ],
    "create-set": both({ kind: "create-set", after: { name: "Twice", description: null }, keys: ["charts.view"] }),
    "edit-set": both({
      kind: "edit-set",
      setId: ids.unusedSet,
      before: { name: "Unused", description: null },
      after: { name: "Twice", description: null },
    }),
    "delete-set": [
      ...both({ kind: "delete-set", setId: ids.unusedSet }),
      { as: admin, change: roleSets([ids.managing, ids.unusedSet]) },
    ],
    "by SQL": [
      { sql: `update public.team_users set status = 'suspended' where user_id = '${mia}'` },
      { sql: `update public.team_users set role_id = '${ids.managers}' where user_id = '${other}'` },
      // By its whole key: a statement that waits doesn't see rows inserted while it waited.
      {
        sql: `delete from public.role_p_sets where role_id = '${ids.managers}' and permission_set_id = '${ids.managing}'`,
      },
    ],
  };
}

const administered = () =>
  database.sql<{ team_id: string }>(
    `select distinct s.team_id from private.assigned_keys s
     where s.in_force and s.is_team_admin and s.campaign_id is null and s.key in ('members.manage', 'roles.manage')
     group by s.team_id, s.principal_id having count(distinct s.key) = 2 order by 1`,
  );

test(`pairs of changes at once, ${rounds} times each, end like one after the other and keep administrators`, {
  timeout: 3_000_000,
}, async () => {
  const byKind = callsByKind();
  const kinds = Object.keys(byKind);
  const pairs = kinds.flatMap((kind, index) => kinds.slice(index).map((other) => [kind, other] as const));
  const always: (readonly [string, string])[] = [
    ["members", "members"],
    ["members", "leave-team"],
    ["create-role", "create-role"],
  ];
  const seed = Number(process.env.PAIRS_SEED ?? Date.now() % 1_000_000);
  console.log(`PAIRS_SEED=${seed} tries the same pairs.`);
  const [drawn = []] = fc.sample(fc.shuffledSubarray(pairs, { minLength: pairs.length }), { numRuns: 1, seed });
  const tried = process.env.ALL_PAIRS ? pairs : [...always, ...drawn.slice(0, Math.ceil(pairs.length / 10))];

  const serial = new Map<string, string>();
  async function oneAfterOther(first: Call, second: Call): Promise<string> {
    const name = JSON.stringify([first, second]);
    const known = serial.get(name);
    if (known !== undefined) return known;
    await reset();
    const answers = [await make(connections[0], first), await make(connections[1], second)];
    const result = JSON.stringify([...answers, settled(await rows())]);
    serial.set(name, result);
    return result;
  }

  for (const [one, another] of tried) {
    for (let round = 0; round < rounds; round++) {
      const [first, second] = [pick(byKind[one], seed + round * 7), pick(byKind[another], seed + round * 13 + 1)];
      const [ab, ba] = [await oneAfterOther(first, second), await oneAfterOther(second, first)];
      await reset();
      const answers = await Promise.all([make(connections[0], first), make(connections[1], second)]);
      const left = settled(await rows());
      const described = JSON.stringify({ one, first, another, second, answers });
      const swapped: unknown[] = JSON.parse(ba);
      expect([ab, JSON.stringify([swapped[1], swapped[0], swapped[2]])], described).toContain(
        JSON.stringify([...answers, left]),
      );
      if (one !== "by SQL" && another !== "by SQL") {
        expect(await administered(), described).toEqual([{ team_id: "hillside" }, { team_id: "riverside" }]);
      }
    }
  }
});

function pick(calls: Call[] | undefined, number: number): Call {
  const call = calls?.[number % calls.length];
  if (!call) throw new Error("There is no such kind.");
  return call;
}
