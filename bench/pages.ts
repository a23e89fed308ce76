// Measures pages with the demo's lines and with a million more, without changes and with a line stored before each load.
// Then measures what the counts add to storing a line while 50 clerks store lines.
import postgres, { type Sql } from "postgres";
import { formatSecondsSince, median, quantile, timeInTurn } from "../harness/measure.ts";
import { atEnd, runBench, sized } from "../harness/run-bench.ts";
import { type App, startedApp } from "../harness/started-app.ts";
import { cookieOf, startedStack } from "../harness/started-stack.ts";

const addedLines = sized(1_000_000, 2_000);
const warmUp = sized(3, 0);
const rounds = sized(11, 1);
const clerks = sized(50, 3);
const linesPerClerk = sized(60, 2);
const untimedLines = sized(20, 0); // the first of each clerk: plans are made again after a trigger was switched
const storingRounds = sized(6, 1);
const campaign = "/riverside/campaign/clean-water";
const pages = {
  team: "/riverside",
  overview: campaign,
  dashboard: `${campaign}/dashboard`,
  register: `${campaign}/signatures/register`,
  entry: `${campaign}/signatures`,
  members: "/riverside/members",
  voters: `${campaign}/voters`,
};

await runBench(async () => {
  const stack = await startedStack();
  const sql = postgres(stack.DATABASE_URL, { max: 1, onnotice: () => undefined });
  atEnd(() => sql.end());
  const cookie = await cookieOf(stack, "admin@demo.test");
  const app = await startedApp(stack);
  const withDemoLines = await measure(sql, app, cookie);
  await fill(sql);
  const withMoreLines = await measure(sql, app, cookie);
  for (const [name, before] of withDemoLines) {
    const after = withMoreLines.get(name) ?? [];
    const times = [before, after].map((durations) => `${median(durations).toFixed(0).padStart(7)} ms`);
    const growth = (median(after) / median(before)).toFixed(2);
    console.log(`  ${name.padEnd(28)}${times.join("")}${growth.padStart(8)}   expected: at most 1.5`);
  }
  await measureStoring(stack.DATABASE_URL);
});

// Each clerk stores a line, waits for the response and stores the next one, on their own sheet.
async function measureStoring(url: string) {
  const sql = postgres(url, { max: clerks, onnotice: () => undefined });
  atEnd(() => sql.end());
  const clerkIds = await sql<{ id: string }[]>`
    with added as (
      insert into auth.users (id, email)
      select gen_random_uuid(), 'bench-' || i || '@demo.test' from generate_series(1, ${clerks}::int) i returning id)
    insert into public.team_users (user_id, team_id, role_id, status)
    select a.id, t.team_id, t.role_id, 'active' from added a, public.team_users t
    join auth.users u on u.id = t.user_id and u.email = 'admin@demo.test' where t.team_id = 'riverside'
    returning user_id as id`;
  let sheet = 1_900_000_000;
  const storeAll = async () => {
    sheet += clerks;
    const times: number[] = [];
    const enter = async (clerk: string, number: number) => {
      for (let line = 1; line <= linesPerClerk; line++) {
        const values = { verdict: "accepted", voterId: `S${number}-${line}`, county: `County ${line}` };
        const stored = {
          ...values,
          id: crypto.randomUUID(),
          team: "riverside",
          campaign: "clean-water",
          sheet: number,
          line,
        };
        const startedAt = performance.now();
        const [row] = await sql`select public.record_line(${clerk}, ${sql.json(stored)}) ->> 'outcome' as outcome`;
        if (line > untimedLines) times.push(performance.now() - startedAt);
        if (row?.outcome !== "accepted") throw new Error(`A line was ${row?.outcome}.`);
      }
    };
    await Promise.all(clerkIds.map(({ id }, index) => enter(id, sheet + index)));
    return times;
  };
  await storeAll(); // connects
  const durationsMs = { enable: [] as number[], disable: [] as number[] };
  for (let round = 0; round < storingRounds; round++) {
    for (const action of round % 2 ? (["disable", "enable"] as const) : (["enable", "disable"] as const)) {
      await sql.unsafe(`alter table public.lines ${action} trigger count_insert`);
      durationsMs[action].push(...(await storeAll()));
    }
  }
  for (const share of [0.5, 0.95]) {
    const [counted, bare] = [quantile(durationsMs.enable, share), quantile(durationsMs.disable, share)];
    const times = `${counted.toFixed(1)} ms with the counts, ${bare.toFixed(1)} ms without: ${(counted / bare).toFixed(2)}`;
    console.log(`${clerks} clerks storing lines at once, ${share * 100}%: ${times}   expected: at most 1.2`);
  }
}

async function measure(sql: Sql, { url }: App, cookie: string) {
  let stored = 0;
  const store = async () => {
    await sql`
      insert into public.lines (team_id, campaign_id, verdict, sheet, line, county, entered_by)
      select 'riverside', 'clean-water', 'not-found', 2000000000, coalesce(max(line), 0) + 1, 'King', md5('1')::uuid
      from public.lines where team_id = 'riverside' and campaign_id = 'clean-water' and sheet = 2000000000`;
    stored += 1;
  };
  const load = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { cookie }, redirect: "manual" });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}.`);
    await response.text();
  };
  const quiet = await timeInTurn(
    Object.entries(pages).map(([name, path]) => [name, () => load(path)] as const),
    { warmUp, rounds },
  );
  const busy = await timeInTurn(
    Object.entries(pages).flatMap(([name, path]) => [
      [`a line stored (${name})`, store] as const,
      [`${name}, lines arrive`, () => load(path)] as const,
    ]),
    { warmUp, rounds },
  );
  const storing = [...busy].flatMap(([name, times]) => (name.startsWith("a line stored") ? times : []));
  console.log(`storing a line: median ${median(storing).toFixed(1)} ms (${stored} lines)`);
  return new Map([...quiet, ...[...busy].filter(([name]) => !name.startsWith("a line stored"))]);
}

// 50 clerks on sheets of 20 lines, in the demo's campaign. Triggers are off, because they would number and record each line.
async function fill(sql: Sql) {
  const startedAt = performance.now();
  await sql.unsafe(`
    insert into public.sheets (team_id, campaign_id, number, circulator, signature_count, closed_at)
    select 'riverside', 'clean-water', 1000000 + i, 'Circulator ' || i % 60, 18 + i % 6, case when i % 500 > 0 then now() end
    from generate_series(1, ${addedLines / 20}) i;
    alter table public.lines disable trigger user;
    insert into public.lines (team_id, campaign_id, verdict, voter_id, first_name, last_name, address, city, county, zip,
      sheet, line, signed_on, entered_by, entered_at, change_number)
    select 'riverside', 'clean-water', v.verdict,
      case v.verdict when 'accepted' then 'V' || i when 'duplicate' then 'V' || i - 3 end, 'First ' || i % 500,
      'Last ' || i % 3000, i % 2000 || ' Oak St', 'City ' || i % 200, case when i % 50 > 0 then 'County ' || i % 39 end,
      (98000 + i % 100)::text, 1000000 + s, i % 20 + 1, current_date - 30, md5((s % 50)::text)::uuid,
      now() - interval '58 days' + i * interval '58 days' / ${addedLines}, case when v.verdict = 'accepted' then i end
    from generate_series(0, ${addedLines} - 1) i
    cross join lateral (select i / 20 + 1 as s) n
    cross join lateral (select case i % 25 when 0 then 'other' when 1 then 'duplicate' when 2 then 'not-found'
      when 3 then case when i % 100 = 3 then 'blank' else 'accepted' end else 'accepted' end as verdict) v;
    alter table public.lines enable trigger user`);
  console.log(`${addedLines} more lines in ${formatSecondsSince(startedAt)} s`);
  const countedAt = performance.now();
  await sql.unsafe("select private.recount()");
  await sql.unsafe("vacuum analyze public.lines, public.sheets, private.line_counts");
  console.log(`recounted in ${formatSecondsSince(countedAt)} s`);
}
