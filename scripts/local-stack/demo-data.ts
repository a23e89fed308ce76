import { z } from "zod";
import type { Database, Keys } from "./open-database.ts";

export const demoPassword = "demo-password-1";

/** The demo people: `team` is a role in riverside, `campaign` one on clean-water. */
export const demoPeople = [
  { email: "admin@demo.test", name: "Ada Moreno", team: "Administrator", does: "administers Riverside" },
  { email: "staff@demo.test", name: "Jun Park", team: "Office", campaign: "Campaign staff", does: "campaign staff" },
  {
    email: "clerk@demo.test",
    name: "Rosa Lindqvist",
    team: "Field team",
    campaign: "Signature clerk",
    does: "enters signatures",
  },
  {
    email: "canvasser@demo.test",
    name: "Malik Osei",
    team: "Field team",
    campaign: "Canvasser",
    does: "looks voters up",
  },
  { email: "analyst@demo.test", name: "Priya Raman", team: "Member", campaign: "Analyst", does: "builds charts" },
  {
    email: "suspended@demo.test",
    name: "Toby Hale",
    team: "Field team",
    campaign: "Signature clerk",
    does: "is suspended",
  },
  { email: "outsider@demo.test", name: "Nell Varga", does: "is in no team" },
  { email: "hill@demo.test", name: "Hugo Ferrer", does: "administers Hillside" },
] as const;

/** Fills an empty database with the demo's people, teams and campaigns. One that has a team is left as it is. */
export async function addDemoData(database: Database, keys: Keys): Promise<void> {
  const teams = await database.sql("select 1 from public.teams limit 1");
  if (teams.length > 0) return;
  for (const person of demoPeople) await signUp(database, keys, person);
  // One statement, so that a start which is stopped here begins again.
  await database.sql(demoSql, [JSON.stringify(demoPeople)]);
}

async function signUp(database: Database, keys: Keys, person: { email: string; name: string }) {
  const known = await database.sql("select 1 from auth.users where email = $1", [person.email]);
  if (known.length > 0) return;
  const response = await database.fetch(
    new Request("http://127.0.0.1/auth/v1/signup", {
      method: "POST",
      headers: { apikey: keys.publishable, "content-type": "application/json" },
      body: JSON.stringify({ email: person.email, password: demoPassword, data: { name: person.name } }),
    }),
  );
  if (!response.ok) throw new Error(`${person.email} could not be signed up: ${await response.text()}`);
  z.object({ access_token: z.string() }).parse(await response.json());
}

const demoSql = `
with
  people as (
    select u.id, p.team as team_role, p.campaign as campaign_role, p.email
    from jsonb_to_recordset($1::text::jsonb) as p (email text, team text, campaign text)
    join auth.users u on u.email = p.email
  ),
  new_teams as (
    insert into public.teams (id, name, time_zone) values
      ('riverside', 'Riverside', 'America/Los_Angeles'),
      ('hillside', 'Hillside', 'America/Los_Angeles')
  ),
  new_campaigns as (
    insert into public.campaigns (id, name, signature_goal, starts_on, ends_on) values
      ('clean-water', 'Clean water', 50000, current_date - 60, current_date + 90),
      ('safe-streets', 'Safe streets', 20000, current_date - 20, current_date + 130),
      ('open-parks', 'Open parks', 35000, current_date - 40, current_date + 60)
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
