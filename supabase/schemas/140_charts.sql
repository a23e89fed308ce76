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
