import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { timeZoneChoices } from "@/lib/format/regions";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, callFor, makeAdministeredTeam } from "./administered-team.ts";

// What is set for a team, and leaving one.

let database: TestDatabase;
let team: AdministeredTeam;
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
});
afterAll(() => database.close());

const change = async (as: Person, p_change: object, verb = "change_access") =>
  (await callFor(database, as, verb, { p_change })).body;
async function nothingChanges(run: () => Promise<void>) {
  const before = await administeredRows(database);
  await run();
  expect(await administeredRows(database)).toEqual(before);
}
const lastLogged = async () => {
  const [row] = await database.sql("select * from public.audit_log order by id desc limit 1");
  return row;
};

describe("settings", () => {
  const before = { name: "Riverside", timeZone: "UTC", locale: "en-US", linesPerSheet: 20 };
  const after = { name: "River side", timeZone: "America/Los_Angeles", locale: "es-US", linesPerSheet: 15 };
  const edit = (more: object = {}) => ({ kind: "edit-team", team: "riverside", before, after: { ...after, ...more } });

  test("who manages members changes them: in the log with before and after, once, and not over a newer one", async () => {
    const admin = team.person("admin");
    expect(await change(admin, edit(), "preview_access_change")).toEqual({ outcome: "done", effects: [] });
    expect(await change(admin, edit())).toEqual({ outcome: "done" });
    expect(await lastLogged()).toMatchObject({
      actor_id: admin.id,
      table_name: "teams",
      team_id: "riverside",
      before: { name: "Riverside", time_zone: "UTC", locale: "en-US", lines_per_sheet: 20 },
      after: { name: "River side", time_zone: "America/Los_Angeles", locale: "es-US", lines_per_sheet: 15 },
    });
    await nothingChanges(async () => {
      expect(await change(admin, edit())).toEqual({ outcome: "unchanged" });
      expect(await change(admin, edit({ name: "Other" }))).toEqual({ outcome: "stale" });
    });
    expect(await change(admin, { ...edit(), before: after, after: before })).toEqual({ outcome: "done" });
  });

  test.each([
    ["a zone that PostgreSQL does not know", { timeZone: "Foo5" }, "no-such-zone"],
    ["a locale that is none", { locale: "english" }, "gone"],
    ["no line on a sheet", { linesPerSheet: 0 }, "gone"],
    ["an empty name", { name: "" }, "gone"],
  ])("%s is refused", async (_, wrong, outcome) =>
    nothingChanges(async () => {
      expect(await change(team.person("admin"), edit(wrong))).toEqual({ outcome });
    }),
  );

  test("nobody else does", async () =>
    nothingChanges(async () => {
      for (const [name, person] of team.people) {
        if (name === "admin") continue;
        expect([name, await change(person, edit())]).toEqual([name, { outcome: "not-allowed" }]);
      }
    }));

  test("PostgreSQL knows every zone that one can choose", async () => {
    const known = await database.sql<{ name: string }>("select name from pg_timezone_names");
    const names = new Set(known.map(({ name }) => name));
    const choices = [...timeZoneChoices("UTC").values()].flat();
    expect(choices.length).toBeGreaterThan(400);
    expect(choices.filter(({ id }) => !names.has(id))).toEqual([]);
  });
});

describe("leaving", () => {
  const leave = { kind: "leave-team", team: "riverside" };
  const rejoin = async (name: string) => {
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active') on conflict do nothing",
      [team.person(name).id, team.roles["Field team"]],
    );
  };

  test("a member sees what she alone loses, leaves, and has nothing in the team any more", async () => {
    const canvasser = team.person("canvasser");
    expect(await change(canvasser, leave, "preview_access_change")).toEqual({
      outcome: "done",
      effects: [
        {
          userId: canvasser.id,
          name: "canvasser",
          places: [
            { campaign: null, access: "closes", gains: [], losses: ["voters.search"] },
            {
              campaign: { id: "clean-water", name: "Clean water" },
              access: "closes",
              gains: [],
              losses: ["campaign.view", "voters.search"],
            },
          ],
        },
      ],
    });
    expect(await change(canvasser, leave)).toEqual({ outcome: "done" });
    expect(await lastLogged()).toMatchObject({ action: "delete", actor_id: canvasser.id, subject_id: canvasser.id });
    expect(await database.sql("select public.permission_places($1) as places", [canvasser.id])).toEqual([
      { places: { teams: [] } },
    ]);
    expect(
      await database.sql("select from public.campaign_user_roles_team where user_id = $1", [canvasser.id]),
    ).toEqual([]);
    await nothingChanges(async () => {
      expect(await change(canvasser, leave)).toEqual({ outcome: "gone" });
    });
    await rejoin("canvasser");
  });

  test("who is suspended, or no member, has nothing to leave", async () =>
    nothingChanges(async () => {
      for (const name of ["suspended", "outsider", "hill"]) {
        for (const verb of ["change_access", "preview_access_change"]) {
          expect([name, await change(team.person(name), leave, verb)]).toEqual([name, { outcome: "gone" }]);
        }
      }
    }));

  test("the last administrator stays, even one who manages nothing", async () => {
    const admin = team.person("admin");
    const refused = () =>
      nothingChanges(async () => {
        for (const verb of ["change_access", "preview_access_change"]) {
          expect(await change(admin, leave, verb)).toEqual({ outcome: "last-administrator" });
        }
      });
    await refused();
    const sets = await database.sql(
      "delete from public.team_p_sets where team_id = 'riverside' returning permission_set_id",
    );
    await refused();
    for (const { permission_set_id } of sets) {
      await database.sql("insert into public.team_p_sets values ('riverside', $1)", [permission_set_id]);
    }
  });

  test("one of two administrators leaves; not when nobody would manage the team", async () => {
    const second = await database.signUp("second");
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
      [second.id, team.roles.Administrator],
    );
    const preview = await change(second, leave, "preview_access_change");
    expect(preview).toMatchObject({ outcome: "done", effects: [{ name: "second" }] });
    expect(await change(second, leave)).toEqual({ outcome: "done" });
  });
});
