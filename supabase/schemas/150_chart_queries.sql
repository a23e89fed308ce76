-- Computing charts where the data is (contract 4.5, steps 3 to 5): a definition becomes one statement over a view of
-- `reporting`. Names of columns are looked up in the catalog and quoted. Values are bound: `$3` is the definition itself,
-- and each value is taken out of it by its path. Team and campaign, `$1` and `$2`, are always filtered. In a campaign,
--
--   { "source": "signatures", "groupBy": "county",
--     "filters": [{ "column": "city", "operator": "in", "value": ["Olympia", null] }],
--     "metrics": [
--       { "key": "lines", "aggregation": "count" },
--       { "key": "late", "aggregation": "avg", "column": "line",
--         "segment": [{ "column": "sheet", "operator": "gte", "value": 9 }] }] }
--
-- becomes, by the parts that follow (columns, values, conditions, measures, groups),
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
-- What cannot run is raised as SG422 within, and answered as { refused: { part, message } }: the part of the definition
-- (`metrics.0.column`) and a sentence. What its actor may not see is { refused: { needs } }, the key.

create function private.refuse_chart(p_when boolean, p_part text, p_message text, variadic p_words text[] default '{}')
returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if p_when then
    raise exception using errcode = 'SG422', message = json_build_object(
      'refused', json_build_object('part', p_part, 'message', format(p_message, variadic p_words)))::text;
  end if;
end $$;

-- ── Columns ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- `expression` is the column of a view `v` as charts compute with it. Texts are in "C" order, the same on every server.
-- A float is taken as the shortest decimal that names it, so that sums are exact. JSON's null is no value.
-- `bare` is the column itself where grouping by it tells the same values apart: that is faster, as nothing has to be
-- computed of each record. A collation that is not deterministic takes several texts for one.
-- `part` says of which day or moment of its source a column is a part, by its name: { of, unit }.
-- `identifies` says that it tells who signed: so its comment is marked, or nobody has decided.
create view private.chart_columns as
with recursive base as ( -- a domain stands for its type
  select a.attrelid, a.attnum, a.attname, a.atttypid as type_id, a.attcollation as collation_id
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'reporting' and c.relkind in ('v', 'm', 'r', 'p', 'f') and a.attnum > 0 and not a.attisdropped
  union all
  select b.attrelid, b.attnum, b.attname, t.typbasetype, b.collation_id from base b
  join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype = 'd'
)
select c.oid as relation, c.relname as source, b.attnum as place, b.attname as name,
  coalesce(regexp_replace(d.words, ' *\[signer\]$', ''), replace(b.attname, '_', ' ')) as label,
  coalesce(d.words ~ '\[signer\]$', true) as identifies,
  k.type, format_type(t.oid, null) as data_type,
  format(
    case
      when k.type = 'text' then case when t.typname in ('text', 'varchar') then 'v.%I' else 'v.%I::text' end || ' collate "C"'
      when t.typname in ('float4', 'float8') then 'v.%I::text::numeric'
      when k.type = 'array' then 'to_jsonb(v.%I)'
      when k.type = 'json' then 'nullif(v.%I::jsonb, ''null'')'
      else 'v.%I'
    end, b.attname) as expression,
  case when t.typname in ('text', 'varchar') and l.collisdeterministic then format('v.%I', b.attname) end as bare,
  (select jsonb_build_object('of', p[1], 'unit', p[2])
    from regexp_match(b.attname, '^(.+)_(day|week|month|weekday|hour)$') p
    where exists (select from base o
      where o.attrelid = b.attrelid and o.attname = p[1] and o.type_id in ('date'::regtype, 'timestamptz'::regtype))) as part
from base b
join pg_catalog.pg_class c on c.oid = b.attrelid
join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype <> 'd'
left join pg_catalog.pg_collation l on l.oid = b.collation_id
cross join lateral col_description(c.oid, b.attnum) as d (words)
cross join lateral (
  select case
    when t.typname in ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8') then 'number'
    when t.typname = 'date' then 'date'
    when t.typname in ('timestamp', 'timestamptz') then 'time'
    when t.typname = 'bool' then 'boolean'
    when t.typname = 'uuid' then 'uuid'
    when t.typname in ('json', 'jsonb') then 'json'
    when t.typcategory = 'A' then 'array'
    else 'text'
  end as type
) k;

-- A view without team and campaign would be read unfiltered.
create view private.chart_sources as
select c.relation, c.source
from private.chart_columns c
where c.name in ('team_id', 'campaign_id') and has_table_privilege('service_role', c.relation, 'select')
group by c.relation, c.source
having count(*) = 2;
create function public.chart_sources() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', s.source,
    'label', split_part(d.words, ': ', 1),
    'description', case when d.words like '%: %' then substr(d.words, strpos(d.words, ': ') + 2) else '' end,
    'columns', (
      select jsonb_agg(jsonb_build_object('name', c.name, 'label', c.label, 'type', c.type, 'part', c.part,
        'identifies', c.identifies) order by c.place)
      from private.chart_columns c where c.relation = s.relation
    )
  ) order by s.source collate "C"), '[]')
  from private.chart_sources s
  cross join lateral (
    select coalesce(obj_description(s.relation, 'pg_class'), replace(s.source, '_', ' ')) as words
  ) d
$$;
comment on function public.chart_sources is
  'The views that charts may read: [{ name, label, description, columns: [{ name, label, type, part, identifies }] }].';

-- The columns of a source by their names, each as a row of private.chart_columns. Refuses what charts may not read.
create function private.columns_of_source(p_source text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  perform private.refuse_chart(not exists (select from private.chart_sources s where s.source = p_source),
    'source', 'There is no chart source "%s".', p_source);
  return (select jsonb_object_agg(c.name, to_jsonb(c)) from private.chart_columns c where c.source = p_source);
end $$;

create function private.chart_column(p_columns jsonb, p_name jsonb) returns jsonb
language sql immutable set search_path = ''
as $$ select case when jsonb_typeof(p_name) = 'string' then p_columns -> (p_name #>> '{}') end $$;

-- ── Values ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- The next three are called for each group or record: settings of their own would cost more than what they do. Who calls
-- them has set search_path and extra_float_digits.

-- Whether a number is the same after it was read as a JSON number by JavaScript.
create function private.survives_json(p_number numeric) returns boolean
language sql immutable parallel safe
return case
  when p_number = 0 then true
  when p_number = 'NaN' or abs(p_number) not between 1e-300 and 1e300 then false
  else p_number = p_number::float8::text::numeric
end;

-- A value as a result shows it: as its text where JavaScript could not hold a number of it exactly.
create function private.chart_value(p_value jsonb) returns jsonb
language sql immutable parallel safe
return case
  when jsonb_typeof(p_value) in ('number', 'array', 'object') and exists (
    select from jsonb_path_query(p_value, 'strict $.**') as part
    where jsonb_typeof(part) = 'number' and not private.survives_json(part::numeric)
  ) then to_jsonb(p_value #>> '{}')
  else p_value
end;

-- A total over a count as a result shows it: an integer exactly, else rounded half away from zero to 15 significant
-- digits, without an intermediate rounding. Null over nothing.
create function private.chart_number(p_total numeric, p_count bigint, p_metric text, p_part text) returns numeric
language plpgsql immutable parallel safe
as $$
declare
  quotient numeric := p_total / nullif(p_count, 0);
  places int; -- after the decimal point
begin
  if quotient is null then
    return null;
  elsif abs(quotient) < 1e9 and scale(trim_scale(quotient)) <= 6 and quotient * p_count = p_total then
    return trim_scale(quotient); -- as most are: exact, of 15 digits at most
  elsif quotient in ('NaN', 'Infinity', '-Infinity') then
    perform private.refuse_chart(true, p_part, 'The measure "%s" is over values that are not finite.', p_metric);
  elsif mod(p_total, p_count) = 0 then
    if abs(quotient) > 9007199254740992 then
      perform private.refuse_chart(true, p_part,
        'The measure "%s" comes to a whole number beyond 2^53, which cannot be shown exactly.', p_metric);
    end if;
    return trunc(quotient);
  end if;
  places := 15 - case
    when abs(quotient) >= 1 then length(trunc(abs(quotient))::text)
    else -length(substring(quotient::text from '0\.(0*)'))
  end;
  quotient := sign(p_total) * ('1e' || -places)::numeric
    * div(2 * abs(p_total) * ('1e' || places)::numeric + p_count, 2 * p_count);
  if abs(quotient) not between 1e-300 and 1e300 then
    perform private.refuse_chart(true, p_part,
      'The measure "%s" comes to a number that is too large or too small to be shown.', p_metric);
  end if;
  return trim_scale(quotient);
end $$;

-- Immutable, as a bare cast is not: what comes here is ISO 8601, whatever the session's settings. So a bound day or moment
-- is a constant to the planner, and not computed for each record.
create function private.chart_day(p_text text) returns date
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO'
as $$ begin return p_text::date; end $$;

create function private.chart_moment(p_text text) returns timestamptz
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO' set timezone = 'UTC'
as $$ begin return p_text::timestamptz; end $$;

-- The days that a word for some of them stands for, seen from a day. Null where it is no such word.
create function private.chart_period(p_words text, p_today date) returns daterange
language sql immutable parallel safe set search_path = ''
as $$
  select case
    when p_words = 'today' then daterange(p_today, p_today + 1)
    when p_words = 'yesterday' then daterange(p_today - 1, p_today)
    when p_words ~ '^last [1-9]\d{0,2} days$' then daterange(p_today - split_part(p_words, ' ', 2)::int + 1, p_today + 1)
    when p_words ~ '^(this|last) (week|month|year)$' then (
      select case when p_words like 'this %' then daterange(f.first, (f.first + f.step)::date)
        else daterange((f.first - f.step)::date, f.first) end
      from split_part(p_words, ' ', 2) as unit (word)
      cross join lateral (
        select date_trunc(unit.word, p_today::timestamp)::date as first, ('1 ' || unit.word)::interval as step) f)
  end
$$;

-- A definition with what its relative days are seen from: the team's zone, and the day there at a moment. The statement
-- takes both out of it.
create function private.chart_seen_at(p_definition jsonb, p_team_id text, p_at timestamptz) returns jsonb
language sql stable set search_path = '' set datestyle = 'ISO'
as $$
  select p_definition || jsonb_build_object('timeZone', z.name, 'today', (p_at at time zone z.name)::date)
  from coalesce((select t.time_zone from public.teams t where t.id = p_team_id), 'UTC') as z (name)
$$;

-- Whether a filter's value is of a column's type. A number that JSON cannot carry to JavaScript comes as its text.
create function private.chart_value_fits(p_column jsonb, p_value jsonb) returns boolean
language plpgsql immutable set search_path = '' set extra_float_digits = 1
as $$
declare
  kind constant text := jsonb_typeof(p_value);
  given constant text := case kind when 'string' then p_value #>> '{}' end;
begin
  return coalesce(case p_column ->> 'type'
    when 'json' then kind is not null
    when 'array' then kind = 'array'
    when 'boolean' then kind = 'boolean'
    when 'text' then kind = 'string'
    when 'number' then kind = 'number'
      or given ~ '^(-?\d+(\.\d+)?|NaN|-?Infinity)$' and not private.survives_json(given::numeric)
    when 'date' then given ~ '^\d{4}-\d\d-\d\d$' and private.chart_day(given) is not null
    when 'time' then given ~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[-+]\d\d(:?\d\d)?)?)?$'
      and private.chart_moment(given) is not null
    when 'uuid' then given ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
  end, false);
exception when data_exception then -- the 30th of February, the year 0
  return false;
end $$;

-- The value at a path of the definition, as one of the column's type.
create function private.chart_bound(p_column jsonb, p_value jsonb, p_path text[]) returns text
language sql immutable set search_path = ''
as $$
  select format(case
    when p_column ->> 'type' = 'date' then 'private.chart_day($3 #>> %L)'
    when p_column ->> 'data_type' = 'timestamp without time zone'
      then '(private.chart_moment($3 #>> %L) at time zone ''UTC'')'
    when p_column ->> 'type' = 'time' then 'private.chart_moment($3 #>> %L)'
    when p_column ->> 'type' in ('array', 'json') then '($3 #> %L)'
    when p_column ->> 'type' = 'text' then '($3 #>> %L)'
    -- An integer is compared as one, so that an index serves.
    when p_column ->> 'data_type' in ('smallint', 'integer', 'bigint') and jsonb_typeof(p_value) = 'number'
      and p_value::numeric between -9e18 and 9e18 and mod(p_value::numeric, 1) = 0 then '($3 #>> %L)::numeric::bigint'
    when p_column ->> 'type' = 'number' then '($3 #>> %L)::numeric'
    else '($3 #>> %L)::' || (p_column ->> 'data_type')
  end, p_path)
$$;

-- ── Conditions ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- The filter at `p_part` of a definition as a condition on `v`.
create function private.chart_filter(p_filter jsonb, p_part text, p_columns jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  col constant jsonb := private.chart_column(p_columns, p_filter -> 'column');
  type constant text := col ->> 'type';
  x constant text := col ->> 'expression';
  operator constant text := case when jsonb_typeof(p_filter -> 'operator') = 'string' then p_filter ->> 'operator' end;
  val constant jsonb := p_filter -> 'value';
  path constant text[] := array_append(string_to_array(p_part, '.'), 'value');
  is_period constant boolean := type in ('date', 'time') and operator in ('eq', 'gt', 'gte', 'lt', 'lte')
    and jsonb_typeof(val) = 'string' and private.chart_period(val #>> '{}', '2000-01-01') is not null;
begin
  perform private.refuse_chart(jsonb_typeof(p_filter) <> 'object', p_part,
    'A filter must have a column, an operator and a value.');
  perform private.refuse_chart(col is null, p_part || '.column',
    'A filter is on the column "%s", which the source does not have.', p_filter ->> 'column');
  perform private.refuse_chart(operator is null or not operator = any (array['eq', 'neq', 'in'] || case
      when type = 'text' then array['gt', 'gte', 'lt', 'lte', 'contains', 'ilike']
      when type in ('number', 'date', 'time') then array['gt', 'gte', 'lt', 'lte']
      when type in ('array', 'json') then array['contains']
    end), p_part || '.operator',
    'The filter on "%s" has the operator "%s", which does not fit a column of type %s.',
    p_filter ->> 'column', p_filter ->> 'operator', type);
  perform private.refuse_chart(val is null or not case
      when is_period then true
      when operator = 'in' then jsonb_typeof(val) = 'array' and not exists (
        select from jsonb_array_elements(val) e where e <> 'null' and not private.chart_value_fits(col, e))
      when operator in ('eq', 'neq') and val = 'null' then true
      when operator = 'contains' and type <> 'text' then val <> 'null'
      else private.chart_value_fits(col, val)
    end, p_part || '.value',
    'The filter on "%s" has a value that is not of its type, %s.', p_filter ->> 'column', type);

  if operator = 'in' then
    return format('(%s%s)',
      coalesce((select format('%s = any (array[%s])', x,
          string_agg(private.chart_bound(col, e.value, path || (e.at - 1)::text), ', ' order by e.at))
        from jsonb_array_elements(val) with ordinality as e (value, at) where e.value <> 'null'
        having count(*) > 0), 'false'),
      case when val @> '[null]' then format(' or %s is null', x) end);
  elsif val = 'null' and operator in ('eq', 'neq') then
    return x || case operator when 'eq' then ' is null' else ' is not null' end;
  elsif is_period then -- moments by their day in the team's zone, as the columns of their parts have it
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

-- The list of filters at `p_part` of a definition as one condition on `v`.
create function private.chart_condition(p_definition jsonb, p_part text, p_columns jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  filters constant jsonb := nullif(p_definition #> string_to_array(p_part, '.'), 'null');
begin
  perform private.refuse_chart(jsonb_typeof(filters) <> 'array', p_part, 'Filters must be a list.');
  perform private.refuse_chart(jsonb_array_length(filters) > 50, p_part, 'There are more than 50 filters in one list.');
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

-- The aggregations, with the types of the columns that each fits. A number is a total of the values `%1$s` of those records
-- that pass the filter clause `%2$s`, over a divisor. So all of them are exact: a median of an even count is the sum of the
-- two values in the middle, halved (percentile_cont(0.5) computes the same, in floats). `aggregations` of
-- lib/charts/definition/words.ts has the same list.
create view private.chart_aggregations (place, name, types, total, divisor) as values
  (1, 'count', null::text[], 'count(%1$s)%2$s', null),
  (2, 'sum', '{number}', 'sum(%1$s)%2$s', '1'),
  (3, 'avg', '{number}', 'sum(%1$s)%2$s', 'count(%1$s)%2$s'),
  (4, 'median', '{number}', '(percentile_disc(0.5) within group (order by (%1$s)::numeric)%2$s'
    ' + percentile_disc(0.5) within group (order by (%1$s)::numeric desc)%2$s)', '2'),
  (5, 'min', '{number,date,time}', 'min(%1$s)%2$s', '1'),
  (6, 'max', '{number,date,time}', 'max(%1$s)%2$s', '1');

-- What is selected of each group `g` for a definition's measures, and the pairs of the object of its values.
create function private.chart_measures(p_definition jsonb, p_columns jsonb, out selected text, out listed text)
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
begin
  perform private.refuse_chart(jsonb_typeof(metrics) <> 'array', 'metrics', 'The measures must be a list.');
  perform private.refuse_chart(jsonb_array_length(metrics) > 50, 'metrics', 'There are more than 50 measures.');
  for at in 0 .. jsonb_array_length(metrics) - 1 loop
    metric := metrics -> at;
    part := 'metrics.' || at;
    perform private.refuse_chart(jsonb_typeof(metric) <> 'object', part, 'A measure must have a key and an aggregation.');
    key := metric ->> 'key';
    perform private.refuse_chart(
      jsonb_typeof(metric -> 'key') is distinct from 'string' or key !~ '^[a-z][a-zA-Z0-9_]{0,39}$', part || '.key',
      'The measure "%s" needs a key of a small letter and up to 39 letters, digits and _.', key);
    perform private.refuse_chart(key = any (keys), part || '.key', 'Two measures have the key "%s".', key);
    keys := keys || key;
    perform private.refuse_chart(jsonb_typeof(metric -> 'label') not in ('string', 'null'), part || '.label',
      'The label of the measure "%s" must be a text.', key);
    select * into aggregation from private.chart_aggregations a where a.name = metric ->> 'aggregation';
    perform private.refuse_chart(aggregation.name is null, part || '.aggregation',
      'The measure "%s" has the aggregation "%s", which is none of %s.', key, metric ->> 'aggregation',
      (select string_agg(a.name, ', ' order by a.place) from private.chart_aggregations a));
    col := private.chart_column(p_columns, metric -> 'column');
    perform private.refuse_chart(col is null and metric -> 'column' <> 'null', part || '.column',
      'The measure "%s" is over the column "%s", which the source does not have.', key, metric ->> 'column');
    perform private.refuse_chart(col is null and aggregation.types is not null, part || '.column',
      'The measure "%s" needs a column.', key);
    perform private.refuse_chart(col ->> 'type' <> all (aggregation.types), part || '.column',
      'The measure "%s" takes the %s of "%s", which is of type %s.',
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
    'It is grouped by the column "%s", which the source does not have.', unknown);
  perform private.refuse_chart(repeated is not null, 'groupBy', 'It is grouped by "%s" more than once.', repeated);
  perform private.refuse_chart(cardinality(names) > 20, 'groupBy', 'It is grouped by more than 20 columns.');
  return (select coalesce(array_agg(p_columns -> n order by at), '{}') from unnest(names) with ordinality as g (n, at));
end $$;

-- What records are grouped by, what is selected of each group `g` for it, how a result shows those values, the pairs of the
-- object of them, the group's key, and its place in the order.
create function private.chart_grouping(
  p_groups jsonb[], out grouped text, out selected text, out shown text, out listed text, out key text, out sorted text)
language sql immutable set search_path = ''
as $$
  select
    coalesce(string_agg(coalesce(c ->> 'bare', c ->> 'expression'), ', ' order by at), '()'),
    string_agg(format(case
      -- Equal values can be written in several ways (1.0 and 1.00): one of them is shown, always the same.
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

-- ── Who signed ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- The columns of each source that tell nobody who signed.
create view private.harmless_columns as
select c.source, array_agg(c.name) as names from private.chart_columns c where not c.identifies group by c.source;

-- Whether a definition tells who signed, when only these columns are harmless: it groups or filters by another one, or
-- measures one other than by counting those that have it. One that is not known may have been such a column when data was
-- computed. A filter of relative days on a moment is one on its day.
create function private.chart_identifies(p_harmless text[], p_group_by text, p_metrics jsonb, p_filters jsonb) returns boolean
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
        select jsonb_path_query(p_filters, 'lax $[*]')
        union all
        select jsonb_path_query(p_metrics, 'lax $[*].segment[*]')
      ) e (f)
    ) used (name, by_day)
    where used.name <> all (coalesce(p_harmless, '{}'))
      and not (used.by_day and used.name || '_day' = any (coalesce(p_harmless, '{}'))))
$$;

-- Refuses what tells who signed to an actor without signatures.view in its place.
create function private.refuse_signers(p_when boolean, p_actor_id uuid, p_team_id text, p_campaign_id text) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_when and not private.holds_at(p_actor_id, p_team_id, p_campaign_id, 'signatures.view') then
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
    private.chart_identifies((select h.names from private.harmless_columns h where h.source = p_source),
      p_group_by, p_metrics, p_filters),
    p_actor_id, p_team_id, p_campaign_id);
end $$;

-- ── The statement ──────────────────────────────────────────────────────────────────────────────────────────────────

-- As json, not jsonb: the result is sent as a text, and as such it takes half of the time. An object of all 50 measures has
-- the 100 arguments that a function can have.
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
  from private.chart_grouping(groups) g, private.chart_measures(p_definition, columns) m);
end $$;

-- Metrics as they are stored, with each segment as a list: one filter means a list of one.
create function private.chart_metrics_given(p_metrics jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(p_metrics) <> 'array' then p_metrics else coalesce((
    select jsonb_agg(case when jsonb_typeof(m -> 'segment') = 'object'
      then m || jsonb_build_object('segment', jsonb_build_array(m -> 'segment')) else m end order by at)
    from jsonb_array_elements(p_metrics) with ordinality as e (m, at)), '[]') end
$$;

-- Metrics as a result repeats them: what counts of each, and of the filters of its segment. Lists keep their order.
create function private.chart_metrics(p_metrics jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg((
    select jsonb_object_agg(p.name, case when p.name = 'segment' then (
        select coalesce(jsonb_agg(jsonb_build_object(
          'column', f -> 'column', 'operator', f -> 'operator', 'value', f -> 'value')), '[]')
        from jsonb_array_elements(p.value) f
      ) else p.value end)
    from jsonb_each(m) as p (name, value)
    where p.name in ('key', 'label', 'aggregation', 'column', 'segment') and p.value <> 'null'
  )), '[]')
  from jsonb_array_elements(p_metrics) m
$$;

-- The result of a definition, for an actor. `stable`: all of it sees the records as they are when the call begins.
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
    perform private.refuse_chart(true, 'source', 'The source "%s" holds a value that cannot be computed with.', p_source);
  end;
  perform private.refuse_chart(groups > 5000,
    'groupBy', 'There are more than 5000 groups. Group by fewer columns, or add a filter.');
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
  'The result of a chart over the records of a team, or of a campaign of it, exact (contract 4.5); { refused } for a '
  'definition that cannot run, or that tells who signed to an actor without signatures.view there.';

-- ── Generating ─────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.database_time() returns bigint
language sql volatile set search_path = ''
as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;
comment on function public.database_time is 'Milliseconds since 1970 by this database''s clock, to set deadlines by.';

-- Who has given up must not find data of hers later, and nothing stops the statement of somebody who left. So nothing is
-- stored past the deadline. That is a time by this database's own clock (database_time), as the caller's may differ. A
-- length of time from when this call began would not do: the call may have waited for a connection, while the caller's time
-- ran. The clock is read last, when the chart is locked and written; what remains is the commit and the answer's way, for
-- which the caller waits a little longer.
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
  into newest from private.newest_of_place(chart.team_id, chart.campaign_id) n;
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
  'not past. Answers { outcome: done | changed | late | not-found, data? } or { refused }; `data` is what is stored, which '
  'may be a result that was computed later meanwhile. The actor needs signatures.view for a chart that tells who signed.';

-- ── The records behind a number ────────────────────────────────────────────────────────────────────────────────────

-- Answers { columns, records, total, next }, 'not-allowed', or { refused }. `p_cell`: { source, groupBy, filters, group,
-- metric?, at? }, relative days being those of the moment `at`. Parts of days and moments are left out of the records.
-- `next` is { after, offset } of the following page: by it no record is passed over or told twice when others come or go
-- meanwhile. It is null behind the last one.
create function public.chart_records(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_cell jsonb, p_offset int, p_limit int, p_after jsonb default null)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  cell constant jsonb := private.chart_seen_at(
    p_cell, p_team_id, coalesce((p_cell ->> 'at')::timestamptz, statement_timestamp()));
  columns jsonb;
  col jsonb;
  given jsonb;
  filtered text;
  answer jsonb;
begin
  if not exists (select from private.places(p_actor_id) a
    where a.team_id = p_team_id and a.campaign_id is not distinct from p_campaign_id
      and a.keys @> array['charts.view', 'signatures.view'])
  then
    return to_jsonb('not-allowed'::text);
  end if;
  columns := private.columns_of_source(p_cell ->> 'source');
  filtered := private.chart_condition(p_cell, 'filters', columns);
  foreach col in array private.chart_groups(p_cell ->> 'groupBy', columns) loop
    given := p_cell -> 'group' -> (col ->> 'name');
    perform private.refuse_chart(given is null, 'group', 'The group has no value for "%s".', col ->> 'name');
    perform private.refuse_chart(
      given <> 'null' and col ->> 'type' not in ('array', 'json') and not private.chart_value_fits(col, given),
      'group.0.value',
      'The group has a value for "%s" that is not of its type, %s.', col ->> 'name', col ->> 'type');
    filtered := filtered || format(case
        when given = 'null' then ' and %s is null'
        when col ->> 'type' in ('array', 'json') then ' and private.chart_value(%s) = %s' -- as the result shows it
        else ' and %s = %s'
      end, col ->> 'expression', private.chart_bound(col, given, array['group', col ->> 'name']));
  end loop;
  filtered := filtered || ' and ' || private.chart_condition(p_cell, 'metric.segment', columns);
  col := private.chart_column(columns, p_cell #> '{metric,column}');
  perform private.refuse_chart(col is null and p_cell #> '{metric,column}' <> 'null', 'metric.column',
    'The measure is over the column "%s", which the source does not have.', p_cell #>> '{metric,column}');
  filtered := filtered || coalesce(' and ' || (col ->> 'expression') || ' is not null', '');

  execute (select format($statement$
    with found as materialized (
      select %1$s as sorted, %2$s
      from reporting.%3$I v
      where %4$s and %5$s
    ),
    page as materialized (
      select f.*, w.words
      from found f
      cross join lateral (select row(%6$s)::text collate "C" as words) w
      where $6 is null or (f.sorted, w.words) >= (($6 ->> 'sorted')::numeric, $6 ->> 'words')
      order by f.sorted, w.words offset $4 limit $5
    ),
    final as (select p.sorted, p.words, count(*) as n from page p group by 1, 2 order by 1 desc, 2 desc limit 1)
    select jsonb_build_object(
      'total', (select count(*) from found),
      'records', (select coalesce(jsonb_agg(jsonb_build_array(%7$s)), '[]') -- of the page alone: that is what takes time
        from (select %8$s from page p order by p.sorted, p.words) v),
      'next', (select jsonb_build_object(
          'after', o.it, 'offset', f.n + case when o.it = $6 then $4 else 0 end) -- of equal records as many as were told
        from final f cross join lateral (select jsonb_build_object('sorted', f.sorted::text, 'words', f.words) as it) o))
    $statement$,
    -- Newest first, where the source says when.
    coalesce((select format('coalesce(extract(epoch from %s) * -1, ''Infinity'')', c.value ->> 'expression')
      from jsonb_each(columns) c where c.value ->> 'type' = 'time'
      order by (c.value ->> 'place')::int desc limit 1), '0::numeric'),
    l.selected,
    p_cell ->> 'source',
    private.chart_place(p_campaign_id),
    filtered, l.told, l.shown, l.named)
  from (
    select string_agg(format('v.%I as c%s', c.name, c.place), ', ' order by c.place) as selected,
      string_agg(format('f.c%s', c.place), ', ' order by c.place) as told,
      string_agg(format('private.chart_value(to_jsonb(%s))', c.expression), ', ' order by c.place) as shown,
      string_agg(format('p.c%s as %I', c.place, c.name), ', ' order by c.place) as named
    from private.chart_columns c where c.source = p_cell ->> 'source' and c.part is null
  ) l)
  into answer
  using p_team_id, p_campaign_id, cell, greatest(p_offset, 0), least(greatest(p_limit, 0), 5000), p_after;
  return answer || jsonb_build_object('columns', (
    select jsonb_agg(jsonb_build_object('name', c.name, 'label', c.label, 'type', c.type) order by c.place)
    from private.chart_columns c where c.source = p_cell ->> 'source' and c.part is null));
exception when sqlstate 'SG422' then
  return sqlerrm;
end $$;
comment on function public.chart_records is
  'A page of the records that a number of a chart counts, for an actor with charts.view and signatures.view there.';

-- ── Values to choose from ──────────────────────────────────────────────────────────────────────────────────────────

create function public.chart_values(p_actor_id uuid,
  p_source text, p_team_id text, p_campaign_id text, p_column text, p_prefix text)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  col jsonb;
  answer jsonb;
begin
  col := private.columns_of_source(p_source) -> p_column;
  perform private.refuse_chart(col is null, 'column', 'There is no column "%s".', p_column);
  perform private.refuse_signers((col ->> 'identifies')::boolean, p_actor_id, p_team_id, p_campaign_id);
  execute format($statement$
    select coalesce(jsonb_agg(jsonb_build_object('value', private.chart_value(to_jsonb(f.x)), 'count', f.n)), '[]')
    from (
      select %1$s as x, count(*) as n
      from reporting.%2$I v
      where %3$s and %1$s is not null
        and starts_with(lower((%1$s)::text collate pg_catalog."default"), lower($3))
      group by 1
      order by (%1$s)::text = $3 desc, n desc, x
      limit 20
    ) f
    $statement$, col ->> 'expression', p_source, private.chart_place(p_campaign_id))
  into answer
  using p_team_id, p_campaign_id, coalesce(p_prefix, '');
  return answer;
exception when sqlstate 'SG422' then
  return sqlerrm;
end $$;
comment on function public.chart_values is
  'The value of a column in a place that is just a text, then the most frequent that begin with it, 20 in all: '
  '[{ value, count }]. Of a column that tells who signed, for an actor with signatures.view there.';

-- A column without values is looked for among all records, the others have one soon.
create function public.chart_empty_columns(p_team_id text, p_campaign_id text) returns jsonb
language plpgsql stable set search_path = '' set statement_timeout = '15s'
as $$
declare
  answer jsonb;
begin
  execute (
    select format('select jsonb_build_object(%s)',
      string_agg(format('%L, array_remove(array[%s], null)', e.source, e.names), ', '))
    from (
      select c.source, string_agg(format(
          'case when not exists (select from reporting.%I v where %s and %s is not null) then %L end',
          c.source, private.chart_place(p_campaign_id), c.expression, c.name), ', ') as names
      from private.chart_sources s join private.chart_columns c using (relation)
      where c.part is null
      group by c.source
    ) e
  ) into answer using p_team_id, p_campaign_id;
  return answer;
end $$;
comment on function public.chart_empty_columns is
  'The columns of each source that no record of a place has a value in: { source: [name] }.';

-- ── What is shown of stored charts ─────────────────────────────────────────────────────────────────────────────────

create function public.read_charts(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (select * from private.places(p_actor_id)),
  harmless as materialized (select * from private.harmless_columns)
  select coalesce(
    jsonb_agg(jsonb_build_object(
      'id', c.id, 'team', c.team_id, 'campaign', c.campaign_id, 'name', c.name, 'kind', c.kind, 'source', c.source,
      'groupBy', coalesce(s.group_by, ''), 'metrics', s.metrics, 'filters', s.filters, 'display', s.display,
      'version', c.version, 'data', case when s.data_version = s.version then s.data end,
      'outdated', coalesce(s.data_version <> s.version, false), 'withheld', s.id is null)
      order by c.campaign_id is null, c.position, c.id),
    '[]')
  from public.charts c
  join places a on a.team_id = c.team_id and a.campaign_id is not distinct from c.campaign_id
  left join harmless h on h.source = c.source
  left join lateral (
    select c.* where 'signatures.view' = any (a.keys)
      or not private.chart_identifies(h.names, c.group_by, c.metrics, c.filters)) s on true
  where c.team_id = p_team_id and (c.campaign_id = p_campaign_id or c.campaign_id is null)
    and 'charts.view' = any (a.keys) and c.deleted_at is null and (p_id is null or c.id = p_id)
$$;
comment on function public.read_charts is
  'The charts of a dashboard in their order, with what was generated last; on that of a campaign, after them those of the '
  'whole team. Of where the actor holds charts.view; one that tells who signed is `withheld`, without definition and data, '
  'where they do not hold signatures.view. With an id, this one alone.';

create function public.chart_names(p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(n) order by n.name, n.id), '[]')
  from (
    select c.team_id as team, c.campaign_id as campaign, c.id, c.name
    from private.places(p_actor_id) a
    join public.charts c on c.team_id = a.team_id and c.campaign_id is not distinct from a.campaign_id
    where 'charts.view' = any (a.keys) and c.deleted_at is null
    order by c.name, c.id limit 1000) n
$$;
comment on function public.chart_names is
  'The charts of where an actor holds charts.view, 1 000 at most: [{ team, campaign, id, name }].';

-- ── For the service role alone ─────────────────────────────────────────────────────────────────────────────────────

grant select on private.chart_columns, private.chart_sources, private.chart_aggregations, private.harmless_columns
  to service_role;
