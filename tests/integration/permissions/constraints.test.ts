import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

const errors = { check: "23514", unique: "23505", foreignKey: "23503", zone: "22023" };

let database: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await openSqlSession(database);
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
afterAll(async () => {
  await session.close();
  await database.close();
});

// Runs and undoes; gives the state of the error, or "done".
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

describe("ids of teams and campaigns", () => {
  const refused: [what: string, id: string][] = [
    ["an empty one", ""],
    ["a hyphen first", "-north"],
    ["an underscore first", "_north"],
    ["64 characters", "a".repeat(64)],
    ["another script", "nörd"],
    ["a digit of another script", "n١"],
    ["a space", "north shore"],
    ["a space at the end", "north "],
    ["a line break at the end", "north\n"],
    ["a slash", "north/shore"],
    ["a dot", "north.shore"],
    ["a comma", "north,shore"],
    ["a colon", "north:shore"],
    ["a brace", "{north}"],
    ["a percent sign", "north%2F"],
  ];
  const accepted: [what: string, id: string][] = [
    ["one letter", "n"],
    ["one digit", "7"],
    ["63 characters", "a".repeat(63)],
    ["all kinds of characters", "North_shore-2026"],
    ["a reserved name inside", "api-team"],
  ];
  const insert = (table: string) =>
    table === "teams"
      ? "insert into public.teams (id, name) values ($1, 'Name')"
      : "insert into public.campaigns (id, name, team_id) values ($1, 'Name', 'north')";

  describe.each(["teams", "campaigns"])("in %s", (table) => {
    test.each(refused)("%s is refused", async (_, id) => {
      expect(await outcomeOf(insert(table), [id])).toBe(errors.check);
    });
    test.each(accepted)("%s is accepted", async (_, id) => {
      expect(await outcomeOf(insert(table), [id])).toBe("done");
    });
  });

  test.each([
    ["teams", "api", errors.check],
    ["teams", "auth", errors.check],
    ["teams", "login", errors.check],
    ["teams", "invitation", errors.check],
    ["teams", "no-access", "done"],
    ["campaigns", "no-access", errors.check],
    ["campaigns", "api", "done"],
  ])("in %s, the name %s of a route gives %s", async (table, id, outcome) => {
    expect(await outcomeOf(insert(table), [id])).toBe(outcome);
  });
});

describe("a role or permission set used in a team is built in or that team's own", () => {
  // Inserts into a table of team north, with the role or set as $1.
  const uses: Record<string, { insert: string; column: "role_id" | "permission_set_id" }> = {
    team_users: {
      insert: `(user_id, team_id, role_id) values ('${uuidOf("ben")}', 'north', $1::uuid)`,
      column: "role_id",
    },
    campaign_user_roles_team: {
      insert: `(user_id, team_id, campaign_id, role_id) values ('${uuidOf("ann")}', 'north', 'lakes', $1::uuid)`,
      column: "role_id",
    },
    invitations: {
      insert: `(team_id, email, role_id, invited_by) values ('north', 'new@people.test', $1::uuid, '${uuidOf("ann")}')`,
      column: "role_id",
    },
    team_p_sets: {
      insert: "(team_id, permission_set_id) values ('north', $1::uuid)",
      column: "permission_set_id",
    },
    role_p_sets: {
      insert: `(role_id, permission_set_id) values ('${uuidOf("north-thing")}', $1::uuid)`,
      column: "permission_set_id",
    },
    campaign_team_sets: {
      insert: "(team_id, campaign_id, permission_set_id) values ('north', 'lakes', $1::uuid)",
      column: "permission_set_id",
    },
    campaign_user_team_sets: {
      insert: `(user_id, team_id, campaign_id, permission_set_id) values ('${uuidOf("ann")}', 'north', 'lakes', $1::uuid)`,
      column: "permission_set_id",
    },
  };

  test("in every table that uses one", async () => {
    const rows = await session.sql<{ name: string }>(
      `select distinct k.conrelid::regclass::text as name from pg_constraint k
       where k.contype = 'f' and k.confrelid in ('public.roles'::regclass, 'public.permission_sets'::regclass)
         and k.conrelid <> 'public.permission_set_keys'::regclass order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(uses).sort());
  });

  describe.each(Object.entries(uses))("in %s", (table, { insert, column }) => {
    test.each([
      ["that team's own", "north-thing", "done"],
      ["a built-in one", "built-in", "done"],
      ["another team's", "south-thing", errors.check],
    ])("%s", async (_, used, outcome) => {
      expect(await outcomeOf(`insert into public.${table} ${insert}`, [uuidOf(used)])).toBe(outcome);
    });

    test("cannot be changed to another team's", async () => {
      const inserted = `with added as (insert into public.${table} ${insert} returning ${column}) select from added`;
      await session.undone(async () => {
        await session.sql(inserted, [uuidOf("north-thing")]);
        const change = `update public.${table} set ${column} = $1::uuid where ${column} = $2::uuid`;
        await expect(session.sql(change, [uuidOf("south-thing"), uuidOf("north-thing")])).rejects.toMatchObject({
          code: errors.check,
        });
      });
    });
  });

  test("a built-in role is not given a team's set", async () => {
    const insert = "insert into public.role_p_sets (role_id, permission_set_id) values ($1::uuid, $2::uuid)";
    expect(await outcomeOf(insert, [uuidOf("built-in"), uuidOf("north-thing")])).toBe(errors.check);
    expect(await outcomeOf(insert, [uuidOf("built-in"), uuidOf("built-in")])).toBe("done");
  });

  describe.each(["roles", "permission_sets"])("in %s", (table) => {
    test.each([
      ["another team", "north-thing", "south"],
      ["built in", "north-thing", null],
      ["a team's", "built-in", "north"],
    ])("a row does not become %s", async (_, row, team) => {
      const change = `update public.${table} set team_id = $2 where id = $1::uuid`;
      expect(await outcomeOf(change, [uuidOf(row), team])).toBe(errors.check);
    });

    test("a row can be renamed", async () => {
      const change = `update public.${table} set name = 'New name', team_id = team_id where id = $1::uuid`;
      expect(await outcomeOf(change, [uuidOf("north-thing")])).toBe("done");
    });
  });
});

describe("memberships", () => {
  const campaignRows = {
    campaign_user_roles_team: `insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
      values ($1::uuid, $2, 'lakes', $3::uuid)`,
    campaign_user_team_sets: `insert into public.campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
      values ($1::uuid, $2, 'lakes', $3::uuid)`,
  };
  const membership =
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1::uuid, $2, $3::uuid, $4)";
  const builtIn = uuidOf("built-in");

  describe.each(Object.entries(campaignRows))("%s", (_, insert) => {
    test.each(["active", "invited", "suspended"])("takes rows of a member who is %s", async (status) => {
      await session.undone(async () => {
        await session.sql(membership, [uuidOf("ben"), "south", builtIn, status]);
        expect(await session.sql(insert, [uuidOf("ben"), "south", builtIn])).toEqual([]);
      });
    });

    test("takes no row of somebody without a membership, nor of a member of another team", async () => {
      expect(await outcomeOf(insert, [uuidOf("ben"), "north", builtIn])).toBe(errors.foreignKey);
      expect(await outcomeOf(insert, [uuidOf("ann"), "south", builtIn])).toBe(errors.foreignKey);
    });

    test("loses its rows with the membership", async () => {
      await session.undone(async () => {
        await session.sql(insert, [uuidOf("ann"), "north", builtIn]);
        await session.sql("delete from public.team_users where user_id = $1::uuid", [uuidOf("ann")]);
        const left = await session.sql(
          `select from public.campaign_user_roles_team union all select from public.campaign_user_team_sets`,
        );
        expect(left).toEqual([]);
      });
    });
  });

  test("there is one for a user and a team", async () => {
    expect(await outcomeOf(membership, [uuidOf("ann"), "north", builtIn, "invited"])).toBe(errors.unique);
    expect(await outcomeOf(membership, [uuidOf("ann"), "south", builtIn, "invited"])).toBe("done");
  });

  test("have no other status than the three", async () => {
    expect(await outcomeOf(membership, [uuidOf("ben"), "north", builtIn, "Active"])).toBe(errors.check);
  });

  test("are invitations unless told", async () => {
    const insert =
      "insert into public.team_users (user_id, team_id, role_id) values ($1::uuid, 'south', $2::uuid) returning status";
    await session.undone(async () => {
      expect(await session.sql(insert, [uuidOf("ben"), builtIn])).toEqual([{ status: "invited" }]);
    });
  });
});

describe("time zones of teams", () => {
  const insert = "insert into public.teams (id, name, time_zone) values ('zoned', 'Zoned', $1)";

  test.each(["UTC", "America/Los_Angeles", "Asia/Kathmandu"])("%s is accepted", async (zone) => {
    expect(await outcomeOf(insert, [zone])).toBe("done");
    expect(await outcomeOf("update public.teams set time_zone = $1 where id = 'north'", [zone])).toBe("done");
  });

  test.each(["", "Mars/Olympus", "America/Los Angeles", "Europe"])("%j is refused", async (zone) => {
    expect(await outcomeOf(insert, [zone])).toBe(errors.zone);
    expect(await outcomeOf("update public.teams set time_zone = $1 where id = 'north'", [zone])).toBe(errors.zone);
  });
});

describe("a profile is made at sign-up", () => {
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
    ["in one line that reads as it is written", "eve@people.test", { name: "Eve\r\n\u202eAda\u2028\u200f" }, "Eve Ada"],
    ["with the address's when nothing of the name can be seen", "eve@people.test", { name: "\u2066\n\u2069" }, "eve"],
    ["whatever a name is made of", "eve@people.test", { name: { first: "Eve" } }, '{"first": "Eve"}'],
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
