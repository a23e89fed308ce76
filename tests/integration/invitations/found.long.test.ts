import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { hashToken } from "../../../supabase/functions/_shared/invitation-token.ts";
import { inDrill } from "../../support/in-drill.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const database = await setUpTestDatabase();
const env = { ...(await database.serve()), SITE_URL: "https://signet.example", SIGNET_LOCAL: "/nowhere" };
await database.sql("insert into public.teams (id, name) values ('taken', 'Taken')");

const run = (...args: string[]) =>
  new Promise<{ status: number; printed: string }>((done) => {
    const command = ["--disable-warning=ExperimentalWarning", "scripts/found.ts", ...args];
    execFile(process.execPath, command, { env: { ...ownEnvironment, ...env } }, (error, stdout, stderr) =>
      done({ status: Number(error?.code ?? 0), printed: stdout + stderr }),
    );
  });

test("a team gets an id made from its name; run again, the link is the same", async () => {
  const first = await run("Founder@people.test", " Lacs d’Été ", "--zone", "Europe/Paris", "--locale", "fr-FR");
  expect([first.status, first.printed]).toEqual([0, expect.stringContaining("is invited as its administrator")]);
  expect(await database.sql("select name, time_zone, locale from public.teams where id = 'lacs-d-ete'")).toEqual([
    { name: "Lacs d’Été", time_zone: "Europe/Paris", locale: "fr-FR" },
  ]);
  const [, token = ""] = /https:\/\/signet\.example\/invitation\/([\w-]{43})\n/.exec(first.printed) ?? [];
  const body = { p_token_hash: hashToken(token) };
  const { body: invitation } = await database.rest("rpc/read_invitation", { as: "service", body });
  expect(invitation).toMatchObject({ state: "open", role: "Administrator", email: "founder@people.test" });
  expect((await run("founder@people.test", "Lacs d’Été")).printed).toBe(first.printed.replace("Founder", "founder"));
});

test("--profile adds search profiles to a new or existing team, for any founder", async () => {
  const grants = () => database.sql("select team_id, profile from public.team_search_profiles order by profile");
  expect((await run("ada@people.test", "Searching", "--profile", "NY")).status).toBe(0);
  const again = await run("ada@people.test", "Searching", "--profile", "NY", "--profile", "OH");
  expect([again.status, again.printed]).toEqual([0, expect.stringContaining("can now search voters with NY, OH.")]);
  const rows = ["NY", "OH"].map((profile) => ({ team_id: "searching", profile }));
  expect(await grants()).toEqual(rows);
  const ada = await database.signUp("ada");
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) select $1, 'searching', id, 'active' from public.roles where scope = 'inherit_team'",
    [ada.id],
  );
  expect((await run("ben@people.test", "Searching", "--profile", "WA")).status).toBe(0);
  rows.push({ team_id: "searching", profile: "WA" });
  expect((await run("ada@people.test", "Another", "--id", "taken", "--profile", "NY")).status).toBe(1);
  expect(await grants()).toEqual(rows);
});

const wrong: [args: string[], says: string, status?: number][] = [
  [["no-address", "Team"], "Give an email address and a team"],
  [["a@b.test"], "Give an email address and a team"],
  [["a@b.test", "Team", "--zone", "Mars/Base"], "There is no time zone Mars/Base:"],
  [["a@b.test", "Team", "--locale", "english"], "english isn't a locale:"],
  [["a@b.test", "Team", "--locale", "xx"], "xx isn't a locale:"],
  [["a@b.test", "Team", "--profile", "ny"], "ny isn't a search profile:"],
  [["a@b.test", "???"], "choose one with --id."],
  [["a@b.test", "Another", "--id", "taken"], "The id taken belongs to the team “Taken”.", 1],
  [["a@b.test", "Api"], "A team can't have the id api", 1],
];
test.each(inDrill(wrong, { else: wrong.slice(-2) }))(
  "wrong arguments are explained, and nothing is created: %j",
  async (args, says, status = 2) => {
    const rows = () => database.sql("select id from public.teams");
    const before = await rows();
    expect(await run(...args)).toEqual({ status, printed: expect.stringContaining(says) });
    expect(await rows()).toEqual(before);
  },
);

test("a person with a confirmed address administers the team that they create; no one creates an existing or a 21st one", async () => {
  const carol = await database.signUp("carol");
  const create = async (id: string, change: object = {}) => {
    const body = { p_actor_id: carol.id, p_id: id, p_name: "Lakes", p_time_zone: "UTC", p_locale: "en-US", ...change };
    return (await database.rest("rpc/create_team", { as: "service", body })).body;
  };
  const teams = async () =>
    (await database.sql("select team_id from public.team_users where user_id = $1", [carol.id])).length;
  await database.sql("update auth.users set email_confirmed_at = null where id = $1", [carol.id]);
  expect(await create("lakes")).toEqual({ outcome: "unconfirmed" });
  await database.sql("update auth.users set email_confirmed_at = now() where id = $1", [carol.id]);
  expect(await create("taken")).toEqual({ outcome: "team-taken" });
  expect(await create("lakes", { p_time_zone: "Mars/Base" })).toEqual({ outcome: "unusable" });
  expect(await teams()).toBe(0);
  expect(await create("lakes")).toEqual({ outcome: "done" });
  const body = { p_user_id: carol.id, p_team_id: "lakes", p_campaign_id: null };
  const { body: snapshot } = await database.rest("rpc/permissions_snapshot", { as: "service", body });
  expect(snapshot).toMatchObject({ teamAccess: true, permissionKeys: expect.arrayContaining(["members.manage"]) });
  for (let count = 2; count <= 20; count += 1) await create(`lakes-${count}`);
  expect(await create("lakes-21")).toEqual({ outcome: "too-many-teams" });
  expect(await teams()).toBe(20);
});
