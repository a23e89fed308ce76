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
