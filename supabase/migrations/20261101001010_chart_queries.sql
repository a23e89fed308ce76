-- Computing charts where the data is (interface.md 4.5, steps 3 to 5): a definition becomes one statement over a view of
-- `reporting`. Names of columns are looked up in the catalog and quoted, values are bound, team and campaign are always
-- filtered. What cannot run is raised as SG422 within, and answered as { refused: { part, message } }: the part of the
-- definition (`metrics.0.column`) and a sentence. Not every API shows an error's own code.

create function private.refuse_chart(p_part text, p_message text) returns void
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  raise exception '%', p_message using errcode = 'SG422', detail = p_part;
end $$;
revoke execute on function private.refuse_chart from public, anon, authenticated;
grant execute on function private.refuse_chart to service_role;

create function private.chart_refusal(p_part text, p_message text) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('refused', jsonb_build_object('part', p_part, 'message', p_message)) $$;
revoke execute on function private.chart_refusal from public, anon, authenticated;
grant execute on function private.chart_refusal to service_role;

-- The local stack on a PostgreSQL server sends an object or array as the text of one.
create function private.chart_parts(p_json jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return case jsonb_typeof(p_json) when 'string' then (p_json #>> '{}')::jsonb else p_json end;
exception when data_exception then
  return p_json;
end $$;
revoke execute on function private.chart_parts from public, anon, authenticated;
grant execute on function private.chart_parts to service_role;

-- ── Sources and columns ────────────────────────────────────────────────────────────────────────────────────────────

-- `expression` is the column of a view `v` as charts compute with it. Texts are in "C" order, the same on every server.
-- A float is taken as the shortest decimal that names it, so that sums are exact. JSON's null is no value.
-- `bare` is the column itself where grouping by it tells the same values apart: that is faster, as nothing has to be
-- computed of each record. A collation that is not deterministic takes several texts for one.
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
  coalesce(col_description(c.oid, b.attnum), replace(b.attname, '_', ' ')) as label,
  k.type, format_type(t.oid, null) as data_type,
  format(
    case
      when k.type = 'text' then case when t.typname in ('text', 'varchar') then 'v.%I' else 'v.%I::text' end || ' collate "C"'
      when t.typname in ('float4', 'float8') then 'v.%I::text::numeric'
      when k.type = 'array' then 'to_jsonb(v.%I)'
      when k.type = 'json' then 'nullif(v.%I::jsonb, ''null'')'
      else 'v.%I'
    end, b.attname) as expression,
  case when t.typname in ('text', 'varchar') and l.collisdeterministic then format('v.%I', b.attname) end as bare
from base b
join pg_catalog.pg_class c on c.oid = b.attrelid
join pg_catalog.pg_type t on t.oid = b.type_id and t.typtype <> 'd'
left join pg_catalog.pg_collation l on l.oid = b.collation_id
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
revoke all on private.chart_columns from public, anon, authenticated;
grant select on private.chart_columns to service_role;

-- A view without team and campaign would be read unfiltered.
create view private.chart_sources as
select c.relation, c.source
from private.chart_columns c
where c.name in ('team_id', 'campaign_id') and has_table_privilege('service_role', c.relation, 'select')
group by c.relation, c.source
having count(*) = 2;
revoke all on private.chart_sources from public, anon, authenticated;
grant select on private.chart_sources to service_role;

create function public.chart_sources() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', s.source,
    'label', split_part(d.words, ': ', 1),
    'description', case when d.words like '%: %' then substr(d.words, strpos(d.words, ': ') + 2) else '' end,
    'columns', (
      select jsonb_agg(jsonb_build_object('name', c.name, 'label', c.label, 'type', c.type) order by c.place)
      from private.chart_columns c where c.relation = s.relation
    )
  ) order by s.source collate "C"), '[]')
  from private.chart_sources s
  cross join lateral (
    select coalesce(obj_description(s.relation, 'pg_class'), replace(s.source, '_', ' ')) as words
  ) d
$$;
comment on function public.chart_sources is
  'The views that charts may read: [{ name, label, description, columns: [{ name, label, type }] }].';
revoke execute on function public.chart_sources from public, anon, authenticated;
grant execute on function public.chart_sources to service_role;

-- The columns of a source by name: { name: { type, dataType, expression, … } }. Refuses what charts may not read.
create function private.columns_of_source(p_source text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if not exists (select from private.chart_sources s where s.source = p_source) then
    perform private.refuse_chart('source', format('There is no chart source "%s".', p_source));
  end if;
  return (
    select jsonb_object_agg(c.name, jsonb_build_object(
      'name', c.name, 'label', c.label, 'type', c.type, 'dataType', c.data_type, 'expression', c.expression,
      'bare', c.bare, 'place', c.place))
    from private.chart_columns c where c.source = p_source
  );
end $$;
revoke execute on function private.columns_of_source from public, anon, authenticated;
grant execute on function private.columns_of_source to service_role;

-- ── Values ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- The next three are called for each group or record: settings of their own would cost more than what they do. Who calls
-- them has set search_path and extra_float_digits.

-- Whether a number is the same after it was read as a JSON number by JavaScript.
create function private.survives_json(p_number numeric) returns boolean
language sql immutable parallel safe
as $$
  select case
    when p_number = 0 then true
    when p_number = 'NaN' or abs(p_number) not between 1e-300 and 1e300 then false
    else p_number = p_number::float8::text::numeric
  end
$$;
revoke execute on function private.survives_json from public, anon, authenticated;
grant execute on function private.survives_json to service_role;

-- A value as a result shows it: as its text where JavaScript could not hold a number of it exactly.
create function private.chart_value(p_value jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select case
    when jsonb_typeof(p_value) in ('number', 'array', 'object') and exists (
      select from jsonb_path_query(p_value, 'strict $.**') as part
      where jsonb_typeof(part) = 'number' and not private.survives_json(part::numeric)
    ) then to_jsonb(p_value #>> '{}')
    else p_value
  end
$$;
revoke execute on function private.chart_value from public, anon, authenticated;
grant execute on function private.chart_value to service_role;

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
    perform private.refuse_chart(p_part, format('The measure "%s" is over values that are not finite.', p_metric));
  elsif mod(p_total, p_count) = 0 then
    if abs(quotient) > 9007199254740992 then
      perform private.refuse_chart(p_part,
        format('The measure "%s" comes to a whole number beyond 2^53, which cannot be shown exactly.', p_metric));
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
    perform private.refuse_chart(p_part,
      format('The measure "%s" comes to a number that is too large or too small to be shown.', p_metric));
  end if;
  return trim_scale(quotient);
end $$;
revoke execute on function private.chart_number from public, anon, authenticated;
grant execute on function private.chart_number to service_role;

-- Whether a filter's value is of a column's type. A number that JSON cannot carry to JavaScript comes as its text.
create function private.chart_value_fits(p_column jsonb, p_value jsonb) returns boolean
language plpgsql immutable set search_path = '' set extra_float_digits = 1
as $$
declare
  given constant text := p_value #>> '{}';
  pattern constant text := case p_column ->> 'type'
    when 'number' then '^(-?\d+(\.\d+)?|NaN|-?Infinity)$'
    when 'date' then '^\d{4}-\d\d-\d\d$'
    when 'time' then '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[-+]\d\d(:?\d\d)?)?)?$'
    when 'uuid' then '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
  end;
begin
  case p_column ->> 'type'
    when 'json' then
      return p_value is not null;
    when 'array' then
      return jsonb_typeof(p_value) = 'array';
    when 'boolean' then
      return jsonb_typeof(p_value) = 'boolean';
    when 'text' then
      return jsonb_typeof(p_value) = 'string';
    when 'number' then
      return jsonb_typeof(p_value) = 'number'
        or jsonb_typeof(p_value) = 'string' and given ~ pattern and not private.survives_json(given::numeric);
    else
      if jsonb_typeof(p_value) <> 'string' or given !~ pattern then
        return false;
      end if;
      execute format('select $1::%s', p_column ->> 'dataType') using given;
      return true;
  end case;
exception when data_exception then -- the 30th of February
  return false;
end $$;
revoke execute on function private.chart_value_fits from public, anon, authenticated;
grant execute on function private.chart_value_fits to service_role;

-- ── Conditions ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- Immutable, as a bare cast is not: what comes here is ISO 8601 (private.chart_value_fits), whatever the session's settings.
-- So a bound day or moment is a constant to the planner, and not computed for each record.
create function private.chart_day(p_text text) returns date
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO'
as $$ begin return p_text::date; end $$;
revoke execute on function private.chart_day from public, anon, authenticated;
grant execute on function private.chart_day to service_role;

create function private.chart_moment(p_text text) returns timestamptz
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO' set timezone = 'UTC'
as $$ begin return p_text::timestamptz; end $$;
revoke execute on function private.chart_moment from public, anon, authenticated;
grant execute on function private.chart_moment to service_role;

-- A list of filters as one condition on `v`, and their values after those that are bound already. The values are `$3` of
-- the statement.
create function private.chart_condition(
  p_filters jsonb, p_part text, p_columns jsonb, p_bound jsonb, out condition text, out bound jsonb)
language plpgsql immutable set search_path = ''
as $$
declare
  filter jsonb;
  filter_part text;
  col jsonb;
  operator text;
  val jsonb;
  x text;      -- the column
  place int;   -- of the value among the bound ones
  typed text;  -- a bound value by its path, of the column's type
  single text;
  plain constant text[] := array['eq', 'neq', 'in'];
  allowed text[];
begin
  condition := 'true';
  bound := p_bound;
  if p_filters is null or jsonb_typeof(p_filters) = 'null' then
    return;
  end if;
  if jsonb_typeof(p_filters) <> 'array' then
    perform private.refuse_chart(p_part, 'Filters must be a list.');
  elsif jsonb_array_length(p_filters) > 50 then
    perform private.refuse_chart(p_part, 'There are more than 50 filters in one list.');
  end if;

  for at in 0 .. jsonb_array_length(p_filters) - 1 loop
    filter := p_filters -> at;
    filter_part := p_part || '.' || at;
    if jsonb_typeof(filter) <> 'object' then
      perform private.refuse_chart(filter_part, 'A filter must have a column, an operator and a value.');
    end if;
    col := case when jsonb_typeof(filter -> 'column') = 'string' then p_columns -> (filter ->> 'column') end;
    if col is null then
      perform private.refuse_chart(filter_part || '.column',
        format('A filter is on the column "%s", which the source does not have.', filter ->> 'column'));
    end if;
    operator := case when jsonb_typeof(filter -> 'operator') = 'string' then filter ->> 'operator' end;
    allowed := plain || case col ->> 'type'
      when 'text' then array['gt', 'gte', 'lt', 'lte', 'contains', 'ilike']
      when 'array' then array['contains']
      when 'json' then array['contains']
      when 'boolean' then '{}'
      when 'uuid' then '{}'
      else array['gt', 'gte', 'lt', 'lte']
    end;
    if operator is null or not operator = any (allowed) then
      perform private.refuse_chart(filter_part || '.operator',
        format('The filter on "%s" has the operator "%s", which does not fit a column of type %s.',
          filter ->> 'column', filter ->> 'operator', col ->> 'type'));
    end if;
    val := filter -> 'value';
    if val is null
      or operator = 'in' and (jsonb_typeof(val) <> 'array' or exists (
        select from jsonb_array_elements(val) e where e <> 'null' and not private.chart_value_fits(col, e)))
      or operator in ('gt', 'gte', 'lt', 'lte', 'ilike') and not private.chart_value_fits(col, val)
      or operator in ('eq', 'neq') and val <> 'null' and not private.chart_value_fits(col, val)
      or operator = 'contains' and (val = 'null' or col ->> 'type' = 'text' and not private.chart_value_fits(col, val))
    then
      perform private.refuse_chart(filter_part || '.value',
        format('The filter on "%s" has a value that is not of its type, %s.', filter ->> 'column', col ->> 'type'));
    end if;

    x := col ->> 'expression';
    typed := case
      when col ->> 'type' = 'date' then 'private.chart_day($3 #>> %L)'
      when col ->> 'dataType' = 'timestamp without time zone' then '(private.chart_moment($3 #>> %L) at time zone ''UTC'')'
      when col ->> 'type' = 'time' then 'private.chart_moment($3 #>> %L)'
      when col ->> 'type' in ('array', 'json') then '($3 #> %L)'
      when col ->> 'type' = 'text' then '($3 #>> %L)'
      -- An integer is compared as one, so that an index serves.
      when col ->> 'dataType' in ('smallint', 'integer', 'bigint') and jsonb_typeof(val) = 'number'
        and val::numeric between -9e18 and 9e18 and mod(val::numeric, 1) = 0 then '($3 #>> %L)::numeric::bigint'
      when col ->> 'type' = 'number' then '($3 #>> %L)::numeric'
      else '($3 #>> %L)::' || (col ->> 'dataType')
    end;
    place := jsonb_array_length(bound);
    single := format(typed, array[place]);
    condition := condition || ' and ' || case
      when operator = 'eq' and val = 'null' then format('%s is null', x)
      when operator = 'neq' and val = 'null' then format('%s is not null', x)
      when operator = 'eq' then format('%s = %s', x, single)
      when operator = 'neq' then format('%s is distinct from %s', x, single)
      when operator = 'gt' then format('%s > %s', x, single)
      when operator = 'gte' then format('%s >= %s', x, single)
      when operator = 'lt' then format('%s < %s', x, single)
      when operator = 'lte' then format('%s <= %s', x, single)
      when operator = 'in' then '(' || coalesce(
          (select format('%s = any (array[%s])', x, string_agg(format(typed, array[place, e.at - 1]), ', '))
            from jsonb_array_elements(val) with ordinality as e (value, at) where e.value <> 'null'
            having count(*) > 0), 'false')
        || case when val @> '[null]' then format(' or %s is null)', x) else ')' end
      when operator = 'contains' and col ->> 'type' = 'text' then format('strpos(%s, %s) > 0', x, single)
      when operator = 'contains' then format('%s @> %s', x, single)
      when operator = 'ilike' then format('%s collate pg_catalog."default" ilike %s escape ''''', x, single)
    end;
    bound := bound || jsonb_build_array(val);
  end loop;
end $$;
revoke execute on function private.chart_condition from public, anon, authenticated;
grant execute on function private.chart_condition to service_role;

-- A chart without a campaign covers the team.
create function private.chart_place(p_campaign_id text) returns text
language sql immutable set search_path = ''
as $$
  select 'v.team_id::text = $1' || case when p_campaign_id is not null then ' and v.campaign_id::text = $2' else '' end
$$;
revoke execute on function private.chart_place from public, anon, authenticated;
grant execute on function private.chart_place to service_role;

-- The columns of a group_by, in its order, each with what is said of it in private.columns_of_source.
create function private.chart_groups(p_group_by text, p_columns jsonb) returns jsonb[]
language plpgsql immutable set search_path = ''
as $$
declare
  names constant text[] := case when btrim(coalesce(p_group_by, ''), E' \t\r\n') = '' then '{}'
    else (select array_agg(btrim(n, E' \t\r\n') order by at)
      from unnest(string_to_array(p_group_by, ',')) with ordinality as g (n, at)) end;
  unknown constant text := (select n from unnest(names) n where not p_columns ? n limit 1);
begin
  if unknown is not null then
    perform private.refuse_chart('groupBy',
      format('It is grouped by the column "%s", which the source does not have.', unknown));
  elsif (select count(distinct n) from unnest(names) n) < cardinality(names) then
    perform private.refuse_chart('groupBy', 'It is grouped by one column twice.');
  elsif cardinality(names) > 20 then
    perform private.refuse_chart('groupBy', 'It is grouped by more than 20 columns.');
  end if;
  return (select coalesce(array_agg(p_columns -> n order by at), '{}') from unnest(names) with ordinality as g (n, at));
end $$;
revoke execute on function private.chart_groups from public, anon, authenticated;
grant execute on function private.chart_groups to service_role;

-- ── The statement ──────────────────────────────────────────────────────────────────────────────────────────────────

-- The statement that computes a definition, and the values to bind as its third parameter, after team and campaign.
create function private.chart_statement(
  p_source text, p_campaign_id text, p_group_by text, p_metrics jsonb, p_filters jsonb,
  out statement text, out bound jsonb)
language plpgsql stable set search_path = ''
as $$
declare
  columns constant jsonb := private.columns_of_source(p_source);
  groups constant jsonb[] := private.chart_groups(p_group_by, columns);
  metrics constant jsonb := coalesce(private.chart_parts(p_metrics), '[]');
  grouping text[] := '{}'; -- what records are grouped by
  selected text[] := '{}'; -- of each group
  shown text[] := '{}';    -- each group column's value as the result shows it
  named text[] := '{}';    -- the same as a part of the key
  sorting text[] := '{}';
  "values" text[] := '{}';   -- pairs for the object of values
  keys text[] := '{}';
  filtered text;
  metric jsonb;
  part text;
  key text;
  aggregation text;
  col jsonb;
  condition text;
  over text;
begin
  select c.condition, c.bound into filtered, bound
  from private.chart_condition(private.chart_parts(p_filters), 'filters', columns, '[]') c;

  for at in 1 .. cardinality(groups) loop
    col := groups[at];
    grouping := grouping || coalesce(col ->> 'bare', col ->> 'expression');
    if col ->> 'type' in ('array', 'json') then
      -- Equal values can be written in several ways (1.0 and 1.00): one of them is shown, always the same.
      selected := selected || format('min((%s)::text collate "C") as g%s', col ->> 'expression', at);
      shown := shown || format('private.chart_value(g.g%s::jsonb)', at);
    else
      selected := selected || format('%s as g%s', col ->> 'expression', at);
      shown := shown || case
        when col ->> 'type' = 'text' then format('g.g%s', at)
        when col ->> 'type' = 'number' and col ->> 'dataType' not in ('smallint', 'integer')
          then format('private.chart_value(to_jsonb(trim_scale(g.g%s::numeric)))', at)
        else format('to_jsonb(g.g%s)', at)
      end;
    end if;
    named := named || format(case when col ->> 'type' = 'text' then 'coalesce(shown.s%s, '''')'
      else 'coalesce(shown.s%s #>> ''{}'', '''')' end, at);
    sorting := sorting || format('g.g%s nulls last', at);
  end loop;

  if jsonb_typeof(metrics) <> 'array' then
    perform private.refuse_chart('metrics', 'The measures must be a list.');
  elsif jsonb_array_length(metrics) > 50 then
    perform private.refuse_chart('metrics', 'There are more than 50 measures.');
  end if;
  for at in 0 .. jsonb_array_length(metrics) - 1 loop
    metric := metrics -> at;
    part := 'metrics.' || at;
    if jsonb_typeof(metric) <> 'object' then
      perform private.refuse_chart(part, 'A measure must have a key and an aggregation.');
    end if;
    key := metric ->> 'key';
    if jsonb_typeof(metric -> 'key') is distinct from 'string' or key !~ '^[a-z][a-zA-Z0-9_]{0,39}$' then
      perform private.refuse_chart(part || '.key', format(
        'The measure "%s" needs a key of a small letter and up to 39 letters, digits and _.', key));
    elsif key = any (keys) then
      perform private.refuse_chart(part || '.key', format('Two measures have the key "%s".', key));
    end if;
    keys := keys || key;
    if coalesce(jsonb_typeof(metric -> 'label'), 'null') not in ('string', 'null') then
      perform private.refuse_chart(part || '.label', format('The label of the measure "%s" must be a text.', key));
    end if;
    aggregation := case when jsonb_typeof(metric -> 'aggregation') = 'string' then metric ->> 'aggregation' end;
    if aggregation is null or aggregation not in ('count', 'sum', 'avg', 'min', 'max') then
      perform private.refuse_chart(part || '.aggregation', format(
        'The measure "%s" has the aggregation "%s"; there are count, sum, avg, min and max.',
        key, metric ->> 'aggregation'));
    end if;
    col := null;
    if coalesce(jsonb_typeof(metric -> 'column'), 'null') <> 'null' then
      col := case when jsonb_typeof(metric -> 'column') = 'string' then columns -> (metric ->> 'column') end;
      if col is null then
        perform private.refuse_chart(part || '.column', format(
          'The measure "%s" is over the column "%s", which the source does not have.', key, metric ->> 'column'));
      end if;
    elsif aggregation <> 'count' then
      perform private.refuse_chart(part || '.column', format('The measure "%s" needs a column.', key));
    end if;
    if aggregation in ('sum', 'avg') and col ->> 'type' <> 'number'
      or aggregation in ('min', 'max') and col ->> 'type' not in ('number', 'date', 'time')
    then
      perform private.refuse_chart(part || '.column', format(
        'The measure "%s" takes the %s of "%s", which is of type %s.', key, aggregation, col ->> 'name', col ->> 'type'));
    end if;

    select c.condition, c.bound into condition, bound
    from private.chart_condition(metric -> 'segment', part || '.segment', columns, bound) c;
    over := case when condition <> 'true' then format(' filter (where %s)', condition) else '' end;
    if aggregation = 'count' then
      selected := selected || format('count(%s)%s as m%s', coalesce(col ->> 'expression', '*'), over, at);
      "values" := "values" || format('%L, g.m%s', key, at);
    elsif col ->> 'type' in ('date', 'time') then
      -- As JavaScript's Date takes it: milliseconds.
      selected := selected || format('extract(epoch from %s(%s)%s) * 1000 as m%s', aggregation, col ->> 'expression', over, at);
      "values" := "values" || format('%L, private.chart_number(g.m%s, 1, %1$L, %3$L)', key, at, part);
    else
      selected := selected || format('%s(%s)%s::numeric as m%s',
        case aggregation when 'avg' then 'sum' else aggregation end, col ->> 'expression', over, at);
      if aggregation = 'avg' then
        selected := selected || format('count(%s)%s as c%s', col ->> 'expression', over, at);
      end if;
      "values" := "values" || format('%L, private.chart_number(g.m%s, %s, %1$L, %4$L)',
        key, at, case aggregation when 'avg' then 'g.c' || at else '1' end, part);
    end if;
  end loop;

  -- As json, not jsonb: the result is sent as a text, and as such it takes half of the time. An object of all 50 measures
  -- has the 100 arguments that a function can have.
  statement := format($statement$
    with grouped as materialized (
      select count(*) as n%1$s
      from reporting.%2$I v
      where %3$s and %4$s
      group by %5$s
      limit 5001
    )
    select
      case when counted.groups <= 5000 then (
        select coalesce(json_agg(json_build_object(
          'key', %6$s,
          'group', json_build_object(%7$s),
          'values', json_build_object(%8$s)
        ) order by %9$s), '[]')
        from grouped g
        cross join lateral (select %10$s) shown
      ) end as rows,
      counted.records,
      counted.groups
    from (select coalesce(sum(n), 0) as records, count(*) as groups from grouped) counted
    $statement$,
    (select string_agg(', ' || s, '') from unnest(selected) s),
    p_source,
    private.chart_place(p_campaign_id),
    filtered,
    coalesce((select string_agg(g, ', ') from unnest(grouping) g), '()'),
    coalesce(nullif(array_to_string(named, ' || ''|||'' || '), ''), ''''''),
    (select string_agg(format('%L, shown.s%s', groups[at] ->> 'name', at), ', ') from generate_subscripts(shown, 1) at),
    array_to_string("values", ', '),
    coalesce((select string_agg(s, ', ') from unnest(sorting) s), 'g.n'),
    coalesce((select string_agg(format('%s as s%s', shown[at], at), ', ') from generate_subscripts(shown, 1) at), '1'));
end $$;
revoke execute on function private.chart_statement from public, anon, authenticated;
grant execute on function private.chart_statement to service_role;

-- Metrics as a result repeats them: what counts of each, and of the filters of its segment.
create function private.chart_metrics(p_metrics jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg((
    select jsonb_object_agg(p.name, case when p.name = 'segment' then (
        select coalesce(jsonb_agg(jsonb_build_object(
          'column', f.value -> 'column', 'operator', f.value -> 'operator', 'value', f.value -> 'value') order by f.at), '[]')
        from jsonb_array_elements(p.value) with ordinality as f (value, at)
      ) else p.value end)
    from jsonb_each(m.value) as p (name, value)
    where p.name in ('key', 'label', 'aggregation', 'column', 'segment') and p.value <> 'null'
  ) order by m.at), '[]')
  from jsonb_array_elements(private.chart_parts(p_metrics)) with ordinality as m (value, at)
$$;
revoke execute on function private.chart_metrics from public, anon, authenticated;
grant execute on function private.chart_metrics to service_role;

-- The result of a definition. `stable`: all of it sees the records as they are when the call begins.
create function private.chart_result(
  p_source text, p_team_id text, p_campaign_id text, p_group_by text, p_metrics jsonb, p_filters jsonb)
returns json
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off
as $$
declare
  statement text;
  bound jsonb;
  rows json;
  records bigint;
  groups bigint;
begin
  select s.statement, s.bound into statement, bound
  from private.chart_statement(p_source, p_campaign_id, p_group_by, p_metrics, p_filters) s;
  begin
    execute statement into rows, records, groups using p_team_id, p_campaign_id, bound;
  exception when data_exception then
    raise log 'chart over %: %', p_source, sqlerrm;
    perform private.refuse_chart('source', format('The source "%s" holds a value that cannot be computed with.', p_source));
  end;
  if groups > 5000 then
    perform private.refuse_chart('groupBy', 'There are more than 5000 groups. Group by fewer columns, or add a filter.');
  end if;
  return json_build_object(
    'source', p_source,
    'groupBy', p_group_by,
    'metrics', private.chart_metrics(p_metrics),
    'rows', rows,
    'recordCount', records,
    'groupCount', groups,
    'generatedAt', to_char(statement_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;
revoke execute on function private.chart_result from public, anon, authenticated;
grant execute on function private.chart_result to service_role;

create function public.aggregate_chart(
  p_source text, p_team_id text, p_campaign_id text, p_group_by text, p_metrics jsonb, p_filters jsonb)
returns json
language plpgsql stable set search_path = '' set statement_timeout = '15s'
as $$
declare
  part text;
begin
  return private.chart_result(p_source, p_team_id, p_campaign_id, p_group_by, p_metrics, p_filters);
exception when sqlstate 'SG422' then
  get stacked diagnostics part = pg_exception_detail;
  return private.chart_refusal(part, sqlerrm);
end $$;
comment on function public.aggregate_chart is
  'The result of a chart over the records of a team, or of a campaign of it, exact (design.md 7); { refused } for a '
  'definition that cannot run.';
revoke execute on function public.aggregate_chart from public, anon, authenticated;
grant execute on function public.aggregate_chart to service_role;

-- The same of a stored chart, with the version of the definition that was computed: { version, data }, or { refused }. Null
-- without such a chart.
create function public.aggregate_stored_chart(p_id uuid) returns json
language plpgsql stable set search_path = '' set statement_timeout = '15s'
as $$
declare
  chart public.charts;
  part text;
begin
  select * into chart from public.charts c where c.id = p_id and c.deleted_at is null;
  if not found then
    return null;
  end if;
  return json_build_object('version', chart.version, 'data', private.chart_result(
    chart.source, chart.team_id, chart.campaign_id, chart.group_by, chart.metrics, chart.filters));
exception when sqlstate 'SG422' then
  get stacked diagnostics part = pg_exception_detail;
  return private.chart_refusal(part, sqlerrm);
end $$;
comment on function public.aggregate_stored_chart is
  'Computes a chart''s definition as it is now, and says which version that is; stores nothing.';
revoke execute on function public.aggregate_stored_chart from public, anon, authenticated;
grant execute on function public.aggregate_stored_chart to service_role;

-- ── The records behind a number ────────────────────────────────────────────────────────────────────────────────────

-- Answers { columns, records, total, next }, 'not-allowed', or { refused }. `p_cell`: { source, groupBy, filters, group,
-- metric? }. `next` is { after, offset } of the following page: by it no record is passed over or told twice when others
-- come or go meanwhile. It is null behind the last one.
create function public.chart_records(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_cell jsonb, p_offset int, p_limit int, p_after jsonb default null)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  cell constant jsonb := private.chart_parts(p_cell);
  after constant jsonb := nullif(private.chart_parts(p_after), 'null');
  metric constant jsonb := nullif(cell -> 'metric', 'null');
  columns jsonb;
  groups jsonb[];
  col jsonb;
  given jsonb;
  filtered text;
  condition text;
  bound jsonb;
  answer jsonb;
  part text;
begin
  if not exists (select from private.places(p_actor_id) a
    where a.team_id = p_team_id and a.campaign_id is not distinct from p_campaign_id
      and a.keys @> array['charts.view', 'signatures.view'])
  then
    return to_jsonb('not-allowed'::text);
  end if;
  columns := private.columns_of_source(cell ->> 'source');
  groups := private.chart_groups(cell ->> 'groupBy', columns);
  select c.condition, c.bound into filtered, bound
  from private.chart_condition(cell -> 'filters', 'filters', columns, '[]') c;

  foreach col in array groups loop
    given := cell -> 'group' -> (col ->> 'name');
    if given is null then
      perform private.refuse_chart('group', format('The group has no value for "%s".', col ->> 'name'));
    elsif col ->> 'type' in ('array', 'json') and given <> 'null' then -- as the result shows it
      condition := format('private.chart_value(%s) = ($3 -> %s)', col ->> 'expression', jsonb_array_length(bound));
      bound := bound || jsonb_build_array(given);
    else
      select c.condition, c.bound into condition, bound from private.chart_condition(
        jsonb_build_array(jsonb_build_object('column', col ->> 'name', 'operator', 'eq', 'value', given)),
        'group', columns, bound) c;
    end if;
    filtered := filtered || ' and ' || condition;
  end loop;

  if metric is not null then
    select c.condition, c.bound into condition, bound
    from private.chart_condition(metric -> 'segment', 'metric.segment', columns, bound) c;
    filtered := filtered || ' and ' || condition;
    if coalesce(jsonb_typeof(metric -> 'column'), 'null') <> 'null' then
      if columns -> (metric ->> 'column') is null then
        perform private.refuse_chart('metric.column',
          format('The measure is over the column "%s", which the source does not have.', metric ->> 'column'));
      end if;
      filtered := filtered || format(' and %s is not null', columns -> (metric ->> 'column') ->> 'expression');
    end if;
  end if;

  execute format($statement$
    with found as materialized (
      select %1$s as sorted, v as whole
      from reporting.%3$I v
      where %4$s and %5$s
    ),
    page as materialized (
      select f.sorted, f.whole::text collate "C" as words, f.whole from found f
      where $6 is null or (f.sorted, f.whole::text collate "C") >= (($6 ->> 'sorted')::numeric, $6 ->> 'words')
      order by 1, 2 offset $4 limit $5
    ),
    final as (select p.sorted, p.words, count(*) as n from page p group by 1, 2 order by 1 desc, 2 desc limit 1)
    select jsonb_build_object(
      'total', (select count(*) from found),
      'records', (select coalesce(jsonb_agg(jsonb_build_array(%2$s)), '[]') -- of the page alone: that is what takes time
        from (select (p.whole).* from page p order by p.sorted, p.words) v),
      'next', (select jsonb_build_object(
          'after', o.it, 'offset', f.n + case when o.it = $6 then $4 else 0 end) -- of equal records as many as were told
        from final f cross join lateral (select jsonb_build_object('sorted', f.sorted::text, 'words', f.words) as it) o))
    $statement$,
    -- Newest first, where the source says when.
    coalesce((select format('coalesce(extract(epoch from %s) * -1, ''Infinity'')', c.value ->> 'expression')
      from jsonb_each(columns) c where c.value ->> 'type' = 'time' order by (c.value ->> 'place')::int desc limit 1), '0::numeric'),
    (select string_agg(format('private.chart_value(to_jsonb(%s))', c.value ->> 'expression'), ', '
      order by (c.value ->> 'place')::int) from jsonb_each(columns) c),
    cell ->> 'source',
    private.chart_place(p_campaign_id),
    filtered)
  into answer
  using p_team_id, p_campaign_id, bound, greatest(p_offset, 0), least(greatest(p_limit, 0), 5000), after;
  return answer || jsonb_build_object('columns', (
    select jsonb_agg(c.value - array['expression', 'bare', 'dataType', 'place'] order by (c.value ->> 'place')::int)
    from jsonb_each(columns) c));
exception when sqlstate 'SG422' then
  get stacked diagnostics part = pg_exception_detail;
  return private.chart_refusal(part, sqlerrm);
end $$;
comment on function public.chart_records is
  'A page of the records that a number of a chart counts, for an actor with charts.view and signatures.view there.';
revoke execute on function public.chart_records from public, anon, authenticated;
grant execute on function public.chart_records to service_role;

-- ── Values to choose from ──────────────────────────────────────────────────────────────────────────────────────────

create function public.chart_values(
  p_source text, p_team_id text, p_campaign_id text, p_column text, p_prefix text)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  col jsonb;
  answer jsonb;
  part text;
begin
  col := private.columns_of_source(p_source) -> p_column;
  if col is null then
    perform private.refuse_chart('column', format('There is no column "%s".', p_column));
  end if;
  execute format($statement$
    select coalesce(jsonb_agg(jsonb_build_object('value', private.chart_value(to_jsonb(f.x)), 'count', f.n)), '[]')
    from (
      select %1$s as x, count(*) as n
      from reporting.%2$I v
      where %3$s and %1$s is not null
        and starts_with(lower((%1$s)::text collate pg_catalog."default"), lower($3))
      group by 1
      order by n desc, x
      limit 20
    ) f
    $statement$, col ->> 'expression', p_source, private.chart_place(p_campaign_id))
  into answer
  using p_team_id, p_campaign_id, coalesce(p_prefix, '');
  return answer;
exception when sqlstate 'SG422' then
  get stacked diagnostics part = pg_exception_detail;
  return private.chart_refusal(part, sqlerrm);
end $$;
comment on function public.chart_values is
  'The 20 most frequent values of a column in a place that begin with a text: [{ value, count }].';
revoke execute on function public.chart_values from public, anon, authenticated;
grant execute on function public.chart_values to service_role;
