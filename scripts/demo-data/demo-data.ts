import { z } from "zod";
import { logProgress } from "../cli.ts";
import type { Database, StackKeys } from "../local-stack/open-database.ts";
import { addDemoCharts } from "./demo-charts.ts";
import { makeLines } from "./lines.ts";
import { makeVoters } from "./voters.ts";

export const demoPassword = "demo-password-1";

/** The account that searches the voter file for the application. It isn't a member of any team. */
export const searchEmail = "search@signet.local";

/** The demo people, with their roles in the team riverside and its campaign clean-water. */
const demoPeople = [
  { email: "admin@demo.test", name: "Ada Moreno", teamRole: "Administrator", description: "administers Riverside" },
  {
    email: "staff@demo.test",
    name: "Jun Park",
    teamRole: "Office",
    campaignRole: "Campaign staff",
    description: "campaign staff",
  },
  {
    email: "clerk@demo.test",
    name: "Rosa Lindqvist",
    teamRole: "Field team",
    campaignRole: "Signature clerk",
    description: "enters signatures",
  },
  {
    email: "canvasser@demo.test",
    name: "Malik Osei",
    teamRole: "Field team",
    campaignRole: "Canvasser",
    description: "looks voters up",
  },
  {
    email: "analyst@demo.test",
    name: "Priya Raman",
    teamRole: "Member",
    campaignRole: "Analyst",
    description: "builds charts",
  },
  {
    email: "suspended@demo.test",
    name: "Toby Hale",
    teamRole: "Field team",
    campaignRole: "Signature clerk",
    description: "is suspended",
  },
  { email: "outsider@demo.test", name: "Nell Varga", description: "is in no team" },
  { email: "hill@demo.test", name: "Hugo Ferrer", description: "administers Hillside" },
] as const;

/** Prints who can sign in to the demo, and where its emails can be read. */
export function printAccounts({ NEXT_PUBLIC_SUPABASE_URL }: Record<string, string>): void {
  console.log(`\nSign in with the password ${demoPassword} as`);
  for (const { email, name, description } of demoPeople) console.log(`  ${email.padEnd(20)} ${name}, ${description}`);
  console.log(`\nEmails arrive at ${NEXT_PUBLIC_SUPABASE_URL}/mail`);
}

/**
 * Adds the search account, and voters if there are none. Adds people, teams and campaigns if there are no teams, lines and
 * charts if there never were any.
 */
export async function addDemoData(database: Database, keys: StackKeys): Promise<void> {
  await addSearchAccount(database, keys);
  await addVoters(database);
  await addTeams(database, keys);
  await addLines(database);
  await addDemoCharts(database);
}

async function addTeams(database: Database, keys: StackKeys) {
  const teams = await database.sql("select 1 from public.teams limit 1");
  if (teams.length > 0) return;
  logProgress("Adding the demo's people and teams");
  for (const person of demoPeople) {
    const known = await database.sql("select 1 from auth.users where email = $1", [person.email]);
    if (known.length === 0) await signUp(database, keys, { ...person, password: demoPassword });
  }
  // One statement, so that an interrupted start can be repeated.
  await database.sql(teamsSql, [JSON.stringify(demoPeople)]);
}

// A database can outlive its keys: if the password has changed, the account is created again.
async function addSearchAccount(database: Database, keys: StackKeys) {
  const account = { email: searchEmail, password: keys.searchPassword };
  if ((await requestAuth(database, keys, "token?grant_type=password", account)).ok) return;
  await database.sql("delete from auth.users where email = $1", [searchEmail]);
  await signUp(database, keys, { ...account, name: "Voter search" });
}

async function signUp(
  database: Database,
  keys: StackKeys,
  { email, password, name }: { email: string; password: string; name: string },
) {
  const response = await requestAuth(database, keys, "signup", { email, password, data: { name } });
  if (!response.ok) throw new Error(`${email} could not be signed up: ${await response.text()}`);
  z.object({ access_token: z.string() }).parse(await response.json());
  // Signing up also signs in; this removes that session.
  await database.sql("delete from auth.sessions s using auth.users u where u.id = s.user_id and u.email = $1", [email]);
}

function requestAuth(database: Database, keys: StackKeys, path: string, body: object) {
  return database.fetch(
    new Request(`http://127.0.0.1/auth/v1/${path}`, {
      method: "POST",
      headers: { apikey: keys.publishable, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

/** Adds 20,000 invented people to an empty voter file, and indexes their names. An interrupted start continues here. */
export async function addVoters(database: Pick<Database, "sql">): Promise<void> {
  const voters = await database.sql("select 1 from voterfile.voters limit 1");
  if (voters.length === 0) {
    logProgress("Adding 20,000 invented voters");
    await database.sql(votersSql, [JSON.stringify(makeVoters(20_000))]);
  }
  const names = await database.sql("select 1 from voterfile.names limit 1");
  if (names.length > 0) return;
  await database.sql("select voterfile.refresh_names()");
  await database.sql("vacuum analyze voterfile.voters, voterfile.names");
}

/** Adds 12,000 signatures to the demo's campaigns, in one statement, unless a line was ever entered. */
async function addLines(database: Pick<Database, "sql">): Promise<void> {
  const [demoWithoutLines] = await database.sql<{ today: string }>(`
    select (now() at time zone t.time_zone)::date::text as today
    from public.teams t
    where t.id = 'riverside' and exists (select 1 from auth.users u where u.email = 'hill@demo.test')
      and (select count(*) from public.campaigns c where c.id in ('clean-water', 'open-parks', 'safe-streets')) = 3
      and not exists (select 1 from public.lines) and not exists (select 1 from public.sheets)
  `);
  if (!demoWithoutLines) return;
  const { lines, sheets } = makeLines(makeVoters(20_000), demoWithoutLines.today);
  await database.sql(linesSql, [JSON.stringify(lines), JSON.stringify(sheets)]);
  await database.sql("vacuum analyze public.lines, public.sheets");
}

const linesSql = `
with
  people as (select u.id, u.email from auth.users u where u.email like '%@demo.test'),
  lines as materialized (
    select l.*, p.id as person, l."enteredAt" at time zone t.time_zone as entered_at
    from jsonb_to_recordset($1::text::jsonb) as l (
      id uuid, team text, campaign text, sheet int, line int, verdict text, note text, "voterId" text,
      "firstName" text, "lastName" text, address text, city text, county text, zip text, "signedOn" date,
      "enteredBy" text, "enteredAt" timestamp
    )
    join people p on p.email = l."enteredBy"
    join public.teams t on t.id = l.team
  ),
  new_sheets as (
    insert into public.sheets (team_id, campaign_id, number, circulator, collected_on, signature_count, opened_by, opened_at, closed_at)
    select s.team, s.campaign, s.number, s.circulator, s."collectedOn", s."signatureCount", p.id, s."openedAt" at time zone t.time_zone, s."closedAt" at time zone t.time_zone
    from jsonb_to_recordset($2::text::jsonb) as s (
      team text, campaign text, number int, circulator text, "collectedOn" date, "signatureCount" int, "openedBy" text, "openedAt" timestamp, "closedAt" timestamp
    )
    join people p on p.email = s."openedBy"
    join public.teams t on t.id = s.team
  )
insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, address, city,
  county, zip, signed_on, note, entered_by, entered_at)
select id, team, campaign, sheet, line, verdict, "voterId", "firstName", "lastName", address, city,
  county, zip, "signedOn", note, person, entered_at
from lines
order by entered_at
`;

const votersSql = `
insert into voterfile.voters
  (voter_id, first_name, middle_name, last_name, house_number, street, unit, city, zip, county, birth_year, party, status,
    district, precinct)
select "voterId", "firstName", "middleName", "lastName", "houseNumber", street, unit, city, zip, county, "birthYear", party,
  status, district, precinct
from jsonb_to_recordset($1::text::jsonb) as v (
  "voterId" text, "firstName" text, "middleName" text, "lastName" text, "houseNumber" text,
  street text, unit text, city text, zip text, county text, "birthYear" smallint, party text, status text, district text,
  precinct text
)
`;

const teamsSql = `
with
  people as (
    select u.id, p."teamRole" as team_role, p."campaignRole" as campaign_role, p.email
    from jsonb_to_recordset($1::text::jsonb) as p (email text, "teamRole" text, "campaignRole" text)
    join auth.users u on u.email = p.email
  ),
  new_teams as (
    insert into public.teams (id, name, time_zone) values
      ('riverside', 'Riverside', 'America/Los_Angeles'),
      ('hillside', 'Hillside', 'America/Los_Angeles')
  ),
  new_campaigns as (
    insert into public.campaigns (id, name, team_id, signature_goal, starts_on, ends_on, districts) values
      ('clean-water', 'Clean water', 'riverside', 30000, current_date - 60, current_date + 90, null),
      ('safe-streets', 'Safe streets', 'riverside', 4000, current_date - 20, current_date + 130, '11, 31, 33, 34'),
      ('open-parks', 'Open parks', 'riverside', 35000, current_date - 40, current_date + 60, null)
  ),
  new_campaign_team as (
    insert into public.campaign_team (team_id, campaign_id) values
      ('riverside', 'clean-water'), ('riverside', 'safe-streets'), ('riverside', 'open-parks'), ('hillside', 'open-parks')
  ),
  new_team_p_sets as (
    insert into public.team_p_sets (team_id, permission_set_id)
    select t.id, s.id from (values ('riverside'), ('hillside')) as t (id)
    cross join public.permission_sets s where s.team_id is null
  ),
  new_team_users as (
    insert into public.team_users (user_id, team_id, role_id, status)
    select p.id, 'riverside', r.id, case when p.email = 'suspended@demo.test' then 'suspended' else 'active' end
    from people p join public.roles r on r.name = p.team_role and r.team_id is null
    union all
    select p.id, 'hillside', r.id, 'active'
    from people p join public.roles r on r.name = 'Administrator' and r.team_id is null
    where p.email = 'hill@demo.test'
  )
insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
select p.id, 'riverside', 'clean-water', r.id
from people p join public.roles r on r.name = p.campaign_role and r.team_id is null
`;
