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
