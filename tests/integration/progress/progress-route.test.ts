import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GET } from "../../../app/api/progress/route.ts";
import { listTeamProgress, readGoalCount } from "../../../lib/progress/read-progress.ts";
import { progressResponseSchema } from "../../../lib/progress/responses.ts";
import { setUpChartWorld } from "../../support/chart-world.ts";

vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));

const { database, person, signIn } = await setUpChartWorld();

// Ann administers north, Dan south; Cleo can see north's overview of lakes but no lines; Ben lines but no overview.
beforeAll(async () => {
  await database.sql("update public.campaigns set signature_goal = 50 where id = 'lakes'");
  await database.sql("insert into public.permission_sets (id, name) values (md5('overview')::uuid, 'Overview')");
  await database.sql("insert into public.permission_set_keys values (md5('overview')::uuid, 'campaign.view')");
  await database.sql(
    `insert into public.campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
     values ($1, 'north', 'lakes', md5('overview')::uuid)`,
    [person("cleo").id],
  );
  await database.sql(
    `insert into public.sheets (team_id, campaign_id, number, circulator, signature_count, opened_by, opened_at) values
       ('north', 'lakes', 1, 'Ola Berg', 4, $1, '2026-11-01 08:00Z'), ('south', 'lakes', 7, 'Sly Fox', null, $2, now())`,
    [person("ann").id, person("dan").id],
  );
  await database.sql(
    `insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id, county, entered_by, entered_at) values
       ('north', 'lakes', 1, 1, 'accepted', 'V-1', 'King', $1, '2026-11-01 09:00Z'),
       ('north', 'lakes', 1, 3, 'duplicate', 'V-9', null, $1, '2026-11-02 09:00Z'),
       ('south', 'lakes', 7, 1, 'accepted', 'V-2', 'Clark', $2, '2026-11-02 09:00Z')`,
    [person("ann").id, person("dan").id],
  );
});
beforeEach(() => void vi.spyOn(console, "info").mockImplementation(() => undefined));

const lakes = "team=north&campaign=lakes";

async function get(name: string | null, query = lakes, headers: Record<string, string> = {}) {
  signIn(name);
  const response = await GET(
    new Request(`http://signet.test/api/progress?${query}`, { headers: { host: "signet.test", ...headers } }),
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, text: await response.text(), etag: response.headers.get("etag") ?? "" };
}

test.each<[who: string | null, query: string, status: number, error: RegExp]>([
  [null, lakes, 401, /^Your session has ended/],
  ["ben", lakes, 403, /See the campaign overview/],
  ["eve", lakes, 403, /^You don't have access to this campaign/],
  ["dan", lakes, 403, /^You don't have access to this campaign/],
  ["ann", "team=south&campaign=lakes", 403, /^You don't have access to this campaign/],
  ["ann", "team=north&campaign=nowhere", 403, /^You don't have access to this campaign/],
  ["ann", "team=north", 400, /^campaign must be text/],
  ["ann", "team=north&campaign=a%2Fb", 400, /^campaign must use only letters,/],
])("%s is refused %s with %i", async (who, query, status, error) => {
  const response = await get(who, query);
  expect([response.status, JSON.parse(response.text), response.etag]).toEqual([
    status,
    { error: expect.stringMatching(error) },
    "",
  ]);
});

const progress = (own: object) => ({
  today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  goal: 50,
  startsOn: null,
  endsOn: null,
  archivedAt: null,
  accepted: 2,
  entered: 3,
  duplicates: 1,
  collected: 5,
  teams: 2,
  own,
  days: [
    { day: "2026-11-01", accepted: 1, entered: 1 },
    { day: "2026-11-02", accepted: 1, entered: 2 },
  ],
  collectedDays: expect.arrayContaining([{ day: "2026-11-01", lines: 4 }]),
  lagDays: 0,
  sheetSums: { count: 2, lines: 3, valid: 3, linesSquared: 5, linesValid: 5, validSquared: 5 },
  checked: { lines: 0, errors: 0 },
  counties: [],
  official: null,
  withCounty: { accepted: 2, entered: 2 },
});
const none = { count: 0, lines: 0, accepted: 0, duplicates: 0 };

test("with signatures.view the answer has everything", async () => {
  const { status, text, etag } = await get("ann");
  expect(status).toBe(200);
  const body = JSON.parse(text);
  expect(body).toEqual({
    version: etag.slice(1, -1),
    pageVersion: expect.any(String),
    progress: progress({ accepted: 1, entered: 2 }),
    work: expect.objectContaining({
      circulators: { rows: [{ circulator: "Ola Berg", lines: 2, accepted: 1, duplicates: 1 }], rest: none },
      clerks: { rows: [expect.objectContaining({ userId: person("ann").id, name: "ann" })], rest: none },
      counties: { rows: [{ county: "King", accepted: 1 }], rest: { count: 0, accepted: 0 } },
    }),
  });
  expect(progressResponseSchema.parse(body)).toEqual(body);
});

test("without signatures.view the answer has no work, and another version", async () => {
  const [ann, cleo] = [await get("ann"), await get("cleo")];
  expect(JSON.parse(cleo.text)).toEqual({
    version: cleo.etag.slice(1, -1),
    pageVersion: JSON.parse(ann.text).pageVersion,
    progress: progress({ accepted: 1, entered: 2 }),
    work: null,
  });
  expect((await get("cleo", lakes, { "if-none-match": ann.etag })).status).toBe(200);
  expect((await get("cleo", lakes, { "if-none-match": cleo.etag })).status).toBe(304);
});

test("another team of the campaign gets the shared numbers, but not the work of others", async () => {
  const { text } = await get("dan", "team=south&campaign=lakes");
  const body = progressResponseSchema.parse(JSON.parse(text));
  expect(body.progress).toEqual(progress({ accepted: 1, entered: 1 }));
  expect(body.work?.circulators.rows).toEqual([{ circulator: "Sly Fox", lines: 1, accepted: 1, duplicates: 0 }]);
  expect(body.work?.openSheets.rows.map(({ number }) => number)).toEqual([7]);
  expect(body.work?.duplicatesFreed.rows).toEqual([]);
  expect(text).not.toMatch(/Ola Berg|King|ann|V-9/);
});

test("a team gets the progress of the campaigns it names", async () => {
  const own = { accepted: 1, entered: 1 };
  const lakes = { campaignId: "lakes", progress: progress(own), sheetsOpenForDays: 0, outsideDates: 0 };
  expect([...(await listTeamProgress("south", ["lakes", "rivers"]))]).toEqual([["lakes", lakes]]);
  expect([...(await listTeamProgress("north", ["lakes", "rivers"])).keys()]).toEqual(["lakes", "rivers"]);
});

test("the progress bar gets the accepted lines of all teams, and the goal", async () => {
  expect(await readGoalCount("lakes")).toEqual({ accepted: 2, goal: 50 });
  expect(await readGoalCount("rivers")).toEqual({ accepted: 0, goal: null });
  await expect(readGoalCount("nowhere")).rejects.toThrow();
});

test("304 without a body while nothing has changed, also for a weak version from a proxy", async () => {
  const { etag } = await get("ann");
  const unchanged = { status: 304, text: "", etag };
  expect(await get("ann", lakes, { "if-none-match": etag })).toEqual(unchanged);
  expect(await get("ann", lakes, { "if-none-match": `W/${etag}` })).toEqual(unchanged);
  for (const other of ['"another"', "*", etag.slice(1, -1), '""']) {
    expect((await get("ann", lakes, { "if-none-match": other })).status).toBe(200);
  }
});

// Each is a separate transaction.
const line = "(team_id, campaign_id, sheet, line, verdict";
test.each<[what: string, sql: string]>([
  [
    "a line is entered",
    `insert into public.lines ${line}, voter_id) values ('north', 'lakes', 1, 5, 'accepted', 'V-5')`,
  ],
  ["a line is blank", `insert into public.lines ${line}) values ('north', 'lakes', 1, 2, 'blank')`],
  [
    "another team enters a line that was saved on its device",
    `insert into public.lines ${line}, entered_at) values ('south', 'lakes', 7, 2, 'other', now() - interval '3 days')`,
  ],
  [
    "a line with a lower number appears later",
    `insert into public.lines ${line}, stored_number) overriding system value values ('north', 'lakes', 1, 6, 'other', 0)`,
  ],
  ["a line is removed", "update public.lines set removed_at = now() where voter_id = 'V-5'"],
  ["a line is restored", "update public.lines set removed_at = null where voter_id = 'V-5'"],
  ["a line is moved", "update public.lines set line = 9 where voter_id = 'V-5'"],
  [
    "many lines are stored at once",
    `insert into public.lines ${line}) select 'north', 'lakes', 9, n, 'blank' from generate_series(1, 120) n`,
  ],
  ["another line is stored after them", `insert into public.lines ${line}) values ('north', 'lakes', 9, 200, 'blank')`],
  ["a sheet is opened", "insert into public.sheets (team_id, campaign_id, number) values ('north', 'lakes', 2)"],
  ["the details of a sheet are saved", "update public.sheets set signature_count = 7 where team_id = 'south'"],
  ["a sheet is closed", "update public.sheets set closed_at = now() where number = 2"],
  ["a sheet is deleted", "delete from public.sheets where number = 2"],
  ["the goal is changed", "update public.campaigns set signature_goal = 60 where id = 'lakes'"],
  ["the campaign is archived", "update public.campaigns set archived_at = now() where id = 'lakes'"],
  ["a team leaves", "delete from public.campaign_team where team_id = 'south'"],
  ["the day changes", "update public.teams set time_zone = 'Pacific/Kiritimati' where id = 'north'"],
])("the version changes when %s, and then stays", async (_what, sql) => {
  const before = await get("ann");
  await database.sql(sql);
  const after = await get("ann", lakes, { "if-none-match": before.etag });
  expect(after.status).toBe(200);
  expect(after.etag).not.toBe(before.etag);
  expect((await get("ann", lakes, { "if-none-match": after.etag })).status).toBe(304);
});

test.each<[what: string, sql: string, other: string]>([
  [
    "the campaign is renamed",
    "update public.campaigns set name = 'Lakes 2' where id = 'lakes'",
    "update public.campaigns set name = 'Rivers 2' where id = 'rivers'",
  ],
  [
    "someone asks for access",
    `insert into public.access_requests (user_id, team_id, campaign_id, key) select user_id, team_id, 'lakes', 'charts.edit'
       from public.team_users where team_id = 'north'`,
    `insert into public.access_requests (user_id, team_id, campaign_id, key) select user_id, team_id, 'rivers', 'charts.edit'
       from public.team_users where team_id = 'north'`,
  ],
  [
    "a request is declined",
    "update public.access_requests set closed_at = now() where campaign_id = 'lakes'",
    "select 1",
  ],
  [
    "a chart fails",
    `insert into public.charts (team_id, campaign_id, name, kind, source, tried_at)
       values ('north', 'lakes', 'Broken', 'table', 'lines', now() - interval '1 minute')`,
    `insert into public.charts (team_id, campaign_id, name, kind, source, tried_at)
       values ('north', 'rivers', 'Broken', 'table', 'lines', now() - interval '1 minute')`,
  ],
])("the version of the page changes when %s, and not for another campaign or a new line", async (_what, sql, other) => {
  const pageVersion = async () => JSON.parse((await get("ann")).text).pageVersion;
  const before = await pageVersion();
  await database.sql(`insert into public.lines ${line}) values ('north', 'lakes', 11, null, 'other')`);
  await database.sql(other);
  expect(await pageVersion()).toBe(before);
  await database.sql(sql);
  expect(await pageVersion()).not.toBe(before);
});

test("the version stays while work happens in other campaigns", async () => {
  const { etag } = await get("ann");
  await database.sql("insert into public.lines (team_id, campaign_id, verdict) values ('north', 'rivers', 'other')");
  await database.sql("insert into public.sheets (team_id, campaign_id, number) values ('north', 'rivers', 1)");
  await database.sql("update public.campaigns set name = 'Streams' where id = 'rivers'");
  expect((await get("ann", lakes, { "if-none-match": etag })).status).toBe(304);
});

test("lines are counted again when one changes, or after a minute, and not for each viewer", async () => {
  const acceptedLines = async () => [
    progressResponseSchema.parse(JSON.parse((await get("ann")).text)).progress.own.accepted,
    (await listTeamProgress("north", ["lakes"])).get("lakes")?.progress.own.accepted,
  ];
  // The version covers lines, not their counts.
  const changeCounts = (accepted: number) =>
    database.sql(
      "update private.line_counts set accepted = $1 where team_id = 'north' and per = 'county' and county = 'King'",
      [accepted],
    );
  const before = await acceptedLines();
  await changeCounts(70);
  expect(await acceptedLines()).toEqual(before);
  await database.sql(`insert into public.lines ${line}) values ('north', 'lakes', 12, 1, 'other')`);
  const counted = await acceptedLines();
  expect(counted).not.toEqual(before);
  await changeCounts(80);
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
  expect(await acceptedLines()).toEqual(counted.map((accepted) => Number(accepted) + 10));
  vi.useRealTimers();
});
