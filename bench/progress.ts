// Measures the overview of a campaign with a million lines: one call for all of its numbers, compared with the bare SQL that
// counts them, and with the same call while nothing has changed.
import { isDeepStrictEqual } from "node:util";
import postgres, { type Sql } from "postgres";
import { z } from "zod";
import { formatSecondsSince, median, ratio, timeInTurn } from "../harness/measure.ts";
import { atEnd, runBench, sized } from "../harness/run-bench.ts";
import { startedStack } from "../harness/started-stack.ts";

const lineCount = sized(1_000_000, 2_000);
const warmUp = sized(2, 0);
const rounds = sized(11, 1);

const timeZone = "America/Los_Angeles";
const countedLines = "l.campaign_id = 'overview' and l.verdict <> 'blank' and l.removed_at is null";
const ownLines = `l.team_id = 'riverside' and ${countedLines}`;
const tally =
  "count(*) as lines, count(*) filter (where l.verdict = 'accepted') as accepted, count(*) filter (where l.verdict = 'duplicate') as duplicates";

// Each number counted with its own statement.
const bareProgress = [
  `select (l.entered_at at time zone '${timeZone}')::date as day, ${tally},
     count(*) filter (where l.team_id = 'riverside') as own from public.lines l where ${countedLines} group by 1`,
  `select sum(greatest(s.signature_count, n.lines)) as lines from public.sheets s
   join (select l.team_id, l.sheet, count(*) as lines from public.lines l where ${countedLines} group by 1, 2) n
     on n.team_id = s.team_id and n.sheet = s.number where s.campaign_id = 'overview'`,
];
const bareWork = [
  `select s.circulator, ${tally} from public.lines l join public.sheets s
     on s.team_id = l.team_id and s.campaign_id = l.campaign_id and s.number = l.sheet where ${ownLines} group by 1`,
  `select l.entered_by, max(l.entered_at), ${tally} from public.lines l where ${ownLines} group by 1`,
  `select l.county, count(*) as accepted from public.lines l where ${ownLines} and l.verdict = 'accepted' group by 1`,
  `select count(*) from public.lines l where ${ownLines} and l.verdict = 'accepted'
     and (l.signed_on < '2026-01-01' or l.signed_on > '2026-12-31')`,
  `select count(*) from public.lines l where ${ownLines} and l.verdict = 'duplicate' and not exists (
     select from public.lines f where f.campaign_id = l.campaign_id and f.voter_id = l.voter_id
       and f.verdict = 'accepted' and f.removed_at is null)`,
  `select s.number, array_agg(l.line) from public.sheets s left join public.lines l on l.team_id = s.team_id
     and l.campaign_id = s.campaign_id and l.sheet = s.number and l.removed_at is null
   where s.team_id = 'riverside' and s.campaign_id = 'overview' and s.closed_at is null group by 1`,
];

const progressSchema = z.object({
  version: z.string(),
  progress: z
    .object({ accepted: z.int(), entered: z.int(), collected: z.int(), days: z.array(z.unknown()) })
    .optional(),
});

await runBench(async () => {
  const stack = await startedStack();
  const sql = postgres(stack.DATABASE_URL, { max: 1, onnotice: () => undefined });
  atEnd(() => sql.end());
  await fill(sql);
  await measure(sql);
});

// In a separate campaign. Triggers are off, because they would number and record each line.
async function fill(sql: Sql) {
  const startedAt = performance.now();
  await sql.unsafe(`
    insert into public.campaigns (id, name, team_id, signature_goal, starts_on, ends_on)
    values ('overview', 'Overview', 'riverside', 2000000, '2026-01-01', '2026-12-31');
    insert into public.campaign_team (team_id, campaign_id) values ('riverside', 'overview'), ('hillside', 'overview');
    insert into public.sheets (team_id, campaign_id, number, circulator, signature_count, closed_at)
    select case when i % 5 > 0 then 'riverside' else 'hillside' end, 'overview', i, 'Circulator ' || i % 60,
      18 + i % 6, case when i % 500 > 0 then now() end
    from generate_series(1, ${lineCount / 20}) i;
    alter table public.lines disable trigger user;
    insert into public.lines (team_id, campaign_id, verdict, voter_id, first_name, last_name, address, city, county, zip,
      sheet, line, signed_on, entered_by, entered_at, change_number)
    select case when s % 5 > 0 then 'riverside' else 'hillside' end, 'overview', v.verdict,
      case v.verdict when 'accepted' then 'V' || i when 'duplicate' then 'V' || i - 3 end, 'First ' || i % 500,
      'Last ' || i % 3000, i % 2000 || ' Oak St', 'City ' || i % 200, case when i % 50 > 0 then 'County ' || i % 39 end,
      (98000 + i % 100)::text, s, i % 20 + 1, date '2026-01-01' + i % 360, md5((s % 12)::text)::uuid,
      timestamptz '2026-01-01' + i * interval '20 s', case when v.verdict = 'accepted' then i end
    from generate_series(0, ${lineCount} - 1) i
    cross join lateral (select i / 20 + 1 as s) n
    cross join lateral (select case i % 25 when 0 then 'other' when 1 then 'duplicate' when 2 then 'not-found'
      when 3 then case when i % 100 = 3 then 'blank' else 'accepted' end else 'accepted' end as verdict) v;
    alter table public.lines enable trigger user;
    select private.recount();
    update public.teams set time_zone = '${timeZone}' where id = 'riverside'`);
  await sql.unsafe("vacuum analyze public.lines, public.sheets");
  console.log(`${lineCount} lines on ${lineCount / 20} sheets (filled in ${formatSecondsSince(startedAt)} s)`);
}

async function measure(sql: Sql) {
  const call = async (withWork: boolean, knownVersion: string | null = null) => {
    const [row] = await sql.unsafe("select public.campaign_progress('riverside', 'overview', $1, $2) as answer", [
      withWork,
      knownVersion,
    ]);
    return progressSchema.parse(row?.answer);
  };
  const bare = async (queries: string[]) => {
    const answers = [];
    for (const query of queries) answers.push(await sql.unsafe(query));
    return answers;
  };
  const full = await call(true);
  requireSameNumbers(await bare(bareProgress), full);

  const variants: [string, () => Promise<unknown>][] = [
    ["bare SQL: of the campaign", () => bare(bareProgress)],
    ["campaign_progress", () => call(false)],
    ["bare SQL: with the team's work", () => bare([...bareProgress, ...bareWork])],
    ["campaign_progress with work", () => call(true)],
    ["the same, nothing changed", () => call(true, full.version)],
  ];
  const times = await timeInTurn(variants, { warmUp, rounds });
  console.log(`\nthe overview (medians of ${rounds} interleaved rounds)`);
  for (const [name, durationsMs] of times) {
    console.log(`  ${name.padEnd(32)}${median(durationsMs).toFixed(1).padStart(9)} ms`);
  }
  const [bareOfCampaign = [], ofCampaign = [], bareOfAll = [], all = [], unchanged = []] = times.values();
  const formatRatio = (durations: number[], baseline: number[]) => ratio(durations, baseline).toFixed(2);
  console.log(
    `  against its bare SQL: ${formatRatio(ofCampaign, bareOfCampaign)}, with work ${formatRatio(all, bareOfAll)}   expected: at most 1.3`,
  );
  console.log(`  full against unchanged: ${ratio(all, unchanged).toFixed(0)} times`);
}

function requireSameNumbers(
  [days = [], sheets = []]: Record<string, unknown>[][],
  { progress }: z.infer<typeof progressSchema>,
) {
  const sum = (name: string) => days.reduce((sum, day) => sum + Number(day[name]), 0);
  const counted = [sum("accepted"), sum("lines"), Number(sheets[0]?.lines), days.length];
  const returned = [progress?.accepted, progress?.entered, progress?.collected, progress?.days.length];
  if (!isDeepStrictEqual(returned, counted))
    throw new Error(`The numbers differ: ${JSON.stringify([counted, returned])}`);
}
