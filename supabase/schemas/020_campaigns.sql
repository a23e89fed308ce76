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
