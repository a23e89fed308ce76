import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, inQuietWorld, insertUsers, uuidOf, type World } from "../../support/access-world.ts";
import { changeAs } from "../../support/change-as.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";

type Row = Record<string, string | null>;

const people = ["ada", "bob", "cal", "hal", "ivy", "max", "meg", "sue", "zoe"];
const inLakes = { team_id: "north", campaign_id: "lakes" };
const inNorth = { team_id: "north", status: "active" } as const;

let database: SqlSession;
beforeAll(async () => {
  database = await openSqlSession();
  await insertUsers(database, people);
});
afterAll(() => database.close());

// Those who are noted, each as often as she is, by name.
async function noted(): Promise<string[]> {
  const notes = await database.sql<{ user_id: string }>("select user_id from public.permission_changes");
  return notes.map(({ user_id }) => people.find((name) => uuidOf(name) === user_id) ?? user_id).sort();
}

describe("a change of status", () => {
  // Ada and Bob are administrators, Meg is one of another team. Hal may change members without being an administrator,
  // and searches voters. Ivy would search voters too, Cal enter signatures in a campaign, Sue do all that Ada does.
  const world: World = {
    ...emptyWorld,
    teams: [{ id: "north" }, { id: "south" }],
    campaigns: [{ id: "lakes" }],
    campaign_team: [inLakes],
    roles: [
      { id: "administrator", team_id: null, scope: "inherit_team" },
      ...["member", "clerk", "spare"].map((id) => ({ id, team_id: null, scope: "assigned" as const })),
    ],
    team_p_sets: ["north", "south"].map((team_id) => ({ team_id, permission_set_id: "team" })),
    permission_sets: ["basics", "clerking", "team", "helping"].map((id) => ({ id, team_id: null })),
    permission_set_keys: [
      { permission_set_id: "basics", key: "voters.search" },
      { permission_set_id: "clerking", key: "signatures.enter" },
      ...["members.manage", "members.view", "roles.manage", "voters.search", "signatures.enter"].map((key) => ({
        permission_set_id: "team",
        key,
      })),
      ...["members.manage", "members.view", "voters.search"].map((key) => ({ permission_set_id: "helping", key })),
    ],
    role_p_sets: [
      { role_id: "member", permission_set_id: "basics" },
      { role_id: "clerk", permission_set_id: "clerking" },
      { role_id: "spare", permission_set_id: "helping" },
    ],
    team_users: [
      { user_id: "ada", ...inNorth, role_id: "administrator" },
      { user_id: "bob", ...inNorth, role_id: "administrator" },
      { user_id: "meg", team_id: "south", role_id: "administrator", status: "active" },
      { user_id: "hal", ...inNorth, role_id: "spare" },
      { user_id: "max", ...inNorth, role_id: "member" },
      { user_id: "ivy", team_id: "north", role_id: "member", status: "invited" },
      { user_id: "cal", team_id: "north", role_id: "member", status: "suspended" },
      { user_id: "sue", team_id: "north", role_id: "administrator", status: "suspended" },
    ],
    campaign_team_sets: [],
    campaign_user_roles_team: [{ user_id: "cal", ...inLakes, role_id: "clerk" }],
    campaign_user_team_sets: [],
  };
  type Step = [actor: string, member: string, status: string, outcome: string];

  // As a screen asks for it that shows how things are.
  async function set(actor: string, member: string, status: string, team = "north") {
    const [row] = await database.sql<{ roleId: string; status: string }>(
      `select role_id as "roleId", status from public.team_users where user_id = $1 and team_id = $2`,
      [uuidOf(member), team],
    );
    const before = row ?? { roleId: uuidOf("member"), status: "suspended" };
    const members = [{ userId: uuidOf(member), before, after: { ...before, status } }];
    return (await changeAs(database, actor, { kind: "members", team, members })).outcome;
  }

  // Every row about who is what, and what is noted.
  async function all() {
    const rows = await database.sql<Row>("select user_id, team_id, role_id, status from public.team_users order by id");
    return { rows, notes: await noted() };
  }
  const statusOf = (rows: Row[], name: string) =>
    rows.filter((row) => row.user_id === uuidOf(name) && row.team_id === "north").map(({ status }) => status);

  test.each<Step>([
    ["ada", "max", "suspended", "done"],
    ["ada", "bob", "suspended", "done"],
    ["ada", "ivy", "active", "done"],
    ["ada", "cal", "active", "done"],
    ["ada", "sue", "active", "done"],
    ["hal", "max", "suspended", "done"],
    ["hal", "ivy", "active", "done"],
  ])("%s makes %s %s: %s, and notes that one alone", async (actor, member, status, outcome) => {
    await inQuietWorld(database, world, async () => {
      const before = await all();
      expect(await set(actor, member, status)).toBe(outcome);
      const after = await all();
      expect(statusOf(after.rows, member)).toEqual([status]);
      expect(after.notes).toEqual([member]);
      const others = (rows: Row[]) => rows.filter(({ user_id }) => user_id !== uuidOf(member));
      expect(others(after.rows)).toEqual(others(before.rows));
    });
  });

  test.each<[why: string, actor: string, member: string, status: string, outcome: string]>([
    ["nobody without a membership", "ada", "zoe", "active", "stale"],
    ["no member of another team", "ada", "meg", "suspended", "stale"],
    ["nobody to all that an administrator does", "hal", "sue", "active", "more-than-own"],
    ["nobody to what the actor may not do in a campaign", "hal", "cal", "active", "more-than-own"],
    ["nobody for one who is suspended", "cal", "ivy", "active", "not-allowed"],
    ["nobody for an administrator of another team", "meg", "ivy", "active", "not-allowed"],
    ["nobody for one who may not change members", "max", "ivy", "active", "not-allowed"],
    ["nobody for a stranger", "zoe", "ivy", "active", "not-allowed"],
    ["one who is so already", "ada", "max", "active", "unchanged"],
    ["one who is suspended already", "ada", "cal", "suspended", "unchanged"],
    ["oneself", "ada", "ada", "suspended", "own-membership"],
  ])("changes and notes nothing: %s (%s, %s, %s: %s)", async (_why, actor, member, status, outcome) => {
    await inQuietWorld(database, world, async () => {
      const before = await all();
      expect(await set(actor, member, status)).toBe(outcome);
      expect(await all()).toEqual(before);
      expect(before.notes).toEqual([]);
    });
  });

  test("does not count what an administrator's bundle gives in a campaign that the team has no more", async () => {
    const leftover = [{ team_id: "north", campaign_id: "lakes", permission_set_id: "clerking" }];
    await inQuietWorld(database, { ...world, campaign_team: [], campaign_team_sets: leftover }, async () => {
      expect(await set("ada", "sue", "active")).toBe("done");
    });
  });

  test("counts team keys in a campaign that only the member reaches (rule 8)", async () => {
    const bare = {
      role_p_sets: world.role_p_sets.filter(({ role_id }) => role_id !== "clerk"),
      campaign_user_roles_team: [{ user_id: "ivy", ...inLakes, role_id: "clerk" }],
    };
    await inQuietWorld(database, { ...world, ...bare }, async () => {
      const before = await all();
      expect(await set("hal", "ivy", "active")).toBe("more-than-own");
      expect(await all()).toEqual(before);
    });
  });

  test("leaves the last active administrator", async () => {
    const team_users = world.team_users.filter(({ user_id }) => user_id !== "bob");
    await inQuietWorld(database, { ...world, team_users }, async () => {
      const before = await all();
      expect(await set("hal", "ada", "suspended")).toBe("last-administrator");
      expect(await all()).toEqual(before);
      expect(before.notes).toEqual([]);
    });
  });

  test.each([
    ["ada", "bob"],
    ["bob", "ada"],
  ])("when two administrators suspend each other, %s first, one stays", async (first, second) => {
    await inQuietWorld(database, world, async () => {
      expect(await set(first, second, "suspended")).toBe("done");
      expect(await set(second, first, "suspended")).toBe("not-allowed");
      const { rows, notes } = await all();
      expect([statusOf(rows, first), statusOf(rows, second)]).toEqual([["active"], ["suspended"]]);
      expect(notes).toEqual([second]);
    });
  });

  test("refuses a status that there is not", async () => {
    await inQuietWorld(database, world, async () => {
      expect(await set("ada", "max", "Active")).toBe("gone");
      expect(await noted()).toEqual([]);
    });
  });

  test("allows nothing in a team that is not there", async () => {
    await inQuietWorld(database, world, async () => {
      expect(await set("ada", "max", "suspended", "nowhere")).toBe("not-allowed");
      expect(await noted()).toEqual([]);
    });
  });
});
