-- Generated from supabase/schemas by `npm run schema -- --write`. Edit the files there.

-- supabase/schemas/010_schemas.sql

-- Schemas, extensions and default privileges. Only the application reads and changes the database, as `service_role`.
-- The API roles `anon` and `authenticated` have no privileges, and row-level security without policies denies them every row
-- too.

create schema if not exists extensions;
grant usage on schema extensions to service_role;
-- Create these before the default privileges below, which would revoke their functions.
create extension if not exists fuzzystrmatch with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

-- Helpers of functions and triggers. REST only shows `public`, so nothing here can be called over it.
create schema private;
grant usage on schema private to service_role;
comment on schema private is 'Access rules and trigger functions; not shown by REST.';

create schema voterfile;
grant usage on schema voterfile to service_role;
comment on schema voterfile is 'The voter file; only the search backend reads it.';

create schema reporting;
grant usage on schema reporting to service_role;
comment on schema reporting is 'Chart sources. Not shown by REST; each view has team_id and campaign_id.';

grant usage on schema public to service_role;

-- Supabase grants everything in `public` to its three API roles by default, and PostgreSQL lets everyone execute every
-- function. From here on people get nothing. `service_role` reads and writes the tables of `public`, reads chart sources, and
-- executes functions; other tables need a grant. tests/integration/permissions/privileges.test.ts lists all of it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;
alter default privileges in schema reporting grant select on tables to service_role;
alter default privileges in schema public, private, voterfile grant execute on functions to service_role;

-- ── Shared helpers ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Without `set search_path`, which would take longer than the function. Names after `return` are resolved once, here.
create function private.utc(p_at timestamptz) returns text
language sql stable
return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
comment on function private.utc is 'A timestamp as an ISO 8601 string in UTC.';

-- Sets who makes the next changes of this transaction, and why. A function that changes something for a user calls it first,
-- and resets it at the end with null.
create function private.act_as(p_actor_id uuid, p_reason text default null) returns void
language plpgsql set search_path = ''
as $$
begin
  perform set_config('signet.actor_id', coalesce(p_actor_id::text, ''), true),
    set_config('signet.reason', coalesce(p_reason, ''), true);
end $$;

create function private.actor() returns uuid
language sql stable
return nullif(current_setting('signet.actor_id', true), '')::uuid;
comment on function private.actor is 'The user making the change; null for changes by SQL and by the service role.';

-- supabase/schemas/020_campaigns.sql

-- Teams, campaigns, and the names of people.

create table public.teams (
  id text primary key
    check (id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$' and id not in ('account', 'api', 'auth', 'invitation', 'login')),
  name text not null check (length(name) between 1 and 120),
  time_zone text not null default 'UTC',
  locale text not null default 'en-US' check (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
  lines_per_sheet int not null default 20 check (lines_per_sheet between 1 and 1000),
  created_at timestamptz not null default now(),
  erase_after_days int check (erase_after_days between 30 and 3650),
  second_factor_from timestamptz
);
comment on column public.teams.second_factor_from is
  'From then on the application refuses sessions without a second factor. Null: it isn''t required. Not in snapshots.';
comment on column public.teams.id is
  'Used in addresses, cache keys and Redis keys, like campaign ids (lib/ids.ts has the same rule). '
  'The names of top-level routes are not allowed.';
comment on column public.teams.time_zone is 'IANA name. Days, hours and "today" on screens follow it.';
comment on column public.teams.locale is 'Language, script and region (BCP 47). Numbers and dates on screens follow it.';
comment on column public.teams.lines_per_sheet is 'The default of the team''s new campaigns.';
comment on column public.teams.erase_after_days is
  'Days after archiving, when the personal data of campaigns that the team runs are erased (178_erasure.sql). Null: never.';
alter table public.teams enable row level security;

-- PostgreSQL accepts zones without a name in the list ("PDT", "Foo5"), which would break every screen with a date.
create function private.check_time_zone() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if not exists (select 1 from pg_catalog.pg_timezone_names z where z.name = new.time_zone) then
    raise exception 'There is no time zone "%".', new.time_zone using errcode = 'invalid_parameter_value';
  end if;
  return new;
end $$;
create trigger check_time_zone before insert or update of time_zone on public.teams
for each row execute function private.check_time_zone();

create table public.campaigns (
  id text primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$' and id <> 'no-access'),
  name text not null check (length(name) between 1 and 120),
  team_id text not null references public.teams (id),
  signature_goal int check (signature_goal > 0),
  starts_on date,
  ends_on date check (ends_on >= starts_on),
  lines_per_sheet int not null default 20 check (lines_per_sheet between 1 and 1000),
  search_profile text check (search_profile ~ '^[A-Z0-9_]{1,40}$'),
  districts text check (length(districts) between 1 and 200),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid,
  required_signatures int check (required_signatures between 1 and 100000000),
  safety_margin numeric(5, 2) check (safety_margin between 0 and 100),
  official_rejection numeric(5, 2) check (official_rejection between 0 and 50),
  check_method text check (check_method in ('full', 'sample', 'washington')),
  sample_percent numeric(5, 2) check (sample_percent between 0.01 and 100),
  sample_minimum int check (sample_minimum between 1 and 100000000),
  pass_percent numeric(5, 2) check (pass_percent between 1 and 200),
  fail_percent numeric(5, 2) check (fail_percent between 1 and pass_percent),
  county_targets jsonb not null default '[]'
    check (jsonb_typeof(county_targets) = 'array' and jsonb_array_length(county_targets) <= 300),
  constraint campaigns_sample check (coalesce(check_method in ('sample', 'washington'), false)
    = (coalesce(sample_percent, sample_minimum) is not null)),
  constraint campaigns_thresholds check (
    num_nonnulls(pass_percent, fail_percent) = case when check_method = 'sample' then 2 else 0 end),
  erase_at timestamptz,
  erased_at timestamptz,
  constraint campaigns_erased check (erased_at is null or archived_at is not null)
);
comment on column public.campaigns.team_id is
  'The team that runs it: only its members change and archive it, add it to other teams, and hand it over to one of them.';
comment on column public.campaigns.search_profile is
  'Suffix of the SEARCHSVC_… variables and of the token cookie of this campaign; null for the default ones.';
comment on column public.campaigns.districts is
  'The districts, as the voter file has them, whose voters may sign: 11, 33. Null for all. Entry warns of voters from others.';
comment on column public.campaigns.safety_margin is
  'In percent of the required signatures, as are pass_percent and fail_percent.';
comment on column public.campaigns.official_rejection is
  'How many percent of the valid signatures the election office is expected to reject.';
comment on column public.campaigns.check_method is
  'How the office checks: all signatures, a sample against two thresholds, or a sample by Washington''s test '
  '(lib/progress/official-check.ts).';
comment on column public.campaigns.sample_percent is
  'Of the signatures turned in. At least sample_minimum are drawn; without a percentage exactly so many.';
comment on column public.campaigns.county_targets is
  'How many valid signatures each county needs: [{ county, target }].';
comment on column public.campaigns.erase_at is 'When its personal data are erased, of which its administrators were warned.';
comment on column public.campaigns.erased_at is 'When erasing began. Then it can''t be restored.';
comment on column public.campaigns.created_by is 'No foreign key, so it survives the account. Null for one made by SQL.';
create index campaigns_team on public.campaigns (team_id);
alter table public.campaigns enable row level security;

create function private.is_erased(p_campaign_id text) returns boolean
language sql stable
return exists (select from public.campaigns c where c.id = p_campaign_id and c.erased_at is not null);
comment on function private.is_erased is 'Whether the personal data of a campaign are erased, or being erased.';

create table public.team_search_profiles (
  team_id text not null references public.teams (id) on delete cascade,
  profile text not null check (profile ~ '^[A-Z0-9_]{1,40}$'),
  primary key (team_id, profile)
);
comment on table public.team_search_profiles is
  'The search profiles the operator granted a team: its campaigns may use these and the default one.';
alter table public.team_search_profiles enable row level security; -- only the operator reads and writes it

create table public.campaign_team (
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  primary key (team_id, campaign_id)
);
comment on table public.campaign_team is 'All campaigns of a team. A campaign can have several teams.';
create index campaign_team_campaign on public.campaign_team (campaign_id);
alter table public.campaign_team enable row level security;

create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  name text not null check (length(name) between 1 and 120)
);
comment on table public.profiles is 'One row per user, created at sign-up.';
alter table public.profiles enable row level security;

-- A name without line breaks, other control characters, and marks that change the direction of text.
-- `personNameSchema` refuses the same.
create function private.plain_name(p_name text) returns text
language sql immutable set search_path = ''
as $$
  select nullif(trim(regexp_replace(p_name,
    '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+', ' ', 'g')), '')
$$;

-- Runs as its owner: Auth's own role may not write to `public`. A bad name never blocks a sign-up. Later only Signet changes
-- the name: what a session writes to its Auth account has no effect.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (user_id, name)
  values (new.id, left(coalesce(
    private.plain_name(new.raw_user_meta_data ->> 'name'),
    private.plain_name(split_part(new.email, '@', 1)),
    'Unnamed'), 120))
  on conflict (user_id) do update set name = excluded.name;
  return new;
end $$;
create trigger create_profile after insert on auth.users
for each row execute function private.create_profile();

-- Anyone can sign up with someone else's address, and Auth keeps that password when the owner confirms the address by any
-- email. Accounts made by a project administrator need no confirmation.
create function private.clear_unproven_password() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.encrypted_password = '';
  new.raw_user_meta_data = new.raw_user_meta_data - 'invitation'; -- text that the person who signed up chose
  return new;
end $$;
create trigger clear_unproven_password before update on auth.users for each row
when (old.email_confirmed_at is null and new.email_confirmed_at is not null and old.confirmation_sent_at is not null)
execute function private.clear_unproven_password();

-- supabase/schemas/030_permissions.sql

-- Roles, permission sets and memberships, with their contents: the rows that access rules read.

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

create table public.permission_keys (
  key text primary key check (key ~ '^[a-z_]+\.[a-z_]+$'),
  description text
);
alter table public.permission_keys enable row level security;

create table public.permission_sets (
  id uuid primary key default gen_random_uuid(),
  team_id text references public.teams (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  description text,
  unique nulls not distinct (team_id, name)
);
comment on table public.permission_sets is 'A set of permission keys. Without a team: built in, for every team.';
alter table public.permission_sets enable row level security;

create table public.permission_set_keys (
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  key text not null references public.permission_keys (key) on delete cascade on update cascade,
  primary key (permission_set_id, key)
);
create index permission_set_keys_key on public.permission_set_keys (key);
alter table public.permission_set_keys enable row level security;

-- ── Memberships ────────────────────────────────────────────────────────────────────────────────────────────────────

create table public.team_users (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  team_id text not null references public.teams (id) on delete cascade,
  role_id uuid not null references public.roles (id),
  status text not null default 'invited' check (status in ('active', 'invited', 'suspended')),
  ends_at timestamptz,
  unique (user_id, team_id)
);
comment on column public.team_users.status is 'Only active rows grant access (contract 3).';
comment on column public.team_users.ends_at is
  'From then on it grants nothing, and is suspended (050_permission_changes.sql). Null: it has no end.';
create index team_users_ends on public.team_users (ends_at) where status = 'active';
create index team_users_team on public.team_users (team_id);
create index team_users_role on public.team_users (role_id);
alter table public.team_users enable row level security;

create function private.invitation_days() returns int
language sql immutable
return 7;
comment on function private.invitation_days is
  'How long an invitation is open, as lib/invitations/invitation-days.ts and the templates of emails say.';

-- Future memberships (060_invitations.sql).
create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id) on delete cascade,
  email text not null check (email = lower(email) and email ~ '^[^@\s]+@[^@\s]+$' and length(email) <= 254),
  role_id uuid not null references public.roles (id) on delete cascade,
  invited_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + make_interval(days => private.invitation_days()),
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  name text check (length(name) between 1 and 120),
  campaigns jsonb not null default '[]' check (jsonb_typeof(campaigns) = 'array'),
  declined boolean not null default false check (not declined or revoked_at is not null)
);
comment on table public.invitations is 'Open until accepted, revoked or expired. Accepting and revoking are final.';
comment on column public.invitations.invited_by is
  'Who grants it: they must still have all of it when it is accepted. Null for the founder of a team, invited by the operator.';
comment on column public.invitations.name is 'The person''s name until they choose one.';
comment on column public.invitations.declined is 'Revoked by the invited person.';
comment on column public.invitations.campaigns is 'Its roles in campaigns: [{"id", "roleId"}].';
create unique index invitations_open on public.invitations (team_id, email) where accepted_at is null and revoked_at is null;
create index invitations_email on public.invitations (email) where accepted_at is null and revoked_at is null;
create index invitations_role on public.invitations (role_id);
alter table public.invitations enable row level security;

-- ── Contents ───────────────────────────────────────────────────────────────────────────────────────────────────────

create table public.team_p_sets (
  team_id text not null references public.teams (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (team_id, permission_set_id)
);
comment on table public.team_p_sets is 'The team-wide sets of administrators (rule 4).';
create index team_p_sets_set on public.team_p_sets (permission_set_id);
alter table public.team_p_sets enable row level security;

create table public.role_p_sets (
  role_id uuid not null references public.roles (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (role_id, permission_set_id)
);
comment on table public.role_p_sets is 'The sets of a role, in the team (rule 4) or in a campaign (rule 7).';
create index role_p_sets_set on public.role_p_sets (permission_set_id);
alter table public.role_p_sets enable row level security;

create table public.campaign_team_sets (
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (team_id, campaign_id, permission_set_id)
);
comment on table public.campaign_team_sets is 'The sets of administrators in one campaign (rule 7).';
create index campaign_team_sets_campaign on public.campaign_team_sets (campaign_id);
create index campaign_team_sets_set on public.campaign_team_sets (permission_set_id);
alter table public.campaign_team_sets enable row level security;

create table public.campaign_user_roles_team (
  user_id uuid not null,
  team_id text not null,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  role_id uuid not null references public.roles (id),
  ends_at timestamptz,
  primary key (user_id, team_id, campaign_id),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.campaign_user_roles_team is
  'The role of a member in a campaign. Needs a membership of any status.';
comment on column public.campaign_user_roles_team.ends_at is
  'From then on it grants nothing, and is removed. Null: it has no end.';
create index campaign_user_roles_team_ends on public.campaign_user_roles_team (ends_at);
create index campaign_user_roles_team_place on public.campaign_user_roles_team (team_id, campaign_id);
create index campaign_user_roles_team_campaign on public.campaign_user_roles_team (campaign_id);
create index campaign_user_roles_team_role on public.campaign_user_roles_team (role_id);
alter table public.campaign_user_roles_team enable row level security;

create table public.campaign_user_team_sets (
  user_id uuid not null,
  team_id text not null,
  campaign_id text not null references public.campaigns (id) on delete cascade,
  permission_set_id uuid not null references public.permission_sets (id) on delete cascade,
  primary key (user_id, team_id, campaign_id, permission_set_id),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.campaign_user_team_sets is
  'Extra permission sets of a member in one campaign. Needs a membership of any status.';
create index campaign_user_team_sets_place on public.campaign_user_team_sets (team_id, campaign_id);
create index campaign_user_team_sets_campaign on public.campaign_user_team_sets (campaign_id);
create index campaign_user_team_sets_set on public.campaign_user_team_sets (permission_set_id);
alter table public.campaign_user_team_sets enable row level security;

-- ── A role or set used in a team is built in or that team's own ────────────────────────────────────────────────────

-- Runs as its owner, so that row-level security can't hide the row that would refuse the change.
create function private.check_same_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed jsonb := to_jsonb(new);
  team_of_role text := (select r.team_id from public.roles r where r.id = (changed ->> 'role_id')::uuid);
  used_in text := coalesce(changed ->> 'team_id', team_of_role); -- role_p_sets has no team_id
  owned_by text := case tg_argv[0] when 'role' then team_of_role
    else (select s.team_id from public.permission_sets s where s.id = (changed ->> 'permission_set_id')::uuid) end;
begin
  if owned_by is not null and owned_by is distinct from used_in then
    raise exception 'This % belongs to another team.',
      case tg_argv[0] when 'role' then 'role' else 'permission set' end
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger same_team before insert or update on public.team_users
for each row execute function private.check_same_team('role');
create trigger same_team before insert or update on public.invitations
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

create function private.refuse_team_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'A role or permission set can''t change its team.' using errcode = 'check_violation';
end $$;
create trigger refuse_team_change before update of team_id on public.roles
for each row when (old.team_id is distinct from new.team_id) execute function private.refuse_team_change();
create trigger refuse_team_change before update of team_id on public.permission_sets
for each row when (old.team_id is distinct from new.team_id) execute function private.refuse_team_change();

-- supabase/schemas/040_permission_rules.sql

-- Who may do what: the one place that decides (contract 4.1).

-- ── The rules ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- Principals have a role in a team: members of every status by their user's id, and open invitations by their own, as an
-- invitation grants its role in advance.
create view private.principals as
select p.principal_id, p.team_id, p.role_id, p.status, r.scope = 'inherit_team' as is_team_admin, -- rule 3
  p.ends_at, p.status = 'active' and (p.ends_at is null or p.ends_at > now()) as is_active
from (
  select t.user_id as principal_id, t.team_id, t.role_id, t.status, t.ends_at from public.team_users t
  union all
  select i.id, i.team_id, i.role_id, 'invited', null from public.invitations i
  where i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
) p
join public.roles r on r.id = p.role_id;

create view private.active_members as
select p.principal_id as user_id, p.team_id, p.role_id, p.is_team_admin, p.ends_at from private.principals p where p.is_active;
comment on view private.active_members is 'Rule 2: active memberships that haven''t ended.';

create view private.grant_sources (rule, source, for_administrators, is_personal) as values
  (2, 'team_users', null::boolean, false),
  (4, 'team_p_sets', true, false),
  (4, 'role_p_sets', false, false),
  (5, 'campaign_user_roles_team', null, true),
  (5, 'campaign_user_team_sets', null, true),
  (5, 'campaign_team', true, false),
  (7, 'campaign_team_sets', true, false),
  (7, 'role_p_sets', false, true),
  (7, 'campaign_user_team_sets', false, true);
comment on view private.grant_sources is
  'The sources of grants: the rule of the contract (2 and 5 open a team or a campaign, 4 and 7 grant keys) and its table, '
  'whether for administrators, for others, or for both (null), and whether its rows name the person.';

-- Each source for each principal: `applies` unless their role in the team excludes it, `in_force` if they are active too.
create view private.principal_sources as
select p.*, p.applies and p.is_active as in_force
from (
  select m.*, w.rule, w.source, w.is_personal, coalesce(w.for_administrators = m.is_team_admin, true) as applies
  from private.principals m cross join private.grant_sources w
) p;

-- The only statement of rules 2 to 7: the rows by which a source grants something to a member of a team with a role.
-- Everything that decides or explains access is a projection of it. A new source is a line above, with its rows here. Without
-- a `set`, so that it is planned with its caller; joined laterally, because joining each source to its own members takes
-- twice as long to plan, and planning is most of the time of a snapshot.
create function private.grant_rows(p_rule int, p_source text, p_user_id uuid, p_team_id text, p_role_id uuid)
returns table (campaign_id text, role_id uuid, permission_set_id uuid)
language sql stable
as $$
  select null::text, p_role_id, null::uuid where p_source = 'team_users'
  union all
  select null, null, b.permission_set_id from public.team_p_sets b where p_source = 'team_p_sets' and b.team_id = p_team_id
  union all
  select null, p_role_id, b.permission_set_id
  from (select) role left join public.role_p_sets b on b.role_id = p_role_id
  where p_source = 'role_p_sets' and p_rule = 4
  union all
  select c.campaign_id, c.role_id, null from public.campaign_user_roles_team c
  where p_source = 'campaign_user_roles_team' and c.user_id = p_user_id and c.team_id = p_team_id
    and (c.ends_at is null or c.ends_at > now())
  union all
  select c.campaign_id, null, c.permission_set_id from public.campaign_user_team_sets c
  where p_source = 'campaign_user_team_sets' and c.user_id = p_user_id and c.team_id = p_team_id
  union all
  select c.campaign_id, null, null from public.campaign_team c where p_source = 'campaign_team' and c.team_id = p_team_id
  union all
  select b.campaign_id, null, b.permission_set_id from public.campaign_team_sets b
  where p_source = 'campaign_team_sets' and b.team_id = p_team_id
  union all
  select c.campaign_id, c.role_id, b.permission_set_id
  from public.campaign_user_roles_team c left join public.role_p_sets b on b.role_id = c.role_id
  where p_source = 'role_p_sets' and p_rule = 7 and c.user_id = p_user_id and c.team_id = p_team_id
    and (c.ends_at is null or c.ends_at > now())
$$;

create view private.assignments as
select p.principal_id, p.team_id, r.campaign_id, p.rule, p.source, r.role_id, r.permission_set_id,
  p.is_team_admin, p.is_personal, p.applies, p.in_force
from private.principal_sources p
cross join lateral private.grant_rows(p.rule, p.source, p.principal_id, p.team_id, p.role_id) r;
comment on view private.assignments is
  'What each principal is assigned where, in force or not: a team or a campaign (rules 2 and 5), or a permission set (rules 4 '
  'and 7; null for a role without one).';

create view private.assigned_keys as
select a.*, k.key
from private.assignments a
left join public.permission_set_keys k on k.permission_set_id = a.permission_set_id and a.rule in (4, 7);
comment on view private.assigned_keys is
  'The same by key: one row per principal, place, source, set and key, in force or not. A set without keys has one row.';

create view private.administrator_grants as
select distinct t.id as team_id, g.campaign_id, k.key
from public.teams t
cross join private.grant_sources w
cross join lateral private.grant_rows(w.rule, w.source, null, t.id, null) g
join public.permission_set_keys k on k.permission_set_id = g.permission_set_id
where w.for_administrators and w.rule in (4, 7);
comment on view private.administrator_grants is 'What a team grants its administrators, even if it has none.';

create view private.grants as
select a.principal_id as user_id, a.team_id, a.campaign_id, a.key, a.rule, a.source, a.permission_set_id
from private.assigned_keys a
where a.in_force and (a.key is not null or a.rule in (2, 5));
comment on view private.grants is
  'What is in force, one row per reason: rules 2 and 5 (key is null) open the team or the campaign, rules 4 and 7 grant a key.';

create function public.permission_grants(p_user_id uuid, p_team_id text default null, p_campaign_id text default null)
returns table (key text, rule int, source text, permission_set_id uuid)
language sql stable -- without a `set`, so that it is planned with its caller and not at each call
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
  'Why a user has access: one row per reason, with the rule of the contract, the table and the set that granted it.';

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
comment on function public.permissions_snapshot is 'The contract''s PermissionsSnapshot (2.1), keys sorted.';

-- A user's places: each team and campaign they can open, with all their keys there.
create function private.places(p_user_id uuid)
returns table (team_id text, campaign_id text, keys text[])
language sql stable set search_path = ''
as $$
  with own_grants as materialized (
    select g.team_id, g.campaign_id, g.key, g.rule from private.grants g where g.user_id = p_user_id
  ),
  place_grants as (
    select g.team_id, g.campaign_id, g.key, g.rule in (2, 5) as reached from own_grants g
    union all
    select c.team_id, c.campaign_id, t.key, false -- team keys count in each campaign (rule 8)
    from (select distinct g.team_id, g.campaign_id from own_grants g where g.rule = 5) c
    join own_grants t on t.team_id = c.team_id and t.campaign_id is null
  )
  select p.team_id, p.campaign_id,
    coalesce(array_agg(distinct p.key collate "C" order by p.key collate "C") filter (where p.key is not null), '{}')
  from place_grants p
  group by p.team_id, p.campaign_id
  having bool_or(p.reached)
$$;

create function public.permission_places(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (select * from private.places(p_user_id))
  select jsonb_build_object('teams', coalesce(jsonb_agg(
    jsonb_build_object(
      'id', t.id, 'name', t.name, 'timeZone', t.time_zone, 'locale', t.locale,
      'secondFactorFrom', private.utc(t.second_factor_from), 'permissionKeys', p.keys,
      'campaigns', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', c.id, 'name', c.name, 'archivedAt', c.archived_at, 'permissionKeys', pc.keys,
            'canEdit', c.team_id = t.id and 'members.manage' = any (p.keys))
          order by lower(c.name), c.id), '[]')
        from places pc
        join public.campaigns c on c.id = pc.campaign_id
        where pc.team_id = t.id
      )
    ) order by lower(t.name), t.id), '[]'))
  from places p
  join public.teams t on t.id = p.team_id
  where p.campaign_id is null
$$;
comment on function public.permission_places is
  'All teams and campaigns a user can open; the keys of each place are those of its snapshot. `canEdit` says whether they may '
  'change the settings of a campaign.';

-- In plpgsql, which caches plans: planning the access rules takes longer than running them.
create function private.has_key(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(bool_or(g.rule = case when p_campaign_id is null then 2 else 5 end) and bool_or(g.key = p_key), false)
    from public.permission_grants(p_user_id, p_team_id, p_campaign_id) g
  );
end $$;
comment on function private.has_key is
  'Whether a user can open a team, or a campaign of it, and has a key there, as in their snapshot.';

-- A person may use the search backend of any campaign they may search in.
create function public.searches_with_profile(p_user_id uuid, p_profile text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.places(p_user_id) p
    join public.campaigns c on c.id = p.campaign_id
    where c.search_profile = p_profile and 'voters.search' = any (p.keys))
$$;
comment on function public.searches_with_profile is
  'Whether a person has voters.search in a campaign with this search profile.';

-- In plpgsql for the same reason as has_key.
create function private.reached_campaigns(p_user_id uuid, p_team_id text) returns text[]
language plpgsql stable set search_path = ''
as $$
begin
  return array(
    select distinct g.campaign_id from private.grants g
    where g.user_id = p_user_id and g.team_id = p_team_id and g.rule = 5);
end $$;
comment on function private.reached_campaigns is 'The campaigns a user can open in a team.';

grant select on private.principals, private.active_members, private.grant_sources, private.assigned_keys, private.grants
  to service_role;

-- supabase/schemas/050_permission_changes.sql

-- Pending changes: users whose permissions may have changed, stored in the transaction of any change. Draining them gives these
-- users new permission epochs, so that no older cached snapshot is read again.

create table public.permission_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  created_at timestamptz not null default now()
);
comment on table public.permission_changes is
  'No foreign keys, so that the changes of a deleted user stay. A change is deleted only after the user has a new epoch.';
alter table public.permission_changes enable row level security;
revoke all on public.permission_changes from service_role; -- only functions write and read them

-- One change of access at a time, until it commits.
create function private.lock_access() returns void
language sql set search_path = ''
as $$
  select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('permission_changes'))
$$;

-- Stores the users affected by the changed rows, in one statement. Arguments: the columns that matter, and the join from a
-- changed row `c` to principals `a` through the access rules: who a table's rows are for (`principal_sources`), and who has
-- the role or set (`assignments`). Each join only needs links nearer to the user than its own table, which exist even if the
-- changed row is gone. If several links change at once, the one nearest to the user still finds them.
-- Runs as its owner: no one else may store pending changes.
create function private.queue_permission_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  columns text := tg_argv[0];
  changed text := case tg_op
    when 'INSERT' then format('select %s from new_rows', columns)
    when 'DELETE' then format('select %s from old_rows', columns)
    else format('(select %1$s from old_rows except select %1$s from new_rows) union all '
      || '(select %1$s from new_rows except select %1$s from old_rows)', columns)
  end;
begin
  -- Two overlapping ones would each miss what the other hasn't committed.
  perform private.lock_access();
  execute format('insert into public.permission_changes (user_id) select distinct a.principal_id from (%s) c %s',
    changed, tg_argv[1]);
  return null;
end $$;

-- `truncate` names no rows: everyone who is a member, or was until an end that is due, may be affected.
create function private.queue_all_members() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_access();
  insert into public.permission_changes (user_id) select distinct t.user_id from public.team_users t where t.status = 'active';
  return null;
end $$;

-- Current and former members: the old rules may have granted them something the new ones don't know of.
create function private.renew_all_permissions() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_access();
  insert into public.permission_changes (user_id) select distinct t.user_id from public.team_users t;
end $$;
comment on function private.renew_all_permissions is
  'For a migration that changes the access rules: nothing cached under the old rules is read again.';

-- ── The watched tables ──────────────────────────────────────────────────────────────────────────────────────────────

-- A change of access waits for others to commit before it reads anything, so that nothing forbidden slips in between two. It
-- is the lock for storing pending changes, taken first, so that no one waits for it with rows locked.
create function private.lock_access_first() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_access();
  return null;
end $$;

do $do$
declare
  watched record;
begin
  for watched in select * from (values
    -- Also of those whose end is due: it becomes a change here.
    ('team_users', 'user_id, team_id, role_id, status, ends_at',
      $$join lateral (select c.user_id as principal_id where c.status = 'active') a on true$$),
    ('roles', 'id, scope',
      $$join private.principals a on a.is_active and a.role_id = c.id$$),
    ('team_p_sets', 'team_id, permission_set_id',
      $$join private.principal_sources a on a.in_force and a.source = 'team_p_sets' and a.team_id = c.team_id$$),
    ('role_p_sets', 'role_id, permission_set_id',
      $$join private.assignments a on a.in_force and a.source = 'role_p_sets' and a.role_id = c.role_id$$),
    ('permission_set_keys', 'permission_set_id, key',
      $$join private.assignments a on a.in_force and a.rule in (4, 7) and a.permission_set_id = c.permission_set_id$$),
    ('campaign_user_roles_team', 'user_id, team_id, campaign_id, role_id, ends_at',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_user_roles_team' $$
        || $$and a.principal_id = c.user_id and a.team_id = c.team_id$$),
    ('campaign_user_team_sets', 'user_id, team_id, campaign_id, permission_set_id',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_user_team_sets' $$
        || $$and a.principal_id = c.user_id and a.team_id = c.team_id$$),
    ('campaign_team', 'team_id, campaign_id',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_team' and a.team_id = c.team_id$$),
    ('campaign_team_sets', 'team_id, campaign_id, permission_set_id',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_team_sets' and a.team_id = c.team_id$$),
    -- Teams and campaigns are not in any snapshot, but in permission_places, which is cached with the snapshots.
    ('teams', 'id, name, time_zone, locale, second_factor_from',
      $$join private.principals a on a.is_active and a.team_id = c.id$$),
    ('campaigns', 'id, name, archived_at, team_id',
      $$join private.assignments a on a.in_force and a.rule = 5 and a.campaign_id = c.id$$)
  ) w (name, columns, leads_to) loop
    execute format('
      create trigger lock_access_first before insert or update or delete on public.%1$I
      for each statement execute function private.lock_access_first();
      create trigger queue_insert after insert on public.%1$I
      referencing new table as new_rows for each statement execute function private.queue_permission_changes(%2$L, %3$L);
      create trigger queue_update after update on public.%1$I
      referencing old table as old_rows new table as new_rows
      for each statement execute function private.queue_permission_changes(%2$L, %3$L);
      create trigger queue_delete after delete on public.%1$I
      referencing old table as old_rows for each statement execute function private.queue_permission_changes(%2$L, %3$L);
      create trigger queue_truncate before truncate on public.%1$I
      for each statement execute function private.queue_all_members()', watched.name, watched.columns, watched.leads_to);
  end loop;
end $do$;

-- ── Access that ends ───────────────────────────────────────────────────────────────────────────────────────────────

create function private.has_due_end() returns boolean
language sql stable
return exists (select from public.team_users t where t.status = 'active' and t.ends_at <= now())
  or exists (select from public.campaign_user_roles_team t where t.ends_at <= now());

create function private.has_permission_work() returns boolean
language sql stable
return exists (select from public.permission_changes) or private.has_due_end();
comment on function private.has_permission_work is 'Whether the schedule has pending changes, or access to end.';

-- The rules skip what is due. This makes it a change like any other, pending and logged, which has no actor.
create function private.end_due_access() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.has_due_end() then return; end if;
  perform private.lock_access();
  update public.team_users set status = 'suspended' where status = 'active' and ends_at <= now();
  delete from public.campaign_user_roles_team where ends_at <= now();
end $$;

-- ── The drain's two steps ──────────────────────────────────────────────────────────────────────────────────────────

create function public.pending_permission_changes(p_limit int) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_due_access();
  return (
    select jsonb_build_object('ids', coalesce(jsonb_agg(n.id), '[]'), 'userIds', coalesce(jsonb_agg(distinct n.user_id), '[]'),
      'endsInMs', (
        select floor(extract(epoch from min(e.ends_at) - clock_timestamp()) * 1000)
        from (
          select t.ends_at from public.team_users t where t.status = 'active'
          union all
          select t.ends_at from public.campaign_user_roles_team t
        ) e
        where e.ends_at > now() and e.ends_at < now() + interval '1 hour'))
    from (select c.id, c.user_id from public.permission_changes c order by c.id limit p_limit) n);
end $$;
comment on function public.pending_permission_changes is
  'Ends access that is due; then the oldest pending changes: their ids, the users they name, and "endsInMs": after how many '
  'milliseconds more access ends, null if not within an hour.';

-- By id, because a change with a smaller id can be committed later.
create function public.delete_permission_changes(p_ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.permission_changes where id = any (p_ids)
$$;
comment on function public.delete_permission_changes is 'Deletes pending changes whose users have new epochs.';

-- supabase/schemas/060_invitations.sql

-- Invitations to a team: a link for one address, valid once until it expires. Only the hash of its token is stored, in a
-- schema that REST doesn't show.

create table private.invitation_tokens (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  invitation_id uuid not null references public.invitations (id) on delete cascade
);
alter table private.invitation_tokens enable row level security; -- only for its owner
comment on column private.invitation_tokens.token_hash is 'SHA-256, in hex, of the 256 bits of the link.';
create index invitation_tokens_invitation on private.invitation_tokens (invitation_id);

create function public.save_invitation_token(p_id uuid, p_token_hash text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.invitation_tokens (invitation_id, token_hash) values (p_id, p_token_hash) on conflict do nothing
$$;
comment on function public.save_invitation_token is 'Connects a link to an invitation.';

-- ── Creating invitations ────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.check_invited_campaigns() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from jsonb_to_recordset(new.campaigns) c (id text, "roleId" uuid)
    where not exists (
        select from public.campaign_team t where t.team_id = new.team_id and t.campaign_id = c.id)
      or not exists (
        select from public.roles r
        where r.id = c."roleId" and r.scope = 'assigned' and (r.team_id is null or r.team_id = new.team_id)))
  then
    raise exception 'A campaign or role isn''t the team''s.' using errcode = 'check_violation';
  end if;
  if exists (select from jsonb_to_recordset(new.campaigns) c (id text) group by c.id having count(*) > 1) then
    raise exception 'A campaign is listed twice.' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_invited_campaigns before insert or update of campaigns on public.invitations
for each row when (new.campaigns <> '[]') execute function private.check_invited_campaigns();

create function private.members_among(p_team_id text, p_emails text[]) returns table (email text, status text)
language sql stable security definer set search_path = ''
as $$
  select lower(u.email), t.status from public.team_users t join auth.users u on u.id = t.user_id
  where t.team_id = p_team_id and t.status <> 'invited' and lower(u.email) = any (p_emails)
$$;

create view private.pending_invitations as
select i.* from public.invitations i where i.accepted_at is null and i.revoked_at is null;
comment on view private.pending_invitations is 'Neither accepted nor revoked; they may have expired.';

-- What invitations would grant: each place they open has a row without a key.
create view private.invited_grants as
select a.principal_id as invitation_id, a.team_id, a.campaign_id, a.key
from private.assigned_keys a
join private.pending_invitations i on i.id = a.principal_id
where a.applies and (a.key is not null or a.rule in (2, 5))
union
select i.id, i.team_id, c.id, k.key
from private.pending_invitations i
cross join lateral jsonb_to_recordset(i.campaigns) c (id text, "roleId" uuid)
join public.campaign_team t on t.team_id = i.team_id and t.campaign_id = c.id
cross join lateral (
  select null as key
  union
  select k.key from public.role_p_sets b join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
  where b.role_id = c."roleId"
) k;

grant select on private.pending_invitations, private.invited_grants to service_role;

-- The open invitations that grant more than their inviter has now, or whose inviter no longer manages members: they can't be
-- accepted. With p_actor_id, as if that person had made them. The operator's aren't checked.
create function private.stopped_invitations(p_team_id text, p_actor_id uuid default null) returns setof uuid
language sql stable set search_path = ''
as $$
  with open as materialized (
    select i.id, coalesce(p_actor_id, i.invited_by) as inviter from private.pending_invitations i
    where i.team_id = p_team_id and i.expires_at > now() and i.invited_by is not null
  ),
  own as materialized (
    select v.inviter, g.campaign_id, g.key
    from (select distinct o.inviter from open o) v
    join private.grants g on g.user_id = v.inviter and g.team_id = p_team_id
  ),
  granted as materialized (
    select g.* from private.invited_grants g where g.team_id = p_team_id
  )
  select o.id from open o
  where not exists (select from own w
      where w.inviter = o.inviter and w.campaign_id is null and w.key = 'members.manage')
    or exists (select from granted g where g.invitation_id = o.id and not exists (
      select from own w
      where w.inviter = o.inviter and w.key is not distinct from g.key
        and (w.campaign_id is not distinct from g.campaign_id or g.key is not null and w.campaign_id is null)))
$$;

-- What invitations would grant (lib/team-access/access-change.ts), each under its address.
create function private.effects_of_invitations(p_ids uuid[]) returns jsonb
language plpgsql stable set search_path = '' -- `effects` follows in 070
as $$
begin
  return (
  with granted as materialized (
    select g.* from private.invited_grants g where g.invitation_id = any (p_ids)
  ),
  places as (
    select p.invitation_id as user_id, p.campaign_id,
      array(select distinct g.key from granted g where g.invitation_id = p.invitation_id and g.key is not null
        and (g.campaign_id is null or g.campaign_id = p.campaign_id)) as keys
    from (select distinct g.invitation_id, g.campaign_id from granted g) p
  )
  select coalesce(jsonb_agg(e.effect || jsonb_build_object('name', coalesce(i.name, i.email)) order by i.email), '[]')
  from jsonb_array_elements(private.effects('[]', (select coalesce(jsonb_agg(p), '[]') from places p))) e (effect)
  join public.invitations i on i.id = (e.effect ->> 'userId')::uuid);
end $$;

-- The role in the team is checked like every change of access (070). Roles in campaigns become rows only on acceptance and
-- are checked then; the actor must have them now too, so that an invitation doesn't promise what can't be granted.
create function public.create_invitations(
  p_actor_id uuid, p_team_id text, p_invitations jsonb, p_mail boolean, p_commit boolean
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  addresses text[] := array(select distinct lower(trim(a.email)) from jsonb_to_recordset(p_invitations) a (email text));
  members text[];
  suspended text[];
  open text[];
  made jsonb;
  ids uuid[];
  effects jsonb;
  state_before jsonb;
  refusal text;
begin
  if jsonb_array_length(p_invitations) > 500 then
    raise exception 'At most 500 people can be invited at once.' using errcode = 'check_violation';
  end if;
  if not private.lock_if_allowed(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  select coalesce(array_agg(m.email), '{}'), coalesce(array_agg(m.email) filter (where m.status = 'suspended'), '{}')
  into members, suspended from private.members_among(p_team_id, addresses) m;
  begin
    perform private.act_as(p_actor_id);
    state_before := private.read_state_before(p_actor_id, p_team_id);
    update public.invitations set revoked_at = now()
    where team_id = p_team_id and email = any (addresses) and accepted_at is null and revoked_at is null
      and (expires_at <= now() or id in (select private.stopped_invitations(p_team_id)));
    open := array(select i.email from private.pending_invitations i where i.team_id = p_team_id and i.email = any (addresses));
    with new_ones as (
      insert into public.invitations (team_id, email, role_id, invited_by, name, campaigns)
      select distinct on (a.address) p_team_id, a.address, a."roleId", p_actor_id, a.name, coalesce(a.campaigns, '[]')
      from (
        select lower(trim(r.email)) as address, r.*
        from jsonb_to_recordset(p_invitations) r (email text, name text, "roleId" uuid, campaigns jsonb)
      ) a
      where a.address <> all (members) and a.address <> all (open)
      returning id, email
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'email', n.email) order by n.email), '[]') into made
    from new_ones n;
    ids := array(select (m ->> 'id')::uuid from jsonb_array_elements(made) m);
    perform private.refuse_forbidden_change(state_before);
    perform private.refuse_if(exists (
      select from private.stopped_invitations(p_team_id) s (id) where s.id = any (ids)), 'more-than-own');
    perform private.refuse_if(p_mail and not private.queue_invitation_mails(p_team_id, ids), 'too-many-mails');
    if not p_commit then
      effects := private.effects_of_invitations(ids);
      raise exception 'undo' using errcode = 'SG002';
    end if;
  exception
    when sqlstate 'SG002' then null;
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when foreign_key_violation or check_violation then
      refusal := 'gone';
  end;
  perform private.act_as(null);
  if refusal is not null then return jsonb_build_object('outcome', refusal); end if;
  return jsonb_build_object('outcome', 'done', 'made', made, 'members', members, 'suspended', suspended,
    'invited', open)
    || case when p_commit then '{}' else jsonb_build_object('effects', effects) end;
end $$;
comment on function public.create_invitations is
  'Invites addresses ([{"email", "name", "roleId", "campaigns"}]) for a verified person, all or none, except '
  'members and invited ones; an invitation that has expired or stopped is replaced: {"outcome": "done" | why not, "made": '
  '[{"id", "email"}], "members", "suspended" (those of the members), "invited"}. Without p_commit '
  'it is rolled back, and "effects" says what it would grant. With p_mail each gets a queued email.';

create function public.revoke_invitations(p_actor_id uuid, p_team_id text, p_ids uuid[]) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  revoked int;
begin
  if not private.lock_if_allowed(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  perform private.act_as(p_actor_id);
  update public.invitations set revoked_at = now()
  where id = any (p_ids) and team_id = p_team_id and accepted_at is null and revoked_at is null;
  get diagnostics revoked = row_count;
  perform private.act_as(null);
  return case when revoked = 0 then '{"outcome": "not-open"}'
    else jsonb_build_object('outcome', 'done', 'count', revoked) end;
end $$;
comment on function public.revoke_invitations is
  'Revokes open invitations for a verified person: {"outcome": "done" | "not-open" | "not-allowed", "count"}.';

-- ── Their emails ───────────────────────────────────────────────────────────────────────────────────────────────────

-- Auth limits emails per hour, so they are queued. One without a result is due again after two minutes: at worst that causes
-- a second email, never none. Each failure of Auth doubles this time; the fifth is final.
create table private.invitation_mails (
  invitation_id uuid primary key references public.invitations (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tried_at timestamptz,
  tries int not null default 0
);
comment on column private.invitation_mails.tries is 'How often Auth failed on it. Reaching Auth''s limit does not count.';
comment on table private.invitation_mails is 'Emails of invitations. One shared as a link has none.';
create index invitation_mails_waiting on private.invitation_mails (tried_at nulls first) where state = 'waiting';
alter table private.invitation_mails enable row level security;
grant select, insert, update on private.invitation_mails to service_role;

-- False, and nothing queued, if more than 1000 of the team would be: all teams share Auth's limit per hour.
create function private.queue_invitation_mails(p_team_id text, p_ids uuid[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if cardinality(p_ids) + (
    select count(*) from private.invitation_mails m join public.invitations i on i.id = m.invitation_id
    where i.team_id = p_team_id and i.id <> all (p_ids) and m.state = 'waiting'
      and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()) > 1000
  then
    return false;
  end if;
  insert into private.invitation_mails (invitation_id)
  select i.id from public.invitations i
  where i.id = any (p_ids) and i.team_id = p_team_id
  on conflict (invitation_id) do update set state = 'waiting', tried_at = null, tries = 0;
  return true;
end $$;

create function public.link_invitation(p_actor_id uuid, p_team_id text, p_id uuid, p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.may_change(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  if not exists (select from public.invitations i
    where i.id = p_id and i.team_id = p_team_id and i.accepted_at is null and i.revoked_at is null)
  then
    return '{"outcome": "not-open"}';
  end if;
  perform public.save_invitation_token(p_id, p_token_hash);
  return '{"outcome": "done"}';
end $$;
comment on function public.link_invitation is
  'Connects a link to an open invitation, for a verified person: {"outcome": "done" | "not-open" | "not-allowed"}.';

-- The person becomes their inviter. Their links stay, and they expire like new ones.
create function public.reissue_invitations(p_actor_id uuid, p_team_id text, p_ids uuid[], p_edit jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  ids uuid[];
  refusal text;
begin
  if not private.lock_if_allowed(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  if not exists (select from private.pending_invitations i where i.team_id = p_team_id and i.id = any (p_ids)) then
    return '{"outcome": "not-open"}';
  end if;
  ids := array(select i.id from private.pending_invitations i where i.team_id = p_team_id and i.id = any (p_ids)
    and i.email not in (select m.email from private.members_among(p_team_id,
      array(select e.email from private.pending_invitations e where e.id = any (p_ids))) m));
  if ids = '{}' then return '{"outcome": "already-member"}'; end if;
  begin
    perform private.act_as(p_actor_id);
    update public.invitations set invited_by = p_actor_id,
      expires_at = now() + make_interval(days => private.invitation_days()),
      role_id = coalesce((p_edit ->> 'roleId')::uuid, role_id), campaigns = coalesce(p_edit -> 'campaigns', campaigns)
    where id = any (ids);
    perform private.refuse_if(exists (
      select from private.stopped_invitations(p_team_id) s (id) where s.id = any (ids)), 'more-than-own');
    perform private.refuse_if(p_edit is null and not private.queue_invitation_mails(p_team_id, ids), 'too-many-mails');
  exception
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when foreign_key_violation or check_violation then
      refusal := 'gone';
  end;
  perform private.act_as(null);
  return case when refusal is null then jsonb_build_object('outcome', 'done', 'count', cardinality(ids))
    else jsonb_build_object('outcome', refusal) end;
end $$;
comment on function public.reissue_invitations is
  'Makes open invitations a verified person''s own, all or none, except those of members: {"outcome": "done" | why not, '
  '"count"}. p_edit has what differs, {"roleId", "campaigns"}; without it their emails are sent again.';

create function private.is_due(m private.invitation_mails, i public.invitations) returns boolean
language sql stable
return m.state = 'waiting' and (m.tried_at is null or m.tried_at < now() - interval '2 minutes' * power(2, m.tries))
  and i.accepted_at is null and i.revoked_at is null and i.expires_at > now();
comment on function private.is_due is 'Whether the email of an invitation is due.';

create function private.has_mail_to_send() returns boolean
language sql stable
return exists (
  select from private.invitation_mails m join public.invitations i on i.id = m.invitation_id where private.is_due(m, i));
comment on function private.has_mail_to_send is 'Whether the schedule has an email to send.';

create function public.claim_invitation_mail() returns jsonb
language sql set search_path = ''
as $$
  with teams as (
    select i.team_id, max(m.tried_at) as tried_at
    from private.invitation_mails m join public.invitations i on i.id = m.invitation_id
    group by i.team_id
  ),
  next as (
    select m.invitation_id, i.email
    from private.invitation_mails m
    join public.invitations i on i.id = m.invitation_id
    join teams t on t.team_id = i.team_id
    where private.is_due(m, i)
    order by t.tried_at nulls first, m.tried_at nulls first, i.created_at, i.email
    limit 1
    for update of m skip locked
  )
  update private.invitation_mails m set tried_at = now() from next n where m.invitation_id = n.invitation_id
  returning jsonb_build_object('id', n.invitation_id, 'email', n.email)
$$;
comment on function public.claim_invitation_mail is
  'Claims the next email that is due: {"id", "email"}, or null. Teams take turns, untried emails come first.';

create function private.invited_access(p_role public.roles, p_campaigns jsonb) returns text
language sql stable
return (select p_role.name || case when l.items is null then
      case when p_role.scope = 'assigned' then ' (no campaign yet)' else '' end
    else ', with access to ' || concat_ws(case when cardinality(l.items) > 2 then ', and ' else ' and ' end,
      nullif(array_to_string(trim_array(l.items, 1), ', '), ''), l.items[cardinality(l.items)]) end
  from (
    select array_agg(c.name || ' (' || r.name || ')' order by c.name, c.id)
    from jsonb_to_recordset(p_campaigns) w (id text, "roleId" uuid)
    join public.campaigns c on c.id = w.id join public.roles r on r.id = w."roleId"
  ) n (names), lateral (
    select case when cardinality(names) > 5 then names[:5] || (cardinality(names) - 5 || ' more') else names end) l (items));
comment on function private.invited_access is 'What follows “invited you as”: the role, and the campaigns if there are any.';

-- Auth's templates can show what an account's metadata has, so the words of the invitation are there while its email is sent.
-- A session's token has them too, so `finish_invitation_mail` removes them.
create function public.describe_invitation(p_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  words jsonb := (
    select jsonb_build_object('invitation', jsonb_build_object(
      'invites', coalesce(p.name || ' invited you', 'You''re invited'), 'team', t.name,
      -- Auth escapes as in HTML, which subjects would show.
      'subject', translate(regexp_replace(t.name, '\s*&\s*', ' and ', 'g'), '''"<>+', '’”'),
      'access', private.invited_access(r, i.campaigns)))
    from public.invitations i
    join public.teams t on t.id = i.team_id
    join public.roles r on r.id = i.role_id
    left join public.profiles p on p.user_id = i.invited_by
    where i.id = p_id);
begin
  update auth.users u set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || words
  from public.invitations i where i.id = p_id and u.email = i.email;
  return words;
end $$;
comment on function public.describe_invitation is
  'What the email of an invitation says, which its link shows too: {"invitation": {"invites", "team", "subject", "access"}}. '
  'Also stored with the account of its address, if it has one.';

create function public.finish_invitation_mail(p_id uuid, p_state text) returns void
language sql security definer set search_path = ''
as $$
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'invitation'
  from public.invitations i
  where i.id = p_id and u.email = i.email and u.raw_user_meta_data ? 'invitation';
  update private.invitation_mails set tries = tries + 1,
    state = case when p_state <> 'again' then p_state when tries < 4 then 'waiting' else 'failed' end
  where invitation_id = p_id and state = 'waiting'
$$;
comment on function public.finish_invitation_mail is
  'Saves the result of an email: "sent", "failed", or "again", which is failed the fifth time.';

-- ── Accepting invitations ─────────────────────────────────────────────────────────────────────────────────────────────────

create function public.accept_invitation(p_actor_id uuid, p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  invitation public.invitations;
  own_status text;
  state_before jsonb;
begin
  if not exists (select from private.invitation_tokens t where t.token_hash = p_token_hash) then
    return '{"outcome": "no-invitation"}';
  end if;
  perform private.lock_access();
  perform private.end_due_access();
  select i.* into invitation from public.invitations i
  join private.invitation_tokens t on t.invitation_id = i.id where t.token_hash = p_token_hash;
  if invitation.id is null then return '{"outcome": "no-invitation"}'; end if;
  if not exists (select from auth.users u where u.id = p_actor_id and lower(u.email) = invitation.email
      and u.email_confirmed_at is not null) then
    return '{"outcome": "other-address"}';
  end if;
  if invitation.accepted_at is not null then return '{"outcome": "used"}'; end if;
  if invitation.revoked_at is not null then return '{"outcome": "revoked"}'; end if;
  if invitation.expires_at <= now() then return '{"outcome": "expired"}'; end if;
  select t.status into own_status from public.team_users t where t.user_id = p_actor_id and t.team_id = invitation.team_id;
  if own_status = 'active' then return '{"outcome": "already-in-team"}'; end if;
  if own_status = 'suspended' then return '{"outcome": "suspended"}'; end if;
  if invitation.invited_by is not null
    and not private.has_key(invitation.invited_by, invitation.team_id, null, 'members.manage')
  then
    return '{"outcome": "inviter-may-not"}';
  end if;
  begin
    perform private.act_as(p_actor_id);
    -- The change is the inviter's: a link grants nothing that the inviter doesn't have now. The operator's isn't checked.
    if invitation.invited_by is not null then
      state_before := private.read_state_before(invitation.invited_by, invitation.team_id);
    end if;
    insert into public.team_users (user_id, team_id, role_id, status)
    values (p_actor_id, invitation.team_id, invitation.role_id, 'active')
    on conflict (user_id, team_id) do update set role_id = excluded.role_id, status = 'active', ends_at = null;
    insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
    select p_actor_id, invitation.team_id, c.id, r.id -- without campaigns that have left the team
    from jsonb_to_recordset(invitation.campaigns) c (id text, "roleId" uuid)
    join public.campaign_team t on t.team_id = invitation.team_id and t.campaign_id = c.id
    join public.roles r on r.id = c."roleId"
    on conflict (user_id, team_id, campaign_id) do update set role_id = excluded.role_id, ends_at = null;
    if state_before is not null then perform private.refuse_forbidden_change(state_before); end if;
  exception when sqlstate 'SG001' then
    return '{"outcome": "inviter-may-not"}';
  end;
  update public.invitations set accepted_at = now(), accepted_by = p_actor_id where id = invitation.id;
  perform private.act_as(null);
  update public.profiles set name = invitation.name
  where invitation.name is not null and user_id = p_actor_id and name = split_part(invitation.email, '@', 1); -- the default
  return jsonb_build_object('outcome', 'done', 'team', invitation.team_id,
    'campaign', (select c.id from public.campaign_user_roles_team t join public.campaigns c on c.id = t.campaign_id
      where t.user_id = p_actor_id and t.team_id = invitation.team_id order by c.archived_at is not null, c.name, c.id limit 1));
end $$;
comment on function public.accept_invitation is
  'Makes a verified person an active member by the invitation of a link, once, with its roles in campaigns: '
  '{"outcome": "done" | why not, "team", "campaign" (their first one, or null)}.';

-- Declining is revoking by the invited person.
create function public.decline_invitation(p_actor_id uuid, p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'not-open';
begin
  perform private.lock_access();
  if not exists (
    select from private.invitation_tokens t join public.invitations i on i.id = t.invitation_id
    join auth.users u on lower(u.email) = i.email and u.email_confirmed_at is not null
    where t.token_hash = p_token_hash and u.id = p_actor_id)
  then
    return '{"outcome": "other-address"}';
  end if;
  perform private.act_as(p_actor_id);
  update public.invitations i set revoked_at = now(), declined = true from private.invitation_tokens t
  where t.token_hash = p_token_hash and i.id = t.invitation_id and i.accepted_at is null and i.revoked_at is null;
  if found then outcome := 'done'; end if;
  perform private.act_as(null);
  return jsonb_build_object('outcome', outcome);
end $$;
comment on function public.decline_invitation is
  'Declines the open invitation of a link for the verified person it was sent to: {"outcome": "done" | why not}.';

-- Runs as its owner: no one else may read the hash.
create function public.read_invitation(p_token_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'state', case when i.accepted_at is not null then 'used' when i.declined then 'declined'
      when i.revoked_at is not null then 'revoked' when i.expires_at <= now() then 'expired'
      when i.id in (select private.stopped_invitations(i.team_id)) then 'stopped' else 'open' end,
    'teamId', t.id, 'team', t.name, 'role', r.name, 'email', i.email, 'name', i.name,
    'access', private.invited_access(r, i.campaigns),
    'mailed', exists (select from private.invitation_mails m where m.invitation_id = i.id and m.state = 'sent'),
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by), 'expiresAt', i.expires_at)
  from private.invitation_tokens k
  join public.invitations i on i.id = k.invitation_id
  join public.teams t on t.id = i.team_id
  join public.roles r on r.id = i.role_id
  where k.token_hash = p_token_hash
$$;
comment on function public.read_invitation is 'What anyone with a link may see of its invitation; null without an invitation.';

-- Runs as its owner: no one else may read addresses.
create function public.own_invitations(p_actor_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'teamId', t.id, 'team', t.name, 'access', private.invited_access(r, i.campaigns), 'name', i.name,
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by)) order by t.name, t.id), '[]')
  from auth.users u
  join private.pending_invitations i on i.email = lower(u.email)
  join public.teams t on t.id = i.team_id
  join public.roles r on r.id = i.role_id
  where u.id = p_actor_id and u.email_confirmed_at is not null and i.expires_at > now()
    and i.id not in (select private.stopped_invitations(i.team_id))
    and not exists (
      select from public.team_users m where m.user_id = u.id and m.team_id = i.team_id and m.status <> 'invited')
$$;
comment on function public.own_invitations is 'The invitations that a person can accept: those for their confirmed address.';

create function public.open_invitations(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'name', i.name, 'roleId', r.id, 'role', r.name,
    'campaigns', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'roleId', cr.id, 'role', cr.name) order by c.name, c.id), '[]')
      from jsonb_to_recordset(i.campaigns) w (id text, "roleId" uuid)
      join public.campaigns c on c.id = w.id join public.roles cr on cr.id = w."roleId"),
    'mail', (select m.state from private.invitation_mails m where m.invitation_id = i.id),
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by),
    'createdAt', i.created_at, 'expiresAt', i.expires_at, 'expired', i.expires_at <= now(),
    'stopped', i.id = any (w.stopped)
  ) order by i.created_at desc, i.email), '[]')
  from private.pending_invitations i
  join public.roles r on r.id = i.role_id
  cross join (select array(select private.stopped_invitations(p_team_id)) as stopped) w
  where i.team_id = p_team_id
$$;
comment on function public.open_invitations is 'A team''s invitations that are neither accepted nor revoked, newest first.';

-- ── A team's first invitation ────────────────────────────────────────────────────────────────────────────────────────

-- For the operator, who isn't checked: `npm run found`. Run again, it reports the state and sends the email again.
create function public.found_team(p_id text, p_name text, p_email text, p_time_zone text, p_locale text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  address text := lower(trim(p_email));
  administrator uuid := (select r.id from public.roles r where r.team_id is null and r.scope = 'inherit_team');
  invitation uuid;
  existing_name text;
begin
  perform private.lock_access();
  insert into public.teams (id, name, time_zone, locale) values (p_id, p_name, p_time_zone, p_locale) on conflict do nothing;
  if found then
    insert into public.team_p_sets (team_id, permission_set_id)
    select p_id, s.id from public.permission_sets s where s.team_id is null;
  end if;
  select t.name into existing_name from public.teams t where t.id = p_id;
  if existing_name <> p_name then return jsonb_build_object('outcome', 'id-taken', 'name', existing_name); end if;
  if exists (select from private.active_members m where m.team_id = p_id and m.is_team_admin) then
    return jsonb_build_object('outcome', case when exists (
        select from private.active_members m join auth.users u on u.id = m.user_id
        where m.team_id = p_id and m.is_team_admin and lower(u.email) = address)
      then 'already-administrator' else 'has-administrators' end);
  end if;
  select i.id into invitation from public.invitations i
  where i.team_id = p_id and i.email = address and i.role_id = administrator and i.invited_by is null
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now();
  if invitation is null then
    update public.invitations set revoked_at = now()
    where team_id = p_id and email = address and accepted_at is null and revoked_at is null;
    insert into public.invitations (team_id, email, role_id, invited_by) values (p_id, address, administrator, null)
    returning id into invitation;
  end if;
  insert into private.invitation_mails (invitation_id) values (invitation)
  on conflict (invitation_id) do update set state = 'waiting', tried_at = null, tries = 0;
  return jsonb_build_object('outcome', 'invited', 'id', invitation);
exception
  when check_violation then return '{"outcome": "unusable"}';
end $$;
comment on function public.found_team is
  'Creates a team, unless it exists, and invites its first administrator: {"outcome": "invited" | why not, "id"}.';

-- A team that a person creates in the application, if the operator allows it there: they are its administrator at once.
create function public.create_team(p_actor_id uuid, p_id text, p_name text, p_time_zone text, p_locale text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  address text := (select u.email from auth.users u where u.id = p_actor_id and u.email_confirmed_at is not null);
  answer jsonb;
begin
  perform private.lock_access();
  if address is null then return '{"outcome": "unconfirmed"}'; end if;
  if exists (select from public.teams t where t.id = p_id)
    or exists (select from public.audit_log a where a.team_id = p_id) -- a deleted team, whose activity the new one would show
  then
    return '{"outcome": "team-taken"}';
  end if;
  if (select count(*) from private.active_members m where m.user_id = p_actor_id and m.is_team_admin) >= 20 then
    return '{"outcome": "too-many-teams"}';
  end if;
  perform private.act_as(p_actor_id);
  answer := public.found_team(p_id, p_name, address, p_time_zone, p_locale);
  if answer ->> 'outcome' = 'invited' then
    update public.invitations i set accepted_at = now(), accepted_by = p_actor_id where i.id = (answer ->> 'id')::uuid;
    insert into public.team_users (user_id, team_id, role_id, status)
    select p_actor_id, p_id, i.role_id, 'active' from public.invitations i where i.id = (answer ->> 'id')::uuid;
    answer := '{"outcome": "done"}';
  end if;
  perform private.act_as(null);
  return answer;
exception
  when invalid_parameter_value then return '{"outcome": "unusable"}'; -- a time zone that the database doesn't know
end $$;
comment on function public.create_team is
  'Creates a team with a verified person as its administrator: {"outcome": "done" | why not}.';

-- supabase/schemas/070_team_access_changes.sql

-- Changes of access: one function makes a change completely or not at all, or previews it. It takes the lock, reads the
-- actor's permissions, makes the change, and rolls it back if it breaks a rule. Changes by SQL and the service role are the
-- operator's: they aren't checked, but they are logged and take effect. SG001 refuses, SG002 undoes a preview.

-- ── The rules of a change ─────────────────────────────────────────────────────────────────────────────────────────────────

-- Refuses a change: what it has done so far is rolled back, and `change_access` returns the outcome.
create function private.refuse_if(p_when boolean, p_outcome text) returns void
language plpgsql set search_path = ''
as $$
begin
  if p_when then
    raise exception 'Refused: %.', p_outcome using errcode = 'SG001', constraint = p_outcome;
  end if;
end $$;

-- What principals of a team have and an actor lacks. p_own has the actor's grants there as [campaign, key]. Each grant gives
-- one row with `opens = false` if the actor lacks the key. It gives a second with `opens = true` if the holder can open the
-- place and the actor lacks the key or can't open the campaign. Three states are compared: what is in force; what would be if
-- everyone were active, including invited people; and what members have directly in campaigns, which their role may override
-- for now. So a manager can't grant something that another would put into force unseen. Without p_team_sets, the team's sets
-- for administrators are left out.
create function private.excess_grants(p_team_id text, p_own jsonb, p_team_sets boolean default true)
returns table (state text, opens boolean, principal_id uuid, campaign_id text, key text)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select coalesce(o ->> 0, '') as place, o ->> 1 as key from jsonb_array_elements(p_own) o
  ),
  closed as materialized ( -- campaigns that someone can open, or could, and the actor can't
    select e.campaign_id from private.assignments e where e.team_id = p_team_id and e.rule = 5 and e.applies
    except
    select o.place from own o where o.key is null
  ),
  granted as materialized (
    select l.state, s.principal_id, s.campaign_id, s.key
    from private.assigned_keys s
    cross join lateral (values ('in force', s.in_force), ('if active', s.applies), ('personal', s.is_personal)) l (state, counts)
    where s.team_id = p_team_id and l.counts and (s.key is not null or s.rule in (2, 5))
      and (p_team_sets or s.source not in ('team_p_sets', 'campaign_team_sets'))
      -- Without closed campaigns only keys that the actor lacks team-wide matter.
      and (s.key is null or exists (select from closed)
        or s.key not in (select o.key from own o where o.place = '' and o.key is not null))
  ),
  placed as ( -- a team-wide key counts in each campaign its holder can open (rule 8)
    select g.state, g.principal_id, g.campaign_id, g.key from granted g
    union
    select g.state, g.principal_id, p.campaign_id, g.key
    from granted g
    join granted p on p.state = g.state and p.principal_id = g.principal_id and p.campaign_id is not null and p.key is null
    where g.campaign_id is null and g.key is not null
  ),
  judged as (
    select p.*,
      p.key is not null and ('', p.key) not in (select o.place, o.key from own o where o.key is not null)
        and (coalesce(p.campaign_id, ''), p.key) not in (select o.place, o.key from own o where o.key is not null) as lacking,
      p.campaign_id is not null and p.campaign_id not in (select o.place from own o where o.key is null) as closed,
      (p.state, p.principal_id, coalesce(p.campaign_id, '')) in (
        select g.state, g.principal_id, coalesce(g.campaign_id, '') from granted g where g.key is null) as reached
    from placed p
  )
  select j.state, o.opens, j.principal_id, j.campaign_id, j.key
  from judged j cross join (values (false), (true)) o (opens)
  where case when o.opens then j.reached and (j.lacking or j.closed) else j.lacking end
$$;

-- What a team must not lose: an active administrator, someone who manages members, someone who manages roles, and an active
-- administrator who manages both. Members whose access ends don't count.
create function private.required_managers(p_team_id text) returns setof text
language sql stable set search_path = ''
as $$
  with permanent as (
    select m.user_id, m.is_team_admin from private.active_members m where m.team_id = p_team_id and m.ends_at is null
  )
  select 'administrator' from permanent m where m.is_team_admin
  union
  select g.key from private.grants g join permanent m on m.user_id = g.user_id
  where g.team_id = p_team_id and g.campaign_id is null and g.key in ('members.manage', 'roles.manage')
  union
  select 'administrators manage' from private.assigned_keys s join permanent m on m.user_id = s.principal_id
  where s.team_id = p_team_id and s.in_force and s.is_team_admin and s.campaign_id is null
    and s.key in ('members.manage', 'roles.manage')
  group by s.principal_id having count(distinct s.key) = 2
$$;

-- When access ends in a team: of memberships, and in campaigns.
create function private.access_ends(p_team_id text) returns table (user_id uuid, campaign_id text, ends_at timestamptz)
language sql stable set search_path = ''
as $$
  select t.user_id, null, t.ends_at from public.team_users t where t.team_id = p_team_id
  union all
  select t.user_id, t.campaign_id, t.ends_at from public.campaign_user_roles_team t where t.team_id = p_team_id
$$;

-- The last day of access, and the end of a day, in the team's time zone.
create function private.last_day(p_team_id text, p_ends_at timestamptz) returns date
language sql stable set search_path = ''
as $$
  select ((p_ends_at - interval '1 microsecond') at time zone t.time_zone)::date from public.teams t where t.id = p_team_id
$$;
create function private.end_of_day(p_team_id text, p_day date) returns timestamptz
language sql stable set search_path = ''
as $$
  select (p_day + 1)::timestamp at time zone t.time_zone from public.teams t where t.id = p_team_id
$$;

-- What the team's sets grant administrators, as [campaign, key]; in a campaign only what they don't have team-wide.
create function private.administrator_permissions(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_array(g.campaign_id, g.key) order by g.campaign_id, g.key), '[]')
  from private.administrator_grants g
  where g.team_id = p_team_id and (g.campaign_id is null or not exists (
    select from private.administrator_grants t where t.team_id = p_team_id and t.campaign_id is null and t.key = g.key))
$$;

-- The state before a change. p_changes_sets is for a change of permission sets: administrators decide what administrators
-- have, so what it grants to administrators isn't compared with the actor's own permissions.
create function private.read_state_before(p_actor_id uuid, p_team_id text, p_changes_sets boolean default false) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  own jsonb := (select coalesce(jsonb_agg(distinct jsonb_build_array(g.campaign_id, g.key)), '[]')
    from private.grants g where g.user_id = p_actor_id and g.team_id = p_team_id);
  is_administrator boolean := exists (select from private.active_members m
    where m.user_id = p_actor_id and m.team_id = p_team_id and m.is_team_admin);
  team_sets boolean := not (is_administrator and p_changes_sets);
begin
  return jsonb_build_object('team', p_team_id, 'actor', p_actor_id, 'own', own, 'teamSets', team_sets,
    'isAdministrator', is_administrator, 'administrators', private.administrator_permissions(p_team_id),
    'excess', (select coalesce(jsonb_agg(e), '[]') from private.excess_grants(p_team_id, own, team_sets) e),
    'ends', (select coalesce(jsonb_agg(e), '[]') from private.access_ends(p_team_id) e where e.ends_at is not null),
    'managers', (select coalesce(jsonb_agg(m), '[]') from private.required_managers(p_team_id) m));
end $$;

-- Refuses a forbidden change. A team keeps its required managers. No one grants a key, or access to a campaign, that they
-- lacked before the change; comparing with the state before stops people granting it to themselves first. No one extends
-- their own access, or that of someone who has more. Only administrators change what administrators have.
create function private.refuse_forbidden_change(p_before jsonb, p_grants boolean default true) returns void
language plpgsql set search_path = ''
as $$
declare
  team text := p_before ->> 'team';
  lost text := (select min(m) from jsonb_array_elements_text(p_before -> 'managers') m -- 'administrator' comes first
    where m not in (select private.required_managers(team)));
begin
  perform private.refuse_if(lost is not null, case lost when 'administrator' then 'last-administrator'
    when 'administrators manage' then 'administrators-stripped' else 'no-manager-left' end);
  perform private.refuse_if(p_grants and exists (
    select to_jsonb(e) from private.excess_grants(team, p_before -> 'own', (p_before ->> 'teamSets')::boolean) e
    except
    select jsonb_array_elements(p_before -> 'excess')), 'more-than-own');
  perform private.refuse_if(p_grants and exists (
    select from jsonb_to_recordset(p_before -> 'ends') b (user_id uuid, campaign_id text, ends_at timestamptz)
    join private.access_ends(team) e on e.user_id = b.user_id and e.campaign_id is not distinct from b.campaign_id
    where coalesce(e.ends_at, 'infinity') > b.ends_at and (b.user_id = (p_before ->> 'actor')::uuid or exists (
      select from jsonb_to_recordset(p_before -> 'excess') x (principal_id uuid, campaign_id text)
      where x.principal_id = b.user_id and coalesce(x.campaign_id = b.campaign_id, b.campaign_id is null)))), 'more-than-own');
  perform private.refuse_if(not (p_before ->> 'isAdministrator')::boolean
    and private.administrator_permissions(team) <> p_before -> 'administrators', 'administrators-only');
end $$;

-- The contents of a deleted role or set are deleted first, while the audit log can still name it.
create function private.empty_before_delete() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'roles' then
    delete from public.role_p_sets where role_id = old.id;
  else
    delete from public.permission_set_keys where permission_set_id = old.id;
  end if;
  return old;
end $$;
create trigger empty_before_delete before delete on public.roles
for each row execute function private.empty_before_delete();
create trigger empty_before_delete before delete on public.permission_sets
for each row execute function private.empty_before_delete();

-- ── The kinds of changes ───────────────────────────────────────────────────────────────────────────────────────────

-- Each returns whether anything was changed, and refuses if the current state isn't its `before`.

create function private.sorted(p_list jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(distinct e collate "C" order by e collate "C"), '[]') from jsonb_array_elements_text(p_list) e
$$;

-- Whether the current state, p_now, differs from p_after. Refuses if it is missing, or isn't p_before.
create function private.needs_change(p_now jsonb, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_if(p_now is null, 'gone');
  if p_now = p_after then return false; end if;
  perform private.refuse_if(p_now <> p_before, 'stale');
  return true;
end $$;

-- Refuses an end that isn't at least a minute ahead, which is longer than the lease on cached snapshots.
create function private.refuse_past_end(p_team_id text, p_afters jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_if(exists (
    select from jsonb_to_recordset(p_afters) w (after jsonb)
    where private.end_of_day(p_team_id, (w.after ->> 'endsOn')::date) < now() + interval '1 minute'), 'ends-before-today');
end $$;

create function private.change_members(p_actor_id uuid, p_team_id text, p_members jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  differing int;
  stale int;
begin
  perform private.refuse_if(exists (
    select from jsonb_to_recordset(p_members) w ("userId" uuid) where w."userId" = p_actor_id), 'own-membership');
  select count(*) filter (where t.now is distinct from w.after),
    count(*) filter (where t.now is distinct from w.after and (t.now is distinct from w.before
      or w.after ->> 'status' = 'invited' and t.now ->> 'status' <> 'invited')) -- only an invitation can do that
  into differing, stale
  from jsonb_to_recordset(p_members) w ("userId" uuid, before jsonb, after jsonb)
  left join lateral (
    select jsonb_build_object('roleId', t.role_id, 'status', t.status)
      || case when w.after ? 'endsOn' then jsonb_build_object('endsOn', private.last_day(p_team_id, t.ends_at)) else '{}' end as now
    from public.team_users t where t.team_id = p_team_id and t.user_id = w."userId"
  ) t on true;
  perform private.refuse_if(stale > 0, 'stale');
  perform private.refuse_past_end(p_team_id, p_members);
  update public.team_users t set role_id = (w.after ->> 'roleId')::uuid, status = w.after ->> 'status', ends_at = case
    when w.after ? 'endsOn' then private.end_of_day(p_team_id, (w.after ->> 'endsOn')::date)
    when w.after ->> 'status' = 'active' and t.ends_at <= now() then null -- reactivated after its end
    else t.ends_at end
  from jsonb_to_recordset(p_members) w ("userId" uuid, after jsonb)
  where t.team_id = p_team_id and t.user_id = w."userId" and w.after is not null
    and ((t.role_id, t.status) is distinct from ((w.after ->> 'roleId')::uuid, w.after ->> 'status') or w.after ? 'endsOn');
  delete from public.team_users t using jsonb_to_recordset(p_members) w ("userId" uuid, after jsonb)
  where t.team_id = p_team_id and t.user_id = w."userId" and w.after is null;
  return differing > 0;
end $$;

create function private.change_campaign_access(p_reached text[], p_team_id text, p_places jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  differing int;
  stale int;
  unreached int;
begin
  with wanted as (
    select w.campaign,
      w.before || jsonb_build_object('setIds', private.sorted(w.before -> 'setIds')) as before,
      w.after || jsonb_build_object('setIds', private.sorted(w.after -> 'setIds')) as after,
      jsonb_build_object('roleId', r.role_id,
        'setIds', private.sorted((select coalesce(jsonb_agg(s.permission_set_id), '[]') from public.campaign_user_team_sets s
          where s.user_id = w."userId" and s.team_id = p_team_id and s.campaign_id = w.campaign)))
        || case when w.after ? 'endsOn' then jsonb_build_object('endsOn', private.last_day(p_team_id, r.ends_at)) else '{}' end as now
    from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, before jsonb, after jsonb)
    left join public.campaign_user_roles_team r
      on r.user_id = w."userId" and r.team_id = p_team_id and r.campaign_id = w.campaign
  )
  select count(*) filter (where w.now <> w.after), count(*) filter (where w.now <> w.after and w.now <> w.before),
    count(*) filter (where w.after - 'endsOn' <> '{"roleId": null, "setIds": []}' and w.campaign <> all (p_reached))
  into differing, stale, unreached from wanted w;
  perform private.refuse_if(stale > 0, 'stale');
  perform private.refuse_if(unreached > 0, 'not-allowed');
  perform private.refuse_past_end(p_team_id, p_places);
  insert into public.campaign_user_roles_team as t (user_id, team_id, campaign_id, role_id, ends_at)
  select w."userId", p_team_id, w.campaign, (w.after ->> 'roleId')::uuid,
    case when w.after ? 'endsOn' then private.end_of_day(p_team_id, (w.after ->> 'endsOn')::date) else r.ends_at end
  from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  left join public.campaign_user_roles_team r
    on r.user_id = w."userId" and r.team_id = p_team_id and r.campaign_id = w.campaign
  where w.after ->> 'roleId' is not null
  on conflict (user_id, team_id, campaign_id) do update set role_id = excluded.role_id, ends_at = excluded.ends_at
  where (t.role_id, t.ends_at) is distinct from (excluded.role_id, excluded.ends_at);
  insert into public.campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
  select w."userId", p_team_id, w.campaign, s::uuid
  from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb),
    jsonb_array_elements_text(w.after -> 'setIds') s
  on conflict do nothing;
  delete from public.campaign_user_roles_team t
  using jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  where t.user_id = w."userId" and t.team_id = p_team_id and t.campaign_id = w.campaign and w.after ->> 'roleId' is null;
  delete from public.campaign_user_team_sets t
  using jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  where t.user_id = w."userId" and t.team_id = p_team_id and t.campaign_id = w.campaign
    and not w.after -> 'setIds' @> to_jsonb(t.permission_set_id::text);
  return differing > 0;
end $$;

-- Sets the values of p_column for one owner in a table of pairs. p_owner has the owner's columns.
create function private.change_sets(p_table text, p_owner jsonb, p_column text, p_before jsonb, p_after jsonb)
returns boolean
language plpgsql set search_path = ''
as $$
declare
  own text := (select string_agg(format('%I = %L', o.key, o.value), ' and ') from jsonb_each_text(p_owner) o);
  now jsonb;
begin
  execute format('select coalesce(jsonb_agg(%I), ''[]'') from public.%I where %s', p_column, p_table, own) into now;
  if not private.needs_change(private.sorted(now), private.sorted(p_before), private.sorted(p_after)) then return false; end if;
  execute format('insert into public.%1$I select (jsonb_populate_record(null::public.%1$I,
    $1 || jsonb_build_object(%2$L, e))).* from jsonb_array_elements_text($2) e on conflict do nothing', p_table, p_column)
    using p_owner, p_after;
  execute format('delete from public.%I where %s and not $1 @> to_jsonb(%I::text)', p_table, own, p_column) using p_after;
  return true;
end $$;

-- To add a campaign to another team, someone must manage it in the team that runs it. It opens for the other team's
-- administrators, so the actor must have everything they get in it, through another team of the campaign: what the actor has
-- in this team doesn't count.
create function private.attach_campaign(p_actor_id uuid, p_reached text[], p_team_id text, p_campaign_id text) returns boolean
language plpgsql set search_path = ''
as $$
declare
  runs_it text := (select c.team_id from public.campaigns c where c.id = p_campaign_id and c.team_id <> p_team_id);
begin
  if p_campaign_id = any (p_reached) and exists (
    select from public.campaign_team t where t.team_id = p_team_id and t.campaign_id = p_campaign_id)
  then
    return false;
  end if;
  perform private.refuse_if(runs_it is null or p_campaign_id <> all (private.reached_campaigns(p_actor_id, runs_it))
    or not private.has_key(p_actor_id, runs_it, null, 'members.manage'), 'not-allowed');
  perform private.refuse_if(exists (
    select g.key from private.administrator_grants g
    where g.team_id = p_team_id and (g.campaign_id is null or g.campaign_id = p_campaign_id)
    except
    select unnest(p.keys) from private.places(p_actor_id) p
    where p.campaign_id = p_campaign_id and p.team_id <> p_team_id), 'more-than-own');
  insert into public.campaign_team (team_id, campaign_id) values (p_team_id, p_campaign_id) on conflict do nothing;
  return found;
end $$;

-- A search profile means credentials, which the operator grants to teams. A campaign keeps the one it has.
create function private.check_search_profile(p_team_id text, p_profile text) returns void
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_if(p_profile is not null and not exists (
    select from public.team_search_profiles p where p.team_id = p_team_id and p.profile = p_profile), 'search-not-granted');
end $$;

-- Names of a team's campaigns differ in more than case and spaces, also from those of archived ones.
create function private.refuse_taken_campaign_name(p_team_id text, p_campaign_id text, p_name text) returns void
language plpgsql set search_path = ''
as $$
declare
  archived boolean;
begin
  select c.archived_at is not null into archived
  from public.campaign_team t join public.campaigns c on c.id = t.campaign_id
  where t.team_id = p_team_id and c.id <> p_campaign_id
    and lower(regexp_replace(c.name, '\s', '', 'g')) = lower(regexp_replace(p_name, '\s', '', 'g'))
  order by 1 limit 1;
  perform private.refuse_if(found, case when archived then 'archived-name-taken' else 'name-taken' end);
end $$;

create function private.edit_campaign(p_team_id text, p_campaign_id text, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  now jsonb;
begin
  select jsonb_build_object('name', c.name, 'signatureGoal', c.signature_goal, 'startsOn', c.starts_on,
    'endsOn', c.ends_on, 'linesPerSheet', c.lines_per_sheet, 'searchProfile', c.search_profile,
    'districts', c.districts, 'archived', c.archived_at is not null, 'requiredSignatures', c.required_signatures,
    'safetyMargin', c.safety_margin, 'officialRejection', c.official_rejection, 'checkMethod', c.check_method,
    'samplePercent', c.sample_percent, 'sampleMinimum', c.sample_minimum, 'passPercent', c.pass_percent,
    'failPercent', c.fail_percent, 'countyTargets', c.county_targets) into now
  from public.campaigns c where c.id = p_campaign_id;
  if not private.needs_change(now, p_before, p_after) then return false; end if;
  perform private.refuse_if(not (p_after ->> 'archived')::boolean and private.is_erased(p_campaign_id), 'erased');
  if p_after ->> 'name' <> now ->> 'name' then
    perform private.refuse_taken_campaign_name(p_team_id, p_campaign_id, p_after ->> 'name');
  end if;
  if p_after -> 'searchProfile' <> now -> 'searchProfile' then
    perform private.check_search_profile(p_team_id, p_after ->> 'searchProfile');
  end if;
  update public.campaigns c set name = p_after ->> 'name', signature_goal = (p_after ->> 'signatureGoal')::int,
    starts_on = (p_after ->> 'startsOn')::date, ends_on = (p_after ->> 'endsOn')::date,
    lines_per_sheet = (p_after ->> 'linesPerSheet')::int, search_profile = p_after ->> 'searchProfile',
    districts = p_after ->> 'districts', required_signatures = (p_after ->> 'requiredSignatures')::int,
    safety_margin = (p_after ->> 'safetyMargin')::numeric, official_rejection = (p_after ->> 'officialRejection')::numeric,
    check_method = p_after ->> 'checkMethod', sample_percent = (p_after ->> 'samplePercent')::numeric,
    sample_minimum = (p_after ->> 'sampleMinimum')::int, pass_percent = (p_after ->> 'passPercent')::numeric,
    fail_percent = (p_after ->> 'failPercent')::numeric, county_targets = p_after -> 'countyTargets',
    archived_at = case when (p_after ->> 'archived')::boolean then coalesce(c.archived_at, now()) end
  where c.id = p_campaign_id;
  return true;
end $$;

create function private.change_team(p_team_id text, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  now jsonb;
begin
  select jsonb_build_object('name', t.name, 'timeZone', t.time_zone, 'locale', t.locale,
    'linesPerSheet', t.lines_per_sheet, 'eraseAfterDays', t.erase_after_days,
    'secondFactor', case when t.second_factor_from is null then 'optional' else 'required' end) into now
  from public.teams t where t.id = p_team_id;
  if not p_after ? 'secondFactor' then -- where Auth has none, the form doesn't offer it
    now := now - 'secondFactor';
    p_before := p_before - 'secondFactor';
  end if;
  if not private.needs_change(now, p_before, p_after) then return false; end if;
  update public.teams set name = p_after ->> 'name', time_zone = p_after ->> 'timeZone', locale = p_after ->> 'locale',
    lines_per_sheet = (p_after ->> 'linesPerSheet')::int, erase_after_days = (p_after ->> 'eraseAfterDays')::int,
    second_factor_from = case p_after ->> 'secondFactor'
      when 'required' then coalesce(second_factor_from, now() + interval '7 days') -- to set it up
      when 'optional' then null else second_factor_from end
  where id = p_team_id;
  return true;
end $$;

-- Names of roles and of sets are unique among the built-in ones and the team's, regardless of case.
create function private.refuse_taken_name(p_table text, p_team_id text, p_name text, p_own_id uuid) returns void
language plpgsql set search_path = ''
as $$
declare
  taken boolean;
begin
  execute format('select exists (select from public.%I t where (t.team_id is null or t.team_id = $1)
    and lower(trim(t.name)) = lower(trim($2)) and t.id is distinct from $3)', p_table)
  into taken using p_team_id, p_name, p_own_id;
  perform private.refuse_if(taken, 'name-taken');
end $$;

create function private.change_role(p_team_id text, p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  role public.roles;
begin
  if p_change ->> 'kind' = 'create-role' then
    perform private.refuse_taken_name('roles', p_team_id, p_change ->> 'name', null);
    insert into public.roles (team_id, name, scope) values (p_team_id, p_change ->> 'name', p_change ->> 'scope')
    returning * into role;
    perform private.change_sets('role_p_sets', jsonb_build_object('role_id', role.id), 'permission_set_id', '[]',
      coalesce(p_change -> 'setIds', '[]'));
    return true;
  end if;
  select r.* into role from public.roles r where r.id = (p_change ->> 'roleId')::uuid and r.team_id = p_team_id;
  perform private.refuse_if(role.id is null, 'gone');
  if p_change ->> 'kind' = 'rename-role' then
    if not private.needs_change(to_jsonb(role.name), p_change -> 'before', p_change -> 'after') then return false; end if;
    perform private.refuse_taken_name('roles', p_team_id, p_change ->> 'after', role.id);
    update public.roles set name = p_change ->> 'after' where id = role.id;
    return true;
  end if;
  perform private.refuse_if(exists (select from public.team_users t where t.role_id = role.id)
    or exists (select from public.campaign_user_roles_team t where t.role_id = role.id), 'in-use');
  perform private.refuse_if(exists (select from private.pending_invitations i
    where i.team_id = p_team_id and i.expires_at > now() and (i.role_id = role.id
      or i.campaigns @> jsonb_build_array(jsonb_build_object('roleId', role.id)))
    and i.id not in (select private.stopped_invitations(p_team_id))), 'in-invitations');
  delete from public.roles where id = role.id;
  return true;
end $$;

create function private.change_set(p_team_id text, p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  after jsonb := p_change -> 'after';
  set_id uuid := p_change ->> 'setId';
  now jsonb := (select jsonb_build_object('name', s.name, 'description', s.description)
    from public.permission_sets s where s.id = set_id and s.team_id = p_team_id);
begin
  if p_change ->> 'kind' = 'create-set' then
    perform private.refuse_taken_name('permission_sets', p_team_id, after ->> 'name', null);
    insert into public.permission_sets (team_id, name, description)
    values (p_team_id, after ->> 'name', after ->> 'description') returning id into set_id;
    insert into public.permission_set_keys (permission_set_id, key)
    select set_id, e from jsonb_array_elements_text(coalesce(p_change -> 'keys', '[]')) e;
    return true;
  end if;
  perform private.refuse_if(now is null, 'gone');
  if p_change ->> 'kind' = 'edit-set' then
    if not private.needs_change(now, p_change -> 'before', after) then return false; end if;
    perform private.refuse_taken_name('permission_sets', p_team_id, after ->> 'name', set_id);
    update public.permission_sets set name = after ->> 'name', description = after ->> 'description' where id = set_id;
    return true;
  end if;
  perform private.refuse_if(set_id in (
    select t.permission_set_id from public.team_p_sets t union all
    select t.permission_set_id from public.role_p_sets t union all
    select t.permission_set_id from public.campaign_team_sets t union all
    select t.permission_set_id from public.campaign_user_team_sets t), 'in-use');
  delete from public.permission_sets where id = set_id;
  return true;
end $$;

-- Whether a person may make a kind of change: with the key of its kind team-wide (contract 10) and a key that shows members.
-- Any active member may leave.
create function private.may_change(p_actor_id uuid, p_team_id text, p_kind text) returns boolean
language plpgsql stable set search_path = ''
as $$
declare
  keys text[] := array(
    select g.key from private.grants g
    where g.user_id = p_actor_id and g.team_id = p_team_id and g.campaign_id is null and g.key is not null);
begin
  if p_kind = 'leave-team' then
    return exists (select from private.active_members m where m.user_id = p_actor_id and m.team_id = p_team_id);
  end if;
  return keys && array['members.view', 'roles.manage'] and case
    when p_kind in ('edit-team', 'members', 'campaigns', 'create-campaign', 'edit-campaign', 'attach-campaign',
      'detach-campaign', 'stop-sharing', 'hand-over-campaign') then 'members.manage'
    else 'roles.manage'
  end = any (keys);
end $$;

-- Takes the lock if the person may make a kind of change. Checked before too, so that people without permission never wait for
-- the lock or block others.
create function private.lock_if_allowed(p_actor_id uuid, p_team_id text, p_kind text) returns boolean
language plpgsql set search_path = ''
as $$
begin
  if not private.may_change(p_actor_id, p_team_id, p_kind) then return false; end if;
  perform private.lock_access();
  perform private.end_due_access(); -- so that the change finds what the rules already say
  return private.may_change(p_actor_id, p_team_id, p_kind);
end $$;

-- True if something was changed. Raises what `refuse_if` raises.
create function private.apply_change(p_actor_id uuid, p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  kind text := p_change ->> 'kind';
  team text := p_change ->> 'team';
  campaign text := p_change ->> 'campaign';
  before jsonb := p_change -> 'before';
  after jsonb := p_change -> 'after';
  reached text[] := private.reached_campaigns(p_actor_id, team);
  runner text := (select c.team_id from public.campaigns c where c.id = campaign);
  leaving text := case when kind = 'stop-sharing' then p_change ->> 'from' else team end;
  changed boolean := false;
  set_change jsonb;
begin
  perform private.refuse_if(
    kind in ('edit-campaign', 'hand-over-campaign', 'detach-campaign', 'stop-sharing', 'campaign-sets')
      and campaign <> all (reached), 'gone');
  perform private.refuse_if(kind in ('edit-campaign', 'hand-over-campaign', 'stop-sharing')
    and runner is distinct from team, 'not-allowed');
  case kind
    when 'leave-team' then
      delete from public.team_users t where t.team_id = team and t.user_id = p_actor_id;
    when 'edit-team' then
      return private.change_team(team, before, after);
    when 'members' then
      return private.change_members(p_actor_id, team, p_change -> 'members');
    when 'campaigns' then
      -- Extra sets have no end date: those that people add for themselves would outlive their role.
      perform private.refuse_if(exists (
        select from jsonb_to_recordset(p_change -> 'places') w ("userId" uuid, campaign text, before jsonb, after jsonb)
        join public.campaign_user_roles_team r
          on r.user_id = w."userId" and r.team_id = team and r.campaign_id = w.campaign
        where w."userId" = p_actor_id and r.ends_at is not null
          and not (w.before -> 'setIds') @> (w.after -> 'setIds')), 'more-than-own');
      return private.change_campaign_access(reached, team, p_change -> 'places');
    when 'create-campaign' then
      perform private.refuse_taken_campaign_name(team, campaign, after ->> 'name');
      insert into public.campaigns (id, name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet, created_by)
      select campaign, after ->> 'name', team, (after ->> 'signatureGoal')::int, (after ->> 'startsOn')::date,
        (after ->> 'endsOn')::date, t.lines_per_sheet, p_actor_id
      from public.teams t where t.id = team;
      insert into public.campaign_team (team_id, campaign_id) values (team, campaign);
    when 'edit-campaign' then
      return private.edit_campaign(team, campaign, before, after);
    when 'attach-campaign' then
      return private.attach_campaign(p_actor_id, reached, team, campaign);
    when 'detach-campaign', 'stop-sharing' then
      perform private.refuse_if(runner = leaving, 'runs-it');
      delete from public.campaign_team where team_id = leaving and campaign_id = campaign;
      perform private.refuse_if(not found, 'not-attached');
      -- Otherwise the members' roles and sets in it would keep it open to them (rule 5).
      delete from public.campaign_user_roles_team where team_id = leaving and campaign_id = campaign;
      delete from public.campaign_user_team_sets where team_id = leaving and campaign_id = campaign;
    when 'hand-over-campaign' then
      perform private.refuse_if(not exists (
        select from public.campaign_team t where t.team_id = p_change ->> 'to' and t.campaign_id = campaign), 'not-attached');
      perform private.check_search_profile(p_change ->> 'to',
        (select c.search_profile from public.campaigns c where c.id = campaign));
      update public.campaigns set team_id = p_change ->> 'to' where id = campaign;
    when 'role-sets' then
      perform private.refuse_if(not exists (
        select from public.roles r where r.id = (p_change ->> 'roleId')::uuid and r.team_id = team), 'gone');
      return private.change_sets('role_p_sets', jsonb_build_object('role_id', p_change ->> 'roleId'),
        'permission_set_id', before, after);
    when 'set-keys' then
      for set_change in select e from jsonb_array_elements(p_change -> 'sets') e loop
        perform private.refuse_if(not exists (
          select from public.permission_sets s where s.id = (set_change ->> 'setId')::uuid and s.team_id = team), 'gone');
        changed := private.change_sets('permission_set_keys',
          jsonb_build_object('permission_set_id', set_change ->> 'setId'), 'key',
          set_change -> 'before', set_change -> 'after') or changed;
      end loop;
      return changed;
    when 'team-sets' then
      return private.change_sets('team_p_sets', jsonb_build_object('team_id', team), 'permission_set_id', before, after);
    when 'campaign-sets' then
      return private.change_sets('campaign_team_sets', jsonb_build_object('team_id', team, 'campaign_id', campaign),
        'permission_set_id', before, after);
    when 'create-role', 'rename-role', 'delete-role' then
      return private.change_role(team, p_change);
    when 'create-set', 'edit-set', 'delete-set' then
      return private.change_set(team, p_change);
  end case;
  return true;
end $$;

-- ── Making a change, and its preview ───────────────────────────────────────────────────────────────────────────────

create function private.places_of_team(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', u.user_id, 'campaign_id', p.campaign_id, 'keys', p.keys)), '[]')
  from private.active_members u
  cross join lateral private.places(u.user_id) p
  where u.team_id = p_team_id and p.team_id = p_team_id
$$;

-- Who gains and loses what between two results of `places_of_team` (lib/team-access/access-change.ts).
create function private.effects(p_before jsonb, p_after jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  with places as (
    select coalesce(b.user_id, a.user_id) as user_id, coalesce(b.campaign_id, a.campaign_id) as campaign_id,
      case when b.keys is null then 'opens' when a.keys is null then 'closes' else 'stays' end as access,
      array(select k from unnest(a.keys) k where k <> all (coalesce(b.keys, '{}')) order by k collate "C") as gains,
      array(select k from unnest(b.keys) k where k <> all (coalesce(a.keys, '{}')) order by k collate "C") as losses
    from jsonb_to_recordset(p_before) b (user_id uuid, campaign_id text, keys text[])
    full join jsonb_to_recordset(p_after) a (user_id uuid, campaign_id text, keys text[])
      on a.user_id = b.user_id and coalesce(a.campaign_id, '') = coalesce(b.campaign_id, '')
  ),
  people as (
    select p.user_id, jsonb_agg(jsonb_build_object(
        'campaign', case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end,
        'access', p.access, 'gains', p.gains, 'losses', p.losses)
      order by p.campaign_id is not null, c.name, c.id) as places
    from places p left join public.campaigns c on c.id = p.campaign_id
    where p.access <> 'stays' or p.gains <> '{}' or p.losses <> '{}'
    group by p.user_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('userId', p.user_id, 'name', coalesce(n.name, ''), 'places', p.places)
    order by lower(n.name), p.user_id), '[]')
  from people p left join public.profiles n on n.user_id = p.user_id
$$;

create function public.change_access(p_actor_id uuid, p_change jsonb, p_commit boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  team text := p_change ->> 'team';
  kind text := p_change ->> 'kind';
  affected text := case when kind = 'stop-sharing' then p_change ->> 'from' else team end;
  state_before jsonb;
  before jsonb;
  after jsonb;
  changed boolean;
  takes_over boolean := p_commit and coalesce((p_change ->> 'takeOver')::boolean, false);
  stopped_before uuid[];
  stopped uuid[];
  free uuid[] := '{}'; -- those that the actor takes over, or could
  invitations jsonb;
  refusal text;
begin
  if not private.lock_if_allowed(p_actor_id, team, kind) then
    return jsonb_build_object('outcome', case kind when 'leave-team' then 'gone' else 'not-allowed' end);
  end if;
  begin
    perform private.act_as(p_actor_id);
    state_before := private.read_state_before(p_actor_id, team, kind in ('team-sets', 'campaign-sets', 'set-keys'));
    if not p_commit then before := private.places_of_team(affected); end if;
    stopped_before := array(select private.stopped_invitations(team));
    changed := private.apply_change(p_actor_id, p_change);
    if not p_commit then after := private.places_of_team(affected); end if;
    -- The actor may open a campaign they create, and `attach_campaign` has its own check.
    perform private.refuse_forbidden_change(state_before, kind not in ('create-campaign', 'attach-campaign'));
    stopped := array(select s from private.stopped_invitations(team) s where s <> all (stopped_before));
    if takes_over or not p_commit then
      free := array(select unnest(stopped) except select private.stopped_invitations(team, p_actor_id));
    end if;
    if p_commit then
      update public.invitations set invited_by = p_actor_id where id = any (free);
      insert into public.audit_log (actor_id, actor_name, action, table_name, team_id, before, after)
      select p_actor_id, private.person_json(p_actor_id) ->> 'name', 'update', 'invitations', team, r.logged,
        r.logged || '{"stopped": true}'
      from public.invitations i cross join lateral (select private.logged_row(to_jsonb(i)) as logged) r
      where i.id = any (stopped) and i.id <> all (free);
    else
      invitations := (
        select coalesce(jsonb_agg(jsonb_build_object('email', i.email, 'invitedBy', coalesce(p.name, ''),
          'canTakeOver', i.id = any (free)) order by i.email), '[]')
        from public.invitations i left join public.profiles p on p.user_id = i.invited_by
        where i.id = any (stopped));
      raise exception 'undo' using errcode = 'SG002';
    end if;
  exception
    when sqlstate 'SG002' then null;
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when foreign_key_violation or check_violation then
      refusal := 'gone';
    when invalid_parameter_value then
      refusal := 'no-such-zone';
    when unique_violation then
      refusal := case kind when 'create-campaign' then 'id-taken' else 'name-taken' end;
  end;
  perform private.act_as(null);
  if refusal is not null then return jsonb_build_object('outcome', refusal); end if;
  return jsonb_build_object('outcome', case when changed then 'done' else 'unchanged' end)
    || case when takes_over then jsonb_build_object('takenOver', cardinality(free)) when p_commit then '{}'
      else jsonb_build_object('effects', private.effects(before, after), 'invitations', invitations) end;
end $$;

comment on function public.change_access is
  'Makes a change (lib/team-access/access-change.ts) for a verified person, completely or not at all: '
  '{"outcome": "done" | "unchanged" | why not, "takenOver"}. With "takeOver" the actor becomes the inviter of the invitations '
  'that the change stops, where they could have made them. Without p_commit it is rolled back, "effects" says whose access '
  'would differ, and "invitations" which open ones would stop.';

-- supabase/schemas/080_team_access_requests.sql

-- Requests for access: members ask for a permission, and people who manage the team find it in the activity.

create table public.access_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  team_id text not null,
  campaign_id text references public.campaigns (id) on delete cascade,
  key text not null references public.permission_keys (key) on delete cascade on update cascade,
  asked_at timestamptz not null default now(),
  closed_at timestamptz,
  page text check (length(page) <= 500),
  granted boolean not null default false,
  reason text check (length(reason) between 1 and 300),
  unknown_campaign_id text
    check (unknown_campaign_id is null or campaign_id is null and length(unknown_campaign_id) <= 100),
  answer text check (length(answer) between 1 and 300),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.access_requests is
  'A key that a member asks for in the team or a campaign. Closed when a manager declines it, or when it is granted.';
comment on column public.access_requests.page is 'Path of the page where they asked.';
comment on column public.access_requests.answer is 'Why it was declined, for the person who asked.';
comment on column public.access_requests.unknown_campaign_id is
  'What they asked for isn''t a campaign of the team. Only they see the request, like any other: asking doesn''t reveal which '
  'campaigns exist.';
create unique index access_requests_open on public.access_requests (user_id, team_id, campaign_id, key, unknown_campaign_id)
  nulls not distinct where closed_at is null;
create index access_requests_team on public.access_requests (team_id, asked_at) where closed_at is null;
create index access_requests_campaign on public.access_requests (campaign_id);
create index access_requests_key on public.access_requests (key);

alter table public.access_requests enable row level security;

-- The overview of a team's campaigns needs a campaign: a role alone doesn't grant it.
create function private.grants_request(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns boolean
language sql stable set search_path = ''
as $$
  select case when p_campaign_id is null and p_key = 'campaign.view' then exists (
      select from unnest(private.reached_campaigns(p_user_id, p_team_id)) c (id)
      where private.has_key(p_user_id, p_team_id, c.id, p_key))
    else private.has_key(p_user_id, p_team_id, p_campaign_id, p_key) end
$$;
comment on function private.grants_request is 'Whether a person has what a request asks for.';

create function public.ask_for_access(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_key text, p_page text default null, p_reason text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text;
  known_id text := (
    select c.campaign_id from public.campaign_team c where c.team_id = p_team_id and c.campaign_id = p_campaign_id);
begin
  if not exists (select from private.active_members m where m.user_id = p_actor_id and m.team_id = p_team_id)
    or not exists (select from public.permission_keys k where k.key = p_key)
  then
    return '{"outcome": "no-place"}';
  end if;
  perform private.lock_access();
  if private.grants_request(p_actor_id, p_team_id, p_campaign_id, p_key) then return '{"outcome": "already-granted"}'; end if;
  perform private.act_as(p_actor_id);
  insert into public.access_requests (user_id, team_id, campaign_id, unknown_campaign_id, key, page, reason)
  values (p_actor_id, p_team_id, known_id, case when known_id is null then p_campaign_id end, p_key, p_page, p_reason)
  on conflict do nothing;
  outcome := case when found then 'asked' else 'already-asked' end;
  perform private.act_as(null);
  return jsonb_build_object('outcome', outcome);
exception
  when foreign_key_violation then return '{"outcome": "no-place"}'; -- no longer a member
end $$;
comment on function public.ask_for_access is
  'Requests a key for a verified person, unless the same request is open: {"outcome": "asked" | "already-asked" | '
  '"already-granted" | "no-place"}.';

create function public.decline_access_request(
  p_actor_id uuid, p_team_id text, p_id uuid, p_answer text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'not-allowed';
begin
  if private.may_change(p_actor_id, p_team_id, 'members') then
    perform private.act_as(p_actor_id);
    update public.access_requests set closed_at = now(), answer = p_answer
    where id = p_id and team_id = p_team_id and closed_at is null;
    outcome := case when found then 'done' else 'not-open' end;
    perform private.act_as(null);
  end if;
  return jsonb_build_object('outcome', outcome);
end $$;
comment on function public.decline_access_request is
  'Declines a request for a verified person: {"outcome": "done" | "not-open" | "not-allowed"}.';

create function public.open_access_requests(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'userId', r.user_id, 'name', coalesce(p.name, ''),
    'campaign', case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end,
    'key', r.key, 'page', r.page, 'reason', r.reason, 'askedAt', r.asked_at,
    'granted', private.grants_request(r.user_id, r.team_id, r.campaign_id, r.key)
  ) order by r.asked_at, r.id), '[]')
  from public.access_requests r
  left join public.campaigns c on c.id = r.campaign_id
  left join public.profiles p on p.user_id = r.user_id
  where r.team_id = p_team_id and r.closed_at is null and r.unknown_campaign_id is null
$$;
comment on function public.open_access_requests is 'The open requests of a team''s members, oldest first.';

-- A request that a change has granted is closed.
create function private.close_granted_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.access_requests r set closed_at = now(), granted = true
  where r.closed_at is null and r.unknown_campaign_id is null and r.user_id in (select n.user_id from new_rows n)
    and private.grants_request(r.user_id, r.team_id, r.campaign_id, r.key);
  return null;
end $$;
create trigger close_granted_requests after insert on public.permission_changes referencing new table as new_rows
for each statement execute function private.close_granted_requests();

-- supabase/schemas/090_team_access_lists.sql

-- What the screens of team administration show: roles with their permission sets, members with their roles in campaigns, and
-- why someone has a permission. Guard first.

create function public.permission_why(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns jsonb
language sql stable set search_path = ''
as $$
  with sources as materialized (
    select s.* from private.assigned_keys s
    where s.principal_id = p_user_id and s.team_id = p_team_id and (s.campaign_id is null or s.campaign_id = p_campaign_id)
  ),
  member as (
    select case when m.status = 'active' and not m.is_active then 'suspended' else m.status end as status, r.name as role,
      m.is_team_admin, case when m.ends_at <= now() then private.last_day(p_team_id, m.ends_at) end as ended_on
    from private.principals m join public.roles r on r.id = m.role_id
    where m.principal_id = p_user_id and m.team_id = p_team_id
  ),
  sets as ( -- of each source, and whether the key is in it
    select s.rule, s.source, p.id, p.name, s.applies, bool_or(s.in_force and s.key = p_key) as grants,
      coalesce(bool_or(s.key = p_key), false) as has_key
    from sources s join public.permission_sets p on p.id = s.permission_set_id
    where s.rule in (4, 7)
    group by s.rule, s.source, p.id, p.name, s.applies
  )
  select jsonb_build_object(
    'granted', exists (select from sources s where s.in_force and s.key = p_key),
    'teamAccess', exists (select from sources s where s.in_force and s.rule = 2),
    'campaignAccess',
      case when p_campaign_id is not null then exists (select from sources s where s.in_force and s.rule = 5) end,
    'membership', (select jsonb_build_object('status', m.status, 'role', m.role, 'isAdministrator', m.is_team_admin,
      'endedOn', m.ended_on) from member m),
    'campaignRole', (select r.name from sources s join public.roles r on r.id = s.role_id
      where s.source = 'campaign_user_roles_team'),
    'rules', (
      select jsonb_agg(jsonb_build_object(
        'rule', w.rule,
        'source', w.source,
        'applies', w.for_administrators is null
          or coalesce(w.for_administrators = (select m.is_team_admin from member m), false),
        'holds', exists (select from sources s where s.rule = w.rule and s.source = w.source and s.in_force
          and (s.rule in (2, 5) or s.key = p_key)),
        'sets', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from sets s where s.rule = w.rule and s.source = w.source and s.grants),
        -- Not of sources that don't apply to them.
        'without', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from sets s where s.rule = w.rule and s.source = w.source and s.applies and not s.has_key)
      ) order by w.number)
      from (select row_number() over () as number, w.* from private.grant_sources w) w
      where w.rule < 5 or p_campaign_id is not null)
  )
$$;
comment on function public.permission_why is
  'For each rule of the contract: whether it grants a key to a user, which sets have the key and which lack it.';

create function public.team_roles(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'roles', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id, 'name', r.name, 'builtIn', r.team_id is null, 'scope', r.scope,
        'setIds', (select coalesce(jsonb_agg(b.permission_set_id order by b.permission_set_id::text), '[]')
          from public.role_p_sets b where b.role_id = r.id),
        'members', (select count(*) from public.team_users t where t.role_id = r.id and t.team_id = p_team_id),
        'inCampaigns', (select count(*) from public.campaign_user_roles_team t
          where t.role_id = r.id and t.team_id = p_team_id),
        'invitations', (select count(*) from private.pending_invitations i where i.team_id = p_team_id
          and (i.role_id = r.id or i.campaigns @> jsonb_build_array(jsonb_build_object('roleId', r.id)))
          and i.expires_at > now() and i.id <> all (w.stopped))
      ) order by r.team_id is not null, lower(r.name), r.id), '[]')
      from public.roles r
      cross join (select array(select private.stopped_invitations(p_team_id)) as stopped) w
      where r.team_id is null or r.team_id = p_team_id),
    'sets', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'name', s.name, 'builtIn', s.team_id is null, 'description', s.description,
        'keys', (select coalesce(jsonb_agg(k.key order by k.key collate "C"), '[]')
          from public.permission_set_keys k where k.permission_set_id = s.id),
        'uses',
          (select count(*) from public.team_p_sets b where b.permission_set_id = s.id and b.team_id = p_team_id)
          + (select count(*) from public.role_p_sets b join public.roles r on r.id = b.role_id
            where b.permission_set_id = s.id and (r.team_id is null or r.team_id = p_team_id))
          + (select count(*) from public.campaign_team_sets b where b.permission_set_id = s.id and b.team_id = p_team_id)
          + (select count(*) from public.campaign_user_team_sets b
            where b.permission_set_id = s.id and b.team_id = p_team_id)
      ) order by s.team_id is not null, lower(s.name), s.id), '[]')
      from public.permission_sets s where s.team_id is null or s.team_id = p_team_id),
    'teamSetIds', (
      select coalesce(jsonb_agg(b.permission_set_id order by b.permission_set_id::text), '[]')
      from public.team_p_sets b where b.team_id = p_team_id),
    'campaigns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'archivedAt', c.archived_at,
        'setIds', (select coalesce(jsonb_agg(b.permission_set_id order by b.permission_set_id::text), '[]')
          from public.campaign_team_sets b where b.team_id = p_team_id and b.campaign_id = c.id)
      ) order by c.name, c.id), '[]')
      from public.campaign_team t join public.campaigns c on c.id = t.campaign_id where t.team_id = p_team_id)
  )
$$;
comment on function public.team_roles is 'The roles and permission sets that a team can use, and what they contain.';

-- Runs as its owner: the service role can't read the email addresses of Auth.
create function public.team_members(p_team_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'userId', tu.principal_id,
    'name', coalesce(p.name, u.email),
    'email', coalesce(u.email, ''),
    'roleId', r.id,
    'role', r.name,
    'isAdministrator', tu.is_team_admin,
    'status', case when tu.status = 'active' and not tu.is_active then 'suspended' else tu.status end,
    'endsOn', private.last_day(p_team_id, tu.ends_at),
    'ended', coalesce(tu.ends_at <= now(), false),
    'campaigns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'roleId', cr.id, 'role', cr.name, 'endsOn', private.last_day(p_team_id, cu.ends_at),
        'sets', (
          select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from public.campaign_user_team_sets cs join public.permission_sets s on s.id = cs.permission_set_id
          where cs.user_id = tu.principal_id and cs.team_id = tu.team_id and cs.campaign_id = c.id)
      ) order by c.name, c.id), '[]')
      from (
        select cu.campaign_id from public.campaign_user_roles_team cu
        where cu.user_id = tu.principal_id and cu.team_id = tu.team_id and (cu.ends_at is null or cu.ends_at > now())
        union
        select cs.campaign_id from public.campaign_user_team_sets cs
        where cs.user_id = tu.principal_id and cs.team_id = tu.team_id
      ) own
      join public.campaigns c on c.id = own.campaign_id
      left join public.campaign_user_roles_team cu
        on cu.user_id = tu.principal_id and cu.team_id = tu.team_id and cu.campaign_id = own.campaign_id
        and (cu.ends_at is null or cu.ends_at > now())
      left join public.roles cr on cr.id = cu.role_id
    )
  ) order by lower(coalesce(p.name, u.email)), tu.principal_id), '[]')
  from private.principals tu
  join public.roles r on r.id = tu.role_id
  join auth.users u on u.id = tu.principal_id
  left join public.profiles p on p.user_id = tu.principal_id
  where tu.team_id = p_team_id
$$;
comment on function public.team_members is 'All members of a team with role, status and their roles and sets in campaigns.';

create function public.permission_holders(p_team_id text, p_campaign_id text, p_key text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'userId', h.user_id, 'name', coalesce(p.name, ''), 'sets', h.sets,
    'role', case when h.by_team_role then r.name end,
    'campaignRole', case when h.by_campaign_role then (
      select cr.name from public.campaign_user_roles_team c join public.roles cr on cr.id = c.role_id
      where c.user_id = h.user_id and c.team_id = p_team_id and c.campaign_id = p_campaign_id) end,
    'direct', h.direct
  ) order by lower(p.name), h.user_id), '[]')
  from (
    select g.user_id, jsonb_agg(distinct s.name) filter (where g.key = p_key) as sets,
      bool_or(g.key = p_key and (g.rule = 4 or g.source = 'campaign_team_sets')) as by_team_role,
      bool_or(g.key = p_key and g.rule = 7 and g.source = 'role_p_sets') as by_campaign_role,
      coalesce(bool_or(g.key = p_key and g.source = 'campaign_user_team_sets'), false) as direct
    from private.grants g left join public.permission_sets s on s.id = g.permission_set_id
    where g.team_id = p_team_id and (g.campaign_id is null or g.campaign_id = p_campaign_id)
    group by g.user_id
    having bool_or(g.key = p_key) and (p_campaign_id is null or bool_or(g.rule = 5))
  ) h
  join public.team_users t on t.user_id = h.user_id and t.team_id = p_team_id
  join public.roles r on r.id = t.role_id
  left join public.profiles p on p.user_id = h.user_id
$$;
comment on function public.permission_holders is
  'The active members who have a key in the whole team, or in a campaign that they can open, with the sets that grant it '
  'and where they have them from: their role in the team, their role in the campaign, or directly.';

create function public.who_can_grant(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('userId', p.user_id, 'name', p.name) order by lower(p.name), p.user_id), '[]')
  from (
    select distinct g.user_id from private.grants g
    where g.team_id = p_team_id and g.campaign_id is null and g.key = 'members.manage'
  ) g
  join public.profiles p on p.user_id = g.user_id
$$;
comment on function public.who_can_grant is 'The people who manage members of a team: [{"userId", "name"}].';

-- supabase/schemas/095_sessions.sql

-- Where people are signed in. Auth has the sessions; their devices are here, as the application saw them at sign-in.

create table public.session_devices (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  device text not null check (length(device) between 1 and 80)
);
comment on table public.session_devices is
  'No foreign key to the sessions, whose table is Auth''s. Rows of ended ones are deleted when the person signs in again.';
create index session_devices_user on public.session_devices (user_id);
alter table public.session_devices enable row level security;
revoke all on public.session_devices from service_role; -- only functions write and read it

create function public.record_session(p_actor_id uuid, p_session_id uuid, p_device text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.session_devices d
  where d.user_id = p_actor_id and not exists (select from auth.sessions s where s.id = d.session_id);
  insert into public.session_devices (session_id, user_id, device)
  select s.id, s.user_id, p_device from auth.sessions s where s.id = p_session_id and s.user_id = p_actor_id
  on conflict (session_id) do update set device = excluded.device;
end $$;
comment on function public.record_session is 'Saves the device of a verified person''s session.';

-- A session is refreshed when its token expires, while it is used.
create function public.list_sessions(p_actor_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'device', d.device, 'signedInAt', private.utc(s.created_at),
    'activeAt', private.utc(a.at)) order by a.at desc, s.id), '[]')
  from auth.sessions s
  left join public.session_devices d on d.session_id = s.id
  cross join lateral (
    select greatest(s.created_at, s.refreshed_at::timestamp at time zone 'UTC') -- Auth writes this one without a zone
  ) a (at)
  where s.user_id = p_actor_id and (s.not_after is null or s.not_after > now()));
end $$;
comment on function public.list_sessions is
  'The sessions of a verified person, last active first: [{"id", "device" (null if unknown), "signedInAt", "activeAt"}].';

create function public.end_session(p_actor_id uuid, p_session_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions where id = p_session_id and user_id = p_actor_id;
  return found;
end $$;
comment on function public.end_session is 'Ends a session of a verified person; false if there is none.';

-- supabase/schemas/100_voters.sql

-- The voter file and its two searches, for teams without another search backend. Only supabase/functions/search-backend reads
-- it: REST doesn't show the schema, and only the service role may call the functions.

-- Declared immutable although `unaccent` is stable: after a change of its rules, which are a file, rewrite the table.
create function voterfile.search_key(p_text text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return nullif(lower(translate(extensions.unaccent('extensions.unaccent'::regdictionary, normalize(p_text)),
    E' \t\u00a0''`\u2018\u2019\u02bb\u02bc-.', '')), '');
end $$;
comment on function voterfile.search_key is
  'A text without case, diacritics, blanks, apostrophes, hyphens and dots, so that oconnor finds O''Connor. Null if empty.';

-- Keys are in "C" order, in which a prefix is a range of an index on every server.
create table voterfile.voters (
  voter_id text collate "C" primary key check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text,
  middle_name text,
  last_name text,
  house_number text,
  street text,
  unit text,
  city text,
  zip text,
  county text,
  birth_year smallint,
  party text,
  status text,
  district text,
  precinct text,
  first_key text collate "C" generated always as (voterfile.search_key(first_name)) stored,
  middle_key text collate "C" generated always as (voterfile.search_key(middle_name)) stored,
  last_key text collate "C" generated always as (voterfile.search_key(last_name)) stored,
  house_key text collate "C" generated always as (voterfile.search_key(house_number)) stored,
  house_value int generated always as (
    case when btrim(house_number) <> '' then
      coalesce(substring(house_number from '^\s*([0-9]{1,9})')::int, 2147483647)
    end) stored,
  street_key text collate "C" generated always as (voterfile.search_key(street)) stored,
  unit_key text collate "C" generated always as (voterfile.search_key(unit)) stored,
  city_key text collate "C" generated always as (voterfile.search_key(city)) stored,
  zip_key text collate "C" generated always as (voterfile.search_key(zip)) stored,
  county_key text collate "C" generated always as (voterfile.search_key(county)) stored
);
comment on column voterfile.voters.house_value is 'The number at its start: 9 sorts before 10, and both before words.';
alter table voterfile.voters enable row level security;
grant select, insert, update, delete on voterfile.voters to service_role;

-- The first two are read in order of names and include the other keys, so that a broad search only reads the index. The
-- others find the few voters of a place or a house.
create index voters_last on voterfile.voters
  (last_key, first_key, house_value, house_key, voter_id, county_key, city_key, zip_key);
create index voters_first on voterfile.voters
  (first_key, last_key, house_value, house_key, voter_id, county_key, city_key, zip_key);
create index voters_house on voterfile.voters (house_key);
create index voters_street on voterfile.voters (street_key);
create index voters_zip on voterfile.voters (zip_key);
create index voters_city on voterfile.voters (city_key);
create index voters_county on voterfile.voters (county_key);

-- Reads the file once for each prefix, of which a voter file has few.
create function voterfile.written_ids(p_voter_id text) returns text[]
language plpgsql stable strict set search_path = ''
as $$
declare
  letters constant text := upper(substring(p_voter_id from '^[^0-9]*'));
  digits constant text := substring(p_voter_id from '[0-9].*');
begin
  return array[p_voter_id, upper(p_voter_id)] || array(
    with recursive firsts (id) as ( -- with each prefix
      select (select v.voter_id from voterfile.voters v order by v.voter_id limit 1)
      where digits is not null
      union all
      select (select v.voter_id from voterfile.voters v
        where v.voter_id > substring(f.id from '^[^0-9]*') || ':' order by v.voter_id limit 1) -- the sign after 9
      from firsts f where f.id is not null
    )
    select p.prefix || n.digits
    from (select substring(f.id from '^[^0-9]*') as prefix, length(f.id) as length from firsts f where f.id is not null limit 20) p
    cross join lateral (values (digits),
      (case when digits !~ '^0' then lpad(digits, greatest(length(digits), p.length - length(p.prefix)), '0') end)) n (digits)
    where regexp_replace(letters, '[^A-Z]', '', 'g') in ('', regexp_replace(upper(p.prefix), '[^A-Z]', '', 'g'))
      and n.digits is not null
  );
end $$;
comment on function voterfile.written_ids is
  'The ids that someone may mean: as written, in capitals, or digits with the prefix and leading zeros of other ids.';

-- The keys of the search parameters.
create function voterfile.search_keys(p_params jsonb, out last text, out first text, out first_word text,
  out house text, out street text, out zip text, out city text, out county text, out birth_year text, out voter_ids text[])
language plpgsql stable set search_path = ''
as $$
begin
  last := voterfile.search_key(p_params ->> 'lastName');
  first := voterfile.search_key(p_params ->> 'firstName');
  first_word := voterfile.search_key(substring(p_params ->> 'firstName' from '\S+'));
  house := voterfile.search_key(p_params ->> 'houseNumber');
  street := voterfile.search_key(p_params ->> 'street');
  zip := voterfile.search_key(p_params ->> 'zip');
  city := voterfile.search_key(p_params ->> 'city');
  county := voterfile.search_key(p_params ->> 'county');
  birth_year := nullif(btrim(p_params ->> 'birthYear'), '');
  voter_ids := voterfile.written_ids(nullif(btrim(p_params ->> 'voterId'), ''));
end $$;

create function voterfile.hits(p_voter_ids text[], p_matches text[] default '{}') returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'voterId', v.voter_id, 'firstName', v.first_name, 'middleName', v.middle_name, 'lastName', v.last_name,
      'houseNumber', v.house_number, 'street', v.street, 'unit', v.unit,
      'city', v.city, 'zip', v.zip, 'county', v.county, 'birthYear', v.birth_year, 'party', v.party,
      'status', v.status, 'district', v.district, 'precinct', v.precinct, 'match', p.match))
      order by p.place), '[]')
    from unnest(p_voter_ids, p_matches) with ordinality p (voter_id, match, place)
    join voterfile.voters v on v.voter_id = p.voter_id
  );
end $$;
comment on function voterfile.hits is 'Voters as a search returns them, in this order.';

-- Planned for the given values, which removes absent conditions from the plan. Too short for JIT and parallel workers.
create function public.search_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off set max_parallel_workers_per_gather = 0
as $$
declare
  max_found constant int := 10000; -- can be paged, sorted as requested, and counted exactly
  k record := voterfile.search_keys(p_params);
  matching constant text := replace($match$
    from voterfile.voters v
    where ($1 is null or v.last_key >= $1 and v.last_key < $1 || chr(1114111))
      and ($2 is null or v.first_key >= $2 and v.first_key < $2 || chr(1114111))
      and ($3 is null or v.house_key in ($3, $3 || '1/2'))
      and ($4 is null or v.street_key >= $4 and v.street_key < $4 || chr(1114111) {directions})
      and ($5 is null or v.zip_key >= $5 and v.zip_key < $5 || chr(1114111))
      and ($6 is null or v.city_key >= $6 and v.city_key < $6 || chr(1114111))
      and ($7 is null or v.county_key >= $7 and v.county_key < $7 || chr(1114111))
      and ($8 is null or v.voter_id = any($8))
      and ($9 is null or starts_with(concat(v.first_key, v.middle_key), $9)
        or length($2) = 1 and starts_with(v.middle_key, substr($9, 2)))
      and ($10 is null or v.birth_year::text = $10)
  $match$, '{directions}', coalesce((select string_agg(format('or v.street_key >= %1$L || $4
      and v.street_key < %1$L || $4 || chr(1114111) and v.street ~* ''^%1$s[. ]''', direction), ' ')
    from string_to_table('n,e,s,w,ne,nw,se,sw', ',') direction where k.street is not null), ''));
  order_by text := coalesce(nullif(p_params ->> 'order', ''), 'lastName');
  sort text := format(jsonb '{"voterId": "voter_id%1$s", "lastName": "last_key%1$s", "firstName": "first_key%1$s",
    "middleName": "middle_key%1$s", "houseNumber": "house_value%1$s, house_key%1$s", "street": "street_key%1$s",
    "unit": "unit_key%1$s", "city": "city_key%1$s", "zip": "zip_key%1$s", "county": "county_key%1$s"}'
    ->> regexp_replace(order_by, '^-', ''), case when order_by like '-%' then ' desc nulls last' end);
  query_from int := coalesce((p_params ->> 'queryFrom')::int, 0);
  query_size int := coalesce((p_params ->> 'querySize')::int, 25);
  total int;
  page text[];
begin
  if jsonb_typeof(p_params) is distinct from 'object' then
    raise exception 'The parameters must be an object.' using errcode = 'invalid_parameter_value';
  elsif sort is null then
    raise exception 'order must be the name of a field of a hit, with a leading - for descending.'
      using errcode = 'invalid_parameter_value';
  elsif query_size not between 1 and 100 then
    raise exception 'querySize must be 1 to 100.' using errcode = 'invalid_parameter_value';
  elsif query_from not between 0 and max_found - query_size then
    raise exception 'queryFrom must be 0 or more, and with querySize at most %.', max_found
      using errcode = 'invalid_parameter_value';
  end if;
  -- The limit also keeps the planner from reading a whole index in the requested order to find a few voters in it.
  execute format('select count(*), array_agg(v.voter_id order by %s, last_key, first_key, house_value, house_key, voter_id)
    from (select v.* %s limit %s) v', sort, matching, max_found + 1)
    into total, page using k.last, k.first_word, k.house, k.street, k.zip, k.city, k.county, k.voter_ids,
      nullif(k.first, k.first_word), k.birth_year;
  if total <= max_found then
    page := page[query_from + 1 : query_from + query_size];
  else -- too many to sort: in the order of one of the first two indexes
    execute format('select array(select v.voter_id %s
      order by %s, last_key, first_key, house_value, house_key, voter_id offset %s limit %s)',
      matching, case when sort like 'first%' then 'first_key' else 'last_key' end, query_from, query_size)
      into page using k.last, k.first_word, k.house, k.street, k.zip, k.city, k.county, k.voter_ids,
        nullif(k.first, k.first_word), k.birth_year;
  end if;
  return jsonb_build_object('total', least(total, max_found), 'relation', case when total > max_found then 'gte' else 'eq' end,
    'hits', voterfile.hits(page));
end $$;
comment on function public.search_voters is
  'One page of voters and how many there are: { total, relation, hits }. Names, street, zip, city and county match prefixes, a '
  'firstName of several words also first and middle name, a street also after a direction; the others match whole, voterId also '
  'in capitals and without its letters. Sorted by `order`, then by name, house number and voter id; voters without the field come '
  'last. Of more than 10,000 (relation gte) only firstName and lastName are possible. A bad value is an invalid_parameter_value.';

-- ── Near matches ────────────────────────────────────────────────────────────────────────────────────────────

create table voterfile.names (
  is_last boolean,
  key text collate "C",
  voter_count int not null,
  sounds text[] not null,
  last_word text collate "C",
  primary key (is_last, key)
);
comment on table voterfile.names is
  'The distinct last and first names, with their phonetic codes and the last of several words. Written by refresh_names.';
create index names_last_word on voterfile.names (last_word) where last_word is not null;
create index names_sounds on voterfile.names using gin (sounds);
create index names_trigrams on voterfile.names using gin (key extensions.gin_trgm_ops);
alter table voterfile.names enable row level security;
grant select on voterfile.names to service_role;

create table voterfile.counties (
  county text collate "C" primary key,
  registered int not null
);
comment on table voterfile.counties is 'Voters per county, which take too long to count. Written by refresh_names.';
alter table voterfile.counties enable row level security;
grant select on voterfile.counties to service_role;

create table voterfile.districts (district text collate "C" primary key);
comment on table voterfile.districts is 'The districts of the voters, which take too long to list. Written by refresh_names.';
alter table voterfile.districts enable row level security;
grant select on voterfile.districts to service_role;

create function voterfile.sounds(p_key text) returns text[]
language sql immutable parallel safe
return array_remove(array[extensions.dmetaphone(p_key), extensions.dmetaphone_alt(p_key)], '');

-- Deletes and inserts, so that concurrent searches find the old names.
create function voterfile.refresh_names(p_voters text default 'voterfile.voters') returns void
language plpgsql set search_path = ''
as $$
begin
  delete from voterfile.names;
  execute format('
    insert into voterfile.names (is_last, key, voter_count, sounds, last_word)
    select is_last, key, count(*), voterfile.sounds(key),
      voterfile.search_key(substring(max(name) filter (where name ~ ''\S[ -]+\S'') from ''[ -]([^ -]+)\s*$''))
    from (
      select true as is_last, last_key as key, last_name as name from %1$s
      union all select false, first_key, first_name from %1$s
    ) n
    where length(key) <= 60
    group by is_last, key', p_voters::regclass);
  delete from voterfile.counties;
  execute format('
    insert into voterfile.counties select county, count(*) from %s where county is not null group by county', p_voters::regclass);
  delete from voterfile.districts;
  execute format('
    insert into voterfile.districts select distinct district from %s where district is not null', p_voters::regclass);
end $$;
comment on function voterfile.refresh_names is 'Updates the tables of names, counties and districts, after each load.';

create function voterfile.single_edits(p_key text) returns setof text
language sql immutable parallel safe set search_path = '' rows 500
as $$
  select left(p_key, n - 1) || substr(p_key, n + 1) from generate_series(1, length(p_key)) n
  union
  select left(p_key, n - 1) || substr(p_key, n + 1, 1) || substr(p_key, n, 1) || substr(p_key, n + 2)
  from generate_series(1, length(p_key) - 1) n
  union
  select left(p_key, n) || letter || substr(p_key, n + 1 + other)
  from generate_series(0, length(p_key)) n, generate_series(0, 1) other,
    string_to_table('abcdefghijklmnopqrstuvwxyz', null) letter
  union
  select replace(p_key, read, written)
  from (values ('rn', 'm'), ('m', 'rn'), ('cl', 'd'), ('d', 'cl'), ('vv', 'w'), ('w', 'vv')) alike (read, written)
  where position(read in p_key) > 0
  union
  select direction || p_key from string_to_table('ne,nw,se,sw', ',') direction
$$;
comment on function voterfile.single_edits is
  'All texts that differ by one letter or two swapped ones, look alike in handwriting, or have a direction before them.';

create table voterfile.short_forms (
  short text collate "C",
  name text collate "C",
  primary key (short, name)
);
comment on table voterfile.short_forms is 'First names and their short forms: bob for robert.';
create index short_forms_name on voterfile.short_forms (name);
alter table voterfile.short_forms enable row level security;
grant select on voterfile.short_forms to service_role;

create function voterfile.similar_names(p_key text, p_is_last boolean)
returns table (key text, distance float, match text)
language plpgsql stable set search_path = '' set pg_trgm.similarity_threshold = 0.4 rows 40
as $$
declare
  p_sounds text[] := voterfile.sounds(p_key);
begin
  return query
    with found (key, voter_count, distance, match) as (
      select n.key, n.voter_count, 0.0, null from voterfile.names n where n.is_last = p_is_last and n.key = p_key
      union all
      (select n.key, n.voter_count, 0.2, null from voterfile.names n
        where n.is_last = p_is_last and n.key > p_key and n.key < p_key || chr(1114111)
        order by n.voter_count desc limit 20)
      union all
      select n.key, n.voter_count, 0.6, 'short form'
      from (select s.name from voterfile.short_forms s where s.short = p_key
        union select s.short from voterfile.short_forms s where s.name = p_key) s (name)
      join voterfile.names n on not p_is_last and not n.is_last and n.key = s.name
      union all
      (select n.key, n.voter_count, 0.4, 'part of name' from voterfile.names n
        where n.is_last = p_is_last and n.last_word = p_key and n.key <> p_key
        order by n.voter_count desc limit 20)
      union all
      select n.key, n.voter_count, 0.7 + 0.2 * extensions.levenshtein(n.key, p_key), 'sounds like' from voterfile.names n
      where n.is_last = p_is_last and n.sounds && p_sounds
        and extensions.levenshtein_less_equal(n.key, p_key, 4) <= least(4, (length(p_key) + 1) / 2)
      union all
      select n.key, n.voter_count, case when n.key = s then 1.0 else 1.3 end, 'similar'
      from voterfile.single_edits(p_key) s
      join voterfile.names n on n.is_last = p_is_last and n.key >= s
        and n.key < s || case when length(s) >= 4 then chr(1114111) else chr(1) end
      union all
      select n.key, n.voter_count, extensions.levenshtein(n.key, p_key), 'similar' from voterfile.names n
      where n.is_last = p_is_last and n.key operator(extensions.%) p_key
        and extensions.levenshtein_less_equal(n.key, p_key, 3) <= 3
    ), nearest as (
      select distinct on (f.key) f.key, f.distance - ln(f.voter_count) / 40 as distance, f.match
      from found f order by f.key, f.distance
    )
    select n.key, n.distance::float, n.match from nearest n order by n.distance limit 40;
end $$;
comment on function voterfile.similar_names is
  'Names that are spelled or sound similarly, or are a short form, nearest first. `match` is null for those that begin with it.';

-- Without a name: voters whose ids begin as given, and one of each place spelled similarly to one that no voter has.
create function voterfile.similar_places(p_voter_ids text[], p_city text, p_street text)
returns table (voter_id text, match text)
language plpgsql stable set search_path = ''
as $$
declare
  place text;
begin
  return query select distinct v.voter_id, 'part of id' from unnest(p_voter_ids) w
    cross join lateral (
      select v.voter_id from voterfile.voters v where v.voter_id > w and v.voter_id < w || chr(1114111)
      order by v.voter_id limit 25) v
    where length(w) >= 4 order by 1 limit 25;
  foreach place in array array['city', 'street'] loop
    return query execute format($query$
      select v.voter_id, 'similar %1$s' from (
        select distinct on (v.%1$s_key) v.voter_id, v.%1$s_key as key from voterfile.single_edits($1) s
        cross join lateral (
          select v.voter_id, v.%1$s_key from voterfile.voters v
          where v.%1$s_key >= s and v.%1$s_key < s || chr(case when length(s) >= 4 then 1114111 else 1 end)
          order by v.%1$s_key limit 1) v
        where length($1) between 4 and 40 and not exists (
          select from voterfile.voters v where v.%1$s_key >= $1 and v.%1$s_key < $1 || chr(1114111))) v
      order by extensions.levenshtein(v.key, $1), v.key limit 3$query$, place)
    using case place when 'city' then p_city else p_street end;
  end loop;
end $$;

-- Without a name, at a house number: voters of streets that are spelled similarly, and those whose numbers differ in an addition.
create function voterfile.similar_addresses(p_house text, p_value int, p_street text, p_zip text, p_city text, p_county text)
returns table (voter_id text, match text)
language sql stable set search_path = ''
as $$
  with at_house as materialized (
    select v.* from voterfile.voters v where v.house_key = p_house
  ), found as (
    select v.voter_id, 'similar street' as match, v.zip_key, v.city_key, v.county_key, v.last_key, v.first_key from at_house v
    where length(p_street) between 4 and 40 and not starts_with(v.street_key, p_street)
      and exists (select from voterfile.single_edits(p_street) s where length(s) >= 4 and starts_with(v.street_key, s))
    union all
    select v.voter_id, 'another number', v.zip_key, v.city_key, v.county_key, v.last_key, v.first_key from voterfile.voters v
    where v.street_key >= p_street and v.street_key < p_street || chr(1114111)
      and v.house_value = p_value and v.house_key <> p_house and p_value::text in (v.house_key, p_house)
  )
  select f.voter_id, f.match from found f
  where (p_zip is null or starts_with(f.zip_key, p_zip)) and (p_city is null or starts_with(f.city_key, p_city))
    and (p_county is null or starts_with(f.county_key, p_county))
  order by f.match, f.last_key, f.first_key, f.voter_id limit 25
$$;

create function public.similar_voters(p_params jsonb) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
set jit = off set max_parallel_workers_per_gather = 0
as $$
declare
  k record := voterfile.search_keys(p_params);
  k_value int := substring(p_params ->> 'houseNumber' from '^\s*([0-9]{1,9})')::int;
  ids text[];
  matches text[];
begin
  if k.last is null and k.first is null then
    select array_agg(p.voter_id), array_agg(p.match) into ids, matches from (
      select * from voterfile.similar_addresses(k.house, k_value, k.street, k.zip, k.city, k.county)
      union all select * from voterfile.similar_places(k.voter_ids, k.city, k.street) where k.house is null) p;
    return jsonb_build_object('total', coalesce(cardinality(ids), 0), 'relation', 'eq', 'hits', voterfile.hits(ids, matches));
  end if;
  with lasts as materialized (
    select s.* from voterfile.similar_names(k.last, true) s union all select null, 0, null where k.last is null
    union all -- `smith jones` for John Smith, `lopez-garcia` for García-López
    select voterfile.search_key(w.word), case when w.place = 1 then 0.1 else 1.2 end, 'part of name'
    from unnest(regexp_replace(p_params ->> 'lastName', '^(.*\S)[ -]+(\S+)', '\2\1')
      || regexp_split_to_array(p_params ->> 'lastName', '[ -]+')) with ordinality w (word, place)
    where p_params ->> 'lastName' ~ '\S[ -]+\S'
  ), firsts as materialized (
    select s.* from voterfile.similar_names(k.first, false) s union all select null, 0, null where k.first is null
  ), pairs as materialized (
    select l.key as last, f.key as first, l.distance + f.distance as distance, case
      when 'part of name' in (l.match, f.match) then 'part of name'
      when f.match = 'short form' then f.match
      when 'similar' in (l.match, f.match) then 'similar'
      else 'sounds like' end as match
    from lasts l cross join firsts f
    where (l.match is not null or f.match is not null) and l.distance + f.distance < 2.5
    union all
    select k.first, k.last, 0.5, 'swapped' where k.first is not null and k.last is not null
    union all -- `jones ana` for Ana Smith-Jones
    (select n.key, k.last, 0.6, 'part of name' from voterfile.names n
      where n.is_last and n.last_word = k.first and k.last is not null order by n.voter_count desc limit 20)
  ), nearest as (
    select distinct on (v.voter_id) v.*, p.distance, p.match
    from pairs p cross join lateral (
      select v.voter_id, v.last_key, v.first_key, v.house_value, v.house_key
      from voterfile.voters v
      where (k.last is null or v.last_key = p.last) and (k.first is null or v.first_key = p.first)
        and (k.house is null or v.house_key = k.house)
        and (k.street is null or v.street_key >= k.street and v.street_key < k.street || chr(1114111))
        and (k.zip is null or v.zip_key >= k.zip and v.zip_key < k.zip || chr(1114111))
        and (k.city is null or v.city_key >= k.city and v.city_key < k.city || chr(1114111))
        and (k.county is null or v.county_key >= k.county and v.county_key < k.county || chr(1114111))
        and (k.birth_year is null or v.birth_year::text = k.birth_year)
      limit 25
    ) v
    order by v.voter_id, p.distance
  ), names (last, first) as (
    values (k.last, coalesce(k.first, '')), (k.first, k.last)
  ), same_address as materialized ( -- a voter of this name at this address: then the others needn't be compared
    select from names n
    join voterfile.voters v on v.last_key = n.last and v.first_key >= n.first and v.first_key < n.first || chr(1114111)
    where (k.house is null or v.house_key = k.house)
      and (k.street is null or starts_with(v.street_key, k.street))
      and (k.zip is null or starts_with(v.zip_key, k.zip))
      and (k.city is null or starts_with(v.city_key, k.city))
      and (k.county is null or starts_with(v.county_key, k.county))
    limit 1
  ), named as materialized (
    select v.voter_id, v.last_key, v.first_key, v.house_value, v.house_key, array_remove(array[
        case when coalesce(v.house_key, '') <> k.house then 'number' end,
        case when not starts_with(coalesce(v.street_key, ''), k.street) then 'street' end,
        case when not starts_with(coalesce(v.zip_key, ''), k.zip) then 'zip' end,
        case when not starts_with(coalesce(v.city_key, ''), k.city) then 'city' end,
        case when not starts_with(coalesce(v.county_key, ''), k.county) then 'county' end], null) as differing,
      v.house_value = k_value and k_value::text in (v.house_key, k.house) as is_addition, -- 700 and 700 1/2
      coalesce(extensions.levenshtein(left(v.house_key, 20), left(k.house, 20)), 0)
        + coalesce(extensions.levenshtein(left(v.zip_key, 20), left(k.zip, 20)), 0) as digits_off
    from names n
    join voterfile.voters v on v.last_key = n.last and v.first_key >= n.first and v.first_key < n.first || chr(1114111)
    where not exists (select from same_address)
  ), other_addresses as materialized (
    select n.voter_id, n.last_key, n.first_key, n.house_value, n.house_key,
      case when n.differing = '{number}' and n.is_addition then -1 -- before any edit of a name, the others after all
        else 10 * cardinality(n.differing) + n.digits_off end as distance,
      case when cardinality(n.differing) = 1 then 'another ' || n.differing[1] else 'another address' end as match
    from named n
    order by distance, n.last_key, n.first_key, n.house_value, n.house_key, n.voter_id limit 10
  ), ranked as (
    (select n.* from nearest n
      order by n.distance, n.last_key, n.first_key, n.house_value, n.house_key, n.voter_id
      limit 25 - (select count(*) from other_addresses))
    union all
    select a.* from other_addresses a
    order by distance, last_key, first_key, house_value, house_key, voter_id
  )
  select array_agg(r.voter_id), array_agg(r.match) into ids, matches from ranked r;
  return jsonb_build_object('total', coalesce(cardinality(ids), 0), 'relation', 'eq', 'hits', voterfile.hits(ids, matches));
end $$;
comment on function public.similar_voters is
  'At most 25 voters that search_voters does not find, nearest first, each with the reason as `match`. If no voter has exactly this '
  'name at the address, up to ten with another address follow, before all others if only an addition differs, as 700 and 700 1/2. '
  'Without a name: voters of similar streets at the house number; otherwise those whose id begins with voterId, and a voter of each '
  'of up to three cities and streets that are spelled similarly to one that no voter has.';

-- supabase/schemas/105_short_forms.sql

-- Short forms of English and Spanish first names in the United States, written by hand from common usage. As keys of
-- voterfile.search_key; one short form can belong to many names.
insert into voterfile.short_forms (name, short)
select f.name, string_to_table(f.shorts, ' ')
from (values
  ('abigail', 'abby gail'), ('abraham', 'abe bram'), ('adelaide', 'addie della'), ('agnes', 'aggie nessie'),
  ('albert', 'al bert bertie'), ('alejandro', 'alex ale'), ('alexander', 'al alec alex sandy xander'),
  ('alexandra', 'alex alexa lexi sandra sandy'), ('alfonso', 'al fonso poncho'), ('alfred', 'al alf fred freddy'),
  ('alice', 'allie ali'), ('alison', 'ali allie'), ('amanda', 'mandy'), ('anastasia', 'ana stacy tasia'),
  ('andrea', 'andi andy drea'), ('andrew', 'andy drew'), ('angela', 'angie'), ('ann', 'annie nan nancy'),
  ('anthony', 'tony'), ('antoinette', 'toni netta'), ('antonio', 'tony tono'), ('arnold', 'arnie'),
  ('arthur', 'art artie'), ('augustus', 'gus august'), ('barbara', 'babs barb barbie'), ('bartholomew', 'bart'),
  ('beatrice', 'bea trixie'), ('benjamin', 'ben benji benny'), ('bernadette', 'bernie'), ('bernard', 'bernie'),
  ('beverly', 'bev'), ('bradley', 'brad'), ('bridget', 'biddy bridie'), ('calvin', 'cal'), ('cameron', 'cam'),
  ('candace', 'candy'), ('carolina', 'caro'), ('caroline', 'carol carrie lina'), ('carolyn', 'carol carrie lyn'),
  ('catherine', 'cat cathy cate kate katie kitty'), ('cecilia', 'cece celia'), ('charles', 'charlie chas chip chuck'),
  ('charlotte', 'charlie lottie'), ('chester', 'chet'), ('christian', 'chris'), ('christina', 'chris chrissy tina'),
  ('christine', 'chris chrissy tina'), ('christopher', 'chris kit topher'), ('clarence', 'clare'),
  ('clifford', 'cliff'), ('clinton', 'clint'), ('consuelo', 'chelo'), ('cornelius', 'neil'), ('crystal', 'chrys'),
  ('curtis', 'curt'), ('cynthia', 'cindy'), ('daniel', 'dan danny'), ('danielle', 'dani'), ('david', 'dave davey'),
  ('deborah', 'deb debbie debra'), ('delores', 'dee lola'), ('dennis', 'denny'), ('dolores', 'lola lolita'),
  ('dominic', 'dom nick'), ('donald', 'don donnie'), ('dorothy', 'dot dottie dolly'), ('douglas', 'doug'),
  ('edgar', 'ed'), ('edith', 'edie'), ('edmund', 'ed eddie ned ted'), ('eduardo', 'eddie lalo'),
  ('edward', 'ed eddie ned ted teddy'), ('edwin', 'ed eddie'), ('eleanor', 'ellie nell nora'),
  ('elizabeth', 'bess beth betsy betty eliza ellie libby lisa liz liza lizzie'), ('emily', 'em emmy millie'),
  ('emma', 'em emmy'), ('enrique', 'kike quique'), ('ernest', 'ernie'), ('ernesto', 'neto'),
  ('esther', 'essie hester'), ('eugene', 'gene'), ('eugenia', 'genie'), ('evelyn', 'eve evie lyn'),
  ('ezekiel', 'zeke'), ('ferdinand', 'ferdie'), ('florence', 'flo florrie flossie'),
  ('frances', 'fran frannie francie'), ('francesca', 'fran francie'), ('francis', 'frank fran'),
  ('francisco', 'frank paco pancho'), ('franklin', 'frank'), ('frederick', 'fred freddie fritz rick'),
  ('gabriel', 'gabe'), ('gabriela', 'gaby'), ('gabrielle', 'gabby'), ('genevieve', 'gen jenny'),
  ('geoffrey', 'geoff jeff'), ('george', 'georgie'), ('gerald', 'gerry jerry'), ('geraldine', 'gerry'),
  ('gerard', 'gerry jerry'), ('gilbert', 'gil bert'), ('gloria', 'glo'), ('graciela', 'chela'), ('gregory', 'greg'),
  ('gretchen', 'greta'), ('guadalupe', 'lupe lupita'), ('guillermo', 'memo'), ('gustavo', 'gus tavo'),
  ('gwendolyn', 'gwen wendy'), ('harold', 'hal harry'), ('harriet', 'hattie'), ('helen', 'nell nellie'),
  ('henrietta', 'etta hettie'), ('henry', 'hal hank harry'), ('herbert', 'bert herb'), ('howard', 'howie'),
  ('hubert', 'bert hugh'), ('ignacio', 'nacho'), ('irene', 'rene'), ('isaac', 'ike zac'),
  ('isabel', 'bella izzy belle'), ('isabella', 'bella izzy belle'), ('isidore', 'izzy'), ('jacob', 'jake'),
  ('jacqueline', 'jackie'), ('james', 'jamie jim jimmy'), ('janet', 'jan'), ('janice', 'jan'), ('jasmine', 'jazz'),
  ('jason', 'jay'), ('jean', 'jeannie'), ('jeffrey', 'jeff'), ('jennifer', 'jen jenna jenny'),
  ('jeremiah', 'jerry jeremy'), ('jeremy', 'jerry'), ('jerome', 'jerry'), ('jesse', 'jess'),
  ('jessica', 'jess jessie'), ('jesus', 'chuy chucho'), ('joan', 'joanie'), ('joanna', 'jo joan'),
  ('johannes', 'hans john'), ('john', 'jack johnny jon'), ('jonathan', 'jon nathan'), ('jose', 'pepe chepe'),
  ('joseph', 'joe joey'), ('josephine', 'jo josie'), ('joshua', 'josh'), ('joyce', 'joy'), ('judith', 'judy'),
  ('julia', 'julie'), ('juliana', 'julie'), ('katherine', 'kate kathy katie kat kay kitty'),
  ('kathleen', 'cathy kate kathy katie'), ('kathryn', 'cathy kate kathy katie'), ('kenneth', 'ken kenny'), ('kimberly', 'kim'),
  ('kristen', 'kris kristy'), ('kristina', 'kris tina'), ('kristine', 'kris'), ('laura', 'laurie'),
  ('lawrence', 'larry laurie'), ('leonard', 'len lenny leo'), ('leonardo', 'leo'), ('leroy', 'lee roy'),
  ('leslie', 'les'), ('lewis', 'lew lou'), ('lillian', 'lil lily'), ('linda', 'lindy'), ('lorraine', 'lori'),
  ('louis', 'lou louie'), ('louise', 'lou'), ('lucille', 'lucy'), ('lucinda', 'lucy cindy'), ('luis', 'lucho'),
  ('madeline', 'maddie'), ('marcus', 'marc mark'),
  ('margaret', 'maggie marge margie meg peg peggy greta rita daisy madge'), ('maria', 'mia mariah'),
  ('marilyn', 'mary'), ('marjorie', 'marge margie'), ('mark', 'marky'), ('marshall', 'marsh'),
  ('martha', 'marty patsy'), ('martin', 'marty'), ('marvin', 'marv'), ('mary', 'mamie molly polly'),
  ('matilda', 'mattie tilly'), ('matthew', 'matt matty'), ('maurice', 'maury moe'), ('maximilian', 'max'),
  ('maxine', 'max'), ('maxwell', 'max'), ('melanie', 'mel'), ('melissa', 'mel missy lissa'), ('melvin', 'mel'),
  ('mercedes', 'mercy meche'), ('michael', 'mick mickey mike mikey'), ('michelle', 'shelly chelle'),
  ('miguel', 'mike'), ('mildred', 'millie'), ('milton', 'milt'), ('miriam', 'mimi'), ('mitchell', 'mitch'),
  ('mohammed', 'mo'), ('montgomery', 'monty'), ('morris', 'moe'), ('moses', 'moe mo'), ('nancy', 'nan'),
  ('natalie', 'nat'), ('natasha', 'tasha'), ('nathan', 'nat nate'), ('nathaniel', 'nat nate nathan'),
  ('nicholas', 'nick nicky'), ('nicole', 'nicki nikki'), ('norman', 'norm'), ('oliver', 'ollie'),
  ('olivia', 'liv livvy'), ('oscar', 'ossie'), ('pamela', 'pam'), ('patricia', 'pat patsy patti patty tricia trish'),
  ('patrick', 'paddy pat'), ('paul', 'paulie'), ('paula', 'polly'), ('penelope', 'penny'), ('percival', 'percy'),
  ('peter', 'pete'), ('philip', 'phil pip'), ('phillip', 'phil pip'), ('phyllis', 'phil'), ('priscilla', 'cilla'),
  ('rachel', 'rae'), ('rafael', 'rafa'), ('ralph', 'ralphie'), ('ramon', 'moncho'), ('randall', 'randy'),
  ('randolph', 'randy'), ('raymond', 'ray'), ('rebecca', 'becca becky'), ('regina', 'gina reggie'),
  ('reginald', 'reg reggie'), ('ricardo', 'rick ricky'), ('richard', 'dick rich richie rick ricky'),
  ('robert', 'bert bob bobby rob robbie'), ('roberta', 'bobbie robbie'), ('roberto', 'beto bob'),
  ('roderick', 'rod rick'), ('rodney', 'rod'), ('roger', 'rodge'), ('roland', 'rollie'), ('ronald', 'ron ronnie'),
  ('rosalie', 'rose'), ('rosalind', 'roz'), ('rosario', 'charo'), ('rosemary', 'rose rosie'), ('roxanne', 'roxy'),
  ('rudolph', 'rudy'), ('russell', 'russ rusty'), ('ruth', 'ruthie'), ('samantha', 'sam sammy'),
  ('samuel', 'sam sammy'), ('sandra', 'sandy'), ('santiago', 'chago'), ('sarah', 'sally sadie'),
  ('sebastian', 'seb bas'), ('sergio', 'checo'), ('sharon', 'shari'), ('shirley', 'shirl'), ('sidney', 'sid'),
  ('sofia', 'sofi'), ('solomon', 'sol'), ('sophia', 'sophie'), ('stanley', 'stan'), ('stephanie', 'steph stevie'),
  ('stephen', 'steve stevie'), ('steven', 'steve stevie'), ('stewart', 'stew'), ('stuart', 'stu'),
  ('susan', 'sue susie suzy'), ('susanna', 'sue susie'), ('suzanne', 'sue susie'), ('sylvester', 'sly vester'),
  ('sylvia', 'syl'), ('tabitha', 'tabby'), ('tamara', 'tammy'), ('teresa', 'terri terry tess'), ('terrence', 'terry'),
  ('thaddeus', 'tad thad'), ('theodore', 'ned ted teddy theo'), ('theresa', 'terri terry tess tessa'),
  ('thomas', 'tom tommy'), ('tiffany', 'tiff'), ('timothy', 'tim timmy'), ('tobias', 'toby'), ('tyler', 'ty'),
  ('ursula', 'ursie'), ('valerie', 'val'), ('vanessa', 'nessa'), ('veronica', 'ronnie roni vero'),
  ('vicente', 'chente'), ('victor', 'vic'), ('victoria', 'tori vicki vicky'), ('vincent', 'vin vince vinny'),
  ('violet', 'vi'), ('virginia', 'ginger ginny'), ('vivian', 'viv'), ('wallace', 'wally'), ('walter', 'wally walt'),
  ('wesley', 'wes'), ('wilfred', 'fred will'), ('wilhelmina', 'mina minnie willa'), ('willard', 'will'),
  ('william', 'bill billy liam will willie'), ('winifred', 'winnie freddie'), ('winston', 'win'), ('yolanda', 'yoli'),
  ('yvonne', 'vonnie'), ('zachary', 'zac zach zack')
) f (name, shorts);

-- supabase/schemas/110_signatures.sql

-- The lines of petition sheets, valid or not, and the sheets. The unique indexes decide who has signed and which line is
-- taken. Redis's set of signers is faster, and follows through the pending changes in signer_changes (120_signers.sql).

create table public.sheets (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  number int not null check (number > 0),
  circulator text check (length(circulator) between 1 and 200),
  collected_on date check (collected_on >= '2000-01-01'),
  signature_count int check (signature_count between 0 and 1000),
  opened_by uuid,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (team_id, campaign_id, number)
);
comment on table public.sheets is 'Petition sheets that a team enters.';
comment on column public.sheets.circulator is 'Who collected the signatures.';
comment on column public.sheets.signature_count is 'How many signatures are on the sheet, entered or not.';
comment on column public.sheets.opened_by is
  'Who opened it last: started, resumed or reopened it. No foreign key: it outlives the account.';
create index sheets_campaign on public.sheets (campaign_id);
create index sheets_open on public.sheets (campaign_id, team_id) where closed_at is null;
create index sheets_circulator on public.sheets (team_id, campaign_id, circulator);
alter table public.sheets enable row level security;

create function private.is_verdict(p_text text) returns boolean
language sql immutable
return p_text in (
  'accepted', 'duplicate', 'not-found', 'illegible', 'not-registered', 'out-of-district', 'outside-dates', 'other',
  'wrong-address', 'blank');
comment on function private.is_verdict is 'Whether a line can have this verdict.';

create table public.lines (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  sheet int check (sheet > 0),
  line int check (line > 0),
  verdict text not null check (private.is_verdict(verdict)),
  voter_id text collate "C" check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text check (length(first_name) <= 200),
  last_name text check (length(last_name) <= 200),
  address text check (length(address) <= 200),
  city text check (length(city) <= 200),
  county text check (length(county) <= 200),
  zip text check (length(zip) <= 200),
  signed_on date,
  note text check (length(note) <= 500),
  entered_by uuid,
  entered_at timestamptz not null default now(),
  removed_at timestamptz,
  removed_by uuid,
  removed_because text check (length(removed_because) <= 500),
  change_number bigint,
  stored_number bigint generated always as identity,
  replaces uuid,
  constraint lines_accepted_voter check (verdict <> 'accepted' or voter_id is not null),
  constraint lines_blank_voter check (verdict <> 'blank' or voter_id is null),
  constraint lines_change_number check ((verdict = 'accepted') = (change_number is not null))
);
comment on table public.lines is
  'The lines of sheets. A removed line stays, with removed_at; the accepted ones of the others count.';
comment on column public.lines.id is 'Made by the client, so that a line sent again is the same line.';
comment on column public.lines.verdict is
  '`accepted`, or why it isn''t valid. A `blank` line isn''t counted.';
comment on column public.lines.entered_by is 'No foreign key: it outlives the account.';
comment on column public.lines.change_number is
  'Of accepted lines: rises with each change of who has signed. For one voter in one campaign the numbers rise in the '
  'order of the commits.';
comment on column public.lines.replaces is 'The removed line that this one corrects.';
comment on column public.lines.stored_number is 'Rises as lines are stored, whenever they were entered.';
-- One accepted line for a voter in a campaign, across teams. Also pages through the signers of a campaign.
create unique index lines_signer on public.lines (campaign_id, voter_id) where verdict = 'accepted' and removed_at is null;
create index lines_removed_signer on public.lines (campaign_id, voter_id)
  where verdict = 'accepted' and removed_at is not null;
-- One live line in a place; lines without both numbers have none.
create unique index lines_place on public.lines (team_id, campaign_id, sheet, line) include (verdict)
  where removed_at is null;
create index lines_sheet on public.lines (team_id, campaign_id, sheet);
create index lines_signed_on on public.lines (team_id, campaign_id, signed_on)
  where verdict = 'accepted' and removed_at is null;
create index lines_verdict on public.lines (campaign_id, team_id, verdict)
  where verdict <> 'accepted' and removed_at is null;
create index lines_stored on public.lines (campaign_id, stored_number);
create index lines_clerk on public.lines (team_id, campaign_id, entered_by, entered_at);
create index lines_replaces on public.lines (replaces) where replaces is not null;
alter table public.lines enable row level security;

create function private.refuse_line_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (old.id, old.team_id, old.campaign_id, old.verdict) = (new.id, new.team_id, new.campaign_id, new.verdict)
    and private.is_erased(new.campaign_id)
  then
    return new; -- its voter is erased
  end if;
  raise exception 'The campaign, voter and verdict of a line never change: remove it and enter it again.'
    using errcode = 'check_violation';
end $$;
create trigger refuse_line_change before update on public.lines
for each row when (
  (old.id, old.team_id, old.campaign_id, old.verdict, old.voter_id)
  is distinct from (new.id, new.team_id, new.campaign_id, new.verdict, new.voter_id))
execute function private.refuse_line_change();

-- ── Helpers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- When a line was entered, which can be days before it is sent. A wrong clock is ignored.
create function private.entry_time(p_at timestamptz) returns timestamptz
language sql stable
return case when p_at between now() - interval '7 days' and now() then p_at else now() end;

-- What a team may see of voters who have signed. Of another team's line, only that it exists.
create function public.already_signed(p_team_id text, p_campaign_id text, p_voter_ids text[]) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(s.voter_id,
      case when s.team_id <> p_team_id then '{"ownTeam": false}'::jsonb
      else jsonb_strip_nulls(jsonb_build_object('ownTeam', true, 'signedOn', s.signed_on,
        'enteredAt', private.utc(s.entered_at), 'enteredBy', p.name, 'sheet', s.sheet, 'line', s.line)) end), '{}')
    from public.lines s
    left join public.profiles p on p.user_id = s.entered_by
    where s.campaign_id = p_campaign_id and s.voter_id = any (p_voter_ids)
      and s.verdict = 'accepted' and s.removed_at is null
  );
end $$;
comment on function public.already_signed is
  'For each of the voters with a live line in the campaign: { ownTeam, signedOn?, enteredAt?, enteredBy?, sheet?, line? }, '
  'only ownTeam for a line of another team. Guard first.';

-- ── Lines ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A line as lib/signatures/line.ts reads it.
create function private.line_json(p_line public.lines, p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('id', p_line.id, 'sheet', p_line.sheet, 'line', p_line.line, 'verdict', p_line.verdict,
    'voterId', p_line.voter_id, 'firstName', p_line.first_name, 'lastName', p_line.last_name, 'address', p_line.address,
    'city', p_line.city, 'county', p_line.county, 'zip', p_line.zip, 'signedOn', p_line.signed_on, 'note', p_line.note,
    'enteredBy', (select p.name from public.profiles p where p.user_id = p_line.entered_by),
    'mine', p_line.entered_by is not distinct from p_actor_id, 'enteredAt', private.utc(p_line.entered_at),
    'removedAt', private.utc(p_line.removed_at))
$$;

-- Why a line can't be stored in this place, or null. Without a verdict its date isn't checked.
create function private.line_refusal(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_sheet int, p_line int, p_verdict text, p_signed_on date
) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select case
      when c.archived_at is not null then '{"outcome": "archived"}'
      when l.id is not null then jsonb_build_object('outcome', 'line-taken', 'taken', private.line_json(l, p_actor_id),
        'timeZone', t.time_zone, 'locale', t.locale)
      when p_verdict = 'accepted' and (p_signed_on < c.starts_on or p_signed_on > c.ends_on) then
        jsonb_build_object('outcome', 'outside-dates', 'signedOn', p_signed_on, 'startsOn', c.starts_on,
          'endsOn', c.ends_on, 'timeZone', t.time_zone, 'locale', t.locale)
    end
    from public.campaigns c
    join public.teams t on t.id = p_team_id
    left join public.lines l on l.team_id = t.id and l.campaign_id = c.id and l.sheet = p_sheet and l.line = p_line
      and l.removed_at is null
    where c.id = p_campaign_id
  );
end $$;

-- Starts the sheet of a line if it is missing, and locks it against deletion until this transaction ends. Call it last, so
-- that a transaction that waits for a sheet has locked no other one.
create function private.ensure_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  while p_number is not null loop
    perform from public.sheets s
    where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number for key share;
    exit when found;
    insert into public.sheets (team_id, campaign_id, number, opened_by)
    values (p_team_id, p_campaign_id, p_number, p_actor_id) on conflict do nothing;
  end loop;
end $$;

create function public.record_line(p_actor_id uuid, p_line jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  team text := p_line ->> 'team';
  campaign text := p_line ->> 'campaign';
  voter text := p_line ->> 'voterId';
  sent_verdict text := p_line ->> 'verdict';
  stored public.lines;
  corrected public.lines;
  sheet_entered int;
  line_entered int;
  refusal jsonb;
  was_stored boolean := true;
begin
  if not private.has_key(p_actor_id, team, campaign, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  loop
    -- In this order, otherwise the same line, stored by another request in between, would be refused.
    refusal := private.line_refusal(p_actor_id, team, campaign, (p_line ->> 'sheet')::int, (p_line ->> 'line')::int,
      sent_verdict, (p_line ->> 'signedOn')::date);
    select * into stored from public.lines l where l.id = (p_line ->> 'id')::uuid;
    exit when found;
    if refusal is not null then
      return refusal;
    end if;
    select * into corrected from public.lines o where o.id = (p_line ->> 'replaces')::uuid and o.team_id = team
      and o.campaign_id = campaign and o.removed_by = p_actor_id
      and not exists (select from public.lines n where n.replaces = o.id);
    insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, address, city,
      county, zip, signed_on, note, entered_by, entered_at, replaces)
    values ((p_line ->> 'id')::uuid, team, campaign, (p_line ->> 'sheet')::int, (p_line ->> 'line')::int,
      case when sent_verdict = 'accepted' and exists (select from public.lines l where l.campaign_id = campaign
        and l.voter_id = voter and l.verdict = 'accepted' and l.removed_at is null) then 'duplicate' else sent_verdict end,
      voter, p_line ->> 'firstName', p_line ->> 'lastName', p_line ->> 'address', p_line ->> 'city', p_line ->> 'county',
      p_line ->> 'zip', (p_line ->> 'signedOn')::date, p_line ->> 'note', p_actor_id,
      case when corrected.entered_by = p_actor_id then corrected.entered_at
        else private.entry_time((p_line ->> 'enteredAt')::timestamptz) end, corrected.id)
    on conflict do nothing -- another request took the id, the place or the voter: check again
    returning * into stored;
    was_stored := not found;
    exit when found;
  end loop;

  if not was_stored then
    perform private.ensure_sheet(p_actor_id, team, campaign, stored.sheet);
  end if;
  -- Compares with the place where it was entered, as it may have been moved since.
  select c.sheet_before, c.line_before into sheet_entered, line_entered
  from public.line_changes c where c.line_id = stored.id and c.kind = 'moved' order by c.id limit 1;
  if not found then
    sheet_entered := stored.sheet;
    line_entered := stored.line;
  end if;
  if (stored.team_id, stored.campaign_id, stored.entered_by, sheet_entered, line_entered, stored.voter_id,
      stored.first_name, stored.last_name, stored.address, stored.city, stored.county, stored.zip, stored.signed_on,
      stored.note)
    is distinct from (team, campaign, p_actor_id, (p_line ->> 'sheet')::int, (p_line ->> 'line')::int, voter collate "C",
      p_line ->> 'firstName', p_line ->> 'lastName', p_line ->> 'address', p_line ->> 'city', p_line ->> 'county',
      p_line ->> 'zip', (p_line ->> 'signedOn')::date, p_line ->> 'note')
    or stored.verdict <> sent_verdict and (sent_verdict, stored.verdict) <> ('accepted', 'duplicate')
  then
    return jsonb_strip_nulls(jsonb_build_object('outcome', 'id-taken', 'by',
      case when (stored.team_id, stored.campaign_id) = (team, campaign) then
        jsonb_build_object('sheet', stored.sheet, 'line', stored.line) end));
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'outcome', case when stored.removed_at is not null then 'removed'
      when sent_verdict = 'accepted' then stored.verdict else 'rejected' end,
    'voterId', stored.voter_id, 'changeNumber', stored.change_number, 'enteredAt', private.utc(stored.entered_at),
    'unchanged', was_stored, 'of', case when stored.removed_at is null and sent_verdict = 'accepted' and stored.verdict = 'duplicate'
      then public.already_signed(team, campaign, array[voter]) -> voter end));
end $$;
comment on function public.record_line is
  'Stores a line { id, team, campaign, sheet, line, verdict, voterId, firstName, lastName, address, city, county, zip, '
  'signedOn, note, enteredAt?, replaces? } for an actor with signatures.enter, once however often it is sent. `replaces` is the '
  'line it corrects, which the actor has removed, and whose time it keeps if they entered that too. Starts a missing sheet. A '
  'voter''s second line is stored as a duplicate. Returns { outcome: accepted | duplicate | rejected | removed, '
  'voterId?, changeNumber?, enteredAt, unchanged, of? }: `unchanged` if it was stored before, `of` as in already_signed. Otherwise '
  'stores nothing and returns { outcome: not-allowed | id-taken | archived | line-taken | outside-dates, by?, taken?, '
  'signedOn?, startsOn?, endsOn?, timeZone?, locale? }: an id is taken when another line has it, at `by` { sheet, line } if '
  'that is in this campaign of the team; `taken` is the line in its place, as private.line_json has it.';

create function public.lines_outside_dates(p_team_id text, p_campaign_id text, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  with outside as materialized (
    select l.id, l.sheet, l.line, l.signed_on
    from public.campaigns c
    join public.lines l on l.team_id = p_team_id and l.campaign_id = c.id and l.verdict = 'accepted'
      and l.removed_at is null and (l.signed_on < c.starts_on or l.signed_on > c.ends_on)
    where c.id = p_campaign_id
  )
  select jsonb_build_object('count', (select count(*) from outside), 'lines', (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', l.id, 'sheet', l.sheet, 'line', l.line, 'signedOn', l.signed_on)
      order by l.sheet, l.line, l.id), '[]')
    from (select * from outside order by sheet, line, id limit p_limit) l))
$$;
comment on function public.lines_outside_dates is
  'Accepted lines of a team that were signed outside the campaign''s dates, which changed after they were entered: how '
  'many, and the first p_limit of them. Guard first.';

-- ── Sheets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.is_archived(p_campaign_id text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from public.campaigns c where c.id = p_campaign_id and c.archived_at is not null)
$$;

-- Deletes a sheet unless it has a line, even a blank one. Returns whether it was deleted.
create function private.delete_empty_sheet(p_team_id text, p_campaign_id text, p_number int) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  -- Waits for transactions that are storing a line on it, so that the line is seen.
  perform from public.sheets s
  where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number for update;
  if exists (select from public.lines l
    where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = p_number and l.removed_at is null)
  then
    return false;
  end if;
  delete from public.sheets where team_id = p_team_id and campaign_id = p_campaign_id and number = p_number;
  return true;
end $$;

create function private.sheet_json(p_sheet public.sheets, p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with
    live as (
      select l.line, l.entered_by, l.verdict <> 'blank' as counts from public.lines l
      where l.team_id = p_sheet.team_id and l.campaign_id = p_sheet.campaign_id and l.sheet = p_sheet.number
        and l.removed_at is null
    ),
    clerks as (select l.entered_by, count(*) as lines from live l where l.counts group by 1)
  select jsonb_build_object(
    'number', p_sheet.number,
    'circulator', p_sheet.circulator,
    'collectedOn', p_sheet.collected_on,
    'signatureCount', p_sheet.signature_count,
    'openedBy', (select p.name from public.profiles p where p.user_id = p_sheet.opened_by),
    'mine', p_sheet.opened_by is not distinct from p_actor_id,
    'openedAt', private.utc(p_sheet.opened_at),
    'closedAt', private.utc(p_sheet.closed_at),
    'lines', (select count(*) from live l where l.counts),
    'nextLine', (
      select min(o.line) from (select 1 as line union all select l.line + 1 from live l) o
      where not exists (select from live l where l.line = o.line)),
    'clerks', (
      select coalesce(jsonb_agg(
        jsonb_build_object('name', p.name, 'mine', c.entered_by is not distinct from p_actor_id, 'lines', c.lines)
        order by c.lines desc, p.name, c.entered_by), '[]')
      from clerks c left join public.profiles p on p.user_id = c.entered_by))
$$;
comment on function private.sheet_json is
  'A sheet { number, circulator, collectedOn, signatureCount, openedBy, mine, openedAt, closedAt, lines, nextLine, clerks: '
  '[{ name, mine, lines }] }: `nextLine` is the first empty one, `clerks` are those who entered its live lines, without blank ones.';

-- Opening and renumbering sheets happens one at a time in a campaign of a team.
create function private.lock_sheets(p_team_id text, p_campaign_id text) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('sheets:' || p_team_id || ':' || p_campaign_id, 0))
$$;

-- Sets what is written on a sheet: the given keys, null too.
create function private.set_sheet_details(p_sheet public.sheets, p_details jsonb) returns public.sheets
language sql volatile set search_path = ''
as $$
  update public.sheets s set
    circulator = case when p_details ? 'circulator' then p_details ->> 'circulator' else s.circulator end,
    collected_on = case when p_details ? 'collectedOn' then (p_details ->> 'collectedOn')::date else s.collected_on end,
    signature_count =
      case when p_details ? 'signatureCount' then (p_details ->> 'signatureCount')::int else s.signature_count end
  where s.id = p_sheet.id
  returning s.*
$$;

create function public.open_sheet(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int default null, p_details jsonb default null,
  p_reopen boolean default false
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  opened public.sheets;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_archived(p_campaign_id) then
    return '{"outcome": "archived"}';
  end if;
  -- Two people who start a sheet at once get two numbers.
  perform private.lock_sheets(p_team_id, p_campaign_id);
  -- Not the actor's own: their opening and closing may be sent twice.
  if not p_reopen and exists (select from public.sheets s
    where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number
      and s.closed_at is not null and s.opened_by is distinct from p_actor_id)
  then
    return '{"outcome": "sheet-closed"}';
  end if;
  loop
    insert into public.sheets as s (team_id, campaign_id, number, opened_by)
    values (p_team_id, p_campaign_id, coalesce(p_number, (
      select coalesce(max(o.number), 0) + 1 from public.sheets o
      where o.team_id = p_team_id and o.campaign_id = p_campaign_id)), p_actor_id)
    on conflict (team_id, campaign_id, number) do update
      set opened_by = excluded.opened_by, closed_at = null,
        opened_at = case when s.closed_at is null then s.opened_at else excluded.opened_at end
      where p_number is not null
    returning * into opened;
    exit when found; -- otherwise someone's first line has just started the sheet with that number
  end loop;
  if p_details is not null then
    opened := private.set_sheet_details(opened, p_details);
  end if;
  return jsonb_build_object('outcome', 'opened', 'sheet', private.sheet_json(opened, p_actor_id));
end $$;
comment on function public.open_sheet is
  'Starts the next sheet, or the one with this number: an existing one is resumed, a closed one reopened, someone else''s only '
  'with p_reopen. p_details { circulator?, collectedOn?, signatureCount? } is what is written on it. Returns { outcome: '
  'opened | sheet-closed | not-allowed | archived, sheet? }, the sheet as private.sheet_json has it.';

create function public.save_sheet_details(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int, p_details jsonb
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  saved public.sheets;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_archived(p_campaign_id) then
    return '{"outcome": "archived"}';
  end if;
  select * into saved from public.sheets s
  where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number;
  if not found then
    return '{"outcome": "not-found"}';
  end if;
  saved := private.set_sheet_details(saved, p_details);
  return jsonb_build_object('outcome', 'saved', 'sheet', private.sheet_json(saved, p_actor_id));
end $$;
comment on function public.save_sheet_details is
  'Saves what is written on a sheet, open or closed, and doesn''t change opened_by. Returns { outcome: '
  'saved | not-allowed | not-found | archived, sheet? }.';

create function public.close_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  closed public.sheets;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  update public.sheets set closed_at = coalesce(closed_at, now())
  where team_id = p_team_id and campaign_id = p_campaign_id and number = p_number
  returning * into closed;
  if not found then
    return '{"outcome": "not-found"}';
  end if;
  return jsonb_build_object('outcome', 'closed', 'sheet', private.sheet_json(closed, p_actor_id));
end $$;
comment on function public.close_sheet is
  'Closes a sheet. Returns { outcome: closed | not-allowed | not-found, sheet? }, the sheet as open_sheet has it.';

create function public.delete_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns jsonb
language plpgsql set search_path = ''
as $$
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if not exists (select from public.sheets s
    where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number)
  then
    return '{"outcome": "not-found"}';
  end if;
  return jsonb_build_object('outcome',
    case when private.delete_empty_sheet(p_team_id, p_campaign_id, p_number) then 'deleted' else 'not-empty' end);
end $$;
comment on function public.delete_sheet is
  'Deletes a sheet without lines; removed lines keep its number. Returns { outcome: deleted | not-empty | '
  'not-found | not-allowed }.';

-- supabase/schemas/115_line_history.sql

-- The history of lines after entry, written by a trigger in the transaction of each change, also of changes by SQL.

create table public.line_changes (
  id bigint generated always as identity primary key,
  line_id uuid not null,
  team_id text not null,
  campaign_id text not null,
  kind text not null check (kind in ('undone', 'removed', 'restored', 'moved')),
  at timestamptz not null default now(),
  actor_id uuid,
  reason text check (length(reason) <= 500),
  sheet_before int,
  line_before int,
  sheet_after int,
  line_after int
);
comment on table public.line_changes is
  'The history of lines after entry. No foreign keys: it outlives its line.';
comment on column public.line_changes.kind is
  '`undone` is the removal of a clerk''s own line without a reason; `removed` is any other removal.';
comment on column public.line_changes.actor_id is 'Null for a change by SQL.';
create index line_changes_line on public.line_changes (line_id, id);
create index line_changes_campaign on public.line_changes (campaign_id, id);
alter table public.line_changes enable row level security;
revoke insert, update, delete on public.line_changes from service_role;

-- Runs as its owner, since no one else may write the history.
create function private.record_line_history() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := private.actor();
  reason text := nullif(current_setting('signet.reason', true), '');
begin
  insert into public.line_changes (line_id, team_id, campaign_id, kind, actor_id, reason, sheet_before, line_before,
    sheet_after, line_after)
  select new.id, new.team_id, new.campaign_id, c.kind, actor,
    case when c.kind = 'removed' then new.removed_because else reason end, old.sheet, old.line, new.sheet, new.line
  from unnest(array[
    case when (old.sheet, old.line) is distinct from (new.sheet, new.line) then 'moved' end,
    case
      when (old.removed_at is null) = (new.removed_at is null) then null
      when new.removed_at is null then 'restored'
      when new.removed_because is null and actor = new.entered_by then 'undone'
      else 'removed'
    end]) c (kind)
  where c.kind is not null;
  return null;
end $$;
create trigger record_line_history after update on public.lines
for each row when ((old.sheet, old.line, old.removed_at is null)
  is distinct from (new.sheet, new.line, new.removed_at is null))
execute function private.record_line_history();

-- ── Changing lines ─────────────────────────────────────────────────────────────────────────────────────────────────

-- Locks a line for a change, or says why the person may not change it: their own lines take signatures.enter, others'
-- signatures.remove.
create function private.lock_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, out refusal jsonb, out stored public.lines
)
language plpgsql volatile set search_path = ''
as $$
declare
  may_enter boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter');
  may_remove boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove');
begin
  if not may_enter and not may_remove then
    refusal := '{"outcome": "not-allowed"}';
    return;
  end if;
  select * into stored from public.lines l
  where l.id = p_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id for update;
  refusal := case
    when not found then '{"outcome": "not-found"}'
    when not (case when stored.entered_by is not distinct from p_actor_id then may_enter else may_remove end) then
      '{"outcome": "not-allowed"}'
  end;
end $$;

create function public.remove_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  reason text := nullif(trim(p_reason), '');
  locked_line record;
  stored public.lines;
  was_removed boolean;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  stored := locked_line.stored;
  was_removed := stored.removed_at is not null;
  if not was_removed then
    if reason is null and stored.entered_by is distinct from p_actor_id then
      return '{"outcome": "reason-missing"}';
    end if;
    perform private.act_as(p_actor_id, reason);
    update public.lines set removed_at = now(), removed_by = p_actor_id, removed_because = reason
    where id = p_id returning * into stored;
    perform private.act_as(null, null);
  end if;
  -- The line did not count, or its voter has been entered again since and stays in the set.
  if stored.verdict <> 'accepted' or was_removed and exists (select from public.lines l where l.campaign_id = p_campaign_id
    and l.voter_id = stored.voter_id and l.verdict = 'accepted' and l.removed_at is null)
  then
    return '{"outcome": "removed"}';
  end if;
  return jsonb_build_object(
    'outcome', 'removed', 'voterId', stored.voter_id, 'changeNumber', stored.change_number, 'unchanged', was_removed);
end $$;
comment on function public.remove_line is
  'Removes a line: one''s own with signatures.enter, others'' with signatures.remove and a reason. Returns { outcome: removed '
  '| not-allowed | not-found | reason-missing, voterId?, changeNumber?, unchanged? }, the last three for an accepted line whose '
  'voter has no other one.';

create function public.restore_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  locked_line record;
  stored public.lines;
  refusal jsonb;
  signed jsonb;
  was_active boolean;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  stored := locked_line.stored;
  was_active := stored.removed_at is null;
  -- A clerk cannot undo someone else's removal of their line.
  if not was_active and stored.removed_by is distinct from p_actor_id
    and not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove')
  then
    return '{"outcome": "not-allowed"}';
  end if;
  while stored.removed_at is not null loop
    refusal := private.line_refusal(p_actor_id, p_team_id, p_campaign_id, stored.sheet, stored.line, stored.verdict,
      stored.signed_on);
    if refusal is not null then
      return refusal;
    end if;
    if stored.verdict = 'accepted' then
      signed := public.already_signed(p_team_id, p_campaign_id, array[stored.voter_id]) -> stored.voter_id;
      if signed is not null then
        return jsonb_build_object('outcome', 'duplicate', 'of', signed);
      end if;
    end if;
    begin
      perform private.act_as(p_actor_id, trim(p_reason));
      update public.lines set removed_at = null, removed_by = null, removed_because = null
      where id = p_id returning * into stored;
      perform private.act_as(null, null);
    exception when unique_violation then
      null; -- someone else took the place or the voter: check again
    end;
  end loop;
  perform private.ensure_sheet(p_actor_id, p_team_id, p_campaign_id, stored.sheet);
  return jsonb_build_object('outcome', 'restored', 'unchanged', was_active)
    || case when stored.verdict = 'accepted'
      then jsonb_build_object('voterId', stored.voter_id, 'changeNumber', stored.change_number) else '{}' end;
end $$;
comment on function public.restore_line is
  'Restores a line for a person who may remove it; if someone else removed it, only with signatures.remove. Returns { outcome: '
  'restored, unchanged, voterId?, changeNumber? }, the last two for an accepted line, `unchanged` if it was not removed; or changes '
  'nothing and returns { outcome: duplicate | line-taken | outside-dates | archived | not-allowed | not-found, of?, taken?, '
  'startsOn?, endsOn? } as record_line does.';

create function public.move_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_sheet int, p_line int, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  locked_line record;
  stored public.lines;
  refusal jsonb;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  stored := locked_line.stored;
  if stored.removed_at is not null then
    return '{"outcome": "not-found"}';
  end if;
  while (stored.sheet, stored.line) is distinct from (p_sheet, p_line) loop
    refusal := private.line_refusal(p_actor_id, p_team_id, p_campaign_id, p_sheet, p_line, null, null);
    if refusal is not null then
      return refusal;
    end if;
    begin
      perform private.act_as(p_actor_id, trim(p_reason));
      update public.lines set sheet = p_sheet, line = p_line where id = p_id returning * into stored;
      perform private.act_as(null, null);
    exception when unique_violation then
      null; -- someone else took the place: check again
    end;
  end loop;
  perform private.ensure_sheet(p_actor_id, p_team_id, p_campaign_id, p_sheet);
  return '{"outcome": "moved"}';
end $$;
comment on function public.move_line is
  'Moves a line that is not removed to another place, for a person who may remove it; starts the sheet if needed. Returns '
  '{ outcome: moved | line-taken | archived | not-allowed | not-found, taken? }, `taken` as in record_line.';

create function public.renumber_sheet(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_from int, p_to int, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  may_enter boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter');
  may_remove boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove');
  source public.sheets;
  target public.sheets;
  sheet_lines record;
  conflicts jsonb;
begin
  if not may_enter and not may_remove then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_archived(p_campaign_id) then
    return '{"outcome": "archived"}';
  end if;
  perform private.lock_sheets(p_team_id, p_campaign_id);
  select * into source from public.sheets s
  where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_from;
  -- Locks all rows before it takes a place, to avoid deadlocks. Removed lines move too, so that they are restored where they
  -- belong.
  with locked as materialized (
    select l.id, l.removed_at is null as live, l.entered_by is not distinct from p_actor_id as own from public.lines l
    where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = p_from
    order by l.id for update
  )
  select array_agg(l.id) as ids, coalesce(bool_or(l.live), false) as any_live,
    coalesce(bool_and(case when l.own then may_enter else may_remove end) filter (where l.live), true) as may_all
  into sheet_lines from locked l;
  if source.id is null and (p_from = p_to or not sheet_lines.any_live) then
    return '{"outcome": "not-found"}';
  end if;
  if not sheet_lines.may_all then
    return '{"outcome": "not-allowed"}';
  end if;
  if p_from = p_to then
    return jsonb_build_object('outcome', 'renumbered', 'sheet', private.sheet_json(source, p_actor_id));
  end if;

  loop
    select jsonb_agg(jsonb_build_object('line', h.line, 'here', private.line_json(h, p_actor_id),
      'there', private.line_json(t, p_actor_id)) order by h.line) into conflicts
    from public.lines h
    join public.lines t on t.team_id = h.team_id and t.campaign_id = h.campaign_id and t.sheet = p_to and t.line = h.line
      and t.removed_at is null
    where h.id = any (sheet_lines.ids) and h.removed_at is null;
    if conflicts is not null then
      return jsonb_build_object('outcome', 'conflicts', 'conflicts', conflicts);
    end if;
    begin
      perform private.act_as(p_actor_id, trim(p_reason));
      update public.lines set sheet = p_to where id = any (sheet_lines.ids);
      perform private.act_as(null, null);
      exit;
    exception when unique_violation then
      null; -- someone entered a line there: check again
    end;
  end loop;

  -- A line that was entered on the old number since keeps that sheet.
  insert into public.sheets as s (team_id, campaign_id, number, circulator, collected_on, signature_count, opened_by,
    opened_at, closed_at)
  values (p_team_id, p_campaign_id, p_to, source.circulator, source.collected_on, source.signature_count,
    case when source.id is null then p_actor_id else source.opened_by end, coalesce(source.opened_at, now()),
    source.closed_at)
  on conflict (team_id, campaign_id, number) do update set circulator = coalesce(s.circulator, excluded.circulator),
    collected_on = coalesce(s.collected_on, excluded.collected_on),
    signature_count = coalesce(s.signature_count, excluded.signature_count)
  returning * into target;
  perform private.delete_empty_sheet(p_team_id, p_campaign_id, p_from);
  return jsonb_build_object('outcome', 'renumbered', 'sheet', private.sheet_json(target, p_actor_id));
end $$;
comment on function public.renumber_sheet is
  'Moves all lines of a sheet to another number, with its circulator, date and count, for a person who may move each of them. '
  'Returns { outcome: renumbered | conflicts | not-allowed | not-found | archived, sheet?, conflicts? }. With `conflicts`, the '
  'lines that both numbers have as { line, here, there }, nothing is moved.';

-- supabase/schemas/116_register.sql

-- The register: every line of a team's campaign, with filters, orders, pages and its history.

-- A name as it is sorted by: without case and accents; missing names sort last.
create function private.name_key(p_one text, p_other text) returns text
language sql immutable parallel safe
return coalesce(voterfile.search_key(coalesce(p_one || ' ', '') || coalesce(p_other, '')), chr(1114111));

create function private.words(p_text text) returns text[]
language sql immutable parallel safe
return regexp_split_to_array(p_text, '[\s\u00a0,''`\u2018\u2019\u02bb\u02bc.\\-]+');

-- A name as it is searched: each word with those after it, so that any of them can be typed first and blanks left out; first
-- names also as `=william`, for their short forms.
create function private.name_words(p_first text, p_last text) returns tsvector
language sql immutable parallel safe cost 1000
return array_to_tsvector(array(
  select k.key
  from (values (private.words(p_first), '='), (private.words(p_last), null)) n (words, mark)
  cross join generate_series(1, cardinality(n.words)) at
  cross join lateral (values (voterfile.search_key(array_to_string(n.words[at:], ''))),
    (n.mark || voterfile.search_key(n.words[at]))) k (key)
  where k.key is not null));

-- Each frequent order has an index. The first also has the columns of the other orders, so that they are sorted without
-- reading the table.
create index lines_register on public.lines (team_id, campaign_id, entered_at, id)
  include (removed_at, verdict, signed_on, entered_by);
create index lines_sheet_line on public.lines (team_id, campaign_id, coalesce(sheet, 0), coalesce(line, 0), id);
create index lines_last_name on public.lines (team_id, campaign_id, (private.name_key(last_name, first_name) collate "C"), id);
create index lines_name_words on public.lines using gin (private.name_words(first_name, last_name)) with (fastupdate = off);
create index lines_voter on public.lines (team_id, campaign_id, voter_id);

-- ── Lines ────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.person_json(p_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_id is not null then
    jsonb_build_object('id', p_id, 'name', (select p.name from public.profiles p where p.user_id = p_id)) end
$$;

create function private.register_line(p_line public.lines) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'id', p_line.id, 'sheet', p_line.sheet, 'line', p_line.line, 'verdict', p_line.verdict, 'voterId', p_line.voter_id,
    'firstName', p_line.first_name, 'lastName', p_line.last_name, 'address', p_line.address, 'city', p_line.city,
    'county', p_line.county, 'zip', p_line.zip, 'signedOn', p_line.signed_on, 'note', p_line.note,
    'circulator', (
      select s.circulator from public.sheets s
      where s.team_id = p_line.team_id and s.campaign_id = p_line.campaign_id and s.number = p_line.sheet),
    'enteredAt', private.utc(p_line.entered_at), 'enteredBy', private.person_json(p_line.entered_by),
    'removedAt', private.utc(p_line.removed_at), 'removedBecause', p_line.removed_because,
    'isCorrected', p_line.removed_at is not null and exists (select from public.lines n where n.replaces = p_line.id),
    'first', (
      select case when f.team_id <> p_line.team_id then '{"ownTeam": false}'::jsonb
        else jsonb_build_object('ownTeam', true, 'id', f.id, 'sheet', f.sheet, 'line', f.line, 'firstName', f.first_name,
          'lastName', f.last_name) end
      from public.lines f
      where p_line.verdict = 'duplicate' and f.campaign_id = p_line.campaign_id and f.voter_id = p_line.voter_id
        and f.verdict = 'accepted' and f.removed_at is null))
$$;
comment on function private.register_line is
  'A line as the register shows it. `first` is the accepted line that a duplicate duplicates; of another team''s line, only '
  'that there is one.';

-- ── Finding lines ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Names with words that begin as those typed, or, if there are several, with the name that a short form is of, and the other
-- way round. With p_similar, one word is enough, and those that differ from it by a letter match too.
create function private.name_query(p_team_id text, p_campaign_id text, p_name text, p_similar boolean) returns text
language sql stable set search_path = ''
as $$
  select string_agg('(' || m.alternatives || ')', ' & ')
  from unnest(private.words(p_name)) w (word)
  cross join voterfile.search_key(w.word) k (key)
  cross join lateral (
    select string_agg(a.alternative, ' | ') as alternatives from (
      select format('''%s'':*', k.key) where k.key is not null
      union all
      select format('''=%s''', f.form)
      from (select s.name from voterfile.short_forms s where s.short = k.key
        union select s.short from voterfile.short_forms s where s.name = k.key) f (form)
      where p_similar or cardinality(private.words(btrim(p_name))) > 1
      union all
      (select format('''%s'':*', e.key) from voterfile.single_edits(k.key) e (key)
        where p_similar and length(k.key) between 4 and 40 and exists (select from public.lines l
          where l.team_id = p_team_id and l.campaign_id = p_campaign_id
            and private.name_words(l.first_name, l.last_name) @@ format('''%s'':*', e.key)::tsquery)
        order by e.key limit 12)) a (alternative)) m
$$;

-- An optional filter { name, voter, sheet, verdict, clerk, circulator, county, signedFrom, signedTo, enteredFrom,
-- enteredTo, state } (a name with a digit is a voter ID) as conditions on a line `l`, with $1 the team, $2 the campaign and
-- $3 `asked`; the verdict `not-blank` is every other one, the county `No county` none. If no name has the words typed,
-- `asked.similar` is true, and similar names match. Only given fields become conditions, so that the planner sees which index
-- serves them.
create function private.register_conditions(
  p_team_id text, p_campaign_id text, p_filter jsonb, out asked jsonb, out conditions text
)
language sql stable set search_path = ''
as $$
  with typed as (
    select jsonb_strip_nulls(p_filter || jsonb_build_object(
        'name', private.name_query(p_team_id, p_campaign_id, substring(p_filter ->> 'name' from '^\D+$'), false),
        'voter', to_jsonb(voterfile.written_ids(coalesce(p_filter ->> 'voter', substring(p_filter ->> 'name' from '\S*\d\S*')))),
        'enteredFrom', (p_filter ->> 'enteredFrom')::date::timestamp at time zone t.time_zone,
        'enteredTo', ((p_filter ->> 'enteredTo')::date + 1)::timestamp at time zone t.time_zone)) as asked
    from public.teams t where t.id = p_team_id
  ),
  given as (
    select case when not t.asked ? 'name' or exists (select from public.lines l
        where l.team_id = p_team_id and l.campaign_id = p_campaign_id
          and private.name_words(l.first_name, l.last_name) @@ (t.asked ->> 'name')::tsquery)
      then t.asked
      else t.asked || jsonb_build_object('similar', true,
        'name', private.name_query(p_team_id, p_campaign_id, p_filter ->> 'name', true)) end as asked
    from typed t
  )
  select g.asked, concat_ws(' and ', 'l.team_id = $1 and l.campaign_id = $2',
    case coalesce(g.asked ->> 'state', 'live')
      when 'live' then 'l.removed_at is null'
      when 'removed' then 'l.removed_at is not null' end,
    (select string_agg(c.condition, ' and ') from (values
      ('name', 'private.name_words(l.first_name, l.last_name) @@ ($3 ->> ''name'')::tsquery'),
      ('voter', 'l.voter_id = any (array(select jsonb_array_elements_text($3 -> ''voter'')))'),
      ('sheet', 'l.sheet = ($3 ->> ''sheet'')::int'),
      ('verdict', case g.asked ->> 'verdict'
        when 'not-blank' then 'l.verdict <> ''blank''' else 'l.verdict = $3 ->> ''verdict''' end),
      ('clerk', 'l.entered_by = ($3 ->> ''clerk'')::uuid'),
      ('circulator', 'l.sheet in (select s.number from public.sheets s where s.team_id = $1'
        ' and s.campaign_id = $2 and s.circulator = $3 ->> ''circulator'')'),
      ('county', case g.asked ->> 'county'
        when 'No county' then 'l.county is null' else 'l.county = $3 ->> ''county''' end),
      ('signedFrom', 'l.signed_on >= ($3 ->> ''signedFrom'')::date'),
      ('signedTo', 'l.signed_on <= ($3 ->> ''signedTo'')::date'),
      ('enteredFrom', 'l.entered_at >= ($3 ->> ''enteredFrom'')::timestamptz'),
      ('enteredTo', 'l.entered_at < ($3 ->> ''enteredTo'')::timestamptz')) c (name, condition)
    where g.asked ? c.name))
  from given g
$$;

create function public.register_counts(p_team_id text, p_campaign_id text, p_filter jsonb) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  max_lines constant int := 10000;
  verdict text := coalesce(p_filter ->> 'verdict', 'all');
  asked jsonb;
  conditions text;
  counts jsonb;
begin
  select c.asked, c.conditions into asked, conditions from private.register_conditions(p_team_id, p_campaign_id, p_filter) c;
  if (asked - '{clerk,county,verdict}'::text[] = '{}' or asked - '{sheet,verdict}'::text[] = '{}')
    and verdict in ('all', 'not-blank', 'accepted', 'duplicate', 'blank')
  then
    return (
      select jsonb_build_object('lines', t.accepted + t.rejected + t.blank, 'accepted', t.accepted, 'rejected', t.rejected,
        'removed', 0, 'corrected', 0)
      from (
        select coalesce(sum(n.accepted) filter (where verdict in ('all', 'not-blank', 'accepted')), 0) as accepted,
          coalesce(sum(case verdict when 'duplicate' then n.duplicates else n.entered - n.accepted end)
            filter (where verdict in ('all', 'not-blank', 'duplicate')), 0) as rejected,
          coalesce(sum(n.blank) filter (where verdict in ('all', 'blank')), 0) as blank
        from private.line_counts n
        where n.campaign_id = p_campaign_id and n.per = case when asked ? 'sheet' then 'sheet' else 'county' end
          and n.team_id = p_team_id and (not asked ? 'clerk' or n.entered_by = (asked ->> 'clerk')::uuid)
          and (not asked ? 'county' or n.county is not distinct from nullif(asked ->> 'county', 'No county'))
          and (not asked ? 'sheet' or n.sheet = (asked ->> 'sheet')::int)
      ) t);
  end if;
  execute format(
    'select jsonb_build_object(''lines'', count(c.verdict), ''accepted'', count(*) filter (where c.verdict = ''accepted''),
       ''rejected'', count(*) filter (where c.verdict not in (''accepted'', ''blank'')),
       ''removed'', count(*) filter (where c.verdict is null and not c.corrected),
       ''corrected'', count(*) filter (where c.corrected))
     from (select case when l.removed_at is null then l.verdict end as verdict,
         l.removed_at is not null and exists (select from public.lines n where n.replaces = l.id) as corrected
       from public.lines l where %s limit $4) c',
    conditions)
  into counts using p_team_id, p_campaign_id, asked, max_lines + 1;
  return case when (counts ->> 'lines')::int + (counts ->> 'removed')::int + (counts ->> 'corrected')::int > max_lines
    then jsonb_build_object('linesAbove', max_lines) else counts end;
end $$;
comment on function public.register_counts is
  'Counts the lines of a team that match a filter of the register: { lines, accepted, rejected, removed, corrected }, of '
  'which `corrected` counts versions before a correction and `removed` other removed ones, or { linesAbove: 10000 } if more '
  'match. Exact without a filter, and by sheet, or clerk and county, with the verdicts that have counts. Guard first.';

create function public.register_lines(
  p_team_id text, p_campaign_id text, p_filter jsonb, p_sort text, p_after jsonb, p_limit int
) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  size int := least(p_limit, 1000);
  back boolean := coalesce((p_after ->> 'back')::boolean, false);
  descending boolean := (p_sort like '-%') <> back;
  asked jsonb;
  conditions text;
  -- The sort keys: never null and all in one direction, so they compare as one row.
  keys text[] := case ltrim(p_sort, '-')
    when 'entered' then array['l.entered_at']
    when 'sheet' then array['coalesce(l.sheet, 0)', 'coalesce(l.line, 0)']
    when 'name' then array['private.name_key(l.last_name, l.first_name) collate "C"']
    when 'verdict' then array['l.verdict collate "C"', 'l.entered_at']
    when 'clerk' then array['coalesce(c.key, chr(1114111)) collate "C"', 'l.entered_at']
    when 'signed' then array['coalesce(l.signed_on, ''-infinity'')', 'l.entered_at']
  end || 'l.id'::text;
  source text := 'public.lines l' || case when ltrim(p_sort, '-') = 'clerk' then
    ' left join (select p.user_id, private.name_key(p.name, null) as key from public.profiles p offset 0) c'
    ' on c.user_id = l.entered_by' else '' end;
  found uuid[];
begin
  select c.asked, c.conditions into asked, conditions from private.register_conditions(p_team_id, p_campaign_id, p_filter) c;
  if p_after is not null then
    conditions := format('%1$s and (%2$s) %3$s (select %2$s from %4$s where l.id = $4 and l.team_id = $1 and l.campaign_id = $2)',
      conditions, array_to_string(keys, ', '), case when descending then '<' else '>' end, source);
  end if;
  execute format('select array(select l.id from %s where %s order by %s limit $5)', source, conditions,
    array_to_string(keys, case when descending then ' desc, ' else ', ' end) || case when descending then ' desc' else '' end)
  into found using p_team_id, p_campaign_id, asked, (p_after ->> 'id')::uuid, size + 1;
  return jsonb_build_object('more', cardinality(found) > size, 'similar', asked ? 'similar', 'lines', (
    select coalesce(jsonb_agg(private.register_line(l) order by case when back then -u.place else u.place end), '[]')
    from unnest(found[:size]) with ordinality u (id, place)
    join public.lines l on l.id = u.id));
end $$;
comment on function public.register_lines is
  'A page of the lines of a team that match a filter of the register: { lines, more, similar }, at most p_limit or 1000. Sorted by '
  'p_sort (entered, sheet, name, verdict, clerk, signed; descending with `-`), after the line p_after { id, back? } or before '
  'it with `back`; `more` says whether lines follow in that direction, `similar` that no name has the words typed. Guard first.';

-- In PL/pgSQL, which looks tables up when it runs: private.line_counts is created later.
create function public.register_choices(p_team_id text, p_campaign_id text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (with recursive clerks as ( -- skips from one clerk to the next in an index
    (select l.entered_by from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.entered_by is not null
      order by l.entered_by limit 1)
    union all
    select (select l.entered_by from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.entered_by > c.entered_by
      order by l.entered_by limit 1)
    from clerks c where c.entered_by is not null
  )
  select jsonb_build_object(
    'clerks', (
      select coalesce(jsonb_agg(private.person_json(c.entered_by) order by private.name_key(p.name, null) collate "C"), '[]')
      from clerks c left join public.profiles p on p.user_id = c.entered_by
      where c.entered_by is not null),
    'circulators', (
      select coalesce(jsonb_agg(s.circulator order by s.circulator), '[]')
      from (select distinct s.circulator from public.sheets s
        where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.circulator is not null) s),
    'counties', (
      select coalesce(jsonb_agg(n.county order by n.county), '[]')
      from (select distinct n.county from private.line_counts n
        where n.team_id = p_team_id and n.campaign_id = p_campaign_id and n.per = 'county' and n.county is not null) n)));
end $$;
comment on function public.register_choices is
  'The clerks, circulators and counties of a team''s lines in a campaign: { clerks: [{ id, name }], circulators, counties }. '
  'Guard first.';

-- supabase/schemas/117_line_counts.sql

-- Counts of lines, kept in the transaction that changes lines, so that no screen counts a million of them. Lines that aren't
-- removed count: `entered` those that aren't blank, and of these `accepted` and `duplicates`.

-- Three counts of the same lines: by sheet, by sheet and quarter of an hour (quarters add up to days in every time zone), and
-- by county. All but the first are by clerk, and so are lines on no sheet, so that clerks don't wait for each other. The
-- circulator comes from the sheet.
create table private.line_counts (
  campaign_id text not null,
  per text not null check (per in ('sheet', 'quarter', 'county')),
  team_id text not null,
  entered_by uuid,
  sheet int,
  quarter timestamptz,
  county text,
  entered int not null,
  accepted int not null,
  duplicates int not null,
  blank int not null,
  unique nulls not distinct (campaign_id, per, team_id, entered_by, sheet, quarter, county)
) with (fillfactor = 70);
alter table private.line_counts enable row level security;
create index line_counts_quarter on private.line_counts (campaign_id, team_id, quarter) where per = 'quarter';

-- Duplicates whose voter has no accepted line.
create table private.freed_duplicates (
  line_id uuid primary key,
  campaign_id text not null,
  team_id text not null,
  voter_id text collate "C" not null
);
alter table private.freed_duplicates enable row level security;
create index freed_duplicates_voter on private.freed_duplicates (campaign_id, voter_id);
create index lines_duplicate on public.lines (campaign_id, voter_id) where verdict = 'duplicate' and removed_at is null;
grant select on private.line_counts, private.freed_duplicates to service_role;

-- How many lines a sheet is expected to have: its signatures and the blank lines among them, as far as the paper goes.
create function private.expected_lines(p_signatures int, p_blank bigint, p_lines_per_sheet int) returns int
language sql immutable
return coalesce(greatest(p_signatures, least(p_signatures + p_blank, p_lines_per_sheet)), p_lines_per_sheet);

-- ── Missing lines ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Lines beyond the expected ones are counted, and fill no gap.
create view private.sheet_gaps with (security_invoker = true) as
select s.id, s.team_id, s.campaign_id, e.expected, e.expected - coalesce(n.entered + n.blank, 0) + (
    select count(*) from public.lines l
    where l.team_id = s.team_id and l.campaign_id = s.campaign_id and l.sheet = s.number and l.line > e.expected
      and l.removed_at is null)::int as missing
from public.sheets s
join public.campaigns c on c.id = s.campaign_id
left join private.line_counts n on n.campaign_id = s.campaign_id and n.per = 'sheet' and n.team_id = s.team_id
  and n.entered_by is null and n.sheet = s.number
cross join lateral (
  select private.expected_lines(s.signature_count, coalesce(n.blank, 0), c.lines_per_sheet) as expected) e;
comment on view private.sheet_gaps is 'How many lines each sheet is expected to have, and how many of these are empty.';
grant select on private.sheet_gaps to service_role;

-- ── Keeping them ───────────────────────────────────────────────────────────────────────────────────────────────────

create type private.counted_line as (
  id uuid, campaign_id text, team_id text, entered_by uuid, sheet int, quarter timestamptz, county text, voter_id text,
  entered int, accepted int, duplicates int, blank int
);

-- A line as it counts. p_times is -1 for a line that no longer counts.
create function private.counted_line(p_line public.lines, p_times int) returns private.counted_line
language sql stable
return row(p_line.id, p_line.campaign_id, p_line.team_id, p_line.entered_by, p_line.sheet,
  date_bin('15 minutes', p_line.entered_at, 'epoch'), p_line.county, p_line.voter_id,
  p_times * (p_line.verdict <> 'blank')::int, p_times * (p_line.verdict = 'accepted')::int,
  p_times * (p_line.verdict = 'duplicate')::int, p_times * (p_line.verdict = 'blank')::int)::private.counted_line;

-- In the order of the keys, so that two transactions can't wait for each other.
create function private.add_counts(p_lines private.counted_line[]) returns void
language sql volatile set search_path = ''
as $$
  insert into private.line_counts as c
  select l.campaign_id,
    case 0 when grouping(l.quarter) then 'quarter' when grouping(l.sheet) then 'sheet' else 'county' end,
    l.team_id, coalesce(l.entered_by, l.on_no_sheet), l.sheet, l.quarter, l.county, sum(l.entered), sum(l.accepted),
    sum(l.duplicates), sum(l.blank)
  from (select u.*, case when u.sheet is null then u.entered_by end as on_no_sheet from unnest(p_lines) u) l
  group by l.campaign_id, l.team_id,
    grouping sets ((l.sheet, l.on_no_sheet), (l.quarter, l.entered_by, l.sheet), (l.county, l.entered_by))
  having (sum(l.entered), sum(l.accepted), sum(l.duplicates), sum(l.blank)) <> (0, 0, 0, 0)
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (campaign_id, per, team_id, entered_by, sheet, quarter, county) do update set
    entered = c.entered + excluded.entered, accepted = c.accepted + excluded.accepted,
    duplicates = c.duplicates + excluded.duplicates, blank = c.blank + excluded.blank
$$;

-- Updates the freed duplicates of voters with lines that count now, or no longer count. This transaction has locked these
-- voters (lock_voter).
create function private.update_freed(p_lines private.counted_line[]) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  line record;
begin
  for line in select l.campaign_id, l.voter_id from unnest(p_lines) l where l.voter_id is not null
    group by l.id, l.campaign_id, l.voter_id having sum(l.accepted + l.duplicates) <> 0
  loop
    delete from private.freed_duplicates f where f.campaign_id = line.campaign_id and f.voter_id = line.voter_id;
    insert into private.freed_duplicates
    select d.id, d.campaign_id, d.team_id, d.voter_id from public.lines d
    where d.campaign_id = line.campaign_id and d.voter_id = line.voter_id and d.verdict = 'duplicate'
      and d.removed_at is null and not exists (
        select from public.lines a where a.campaign_id = d.campaign_id and a.voter_id = d.voter_id
          and a.verdict = 'accepted' and a.removed_at is null);
  end loop;
end $$;

-- Runs as its owner: no one else changes counts.
create function private.count_lines() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed private.counted_line[];
begin
  if tg_op = 'TRUNCATE' then
    truncate private.line_counts, private.freed_duplicates;
  elsif tg_op = 'INSERT' then
    changed := array(select private.counted_line(n, 1) from new_lines n where n.removed_at is null);
  elsif tg_op = 'DELETE' then
    changed := array(select private.counted_line(o, -1) from old_lines o where o.removed_at is null);
  else
    changed := array(select private.counted_line(o, -1) from old_lines o where o.removed_at is null
      union all select private.counted_line(n, 1) from new_lines n where n.removed_at is null);
  end if;
  perform private.add_counts(changed), private.update_freed(changed);
  return null;
end $$;
create trigger count_insert after insert on public.lines referencing new table as new_lines
for each statement execute function private.count_lines();
create trigger count_update after update on public.lines referencing old table as old_lines new table as new_lines
for each statement execute function private.count_lines();
create trigger count_delete after delete on public.lines referencing old table as old_lines
for each statement execute function private.count_lines();
create trigger count_truncate after truncate on public.lines
for each statement execute function private.count_lines();

-- ── After changes without triggers ─────────────────────────────────────────────────────────────────────────────────

create function private.recount() returns void
language plpgsql volatile set search_path = ''
as $$
declare
  part private.counted_line[];
begin
  lock table public.lines in share row exclusive mode;
  analyze public.lines; -- a restore has just filled it
  truncate private.line_counts, private.freed_duplicates;
  for part in select array_agg(private.counted_line(l, 1)) from public.lines l where l.removed_at is null
    group by l.stored_number / 20000
  loop
    perform private.add_counts(part);
  end loop;
  insert into private.freed_duplicates
  select d.id, d.campaign_id, d.team_id, d.voter_id from public.lines d
  where d.verdict = 'duplicate' and d.removed_at is null and d.voter_id is not null and not exists (
    select from public.lines a where a.campaign_id = d.campaign_id and a.voter_id = d.voter_id
      and a.verdict = 'accepted' and a.removed_at is null);
end $$;
comment on function private.recount is
  'Recounts all lines: after a restore, or after changes while triggers were disabled. Blocks other changes of lines.';

create function public.wrong_counts() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with
    counts as (
      select c.campaign_id, c.per, sum(c.entered) as entered, sum(c.accepted) as accepted, sum(c.duplicates) as duplicates
      from private.line_counts c group by 1, 2 having sum(c.entered + c.blank) > 0
    ),
    lines as (
      select l.campaign_id, p.per, l.entered, l.accepted, l.duplicates
      from (
        select l.campaign_id, count(*) filter (where l.verdict <> 'blank') as entered,
          count(*) filter (where l.verdict = 'accepted') as accepted,
          count(*) filter (where l.verdict = 'duplicate') as duplicates
        from public.lines l where l.removed_at is null group by 1) l
      cross join (values ('sheet'), ('quarter'), ('county')) p (per)
    )
  select coalesce(jsonb_agg(distinct w.campaign_id), '[]')
  from ((table counts except table lines) union (table lines except table counts)) w
$$;
comment on function public.wrong_counts is
  'The ids of campaigns whose counts differ from their lines: none, unless triggers were disabled. Reads all lines.';

-- supabase/schemas/117_quality_check.sql

-- The quality check: a random sample of entered lines, each entered a second time by a clerk who doesn't see the first entry.

create table public.quality_lines (
  line_id uuid primary key,
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  drawn_from text not null check (drawn_from in ('campaign', 'clerk', 'sheet')),
  drawn_by uuid not null,
  drawn_at timestamptz not null default now(),
  second_by uuid,
  taken_at timestamptz,
  entered_at timestamptz,
  verdict text check (private.is_verdict(verdict) and verdict <> 'duplicate'),
  voter_id text collate "C" check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text check (length(first_name) <= 200),
  last_name text check (length(last_name) <= 200),
  address text check (length(address) <= 200),
  note text check (length(note) <= 500),
  differs boolean,
  right_entry text check (right_entry in ('first', 'second', 'neither')),
  settled_by uuid,
  settled_at timestamptz,
  constraint quality_lines_entered check ((entered_at is null) = (verdict is null) and (verdict is null) = (differs is null)),
  constraint quality_lines_voter check ((verdict is not distinct from 'accepted') = (voter_id is not null)),
  constraint quality_lines_settled check (right_entry is null or differs)
);
comment on table public.quality_lines is
  'Lines drawn for the quality check, with their second entry. No foreign keys to lines and people: it outlives them.';
comment on column public.quality_lines.drawn_from is
  'Only lines drawn from the whole campaign show its error rate.';
comment on column public.quality_lines.second_by is
  'Who has the line for the second entry, since `taken_at`, or has entered it.';
comment on column public.quality_lines.differs is
  'Whether the two entries have another verdict or voter; which one is right is `right_entry`, once it is settled.';
create index quality_lines_campaign on public.quality_lines (campaign_id, team_id);
create index quality_lines_team on public.quality_lines (team_id);
alter table public.quality_lines enable row level security;
revoke delete on public.quality_lines from service_role;

-- Random lines on the sheets of a team, without reading all: each line that counts is as likely as any other. Twice as many
-- random numbers from 1 to their count each fall on a sheet, and on a line of it.
create function private.random_lines(p_team_id text, p_campaign_id text, p_size int) returns setof uuid
language sql volatile set search_path = ''
as $$
  with sheets as materialized (
    select c.sheet, sum(c.entered + c.blank) over (order by c.sheet) - c.entered - c.blank as before,
      sum(c.entered + c.blank) over () as total
    from private.line_counts c
    where c.campaign_id = p_campaign_id and c.per = 'sheet' and c.team_id = p_team_id and c.entered_by is null
      and c.entered + c.blank > 0
  ), picked as (
    select distinct floor(random() * t.total) as at
    from (select s.total from sheets s limit 1) t, generate_series(1, 2 * p_size)
  ), placed as (
    select u.at, max(u.sheet) over sheets_before as sheet, max(u.before) over sheets_before as before
    from (
      select s.sheet, s.before, s.before as place, null as at from sheets s
      union all select null, null, p.at, p.at from picked p) u
    window sheets_before as (order by u.place, u.at nulls first)
  )
  select l.id
  from placed p
  cross join lateral (
    select l.id, l.line from public.lines l
    where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = p.sheet and l.removed_at is null
    order by l.line offset p.at - p.before limit 1) l
  where p.at is not null and l.line is not null
    and not exists (select from public.quality_lines q where q.line_id = l.id)
  order by random() limit p_size
$$;

create function public.draw_quality_lines(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_sheet int, p_clerk uuid, p_size int
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  drawn int;
  chosen uuid[];
begin
  -- One draw at a time, so that two don't wait for each other's lines.
  perform pg_advisory_xact_lock(hashtextextended('quality:' || p_team_id || ':' || p_campaign_id, 0));
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove') then
    return '{"outcome": "not-allowed"}';
  end if;
  p_size := least(p_size, 500);
  if p_sheet is null and p_clerk is null then
    chosen := array(select private.random_lines(p_team_id, p_campaign_id, p_size));
  end if;
  if cardinality(chosen) = p_size is not true then -- few are left, or they are of a sheet or a clerk
    chosen := array(
      select l.id from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.removed_at is null
        and l.sheet is not null and l.line is not null
        and (p_sheet is null or l.sheet = p_sheet) and (p_clerk is null or l.entered_by = p_clerk)
        and not exists (select from public.quality_lines q where q.line_id = l.id)
      order by random() limit p_size);
  end if;
  insert into public.quality_lines (line_id, team_id, campaign_id, drawn_from, drawn_by)
  select id, p_team_id, p_campaign_id,
    case when p_sheet is not null then 'sheet' when p_clerk is not null then 'clerk' else 'campaign' end, p_actor_id
  from unnest(chosen) id;
  get diagnostics drawn = row_count;
  return jsonb_build_object('outcome', case when drawn = 0 then 'none-left' else 'drawn' end, 'lines', drawn);
end $$;
comment on function public.draw_quality_lines is
  'Draws at most p_size lines at random, of a sheet, a clerk or both, that weren''t drawn before, for a person with '
  'signatures.remove. Returns { outcome: drawn | none-left | not-allowed, lines? }.';

create function public.take_quality_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_skip uuid, p_again uuid default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  taken record;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if p_again is not null then
    update public.quality_lines set taken_at = now(), entered_at = null, verdict = null, voter_id = null, first_name = null,
      last_name = null, address = null, note = null, differs = null
    where line_id = p_again and team_id = p_team_id and campaign_id = p_campaign_id and second_by = p_actor_id
      and entered_at > now() - interval '15 minutes' and right_entry is null;
    if not found then
      return '{"outcome": "final"}';
    end if;
  end if;
  update public.quality_lines set second_by = null
  where line_id = p_skip and second_by = p_actor_id and entered_at is null;
  select q.line_id as id, l.sheet, l.line into taken
  from public.quality_lines q
  join public.lines l on l.id = q.line_id and l.removed_at is null and l.entered_by is distinct from p_actor_id
  where q.team_id = p_team_id and q.campaign_id = p_campaign_id and q.entered_at is null
    and (q.second_by is null or q.second_by = p_actor_id or q.taken_at < now() - interval '15 minutes')
  order by q.second_by is not distinct from p_actor_id desc, q.taken_at nulls first, l.sheet, l.line
  limit 1 for update of q skip locked;
  if not found then
    return '{"outcome": "none"}';
  end if;
  update public.quality_lines set second_by = p_actor_id, taken_at = now() where line_id = taken.id;
  return jsonb_build_object('outcome', 'taken', 'line', to_jsonb(taken));
end $$;
comment on function public.take_quality_line is
  'Gives a person with signatures.enter a drawn line that someone else entered, for 15 minutes: the one they have already, '
  'unless it is p_skip, and those that were skipped last. With p_again takes their own second entry of that line back, for 15 '
  'minutes and until it is settled. Returns { outcome: taken | none | final | not-allowed, line?: { id, sheet, line } }.';

create function public.enter_quality_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_entry jsonb
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  stored public.quality_lines;
begin
  select * into stored from public.quality_lines q
  where q.line_id = p_id and q.team_id = p_team_id and q.campaign_id = p_campaign_id for update;
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if stored.second_by is distinct from p_actor_id or stored.line_id is null then
    return '{"outcome": "not-theirs"}';
  end if;
  if stored.entered_at is null then
    update public.quality_lines q set entered_at = now(), verdict = p_entry ->> 'verdict', voter_id = p_entry ->> 'voterId',
      first_name = p_entry ->> 'firstName', last_name = p_entry ->> 'lastName', address = p_entry ->> 'address', note = p_entry ->> 'note',
      -- A duplicate is valid on paper.
      differs = case l.verdict when 'duplicate' then 'accepted' else l.verdict end <> p_entry ->> 'verdict'
        or coalesce(p_entry ->> 'verdict' = 'accepted' and l.voter_id <> p_entry ->> 'voterId', false)
    from public.lines l where q.line_id = p_id and l.id = p_id;
    return jsonb_build_object('outcome', case when found then 'entered' else 'not-theirs' end);
  end if;
  return jsonb_build_object('outcome', case when (stored.verdict, stored.voter_id)
    is distinct from (p_entry ->> 'verdict', p_entry ->> 'voterId' collate "C") then 'entered-before' else 'entered' end);
end $$;
comment on function public.enter_quality_line is
  'Stores the second entry { verdict, voterId, firstName, lastName, address, note } of a line for the person who has taken '
  'it. Only take_quality_line takes it back. Returns { outcome: entered | entered-before | not-theirs | not-allowed }.';

create function public.settle_quality_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_right text, p_was text
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  stored public.quality_lines;
begin
  select * into stored from public.quality_lines q
  where q.line_id = p_id and q.team_id = p_team_id and q.campaign_id = p_campaign_id for update;
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove') then
    return '{"outcome": "not-allowed"}';
  end if;
  if exists (select from public.lines l where l.id = p_id and l.entered_by = p_actor_id) then
    return '{"outcome": "own-line"}';
  end if;
  if stored.second_by = p_actor_id then
    return '{"outcome": "own-second"}';
  end if;
  update public.quality_lines q set right_entry = p_right,
    settled_by = case when p_right is not null then p_actor_id end,
    settled_at = case when p_right is not null then now() end
  where q.line_id = stored.line_id and q.differs and q.right_entry is not distinct from p_was
    and (p_was is null or exists (select from public.lines l where l.id = p_id and l.removed_at is null));
  return jsonb_build_object('outcome', case when found then 'settled' else 'not-found' end);
end $$;
comment on function public.settle_quality_line is
  'Says which of two differing entries is right (p_right: first | second | neither; null takes the decision back), for a '
  'person with signatures.remove who made neither entry. `p_was` is the decision that they saw; it can change until the line is '
  'corrected. Returns { outcome: settled | not-found | own-line | own-second | not-allowed }.';

-- Paper doesn't show that a voter has signed another line, so it is looked up, as for a first entry.
create function private.second_verdict(p_second public.quality_lines, p_line public.lines) returns text
language sql stable set search_path = ''
as $$
  select case when p_second.verdict = 'accepted' and exists (
    select from public.lines o
    where o.campaign_id = p_line.campaign_id and o.voter_id = p_second.voter_id and o.verdict = 'accepted' and o.removed_at is null
      and (o.team_id, o.sheet, o.line) is distinct from (p_line.team_id, p_line.sheet, p_line.line))
    then 'duplicate' else p_second.verdict end
$$;

create function public.quality_check(p_team_id text, p_campaign_id text, p_limit int, p_actor_id uuid default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with drawn as materialized (
    select q as q, l as l, q.differs and q.right_entry is distinct from 'first' as wrong
    from public.quality_lines q
    join public.lines l on l.id = q.line_id and (l.removed_at is null or q.entered_at is not null)
    where q.team_id = p_team_id and q.campaign_id = p_campaign_id
  ), for_you as (
    select * from drawn
    where (q).entered_at is null and (l).removed_at is null and (l).entered_by is distinct from p_actor_id
      and ((q).second_by is null or (q).second_by = p_actor_id or (q).taken_at < now() - interval '15 minutes')
  )
  select jsonb_build_object(
    'drawn', (select count(*) from drawn),
    'waiting', (select count(*) from drawn where (q).entered_at is null),
    'forYou', (select count(*) from for_you),
    'sheetsForYou', array(select distinct (l).sheet from for_you order by 1),
    'differing', (select count(*) from drawn where (q).differs),
    'unsettled', (select count(*) from drawn where (q).differs and (q).right_entry is null),
    'rates', (
      select coalesce(jsonb_agg(jsonb_build_object('of', r.of, 'clerk', private.person_json(r.clerk), 'sheet', r.sheet,
        'checked', r.checked, 'errors', r.errors) order by r.of, r.checked desc, r.clerk, r.sheet), '[]')
      from (
        select g.of, g.clerk, g.sheet, count(*) as checked, count(*) filter (where d.wrong) as errors
        from drawn d
        cross join lateral (values
          ('campaign', null::uuid, null::int, (d.q).drawn_from = 'campaign'),
          ('clerk', (d.l).entered_by, null, (d.q).drawn_from <> 'sheet'),
          ('sheet', null, (d.l).sheet, (d.q).drawn_from = 'sheet')) g (of, clerk, sheet, counts)
        where g.counts and (not (d.q).differs or (d.q).right_entry is not null)
        group by 1, 2, 3 order by 1, 4 desc limit 500) r),
    'differences', (
      select coalesce(jsonb_agg(jsonb_build_object('id', (d.l).id, 'sheet', (d.l).sheet, 'line', (d.l).line,
        'right', (d.q).right_entry,
        'first', jsonb_build_object('verdict', (d.l).verdict, 'voterId', (d.l).voter_id, 'firstName', (d.l).first_name,
          'lastName', (d.l).last_name, 'address', (d.l).address, 'note', (d.l).note, 'by', private.person_json((d.l).entered_by)),
        'second', jsonb_build_object('verdict', private.second_verdict(d.q, d.l), 'voterId', (d.q).voter_id, 'firstName', (d.q).first_name,
          'lastName', (d.q).last_name, 'address', (d.q).address, 'note', (d.q).note, 'by', private.person_json((d.q).second_by)))
        order by (d.l).sheet, (d.l).line), '[]')
      from (
        select * from drawn
        where wrong and case when (q).right_entry is null then (q).second_by is distinct from p_actor_id
          else (l).removed_at is null end
        order by (q).entered_at limit p_limit) d))
$$;
comment on function public.quality_check is
  'The quality check of a team''s lines: { drawn, waiting, forYou: those that take_quality_line would give p_actor_id, '
  'sheetsForYou: numbers, differing, unsettled, rates: [{ of: campaign | clerk | sheet, clerk, sheet, checked, errors }], '
  'differences }: the first p_limit that are not settled, or not corrected yet, without unsettled ones that p_actor_id '
  'entered a second time: they may enter them again, blind. A difference counts in `rates` once it is settled. Guard first.';

-- supabase/schemas/118_daily_summary.sql

-- What a team entered lately, from the counts by quarter of an hour.

create function public.daily_summary(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (
      select t.time_zone, (now() at time zone t.time_zone)::date as today,
        date_trunc('week', now() at time zone t.time_zone) - interval '7 days' as first
      from public.teams t where t.id = p_team_id
    ),
    counts as materialized (
      select (n.quarter at time zone t.time_zone)::date as day, n.entered_by, s.circulator, sum(n.entered) as entered,
        sum(n.accepted) as accepted, sum(n.duplicates) as duplicates
      from team t
      join private.line_counts n on n.campaign_id = p_campaign_id and n.per = 'quarter' and n.team_id = p_team_id
        and n.quarter between (t.first at time zone t.time_zone) and now() and n.entered > 0
      left join public.sheets s on s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = n.sheet
      group by 1, 2, 3
    ),
    tallies as (
      select k.list, k.name, c.day, sum(c.entered) as lines, sum(c.accepted) as accepted, sum(c.duplicates) as duplicates
      from counts c
      cross join lateral (values ('days', null), ('clerks', c.entered_by::text), ('circulators', c.circulator)) k (list, name)
      group by 1, 2, 3
    ),
    listed as (
      select t.list, t.name, row_number() over (partition by t.list order by sum(t.lines) desc, t.name) as place,
        jsonb_agg(jsonb_build_object('day', t.day, 'lines', t.lines, 'accepted', t.accepted, 'duplicates', t.duplicates)
          order by t.day) as days
      from tallies t group by 1, 2
    )
  select jsonb_build_object(
    'days', (
      select jsonb_agg(jsonb_build_object('day', d.day::date, 'lines', coalesce(n.lines, 0),
        'accepted', coalesce(n.accepted, 0), 'duplicates', coalesce(n.duplicates, 0)) order by d.day)
      from generate_series(t.first, t.today, interval '1 day') d (day)
      left join tallies n on n.list = 'days' and n.day = d.day::date),
    'clerks', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('userId', l.name, 'name', p.name, 'days', l.days)
          order by l.place) filter (where l.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where l.place > 100)))
      from listed l left join public.profiles p on p.user_id = case l.list when 'clerks' then l.name::uuid end
      where l.list = 'clerks'),
    'circulators', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('circulator', l.name, 'days', l.days)
          order by l.place) filter (where l.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where l.place > 100)))
      from listed l where l.list = 'circulators'),
    'linesPerCirculator', (
      select sum(n.lines)::float8 / count(distinct n.name) / (t.today - min(n.day))
      from tallies n
      where n.list = 'circulators' and n.name is not null and n.day between t.today - 7 and t.today - 1))
  from team t
$$;
comment on function public.daily_summary is
  'What a team entered in a campaign on each day from Monday of last week through today, in the team''s time zone: { days: '
  '[{ day, lines, accepted, duplicates }], clerks: { rows: [{ userId, name, days }], rest: { count } }, circulators: { rows: '
  '[{ circulator, days }], rest }, linesPerCirculator }. `days` has every day, those of a row only days with lines; '
  'yesterday is the last but one. Rows are the first 100 by lines. `linesPerCirculator` is the mean a day of all circulators '
  'with lines in the seven days before today, since the first of these lines; null without any. Null without such a team. Guard first.';

-- supabase/schemas/118_progress.sql

-- A campaign's progress, from the counts of its lines. Progress to the goal counts all teams of the campaign; lists are of the
-- asking team only.

-- A text that changes with the counts below, computed without counting lines: from the newest lines and line changes, and
-- from the xmin of campaign, team, sheet and quality check rows. It takes the newest hundred because lines can be committed
-- out of order. What only SQL can do, such as deleting lines, shows with the next change.
create function private.progress_version(p_team_id text, p_campaign_id text, p_with_work boolean) returns text
language sql stable set search_path = ''
as $$
  select md5(jsonb_build_array(p_with_work,
    array(select l.stored_number from public.lines l where l.campaign_id = p_campaign_id
      order by l.stored_number desc limit 100),
    array(select c.id from public.line_changes c where c.campaign_id = p_campaign_id order by c.id desc limit 100),
    (select jsonb_build_array(count(*), sum(s.xmin::text::bigint))
      from public.sheets s where s.campaign_id = p_campaign_id),
    (select jsonb_build_array(count(*), sum(q.xmin::text::bigint))
      from public.quality_lines q where q.campaign_id = p_campaign_id and q.entered_at is not null),
    (select array_agg(a.xmin::text order by a.team_id) from public.campaign_team a where a.campaign_id = p_campaign_id),
    (select c.xmin::text from public.campaigns c where c.id = p_campaign_id),
    (select jsonb_build_array(t.time_zone, (now() at time zone t.time_zone)::date)
      from public.teams t where t.id = p_team_id))::text)
$$;

-- ── The campaign ───────────────────────────────────────────────────────────────────────────────────────────────────

-- A county as targets and lines are matched: "King County" is "King".
create function private.county_key(p_county text) returns text
language sql immutable set search_path = ''
as $$
  select lower(regexp_replace(p_county, '\s+county$', '', 'i'))
$$;

create function private.progress_json(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (select t.time_zone, (now() at time zone t.time_zone)::date as today from public.teams t where t.id = p_team_id),
    quarters as (
      select q.quarter, sum(q.entered) as entered, sum(q.accepted) as accepted
      from private.line_counts q where q.campaign_id = p_campaign_id and q.per = 'quarter' group by 1
    ),
    days as (
      select (q.quarter at time zone t.time_zone)::date as day, sum(q.entered) as entered, sum(q.accepted) as accepted
      from quarters q cross join team t group by 1 having sum(q.entered) > 0
    ),
    total as (
      select coalesce(sum(n.entered), 0) as entered, coalesce(sum(n.accepted), 0) as accepted,
        coalesce(sum(n.duplicates), 0) as duplicates,
        coalesce(sum(n.entered) filter (where n.team_id = p_team_id), 0) as own_entered,
        coalesce(sum(n.accepted) filter (where n.team_id = p_team_id), 0) as own_accepted,
        coalesce(sum(n.entered) filter (where n.county is not null), 0) as entered_with_county,
        coalesce(sum(n.accepted) filter (where n.county is not null), 0) as accepted_with_county
      from private.line_counts n where n.campaign_id = p_campaign_id and n.per = 'county'
    ),
    -- Sheets with the same collection day and quarter of an hour of opening, so that fewer times are converted to the time zone.
    sheet_groups as (
      select s.collected_on, date_bin('15 minutes', s.opened_at, 'epoch') as opened,
        s.opened_at > now() - interval '28 days' as is_recent, count(*) as sheets,
        count(*) filter (where n.entered > 0) as with_lines, sum(greatest(s.signature_count, n.entered, 0)) as lines,
        sum(n.entered) as entered, sum(n.accepted + n.duplicates) as valid, sum(n.entered::bigint * n.entered) as lines_squared,
        sum(n.entered::bigint * (n.accepted + n.duplicates)) as lines_valid,
        sum((n.accepted + n.duplicates)::bigint * (n.accepted + n.duplicates)) as valid_squared
      from public.sheets s
      left join private.line_counts n on n.campaign_id = s.campaign_id and n.per = 'sheet' and n.team_id = s.team_id
        and n.sheet = s.number
      where s.campaign_id = p_campaign_id
      group by 1, 2, 3
    ),
    on_sheets as materialized (
      select g.*, least(coalesce(g.collected_on, o.day), t.today) as day,
        case when g.is_recent then greatest(0, o.day - g.collected_on) end as lag
      from sheet_groups g
      cross join team t
      cross join lateral (select (g.opened at time zone t.time_zone)::date as day) o
    ),
    lags as (
      select o.lag, sum(sum(o.sheets)) over (order by o.lag) / sum(sum(o.sheets)) over () as share
      from on_sheets o where o.lag is not null group by 1
    ),
    by_county as (
      select n.county, n.entered, n.accepted, 0 as last_7_days
      from private.line_counts n where n.campaign_id = p_campaign_id and n.per = 'county'
      union all
      select l.county, 0, 0, count(*)
      from team t
      join public.lines l on l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
        and l.team_id in (select n.team_id from private.line_counts n
          where n.campaign_id = p_campaign_id and n.per = 'county')
        and l.entered_at >= (t.today - 7)::timestamp at time zone t.time_zone
        and l.entered_at < t.today::timestamp at time zone t.time_zone
      group by 1
    ),
    counties as (
      select coalesce(max(n.county), c.target ->> 'county') as county, (c.target ->> 'target')::int as target, c.place,
        coalesce(sum(n.entered), 0) as entered, coalesce(sum(n.accepted), 0) as accepted,
        coalesce(sum(n.last_7_days), 0) as last_7_days
      from public.campaigns o
      cross join lateral jsonb_array_elements(o.county_targets) with ordinality c (target, place)
      left join by_county n on private.county_key(n.county) = private.county_key(c.target ->> 'county')
      where o.id = p_campaign_id
      group by c.target, c.place
    ),
    checked as (
      select count(*) as lines, count(*) filter (where q.right_entry <> 'first') as errors
      from public.quality_lines q
      join public.lines l on l.id = q.line_id
      where q.campaign_id = p_campaign_id and q.drawn_from = 'campaign' and (not q.differs or q.right_entry is not null)
    ),
    sheets as (
      select coalesce(sum(o.lines - coalesce(o.entered, 0)), 0) as unentered,
        jsonb_build_object('count', coalesce(sum(o.with_lines), 0), 'lines', coalesce(sum(o.entered), 0),
          'valid', coalesce(sum(o.valid), 0), 'linesSquared', coalesce(sum(o.lines_squared), 0),
          'linesValid', coalesce(sum(o.lines_valid), 0), 'validSquared', coalesce(sum(o.valid_squared), 0)) as sums
      from on_sheets o
    )
  select jsonb_build_object(
    'today', t.today,
    'goal', c.signature_goal,
    'startsOn', c.starts_on,
    'endsOn', c.ends_on,
    'archivedAt', private.utc(c.archived_at),
    'accepted', n.accepted,
    'entered', n.entered,
    'duplicates', n.duplicates,
    'collected', n.entered + u.unentered,
    'teams', (select count(*) from public.campaign_team a where a.campaign_id = c.id),
    'own', jsonb_build_object('accepted', n.own_accepted, 'entered', n.own_entered),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'accepted', d.accepted, 'entered', d.entered)
        order by d.day), '[]')
      from days d),
    'collectedDays', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'lines', d.lines) order by d.day), '[]')
      from (select o.day, sum(o.lines) as lines from on_sheets o group by 1 having sum(o.lines) > 0) d),
    'lagDays', coalesce((select min(l.lag) from lags l where l.share >= 0.9), 0),
    'sheetSums', u.sums,
    'checked', (select to_jsonb(k) from checked k),
    'counties', (
      select coalesce(jsonb_agg(jsonb_build_object('county', y.county, 'target', y.target, 'entered', y.entered,
        'accepted', y.accepted, 'last7Days', y.last_7_days) order by y.place), '[]')
      from counties y),
    'withCounty', jsonb_build_object('accepted', n.accepted_with_county, 'entered', n.entered_with_county),
    'official', case when c.required_signatures is not null and c.check_method is not null then jsonb_build_object(
      'required', c.required_signatures, 'margin', coalesce(c.safety_margin, 0),
      'rejection', coalesce(c.official_rejection, 0), 'method', c.check_method, 'samplePercent', c.sample_percent,
      'sampleMinimum', c.sample_minimum, 'passPercent', c.pass_percent, 'failPercent', c.fail_percent) end)
  from team t
  join public.campaigns c on c.id = p_campaign_id
  cross join total n
  cross join sheets u
$$;
comment on function private.progress_json is
  'A campaign''s progress, all teams together: { today, goal, startsOn, endsOn, archivedAt, accepted, entered, duplicates, '
  'collected, teams, own: { accepted, entered }, days: [{ day, accepted, entered }], collectedDays: [{ day, lines }], lagDays, '
  'sheetSums, checked: { lines, errors }, counties: [{ county, target, entered, accepted, last7Days }], '
  'withCounty: { accepted, entered }, official }. `days` are days of entry in the team''s time zone; `own` is of this team '
  'only; `collected` adds up each sheet''s '
  'signature count, or its entered lines if more; `collectedDays` does so by the day of collection, or of opening if that is '
  'unknown; nine of ten sheets opened in the last 28 days were collected at most `lagDays` before; `sheetSums` are over '
  'sheets with entered lines; `checked` are lines of the quality check that were drawn from a whole team, without unsettled '
  'differences; a county is named as in lines if there are some; `last7Days` counts the 7 days before today; `withCounty` are all '
  'lines whose county is known; `official` is null until the required signatures and the office''s method are set. '
  'Null without such a team or campaign.';

-- ── The work of a team ─────────────────────────────────────────────────────────────────────────────────────────────

-- When a clerk, or SQL without one, entered their last line that counts.
create function private.last_entered(p_team_id text, p_campaign_id text, p_clerk uuid) returns timestamptz
language sql stable set search_path = ''
as $$
  select greatest(
    (select max(l.entered_at) from public.lines l where l.team_id = p_team_id and l.campaign_id = p_campaign_id
      and l.entered_by = p_clerk and l.verdict <> 'blank' and l.removed_at is null),
    (select max(l.entered_at) from public.lines l where l.team_id = p_team_id and l.campaign_id = p_campaign_id
      and p_clerk is null and l.entered_by is null and l.verdict <> 'blank' and l.removed_at is null))
$$;

create function private.work_json(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    sheets as materialized (
      select s.number, s.circulator, s.closed_at, s.signature_count, n.entered, n.accepted, n.duplicates, n.blank
      from (select * from public.sheets s where s.team_id = p_team_id and s.campaign_id = p_campaign_id) s
      full join (
        select * from private.line_counts n where n.campaign_id = p_campaign_id and n.per = 'sheet' and n.team_id = p_team_id
      ) n on n.sheet = s.number
    ),
    circulators as (
      select s.circulator, sum(s.entered) as lines, sum(s.accepted) as accepted, sum(s.duplicates) as duplicates,
        row_number() over (order by sum(s.entered) desc, s.circulator) as place
      from sheets s group by 1 having sum(s.entered) > 0
    ),
    own as materialized (
      select * from private.line_counts n
      where n.campaign_id = p_campaign_id and n.per = 'county' and n.team_id = p_team_id and n.entered > 0
    ),
    clerks as (
      select n.entered_by, sum(n.entered) as lines, sum(n.accepted) as accepted, sum(n.duplicates) as duplicates,
        row_number() over (order by sum(n.entered) desc, n.entered_by) as place
      from own n group by 1
    ),
    counties as (
      select n.county, sum(n.accepted) as accepted, row_number() over (order by sum(n.accepted) desc, n.county) as place
      from own n group by 1 having sum(n.accepted) > 0
    ),
    open_sheets as (
      select s.number, s.opened_by, s.opened_at, s.signature_count,
        row_number() over (order by s.opened_at, s.number) as place
      from public.sheets s
      where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.closed_at is null
    ),
    short_sheets as (
      select s.number, s.closed_at, e.expected, coalesce(s.entered + s.blank, 0) as lines,
        row_number() over (order by s.closed_at, s.number) as place
      from sheets s
      join public.campaigns c on c.id = p_campaign_id
      cross join lateral (
        select private.expected_lines(s.signature_count, coalesce(s.blank, 0), c.lines_per_sheet) as expected) e
      where s.closed_at is not null and s.signature_count is not null and e.expected > coalesce(s.entered + s.blank, 0)
    ),
    freed as materialized (
      select d.id, d.sheet, d.line, row_number() over (order by d.sheet, d.line, d.id) as place
      from private.freed_duplicates f
      join public.lines d on d.id = f.line_id
      where f.campaign_id = p_campaign_id and f.team_id = p_team_id
    )
  select jsonb_build_object(
    'circulators', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('circulator', c.circulator, 'lines', c.lines,
          'accepted', c.accepted, 'duplicates', c.duplicates) order by c.place) filter (where c.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where c.place > 100),
          'lines', coalesce(sum(c.lines) filter (where c.place > 100), 0),
          'accepted', coalesce(sum(c.accepted) filter (where c.place > 100), 0),
          'duplicates', coalesce(sum(c.duplicates) filter (where c.place > 100), 0)))
      from circulators c),
    'clerks', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('userId', c.entered_by, 'name', p.name, 'lines', c.lines,
          'accepted', c.accepted, 'duplicates', c.duplicates,
          'lastAt', private.utc(private.last_entered(p_team_id, p_campaign_id, c.entered_by))) order by c.place)
          filter (where c.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where c.place > 100),
          'lines', coalesce(sum(c.lines) filter (where c.place > 100), 0),
          'accepted', coalesce(sum(c.accepted) filter (where c.place > 100), 0),
          'duplicates', coalesce(sum(c.duplicates) filter (where c.place > 100), 0)))
      from clerks c left join public.profiles p on p.user_id = c.entered_by),
    'counties', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('county', c.county, 'accepted', c.accepted) order by c.place)
          filter (where c.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where c.place > 100),
          'accepted', coalesce(sum(c.accepted) filter (where c.place > 100), 0)))
      from counties c),
    'openSheets', jsonb_build_object(
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('number', s.number, 'openedBy', p.name,
            'openedAt', private.utc(s.opened_at), 'signatureCount', s.signature_count,
            'lines', h.lines, 'gapCount', h.highest - h.taken) order by s.place), '[]')
        from open_sheets s
        left join public.profiles p on p.user_id = s.opened_by
        cross join lateral (
          select count(*) filter (where l.verdict <> 'blank') as lines,
            greatest(case when s.signature_count is not null then private.expected_lines(s.signature_count,
              count(*) filter (where l.verdict = 'blank'),
              (select c.lines_per_sheet from public.campaigns c where c.id = p_campaign_id)) end, max(l.line), 0) as highest,
            count(l.line)::int as taken
          from public.lines l
          where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = s.number and l.removed_at is null
        ) h
        where s.place <= 100),
      'rest', jsonb_build_object('count', (select greatest(count(*) - 100, 0) from open_sheets))),
    'shortSheets', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('number', s.number,
          'closedAt', private.utc(s.closed_at), 'expected', s.expected, 'lines', s.lines) order by s.place)
          filter (where s.place <= 100), '[]'),
        'rest', jsonb_build_object('count', greatest(count(*) - 100, 0)))
      from short_sheets s),
    'recent', public.daily_summary(p_team_id, p_campaign_id),
    'outsideDates', public.lines_outside_dates(p_team_id, p_campaign_id, 0) -> 'count',
    'unsettled', (
      select count(*) from public.quality_lines q join public.lines l on l.id = q.line_id
      where q.team_id = p_team_id and q.campaign_id = p_campaign_id and q.differs and q.right_entry is null),
    'duplicatesFreed', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'sheet', f.sheet, 'line', f.line)
          order by f.place) filter (where f.place <= 100), '[]'),
        'rest', jsonb_build_object('count', greatest(count(*) - 100, 0)))
      from freed f))
$$;
comment on function private.work_json is
  'A team''s work on a campaign: { circulators, clerks, counties, openSheets, shortSheets, recent, outsideDates, '
  'unsettled, duplicatesFreed }; `recent` is the public.daily_summary. '
  'Lists are { rows, rest }: the first 100 and the totals of the others. `gapCount` of an open sheet is how many line '
  'numbers are empty; `shortSheets` are closed with fewer `lines`, blank ones too, than `expected`; `unsettled` '
  'counts differences of the quality check; '
  '`duplicatesFreed` are duplicates whose voter has no accepted line.';

-- ── Queries ────────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.campaign_progress(
  p_team_id text, p_campaign_id text, p_with_work boolean, p_known text default null
) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  page_version text := md5(jsonb_build_array(
    (select c.xmin::text from public.campaigns c where c.id = p_campaign_id),
    (select jsonb_agg(r.id order by r.id) from public.access_requests r where r.team_id = p_team_id
      and r.closed_at is null and coalesce(r.campaign_id, p_campaign_id) = p_campaign_id),
    public.failed_charts(p_team_id, p_campaign_id))::text);
  version text := md5(private.progress_version(p_team_id, p_campaign_id, p_with_work) || page_version);
  progress jsonb;
begin
  if version = p_known then
    return jsonb_build_object('version', version);
  end if;
  progress := private.progress_json(p_team_id, p_campaign_id);
  return case when progress is not null then jsonb_build_object('version', version, 'pageVersion', page_version, 'progress', progress,
    'work', case when p_with_work then private.work_json(p_team_id, p_campaign_id) end) end;
end $$;
comment on function public.campaign_progress is
  'A campaign''s progress, with p_with_work also the team''s work: { version, pageVersion, progress, work }, see '
  'private.progress_json and private.work_json. `pageVersion` changes with the campaign''s settings, requests for access and '
  'failed charts. Only { version } if nothing has changed since p_known. Null without such a team or campaign. Guard first, '
  'and separately for the work.';

create function public.goal_count(p_campaign_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('goal', c.signature_goal, 'accepted', (
    select coalesce(sum(n.accepted), 0) from private.line_counts n where n.campaign_id = c.id and n.per = 'county'))
  from public.campaigns c
  where c.id = p_campaign_id
$$;
comment on function public.goal_count is
  'A campaign''s goal and its accepted lines of all teams: { goal, accepted }. Null without such a campaign. Guard first.';

create function public.team_progress(p_team_id text, p_campaign_ids text[], p_known jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'campaignId', a.campaign_id,
    'version', v.version,
    'progress', case when v.version is distinct from p_known ->> a.campaign_id
      then private.progress_json(a.team_id, a.campaign_id) end,
    'sheetsOpenForDays', (
      select count(*) from public.sheets s where s.team_id = a.team_id and s.campaign_id = a.campaign_id
        and s.closed_at is null
        and s.opened_at < ((now() at time zone t.time_zone)::date - 1)::timestamp at time zone t.time_zone),
    'outsideDates', public.lines_outside_dates(a.team_id, a.campaign_id, 0) -> 'count') order by a.campaign_id), '[]')
  from public.campaign_team a
  join public.teams t on t.id = a.team_id
  cross join lateral (select private.progress_version(a.team_id, a.campaign_id, false) as version offset 0) v
  where a.team_id = p_team_id and a.campaign_id = any (p_campaign_ids)
$$;
comment on function public.team_progress is
  'The progress of a team''s campaigns: [{ campaignId, version, progress, sheetsOpenForDays, outsideDates }], see '
  'private.progress_json; the other two are of this team only. `progress` is null if the version is the one in p_known, an '
  'object of campaign ids and versions. Skips campaigns that the team does not have. Guard first.';

create function public.list_areas(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'counties', (
      select coalesce(jsonb_agg(c.county), '[]') from (
        select n.county collate "C" as county
        from public.campaign_team t
        join private.line_counts n on n.campaign_id = t.campaign_id and n.team_id = t.team_id and n.per = 'county'
          and n.entered > 0
        where t.team_id = p_team_id and n.county is not null
        union
        select v.county from voterfile.counties v
        order by 1 limit 500) c),
    'districts', (
      select coalesce(jsonb_agg(d.district), '[]')
      from (select v.district from voterfile.districts v order by 1 limit 500) d))
$$;
comment on function public.list_areas is
  'What the voter file names, the first 500 by name: { counties, districts }. The counties include those of a team''s lines in '
  'its campaigns. Guard first.';

-- supabase/schemas/119_entry_state.sql

-- What the entry screen shows one clerk.

create function public.entry_state(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_lines int default 50, p_sheet int default null
) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (
      select t.time_zone, date_trunc('day', now() at time zone t.time_zone) at time zone t.time_zone as today
      from public.teams t where t.id = p_team_id
    ),
    mine as materialized ( -- since midnight, or for an hour if that is longer
      select l.verdict, l.entered_at from public.lines l cross join team t
      where l.entered_by = p_actor_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
        and l.verdict <> 'blank' and l.removed_at is null
        and l.entered_at >= least(t.today, now() - interval '1 hour')
    ),
    last_lines as (
      select l as line from public.lines l
      where l.entered_by = p_actor_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
      order by l.entered_at desc, l.id limit p_lines
    )
  select jsonb_build_object(
    'at', private.utc(now()),
    'timeZone', t.time_zone,
    'today', (now() at time zone t.time_zone)::date,
    'goal', c.signature_goal,
    'startsOn', c.starts_on,
    'endsOn', c.ends_on,
    'linesPerSheet', c.lines_per_sheet,
    'districts', c.districts,
    'campaign', jsonb_build_object('accepted', (
      select coalesce(sum(n.accepted), 0) from private.line_counts n
      where n.campaign_id = p_campaign_id and n.per = 'county')),
    'mine', (
      select jsonb_build_object(
        'accepted', count(*) filter (where m.verdict = 'accepted' and m.entered_at >= t.today),
        'duplicates', count(*) filter (where m.verdict = 'duplicate' and m.entered_at >= t.today),
        'rejected', count(*) filter (where m.verdict not in ('accepted', 'duplicate') and m.entered_at >= t.today),
        'lastHour', count(*) filter (where m.entered_at > now() - interval '1 hour'),
        'lastHourSince', private.utc(min(m.entered_at) filter (where m.entered_at > now() - interval '1 hour')))
      from mine m),
    'sheets', (
      select coalesce(jsonb_agg(private.sheet_json(o, p_actor_id) order by o.number), '[]')
      from public.sheets o
      where o.team_id = p_team_id and o.campaign_id = p_campaign_id and o.closed_at is null),
    'nextSheet', (
      select coalesce(max(n.number), 0) + 1 from public.sheets n
      where n.team_id = p_team_id and n.campaign_id = p_campaign_id),
    'sheet', (
      select private.sheet_json(h, p_actor_id) || jsonb_build_object('entered', (
        select coalesce(jsonb_agg(private.line_json(l, p_actor_id) order by l.line), '[]')
        from public.lines l
        where l.team_id = h.team_id and l.campaign_id = h.campaign_id and l.sheet = h.number and l.line is not null
          and l.removed_at is null))
      from public.sheets h
      where h.team_id = p_team_id and h.campaign_id = p_campaign_id and h.number = p_sheet),
    'lines', (
      select coalesce(jsonb_agg(private.line_json(l.line, p_actor_id)
        order by (l.line).entered_at desc, (l.line).id), '[]')
      from last_lines l))
  from team t
  join public.campaigns c on c.id = p_campaign_id
$$;
comment on function public.entry_state is
  'The entry screen of one clerk. `campaign` counts all teams; `mine` is today''s work in the team''s time zone, '
  '`lastHour` the clerk''s lines of the last 60 minutes, the first of them at `lastHourSince`; `sheet` is p_sheet with the '
  'live lines on it as `entered`, or null. Guard first.';

-- supabase/schemas/119_line_corrections.sql

-- Correcting a line: it is removed, and a new line replaces it with its clerk, time and place.

create function public.correct_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_line jsonb, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  reason text := nullif(trim(p_reason), '');
  voter text := p_line ->> 'voterId';
  verdict text := p_line ->> 'verdict';
  locked_line record;
  old_line public.lines;
  new_line public.lines;
  refusal jsonb;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  old_line := locked_line.stored;
  if old_line.removed_at is not null then
    return '{"outcome": "not-found"}';
  end if;
  if reason is null and old_line.entered_by is distinct from p_actor_id then
    return '{"outcome": "reason-missing"}';
  end if;
  refusal := private.line_refusal(p_actor_id, p_team_id, p_campaign_id, null, null, verdict,
    (p_line ->> 'signedOn')::date);
  if refusal is not null then
    return refusal;
  end if;
  -- Both voters, in one order for all transactions.
  perform private.lock_voter(p_campaign_id, v.id)
  from (select u.id from unnest(array[old_line.voter_id, voter]) u (id) where u.id is not null
    order by hashtext(p_campaign_id || ':' || u.id) & 255) v;
  if verdict = 'accepted' and exists (select from public.lines l where l.campaign_id = p_campaign_id
    and l.voter_id = voter and l.verdict = 'accepted' and l.removed_at is null and l.id <> p_id)
  then
    return jsonb_build_object('outcome', 'duplicate',
      'of', public.already_signed(p_team_id, p_campaign_id, array[voter]) -> voter);
  end if;
  perform private.act_as(p_actor_id, reason);
  update public.lines set removed_at = now(), removed_by = p_actor_id, removed_because = reason
  where id = p_id returning * into old_line;
  insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, address, city,
    county, zip, signed_on, note, entered_by, entered_at, replaces)
  values (p_team_id, p_campaign_id, old_line.sheet, old_line.line, verdict, voter, p_line ->> 'firstName',
    p_line ->> 'lastName', p_line ->> 'address', p_line ->> 'city', p_line ->> 'county', p_line ->> 'zip',
    (p_line ->> 'signedOn')::date, p_line ->> 'note', old_line.entered_by, old_line.entered_at, p_id)
  returning * into new_line;
  perform private.act_as(null, null);
  return jsonb_build_object('outcome', 'corrected', 'id', new_line.id,
    'signers', (
      select coalesce(jsonb_agg(jsonb_build_object('voterId', s.voter_id, 'changeNumber', s.change_number,
        'isSigner', s.is_signer) order by s.change_number), '[]')
      from (values (old_line.verdict, old_line.voter_id, old_line.change_number, false),
        (new_line.verdict, new_line.voter_id, new_line.change_number, true)) s (verdict, voter_id, change_number, is_signer)
      where s.verdict = 'accepted'));
end $$;
comment on function public.correct_line is
  'Replaces a line that isn''t removed with { verdict, voterId, firstName, lastName, address, city, county, zip, signedOn, '
  'note }, for a person who may remove it and with the reason that takes. Returns { outcome: corrected, id, signers: '
  '[{ voterId, changeNumber, isSigner }] }, or changes nothing and returns { outcome: duplicate | outside-dates | archived | '
  'not-allowed | not-found | reason-missing, of?, startsOn?, endsOn? } as restore_line does.';

create function public.line_history(p_team_id text, p_campaign_id text, p_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with recursive versions as ( -- the line and those that it replaced, with what each was corrected to
    select l.id, l.replaces, private.line_json(l, null) as was, null::jsonb as became
    from public.lines l where l.id = p_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
    union all
    select l.id, l.replaces, private.line_json(l, null), v.was
    from versions v join public.lines l on l.id = v.replaces
  ),
  changes as (
    select c.*, v.was, v.became, v.became is not null and c.kind in ('removed', 'undone')
      and c.id = max(c.id) over (partition by v.id) as corrects
    from versions v join public.line_changes c on c.line_id = v.id
  )
  select jsonb_build_object('line', private.register_line(l),
    'replacedBy', (select n.id from public.lines n where n.replaces = l.id limit 1),
    'others', (
      select coalesce(jsonb_agg(private.register_line(o) || jsonb_build_object('removedBy', private.person_json(o.removed_by))
        order by o.removed_at desc, o.id), '[]')
      from (
        select * from public.lines o
        where o.team_id = l.team_id and o.campaign_id = l.campaign_id and o.sheet = l.sheet and o.line = l.line
          and o.id <> l.id and (o.removed_at is not null or l.removed_at is not null) and not exists (select from versions v where v.id = o.id)
          and not exists (select from public.lines n where n.replaces in (o.id, l.id))
        order by o.removed_at desc limit 10) o),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', case when c.corrects then 'corrected' else c.kind end,
          'at', private.utc(c.at), 'by', private.person_json(c.actor_id), 'reason', c.reason,
          'from', jsonb_build_object('sheet', c.sheet_before, 'line', c.line_before),
          'to', jsonb_build_object('sheet', c.sheet_after, 'line', c.line_after))
        || case when c.corrects then jsonb_build_object('was', c.was, 'became', c.became) else '{}' end order by c.id), '[]')
      from changes c),
    'checks', (
      select coalesce(jsonb_agg(jsonb_build_object('at', private.utc(q.entered_at), 'by', private.person_json(q.second_by),
          'differs', q.differs, 'verdict', private.second_verdict(q, l), 'voterId', q.voter_id, 'firstName', q.first_name,
          'lastName', q.last_name, 'address', q.address, 'note', q.note, 'right', q.right_entry, 'settledAt', private.utc(q.settled_at),
          'settledBy', private.person_json(q.settled_by)) order by q.entered_at), '[]')
      from versions v join public.quality_lines q on q.line_id = v.id and q.entered_at is not null))
  from public.lines l
  where l.id = p_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
$$;
comment on function public.line_history is
  'A line of a team and its changes in order, with those of the lines that it replaced: { line, replacedBy, others, changes: '
  '[{ kind, at, by, reason, from, to, was?, became? }], checks: [{ at, by, differs, verdict, voterId, firstName, lastName, '
  'address, note, right, settledAt, settledBy }] }. Places are { sheet, line }, `by` is null for a change by SQL, `was` and `became` are '
  'the lines before and after a correction. '
  '`others` are up to 10 other lines at the same place, of which at most one isn''t removed; `checks` are the second entries '
  'in the quality check. Null when the team has no such line. Guard first.';

-- supabase/schemas/119_sheet_list.sql

-- All sheets of a team in a campaign, in pages.

create function public.list_sheets(
  p_team_id text, p_campaign_id text, p_filter jsonb, p_sort text, p_after int default null, p_limit int default 50
) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  max_counted constant int := 10000;
  key text := case ltrim(p_sort, '-')
    when 'number' then 's.number' when 'opened' then 's.opened_at'
    when 'collected' then 'coalesce(s.collected_on, ''-infinity'')' end;
  direction text := case when p_sort like '-%' then ' desc' else '' end;
  conditions text := concat_ws(' and ', 's.team_id = $1 and s.campaign_id = $2',
    case p_filter ->> 'state' when 'open' then 's.closed_at is null' when 'closed' then 's.closed_at is not null' end,
    case when p_filter ? 'number' then 's.number = ($3 ->> ''number'')::int' end,
    case when p_filter ? 'circulator' then 's.circulator = $3 ->> ''circulator''' end,
    case when p_filter ? 'missing' then 's.id in (select g.id from private.sheet_gaps g
      where g.team_id = $1 and g.campaign_id = $2 and g.missing > 0)' end);
  after_key text := case when p_after is not null then format(
    ' and (%1$s, s.number) %2$s (select %1$s, s.number from public.sheets s
      where s.team_id = $1 and s.campaign_id = $2 and s.number = $4)',
    key, case when p_sort like '-%' then '<' else '>' end) else '' end;
  total int;
  found uuid[];
begin
  execute format('select count(*) from (select from public.sheets s where %s limit %s) c', conditions, max_counted + 1)
  into total using p_team_id, p_campaign_id, p_filter;
  execute format('select array(select s.id from public.sheets s where %s%s order by %s%s, s.number%s limit %s)',
    conditions, after_key, key, direction, direction, least(p_limit, 200) + 1)
  into found using p_team_id, p_campaign_id, p_filter, p_after;
  return jsonb_build_object('more', cardinality(found) > p_limit, 'sheets', (
    select coalesce(jsonb_agg(jsonb_build_object('number', s.number, 'circulator', s.circulator,
      'collectedOn', s.collected_on, 'openedBy', (select p.name from public.profiles p where p.user_id = s.opened_by),
      'openedAt', private.utc(s.opened_at), 'closedAt', private.utc(s.closed_at),
      'lines', n.entered, 'blank', n.blank, 'accepted', n.accepted, 'expected', e.expected, 'missing', m.missing,
      'missingCount', e.missing) order by u.place), '[]')
    from unnest(found[:p_limit]) with ordinality u (id, place)
    join public.sheets s on s.id = u.id
    join private.sheet_gaps e on e.id = s.id
    cross join lateral (
      select coalesce(sum(n.entered), 0) as entered, coalesce(sum(n.blank), 0) as blank, coalesce(sum(n.accepted), 0) as accepted
      from private.line_counts n
      where n.campaign_id = s.campaign_id and n.per = 'sheet' and n.team_id = s.team_id and n.entered_by is null
        and n.sheet = s.number) n
    cross join lateral (
      select coalesce(jsonb_agg(g.line order by g.line), '[]') as missing
      from (
        select i as line from generate_series(1, least(500, e.expected)) i
        where not exists (select from public.lines l where l.team_id = s.team_id and l.campaign_id = s.campaign_id
          and l.sheet = s.number and l.line = i and l.removed_at is null)
        order by 1 limit 100) g) m),
    'notStarted', (
      select coalesce(jsonb_agg(g.number order by g.number), '[]')
      from (
        select i as number from (select s.number, lead(s.number) over (order by s.number) as next from public.sheets s
          where s.team_id = p_team_id and s.campaign_id = p_campaign_id and p_filter = '{}' and p_after is null) s
        cross join lateral generate_series(s.number + 1, s.next - 1) i
        where s.next - s.number <= 100 -- further apart they are of another series, or wrong
        order by 1 desc limit 100) g))
    || case when total > max_counted then jsonb_build_object('totalAbove', max_counted) else jsonb_build_object('total', total) end;
end $$;
comment on function public.list_sheets is
  'A page of a team''s sheets that match an optional filter { state: open | closed, number, circulator, missing: yes }, '
  'sorted by p_sort (number, opened, collected; descending with `-`), after the sheet numbered p_after: { sheets, more, '
  'total }, or `totalAbove` 10000 if more match; at most p_limit or 200. `missing` are up to 100 of the `missingCount` empty ones among the `expected` lines, '
  '`notStarted` on the first page without a filter up to 100 numbers between those of sheets. Guard first.';

-- supabase/schemas/120_signers.sql

-- Who has signed, for the sets in Redis: numbers and pending changes, also of changes by SQL, and the functions of the
-- synchronization.

create table public.signer_changes (
  id bigint generated always as identity primary key,
  campaign_id text not null,
  voter_id text collate "C",
  change_number bigint not null,
  created_at timestamptz not null default now()
);
comment on table public.signer_changes is
  'Voters whose membership in the set of signers may have changed. A row is deleted only after Redis is right.';
comment on column public.signer_changes.voter_id is 'Null: a request to rebuild the set of the whole campaign.';
create index signer_changes_voter on public.signer_changes (campaign_id, voter_id, change_number);
create index signer_changes_set on public.signer_changes (campaign_id) where voter_id is null;
alter table public.signer_changes enable row level security;
revoke all on public.signer_changes from service_role; -- only functions write and read them

-- ── Numbers and pending changes ────────────────────────────────────────────────────────────────────

create sequence private.signature_changes;

-- Until the transaction ends, no one else changes an accepted line or a duplicate of the voter in the campaign. There are 256
-- locks instead of one per voter, because a transaction of many lines would exceed the limit. Such a transaction blocks clerks,
-- and two can deadlock, so change many lines in small parts.
create function private.lock_voter(p_campaign_id text, p_voter_id text) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtext('signatures'), hashtext(p_campaign_id || ':' || p_voter_id) & 255)
$$;

-- The next number for a voter in a campaign. Numbers of one voter rise in the order of the commits.
create function private.next_change_number(p_campaign_id text, p_voter_id text) returns bigint
language plpgsql volatile set search_path = ''
as $$
begin
  perform private.lock_voter(p_campaign_id, p_voter_id);
  return nextval('private.signature_changes');
end $$;

-- Runs as its owner, like the next ones: no one else may take numbers or store pending changes. The lock is taken before the row is
-- changed, so that of two transactions that want both, neither waits for the other.
create function private.number_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and (new.removed_at is null) = (old.removed_at is null) then
    new.change_number := old.change_number;
    return new;
  end if;
  if tg_op = 'DELETE' then
    if old.verdict = 'accepted' then
      insert into public.signer_changes (campaign_id, voter_id, change_number)
      values (old.campaign_id, old.voter_id, private.next_change_number(old.campaign_id, old.voter_id));
    else
      perform private.lock_voter(old.campaign_id, old.voter_id);
    end if;
    return old;
  end if;
  if new.verdict = 'accepted' then
    new.change_number := private.next_change_number(new.campaign_id, new.voter_id);
  else
    perform private.lock_voter(new.campaign_id, new.voter_id);
  end if;
  return new;
end $$;
create trigger number_insert before insert on public.lines
for each row when (new.verdict in ('accepted', 'duplicate')) execute function private.number_line();
create trigger number_update before update on public.lines
for each row when (new.verdict in ('accepted', 'duplicate')) execute function private.number_line();
create trigger number_delete before delete on public.lines
for each row when (old.verdict in ('accepted', 'duplicate')) execute function private.number_line();

create function private.queue_signer_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.signer_changes (campaign_id, voter_id, change_number)
  values (new.campaign_id, new.voter_id, new.change_number);
  return null;
end $$;
create trigger queue_insert after insert on public.lines
for each row when (new.verdict = 'accepted') execute function private.queue_signer_changes();
create trigger queue_update after update on public.lines
for each row when (old.change_number <> new.change_number) execute function private.queue_signer_changes();

-- `truncate` names no rows: each set with signers is rebuilt.
create function private.queue_signer_rebuilds() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.signer_changes (campaign_id, change_number)
  select c.campaign_id, nextval('private.signature_changes')
  from (select distinct l.campaign_id from public.lines l where l.verdict = 'accepted' and l.removed_at is null) c;
  return null;
end $$;
create trigger queue_truncate before truncate on public.lines
for each statement execute function private.queue_signer_rebuilds();

-- ── The synchronization of the sets ────────────────────────────────────────────────────────────────────────────────────────────────

create function public.pending_signer_changes(p_limit int) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with
    pending as materialized (
      select c.id, c.campaign_id, c.voter_id, c.change_number
      from public.signer_changes c where c.voter_id is not null order by c.id limit p_limit
    ),
    voters as (
      select n.campaign_id, n.voter_id, max(n.change_number) as change_number
      from pending n group by 1, 2
    )
  select jsonb_build_object(
    'ids', (select coalesce(jsonb_agg(n.id), '[]') from pending n),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('campaignId', v.campaign_id, 'voterId', v.voter_id,
        'member', live.change_number is not null,
        'changeNumber', greatest(v.change_number, live.change_number, removed.change_number))), '[]')
      from voters v
      left join public.lines live on live.campaign_id = v.campaign_id and live.voter_id = v.voter_id
        and live.verdict = 'accepted' and live.removed_at is null
      left join lateral (
        select max(l.change_number) as change_number from public.lines l
        where l.campaign_id = v.campaign_id and l.voter_id = v.voter_id
          and l.verdict = 'accepted' and l.removed_at is not null
      ) removed on true),
    'left', (
      select count(*) from (
        select from public.signer_changes c where c.voter_id is not null limit p_limit + 10000
      ) c) - (select count(*) from pending))
$$;
comment on function public.pending_signer_changes is
  'The oldest pending changes of voters { ids, changes: [{ campaignId, voterId, member, changeNumber }], left }: whether each voter has '
  'a live line, and the number of their last change; `left` is how many more there are, counted to 10,000.';

-- By id, because a change with a smaller id can be committed later.
create function public.delete_signer_changes(p_ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes where id = any (p_ids)
$$;
comment on function public.delete_signer_changes is 'Deletes pending changes that were applied.';

create function public.request_signer_rebuilds(p_campaign_ids text[]) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  with requests as (
    insert into public.signer_changes (campaign_id, change_number)
    select c.id, nextval('private.signature_changes') from unnest(p_campaign_ids) with ordinality c (id, at) order by c.at
    returning campaign_id, change_number
  )
  select coalesce(jsonb_object_agg(r.campaign_id, r.change_number), '{}') from requests r
$$;
comment on function public.request_signer_rebuilds is
  'Requests that the sets of these campaigns be rebuilt: the number of each request, {campaignId: number}.';

create function public.signer_rebuild_requests() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('campaignId', c.campaign_id, 'numbers', c.numbers) order by c.first), '[]')
  from (
    select s.campaign_id, jsonb_agg(s.change_number) as numbers, min(s.id) as first
    from public.signer_changes s where s.voter_id is null group by s.campaign_id
  ) c
$$;
comment on function public.signer_rebuild_requests is
  'The sets to rebuild, oldest request first, with the numbers of their requests: [{ campaignId, numbers }].';

create function public.delete_signer_rebuild_requests(p_campaign_id text, p_numbers bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes
  where campaign_id = p_campaign_id and voter_id is null and change_number = any (p_numbers)
$$;
comment on function public.delete_signer_rebuild_requests is 'Deletes requests whose set was rebuilt.';

create function public.delete_applied_signer_changes(p_campaign_id text, p_voter_id text, p_change_number bigint) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes
  where campaign_id = p_campaign_id and voter_id = p_voter_id and change_number <= p_change_number
$$;
comment on function public.delete_applied_signer_changes is
  'Deletes the pending changes of a voter up to a change that Redis has: a voter''s changes are committed in the order of their numbers.';

create function public.signer_page(p_campaign_id text, p_after text, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(s.voter_id order by s.voter_id), '[]')
  from (
    select l.voter_id from public.lines l
    where l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
      and l.voter_id > coalesce(p_after, '') and not private.is_erased(p_campaign_id)
    order by l.voter_id limit p_limit
  ) s
$$;
comment on function public.signer_page is
  'Voters with a live line in a campaign, in "C" order of their ids, those after p_after (null: from the start).';

create function public.signer_campaigns() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('campaignId', c.id, 'anySigner', exists (
      select from public.lines l where l.campaign_id = c.id and l.verdict = 'accepted' and l.removed_at is null
    ) and c.erased_at is null) order by c.id), '[]')
  from public.campaigns c
$$;
comment on function public.signer_campaigns is
  'All campaigns, also archived ones, and whether anyone has signed: [{ campaignId, anySigner }].';

create function public.signer_count(p_campaign_id text) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from public.lines l
  where l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
    and not private.is_erased(p_campaign_id)
$$;
comment on function public.signer_count is 'How many voters have a live line in a campaign, of any team.';

-- The time in microseconds is above all numbers counted from an earlier time. The step is for a clock that was set back.
create function public.renew_change_numbers() returns void
language sql volatile security definer set search_path = ''
as $$
  select setval('private.signature_changes',
    greatest(n.last_value + 1000, (extract(epoch from clock_timestamp()) * 1000000)::bigint))
  from private.signature_changes n
$$;
comment on function public.renew_change_numbers is
  'Continues the numbers of changes above all earlier ones, also after the database was restored: Redis ignores a number '
  'below the last one that it knows.';

-- Fast, because an index ends with the newest line of a campaign.
create function private.has_recent_entry() returns boolean
language sql stable
return exists (
  select from public.campaigns c
  where now() - interval '10 minutes' < (
    select max(l.entered_at) from public.lines l
    where l.campaign_id = c.id and l.verdict <> 'blank' and l.removed_at is null));
comment on function private.has_recent_entry is 'Whether a line was entered in the last ten minutes, in any campaign.';

-- supabase/schemas/130_chart_sources.sql

-- What charts may read: the views of schema `reporting`, and nothing else. To add a source, add a view here with team_id and
-- campaign_id, and its labels below. The builder shows comments: "Label: description" of a view, the label of a column.
-- `[signer]` after a label isn't shown. It marks a column that identifies signers or a single line: ids, names, notes, sheet
-- and line, the exact time of entry. Using one needs signatures.view; so does a column without a comment. Areas, dates,
-- verdicts, clerks and circulators aren't marked, because reports need them.
--
-- Parts of a date or time are columns named after it: `_day`, `_week` (its Monday), `_month` (its first day), `_weekday` (1 is
-- Monday, 7 Sunday), `_hour` (0 to 23), all in the team's time zone. The builder shows them as one field with their column.

-- Lines with the parts of their dates. Team, sheet and clerk are left-joined, so that the planner drops the
-- joins that a chart doesn't use. All these views run with the caller's rights: the service role's.
create view private.chart_lines with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.verdict, l.sheet, l.line, l.voter_id, l.first_name, l.last_name, l.city, l.county,
  left(l.zip, 5) as zip, -- all nine digits are a few houses
  l.note,
  l.signed_on,
  date_trunc('week', l.signed_on::timestamp)::date as signed_on_week,
  date_trunc('month', l.signed_on::timestamp)::date as signed_on_month,
  extract(isodow from l.signed_on)::int as signed_on_weekday,
  h.circulator,
  h.collected_on,
  date_trunc('week', h.collected_on::timestamp)::date as collected_on_week,
  date_trunc('month', h.collected_on::timestamp)::date as collected_on_month,
  extract(isodow from h.collected_on)::int as collected_on_weekday,
  w.at::date - h.collected_on as lag,
  p.name as clerk,
  l.entered_by,
  l.entered_at,
  w.at::date as entered_at_day,
  date_trunc('week', w.at)::date as entered_at_week,
  date_trunc('month', w.at)::date as entered_at_month,
  extract(isodow from w.at)::int as entered_at_weekday,
  extract(hour from w.at)::int as entered_at_hour
from public.lines l
left join public.teams t on t.id = l.team_id
left join public.sheets h on h.team_id = l.team_id and h.campaign_id = l.campaign_id and h.number = l.sheet
left join public.profiles p on p.user_id = l.entered_by
cross join lateral (select l.entered_at at time zone t.time_zone as at) w
where l.removed_at is null;
grant select on private.chart_lines to service_role;

create view reporting.signatures with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.voter_id, l.first_name, l.last_name, l.city, l.county, l.zip, l.sheet, l.line,
  l.signed_on, l.signed_on_week, l.signed_on_month, l.signed_on_weekday, l.circulator, l.collected_on, l.collected_on_week,
  l.collected_on_month, l.collected_on_weekday, l.lag, l.clerk, l.entered_by, l.entered_at, l.entered_at_day,
  l.entered_at_week, l.entered_at_month, l.entered_at_weekday, l.entered_at_hour
from private.chart_lines l
where l.verdict = 'accepted';
comment on view reporting.signatures is 'Signatures: valid signatures only.';

create view reporting.lines with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.verdict, l.circulator, l.sheet, l.line, l.voter_id, l.first_name, l.last_name,
  l.city, l.county, l.zip, l.signed_on, l.signed_on_week, l.signed_on_month, l.signed_on_weekday, l.collected_on,
  l.collected_on_week, l.collected_on_month, l.collected_on_weekday, l.lag, l.note, l.clerk, l.entered_by,
  l.entered_at, l.entered_at_day, l.entered_at_week, l.entered_at_month, l.entered_at_weekday, l.entered_at_hour
from private.chart_lines l
where l.verdict <> 'blank';
comment on view reporting.lines is 'Lines: all entered lines, valid and invalid, with status and circulator.';

create view reporting.clerk_work with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.clerk, l.verdict, l.verdict = 'accepted' as accepted, l.sheet, l.line,
  l.county, l.circulator, l.collected_on, l.collected_on_week, l.collected_on_month, l.collected_on_weekday, l.lag,
  l.entered_by, l.entered_at, l.entered_at_day, l.entered_at_week, l.entered_at_month, l.entered_at_weekday,
  l.entered_at_hour
from private.chart_lines l
where l.verdict <> 'blank';
comment on view reporting.clerk_work is
  'Lines by clerk: all entered lines, valid and invalid, with the clerk who entered them.';

create view reporting.sheets with (security_invoker = true) as
select h.id, h.team_id, h.campaign_id, h.number as sheet, h.circulator, h.collected_on,
  date_trunc('week', h.collected_on::timestamp)::date as collected_on_week,
  date_trunc('month', h.collected_on::timestamp)::date as collected_on_month,
  extract(isodow from h.collected_on)::int as collected_on_weekday,
  w.at::date - h.collected_on as lag, p.name as clerk, h.opened_by as entered_by,
  -- Null for a sheet with lines of several counties.
  (select case when min(l.county) = max(l.county) then min(l.county) end from public.lines l
    where l.team_id = h.team_id and l.campaign_id = h.campaign_id and l.sheet = h.number and l.removed_at is null) as county,
  h.closed_at is not null as closed, h.signature_count as signatures_on_sheet, coalesce(c.entered, 0) as lines_entered,
  coalesce(c.accepted, 0) as lines_valid, coalesce(c.duplicates, 0) as lines_duplicate,
  (select g.missing from private.sheet_gaps g where g.id = h.id) as lines_missing
from public.sheets h
left join public.teams t on t.id = h.team_id
left join public.profiles p on p.user_id = h.opened_by
cross join lateral (select h.opened_at at time zone t.time_zone as at) w
left join (
  select n.team_id, n.campaign_id, n.sheet, sum(n.entered)::int as entered, sum(n.accepted)::int as accepted,
    sum(n.duplicates)::int as duplicates
  from private.line_counts n
  where n.per = 'sheet'
  group by n.team_id, n.campaign_id, n.sheet
) c on c.team_id = h.team_id and c.campaign_id = h.campaign_id and c.sheet = h.number;
comment on view reporting.sheets is
  'Sheets: petition sheets with their circulator, the date collected, and how many lines are entered and missing.';

-- The lines of all teams of a campaign, as on its overview. The needed lines are whole numbers that add up to the goal.
create view reporting.goal_pace with (security_invoker = true) as
select a.team_id, a.campaign_id, d.day as entered_at, d.day as entered_at_day,
  date_trunc('week', d.day::timestamp)::date as entered_at_week,
  date_trunc('month', d.day::timestamp)::date as entered_at_month,
  extract(isodow from d.day)::int as entered_at_weekday,
  d.entered as lines_entered, d.accepted as lines_valid, d.needed as lines_needed, c.signature_goal as goal
from public.campaign_team a
join public.campaigns c on c.id = a.campaign_id
join public.teams t on t.id = a.team_id
cross join lateral (
  select x.day, sum(x.entered)::int as entered, sum(x.accepted)::int as accepted, sum(x.needed)::int as needed
  from (
    select (n.quarter at time zone t.time_zone)::date as day, n.entered, n.accepted, 0 as needed
    from private.line_counts n where n.campaign_id = c.id and n.per = 'quarter'
    union all
    select s.day::date, 0, 0, round(c.signature_goal * s.place / s.days) - round(c.signature_goal * (s.place - 1) / s.days)
    from (
      select g.day, g.place::numeric, c.ends_on - c.starts_on + 1 as days
      from generate_series(c.starts_on::timestamp, c.ends_on::timestamp, '1 day') with ordinality g (day, place)
    ) s
    where s.day < (now() at time zone t.time_zone)::date -- today isn't over, as on the overview
  ) x
  group by x.day
) d;
comment on view reporting.goal_pace is
  'Goal and pace: valid lines entered each day, and the number needed to reach the goal at an even pace.';

-- The labels, for each view that has the column.
do $$
declare
  labeled record;
begin
  for labeled in
    select v.table_name, v.column_name, c.label
    from (values
      ('id', 'Line ID [signer]'),
      ('team_id', 'Team'),
      ('campaign_id', 'Campaign'),
      ('verdict', 'Status'),
      ('accepted', 'Valid'),
      ('circulator', 'Circulator'),
      ('clerk', 'Clerk'),
      ('sheet', 'Sheet [signer]'),
      ('line', 'Line [signer]'),
      ('voter_id', 'Voter ID [signer]'),
      ('first_name', 'First name [signer]'),
      ('last_name', 'Last name [signer]'),
      ('city', 'City'),
      ('county', 'County'),
      ('zip', 'ZIP code'),
      ('signed_on', 'Date signed'),
      ('signed_on_week', 'Week signed'),
      ('signed_on_month', 'Month signed'),
      ('signed_on_weekday', 'Weekday signed'),
      ('collected_on', 'Date collected'),
      ('collected_on_week', 'Week collected'),
      ('collected_on_month', 'Month collected'),
      ('collected_on_weekday', 'Weekday collected'),
      ('lag', 'Days from collection to entry'),
      ('closed', 'Closed'),
      ('signatures_on_sheet', 'Signatures on the sheet'),
      ('lines_entered', 'Lines entered'),
      ('lines_valid', 'Valid lines'),
      ('lines_duplicate', 'Duplicates'),
      ('lines_missing', 'Lines missing'),
      ('lines_needed', 'Valid lines at an even pace'),
      ('goal', 'Goal'),
      ('note', 'Note [signer]'),
      ('entered_by', 'Clerk''s account ID'),
      ('entered_at', 'Date entered [signer]'),
      ('entered_at_day', 'Date entered'),
      ('entered_at_week', 'Week entered'),
      ('entered_at_month', 'Month entered'),
      ('entered_at_weekday', 'Weekday entered'),
      ('entered_at_hour', 'Hour entered')
    ) c (name, label)
    join information_schema.columns v on v.table_schema = 'reporting' and v.column_name = c.name
  loop
    execute format('comment on column reporting.%I.%I is %L', labeled.table_name, labeled.column_name, labeled.label);
  end loop;
end $$;
comment on column reporting.sheets.id is 'Sheet ID [signer]';
comment on column reporting.goal_pace.entered_at is 'Date entered';

-- supabase/schemas/140_charts.sql

-- Charts of a campaign or a whole team: their definitions, their latest numbers, and how old these may get.

create table public.dashboards (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text references public.campaigns (id) on delete cascade,
  name text check (length(name) between 1 and 60),
  max_age int default 15 check (max_age in (5, 15, 60, 1440)),
  created_at timestamptz not null default now(),
  unique nulls not distinct (team_id, campaign_id, name)
);
comment on table public.dashboards is
  'The dashboards of a campaign or team next to its first one, which has a row only for settings that differ from the defaults.';
comment on column public.dashboards.name is 'Null: the first one.';
comment on column public.dashboards.max_age is
  'Minutes after which a chart is refreshed when someone opens it. Null: only on request. The first one''s applies to all.';
create index dashboards_campaign on public.dashboards (campaign_id);
alter table public.dashboards enable row level security;

create table public.charts (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text references public.campaigns (id) on delete cascade,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('bar', 'stacked-bar', 'line', 'area', 'pie', 'heat-map', 'pivot', 'table', 'number')),
  source text not null,
  group_by text not null default '',
  metrics jsonb not null default '[]',
  filters jsonb not null default '[]',
  display jsonb check (jsonb_typeof(display) = 'object' and length(display::text) <= 16384),
  dashboard_id uuid references public.dashboards (id) on delete cascade,
  width int not null default 1 check (width between 1 and 3),
  text text check (length(text) between 1 and 2000),
  version int not null default 1,
  position int not null default 0,
  data jsonb,
  generated_at timestamptz,
  data_version int,
  last_line bigint,
  last_change bigint,
  tried_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on column public.charts.campaign_id is 'Null: the chart covers the whole team.';
comment on column public.charts.display is
  'What it shows of its data: lib/charts/definition/definition.ts. Changing it doesn''t raise the version.';
comment on column public.charts.dashboard_id is 'Null: it is on the first dashboard of its place.';
comment on column public.charts.width is 'Thirds of the dashboard''s width.';
comment on column public.charts.text is 'Not null: it is a card with this text, which computes nothing.';
comment on column public.charts.version is 'Rises with each change of what is computed.';
comment on column public.charts.data_version is 'The version that data was computed from. If it differs from version, data is outdated.';
comment on column public.charts.last_line is 'The newest line in data, as stored_number.';
comment on column public.charts.last_change is 'The newest change of a line in data.';
comment on column public.charts.tried_at is 'When it was last picked for a refresh because of its age.';
comment on column public.charts.created_by is 'No foreign key: kept when the account is deleted.';
comment on column public.charts.deleted_at is 'Kept for undo, shown nowhere.';
create index charts_place on public.charts (team_id, campaign_id, position);
create index charts_campaign on public.charts (campaign_id);
create index charts_dashboard on public.charts (dashboard_id);
alter table public.charts enable row level security;

create function private.raise_chart_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.team_id, new.campaign_id, new.source, new.group_by, new.metrics, new.filters, new.text)
    is distinct from (old.team_id, old.campaign_id, old.source, old.group_by, old.metrics, old.filters, old.text)
  then
    new.version := greatest(new.version, old.version + 1);
  end if;
  return new;
end $$;
create trigger raise_chart_version before update on public.charts
for each row execute function private.raise_chart_version();

-- Changes by people with charts.edit. Access is checked here again, in the transaction of the change.

-- Changes of one dashboard run one after another, as its order and the number of its charts concern all of them. Take this
-- lock before locking a chart.
create function private.lock_dashboard(p_team_id text, p_campaign_id text) returns void
language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('charts:' || p_team_id || ':' || coalesce(p_campaign_id, ''), 0))
$$;

create function private.dashboard_is_full(p_team_id text, p_campaign_id text, p_dashboard_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) >= 100 from public.charts c
  where c.team_id = p_team_id and c.campaign_id is not distinct from p_campaign_id
    and c.dashboard_id is not distinct from p_dashboard_id and c.deleted_at is null
$$;

-- Null is the first dashboard, which each place has.
create function private.has_dashboard(p_team_id text, p_campaign_id text, p_dashboard_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select p_dashboard_id is null or exists (
    select from public.dashboards d
    where d.id = p_dashboard_id and d.team_id = p_team_id and d.campaign_id is not distinct from p_campaign_id
      and d.name is not null)
$$;

-- Behind the other charts of the place, also behind deleted ones, which may be restored.
create function private.next_position(p_team_id text, p_campaign_id text) returns int
language sql stable set search_path = ''
as $$
  select 1 + coalesce(max(c.position), 0) from public.charts c
  where c.team_id = p_team_id and c.campaign_id is not distinct from p_campaign_id
$$;

-- `p_chart`: { team, campaign, dashboard?, name, kind, source, groupBy, metrics, filters, display?, id?, version?,
-- updatedAt? }. Returns
-- { outcome, id, version }: 'done', 'not-allowed', 'not-found', 'full', or 'changed' if the chart was changed since;
-- { refused } for a definition that can't run, or that identifies signers to an actor without signatures.view.
create function public.save_chart(p_actor_id uuid, p_chart jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  given_id constant uuid := p_chart ->> 'id';
  team constant text := p_chart ->> 'team';
  campaign constant text := p_chart ->> 'campaign';
  dashboard constant uuid := p_chart ->> 'dashboard';
  chart public.charts;
begin
  if not private.has_key(p_actor_id, team, campaign, 'charts.edit') then
    return jsonb_build_object('outcome', 'not-allowed');
  end if;
  perform private.lock_dashboard(team, campaign);
  if given_id is not null then
    select * into chart from public.charts c
    where c.id = given_id and c.team_id = team and c.campaign_id is not distinct from campaign and c.deleted_at is null
      and c.text is null
    for update;
    if not found then
      return jsonb_build_object('outcome', 'not-found');
    elsif chart.version <> (p_chart ->> 'version')::int
      or chart.updated_at <> (p_chart ->> 'updatedAt')::timestamptz -- a new name or display makes no new version
    then
      return jsonb_build_object('outcome', 'changed');
    end if;
  elsif not private.has_dashboard(team, campaign, dashboard) then
    return jsonb_build_object('outcome', 'no-dashboard');
  elsif private.dashboard_is_full(team, campaign, dashboard) then
    return jsonb_build_object('outcome', 'full');
  end if;
  begin
    perform private.chart_statement(p_chart ->> 'source', campaign, p_chart ->> 'groupBy', p_chart);
    perform private.refuse_chart_of_signers(p_actor_id, team, campaign,
      p_chart ->> 'source', p_chart ->> 'groupBy', p_chart -> 'metrics', p_chart -> 'filters');
  exception when sqlstate 'SG422' then
    return sqlerrm;
  end;

  if given_id is null then
    insert into public.charts
      (team_id, campaign_id, dashboard_id, name, kind, source, group_by, metrics, filters, display, created_by, position, width)
    values (team, campaign, dashboard, p_chart ->> 'name', p_chart ->> 'kind', p_chart ->> 'source', p_chart ->> 'groupBy',
      p_chart -> 'metrics', p_chart -> 'filters', nullif(p_chart -> 'display', 'null'), p_actor_id,
      private.next_position(team, campaign),
      -- Cells need room.
      case p_chart ->> 'kind' when 'heat-map' then 2 when 'pivot' then 2 when 'table' then
        least(3, 1 + (jsonb_array_length(p_chart -> 'metrics')
          + coalesce(jsonb_array_length(p_chart -> 'display' -> 'derived'), 0)) / 3)
      else 1 end)
    returning * into chart;
  else
    update public.charts
    set name = p_chart ->> 'name', kind = p_chart ->> 'kind', source = p_chart ->> 'source',
      group_by = p_chart ->> 'groupBy', metrics = p_chart -> 'metrics', filters = p_chart -> 'filters',
      display = nullif(p_chart -> 'display', 'null'), updated_at = clock_timestamp()
    where id = given_id
    returning * into chart;
  end if;
  return jsonb_build_object('outcome', 'done', 'id', chart.id, 'version', chart.version);
end $$;
comment on function public.save_chart is
  'Stores a new or changed chart definition for an actor with charts.edit.';

-- The chart, locked, and in `outcome` whether the actor may change it. A chart of another team is 'not-found'.
create function private.chart_to_change(p_actor_id uuid, p_id uuid, out outcome text, out chart public.charts)
language plpgsql set search_path = ''
as $$
begin
  perform private.lock_dashboard(c.team_id, c.campaign_id) from public.charts c where c.id = p_id;
  select * into chart from public.charts c where c.id = p_id for update;
  outcome := case
    when not found or not exists (select from private.places(p_actor_id) a where a.team_id = chart.team_id) then 'not-found'
    when not private.has_key(p_actor_id, chart.team_id, chart.campaign_id, 'charts.edit') then 'not-allowed'
    else 'done'
  end;
end $$;

create function public.duplicate_chart(p_actor_id uuid, p_id uuid) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  target record;
  copy_id uuid;
begin
  select * into target from private.chart_to_change(p_actor_id, p_id);
  if target.outcome = 'done' and (target.chart).deleted_at is not null then
    target.outcome := 'not-found';
  elsif target.outcome = 'done' and private.dashboard_is_full(
    (target.chart).team_id, (target.chart).campaign_id, (target.chart).dashboard_id)
  then
    target.outcome := 'full';
  end if;
  if target.outcome <> 'done' then
    return jsonb_build_object('outcome', target.outcome);
  end if;
  update public.charts c set position = c.position + 1
  where c.team_id = (target.chart).team_id and c.campaign_id is not distinct from (target.chart).campaign_id
    and c.position > (target.chart).position;
  insert into public.charts (team_id, campaign_id, dashboard_id, width, text, name, kind, source, group_by, metrics, filters,
    display, position, created_by, data, generated_at, data_version, last_line, last_change)
  select o.team_id, o.campaign_id, o.dashboard_id, o.width, o.text, left('Copy of ' || o.name, 120), o.kind, o.source,
    o.group_by, o.metrics, o.filters, o.display, o.position + 1, p_actor_id, d.data, d.generated_at, d.version, d.last_line, d.last_change
  from public.charts o
  left join lateral (
    select o.data, o.generated_at, 1 as version, o.last_line, o.last_change
    where o.data_version = o.version -- a copy begins at version 1
  ) d on true
  where o.id = p_id
  returning id into copy_id;
  return jsonb_build_object('outcome', 'done', 'id', copy_id);
end $$;
comment on function public.duplicate_chart is 'Copies a chart to the place after it, for an actor with charts.edit.';

create function public.delete_chart(p_actor_id uuid, p_id uuid) returns text
language plpgsql set search_path = ''
as $$
declare
  outcome text := (select c.outcome from private.chart_to_change(p_actor_id, p_id) c);
begin
  if outcome = 'done' then
    update public.charts set deleted_at = now() where id = p_id and deleted_at is null;
  end if;
  return outcome;
end $$;
comment on function public.delete_chart is 'Removes a chart from its dashboard; restore_chart puts it back.';

-- The place is needed because a deleted chart isn't listed on any dashboard.
create function public.restore_chart(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid) returns text
language plpgsql set search_path = ''
as $$
declare
  target record;
begin
  select * into target from private.chart_to_change(p_actor_id, p_id);
  if target.outcome = 'done'
    and ((target.chart).team_id, (target.chart).campaign_id) is distinct from (p_team_id, p_campaign_id)
  then
    return 'not-found';
  elsif target.outcome = 'done' and (target.chart).deleted_at is not null then
    if private.dashboard_is_full(p_team_id, p_campaign_id, (target.chart).dashboard_id) then
      return 'full';
    end if;
    update public.charts set deleted_at = null where id = p_id;
  end if;
  return target.outcome;
end $$;
comment on function public.restore_chart is 'Puts a deleted chart of a place back where it was.';

-- The named charts of the place come first, in this order; the others keep theirs. Deleted charts keep their positions,
-- for undo.
create function public.order_charts(p_actor_id uuid, p_team_id text, p_campaign_id text, p_ids jsonb) returns text
language plpgsql set search_path = ''
as $$
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.edit') then
    return 'not-allowed';
  end if;
  perform private.lock_dashboard(p_team_id, p_campaign_id);
  with places as (
    select c.id, c.deleted_at is null as shown, row_number() over (order by c.position, c.id) as position
    from public.charts c
    where c.team_id = p_team_id and c.campaign_id is not distinct from p_campaign_id
  ),
  ordered as (
    select p.id, row_number() over (order by g.at nulls last, p.position) as number
    from places p
    left join lateral (
      select min(e.at) as at from jsonb_array_elements_text(p_ids) with ordinality as e (id, at)
      where e.id = p.id::text
    ) g on true
    where p.shown
  ),
  free as (select p.position, row_number() over (order by p.position) as number from places p where p.shown)
  update public.charts c set position = o.position
  from (
    select o.id, f.position from ordered o join free f using (number)
    union all
    select p.id, p.position from places p where not p.shown
  ) o
  where c.id = o.id and c.position <> o.position;
  return 'done';
end $$;
comment on function public.order_charts is 'Orders the charts of a place, for an actor with charts.edit.';

create function public.resize_chart(p_actor_id uuid, p_id uuid, p_width int) returns text
language plpgsql set search_path = ''
as $$
declare
  outcome text := (select c.outcome from private.chart_to_change(p_actor_id, p_id) c);
begin
  if outcome = 'done' then
    update public.charts set width = p_width where id = p_id;
  end if;
  return outcome;
end $$;
comment on function public.resize_chart is 'Sets how many thirds of its dashboard a chart is wide, for an actor with charts.edit.';

-- Behind the cards of the other dashboard.
create function public.move_chart(p_actor_id uuid, p_id uuid, p_dashboard_id uuid) returns text
language plpgsql set search_path = ''
as $$
declare
  target record;
begin
  select * into target from private.chart_to_change(p_actor_id, p_id);
  if target.outcome <> 'done' then
    return target.outcome;
  elsif (target.chart).deleted_at is not null then
    return 'not-found';
  elsif (target.chart).dashboard_id is not distinct from p_dashboard_id then
    return 'done';
  elsif not private.has_dashboard((target.chart).team_id, (target.chart).campaign_id, p_dashboard_id) then
    return 'no-dashboard';
  elsif private.dashboard_is_full((target.chart).team_id, (target.chart).campaign_id, p_dashboard_id) then
    return 'full';
  end if;
  update public.charts
  set dashboard_id = p_dashboard_id, position = private.next_position((target.chart).team_id, (target.chart).campaign_id)
  where id = p_id;
  return 'done';
end $$;
comment on function public.move_chart is
  'Moves a chart or text to another dashboard of its place, null for the first one, for an actor with charts.edit.';

-- With an id, it changes that card if it still has the version that was edited.
create function public.save_text(p_actor_id uuid, p_team_id text, p_campaign_id text, p_dashboard_id uuid, p_id uuid,
  p_version int, p_name text, p_text text)
returns text
language plpgsql set search_path = ''
as $$
declare
  card public.charts;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.edit') then
    return 'not-allowed';
  end if;
  perform private.lock_dashboard(p_team_id, p_campaign_id);
  if p_id is not null then
    select * into card from public.charts c
    where c.id = p_id and c.team_id = p_team_id and c.campaign_id is not distinct from p_campaign_id
      and c.deleted_at is null and c.text is not null;
    if not found then
      return 'not-found';
    elsif card.version <> p_version then
      return 'changed';
    end if;
    update public.charts set name = p_name, text = p_text, version = version + 1, updated_at = now() where id = p_id;
  elsif not private.has_dashboard(p_team_id, p_campaign_id, p_dashboard_id) then
    return 'no-dashboard';
  elsif private.dashboard_is_full(p_team_id, p_campaign_id, p_dashboard_id) then
    return 'full';
  else
    insert into public.charts (team_id, campaign_id, dashboard_id, name, text, kind, source, created_by, position)
    values (p_team_id, p_campaign_id, p_dashboard_id, p_name, p_text, 'table', '', p_actor_id,
      private.next_position(p_team_id, p_campaign_id));
  end if;
  return 'done';
end $$;
comment on function public.save_text is 'Stores a new or changed card with a text on a dashboard, for an actor with charts.edit.';

-- Without an id it adds a dashboard, otherwise it renames that one, if it still has the name p_before. Returns { outcome, id }.
create function public.save_dashboard(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_name text,
  p_before text)
returns jsonb
language plpgsql set search_path = ''
as $$
declare
  dashboard uuid := p_id;
  name_now text;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.edit') then
    return jsonb_build_object('outcome', 'not-allowed');
  end if;
  perform private.lock_dashboard(p_team_id, p_campaign_id);
  select d.name into name_now from public.dashboards d where d.id = p_id;
  if not private.has_dashboard(p_team_id, p_campaign_id, p_id) then
    return jsonb_build_object('outcome', 'no-dashboard');
  elsif name_now <> p_before then
    return jsonb_build_object('outcome', 'renamed', 'name', name_now);
  elsif lower(p_name) = 'main' or exists ( -- what people see as the name of the first one
    select from public.dashboards d
    where d.team_id = p_team_id and d.campaign_id is not distinct from p_campaign_id and lower(d.name) = lower(p_name)
      and d.id is distinct from p_id)
  then
    return jsonb_build_object('outcome', 'name-taken');
  elsif p_id is not null then
    update public.dashboards set name = p_name where id = p_id;
  elsif 20 <= (
    select count(*) from public.dashboards d
    where d.team_id = p_team_id and d.campaign_id is not distinct from p_campaign_id and d.name is not null)
  then
    return jsonb_build_object('outcome', 'too-many');
  else
    insert into public.dashboards (team_id, campaign_id, name) values (p_team_id, p_campaign_id, p_name)
    returning id into dashboard;
  end if;
  return jsonb_build_object('outcome', 'done', 'id', dashboard);
end $$;
comment on function public.save_dashboard is 'Adds or renames a dashboard, for an actor with charts.edit.';

create function public.delete_dashboard(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid) returns text
language plpgsql set search_path = ''
as $$
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.edit') then
    return 'not-allowed';
  end if;
  perform private.lock_dashboard(p_team_id, p_campaign_id);
  if p_id is null or not private.has_dashboard(p_team_id, p_campaign_id, p_id) then
    return 'no-dashboard';
  end if;
  delete from public.dashboards where id = p_id;
  return 'done';
end $$;
comment on function public.delete_dashboard is
  'Deletes a dashboard with its charts, but never the first one of a place, for an actor with charts.edit.';

-- ── How fresh charts are ───────────────────────────────────────────────────────────────────────────────────────────

create function private.max_age(p_team_id text, p_campaign_id text) returns int
language sql stable set search_path = ''
as $$
  select case when count(*) = 0 then 15 else min(d.max_age) end from public.dashboards d
  where d.team_id = p_team_id and d.campaign_id is not distinct from p_campaign_id and d.name is null
$$;

-- When a chart gets older than its dashboard allows; -infinity if it has no numbers of its definition. Null: never.
create function private.stale_at(
  p_team_id text, p_campaign_id text, p_version int, p_data_version int, p_generated_at timestamptz)
returns timestamptz
language sql stable set search_path = ''
as $$
  select case when p_data_version is distinct from p_version or p_generated_at is null then '-infinity'
    else p_generated_at + m.age * interval '1 minute' end
  from private.max_age(p_team_id, p_campaign_id) as m (age)
  where m.age is not null
$$;

-- The newest line of a place, and the newest change of one: later ones are newer than a chart computed now.
create function private.newest_in_place(
  p_team_id text, p_campaign_id text, out last_line bigint, out last_change bigint)
language sql stable set search_path = ''
as $$
  select coalesce(max(n.line), 0), coalesce(max(n.change), 0)
  from public.campaign_team a
  cross join lateral (select
    (select max(l.stored_number) from public.lines l where l.campaign_id = a.campaign_id) as line,
    (select max(c.id) from public.line_changes c where c.campaign_id = a.campaign_id) as change) n
  where a.team_id = p_team_id and (p_campaign_id is null or a.campaign_id = p_campaign_id)
$$;

-- Whether the last try to refresh a stale chart failed. A try takes at most 15 s.
create function private.has_failed(p_stale_at timestamptz, p_tried_at timestamptz, p_generated_at timestamptz)
returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(p_stale_at <= now() and p_tried_at > coalesce(p_generated_at, '-infinity')
    and p_tried_at < now() - interval '20 seconds', false)
$$;

create function public.failed_charts(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(c.name order by c.position, c.id), '[]')
  from public.charts c
  cross join private.stale_at(c.team_id, c.campaign_id, c.version, c.data_version, c.generated_at) as s (at)
  where c.team_id = p_team_id and c.campaign_id = p_campaign_id and c.deleted_at is null
    and private.has_failed(s.at, c.tried_at, c.generated_at)
$$;
comment on function public.failed_charts is
  'The names of a campaign''s charts whose last refresh failed. Guard charts.view first.';

-- `newer` counts lines of the chart's place, whether or not its filters let them pass; 1001 means more than 1000.
create function public.chart_freshness(p_ids jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(c.id, jsonb_build_object(
    'isStale', coalesce(s.at <= now(), false), 'failed', f.failed, 'newer', n.newer,
    'staleAt', case when f.failed then c.tried_at + interval '5 minutes' when s.at > now() then s.at end)), '{}')
  from public.charts c
  cross join private.stale_at(c.team_id, c.campaign_id, c.version, c.data_version, c.generated_at) as s (at)
  cross join private.has_failed(s.at, c.tried_at, c.generated_at) as f (failed)
  cross join lateral (
    select count(*) as newer from (
      (select l.id from public.campaign_team t
        cross join lateral ( -- in the order of an index, so that it never scans the other lines
          select l.id from public.lines l
          where l.campaign_id = t.campaign_id and l.stored_number > c.last_line and l.team_id = c.team_id
            and l.verdict <> 'blank'
          order by l.stored_number desc limit 1001) l
        where t.team_id = c.team_id and (c.campaign_id is null or t.campaign_id = c.campaign_id)
        limit 1001)
      union
      (select x.line_id from public.campaign_team t
        cross join lateral (
          select x.line_id from public.line_changes x
          where x.campaign_id = t.campaign_id and x.id > c.last_change and x.team_id = c.team_id
            and not exists (select from public.lines l where l.id = x.line_id and l.verdict = 'blank')
          order by x.id desc limit 1001) x
        where t.team_id = c.team_id and (c.campaign_id is null or t.campaign_id = c.campaign_id)
        limit 1001)
      limit 1001
    ) l
  ) n
  where c.id = any (array(select i::uuid from jsonb_array_elements_text(p_ids) i))
$$;
comment on function public.chart_freshness is
  'Of charts, by their ids: { isStale, failed: the last refresh failed, staleAt: when the next one is due, newer: how many '
  'lines were entered or changed since }. Guard charts.view first.';

-- If many people open a dashboard at once, each chart is returned to one of them. A failed refresh may be tried again after
-- five minutes. One chart at a time, so that an interrupted caller leaves the others.
create function public.take_stale_chart(p_ids jsonb) returns uuid
language sql set search_path = ''
as $$
  update public.charts c set tried_at = now()
  where c.id = (
    select c.id from public.charts c
    where c.id = any (array(select i::uuid from jsonb_array_elements_text(p_ids) i)) and c.deleted_at is null
      and private.stale_at(c.team_id, c.campaign_id, c.version, c.data_version, c.generated_at) <= now()
      and (c.tried_at is null or c.tried_at < now() - interval '5 minutes')
    order by c.position, c.id limit 1
    for update of c skip locked)
  returning c.id
$$;
comment on function public.take_stale_chart is
  'The first of the charts that is stale and not being refreshed, for the caller to generate. Guard charts.view first.';

create function public.set_max_age(p_actor_id uuid, p_team_id text, p_campaign_id text, p_max_age int) returns text
language plpgsql set search_path = ''
as $$
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.edit') then
    return 'not-allowed';
  end if;
  insert into public.dashboards (team_id, campaign_id, max_age) values (p_team_id, p_campaign_id, p_max_age)
  on conflict (team_id, campaign_id, name) do update set max_age = excluded.max_age;
  return 'done';
end $$;
comment on function public.set_max_age is
  'Sets how old the charts of a dashboard may get, for an actor with charts.edit.';

-- The settings of a dashboard, and at most 500 values for each of its filters.
create function public.read_dashboard(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = ''
as $$
  with place as materialized (
    select n.county, n.entered_by
    from public.campaign_team t
    join private.line_counts n on n.campaign_id = t.campaign_id and n.per = 'county' and n.team_id = t.team_id
      and n.entered > 0
    where t.team_id = p_team_id and (p_campaign_id is null or t.campaign_id = p_campaign_id)
  )
  select jsonb_build_object(
    'maxAge', private.max_age(p_team_id, p_campaign_id),
    'dashboards', (
      select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) order by d.created_at, d.id), '[]')
      from public.dashboards d
      where d.team_id = p_team_id and d.campaign_id is not distinct from p_campaign_id and d.name is not null),
    'counties', (
      select coalesce(jsonb_agg(c.county), '[]') from (
        select distinct p.county collate "C" as county from place p where p.county is not null order by 1 limit 500) c),
    'clerks', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.entered_by, 'name', c.name) order by c.name), '[]') from (
        select distinct p.entered_by, u.name from place p join public.profiles u on u.user_id = p.entered_by
        limit 500) c),
    'circulators', (
      select coalesce(jsonb_agg(c.circulator), '[]') from (
        select distinct s.circulator collate "C" as circulator from public.sheets s
        where s.team_id = p_team_id and (p_campaign_id is null or s.campaign_id = p_campaign_id)
          and s.circulator is not null
        order by 1 limit 500) c))
$$;
comment on function public.read_dashboard is
  'How old the charts of a place may get, its dashboards next to the first one, and the counties, clerks and circulators of '
  'its lines: { maxAge, dashboards: [{ id, name }], counties, clerks: [{ id, name }], circulators }. Guard charts.view first.';

-- Of a filtered dashboard without its stored numbers, which it doesn't show.
create function public.dashboard_version(p_team_id text, p_campaign_id text, p_dashboard_id uuid, p_filtered boolean)
returns text
language sql stable set search_path = ''
as $$
  select md5(concat(private.max_age(p_team_id, p_campaign_id),
    (select jsonb_agg(jsonb_build_array(d.id, d.name) order by d.id) from public.dashboards d
      where d.team_id = p_team_id and d.campaign_id is not distinct from p_campaign_id),
    (select jsonb_agg(
        jsonb_build_array(c.id, c.version, c.width, c.updated_at, case when not p_filtered then c.generated_at end)
        order by c.campaign_id is null, c.position, c.id)
      from public.charts c
      where c.team_id = p_team_id and (c.campaign_id = p_campaign_id or c.campaign_id is null)
        and c.dashboard_id is not distinct from p_dashboard_id and c.deleted_at is null)))
$$;
comment on function public.dashboard_version is
  'Differs when a dashboard has changed: its charts, their order and numbers, or its settings. Guard charts.view first.';

-- supabase/schemas/142_chart_columns.sql

-- The columns that charts can use, and how a definition is refused.
--
-- A definition that can't run is raised as SG422 within these functions and returned as { refused: { part, message } }: the
-- part of the definition (`metrics.0.column`) and a sentence. What the actor isn't allowed to see is returned as
-- { refused: { needs } }, the permission key.

create function private.refuse_chart(p_when boolean, p_part text, p_message text, variadic p_args text[] default '{}')
returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if p_when then
    raise exception using errcode = 'SG422', message = json_build_object(
      'refused', json_build_object('part', p_part, 'message', format(p_message, variadic p_args)))::text;
  end if;
end $$;

-- `expression` is the column of a view `v` as charts compute with it. Text is in "C" order, the same on every server.
-- A float becomes its shortest decimal, so that sums are exact. JSON's null counts as no value.
-- `bare` is the column itself, if grouping by it keeps the same values apart: that saves computing something for each
-- record. A nondeterministic collation treats different texts as equal.
-- `part` names the date or time column that this one is a part of: { of, unit }.
-- `identifies` says that it identifies signers: its comment is marked, or it has none.
create view private.chart_columns as
with recursive base as ( -- a domain counts as its type
  select a.attrelid, a.attnum, a.attname, a.atttypid as type_id, a.attcollation as collation_id
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'reporting' and c.relkind in ('v', 'm', 'r', 'p', 'f') and a.attnum > 0 and not a.attisdropped
  union all
  select b.attrelid, b.attnum, b.attname, t.typbasetype, b.collation_id from base b
  join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype = 'd'
)
select c.oid as relation, c.relname as source, b.attnum as place, b.attname as name,
  coalesce(regexp_replace(d.comment, ' *\[signer\]$', ''), replace(b.attname, '_', ' ')) as label,
  coalesce(d.comment ~ '\[signer\]$', true) as identifies,
  k.type, format_type(t.oid, null) as data_type,
  format(
    case
      when k.type = 'text' then case when t.typname in ('text', 'varchar') then 'v.%I' else 'v.%I::text' end || ' collate "C"'
      when t.typname in ('float4', 'float8') then 'v.%I::text::numeric'
      when k.type = 'array' then 'to_jsonb(v.%I)'
      when k.type = 'json' then 'nullif(v.%I::jsonb, ''null'')'
      else 'v.%I'
    end, b.attname) as expression,
  case when t.typname in ('text', 'varchar') and l.collisdeterministic then format('v.%I', b.attname) end as bare,
  (select jsonb_build_object('of', p[1], 'unit', p[2])
    from regexp_match(b.attname, '^(.+)_(day|week|month|weekday|hour)$') p
    where exists (select from base o
      where o.attrelid = b.attrelid and o.attname = p[1] and o.type_id in ('date'::regtype, 'timestamptz'::regtype))) as part
from base b
join pg_catalog.pg_class c on c.oid = b.attrelid
join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype <> 'd'
left join pg_catalog.pg_collation l on l.oid = b.collation_id
cross join lateral col_description(c.oid, b.attnum) as d (comment)
cross join lateral (
  select case
    when t.typname in ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8') then 'number'
    when t.typname = 'date' then 'date'
    when t.typname in ('timestamp', 'timestamptz') then 'time'
    when t.typname = 'bool' then 'boolean'
    when t.typname = 'uuid' then 'uuid'
    when t.typname in ('json', 'jsonb') then 'json'
    when t.typcategory = 'A' then 'array'
    else 'text'
  end as type
) k;

-- A view without team and campaign would be read unfiltered.
create view private.chart_sources as
select c.relation, c.source
from private.chart_columns c
where c.name in ('team_id', 'campaign_id') and has_table_privilege('service_role', c.relation, 'select')
group by c.relation, c.source
having count(*) = 2;
create function public.chart_sources() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', s.source,
    'label', split_part(d.comment, ': ', 1),
    'description', case when d.comment like '%: %' then substr(d.comment, strpos(d.comment, ': ') + 2) else '' end,
    'columns', (
      select jsonb_agg(jsonb_build_object('name', c.name, 'label', c.label, 'type', c.type, 'part', c.part,
        'identifies', c.identifies) order by c.place)
      from private.chart_columns c where c.relation = s.relation
    ),
    'countsVoters', exists (
      select from private.chart_columns c where c.relation = s.relation and c.name = 'county' and c.type = 'text')
      and exists (select from voterfile.counties)
  ) order by s.source collate "C"), '[]')
  from private.chart_sources s
  cross join lateral (
    select coalesce(obj_description(s.relation, 'pg_class'), replace(s.source, '_', ' ')) as comment
  ) d
$$;
comment on function public.chart_sources is
  'The views that charts may read: [{ name, label, description, columns: [{ name, label, type, part, identifies }], '
  'countsVoters: grouped by county, it can show registered voters }].';

-- The columns of a source by their names, each as a row of private.chart_columns. Refuses what charts may not read.
create function private.columns_of_source(p_source text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  perform private.refuse_chart(not exists (select from private.chart_sources s where s.source = p_source),
    'source', 'There''s no chart source "%s".', p_source);
  return (select jsonb_object_agg(c.name, to_jsonb(c)) from private.chart_columns c where c.source = p_source);
end $$;

create function private.chart_column(p_columns jsonb, p_name jsonb) returns jsonb
language sql immutable set search_path = ''
as $$ select case when jsonb_typeof(p_name) = 'string' then p_columns -> (p_name #>> '{}') end $$;

grant select on private.chart_columns, private.chart_sources to service_role;

-- supabase/schemas/144_chart_values.sql

-- Values: how a result shows them, the relative days, and the values of filters as SQL.

-- The next three are called for each group or record, where settings of their own would cost more than the work itself.
-- Their callers set search_path and extra_float_digits.

-- Whether a number is the same after JavaScript has read it as JSON.
create function private.survives_json(p_number numeric) returns boolean
language sql immutable parallel safe
return case
  when p_number = 0 then true
  when p_number = 'NaN' or abs(p_number) not between 1e-300 and 1e300 then false
  else p_number = p_number::float8::text::numeric
end;

-- A value as a result shows it: as text if JavaScript couldn't hold a number in it exactly.
create function private.chart_value(p_value jsonb) returns jsonb
language sql immutable parallel safe
return case
  when jsonb_typeof(p_value) in ('number', 'array', 'object') and exists (
    select from jsonb_path_query(p_value, 'strict $.**') as part
    where jsonb_typeof(part) = 'number' and not private.survives_json(part::numeric)
  ) then to_jsonb(p_value #>> '{}')
  else p_value
end;

-- A total over a count as a result shows it: an integer exactly, anything else rounded half away from zero to 15
-- significant digits, in one step. Null over nothing.
create function private.chart_number(p_total numeric, p_count bigint, p_metric text, p_part text) returns numeric
language plpgsql immutable parallel safe
as $$
declare
  quotient numeric := p_total / nullif(p_count, 0);
  places int; -- after the decimal point
begin
  if quotient is null then
    return null;
  elsif abs(quotient) < 1e9 and scale(trim_scale(quotient)) <= 6 and quotient * p_count = p_total then
    return trim_scale(quotient); -- as most are: exact, of 15 digits at most
  elsif quotient in ('NaN', 'Infinity', '-Infinity') then
    perform private.refuse_chart(true, p_part, 'The measure "%s" includes values that aren''t finite.', p_metric);
  elsif mod(p_total, p_count) = 0 then
    if abs(quotient) > 9007199254740992 then
      perform private.refuse_chart(true, p_part,
        'The measure "%s" is a whole number above 2^53, which can''t be shown exactly.', p_metric);
    end if;
    return trunc(quotient);
  end if;
  places := 15 - case
    when abs(quotient) >= 1 then length(trunc(abs(quotient))::text)
    else -length(substring(quotient::text from '0\.(0*)'))
  end;
  quotient := sign(p_total) * ('1e' || -places)::numeric
    * div(2 * abs(p_total) * ('1e' || places)::numeric + p_count, 2 * p_count);
  if abs(quotient) not between 1e-300 and 1e300 then
    perform private.refuse_chart(true, p_part,
      'The measure "%s" is too large or too small to be shown.', p_metric);
  end if;
  return trim_scale(quotient);
end $$;

-- Immutable, unlike a plain cast, because the text is always ISO 8601. So the planner treats a bound date or time as a
-- constant instead of computing it for each record.
create function private.chart_day(p_text text) returns date
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO'
as $$ begin return p_text::date; end $$;

create function private.chart_moment(p_text text) returns timestamptz
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO' set timezone = 'UTC'
as $$ begin return p_text::timestamptz; end $$;

-- The dates of a period such as `last week`, as seen from a date; null if it isn't one. A test holds it equal to `resolvePeriod` in
-- lib/charts/definition/period.ts.
create function private.chart_period(p_words text, p_today date) returns daterange
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when p_words = 'today' then daterange(p_today, p_today + 1)
    when p_words = 'yesterday' then daterange(p_today - 1, p_today)
    when p_words ~ '^last [1-9]\d{0,2} days$' then daterange(p_today - split_part(p_words, ' ', 2)::int + 1, p_today + 1)
    when p_words ~ '^(this|last) (week|month|year)$' then (
      select case when p_words like 'this %' then daterange(f.first, (f.first + f.step)::date)
        else daterange((f.first - f.step)::date, f.first) end
      from split_part(p_words, ' ', 2) as unit (word)
      cross join lateral (
        select date_trunc(unit.word, p_today::timestamp)::date as first, ('1 ' || unit.word)::interval as step) f)
  end
$$;

-- A definition with what its relative dates depend on: the team's time zone, and the date there at a moment.
create function private.chart_seen_at(p_definition jsonb, p_team_id text, p_at timestamptz) returns jsonb
language sql stable set search_path = '' set datestyle = 'ISO'
as $$
  select p_definition || jsonb_build_object('timeZone', z.name, 'today', (p_at at time zone z.name)::date)
  from coalesce((select t.time_zone from public.teams t where t.id = p_team_id), 'UTC') as z (name)
$$;

-- Whether a filter's value is of a column's type. A number that JavaScript can't hold exactly comes as text.
create function private.chart_value_fits(p_column jsonb, p_value jsonb) returns boolean
language plpgsql immutable set search_path = '' set extra_float_digits = 1
as $$
declare
  kind constant text := jsonb_typeof(p_value);
  text_value constant text := case kind when 'string' then p_value #>> '{}' end;
begin
  return coalesce(case p_column ->> 'type'
    when 'json' then kind is not null
    when 'array' then kind = 'array'
    when 'boolean' then kind = 'boolean'
    when 'text' then kind = 'string'
    when 'number' then kind = 'number'
      or text_value ~ '^(-?\d+(\.\d+)?|NaN|-?Infinity)$' and not private.survives_json(text_value::numeric)
    when 'date' then text_value ~ '^\d{4}-\d\d-\d\d$' and private.chart_day(text_value) is not null
    when 'time' then text_value ~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[-+]\d\d(:?\d\d)?)?)?$'
      and private.chart_moment(text_value) is not null
    when 'uuid' then text_value ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
  end, false);
exception when data_exception then -- the 30th of February, the year 0
  return false;
end $$;

-- The value at a path of the definition, as one of the column's type.
create function private.chart_bound(p_column jsonb, p_value jsonb, p_path text[]) returns text
language sql immutable set search_path = ''
as $$
  select format(case
    when p_column ->> 'type' = 'date' then 'private.chart_day($3 #>> %L)'
    when p_column ->> 'data_type' = 'timestamp without time zone'
      then '(private.chart_moment($3 #>> %L) at time zone ''UTC'')'
    when p_column ->> 'type' = 'time' then 'private.chart_moment($3 #>> %L)'
    when p_column ->> 'type' in ('array', 'json') then '($3 #> %L)'
    when p_column ->> 'type' = 'text' then '($3 #>> %L)'
    -- Integers are compared as such, so that an index can be used.
    when p_column ->> 'data_type' in ('smallint', 'integer', 'bigint') and jsonb_typeof(p_value) = 'number'
      and p_value::numeric between -9e18 and 9e18 and mod(p_value::numeric, 1) = 0 then '($3 #>> %L)::numeric::bigint'
    when p_column ->> 'type' = 'number' then '($3 #>> %L)::numeric'
    else '($3 #>> %L)::' || (p_column ->> 'data_type')
  end, p_path)
$$;

-- supabase/schemas/146_chart_parts.sql

-- The parts of a chart's statement: the conditions of its filters, its measures and its groups.

-- ── Conditions ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- The filter at `p_part` of a definition as a condition on `v`. { any: [filter] } and { all: [filter] } are filters too.
create function private.chart_filter(p_filter jsonb, p_part text, p_columns jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  col constant jsonb := private.chart_column(p_columns, p_filter -> 'column');
  type constant text := col ->> 'type';
  x constant text := col ->> 'expression';
  given constant text := case when jsonb_typeof(p_filter -> 'operator') = 'string' then p_filter ->> 'operator' end;
  operator constant text := regexp_replace(given, '^not-(in|contains)$', '\1');
  val constant jsonb := p_filter -> 'value';
  path constant text[] := array_append(string_to_array(p_part, '.'), 'value');
  is_period constant boolean := type in ('date', 'time') and operator in ('eq', 'gt', 'gte', 'lt', 'lte')
    and jsonb_typeof(val) = 'string' and private.chart_period(val #>> '{}', '2000-01-01') is not null;
begin
  perform private.refuse_chart(jsonb_typeof(p_filter) <> 'object', p_part,
    'A filter must have a column, an operator and a value.');
  if p_filter ?| array['any', 'all'] then
    return private.chart_filter_group(p_filter, p_part, p_columns);
  end if;
  perform private.refuse_chart(col is null, p_part || '.column',
    'A filter uses the column "%s", which the source doesn''t have.', p_filter ->> 'column');
  perform private.refuse_chart(operator is null or not operator = any (array['eq', 'neq', 'in'] || case
      when type = 'text' then array['gt', 'gte', 'lt', 'lte', 'contains', 'ilike']
      when type in ('number', 'date', 'time') then array['gt', 'gte', 'lt', 'lte']
      when type in ('array', 'json') then array['contains']
    end), p_part || '.operator',
    'The filter on "%s" can''t use the operator "%s" with a column of type %s.',
    p_filter ->> 'column', p_filter ->> 'operator', type);
  perform private.refuse_chart(val is null or not case
      when is_period then true
      when operator = 'in' then jsonb_typeof(val) = 'array' and not exists (
        select from jsonb_array_elements(val) e where e <> 'null' and not private.chart_value_fits(col, e))
      when operator in ('eq', 'neq') and val = 'null' then true
      when operator = 'contains' and type <> 'text' then val <> 'null'
      else private.chart_value_fits(col, val)
    end, p_part || '.value',
    'The filter on "%s" needs a value of type %s.', p_filter ->> 'column', type);
  if operator <> given then -- also of missing values
    return format('(%s) is not true',
      private.chart_filter(p_filter || jsonb_build_object('operator', operator), p_part, p_columns));
  end if;

  if operator = 'in' then
    return format('(%s%s)',
      coalesce((select format('%s = any (array[%s])', x,
          string_agg(private.chart_bound(col, e.value, path || (e.at - 1)::text), ', ' order by e.at))
        from jsonb_array_elements(val) with ordinality as e (value, at) where e.value <> 'null'
        having count(*) > 0), 'false'),
      case when val @> '[null]' then format(' or %s is null', x) end);
  elsif val = 'null' and operator in ('eq', 'neq') then
    return x || case operator when 'eq' then ' is null' else ' is not null' end;
  elsif is_period then -- times by their date in the team's zone, like the `_day` columns
    return format(case operator
      when 'eq' then '%s <@ %s'
      when 'gt' then '%s >= upper(%s)'
      when 'gte' then '%s >= lower(%s)'
      when 'lt' then '%s < lower(%s)'
      when 'lte' then '%s < upper(%s)'
    end, case col ->> 'data_type'
      when 'date' then x
      when 'timestamp without time zone' then format('(%s at time zone ''UTC'' at time zone ($3 ->> ''timeZone''))::date', x)
      else format('(%s at time zone ($3 ->> ''timeZone''))::date', x)
    end, format('private.chart_period($3 #>> %L, private.chart_day($3 ->> ''today''))', path));
  end if;
  return format(case operator
    when 'eq' then '%s = %s'
    when 'neq' then '%s is distinct from %s'
    when 'gt' then '%s > %s'
    when 'gte' then '%s >= %s'
    when 'lt' then '%s < %s'
    when 'lte' then '%s <= %s'
    when 'contains' then case type when 'text' then 'strpos(%s, %s) > 0' else '%s @> %s' end
    when 'ilike' then '%s collate pg_catalog."default" ilike %s escape '''''
  end, x, private.chart_bound(col, val, path));
end $$;

-- { any: [filter] }, of which a record has to match one, or { all: [filter] }.
create function private.chart_filter_group(p_group jsonb, p_part text, p_columns jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  word constant text := case when p_group ? 'any' then 'any' else 'all' end;
  part constant text := p_part || '.' || word;
  filters constant jsonb := p_group -> word;
begin
  perform private.refuse_chart(jsonb_typeof(filters) <> 'array', part, 'Filters must be a list.');
  perform private.refuse_chart(jsonb_array_length(filters) not between 1 and 50, part,
    'A group can have 1 to 50 filters.');
  return (
    select '(' || string_agg(private.chart_filter(f.value, part || '.' || f.at - 1, p_columns),
      case word when 'any' then ' or ' else ' and ' end) || ')'
    from jsonb_array_elements(filters) with ordinality as f (value, at)
  );
end $$;

-- The list of filters at `p_part` of a definition as one condition on `v`.
create function private.chart_condition(p_definition jsonb, p_part text, p_columns jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  filters constant jsonb := nullif(p_definition #> string_to_array(p_part, '.'), 'null');
begin
  perform private.refuse_chart(jsonb_typeof(filters) <> 'array', p_part, 'Filters must be a list.');
  perform private.refuse_chart(jsonb_array_length(filters) > 50, p_part, 'A list can have at most 50 filters.');
  return (
    select coalesce(string_agg(private.chart_filter(f.value, p_part || '.' || f.at - 1, p_columns), ' and '), 'true')
    from jsonb_array_elements(filters) with ordinality as f (value, at)
  );
end $$;

-- A chart without a campaign covers the team.
create function private.chart_place(p_campaign_id text) returns text
language sql immutable set search_path = ''
as $$
  select 'v.team_id::text = $1' || case when p_campaign_id is not null then ' and v.campaign_id::text = $2' else '' end
$$;

-- ── Measures ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- The aggregations, with the column types that each fits. A number is a total of the values `%1$s` that pass the filter
-- clause `%2$s`, over a divisor. So all are exact: the median of an even count is the sum of the two middle values, halved
-- (percentile_cont(0.5) means the same but computes in floats). A test holds this list equal to `aggregations` in
-- lib/charts/definition/words.ts. A total is one parenthesized expression; cast to numeric before computing with values.
-- Counts have no divisor; a result is a number. `registered` isn't computed from records: each county's number is looked up.
create view private.chart_aggregations (place, name, types, total, divisor) as values
  (1, 'count', null::text[], 'count(%1$s)%2$s', null),
  (2, 'sum', '{number}', 'sum(%1$s)%2$s', '1'),
  (3, 'avg', '{number}', 'sum(%1$s)%2$s', 'count(%1$s)%2$s'),
  (4, 'median', '{number}', '(percentile_disc(0.5) within group (order by (%1$s)::numeric)%2$s'
    ' + percentile_disc(0.5) within group (order by (%1$s)::numeric desc)%2$s)', '2'),
  (5, 'min', '{number,date,time}', 'min(%1$s)%2$s', '1'),
  (6, 'max', '{number,date,time}', 'max(%1$s)%2$s', '1'),
  (7, 'distinct', '{text,number,date,time,boolean,uuid,array,json}', 'count(distinct %1$s)%2$s', null),
  (8, 'registered', '{}', null, null);

-- What a statement selects for the measures of a group `g`, and the pairs of the object with its values.
create function private.chart_measures(
  p_definition jsonb, p_columns jsonb, p_groups jsonb[], out selected text, out listed text)
language plpgsql stable set search_path = ''
as $$
declare
  metrics constant jsonb := coalesce(p_definition -> 'metrics', '[]');
  keys text[] := '{}';
  metric jsonb;
  part text;
  key text;
  aggregation private.chart_aggregations;
  col jsonb;
  x text;
  condition text;
  county constant bigint := (select g.at from unnest(p_groups) with ordinality as g (col, at)
    where g.col ->> 'name' = 'county' and g.col ->> 'type' = 'text');
begin
  perform private.refuse_chart(jsonb_typeof(metrics) <> 'array', 'metrics', 'Measures must be a list.');
  perform private.refuse_chart(jsonb_array_length(metrics) > 50, 'metrics', 'A chart can have at most 50 measures.');
  for at in 0 .. jsonb_array_length(metrics) - 1 loop
    metric := metrics -> at;
    part := 'metrics.' || at;
    perform private.refuse_chart(jsonb_typeof(metric) <> 'object', part, 'A measure must have a key and an aggregation.');
    key := metric ->> 'key';
    perform private.refuse_chart(
      jsonb_typeof(metric -> 'key') is distinct from 'string' or key !~ '^[a-z][a-zA-Z0-9_]{0,39}$', part || '.key',
      'The key "%s" must be a lowercase letter followed by up to 39 letters, digits or _.', key);
    perform private.refuse_chart(key = any (keys), part || '.key', 'Two measures have the key "%s".', key);
    keys := keys || key;
    perform private.refuse_chart(jsonb_typeof(metric -> 'label') not in ('string', 'null'), part || '.label',
      'The label of the measure "%s" must be text.', key);
    select * into aggregation from private.chart_aggregations a where a.name = metric ->> 'aggregation';
    perform private.refuse_chart(aggregation.name is null, part || '.aggregation',
      'The measure "%s" can''t use the aggregation "%s". Use one of: %s.', key, metric ->> 'aggregation',
      (select string_agg(a.name, ', ' order by a.place) from private.chart_aggregations a));
    if aggregation.name = 'registered' then
      perform private.refuse_chart(metric -> 'column' <> 'null', part || '.column',
        'The measure "%s" counts registered voters, so it can''t have a column.', key);
      perform private.refuse_chart(metric -> 'segment' not in ('null', '[]'), part || '.segment',
        'The measure "%s" counts registered voters, so it can''t have conditions.', key);
      perform private.refuse_chart(county is null, part || '.aggregation',
        'Registered voters are known for each county. Group by county, or choose another measure.');
      listed := concat_ws(', ', listed, format(
        '%L, (select r.registered from voterfile.counties r where r.county = g.g%s)', key, county));
      continue;
    end if;
    col := private.chart_column(p_columns, metric -> 'column');
    perform private.refuse_chart(col is null and metric -> 'column' <> 'null', part || '.column',
      'The measure "%s" uses the column "%s", which the source doesn''t have.', key, metric ->> 'column');
    perform private.refuse_chart(col is null and aggregation.types is not null, part || '.column',
      'The measure "%s" needs a column.', key);
    perform private.refuse_chart(col ->> 'type' <> all (aggregation.types), part || '.column',
      'The measure "%s" can''t take the %s of "%s", which is of type %s.',
      key, aggregation.name, col ->> 'name', col ->> 'type');

    x := coalesce(col ->> 'expression', '*');
    condition := private.chart_condition(p_definition, part || '.segment', p_columns);
    condition := case when condition = 'true' then '' else format(' filter (where %s)', condition) end;
    selected := concat(selected, format(case
        when aggregation.divisor is null then ', %1$s as m%2$s'
        when col ->> 'type' = 'number' then ', %1$s::numeric as m%2$s, %3$s as c%2$s'
        else ', extract(epoch from %1$s) * 1000 as m%2$s, %3$s as c%2$s' -- milliseconds, as JavaScript's Date takes them
      end, format(aggregation.total, x, condition), at, format(aggregation.divisor, x, condition)));
    listed := concat_ws(', ', listed, format(case
        when aggregation.divisor is null then '%1$L, g.m%2$s'
        else '%1$L, private.chart_number(g.m%2$s, g.c%2$s, %1$L, %3$L)'
      end, key, at, part));
  end loop;
end $$;

-- ── Groups ─────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.chart_group_names(p_group_by text) returns text[]
language sql immutable set search_path = ''
as $$
  select case when g.given = '' then '{}' else regexp_split_to_array(g.given, E'[ \t\r\n]*,[ \t\r\n]*') end
  from btrim(coalesce(p_group_by, ''), E' \t\r\n') as g (given)
$$;

-- The columns of a group_by, in its order, each as a row of private.chart_columns.
create function private.chart_groups(p_group_by text, p_columns jsonb) returns jsonb[]
language plpgsql immutable set search_path = ''
as $$
declare
  names constant text[] := private.chart_group_names(p_group_by);
  unknown constant text := (select n from unnest(names) n where not p_columns ? n limit 1);
  repeated constant text := (select n from unnest(names) n group by n having count(*) > 1 order by n limit 1);
begin
  perform private.refuse_chart(unknown is not null, 'groupBy',
    'The chart is grouped by "%s", which the source doesn''t have.', unknown);
  perform private.refuse_chart(repeated is not null, 'groupBy', 'The chart is grouped by "%s" more than once.', repeated);
  perform private.refuse_chart(cardinality(names) > 20, 'groupBy', 'A chart can be grouped by at most 20 columns.');
  return (select coalesce(array_agg(p_columns -> n order by at), '{}') from unnest(names) with ordinality as g (n, at));
end $$;

-- What records are grouped by, what is selected of each group `g`, how a result shows those values, the pairs of the object
-- with them, the group's key, and its sort order.
create function private.chart_grouping(
  p_groups jsonb[], out grouped text, out selected text, out shown text, out listed text, out key text, out sorted text)
language sql immutable set search_path = ''
as $$
  select
    coalesce(string_agg(coalesce(c ->> 'bare', c ->> 'expression'), ', ' order by at), '()'),
    string_agg(format(case
      -- Equal values can be spelled differently (1.0 and 1.00): always the same spelling is shown.
      when c ->> 'type' in ('array', 'json') then ', min((%s)::text collate "C") as g%s'
      else ', %s as g%s' end, c ->> 'expression', at), '' order by at),
    coalesce(string_agg(format(case
      when c ->> 'type' in ('array', 'json') then 'private.chart_value(g.g%1$s::jsonb) as s%1$s'
      when c ->> 'type' = 'text' then 'g.g%1$s as s%1$s'
      when c ->> 'type' = 'number' and c ->> 'data_type' not in ('smallint', 'integer')
        then 'private.chart_value(to_jsonb(trim_scale(g.g%1$s::numeric))) as s%1$s'
      else 'to_jsonb(g.g%1$s) as s%1$s' end, at), ', ' order by at), '1'),
    string_agg(format('%L, shown.s%s', c ->> 'name', at), ', ' order by at),
    coalesce(string_agg(format(case c ->> 'type'
      when 'text' then 'coalesce(shown.s%s, '''')'
      else 'coalesce(shown.s%s #>> ''{}'', '''')' end, at), ' || ''|||'' || ' order by at), ''''''),
    coalesce(string_agg(format('g.g%s nulls last', at), ', ' order by at), 'g.n')
  from unnest(p_groups) with ordinality as g (c, at)
$$;

grant select on private.chart_aggregations to service_role;

-- supabase/schemas/150_chart_queries.sql

-- Computing charts in the database (contract 4.5, steps 3 to 5): a definition becomes one statement over a view of
-- `reporting`. Column names are looked up in the catalog and quoted. Values are bound: `$3` is the definition, and each
-- value is taken from it by its path. Team and campaign, `$1` and `$2`, are always filtered. In a campaign,
--
--   { "source": "signatures", "groupBy": "county",
--     "filters": [{ "column": "city", "operator": "in", "value": ["Olympia", null] }],
--     "metrics": [
--       { "key": "lines", "aggregation": "count" },
--       { "key": "late", "aggregation": "avg", "column": "line",
--         "segment": [{ "column": "sheet", "operator": "gte", "value": 9 }] }] }
--
-- becomes, by the parts of 142 to 146 (columns, values, conditions, measures, groups),
--
--   with grouped as materialized (
--     select count(*) as n, v.county collate "C" as g1, count(*) as m0,
--       sum(v.line) filter (where v.sheet >= ($3 #>> '{metrics,1,segment,0,value}')::numeric::bigint)::numeric as m1,
--       count(v.line) filter (where v.sheet >= ($3 #>> '{metrics,1,segment,0,value}')::numeric::bigint) as c1
--     from reporting.signatures v
--     where v.team_id::text = $1 and v.campaign_id::text = $2
--       and (v.city collate "C" = any (array[($3 #>> '{filters,0,value,0}')]) or v.city collate "C" is null)
--     group by v.county
--     limit 5001
--   )
--   select
--     case when counted.groups <= 5000 then (
--       select coalesce(json_agg(json_build_object(
--         'key', coalesce(shown.s1, ''),
--         'group', json_build_object('county', shown.s1),
--         'values', json_build_object('lines', g.m0, 'late', private.chart_number(g.m1, g.c1, 'late', 'metrics.1'))
--       ) order by g.g1 nulls last), '[]')
--       from grouped g
--       cross join lateral (select g.g1 as s1) shown
--     ) end as rows,
--     counted.records,
--     counted.groups
--   from (select coalesce(sum(n), 0) as records, count(*) as groups from grouped) counted
--
-- How a definition that can't run is refused: 142_chart_columns.sql.

-- ── Who signed ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- The columns of each source that don't identify signers.
create view private.unrestricted_columns as
select c.source, array_agg(c.name) as names from private.chart_columns c where not c.identifies group by c.source;

-- Whether a definition identifies signers: it groups or filters by a column that isn't in p_unrestricted, or measures one in
-- any way but counting. An unknown column may have identified signers when data was computed. A filter of relative dates on a time
-- column is a filter on its date.
create function private.chart_identifies(
  p_unrestricted text[], p_group_by text, p_metrics jsonb, p_filters jsonb
) returns boolean
language sql immutable set search_path = ''
as $$
  select exists (
    select from (
      select n, false from unnest(private.chart_group_names(p_group_by)) n
      union all
      select m ->> 'column', false from jsonb_path_query(p_metrics, 'lax $[*] ? (@.aggregation != "count")') m
      union all
      select f ->> 'column', private.chart_period(f ->> 'value', '2000-01-01') is not null
      from (
        select jsonb_path_query(p_filters, 'lax $.** ? (exists(@.column))') -- also within groups
        union all
        select jsonb_path_query(p_metrics, 'lax $[*].segment.** ? (exists(@.column))')
      ) e (f)
    ) used (name, by_day)
    where used.name <> all (coalesce(p_unrestricted, '{}'))
      and not (used.by_day and used.name || '_day' = any (coalesce(p_unrestricted, '{}'))))
$$;

-- Refuses what identifies signers to an actor without signatures.view there.
create function private.refuse_signers(p_when boolean, p_actor_id uuid, p_team_id text, p_campaign_id text) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_when and not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.view') then
    raise exception using errcode = 'SG422', message = '{ "refused": { "needs": "signatures.view" } }';
  end if;
end $$;

create function private.refuse_chart_of_signers(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_source text, p_group_by text, p_metrics jsonb, p_filters jsonb)
returns void
language plpgsql stable set search_path = ''
as $$
begin
  perform private.refuse_signers(
    private.chart_identifies((select u.names from private.unrestricted_columns u where u.source = p_source),
      p_group_by, p_metrics, p_filters),
    p_actor_id, p_team_id, p_campaign_id);
end $$;

-- ── The statement ──────────────────────────────────────────────────────────────────────────────────────────────────

-- As json, not jsonb, because the result is sent as text: that takes half the time. An object of 50 measures has 100
-- arguments, the most that a function can have.
create function private.chart_statement(p_source text, p_campaign_id text, p_group_by text, p_definition jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  columns constant jsonb := private.columns_of_source(p_source);
  groups constant jsonb[] := private.chart_groups(p_group_by, columns);
  filtered constant text := private.chart_condition(p_definition, 'filters', columns);
begin
  return (select format($statement$
    with grouped as materialized (
      select count(*) as n%s%s
      from reporting.%I v
      where %s and %s
      group by %s
      limit 5001
    )
    select
      case when counted.groups <= 5000 then (
        select coalesce(json_agg(json_build_object(
          'key', %s,
          'group', json_build_object(%s),
          'values', json_build_object(%s)
        ) order by %s), '[]')
        from grouped g
        cross join lateral (select %s) shown
      ) end as rows,
      counted.records,
      counted.groups
    from (select coalesce(sum(n), 0) as records, count(*) as groups from grouped) counted
    $statement$,
    g.selected, m.selected, p_source, private.chart_place(p_campaign_id), filtered, g.grouped,
    g.key, g.listed, m.listed, g.sorted, g.shown)
  from private.chart_grouping(groups) g, private.chart_measures(p_definition, columns, groups) m);
end $$;

-- Metrics as stored, with each segment as a list: a single filter means a list of one.
create function private.chart_metrics_given(p_metrics jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(p_metrics) <> 'array' then p_metrics else coalesce((
    select jsonb_agg(case when jsonb_typeof(m -> 'segment') = 'object'
      then m || jsonb_build_object('segment', jsonb_build_array(m -> 'segment')) else m end order by at)
    from jsonb_array_elements(p_metrics) with ordinality as e (m, at)), '[]') end
$$;

-- Metrics as a result repeats them, without unknown fields. Lists keep their order.
create function private.chart_metrics(p_metrics jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg((
    select jsonb_object_agg(p.name, case when p.name = 'segment' then (
        select coalesce(jsonb_agg(case when f ?| array['any', 'all'] then f else jsonb_build_object(
          'column', f -> 'column', 'operator', f -> 'operator', 'value', f -> 'value') end), '[]')
        from jsonb_array_elements(p.value) f
      ) else p.value end)
    from jsonb_each(m) as p (name, value)
    where p.name in ('key', 'label', 'aggregation', 'column', 'segment') and p.value <> 'null'
  )), '[]')
  from jsonb_array_elements(p_metrics) m
$$;

-- The result of a definition, for an actor. `stable`, so that all of it sees the records as of when the call began.
create function private.chart_result(p_actor_id uuid,
  p_source text, p_team_id text, p_campaign_id text, p_group_by text, p_metrics jsonb, p_filters jsonb)
returns json
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off
as $$
declare
  metrics constant jsonb := private.chart_metrics_given(coalesce(p_metrics, '[]'));
  definition constant jsonb := private.chart_seen_at(
    jsonb_build_object('metrics', metrics, 'filters', p_filters), p_team_id, statement_timestamp());
  statement constant text := private.chart_statement(p_source, p_campaign_id, p_group_by, definition);
  rows json;
  records bigint;
  groups bigint;
begin
  perform private.refuse_chart_of_signers(
    p_actor_id, p_team_id, p_campaign_id, p_source, p_group_by, metrics, p_filters);
  begin
    execute statement into rows, records, groups using p_team_id, p_campaign_id, definition;
  exception when data_exception then
    raise log 'chart over %: %', p_source, sqlerrm;
    perform private.refuse_chart(true, 'source', 'The source "%s" contains a value that can''t be used in a chart.', p_source);
  end;
  perform private.refuse_chart(groups > 5000,
    'groupBy', 'This makes more than 5,000 groups. Group by fewer columns or add a filter.');
  return json_build_object(
    'source', p_source,
    'groupBy', p_group_by,
    'metrics', private.chart_metrics(metrics),
    'rows', rows,
    'recordCount', records,
    'groupCount', groups,
    'generatedAt', to_char(statement_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

create function public.aggregate_chart(p_actor_id uuid,
  p_source text, p_team_id text, p_campaign_id text, p_group_by text, p_metrics jsonb, p_filters jsonb)
returns json
language plpgsql stable set search_path = '' set statement_timeout = '15s'
as $$
begin
  return private.chart_result(p_actor_id, p_source, p_team_id, p_campaign_id, p_group_by, p_metrics, p_filters);
exception when sqlstate 'SG422' then
  return sqlerrm;
end $$;
comment on function public.aggregate_chart is
  'The exact result of a chart over the records of a team or campaign (contract 4.5); { refused } for a definition that '
  'can''t run, or that identifies signers to an actor without signatures.view there.';

grant select on private.unrestricted_columns to service_role;

-- supabase/schemas/152_chart_data.sql

-- A chart's data: generating and storing it, and what people see of stored charts.

create function public.database_time() returns bigint
language sql volatile set search_path = ''
as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;
comment on function public.database_time is 'Milliseconds since 1970 by this database''s clock, to set deadlines by.';

-- People who gave up waiting must not find new data later, so nothing is stored after the deadline. The deadline is a time
-- by this database's clock (database_time), because the caller's may differ and the call may have waited for a connection.
-- The clock is read last, when the chart is locked and written. The caller waits a little longer than the deadline.
create function public.generate_chart(p_actor_id uuid, p_id uuid, p_deadline timestamptz) returns json
language plpgsql set search_path = '' set statement_timeout = '15s'
as $$
declare
  chart public.charts;
  result json;
  newest record;
  computed_at timestamptz;
begin
  if clock_timestamp() > p_deadline then
    return json_build_object('outcome', 'late');
  end if;
  select * into chart from public.charts c where c.id = p_id and c.deleted_at is null;
  if not found then
    return json_build_object('outcome', 'not-found');
  end if;
  select n.last_line, n.last_change, -- in one statement, so that all see the same lines
    private.chart_result(p_actor_id,
      chart.source, chart.team_id, chart.campaign_id, chart.group_by, chart.metrics, chart.filters) as result
  into newest from private.newest_in_place(chart.team_id, chart.campaign_id) n;
  result := newest.result;
  computed_at := result ->> 'generatedAt';
  update public.charts c
  set data = result, data_version = chart.version, generated_at = computed_at,
    last_line = newest.last_line, last_change = newest.last_change
  where c.id = p_id and c.version = chart.version and c.deleted_at is null
    and (c.data_version is distinct from chart.version or c.generated_at is null or c.generated_at <= computed_at);
  if not found then
    select c.data into result from public.charts c
    where c.id = p_id and c.version = chart.version and c.data_version = chart.version and c.deleted_at is null;
    if not found then
      return json_build_object('outcome', 'changed');
    end if;
  elsif clock_timestamp() > p_deadline then
    raise exception using errcode = 'SG504'; -- which undoes the update
  end if;
  return json_build_object('outcome', 'done', 'data', result);
exception
  when sqlstate 'SG422' then return sqlerrm;
  when sqlstate 'SG504' then return json_build_object('outcome', 'late');
end $$;
comment on function public.generate_chart is
  'Computes a chart''s data and stores it, whole, while the definition is the one that was computed and the deadline is '
  'not past. Returns { outcome: done | changed | late | not-found, data? } or { refused }; `data` is what is stored, which '
  'may be a newer result. The actor needs signatures.view for a chart that identifies signers.';

-- ── What is shown of stored charts ─────────────────────────────────────────────────────────────────────────────────

create function public.read_charts(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_dashboard_id uuid default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (select * from private.places(p_actor_id)),
  unrestricted as materialized (select * from private.unrestricted_columns)
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', c.id, 'team', c.team_id, 'campaign', c.campaign_id, 'name', c.name, 'kind', c.kind, 'source', c.source,
      'groupBy', coalesce(s.group_by, ''), 'metrics', s.metrics, 'filters', s.filters, 'display', s.display,
      'version', c.version, 'updatedAt', s.updated_at, 'dashboard', c.dashboard_id, 'width', c.width, 'text', c.text,
      'data', case when s.data_version = s.version then s.data end,
      'outdated', coalesce(s.data_version <> s.version, false), 'withheld', s.id is null)
      order by c.campaign_id is null, c.position, c.id),
    '[]')
  from public.charts c
  join places a on a.team_id = c.team_id and a.campaign_id is not distinct from c.campaign_id
  left join unrestricted u on u.source = c.source
  left join lateral (
    select c.* where 'signatures.view' = any (a.keys)
      or not private.chart_identifies(u.names, c.group_by, c.metrics, c.filters)) s on true
  where c.team_id = p_team_id and (c.campaign_id = p_campaign_id or c.campaign_id is null)
    and 'charts.view' = any (a.keys) and c.deleted_at is null
    and case when p_id is null then c.dashboard_id is not distinct from p_dashboard_id else c.id = p_id end
$$;
comment on function public.read_charts is
  'The charts of a dashboard in order, with their latest data; on a campaign''s first dashboard followed by those of '
  'the whole team. The actor needs charts.view; without signatures.view a chart that identifies signers is `withheld`, without '
  'definition and data. With an id, only this one.';

create function public.chart_names(p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(n) order by n.name, n.id), '[]')
  from (
    select c.team_id as team, c.campaign_id as campaign, c.dashboard_id as dashboard, c.id, c.name
    from private.places(p_actor_id) a
    join public.charts c on c.team_id = a.team_id and c.campaign_id is not distinct from a.campaign_id
    where 'charts.view' = any (a.keys) and c.deleted_at is null
    order by c.name, c.id limit 1000) n
$$;
comment on function public.chart_names is
  'The charts that an actor can view, at most 1,000: [{ team, campaign, dashboard, id, name }].';

-- supabase/schemas/154_chart_records.sql

-- The records behind a number of a chart, and the values of a column to choose from.

-- ── The records behind a number ────────────────────────────────────────────────────────────────────────────────────

-- Returns { columns, records, total, next }, 'not-allowed', or { refused }. `p_cell` is { source, groupBy, filters, group,
-- metric?, at? }; relative dates are those of the time `at`. Records leave out the parts of dates and times. `next` is
-- { after, offset } of the next page, or null after the last one: no record is skipped or repeated when others come or go.
-- `p_sort`, { column, descending }, sorts them by one of their columns instead, without `next`.
create function public.chart_records(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_cell jsonb, p_offset int, p_limit int, p_after jsonb default null,
  p_sort jsonb default null)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  cell constant jsonb := private.chart_seen_at(
    p_cell, p_team_id, coalesce((p_cell ->> 'at')::timestamptz, statement_timestamp()));
  columns jsonb;
  col jsonb;
  group_value jsonb;
  filtered text;
  sorted text := '';
  result jsonb;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.view')
    or not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.view')
  then
    return to_jsonb('not-allowed'::text);
  end if;
  columns := private.columns_of_source(p_cell ->> 'source');
  filtered := private.chart_condition(p_cell, 'filters', columns);
  foreach col in array private.chart_groups(p_cell ->> 'groupBy', columns) loop
    group_value := p_cell -> 'group' -> (col ->> 'name');
    perform private.refuse_chart(group_value is null, 'group', 'The group has no value for "%s".', col ->> 'name');
    perform private.refuse_chart(
      group_value <> 'null' and col ->> 'type' not in ('array', 'json') and not private.chart_value_fits(col, group_value),
      'group.0.value',
      'The group needs a value of type %2$s for "%1$s".', col ->> 'name', col ->> 'type');
    filtered := filtered || format(case
        when group_value = 'null' then ' and %s is null'
        when col ->> 'type' in ('array', 'json') then ' and private.chart_value(%s) = %s' -- as the result shows it
        else ' and %s = %s'
      end, col ->> 'expression', private.chart_bound(col, group_value, array['group', col ->> 'name']));
  end loop;
  filtered := filtered || ' and ' || private.chart_condition(p_cell, 'metric.segment', columns);
  col := private.chart_column(columns, p_cell #> '{metric,column}');
  perform private.refuse_chart(col is null and p_cell #> '{metric,column}' <> 'null', 'metric.column',
    'The measure uses the column "%s", which the source doesn''t have.', p_cell #>> '{metric,column}');
  filtered := filtered || coalesce(' and ' || (col ->> 'expression') || ' is not null', '');

  if p_sort is not null then
    col := columns -> (p_sort ->> 'column');
    perform private.refuse_chart(col is null or col ->> 'part' is not null or col ->> 'type' in ('array', 'json'), 'sort',
      'Records can''t be sorted by "%s".', p_sort ->> 'column');
    sorted := format(case col ->> 'type' when 'text' then 'voterfile.search_key(c%s) collate "C" %s nulls last, '
        else 'c%s %s nulls last, ' end,
      col ->> 'place', case when (p_sort ->> 'descending')::boolean then 'desc' end);
  end if;

  execute (select format($statement$
    with found as materialized (
      select %1$s as sorted, %2$s
      from reporting.%3$I v
      where %4$s and %5$s
    ),
    page as materialized (
      select f.*, w.row_text
      from found f
      cross join lateral (select row(%6$s)::text collate "C" as row_text) w
      where $6 is null or (f.sorted, w.row_text) >= (($6 ->> 'sorted')::numeric, $6 ->> 'rowText')
      order by %9$s f.sorted, w.row_text offset $4 limit $5
    ),
    final as (select p.sorted, p.row_text, count(*) as n from page p group by 1, 2 order by 1 desc, 2 desc limit 1)
    select jsonb_build_object(
      'total', (select count(*) from found),
      'records', (select coalesce(jsonb_agg(jsonb_build_array(%7$s)), '[]') -- of this page only, because it takes time
        from (select %8$s from page p order by %9$s p.sorted, p.row_text) v),
      'next', (select jsonb_build_object(
          'after', o.start, 'offset', f.n + case when o.start = $6 then $4 else 0 end) -- skips the equal records of this page
        from final f cross join lateral (select jsonb_build_object('sorted', f.sorted::text, 'rowText', f.row_text) as start) o))
    $statement$,
    -- Newest first, if the source has a time.
    coalesce((select format('coalesce(extract(epoch from %s) * -1, ''Infinity'')', c.value ->> 'expression')
      from jsonb_each(columns) c where c.value ->> 'type' = 'time'
      order by (c.value ->> 'place')::int desc limit 1), '0::numeric'),
    l.selected,
    p_cell ->> 'source',
    private.chart_place(p_campaign_id),
    filtered, l.row_columns, l.shown, l.named, sorted)
  from (
    select string_agg(format('v.%I as c%s', c.name, c.place), ', ' order by c.place) as selected,
      string_agg(format('f.c%s', c.place), ', ' order by c.place) as row_columns,
      string_agg(format('private.chart_value(to_jsonb(%s))', c.expression), ', ' order by c.place) as shown,
      string_agg(format('p.c%s as %I', c.place, c.name), ', ' order by c.place) as named
    from private.chart_columns c where c.source = p_cell ->> 'source' and c.part is null
  ) l)
  into result
  using p_team_id, p_campaign_id, cell, greatest(p_offset, 0), least(greatest(p_limit, 0), 5000), p_after;
  return result || case when p_sort is not null then '{ "next": null }'::jsonb else '{}' end || jsonb_build_object('columns', (
    select jsonb_agg(jsonb_build_object('name', c.name, 'label', c.label, 'type', c.type) order by c.place)
    from private.chart_columns c where c.source = p_cell ->> 'source' and c.part is null));
exception when sqlstate 'SG422' then
  return sqlerrm;
end $$;
comment on function public.chart_records is
  'A page of the records that a number of a chart counts, for an actor with charts.view and signatures.view there.';

-- ── Values to choose from ──────────────────────────────────────────────────────────────────────────────────────────

create function public.chart_values(p_actor_id uuid,
  p_source text, p_team_id text, p_campaign_id text, p_column text, p_prefix text)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  col jsonb;
  result jsonb;
begin
  col := private.columns_of_source(p_source) -> p_column;
  perform private.refuse_chart(col is null, 'column', 'There''s no column "%s".', p_column);
  perform private.refuse_signers((col ->> 'identifies')::boolean, p_actor_id, p_team_id, p_campaign_id);
  execute format($statement$
    select coalesce(jsonb_agg(jsonb_build_object('value', private.chart_value(to_jsonb(f.x)), 'count', f.n)), '[]')
    from (
      select %1$s as x, count(*) as n
      from reporting.%2$I v
      where %3$s and %1$s is not null
        and starts_with(lower((%1$s)::text collate pg_catalog."default"), lower($3))
      group by 1
      order by (%1$s)::text = $3 desc, n desc, x
      limit 20
    ) f
    $statement$, col ->> 'expression', p_source, private.chart_place(p_campaign_id))
  into result
  using p_team_id, p_campaign_id, coalesce(p_prefix, '');
  return result;
exception when sqlstate 'SG422' then
  return sqlerrm;
end $$;
comment on function public.chart_values is
  'The values of a column in a place that begin with a text: the text itself, then the most frequent, 20 in all: '
  '[{ value, count }]. A column that identifies signers needs signatures.view there.';

-- Only a column without any value makes this read all records.
create function public.chart_empty_columns(p_team_id text, p_campaign_id text) returns jsonb
language plpgsql stable set search_path = '' set statement_timeout = '15s'
as $$
declare
  result jsonb;
begin
  execute (
    select format('select jsonb_build_object(%s)',
      string_agg(format('%L, array_remove(array[%s], null)', e.source, e.names), ', '))
    from (
      select c.source, string_agg(format(
          'case when not exists (select from reporting.%I v where %s and %s is not null) then %L end',
          c.source, private.chart_place(p_campaign_id), c.expression, c.name), ', ') as names
      from private.chart_sources s join private.chart_columns c using (relation)
      where c.part is null
      group by c.source
    ) e
  ) into result using p_team_id, p_campaign_id;
  return result;
end $$;
comment on function public.chart_empty_columns is
  'The columns of each source without any value in a place: { source: [name] }.';

-- supabase/schemas/160_reference_data.sql

-- The built-in permission keys, roles and permission sets. Before 170_activity.sql, so that they aren't logged.

insert into public.permission_keys (key, description) values
  ('campaign.view', 'See the campaign overview'),
  ('voters.search', 'Search voters'),
  ('signatures.view', 'See signatures'),
  ('signatures.enter', 'Enter signatures, and correct or remove your own'),
  ('signatures.remove', 'Correct and remove other people''s lines'),
  ('charts.view', 'See charts'),
  ('charts.edit', 'Create and edit charts'),
  ('members.view', 'See members'),
  ('members.manage', 'Manage members, campaigns, and settings'),
  ('roles.manage', 'Change roles and permission sets');

with built_in (name, description, keys) as (values
  ('Voter search', 'Find voters in the voter file.', '{voters.search}'::text[]),
  ('Campaign overview', 'Open a campaign and see how it''s doing.', '{campaign.view}'),
  ('Signature viewing', 'See signatures and their details.', '{signatures.view}'),
  ('Signature entry', 'See and enter signatures, and correct or remove your own.', '{signatures.view,signatures.enter}'),
  ('Signature correction', 'Correct, move, remove, and restore lines that others entered.', '{signatures.remove}'),
  ('Chart viewing', 'See the charts on the dashboard.', '{charts.view}'),
  ('Chart editing', 'See, create, and edit charts.', '{charts.view,charts.edit}'),
  ('Member list', 'See who''s on the team.', '{members.view}'),
  ('Team administration', 'Manage members, campaigns, roles, and permission sets. See activity.',
    '{members.view,members.manage,roles.manage}')
),
sets as (
  insert into public.permission_sets (name, description) select b.name, b.description from built_in b returning id, name
)
insert into public.permission_set_keys (permission_set_id, key)
select s.id, unnest(b.keys) from sets s join built_in b using (name);

with built_in (name, scope, sets) as (values
  ('Administrator', 'inherit_team', '{}'::text[]),
  ('Member', 'assigned', '{}'),
  ('Field team', 'assigned', '{Voter search}'),
  ('Office', 'assigned', '{Voter search,Member list}'),
  ('Campaign staff', 'assigned', '{Campaign overview,Voter search,Signature viewing,Chart viewing}'),
  ('Signature clerk', 'assigned', '{Campaign overview,Voter search,Signature entry}'),
  ('Canvasser', 'assigned', '{Campaign overview,Voter search}'),
  ('Analyst', 'assigned', '{Campaign overview,Signature viewing,Chart editing}')
),
roles as (
  insert into public.roles (name, scope) select b.name, b.scope from built_in b returning id, name
)
insert into public.role_p_sets (role_id, permission_set_id)
select r.id, s.id
from roles r
join built_in b using (name)
join public.permission_sets s on s.name = any (b.sets);

-- supabase/schemas/170_activity.sql

-- The activity: every change of the tables that decide access, of teams and campaigns, and of lines except what clerks undo.
-- Triggers write it in the transaction of the change, also of changes by SQL. Rows are never changed, except
-- that erasing a campaign (178_erasure.sql) takes voters out of them.

create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_name text,
  database_role text not null default coalesce(nullif(current_setting('role', true), 'none'), session_user),
  action text not null check (action in ('insert', 'update', 'delete', 'truncate')),
  table_name text not null,
  team_id text,
  campaign_id text,
  subject_id uuid,
  subject_name text,
  before jsonb,
  after jsonb
);
comment on table public.audit_log is
  'No foreign keys, so that rows outlive teams and people. A campaign of several teams has a row for each.';
comment on column public.audit_log.actor_id is 'The signed-in user; null for a change by SQL or by the service role.';
comment on column public.audit_log.subject_id is 'The person that the change is about.';
comment on column public.audit_log.after is
  'The row, with the names of its role, permission set and campaign at the time; `before` likewise.';
create index audit_log_team on public.audit_log (team_id, id desc);
create index audit_log_subject on public.audit_log (team_id, subject_id, id desc);
create index audit_log_actor on public.audit_log (team_id, actor_id, id desc);
create index audit_log_removals on public.audit_log (team_id, subject_id, id desc)
where table_name = 'team_users' and action = 'delete';
alter table public.audit_log enable row level security;
revoke insert, update, delete on public.audit_log from service_role;

create function private.append_only() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and current_setting('signet.erasing', true) = 'on' then return null; end if;
  raise exception 'Rows of the activity can''t be changed or deleted.' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete or truncate on public.audit_log
for each statement execute function private.append_only();

-- A row as it is logged.
create function private.logged_row(p_row jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select p_row || jsonb_strip_nulls(jsonb_build_object(
    'role_name', (select r.name from public.roles r where r.id = (p_row ->> 'role_id')::uuid),
    'permission_set_name',
      (select s.name from public.permission_sets s where s.id = (p_row ->> 'permission_set_id')::uuid),
    'campaign_name', (select c.name from public.campaigns c where c.id = p_row ->> 'campaign_id'),
    'campaign_roles', (select string_agg(c.name || ' as ' || r.name, ', ' order by c.name)
      from jsonb_to_recordset(p_row -> 'campaigns') i (id text, "roleId" uuid)
      join public.campaigns c on c.id = i.id
      join public.roles r on r.id = i."roleId")))
$$;

-- Runs as its owner: no one else may write the log.
create function private.log_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  old_row jsonb := case when tg_op in ('UPDATE', 'DELETE') then to_jsonb(old) end;
  new_row jsonb := case when tg_op in ('INSERT', 'UPDATE') then to_jsonb(new) end;
  changed jsonb := coalesce(new_row, old_row);
  teams text[] := case tg_table_name
    when 'teams' then array[changed ->> 'id']
    -- The team that runs a campaign sees which teams it is added to.
    when 'campaign_team' then (
      select array_agg(distinct w.team_id)
      from (values (changed ->> 'team_id'),
        ((select c.team_id from public.campaigns c where c.id = changed ->> 'campaign_id'))) w (team_id)
      where w.team_id is not null)
    when 'campaigns' then
      (select array_agg(c.team_id) from public.campaign_team c where c.campaign_id = changed ->> 'id')
    when 'permission_set_keys' then
      (select array_agg(s.team_id) from public.permission_sets s where s.id = (changed ->> 'permission_set_id')::uuid)
    when 'role_p_sets' then
      (select array_agg(r.team_id) from public.roles r where r.id = (changed ->> 'role_id')::uuid)
    else array[changed ->> 'team_id']
  end;
begin
  -- A new campaign has no team yet, so its settings are logged when a team gets it; for a shared one also who runs it.
  if tg_table_name = 'campaign_team' and new_row is not null then
    new_row := new_row || (
      select jsonb_strip_nulls(jsonb_build_object(
        'signature_goal', c.signature_goal, 'starts_on', c.starts_on, 'ends_on', c.ends_on,
        'run_by', (select t.name from public.teams t where t.id = c.team_id and t.id <> new_row ->> 'team_id')))
      from public.campaigns c where c.id = new_row ->> 'campaign_id');
  end if;
  insert into public.audit_log (actor_id, actor_name, action, table_name, team_id, campaign_id, subject_id, subject_name,
    before, after)
  select private.actor(), (select p.name from public.profiles p where p.user_id = private.actor()), lower(tg_op),
    tg_table_name, t.id,
    case tg_table_name when 'campaigns' then changed ->> 'id' else changed ->> 'campaign_id' end,
    (changed ->> 'user_id')::uuid,
    -- The profile of a deleted account is already deleted: its name is in an earlier row.
    coalesce((select p.name from public.profiles p where p.user_id = (changed ->> 'user_id')::uuid),
      (select a.subject_name from public.audit_log a
        where a.team_id = t.id and a.subject_id = (changed ->> 'user_id')::uuid order by a.id desc limit 1)),
    private.logged_row(old_row) || o.other, private.logged_row(new_row) || o.other
  from unnest(coalesce(teams, array[null])) t (id)
  cross join lateral (
    select case when tg_table_name = 'campaign_team' and t.id <> changed ->> 'team_id' then jsonb_build_object('team_name',
      (select w.name from public.teams w where w.id = changed ->> 'team_id')) else '{}' end as other
  ) o;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create function private.log_truncate() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (action, table_name) values ('truncate', tg_table_name);
  return null;
end $$;

-- A delete is logged before it happens, while its role, set or campaign exists.
do $$
declare
  name text;
begin
  foreach name in array array[
    'teams', 'campaigns', 'campaign_team', 'roles', 'permission_sets', 'permission_set_keys', 'team_users',
    'team_p_sets', 'role_p_sets', 'campaign_team_sets', 'campaign_user_roles_team', 'campaign_user_team_sets',
    'invitations', 'access_requests'
  ] loop
    execute format('
      create trigger log_insert after insert on public.%1$I
      for each row execute function private.log_change();
      create trigger log_update after update on public.%1$I
      for each row when (old.* is distinct from new.*) execute function private.log_change();
      create trigger log_delete before delete on public.%1$I
      for each row %2$s execute function private.log_change();
      create trigger log_truncate before truncate on public.%1$I
      for each statement execute function private.log_truncate()',
      name, case name when 'access_requests' then 'when (old.closed_at is null)' end); -- the answer is logged already
  end loop;
end $$;

-- Logs a change of a line, with no more of the voter than name and id.
create function private.log_line_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (actor_id, actor_name, action, table_name, team_id, campaign_id, before, after)
  select new.actor_id, (select p.name from public.profiles p where p.user_id = new.actor_id), 'update', 'lines', new.team_id,
    new.campaign_id,
    r.line || jsonb_build_object('sheet', new.sheet_before, 'line', new.line_before),
    r.line || jsonb_build_object('sheet', new.sheet_after, 'line', new.line_after, 'kind', new.kind, 'reason', new.reason)
  from public.lines l
  cross join lateral (
    select private.logged_row(jsonb_build_object('id', l.id, 'campaign_id', l.campaign_id, 'verdict', l.verdict,
      'voter_id', l.voter_id, 'first_name', l.first_name, 'last_name', l.last_name)) as line
  ) r
  where l.id = new.line_id;
  return null;
end $$;
create trigger log_insert after insert on public.line_changes
for each row when (new.kind <> 'undone') execute function private.log_line_change();

-- Logs a draw of the quality check.
create function private.log_draw() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (actor_id, actor_name, action, table_name, team_id, campaign_id, subject_id, subject_name, after)
  select d.drawn_by, private.person_json(d.drawn_by) ->> 'name', 'insert', 'quality_lines', d.team_id, d.campaign_id, c.clerk,
    private.person_json(c.clerk) ->> 'name',
    private.logged_row(jsonb_build_object('campaign_id', d.campaign_id, 'lines', count(*), 'drawn_from', d.drawn_from,
      'sheet', case d.drawn_from when 'sheet' then min(l.sheet) end))
  from drawn d
  join public.lines l on l.id = d.line_id
  cross join lateral (select case d.drawn_from when 'clerk' then l.entered_by end as clerk) c
  group by d.drawn_by, d.team_id, d.campaign_id, d.drawn_from, c.clerk;
  return null;
end $$;
create trigger log_insert after insert on public.quality_lines referencing new table as drawn
for each statement execute function private.log_draw();

-- A page of a team's activity, newest first. The filter's fields are optional: {"tables": [], "actor", "subject" (an id, or the
-- email of an invitation), "campaign", "from", "to" (dates in the team's time zone), "before" (an id)}. Invitations to the email
-- of someone who joined by one are about that person.
create function public.team_activity(p_team_id text, p_filter jsonb, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  with filter as (
    select p_filter as f, (select t.time_zone from public.teams t where t.id = p_team_id) as zone
  ),
  joined as (
    select distinct on (i.email) i.email, i.accepted_by, p.name
    from public.invitations i join public.profiles p on p.user_id = i.accepted_by
    where i.team_id = p_team_id order by i.email, i.accepted_at desc
  )
  select coalesce(jsonb_agg(l.entry order by l.id desc), '[]')
  from (
    select a.id, to_jsonb(a) || case when j.email is null then '{}'
      else jsonb_build_object('subject_id', j.accepted_by, 'subject_name', j.name) end as entry
    from filter, public.audit_log a
    left join joined j on a.table_name = 'invitations' and j.email = coalesce(a.after, a.before) ->> 'email'
    where a.team_id = p_team_id
      and (f -> 'tables' is null or f -> 'tables' @> to_jsonb(a.table_name))
      and (f ->> 'actor' is null or a.actor_id = (f ->> 'actor')::uuid)
      and (f ->> 'subject' is null
        or f ->> 'subject' in (a.subject_id::text, j.accepted_by::text, coalesce(a.after, a.before) ->> 'email'))
      and (f ->> 'campaign' is null or a.campaign_id = f ->> 'campaign')
      and (f ->> 'from' is null or a.at >= (f ->> 'from')::date::timestamp at time zone zone)
      and (f ->> 'to' is null or a.at < ((f ->> 'to')::date + 1)::timestamp at time zone zone)
      and (f ->> 'before' is null or a.id < (f ->> 'before')::bigint)
    order by a.id desc
    limit least(p_limit, 1001) -- one more than a page of the export
  ) l
$$;
comment on function public.team_activity is 'Rows of audit_log, newest first, in one value, to which REST''s row limit doesn''t apply.';

create function public.removed_members(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('userId', r.subject_id, 'name', coalesce(r.subject_name, ''),
      'roleId', r.before -> 'role_id', 'email', (
        select i.email from public.invitations i where i.team_id = p_team_id and i.accepted_by = r.subject_id
        order by i.accepted_at desc limit 1))
    order by lower(r.subject_name), r.subject_id), '[]')
  from (
    select distinct on (a.subject_id) a.subject_id, a.subject_name, a.before from public.audit_log a
    where a.team_id = p_team_id and a.table_name = 'team_users' and a.action = 'delete'
      and a.subject_id not in (select t.user_id from public.team_users t where t.team_id = p_team_id)
    order by a.subject_id, a.id desc
    limit 1000
  ) r
$$;
comment on function public.removed_members is
  'People who were in a team and no longer are, by their last name in its log, with the email that was invited.';

-- supabase/schemas/175_read_log.sql

-- The log of sign-ins, exports and voter searches, for the administrators of the team. The application adds a row after each response;
-- the schedule deletes old rows.

create table public.read_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid not null,
  actor_name text,
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text,
  campaign_name text,
  kind text not null check (kind in ('register', 'members', 'activity', 'records', 'search', 'sign-in')),
  filter jsonb not null,
  row_count int not null,
  match_count numeric
);
comment on table public.read_log is
  'No foreign keys but to the team, so that rows outlive people and campaigns. A search names no team, so it has a row for '
  'each team in which the person had voters.search; a sign-in, for each in which they were active.';
comment on column public.read_log.actor_name is 'At the time; `campaign_name` likewise.';
comment on column public.read_log.row_count is 'Lines of the export, or voters on the page.';
comment on column public.read_log.match_count is 'How many voters a search found in all; null for exports.';
create index read_log_team on public.read_log (team_id, id desc);
create index read_log_actor on public.read_log (team_id, actor_id, id desc);
create index read_log_at on public.read_log using brin (at);
alter table public.read_log enable row level security;
revoke update on public.read_log from service_role;

create function public.record_read(
  p_actor_id uuid, p_team_ids text[], p_campaign_id text, p_kind text, p_filter jsonb, p_row_count int, p_match_count numeric
) returns void
language sql set search_path = ''
as $$
  insert into public.read_log (actor_id, actor_name, team_id, campaign_id, campaign_name, kind, filter, row_count, match_count)
  select p_actor_id, (select p.name from public.profiles p where p.user_id = p_actor_id), t.id,
    p_campaign_id, (select c.name from public.campaigns c where c.id = p_campaign_id), p_kind,
    (select coalesce(jsonb_object_agg(f.key,
        case when length(f.value::text) <= 1000 then f.value else to_jsonb(left(f.value::text, 1000) || '…') end), '{}')
      from jsonb_each(p_filter) f),
    p_row_count, p_match_count
  from public.teams t
  where t.id = any (coalesce(p_team_ids, array(select m.team_id from private.active_members m where m.user_id = p_actor_id)))
$$;
comment on function public.record_read is
  'Adds a row for each of the teams; null are those in which the person is active. Parts of the filter are cut to 1,000 characters.';

-- A page of a team's rows, newest first; none for people without members.manage. The filter's fields are optional:
-- {"kinds": [], "actor", "from", "to" (dates in the team's time zone), "before" (an id)}.
create function public.team_reads(p_actor_id uuid, p_team_id text, p_filter jsonb, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  with filter as (
    select p_filter as f, (select t.time_zone from public.teams t where t.id = p_team_id) as zone
    where private.has_key(p_actor_id, p_team_id, null, 'members.manage')
  )
  select coalesce(jsonb_agg(to_jsonb(l) order by l.id desc), '[]')
  from (
    select r.* from public.read_log r, filter
    where r.team_id = p_team_id
      and (f -> 'kinds' is null or f -> 'kinds' @> to_jsonb(r.kind))
      and (f ->> 'actor' is null or r.actor_id = (f ->> 'actor')::uuid)
      and (f ->> 'from' is null or r.at >= (f ->> 'from')::date::timestamp at time zone zone)
      and (f ->> 'to' is null or r.at < ((f ->> 'to')::date + 1)::timestamp at time zone zone)
      and (f ->> 'before' is null or r.id < (f ->> 'before')::bigint)
    order by r.id desc
    limit p_limit
  ) l
$$;
comment on function public.team_reads is 'Rows of read_log, newest first, in one value, to which REST''s row limit doesn''t apply.';

create function public.purge_read_log(p_days int default null) returns bigint
language sql set search_path = ''
as $$
  with gone as (
    delete from public.read_log where at < now() - make_interval(days => coalesce(p_days, 365)) returning id
  )
  select count(*) from gone
$$;
comment on function public.purge_read_log is 'Deletes rows older than p_days, by default 365, and returns how many.';

-- Runs as its owner: the service role can't read Auth's accounts.
create function public.member_facts(p_team_id text, p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'joinedAt', (select private.utc(max(a.at)) from public.audit_log a
      where a.team_id = p_team_id and a.subject_id = p_user_id and a.table_name = 'team_users' and a.action = 'insert'),
    'lastActiveAt', private.utc(greatest(
      (select a.at from public.audit_log a where a.team_id = p_team_id and a.actor_id = p_user_id order by a.id desc limit 1),
      (select r.at from public.read_log r where r.team_id = p_team_id and r.actor_id = p_user_id order by r.id desc limit 1),
      (select max(l.entered_at) from public.campaign_team c
        cross join lateral (select l.entered_at from public.lines l
          where l.team_id = p_team_id and l.campaign_id = c.campaign_id and l.entered_by = p_user_id
          order by l.entered_at desc limit 1) l
        where c.team_id = p_team_id))),
    'hasSecondFactor', coalesce((select (u.raw_app_meta_data ->> 'second_factor')::boolean from auth.users u
      where u.id = p_user_id), false))
$$;
comment on function public.member_facts is
  'When a person joined a team and last did something in it, by its logs and lines, and whether they have a second factor.';

-- supabase/schemas/176_emails.sql

-- Emails that Signet sends itself; invitations and links are Auth's. A row says what an email is about; its content is read
-- when it is sent, so that it is true then, and only what its recipient may see.

-- Only the edge function knows whether it has a mail server. Without one nothing is queued.
create table private.mail_server (
  is_set boolean not null,
  checked_at timestamptz not null default now(),
  only_row boolean primary key default true check (only_row)
);
alter table private.mail_server enable row level security;

create table private.email_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  requests boolean not null default true,
  digest boolean not null default false
);
comment on table private.email_choices is 'Which emails people want. The defaults apply to those without a row.';
alter table private.email_choices enable row level security;

create table private.emails (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  team_id text not null references public.teams (id) on delete cascade,
  kind text not null check (kind in ('request', 'answer', 'invitation', 'membership', 'digest', 'erasure')),
  about text not null,
  created_at timestamptz not null default now(),
  tried_at timestamptz,
  tries int not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  unique (user_id, team_id, kind, about)
);
comment on column private.emails.about is
  'The id of a request for access, an invitation, or a row of the activity; the day of a digest; or a campaign and the day when '
  'it is erased.';
create index emails_waiting on private.emails (tried_at nulls first) where state = 'waiting';
create index emails_team on private.emails (team_id);
create index emails_created on private.emails (created_at);
alter table private.emails enable row level security;

-- ── Queueing ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- At most 20 emails wait for a person: the app shows the rest.
-- Runs as its owner, like the next ones: no one else may see or queue emails.
create function private.queue_email(p_user_id uuid, p_team_id text, p_kind text, p_about text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.emails (user_id, team_id, kind, about)
  select p_user_id, p_team_id, p_kind, p_about
  where exists (select from private.mail_server s where s.is_set)
    and (select count(*) from private.emails e where e.user_id = p_user_id and e.state = 'waiting'
      and e.created_at > now() - interval '1 day') < 20 -- older ones aren't sent
  on conflict do nothing
$$;

create function private.email_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.queue_email(new.user_id, new.team_id, 'answer', new.id::text);
    -- It also says that their role was changed for it.
    delete from private.emails e where new.granted and e.user_id = new.user_id and e.team_id = new.team_id
      and e.kind = 'membership' and e.created_at = now();
  else
    perform private.queue_email(d.user_id, new.team_id, 'request', new.id::text)
    from (
      select m.user_id from private.active_members m
      where m.team_id = new.team_id and m.user_id <> new.user_id
        and m.user_id in (
          select g.user_id from private.grants g
          where g.team_id = new.team_id and g.campaign_id is null and g.key = 'members.manage')
      order by m.is_team_admin desc, m.user_id limit 20
    ) d;
  end if;
  return null;
end $$;
create trigger email_request after insert on public.access_requests
for each row when (new.closed_at is null and new.unknown_campaign_id is null) execute function private.email_request();
create trigger email_answer after update on public.access_requests
for each row when (old.closed_at is null and new.closed_at is not null) execute function private.email_request();

create function private.email_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.queue_email(new.invited_by, new.team_id, 'invitation', new.id::text);
  return null;
end $$;
create trigger email_invitation after update on public.invitations
for each row when (new.invited_by is not null
  and (old.accepted_at is null and new.accepted_at is not null or new.declined and not old.declined))
execute function private.email_invitation();

-- A deleted account or team gets none.
create function private.email_membership() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.queue_email(u.id, t.id, 'membership', new.id::text)
  from auth.users u cross join public.teams t
  where u.id = new.subject_id and t.id = new.team_id and new.before ->> 'status' <> 'invited'
    and (new.after is null
      or (new.after -> 'status', new.after -> 'role_id') <> (new.before -> 'status', new.before -> 'role_id'));
  return null;
end $$;
create trigger email_membership after insert on public.audit_log
for each row when (new.table_name = 'team_users' and new.action in ('update', 'delete') and new.actor_id <> new.subject_id)
execute function private.email_membership();

-- ── Sending ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- As for invitations, but old news isn't sent, and requests in a team at most every 15 minutes.
create function private.email_is_due(p_email private.emails) returns boolean
language sql stable
return p_email.state = 'waiting' and p_email.created_at > now() - interval '1 day'
  and (p_email.tried_at is null or p_email.tried_at < now() - interval '2 minutes' * power(2, p_email.tries))
  and (p_email.kind <> 'request' or not exists (
    select from private.emails e
    where e.user_id = p_email.user_id and e.team_id = p_email.team_id and e.kind = 'request' and e.id <> p_email.id
      and e.tried_at > now() - interval '15 minutes'));

create function private.has_email_to_send() returns boolean
language sql stable
return exists (select from private.emails e where private.email_is_due(e))
  or not exists (select from private.mail_server s where s.checked_at > now() - interval '1 hour');
comment on function private.has_email_to_send is
  'Whether the schedule has an email to send, or hasn''t asked for an hour whether there is a mail server.';

-- What an email says, read by supabase/functions/send-emails/write-email.ts. Null if it no longer applies, or its recipient
-- doesn't want it or may not see it.
create function private.email_content(p_email private.emails) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  request record;
begin
  if p_email.kind = 'erasure' then
    return (
      select jsonb_build_object('team', t.name, 'teamId', t.id, 'campaign', c.name,
        'register', '/' || t.id || '/campaign/' || c.id || '/signatures/register',
        'day', to_char(c.erase_at at time zone t.time_zone, 'FMMonth FMDD, YYYY'))
      from public.campaigns c join public.teams t on t.id = p_email.team_id
      where c.id = split_part(p_email.about, ' ', 1) and c.erase_at is not null and c.erased_at is null and exists (
        select from private.active_members m
        where m.user_id = p_email.user_id and m.team_id = p_email.team_id and m.is_team_admin));
  end if;
  if p_email.kind = 'membership' then
    return (
      select jsonb_build_object('team', t.name, 'teamId', t.id, 'by', a.actor_name, 'role', a.after -> 'role_name',
        'change', case when a.after is null then 'removed' when a.after -> 'status' = a.before -> 'status' then 'role'
          when a.after ->> 'status' = 'active' then 'restored' else 'suspended' end)
      from public.audit_log a join public.teams t on t.id = a.team_id
      where a.id = p_email.about::bigint);
  end if;
  if not coalesce((
    select case when p_email.kind = 'digest' then c.digest else c.requests end
    from private.email_choices c where c.user_id = p_email.user_id), p_email.kind <> 'digest') then return null; end if;
  if p_email.kind = 'digest' then return private.digest_content(p_email.user_id, p_email.team_id); end if;
  if p_email.kind = 'invitation' then
    return (
      select jsonb_build_object('team', t.name, 'teamId', t.id, 'person', coalesce(p.name, i.email), 'email', i.email,
        'accepted', i.accepted_at is not null)
      from public.invitations i
      join public.teams t on t.id = i.team_id
      left join public.profiles p on p.user_id = i.accepted_by
      where i.id = p_email.about::uuid and private.has_key(p_email.user_id, p_email.team_id, null, 'members.manage'));
  end if;
  select r.*, p.name, k.description as permission, coalesce(c.name, t.name) as place, t.name as team into request
  from public.access_requests r
  join public.teams t on t.id = r.team_id
  join public.permission_keys k on k.key = r.key
  left join public.campaigns c on c.id = r.campaign_id
  left join public.profiles p on p.user_id = r.user_id
  where r.id = p_email.about::uuid;
  if not found then return null; end if; -- deleted with its member or campaign
  if p_email.kind = 'request' then
    return case when request.closed_at is null and private.has_key(p_email.user_id, p_email.team_id, null, 'members.manage')
      then jsonb_build_object('team', request.team, 'teamId', request.team_id, 'name', request.name,
        'permission', request.permission, 'place', request.place, 'reason', request.reason, 'others', (
          select coalesce(jsonb_agg(to_jsonb(n)), '[]')
          from (
            select p.name, k.description as permission, coalesce(c.name, request.team) as place
            from public.access_requests o
            join public.permission_keys k on k.key = o.key
            left join public.campaigns c on c.id = o.campaign_id
            left join public.profiles p on p.user_id = o.user_id
            where o.team_id = request.team_id and o.closed_at is null and o.unknown_campaign_id is null
              and o.id <> request.id
            order by o.asked_at desc, o.id limit 30 -- more than can be queued
          ) n)) end;
  end if;
  return case when request.closed_at is not null and exists (
      select from private.active_members m where m.user_id = p_email.user_id and m.team_id = p_email.team_id)
    then jsonb_build_object('team', request.team, 'teamId', request.team_id, 'permission', request.permission,
      'place', request.place, 'reason', request.reason, 'granted', request.granted, 'answer', request.answer,
      'page', request.page, 'grants', (
        select string_agg(coalesce('the ' || (a.after ->> 'permission_set_name') || ' permission set',
          'the ' || (a.after ->> 'role_name') || ' role'), ' and ' order by a.id)
        from public.audit_log a -- of the change that granted it
        where request.granted and a.at = request.closed_at and a.team_id = request.team_id and a.subject_id = request.user_id
          and coalesce(a.campaign_id = request.campaign_id, true))) end;
end $$;

create function public.claim_email(p_has_server boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  next private.emails;
  address text;
  content jsonb;
begin
  insert into private.mail_server (is_set) values (p_has_server)
  on conflict (only_row) do update set is_set = excluded.is_set, checked_at = now();
  while p_has_server loop
    select e.* into next from private.emails e where private.email_is_due(e)
    order by e.tried_at nulls first, e.created_at limit 1 for update skip locked;
    exit when next.id is null;
    address := (select u.email from auth.users u where u.id = next.user_id and u.email_confirmed_at is not null);
    content := private.email_content(next);
    if address is not null and content is not null then
      update private.emails set tried_at = now() where id = next.id;
      return jsonb_build_object('id', next.id, 'email', address, 'kind', next.kind, 'content', content);
    end if;
    delete from private.emails where id = next.id;
  end loop;
  return null;
end $$;
comment on function public.claim_email is
  'Claims the next email that is due: {"id", "email", "kind", "content"}, or null. Saves whether there is a mail server.';

create function public.finish_email(p_id uuid, p_state text) returns void
language sql security definer set search_path = ''
as $$
  delete from private.emails e using private.emails done -- it named their requests
  where done.id = p_id and p_state = 'sent' and e.kind = 'request' and e.state = 'waiting' and e.id <> done.id
    and (e.user_id, e.team_id, e.kind) = (done.user_id, done.team_id, done.kind) and e.created_at <= done.tried_at;
  update private.emails set tries = tries + 1,
    state = case when p_state <> 'again' then p_state when tries < 4 then 'waiting' else 'failed' end
  where id = p_id and state = 'waiting'
$$;
comment on function public.finish_email is
  'Saves the result of an email: "sent", "failed", or "again", which is failed the fifth time. One that was sent replaces those '
  'about other requests that it named.';

create function public.claimed_digest(p_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.email_content(e) from private.emails e
  where e.id = p_id and e.kind = 'digest' and e.state = 'waiting' and e.tried_at > now() - interval '2 minutes'
$$;
comment on function public.claimed_digest is
  'The content of a digest that is being sent; null for any other id. Only its sender knows the id.';

create function public.purge_emails() returns void
language sql security definer set search_path = ''
as $$
  delete from private.emails where created_at < now() - interval '30 days'
$$;
comment on function public.purge_emails is 'Deletes emails older than 30 days, sent or not.';

-- ── Choosing ───────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.email_choices(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('available', exists (select from private.mail_server s where s.is_set),
    'requests', coalesce(c.requests, true), 'digest', coalesce(c.digest, false))
  from (values (p_user_id)) u (id) left join private.email_choices c on c.user_id = u.id
$$;
comment on function public.email_choices is
  'Which emails a person gets: {"available": whether there is a mail server, "requests", "digest"}.';

create function public.choose_emails(p_user_id uuid, p_requests boolean, p_digest boolean) returns void
language sql security definer set search_path = ''
as $$
  insert into private.email_choices (user_id, requests, digest) values (p_user_id, p_requests, p_digest)
  on conflict (user_id) do update set requests = excluded.requests, digest = excluded.digest
$$;
comment on function public.choose_emails is 'Saves which emails a verified person gets.';

-- supabase/schemas/177_digests.sql

-- The daily email of a team's progress.

create function public.queue_digests() returns void
language sql security definer set search_path = ''
as $$
  select private.queue_email(c.user_id, t.id, 'digest', (now() at time zone t.time_zone)::date::text)
  from private.email_choices c
  join private.active_members m on m.user_id = c.user_id
  join public.teams t on t.id = m.team_id
  where c.digest and extract(hour from now() at time zone t.time_zone) between 7 and 11
$$;
comment on function public.queue_digests is
  'Queues the daily email of each team for members who want it, once, in the team''s morning. Call it every hour.';

-- Yesterday in the campaigns of a team whose progress a person may see, from the maintained counts.
create function private.digest_content(p_user_id uuid, p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  with team as (
    select t.*, date_trunc('day', now() at time zone t.time_zone) as today from public.teams t where t.id = p_team_id
  ),
  seen as (
    select c.id, c.name, p.keys, y.*
    from private.places(p_user_id) p
    join public.campaigns c on c.id = p.campaign_id
    cross join team t
    cross join lateral (
      select coalesce(sum(n.entered), 0) as lines, coalesce(sum(n.accepted), 0) as valid,
        coalesce(sum(n.duplicates), 0) as duplicates
      from private.line_counts n
      where n.campaign_id = c.id and n.per = 'quarter'
        and n.quarter >= (t.today - interval '1 day') at time zone t.time_zone and n.quarter < t.today at time zone t.time_zone
    ) y
    where p.team_id = p_team_id and 'campaign.view' = any (p.keys) and c.archived_at is null
    order by y.lines desc, c.name limit 20
  )
  select jsonb_build_object('team', t.name, 'teamId', t.id, 'locale', t.locale, 'timeZone', t.time_zone,
    'campaigns', jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'lines', s.lines, 'valid', s.valid,
      'duplicates', s.duplicates, 'seesLines', 'signatures.view' = any (s.keys)) order by s.lines desc, s.name))
  from team t cross join seen s
  group by t.id, t.name, t.locale, t.time_zone
$$;

-- supabase/schemas/178_erasure.sql

-- Erasing the personal data of archived campaigns, after the number of days that the team that runs one has set. Its
-- administrators are warned 14 days before. Lines stay, with their verdicts, sheets, clerks, days and counties, so that all
-- counts stay.

create table private.erasures (
  campaign_id text primary key references public.campaigns (id) on delete cascade,
  through bigint not null default 0
);
comment on table private.erasures is 'Campaigns that are being erased, and the stored_number through which their lines are done.';
alter table private.erasures enable row level security;

-- A warning no longer counts once its campaign was restored, or the period was removed or extended.
create function private.warn_of_erasures() returns void
language plpgsql set search_path = ''
as $$
declare
  warned record;
begin
  update public.campaigns c set erase_at = null
  from public.teams t
  where t.id = c.team_id and c.erase_at is not null and c.erased_at is null
    and coalesce(c.archived_at + make_interval(days => t.erase_after_days) > c.erase_at, true);
  for warned in
    update public.campaigns c
    set erase_at = greatest(c.archived_at + make_interval(days => t.erase_after_days), now() + interval '14 days')
    from public.teams t
    where t.id = c.team_id and c.erase_at is null and c.erased_at is null
      and c.archived_at + make_interval(days => t.erase_after_days) <= now() + interval '14 days'
    returning c.id, c.erase_at
  loop
    perform private.queue_email(m.user_id, m.team_id, 'erasure', warned.id || ' ' || warned.erase_at::date)
    from public.campaign_team a join private.active_members m on m.team_id = a.team_id and m.is_team_admin
    where a.campaign_id = warned.id;
  end loop;
end $$;

create function public.erase_personal_data(p_limit int default 2000) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  campaign text;
  done int;
  last bigint;
begin
  perform private.warn_of_erasures();
  with begun as (
    update public.campaigns set erased_at = now()
    where erased_at is null and archived_at is not null and erase_at <= now() returning id
  )
  insert into private.erasures (campaign_id) select b.id from begun b;
  select e.campaign_id, e.through into campaign, last from private.erasures e order by e.campaign_id limit 1
  for update skip locked;
  if campaign is null then return null; end if;

  with part as materialized (
    select l.id, l.stored_number from public.lines l where l.campaign_id = campaign and l.stored_number > last
    order by l.stored_number limit p_limit
  ),
  erased as (
    update public.lines l set voter_id = case when l.verdict = 'accepted' then 'erased-' || l.stored_number end,
      first_name = null, last_name = null, address = null, city = null, zip = null, note = null, removed_because = null
    from part p where l.id = p.id
  )
  select count(*), max(p.stored_number) into done, last from part p;
  update private.erasures e set through = coalesce(last, e.through) where e.campaign_id = campaign;
  if done = p_limit then return campaign; end if;

  perform set_config('signet.erasing', 'on', true); -- the log is append-only otherwise
  update public.audit_log a set before = a.before - e.columns, after = a.after - e.columns
  from (select '{first_name,last_name,voter_id,reason}'::text[] as columns) e
  where a.id in (select b.id from public.audit_log b where b.campaign_id = campaign and b.table_name = 'lines'
    and (b.before ?| e.columns or b.after ?| e.columns) limit p_limit);
  get diagnostics done = row_count;
  perform set_config('signet.erasing', '', true);
  if done = p_limit then return campaign; end if;

  update public.line_changes set reason = null where campaign_id = campaign and reason is not null;
  update public.quality_lines set voter_id = case when verdict = 'accepted' then 'erased' end, first_name = null,
    last_name = null, address = null, note = null
  where campaign_id = campaign;
  delete from public.read_log where campaign_id = campaign;
  update public.charts c set data = null, generated_at = null
  where c.data is not null and (c.campaign_id = campaign or c.campaign_id is null and c.team_id in (
      select a.team_id from public.campaign_team a where a.campaign_id = campaign))
    and private.chart_identifies((select u.names from private.unrestricted_columns u where u.source = c.source),
      c.group_by, c.metrics, c.filters);
  perform public.request_signer_rebuilds(array[campaign]); -- which finds no signers
  delete from private.erasures where campaign_id = campaign;
  return campaign;
end $$;
comment on function public.erase_personal_data is
  'Warns of erasures, and erases a part of one that is due: p_limit lines. Returns the campaign; null if none is due. Call it '
  'every minute.';

-- supabase/schemas/180_schedule.sql

-- The state of the jobs of supabase/schedule.sql, for the operator.

-- Runs as its owner: no one else sees pending changes and runs. pg_cron is missing before the schedule is set up.
create function public.schedule_state() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  runs jsonb := '{}';
begin
  if to_regclass('cron.job_run_details') is not null then
    execute $query$
      select coalesce(jsonb_object_agg(j.jobname, jsonb_build_object(
        'active', j.active, 'ranAt', private.utc(d.start_time), 'status', d.status,
        'error', case when d.status = 'failed' then d.return_message end)), '{}')
      from cron.job j
      left join lateral (
        select r.* from cron.job_run_details r where r.jobid = j.jobid order by r.runid desc limit 1
      ) d on true
    $query$ into runs;
  end if;
  return jsonb_build_object(
    'oldestPending', jsonb_build_object(
      'permissions', (select extract(epoch from clock_timestamp() - c.created_at)
        from public.permission_changes c order by c.id limit 1),
      'signers', (select extract(epoch from clock_timestamp() - c.created_at)
        from public.signer_changes c order by c.id limit 1)),
    'jobs', (
      select jsonb_object_agg(name, coalesce(runs -> name, '"not scheduled"'))
      from unnest(array[
        'invalidate-permissions', 'sync-signers', 'look-at-signers', 'send-invitations', 'send-emails',
        'erase-personal-data', 'queue-digests', 'purge-read-log', 'purge-emails', 'purge-job-runs']) name));
end $$;
comment on function public.schedule_state is
  'Seconds that the oldest pending changes have waited, and the last run of each job: {"oldestPending": {"permissions", "signers"}, '
  '"jobs": {name: {"active", "ranAt", "status", "error"} | "not scheduled"}}.';

-- supabase/schemas/190_migrations.sql

-- For `npm run doctor`: REST doesn't expose the schema in which the CLI lists migrations.

-- Security definer, because no other role can read that schema. Returns null if the CLI didn't create the database.
create function public.applied_migrations() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  versions text[];
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select array_agg(version::text order by version) from supabase_migrations.schema_migrations' into versions;
  end if;
  return versions;
end $$;
comment on function public.applied_migrations is 'The versions of the migrations that were applied; null if they aren''t listed.';
