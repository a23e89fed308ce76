// Erasing the personal data of archived campaigns, in parts, on the real database and a real Redis.
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { syncSigners } from "../../../supabase/functions/_shared/sync-signers.ts";
import { syncSteps } from "../../support/signer-world.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const database = await setUpTestDatabase();
const { sql } = database;
const team = await makeAdministeredTeam(database);
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

async function call(name: string, body: object) {
  const response = await database.rest(`rpc/${name}`, { as: "service", body });
  if (response.status >= 300) throw new Error(JSON.stringify(response.body));
  return response.body;
}
const run = (p_limit = 1000) => call("erase_personal_data", { p_limit });
const sync = () => syncSigners(syncSteps(call, redis), {});
const campaign = async () =>
  (await sql("select erase_at, erased_at from public.campaigns where id = 'clean-water'"))[0];
const archive = (daysAgo: number) =>
  sql("update public.campaigns set archived_at = now() - make_interval(days => $1) where id = 'clean-water'", [
    daysAgo,
  ]);
const setPeriod = (days: number | null) =>
  sql("update public.teams set erase_after_days = $1 where id = 'riverside'", [days]);
const pass = (days: number) =>
  sql(
    `update public.campaigns set archived_at = archived_at - make_interval(days => $1),
       erase_at = erase_at - make_interval(days => $1) where id = 'clean-water'`,
    [days],
  );
const change = async (after: object) => {
  const [{ now } = {}] = await sql<{ now: object }>(
    `select jsonb_build_object('name', name, 'signatureGoal', signature_goal, 'startsOn', starts_on, 'endsOn', ends_on,
       'linesPerSheet', lines_per_sheet, 'searchProfile', search_profile, 'districts', districts, 'archived',
       archived_at is not null, 'requiredSignatures', required_signatures, 'safetyMargin', safety_margin,
       'officialRejection', official_rejection, 'checkMethod', check_method, 'samplePercent', sample_percent,
       'sampleMinimum', sample_minimum, 'passPercent', pass_percent, 'failPercent', fail_percent,
       'countyTargets', county_targets) as now from public.campaigns where id = 'clean-water'`,
  );
  const p_change = {
    kind: "edit-campaign",
    team: "riverside",
    campaign: "clean-water",
    before: now,
    after: { ...now, ...after },
  };
  return call("change_access", { p_actor_id: team.person("admin").id, p_change, p_commit: true });
};

const person = {
  first_name: "Ruth",
  last_name: "Vance",
  address: "1 Elm St",
  city: "Auburn",
  zip: "98001",
  note: "smudged",
};
/** 40 lines: 30 of other voters, 5 duplicates of them, 5 that aren't valid. One was removed with a reason. */
beforeEach(async () => {
  await setPeriod(null);
  await sql("truncate public.lines, public.line_changes, public.quality_lines, public.read_log, private.erasures");
  await sql("delete from public.charts; delete from private.emails; delete from public.signer_changes");
  await sql(
    "update public.campaigns set erased_at = null, erase_at = null, archived_at = null where id = 'clean-water'",
  );
  await sql(
    `insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, address, city,
       county, zip, note, entered_by)
     select 'riverside', c, 1 + n / 20, 1 + n % 20, v, case when v <> 'illegible' then 'WA' || n % 30 end, $1::jsonb ->> 'first_name',
       $1::jsonb ->> 'last_name', $1::jsonb ->> 'address', $1::jsonb ->> 'city', 'King', $1::jsonb ->> 'zip', $1::jsonb ->> 'note', $2
     from generate_series(0, 39) n, (values ('clean-water'), ('open-parks')) c (c),
       lateral (select case when n < 30 then 'accepted' when n < 35 then 'duplicate' else 'illegible' end) v (v)`,
    [JSON.stringify(person), team.person("clerk").id],
  );
  const [{ id } = {}] = await sql(
    "select id from public.lines where campaign_id = 'clean-water' and voter_id = 'WA7' limit 1",
  );
  const place = { p_team_id: "riverside", p_campaign_id: "clean-water", p_id: id };
  await call("remove_line", { p_actor_id: team.person("admin").id, ...place, p_reason: "Ruth Vance asked for it" });
  await sql(
    `insert into public.read_log (actor_id, team_id, campaign_id, kind, filter, row_count)
     select $1, 'riverside', c, 'register', '{"lastName": "Vance"}', 40 from (values ('clean-water'), ('open-parks'), (null)) c (c)`,
    [team.person("admin").id],
  );
  await sql(
    `insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, data, generated_at)
     select 'riverside', 'clean-water', g, 'bar', 'signatures', g, '[{"key": "n", "aggregation": "count"}]', '{"rows": []}', now()
     from (values ('last_name'), ('county')) g (g)`,
  );
  await sync();
});

/** All of the campaign's rows, as text. */
const stored = async (id: string) => {
  const tables = ["lines", "line_changes", "quality_lines", "read_log", "audit_log"];
  const rows = await Promise.all(
    tables.map((table) => sql(`select to_jsonb(t) as row from public.${table} t where t.campaign_id = $1`, [id])),
  );
  return JSON.stringify(rows);
};
const named = /Ruth|Vance|Elm|Auburn|98001|smudged|WA\d/;
const counts = () =>
  sql(
    "select campaign_id, per, team_id, entered_by, sheet, quarter, county, entered, accepted, duplicates, blank from private.line_counts order by 1, 2, 3, 4, 5, 6, 7",
  );

test.each([1000, 7])("erases all personal data in parts of %i lines, and nothing else", async (part) => {
  await setPeriod(30);
  const [before, other] = [await counts(), await stored("open-parks")];
  expect(await stored("clean-water")).toMatch(named);
  await archive(31);
  await run(part);
  await pass(14);
  const parts = [];
  for (let worked = await run(part); worked !== null; worked = await run(part)) {
    parts.push(worked);
    expect(await call("wrong_counts", {})).toEqual([]);
  }
  expect(parts.length).toBe(part === 7 ? 6 : 1);
  expect(await stored("clean-water")).not.toMatch(named);
  expect(await stored("open-parks")).toBe(other);
  const nonzero = (rows: object[]) => rows.filter((row) => "entered" in row && row.entered !== 0);
  expect(nonzero(await counts())).toEqual(nonzero(before));
  const freedBefore = await sql("select * from private.freed_duplicates");
  await sql("select private.recount()");
  expect([await counts(), await sql("select * from private.freed_duplicates")]).toEqual([before, freedBefore]);
  expect(await sql("select name, data is null as erased from public.charts order by name")).toEqual([
    { name: "county", erased: false },
    { name: "last_name", erased: true },
  ]);
  expect(await sql("select campaign_id from public.read_log order by 1")).toEqual([
    { campaign_id: "open-parks" },
    { campaign_id: null },
  ]);
});

test("its set of signers is removed, and stays so after Redis is rebuilt", async () => {
  await setPeriod(30);
  await archive(100);
  expect(await redis.scard("campaign:clean-water:signers")).toBe(29);
  await run();
  await pass(14);
  while ((await run(10)) !== null);
  await sync();
  expect(await redis.exists("campaign:clean-water:signers")).toBe(0);
  await redis.flushall();
  await sync();
  await sync();
  expect(await redis.exists("campaign:clean-water:signers")).toBe(0);
  expect(await redis.scard("campaign:open-parks:signers")).toBe(30);
});

test("administrators are warned 14 days before, in each of its teams", async () => {
  await call("claim_email", { p_has_server: true });
  await sql("insert into public.campaign_team values ('hillside', 'clean-water')");
  await setPeriod(30);
  await archive(15);
  await run();
  expect(await campaign()).toEqual({ erase_at: null, erased_at: null });
  await pass(2);
  await run();
  await run();
  const mails = [await call("claim_email", { p_has_server: true }), await call("claim_email", { p_has_server: true })];
  expect(mails).toEqual(
    expect.arrayContaining(
      ["admin", "hill"].map((name) => expect.objectContaining({ email: `${name}@people.test`, kind: "erasure" })),
    ),
  );
  expect(await call("claim_email", { p_has_server: true })).toBe(null);
  await pass(12);
  await run();
  expect(await campaign()).toMatchObject({ erased_at: null });
  await pass(2);
  await run();
  expect(await campaign()).toMatchObject({ erased_at: expect.anything() });
  await sql("delete from public.campaign_team where team_id = 'hillside' and campaign_id = 'clean-water'");
});

test("a campaign that was archived long ago is erased only 14 days after its warning", async () => {
  await archive(1000);
  await run();
  await pass(20);
  expect(await run()).toBe(null);
  await setPeriod(30);
  expect(await run()).toBe(null);
  await pass(13);
  expect(await run()).toBe(null);
  await pass(1);
  expect(await run()).toBe("clean-water");
});

test.each<[what: string, stop: () => Promise<unknown>]>([
  ["it is restored", () => change({ archived: false })],
  ["the team removes the period", () => setPeriod(null)],
  ["the team extends the period", () => setPeriod(90)],
])("nothing is erased once %s, and the next warning starts again", async (_what, stop) => {
  await setPeriod(30);
  await archive(31);
  await run();
  await stop();
  await sql("update public.campaigns set erase_at = now() where id = 'clean-water'");
  expect(await run()).toBe(null);
  expect(await campaign()).toEqual({ erase_at: null, erased_at: null });
  expect(await stored("clean-water")).toMatch(named);
});

test("an erased campaign can't be restored, and its lines can't get voters again", async () => {
  await setPeriod(30);
  await archive(31);
  await run();
  await pass(14);
  await run();
  expect(await change({ archived: false })).toEqual({ outcome: "erased" });
  expect(await change({ name: "Cleaner water" })).toEqual({ outcome: "done" });
  await expect(sql("update public.campaigns set archived_at = null where id = 'clean-water'")).rejects.toThrow(
    "campaigns_erased",
  );
  await expect(sql("delete from public.audit_log")).rejects.toThrow("can't be changed");
  await expect(sql("update public.audit_log set actor_name = 'x'")).rejects.toThrow("can't be changed");
});

test.each([29, 3651, 0])("a team can't erase after %i days", async (days) => {
  await expect(setPeriod(days)).rejects.toThrow("erase_after_days");
});
