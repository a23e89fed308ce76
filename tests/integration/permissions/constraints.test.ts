import { beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const errors = { check: "23514", unique: "23505", foreignKey: "23503", zone: "22023" };

const database = await setUpTestDatabase();
const session = await setUpSqlSession(database);
beforeAll(async () => {
  await insertUsers(database, ["ann", "ben"]);
  const ofTeam = (id: string) => ({ id: `${id}-thing`, team_id: id });
  await insertWorld(database, {
    ...emptyWorld,
    teams: [{ id: "north" }, { id: "south" }],
    campaigns: [{ id: "lakes" }],
    roles: [
      { ...ofTeam("north"), scope: "assigned" },
      { ...ofTeam("south"), scope: "assigned" },
      { id: "built-in", team_id: null, scope: "assigned" },
    ],
    permission_sets: [ofTeam("north"), ofTeam("south"), { id: "built-in", team_id: null }],
    team_users: [{ user_id: "ann", team_id: "north", role_id: "built-in", status: "active" }],
  });
});

// Runs a statement and rolls it back; returns the code of the error, or "done".
function outcomeOf(query: string, parameters: unknown[] = []) {
  return session.undone(async () => {
    try {
      await session.sql(query, parameters);
      return "done";
    } catch (error) {
      return error instanceof Error && "code" in error ? error.code : error;
    }
  });
}

const insertInto = {
  teams: "insert into public.teams (id, name) values ($1, 'Name')",
  campaigns: "insert into public.campaigns (id, name, team_id) values ($1, 'Name', 'north')",
};

test.each(["teams", "campaigns"] as const)(
  "ids of %s are 1 to 63 letters, digits, - and _, and begin with a letter or digit",
  async (table) => {
    const long = "a".repeat(63);
    const refused = [
      "",
      "-north",
      "_north",
      `${long}a`,
      "nörd",
      "n١",
      "north shore",
      "north ",
      "north\n",
      "north/shore",
    ];
    for (const id of [...refused, "north.shore", "north,shore", "north:shore", "{north}", "north%2F"]) {
      expect([id, await outcomeOf(insertInto[table], [id])]).toEqual([id, errors.check]);
    }
    for (const id of ["n", "7", long, "North_shore-2026", "api-team"]) {
      expect([id, await outcomeOf(insertInto[table], [id])]).toEqual([id, "done"]);
    }
  },
);

test("ids can't be the names of pages on the same level", async () => {
  const reserved = ["account", "api", "auth", "invitation", "login"];
  for (const id of reserved) expect([id, await outcomeOf(insertInto.teams, [id])]).toEqual([id, errors.check]);
  for (const id of reserved) expect([id, await outcomeOf(insertInto.campaigns, [id])]).toEqual([id, "done"]);
  expect(await outcomeOf(insertInto.teams, ["no-access"])).toBe("done");
  expect(await outcomeOf(insertInto.campaigns, ["no-access"])).toBe(errors.check);
});

describe("a role or permission set used in a team is built in or belongs to that team", () => {
  const [ann, ben, ofNorth] = ["ann", "ben", "north-thing"].map(uuidOf);
  // What is inserted for team north, with the role or set as $1.
  const uses: Record<string, [columns: string, values: string]> = {
    team_users: ["user_id, team_id, role_id", `'${ben}', 'north', $1::uuid`],
    campaign_user_roles_team: ["user_id, team_id, campaign_id, role_id", `'${ann}', 'north', 'lakes', $1::uuid`],
    invitations: ["team_id, email, role_id, invited_by", `'north', 'new@people.test', $1::uuid, '${ann}'`],
    team_p_sets: ["team_id, permission_set_id", "'north', $1::uuid"],
    role_p_sets: ["role_id, permission_set_id", `'${ofNorth}', $1::uuid`],
    campaign_team_sets: ["team_id, campaign_id, permission_set_id", "'north', 'lakes', $1::uuid"],
    campaign_user_team_sets: [
      "user_id, team_id, campaign_id, permission_set_id",
      `'${ann}', 'north', 'lakes', $1::uuid`,
    ],
  };

  test("the tests cover every table that uses one", async () => {
    const rows = await session.sql<{ name: string }>(
      `select distinct k.conrelid::regclass::text as name from pg_constraint k
       where k.contype = 'f' and k.confrelid in ('public.roles'::regclass, 'public.permission_sets'::regclass)
         and k.conrelid <> 'public.permission_set_keys'::regclass order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(uses).sort());
  });

  test.each(Object.entries(uses))("%s checks it on insert and on update", async (table, [columns, values]) => {
    const insert = `insert into public.${table} (${columns}) values (${values})`;
    for (const [used, outcome] of [
      ["north-thing", "done"],
      ["built-in", "done"],
      ["south-thing", errors.check],
    ]) {
      expect([used, await outcomeOf(insert, [uuidOf(used ?? "")])]).toEqual([used, outcome]);
    }
    const column = columns.includes("permission_set_id") ? "permission_set_id" : "role_id";
    await session.undone(async () => {
      await session.sql(insert, [ofNorth]);
      const change = `update public.${table} set ${column} = $1::uuid where ${column} = $2::uuid`;
      const changing = session.sql(change, [uuidOf("south-thing"), ofNorth]);
      await expect(changing).rejects.toMatchObject({ code: errors.check });
    });
  });

  test("a built-in role can't have a team's set", async () => {
    const insert = "insert into public.role_p_sets (role_id, permission_set_id) values ($1::uuid, $2::uuid)";
    expect(await outcomeOf(insert, [uuidOf("built-in"), uuidOf("north-thing")])).toBe(errors.check);
    expect(await outcomeOf(insert, [uuidOf("built-in"), uuidOf("built-in")])).toBe("done");
  });

  test.each(["roles", "permission_sets"])("a row of %s can be renamed, but can't change its team", async (table) => {
    const change = `update public.${table} set name = 'New name', team_id = $2 where id = $1::uuid`;
    expect(await outcomeOf(change, [ofNorth, "north"])).toBe("done");
    expect(await outcomeOf(change, [ofNorth, "south"])).toBe(errors.check);
    expect(await outcomeOf(change, [ofNorth, null])).toBe(errors.check);
    expect(await outcomeOf(change, [uuidOf("built-in"), "north"])).toBe(errors.check);
  });
});

describe("memberships", () => {
  const membership =
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1::uuid, $2, $3::uuid, $4)";
  const [ann, ben, builtIn] = ["ann", "ben", "built-in"].map(uuidOf);

  test.each([
    ["campaign_user_roles_team", "role_id"],
    ["campaign_user_team_sets", "permission_set_id"],
  ])("%s has only rows of members, of any status, and they are deleted with the membership", async (table, column) => {
    const insert = `insert into public.${table} (user_id, team_id, campaign_id, ${column}) values ($1::uuid, $2, 'lakes', $3::uuid)`;
    expect(await outcomeOf(insert, [ben, "north", builtIn])).toBe(errors.foreignKey);
    expect(await outcomeOf(insert, [ann, "south", builtIn])).toBe(errors.foreignKey);
    for (const status of ["active", "invited", "suspended"]) {
      await session.undone(async () => {
        await session.sql(membership, [ben, "south", builtIn, status]);
        await session.sql(insert, [ben, "south", builtIn]);
        expect(await session.sql(`select from public.${table}`)).toHaveLength(1);
        await session.sql("delete from public.team_users where user_id = $1::uuid", [ben]);
        expect(await session.sql(`select from public.${table}`)).toEqual([]);
      });
    }
  });

  test("a user has one in a team, with one of three statuses, by default invited", async () => {
    expect(await outcomeOf(membership, [ann, "north", builtIn, "invited"])).toBe(errors.unique);
    expect(await outcomeOf(membership, [ann, "south", builtIn, "invited"])).toBe("done");
    expect(await outcomeOf(membership, [ben, "north", builtIn, "Active"])).toBe(errors.check);
    const insert =
      "insert into public.team_users (user_id, team_id, role_id) values ($1::uuid, 'south', $2::uuid) returning status";
    await session.undone(async () => {
      expect(await session.sql(insert, [ben, builtIn])).toEqual([{ status: "invited" }]);
    });
  });
});

test.each([
  ["UTC", "done"],
  ["America/Los_Angeles", "done"],
  ["Asia/Kathmandu", "done"],
  ["", errors.zone],
  ["Mars/Olympus", errors.zone],
  ["America/Los Angeles", errors.zone],
  ["Europe", errors.zone],
])("setting the time zone %j of a team gives %s", async (zone, outcome) => {
  const insert = "insert into public.teams (id, name, time_zone) values ('zoned', 'Zoned', $1)";
  expect(await outcomeOf(insert, [zone])).toBe(outcome);
  expect(await outcomeOf("update public.teams set time_zone = $1 where id = 'north'", [zone])).toBe(outcome);
});

describe("signing up creates a profile", () => {
  const insert =
    "insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), $1, $2::text::jsonb) returning id";

  test.each<[what: string, email: string | null, data: unknown, name: string]>([
    ["with the name", "eve@people.test", { name: "Eve Adams" }, "Eve Adams"],
    ["with the name trimmed", "eve@people.test", { name: "  Eve " }, "Eve"],
    ["with the first 120 characters of a long name", "eve@people.test", { name: "é".repeat(200) }, "é".repeat(120)],
    ["with the address's first part when the name is blank", "eve@people.test", { name: "  " }, "eve"],
    ["with the address's first part when there is no name", "eve@people.test", {}, "eve"],
    ["with the address's first part when there is no metadata", "eve@people.test", null, "eve"],
    ["as Unnamed when there is neither", null, {}, "Unnamed"],
    ["as Unnamed when both are empty", "", { name: "" }, "Unnamed"],
    ["in one line, without control characters", "eve@people.test", { name: "Eve\r\n\u202eAda\u2028\u200f" }, "Eve Ada"],
    [
      "with the address's first part when the name has only invisible characters",
      "eve@people.test",
      { name: "\u2066\n\u2069" },
      "eve",
    ],
    ["when the name is an object", "eve@people.test", { name: { first: "Eve" } }, '{"first": "Eve"}'],
  ])("%s", async (_, email, data, name) => {
    await session.undone(async () => {
      const [user] = await session.sql<{ id: string }>(insert, [email, JSON.stringify(data)]);
      const profiles = await session.sql("select name from public.profiles where user_id = $1::uuid", [user?.id]);
      expect(profiles).toEqual([{ name }]);
    });
  });

  test("through Auth", async () => {
    const eve = await database.signUp("eve");
    const profiles = await session.sql("select name from public.profiles where user_id = $1", [eve.id]);
    expect(profiles).toEqual([{ name: "eve" }]);
  });
});
