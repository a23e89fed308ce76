import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, insertUsers, inWorld, uuidOf } from "../../support/access-world.ts";
import { asUser } from "../../support/as-user.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

// What somebody who has a second factor can do in the database with a token that she got without it.

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await insertUsers(database, ["ada", "bystander"]);
});
afterAll(() => database.close());

const world = {
  ...emptyWorld,
  teams: [{ id: "north" }],
  campaigns: [{ id: "lakes", team_id: "north" }],
  campaign_team: [{ team_id: "north", campaign_id: "lakes" }],
  roles: [{ id: "boss", team_id: "north", scope: "inherit_team" as const }],
  team_users: [{ user_id: "ada", team_id: "north", role_id: "boss", status: "active" as const }],
};
const isRefused = { rows: null, error: expect.objectContaining({ code: "42501" }) };

async function asAda(aal: string, statement: string) {
  const claims = { sub: uuidOf("ada"), aal, app_metadata: { second_factor: true } };
  await database.sql("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
  try {
    return await asUser<object>(database, "ada", statement);
  } finally {
    await database.sql("select set_config('request.jwt.claims', '', true)");
  }
}

describe("with half a sign-in", () => {
  test("she reads no more than a stranger, and with the whole one her team", () =>
    inWorld(database, world, async () => {
      const tables = await database.sql<{ name: string }>(
        "select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege('authenticated', c.oid, 'select')",
      );
      expect(tables.length).toBeGreaterThan(15);
      for (const { name } of tables) {
        const half = await asAda("aal1", `select * from ${name}`);
        if (half.rows === null) expect(half, name).toMatchObject(isRefused);
        else expect(half.rows, name).toEqual((await asUser(database, "bystander", `select * from ${name}`)).rows);
      }
      expect(await asAda("aal1", "select * from public.teams")).toMatchObject(isRefused);
      expect(await asAda("aal2", "select id from public.teams")).toMatchObject({ rows: [{ id: "north" }] });
    }));

  test.each([
    "update public.teams set name = 'South'",
    "delete from public.team_users",
    "select public.accept_invitation('x')",
    "select public.ask_for_access('north', 'lakes', 'voters.search', '/')",
  ])("%s is refused", (call) =>
    inWorld(database, world, async () => expect(await asAda("aal1", call)).toMatchObject(isRefused)),
  );
});

// The rules ask `private.me()`, which knows of half sign-ins.
test("nothing else asks who is signed in", async () => {
  const asking = await database.sql<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where prokind = 'f' and pronamespace in ('public'::regnamespace, 'private'::regnamespace) and pg_get_functiondef(oid) ilike '%auth.uid()%'
     union all select tablename || ': ' || policyname from pg_policies where concat(qual, with_check) ilike '%auth.uid()%'
     union all select adrelid::regclass::text from pg_attrdef where pg_get_expr(adbin, adrelid) ilike '%auth.uid()%'`,
  );
  expect(asking).toEqual([{ name: "private.me()" }]);
});
