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
