-- Values: how a result shows them, the relative days, and the values of filters as SQL.

-- The next three are called for each group or record, where settings of their own would cost more than the work itself.
-- Their callers set search_path and extra_float_digits.

-- Whether a number is the same after JavaScript has read it as JSON.
create function private.survives_json(p_number numeric) returns boolean
language sql immutable parallel safe
return case
  when p_number = 0 then true
  when p_number = 'NaN' or abs(p_number) not between 1e-300 and 1e300 then false
  else p_number = p_number::float8::text::numeric
end;

-- A value as a result shows it: as text if JavaScript couldn't hold a number in it exactly.
create function private.chart_value(p_value jsonb) returns jsonb
language sql immutable parallel safe
return case
  when jsonb_typeof(p_value) in ('number', 'array', 'object') and exists (
    select from jsonb_path_query(p_value, 'strict $.**') as part
    where jsonb_typeof(part) = 'number' and not private.survives_json(part::numeric)
  ) then to_jsonb(p_value #>> '{}')
  else p_value
end;

-- A total over a count as a result shows it: an integer exactly, anything else rounded half away from zero to 15
-- significant digits, in one step. Null over nothing.
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
    perform private.refuse_chart(true, p_part, 'The measure "%s" includes values that aren''t finite.', p_metric);
  elsif mod(p_total, p_count) = 0 then
    if abs(quotient) > 9007199254740992 then
      perform private.refuse_chart(true, p_part,
        'The measure "%s" is a whole number above 2^53, which can''t be shown exactly.', p_metric);
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
      'The measure "%s" is too large or too small to be shown.', p_metric);
  end if;
  return trim_scale(quotient);
end $$;

-- Immutable, unlike a plain cast, because the text is always ISO 8601. So the planner treats a bound date or time as a
-- constant instead of computing it for each record.
create function private.chart_day(p_text text) returns date
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO'
as $$ begin return p_text::date; end $$;

create function private.chart_moment(p_text text) returns timestamptz
language plpgsql immutable parallel safe set search_path = '' set datestyle = 'ISO' set timezone = 'UTC'
as $$ begin return p_text::timestamptz; end $$;

-- The dates of a period such as `last week`, as seen from a date; null if it isn't one. A test holds it equal to `resolvePeriod` in
-- lib/charts/definition/period.ts.
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

-- A definition with what its relative dates depend on: the team's time zone, and the date there at a moment.
create function private.chart_seen_at(p_definition jsonb, p_team_id text, p_at timestamptz) returns jsonb
language sql stable set search_path = '' set datestyle = 'ISO'
as $$
  select p_definition || jsonb_build_object('timeZone', z.name, 'today', (p_at at time zone z.name)::date)
  from coalesce((select t.time_zone from public.teams t where t.id = p_team_id), 'UTC') as z (name)
$$;

-- Whether a filter's value is of a column's type. A number that JavaScript can't hold exactly comes as text.
create function private.chart_value_fits(p_column jsonb, p_value jsonb) returns boolean
language plpgsql immutable set search_path = '' set extra_float_digits = 1
as $$
declare
  kind constant text := jsonb_typeof(p_value);
  text_value constant text := case kind when 'string' then p_value #>> '{}' end;
begin
  return coalesce(case p_column ->> 'type'
    when 'json' then kind is not null
    when 'array' then kind = 'array'
    when 'boolean' then kind = 'boolean'
    when 'text' then kind = 'string'
    when 'number' then kind = 'number'
      or text_value ~ '^(-?\d+(\.\d+)?|NaN|-?Infinity)$' and not private.survives_json(text_value::numeric)
    when 'date' then text_value ~ '^\d{4}-\d\d-\d\d$' and private.chart_day(text_value) is not null
    when 'time' then text_value ~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[-+]\d\d(:?\d\d)?)?)?$'
      and private.chart_moment(text_value) is not null
    when 'uuid' then text_value ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
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
    -- Integers are compared as such, so that an index can be used.
    when p_column ->> 'data_type' in ('smallint', 'integer', 'bigint') and jsonb_typeof(p_value) = 'number'
      and p_value::numeric between -9e18 and 9e18 and mod(p_value::numeric, 1) = 0 then '($3 #>> %L)::numeric::bigint'
    when p_column ->> 'type' = 'number' then '($3 #>> %L)::numeric'
    else '($3 #>> %L)::' || (p_column ->> 'data_type')
  end, p_path)
$$;
