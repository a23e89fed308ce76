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
