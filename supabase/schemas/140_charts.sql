-- Charts: their definitions and what was computed last, for a campaign or a whole team.

create table public.charts (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id) on delete cascade,
  campaign_id text references public.campaigns (id) on delete cascade,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('bar', 'stacked-bar', 'line', 'area', 'pie', 'table', 'number')),
  source text not null,
  group_by text not null default '',
  metrics jsonb not null default '[]',
  filters jsonb not null default '[]',
  display jsonb check (jsonb_typeof(display) = 'object' and length(display::text) <= 16384),
  version int not null default 1,
  position int not null default 0,
  data jsonb,
  generated_at timestamptz,
  data_version int,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
comment on column public.charts.campaign_id is 'Null: the chart covers the whole team.';
comment on column public.charts.display is
  'What it shows of its data, which is not computed: lib/charts/display.ts. Its changes raise no version.';
comment on column public.charts.version is 'Rises with each change of what is computed.';
comment on column public.charts.data_version is 'The version that data was computed of. Another one: data is outdated.';
comment on column public.charts.created_by is 'No foreign key: kept when her account is gone.';
comment on column public.charts.deleted_at is 'Kept for undo, and shown nowhere.';
create index charts_place on public.charts (team_id, campaign_id, position);
create index charts_campaign on public.charts (campaign_id);
alter table public.charts enable row level security;
create policy "with charts.view" on public.charts for select to authenticated
  using (deleted_at is null and (
    (team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('charts.view') g)
    or campaign_id is null
      and team_id in (select g.team_id from private.granted('charts.view') g where g.campaign_id is null)));
grant select on public.charts to authenticated;
grant select, insert, update, delete on public.charts to service_role;

create function private.raise_chart_version() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.team_id, new.campaign_id, new.source, new.group_by, new.metrics, new.filters)
    is distinct from (old.team_id, old.campaign_id, old.source, old.group_by, old.metrics, old.filters)
  then
    new.version := greatest(new.version, old.version + 1);
  end if;
  return new;
end $$;
create trigger raise_chart_version before update on public.charts
for each row execute function private.raise_chart_version();

-- What people do who hold charts.edit. Access is decided here again, in the transaction of the change.

create function private.edits_charts(p_actor_id uuid, p_team_id text, p_campaign_id text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.places(p_actor_id) a
    where a.team_id = p_team_id and a.campaign_id is not distinct from p_campaign_id and 'charts.edit' = any (a.keys))
$$;
grant execute on function private.edits_charts to service_role;

-- Changes of one dashboard happen one after another: its order and the number of its charts concern them all. Take this
-- before any chart is locked.
create function private.lock_dashboard(p_team_id text, p_campaign_id text) returns void
language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('charts:' || p_team_id || ':' || coalesce(p_campaign_id, ''), 0))
$$;
grant execute on function private.lock_dashboard to service_role;

create function private.dashboard_is_full(p_team_id text, p_campaign_id text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) >= 100 from public.charts c
  where c.team_id = p_team_id and c.campaign_id is not distinct from p_campaign_id and c.deleted_at is null
$$;
grant execute on function private.dashboard_is_full to service_role;

-- `p_chart`: { team, campaign, name, kind, source, groupBy, metrics, filters, display?, id?, version? }. Answers { outcome, id,
-- version }: 'done', 'not-allowed', 'not-found', 'full', or 'changed' when the chart has another version; { refused } for
-- a definition that cannot run.
create function public.save_chart(p_actor_id uuid, p_chart jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  given_id constant uuid := p_chart ->> 'id';
  team constant text := p_chart ->> 'team';
  campaign constant text := p_chart ->> 'campaign';
  chart public.charts;
begin
  if not private.edits_charts(p_actor_id, team, campaign) then
    return jsonb_build_object('outcome', 'not-allowed');
  end if;
  perform private.lock_dashboard(team, campaign);
  if given_id is not null then
    select * into chart from public.charts c
    where c.id = given_id and c.team_id = team and c.campaign_id is not distinct from campaign and c.deleted_at is null
    for update;
    if not found then
      return jsonb_build_object('outcome', 'not-found');
    elsif chart.version <> (p_chart ->> 'version')::int then
      return jsonb_build_object('outcome', 'changed');
    end if;
  elsif private.dashboard_is_full(team, campaign) then
    return jsonb_build_object('outcome', 'full');
  end if;
  begin
    perform private.chart_statement(p_chart ->> 'source', campaign, p_chart ->> 'groupBy', p_chart);
  exception when sqlstate 'SG422' then
    return sqlerrm;
  end;

  if given_id is null then
    insert into public.charts
      (team_id, campaign_id, name, kind, source, group_by, metrics, filters, display, created_by, position)
    values (team, campaign, p_chart ->> 'name', p_chart ->> 'kind', p_chart ->> 'source', p_chart ->> 'groupBy',
      p_chart -> 'metrics', p_chart -> 'filters', nullif(p_chart -> 'display', 'null'), p_actor_id, 1 + coalesce((select max(c.position) from public.charts c
        where c.team_id = team and c.campaign_id is not distinct from campaign), 0)) -- behind deleted ones, which may come back
    returning * into chart;
  else
    update public.charts
    set name = p_chart ->> 'name', kind = p_chart ->> 'kind', source = p_chart ->> 'source', group_by = p_chart ->> 'groupBy',
      metrics = p_chart -> 'metrics', filters = p_chart -> 'filters',
      display = nullif(p_chart -> 'display', 'null'), updated_at = now()
    where id = given_id
    returning * into chart;
  end if;
  return jsonb_build_object('outcome', 'done', 'id', chart.id, 'version', chart.version);
end $$;
comment on function public.save_chart is 'Stores a chart''s definition, new or changed, in the name of an actor with charts.edit.';
grant execute on function public.save_chart to service_role;

-- The chart, locked, if the actor may change it; else why not, in `outcome`. A chart in a team of others is not there.
create function private.chart_to_change(p_actor_id uuid, p_id uuid, out outcome text, out chart public.charts)
language plpgsql set search_path = ''
as $$
begin
  perform private.lock_dashboard(c.team_id, c.campaign_id) from public.charts c where c.id = p_id;
  select * into chart from public.charts c where c.id = p_id for update;
  outcome := case
    when not found or not exists (select from private.places(p_actor_id) a where a.team_id = chart.team_id) then 'not-found'
    when not private.edits_charts(p_actor_id, chart.team_id, chart.campaign_id) then 'not-allowed'
    else 'done'
  end;
end $$;
grant execute on function private.chart_to_change to service_role;

create function public.duplicate_chart(p_actor_id uuid, p_id uuid) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  found record;
  copy_id uuid;
begin
  select * into found from private.chart_to_change(p_actor_id, p_id);
  if found.outcome = 'done' and (found.chart).deleted_at is not null then
    found.outcome := 'not-found';
  elsif found.outcome = 'done' and private.dashboard_is_full((found.chart).team_id, (found.chart).campaign_id) then
    found.outcome := 'full';
  end if;
  if found.outcome <> 'done' then
    return jsonb_build_object('outcome', found.outcome);
  end if;
  update public.charts c set position = c.position + 1
  where c.team_id = (found.chart).team_id and c.campaign_id is not distinct from (found.chart).campaign_id
    and c.position > (found.chart).position;
  insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, filters, display, position, created_by,
    data, generated_at, data_version)
  select o.team_id, o.campaign_id, left('Copy of ' || o.name, 120), o.kind, o.source, o.group_by, o.metrics, o.filters, o.display,
    o.position + 1, p_actor_id, d.data, d.generated_at, d.version
  from public.charts o
  left join lateral (
    select o.data, o.generated_at, 1 as version where o.data_version = o.version -- a copy begins at version 1
  ) d on true
  where o.id = p_id
  returning id into copy_id;
  return jsonb_build_object('outcome', 'done', 'id', copy_id);
end $$;
comment on function public.duplicate_chart is 'Copies a chart right behind itself, in the name of an actor with charts.edit.';
grant execute on function public.duplicate_chart to service_role;

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
comment on function public.delete_chart is 'Takes a chart off its dashboard; restore_chart brings it back.';
grant execute on function public.delete_chart to service_role;

-- With the place: nobody sees a deleted chart, so nothing else says that it was on this dashboard.
create function public.restore_chart(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid) returns text
language plpgsql set search_path = ''
as $$
declare
  found record;
begin
  select * into found from private.chart_to_change(p_actor_id, p_id);
  if found.outcome = 'done'
    and ((found.chart).team_id, (found.chart).campaign_id) is distinct from (p_team_id, p_campaign_id)
  then
    return 'not-found';
  elsif found.outcome = 'done' and (found.chart).deleted_at is not null then
    if private.dashboard_is_full(p_team_id, p_campaign_id) then
      return 'full';
    end if;
    update public.charts set deleted_at = null where id = p_id;
  end if;
  return found.outcome;
end $$;
comment on function public.restore_chart is 'Brings a deleted chart of a place back, as it was.';
grant execute on function public.restore_chart to service_role;

-- The named charts of the place first, in this order; the others follow in theirs. Deleted charts stay where they are
-- among them, for undo.
create function public.order_charts(p_actor_id uuid, p_team_id text, p_campaign_id text, p_ids jsonb) returns text
language plpgsql set search_path = ''
as $$
begin
  if not private.edits_charts(p_actor_id, p_team_id, p_campaign_id) then
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
comment on function public.order_charts is 'Orders the charts of a place, in the name of an actor with charts.edit.';
grant execute on function public.order_charts to service_role;
