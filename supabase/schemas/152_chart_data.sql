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
