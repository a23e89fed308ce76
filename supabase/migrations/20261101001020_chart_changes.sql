-- Changes of charts: storing what was computed, and what people do who hold charts.edit. Access is decided here again, in
-- the transaction of the change.

-- Answers { outcome, data }: 'stored', without repeating the data; 'newer' with the result of the same version that was
-- computed later and stays; 'changed' when the definition is no longer that version, or the chart is gone. `p_data` is the
-- text of the result, which is read once on its way.
create function public.store_chart_result(p_id uuid, p_version int, p_data text) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  given constant jsonb := p_data;
  stored jsonb;
begin
  update public.charts c
  set data = given, data_version = p_version, generated_at = (given ->> 'generatedAt')::timestamptz
  where c.id = p_id and c.version = p_version and c.deleted_at is null and (
    c.data_version is distinct from p_version
    or c.generated_at is null
    or c.generated_at <= (given ->> 'generatedAt')::timestamptz);
  if found then
    return jsonb_build_object('outcome', 'stored', 'data', null);
  end if;
  select c.data into stored from public.charts c
  where c.id = p_id and c.version = p_version and c.data_version = p_version and c.deleted_at is null;
  return jsonb_build_object('outcome', case when found then 'newer' else 'changed' end, 'data', stored);
end $$;
comment on function public.store_chart_result is 'Stores a chart''s result, if its definition is still what was computed.';
revoke execute on function public.store_chart_result from public, anon, authenticated;
grant execute on function public.store_chart_result to service_role;

create function private.edits_charts(p_actor_id uuid, p_team_id text, p_campaign_id text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.places(p_actor_id) a
    where a.team_id = p_team_id and a.campaign_id is not distinct from p_campaign_id and 'charts.edit' = any (a.keys))
$$;
revoke execute on function private.edits_charts from public, anon, authenticated;
grant execute on function private.edits_charts to service_role;

-- Changes of one dashboard happen one after another: its order and the number of its charts concern them all. Take this
-- before any chart is locked.
create function private.lock_dashboard(p_team_id text, p_campaign_id text) returns void
language sql set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('charts:' || p_team_id || ':' || coalesce(p_campaign_id, ''), 0))
$$;
revoke execute on function private.lock_dashboard from public, anon, authenticated;
grant execute on function private.lock_dashboard to service_role;

create function private.dashboard_is_full(p_team_id text, p_campaign_id text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) >= 100 from public.charts c
  where c.team_id = p_team_id and c.campaign_id is not distinct from p_campaign_id and c.deleted_at is null
$$;
revoke execute on function private.dashboard_is_full from public, anon, authenticated;
grant execute on function private.dashboard_is_full to service_role;

-- `p_chart`: { team, campaign, name, kind, source, groupBy, metrics, filters, id?, version? }. Answers { outcome, id,
-- version }: 'done', 'not-allowed', 'not-found', 'full', or 'changed' when the chart has another version; { refused } for
-- a definition that cannot run.
create function public.save_chart(p_actor_id uuid, p_chart jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  given constant jsonb := private.chart_parts(p_chart);
  given_id constant uuid := given ->> 'id';
  team constant text := given ->> 'team';
  campaign constant text := given ->> 'campaign';
  chart public.charts;
  part text;
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
    elsif chart.version <> (given ->> 'version')::int then
      return jsonb_build_object('outcome', 'changed');
    end if;
  elsif private.dashboard_is_full(team, campaign) then
    return jsonb_build_object('outcome', 'full');
  end if;
  begin
    perform private.chart_statement(
      given ->> 'source', campaign, given ->> 'groupBy', given -> 'metrics', given -> 'filters');
  exception when sqlstate 'SG422' then
    get stacked diagnostics part = pg_exception_detail;
    return private.chart_refusal(part, sqlerrm);
  end;

  if given_id is null then
    insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, filters, created_by, position)
    values (team, campaign, given ->> 'name', given ->> 'kind', given ->> 'source', given ->> 'groupBy',
      given -> 'metrics', given -> 'filters', p_actor_id, 1 + coalesce((select max(c.position) from public.charts c
        where c.team_id = team and c.campaign_id is not distinct from campaign), 0)) -- behind deleted ones, which may come back
    returning * into chart;
  else
    update public.charts
    set name = given ->> 'name', kind = given ->> 'kind', source = given ->> 'source', group_by = given ->> 'groupBy',
      metrics = given -> 'metrics', filters = given -> 'filters', updated_at = now()
    where id = given_id
    returning * into chart;
  end if;
  return jsonb_build_object('outcome', 'done', 'id', chart.id, 'version', chart.version);
end $$;
comment on function public.save_chart is 'Stores a chart''s definition, new or changed, in the name of an actor with charts.edit.';
revoke execute on function public.save_chart from public, anon, authenticated;
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
revoke execute on function private.chart_to_change from public, anon, authenticated;
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
  insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, filters, position, created_by,
    data, generated_at, data_version)
  select o.team_id, o.campaign_id, left('Copy of ' || o.name, 120), o.kind, o.source, o.group_by, o.metrics, o.filters,
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
revoke execute on function public.duplicate_chart from public, anon, authenticated;
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
revoke execute on function public.delete_chart from public, anon, authenticated;
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
revoke execute on function public.restore_chart from public, anon, authenticated;
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
      select min(e.at) as at from jsonb_array_elements_text(private.chart_parts(p_ids)) with ordinality as e (id, at)
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
revoke execute on function public.order_charts from public, anon, authenticated;
grant execute on function public.order_charts to service_role;
