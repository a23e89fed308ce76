import postgres from "postgres";
import { sized } from "../../harness/run-bench.ts";

/** Members 1 to 40 each administer the team with their number; the others are members of two teams. */
export const memberId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const campaigns = sized(60, 12); // of each team
const members = sized(400, 50);
// 40 teams, 30 permission sets of 10 keys, 10 roles of 3 sets.
const statements = [
  "insert into public.teams (id, name) select 'team-' || t, 'Team ' || t from generate_series(1, 40) t",
  `insert into public.campaigns (id, name, team_id)
   select 'campaign-' || t || '-' || c, 'Campaign ' || c, 'team-' || t from generate_series(1, 40) t, generate_series(1, ${campaigns}) c`,
  `insert into public.campaign_team (team_id, campaign_id)
   select 'team-' || t, 'campaign-' || t || '-' || c from generate_series(1, 40) t, generate_series(1, ${campaigns}) c`,
  `insert into public.permission_keys (key)
   select 'bench.' || chr(97 + k / 26) || chr(97 + k % 26) from generate_series(0, 59) k`,
  "insert into public.permission_sets (id, name) select md5('set' || s)::uuid, 'Set ' || s from generate_series(0, 29) s",
  `insert into public.permission_set_keys (permission_set_id, key)
   select md5('set' || s)::uuid, 'bench.' || chr(97 + k / 26) || chr(97 + k % 26)
   from generate_series(0, 29) s, lateral (select (s * 7 + i) % 60 as k from generate_series(0, 9) i) keys`,
  "insert into public.roles (id, name) select md5('role' || r)::uuid, 'Role ' || r from generate_series(0, 9) r",
  `insert into public.role_p_sets (role_id, permission_set_id)
   select md5('role' || r)::uuid, md5('set' || (r * 3 + i))::uuid from generate_series(0, 9) r, generate_series(0, 2) i`,
  `insert into public.team_p_sets (team_id, permission_set_id)
   select 'team-' || t, md5('set' || (t + i) % 30)::uuid from generate_series(1, 40) t, generate_series(0, 5) i`,
  `insert into public.campaign_team_sets (team_id, campaign_id, permission_set_id)
   select 'team-' || t, 'campaign-' || t || '-' || c, md5('set' || (t + c + i) % 30)::uuid
   from generate_series(1, 40) t, generate_series(1, ${campaigns}) c, generate_series(0, 1) i`,
  `insert into auth.users (id, email)
   select ('00000000-0000-4000-8000-' || lpad(m::text, 12, '0'))::uuid, 'member-' || m || '@people.test'
   from generate_series(1, ${members}) m`,
  `insert into public.team_users (user_id, team_id, role_id, status)
   select ('00000000-0000-4000-8000-' || lpad(m::text, 12, '0'))::uuid, 'team-' || (m + i * 7) % 40 + 1,
     case when m <= 40 then (select id from public.roles where name = 'Administrator')
       else md5('role' || (m + i) % 10)::uuid end, 'active'
   from generate_series(1, ${members}) m, generate_series(0, 1) i where m > 40 or i = 0`,
  `insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
   select tu.user_id, tu.team_id, replace(tu.team_id, 'team', 'campaign') || '-' || c, md5('role' || c % 10)::uuid
   from public.team_users tu, generate_series(1, 8) c where tu.team_id like 'team-%' and tu.role_id <> (select id from public.roles where name = 'Administrator')`,
  `insert into public.campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
   select tu.user_id, tu.team_id, replace(tu.team_id, 'team', 'campaign') || '-' || c, md5('set' || c)::uuid
   from public.team_users tu, generate_series(5, 12) c where tu.team_id like 'team-%' and tu.role_id <> (select id from public.roles where name = 'Administrator')`,
  "analyze",
];

/** Adds a realistic data set to a database: 40 teams with campaigns, roles, permission sets and members. */
export async function addWorld(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  for (const statement of statements) await sql.unsafe(statement);
  await sql.end();
}
