-- Who may do what: roles, permission sets, memberships, and the one place that decides (interface.md 4.1).

-- ── Roles and permission sets ──────────────────────────────────────────────────────────────────────────────────────

create table public.roles (
  id uuid primary key default gen_random_uuid(),
  team_id text references public.teams (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  scope text not null default 'assigned' check (scope in ('inherit_team', 'assigned')),
  unique nulls not distinct (team_id, name)
);
comment on table public.roles is 'The contract''s `role`. Without a team: built in, for every team.';
comment on column public.roles.scope is 'inherit_team marks a team administrator.';
alter table public.roles enable row level security;
grant select on public.roles to authenticated;
grant select, insert, update, delete on public.roles to service_role;

create table public.permission_keys (
  key text primary key check (key ~ '^[a-z_]+\.[a-z_]+$'),
  description text
);
alter table public.permission_keys enable row level security;
create policy "everyone signed in" on public.permission_keys for select to authenticated using (true);
grant select on public.permission_keys to authenticated;
grant select, insert, update, delete on public.permission_keys to service_role;

create table public.permission_sets (
  id uuid primary key default gen_random_uuid(),
  team_id text references public.teams (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  description text,
  unique nulls not distinct (team_id, name)
);
comment on table public.permission_sets is 'A bundle of permission keys. Without a team: built in, for every team.';
alter table public.permission_sets enable row level security;
grant select on public.permission_sets to authenticated;
grant select, insert, update, delete on public.permission_sets to service_role;

create table public.permission_set_keys (
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  key text not null references public.permission_keys (key) on delete cascade on update cascade,
  primary key (permission_set_id, key)
);
create index permission_set_keys_key on public.permission_set_keys (key);
alter table public.permission_set_keys enable row level security;
grant select on public.permission_set_keys to authenticated;
grant select, insert, update, delete on public.permission_set_keys to service_role;

-- ── Memberships ────────────────────────────────────────────────────────────────────────────────────────────────────

create table public.team_users (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  team_id text not null references public.teams (id) on delete cascade,
  role_id uuid not null references public.roles (id),
  status text not null default 'invited' check (status in ('active', 'invited', 'suspended')),
  unique (user_id, team_id)
);
comment on column public.team_users.status is 'Only active rows grant access (interface.md 3).';
create index team_users_team on public.team_users (team_id);
create index team_users_role on public.team_users (role_id);
alter table public.team_users enable row level security;
grant select on public.team_users to authenticated;
grant select, insert, update, delete on public.team_users to service_role;

-- ── Bundles ────────────────────────────────────────────────────────────────────────────────────────────────────────

create table public.team_p_sets (
  team_id text not null references public.teams (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (team_id, permission_set_id)
);
comment on table public.team_p_sets is 'What administrators of a team hold in the whole team (rule 4).';
create index team_p_sets_set on public.team_p_sets (permission_set_id);
alter table public.team_p_sets enable row level security;
grant select on public.team_p_sets to authenticated;
grant select, insert, update, delete on public.team_p_sets to service_role;

create table public.role_p_sets (
  role_id uuid not null references public.roles (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (role_id, permission_set_id)
);
comment on table public.role_p_sets is 'What a role gives, in the team (rule 4) or in a campaign (rule 7).';
create index role_p_sets_set on public.role_p_sets (permission_set_id);
alter table public.role_p_sets enable row level security;
grant select on public.role_p_sets to authenticated;
grant select, insert, update, delete on public.role_p_sets to service_role;

create table public.campaign_team_sets (
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (team_id, campaign_id, permission_set_id)
);
comment on table public.campaign_team_sets is 'What administrators of a team hold in one campaign (rule 7).';
create index campaign_team_sets_campaign on public.campaign_team_sets (campaign_id);
create index campaign_team_sets_set on public.campaign_team_sets (permission_set_id);
alter table public.campaign_team_sets enable row level security;
grant select on public.campaign_team_sets to authenticated;
grant select, insert, update, delete on public.campaign_team_sets to service_role;

create table public.campaign_user_roles_team (
  user_id uuid not null,
  team_id text not null,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  role_id uuid not null references public.roles (id),
  primary key (user_id, team_id, campaign_id),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.campaign_user_roles_team is
  'The role that a member holds in a campaign. Needs a membership of any status.';
create index campaign_user_roles_team_place on public.campaign_user_roles_team (team_id, campaign_id);
create index campaign_user_roles_team_campaign on public.campaign_user_roles_team (campaign_id);
create index campaign_user_roles_team_role on public.campaign_user_roles_team (role_id);
alter table public.campaign_user_roles_team enable row level security;
grant select on public.campaign_user_roles_team to authenticated;
grant select, insert, update, delete on public.campaign_user_roles_team to service_role;

create table public.campaign_user_team_sets (
  user_id uuid not null,
  team_id text not null,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (user_id, team_id, campaign_id, permission_set_id),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.campaign_user_team_sets is
  'Permission sets granted to a member directly, in one campaign. Needs a membership of any status.';
create index campaign_user_team_sets_place on public.campaign_user_team_sets (team_id, campaign_id);
create index campaign_user_team_sets_campaign on public.campaign_user_team_sets (campaign_id);
create index campaign_user_team_sets_set on public.campaign_user_team_sets (permission_set_id);
alter table public.campaign_user_team_sets enable row level security;
grant select on public.campaign_user_team_sets to authenticated;
grant select, insert, update, delete on public.campaign_user_team_sets to service_role;

-- ── A role or set used in a team is built in or that team's own ────────────────────────────────────────────────────

-- Runs as its owner, so that a policy cannot hide the row that would refuse the change.
create function private.check_same_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  used_in text;
  owned_by text;
begin
  if tg_table_name = 'role_p_sets' then
    select team_id into used_in from public.roles where id = new.role_id;
  else
    used_in := new.team_id;
  end if;
  if tg_argv[0] = 'role' then
    select team_id into owned_by from public.roles where id = new.role_id;
  else
    select team_id into owned_by from public.permission_sets where id = new.permission_set_id;
  end if;
  if owned_by is not null and owned_by is distinct from used_in then
    raise exception 'This % belongs to another team.',
      case tg_argv[0] when 'role' then 'role' else 'permission set' end
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
revoke execute on function private.check_same_team() from public, anon, authenticated;

create trigger same_team before insert or update on public.team_users
for each row execute function private.check_same_team('role');
create trigger same_team before insert or update on public.campaign_user_roles_team
for each row execute function private.check_same_team('role');
create trigger same_team before insert or update on public.team_p_sets
for each row execute function private.check_same_team('set');
create trigger same_team before insert or update on public.role_p_sets
for each row execute function private.check_same_team('set');
create trigger same_team before insert or update on public.campaign_team_sets
for each row execute function private.check_same_team('set');
create trigger same_team before insert or update on public.campaign_user_team_sets
for each row execute function private.check_same_team('set');

create function private.keep_team() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'A role or permission set stays with its team.' using errcode = 'check_violation';
end $$;
create trigger keep_team before update of team_id on public.roles
for each row when (old.team_id is distinct from new.team_id) execute function private.keep_team();
create trigger keep_team before update of team_id on public.permission_sets
for each row when (old.team_id is distinct from new.team_id) execute function private.keep_team();

-- ── The rules ──────────────────────────────────────────────────────────────────────────────────────────────────────

create view private.active_members as
select tu.user_id, tu.team_id, tu.role_id, r.scope = 'inherit_team' as is_team_admin -- rule 3
from public.team_users tu
join public.roles r on r.id = tu.role_id
where tu.status = 'active';
comment on view private.active_members is 'Rule 2: memberships that count.';

-- The only statement of rules 2 to 7. Everything that decides or explains access reads it.
create view private.grants as
select m.user_id, m.team_id, null::text as campaign_id, null::text as key,
  2 as rule, 'team_users' as source, null::uuid as permission_set_id
from private.active_members m
union all
select m.user_id, m.team_id, null, k.key, 4, 'team_p_sets', k.permission_set_id
from private.active_members m
join public.team_p_sets b on b.team_id = m.team_id
join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
where m.is_team_admin
union all
select m.user_id, m.team_id, null, k.key, 4, 'role_p_sets', k.permission_set_id
from private.active_members m
join public.role_p_sets b on b.role_id = m.role_id
join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
where not m.is_team_admin
union all
select m.user_id, m.team_id, c.campaign_id, null, 5, 'campaign_user_roles_team', null
from private.active_members m
join public.campaign_user_roles_team c on c.user_id = m.user_id and c.team_id = m.team_id
union all
select m.user_id, m.team_id, c.campaign_id, null, 5, 'campaign_user_team_sets', c.permission_set_id
from private.active_members m
join public.campaign_user_team_sets c on c.user_id = m.user_id and c.team_id = m.team_id
union all
select m.user_id, m.team_id, c.campaign_id, null, 5, 'campaign_team', null
from private.active_members m
join public.campaign_team c on c.team_id = m.team_id
where m.is_team_admin
union all
select m.user_id, m.team_id, b.campaign_id, k.key, 7, 'campaign_team_sets', k.permission_set_id
from private.active_members m
join public.campaign_team_sets b on b.team_id = m.team_id
join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
where m.is_team_admin
union all
select m.user_id, m.team_id, c.campaign_id, k.key, 7, 'role_p_sets', k.permission_set_id
from private.active_members m
join public.campaign_user_roles_team c on c.user_id = m.user_id and c.team_id = m.team_id
join public.role_p_sets b on b.role_id = c.role_id
join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
where not m.is_team_admin
union all
select m.user_id, m.team_id, c.campaign_id, k.key, 7, 'campaign_user_team_sets', k.permission_set_id
from private.active_members m
join public.campaign_user_team_sets c on c.user_id = m.user_id and c.team_id = m.team_id
join public.permission_set_keys k on k.permission_set_id = c.permission_set_id
where not m.is_team_admin;
comment on view private.grants is
  'One row a reason: rules 2 and 5 (key is null) open the team or the campaign, rules 4 and 7 give a key.';

create function public.permission_grants(p_user_id uuid, p_team_id text default null, p_campaign_id text default null)
returns table (key text, rule int, source text, permission_set_id uuid)
language sql stable -- without a `set`, which would have it planned anew at each call: it is planned with its caller
as $$
  select null, 1, 'team_users', null
  from private.active_members m
  where p_team_id is null and m.user_id = p_user_id
  union all
  select g.key, g.rule, g.source, g.permission_set_id
  from private.grants g
  where g.user_id = p_user_id and g.team_id = p_team_id and (g.campaign_id is null or g.campaign_id = p_campaign_id)
$$;
comment on function public.permission_grants is
  'Why a user may: one row a reason, with the rule''s number in the contract, the table and the set that granted it.';
revoke execute on function public.permission_grants from public, anon, authenticated;
grant execute on function public.permission_grants to service_role;

create function public.permissions_snapshot(
  p_user_id uuid, p_team_id text default null, p_campaign_id text default null
) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if p_campaign_id is not null and p_team_id is null then
    raise exception 'A campaign needs its team.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    select jsonb_build_object(
        'teamAccess', coalesce(bool_or(g.rule in (1, 2)), false),
        'permissionKeys', coalesce(
          jsonb_agg(distinct g.key collate "C" order by g.key collate "C") filter (where g.key is not null), '[]'))
      || case when p_campaign_id is null then '{}'
        else jsonb_build_object('campaignAccess', coalesce(bool_or(g.rule = 5), false)) end
    from public.permission_grants(p_user_id, p_team_id, p_campaign_id) g
  );
end $$;
comment on function public.permissions_snapshot is 'The contract''s PermissionsSnapshot (interface.md 2.1), keys sorted.';
revoke execute on function public.permissions_snapshot from public, anon, authenticated;
grant execute on function public.permissions_snapshot to service_role;

-- A user's places: each team and each campaign that she reaches, with all keys that she holds there.
create function private.places(p_user_id uuid)
returns table (team_id text, campaign_id text, keys text[])
language sql stable set search_path = ''
as $$
  with mine as materialized (
    select g.team_id, g.campaign_id, g.key, g.rule from private.grants g where g.user_id = p_user_id
  ),
  held as (
    select m.team_id, m.campaign_id, m.key, m.rule in (2, 5) as reached from mine m
    union all
    select c.team_id, c.campaign_id, t.key, false -- team keys hold in each campaign (rule 8)
    from (select distinct m.team_id, m.campaign_id from mine m where m.rule = 5) c
    join mine t on t.team_id = c.team_id and t.campaign_id is null
  )
  select h.team_id, h.campaign_id,
    coalesce(array_agg(distinct h.key collate "C" order by h.key collate "C") filter (where h.key is not null), '{}')
  from held h
  group by h.team_id, h.campaign_id
  having bool_or(h.reached)
$$;
revoke execute on function private.places from public, anon, authenticated;
grant execute on function private.places to service_role;

create function public.permission_places(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (select * from private.places(p_user_id))
  select jsonb_build_object('teams', coalesce(jsonb_agg(
    jsonb_build_object(
      'id', t.id, 'name', t.name, 'timeZone', t.time_zone, 'permissionKeys', p.keys,
      'campaigns', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', c.id, 'name', c.name, 'archivedAt', c.archived_at, 'permissionKeys', pc.keys)
          order by c.name, c.id), '[]')
        from places pc
        join public.campaigns c on c.id = pc.campaign_id
        where pc.team_id = t.id
      )
    ) order by t.name, t.id), '[]'))
  from places p
  join public.teams t on t.id = p.team_id
  where p.campaign_id is null
$$;
comment on function public.permission_places is
  'All teams and campaigns that a user reaches; the keys of each place are those of its snapshot.';
revoke execute on function public.permission_places from public, anon, authenticated;
grant execute on function public.permission_places to service_role;

-- For policies. Answers for the signed-in user alone, so nothing of anyone else can be asked through it.
create function private.granted(p_key text default null) returns table (team_id text, campaign_id text)
language sql stable security definer set search_path = ''
as $$
  with mine as materialized (
    select g.team_id, g.campaign_id, g.key
    from private.grants g
    where g.user_id = (select auth.uid()) and (g.key is null or g.key = p_key)
  )
  select distinct m.team_id, m.campaign_id
  from mine m
  where m.key is null and (
    p_key is null
    or m.team_id in (select k.team_id from mine k where k.key is not null and k.campaign_id is null) -- rule 8
    or (m.team_id, m.campaign_id) in (
      select k.team_id, k.campaign_id from mine k where k.key is not null and k.campaign_id is not null)
  )
$$;
comment on function private.granted is
  'The (team, campaign) pairs where the signed-in user holds a key, or reaches at all when none is named. '
  'A pair without a campaign is the team itself.';
revoke execute on function private.granted from public, anon;
grant execute on function private.granted to authenticated, service_role;

grant select on private.active_members, private.grants to service_role;

-- ── Policies: what a signed-in user reads over REST ────────────────────────────────────────────────────────────────

create policy "teams that one reaches" on public.teams for select to authenticated
  using (id in (select g.team_id from private.granted() g));
create policy "campaigns that one reaches" on public.campaigns for select to authenticated
  using (id in (select g.campaign_id from private.granted() g));
create policy "campaigns that one reaches" on public.campaign_team for select to authenticated
  using ((team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted() g));

-- Teams whose access rows the signed-in user may read.
create function private.teams_managed() returns setof text
language sql stable set search_path = ''
as $$
  select g.team_id from private.granted('members.view') g where g.campaign_id is null
  union
  select g.team_id from private.granted('roles.manage') g where g.campaign_id is null
$$;
revoke execute on function private.teams_managed from public, anon;
grant execute on function private.teams_managed to authenticated, service_role;

create policy "one's own, or of a team that one manages" on public.team_users for select to authenticated
  using (user_id = (select auth.uid()) or team_id in (select private.teams_managed()));
create policy "one's own, or of a team that one manages" on public.campaign_user_roles_team for select to authenticated
  using (user_id = (select auth.uid()) or team_id in (select private.teams_managed()));
create policy "one's own, or of a team that one manages" on public.campaign_user_team_sets for select to authenticated
  using (user_id = (select auth.uid()) or team_id in (select private.teams_managed()));
create policy "of a team that one manages" on public.team_p_sets for select to authenticated
  using (team_id in (select private.teams_managed()));
create policy "of a team that one manages" on public.campaign_team_sets for select to authenticated
  using (team_id in (select private.teams_managed()));
create policy "built in, or of a team that one manages" on public.roles for select to authenticated
  using (team_id is null or team_id in (select private.teams_managed()));
create policy "built in, or of a team that one manages" on public.permission_sets for select to authenticated
  using (team_id is null or team_id in (select private.teams_managed()));
create policy "with the role and the set" on public.role_p_sets for select to authenticated
  using (role_id in (select r.id from public.roles r) and permission_set_id in (select s.id from public.permission_sets s));
create policy "with the set" on public.permission_set_keys for select to authenticated
  using (permission_set_id in (select s.id from public.permission_sets s));

-- ── What comes with Signet ─────────────────────────────────────────────────────────────────────────────────────────

insert into public.permission_keys (key, description) values
  ('campaign.view', 'See the campaign overview'),
  ('voters.search', 'Search voters'),
  ('signatures.view', 'See signatures'),
  ('signatures.enter', 'Enter signatures and undo one''s own'),
  ('signatures.remove', 'Remove signatures of others'),
  ('charts.view', 'See charts'),
  ('charts.edit', 'Build and change charts'),
  ('members.view', 'See members'),
  ('members.manage', 'Change members and see activity'),
  ('roles.manage', 'Change roles and permission sets');

insert into public.permission_sets (name, description) values
  ('Voter search', 'Find voters in the voter file.'),
  ('Campaign overview', 'Open a campaign and see how it is doing.'),
  ('Signature reading', 'Read signature lines.'),
  ('Signature entry', 'Read and enter signature lines, and undo one''s own.'),
  ('Signature correction', 'Remove lines that others entered.'),
  ('Chart reading', 'See the dashboard.'),
  ('Chart building', 'See, build and change charts.'),
  ('Member list', 'See who is in the team.'),
  ('Team administration', 'Manage members, roles and permission sets, and see the activity.');

insert into public.permission_set_keys (permission_set_id, key)
select s.id, k.key
from (values
  ('Voter search', 'voters.search'),
  ('Campaign overview', 'campaign.view'),
  ('Signature reading', 'signatures.view'),
  ('Signature entry', 'signatures.view'),
  ('Signature entry', 'signatures.enter'),
  ('Signature correction', 'signatures.remove'),
  ('Chart reading', 'charts.view'),
  ('Chart building', 'charts.view'),
  ('Chart building', 'charts.edit'),
  ('Member list', 'members.view'),
  ('Team administration', 'members.view'),
  ('Team administration', 'members.manage'),
  ('Team administration', 'roles.manage')
) as k (set_name, key)
join public.permission_sets s on s.name = k.set_name and s.team_id is null;

insert into public.roles (name, scope) values
  ('Administrator', 'inherit_team'),
  ('Member', 'assigned'),
  ('Field team', 'assigned'),
  ('Office', 'assigned'),
  ('Campaign staff', 'assigned'),
  ('Signature clerk', 'assigned'),
  ('Canvasser', 'assigned'),
  ('Analyst', 'assigned');

insert into public.role_p_sets (role_id, permission_set_id)
select r.id, s.id
from (values
  ('Field team', 'Voter search'),
  ('Office', 'Voter search'),
  ('Office', 'Member list'),
  ('Campaign staff', 'Campaign overview'),
  ('Campaign staff', 'Voter search'),
  ('Campaign staff', 'Signature reading'),
  ('Campaign staff', 'Chart reading'),
  ('Signature clerk', 'Campaign overview'),
  ('Signature clerk', 'Voter search'),
  ('Signature clerk', 'Signature entry'),
  ('Canvasser', 'Campaign overview'),
  ('Canvasser', 'Voter search'),
  ('Analyst', 'Campaign overview'),
  ('Analyst', 'Signature reading'),
  ('Analyst', 'Chart building')
) as b (role_name, set_name)
join public.roles r on r.name = b.role_name and r.team_id is null
join public.permission_sets s on s.name = b.set_name and s.team_id is null;
