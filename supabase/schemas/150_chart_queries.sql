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
