-- The records behind a number of a chart, and the values of a column to choose from.

-- ── The records behind a number ────────────────────────────────────────────────────────────────────────────────────

-- Returns { columns, records, total, next }, 'not-allowed', or { refused }. `p_cell` is { source, groupBy, filters, group,
-- metric?, at? }; relative dates are those of the time `at`. Records leave out the parts of dates and times. `next` is
-- { after, offset } of the next page, or null after the last one: no record is skipped or repeated when others come or go.
-- `p_sort`, { column, descending }, sorts them by one of their columns instead, without `next`.
create function public.chart_records(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_cell jsonb, p_offset int, p_limit int, p_after jsonb default null,
  p_sort jsonb default null)
returns jsonb
language plpgsql stable
set search_path = '' set timezone = 'UTC' set extra_float_digits = 1 set jit = off set statement_timeout = '15s'
as $$
declare
  cell constant jsonb := private.chart_seen_at(
    p_cell, p_team_id, coalesce((p_cell ->> 'at')::timestamptz, statement_timestamp()));
  columns jsonb;
  col jsonb;
  group_value jsonb;
  filtered text;
  sorted text := '';
  result jsonb;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'charts.view')
    or not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.view')
  then
    return to_jsonb('not-allowed'::text);
  end if;
  columns := private.columns_of_source(p_cell ->> 'source');
  filtered := private.chart_condition(p_cell, 'filters', columns);
  foreach col in array private.chart_groups(p_cell ->> 'groupBy', columns) loop
    group_value := p_cell -> 'group' -> (col ->> 'name');
    perform private.refuse_chart(group_value is null, 'group', 'The group has no value for "%s".', col ->> 'name');
    perform private.refuse_chart(
      group_value <> 'null' and col ->> 'type' not in ('array', 'json') and not private.chart_value_fits(col, group_value),
      'group.0.value',
      'The group needs a value of type %2$s for "%1$s".', col ->> 'name', col ->> 'type');
    filtered := filtered || format(case
        when group_value = 'null' then ' and %s is null'
        when col ->> 'type' in ('array', 'json') then ' and private.chart_value(%s) = %s' -- as the result shows it
        else ' and %s = %s'
      end, col ->> 'expression', private.chart_bound(col, group_value, array['group', col ->> 'name']));
  end loop;
  filtered := filtered || ' and ' || private.chart_condition(p_cell, 'metric.segment', columns);
  col := private.chart_column(columns, p_cell #> '{metric,column}');
  perform private.refuse_chart(col is null and p_cell #> '{metric,column}' <> 'null', 'metric.column',
    'The measure uses the column "%s", which the source doesn''t have.', p_cell #>> '{metric,column}');
  filtered := filtered || coalesce(' and ' || (col ->> 'expression') || ' is not null', '');

  if p_sort is not null then
    col := columns -> (p_sort ->> 'column');
    perform private.refuse_chart(col is null or col ->> 'part' is not null or col ->> 'type' in ('array', 'json'), 'sort',
      'Records can''t be sorted by "%s".', p_sort ->> 'column');
    sorted := format(case col ->> 'type' when 'text' then 'voterfile.search_key(c%s) collate "C" %s nulls last, '
        else 'c%s %s nulls last, ' end,
      col ->> 'place', case when (p_sort ->> 'descending')::boolean then 'desc' end);
  end if;

  execute (select format($statement$
    with found as materialized (
      select %1$s as sorted, %2$s
      from reporting.%3$I v
      where %4$s and %5$s
    ),
    page as materialized (
      select f.*, w.row_text
      from found f
      cross join lateral (select row(%6$s)::text collate "C" as row_text) w
      where $6 is null or (f.sorted, w.row_text) >= (($6 ->> 'sorted')::numeric, $6 ->> 'rowText')
      order by %9$s f.sorted, w.row_text offset $4 limit $5
    ),
    final as (select p.sorted, p.row_text, count(*) as n from page p group by 1, 2 order by 1 desc, 2 desc limit 1)
    select jsonb_build_object(
      'total', (select count(*) from found),
      'records', (select coalesce(jsonb_agg(jsonb_build_array(%7$s)), '[]') -- of this page only, because it takes time
        from (select %8$s from page p order by %9$s p.sorted, p.row_text) v),
      'next', (select jsonb_build_object(
          'after', o.start, 'offset', f.n + case when o.start = $6 then $4 else 0 end) -- skips the equal records of this page
        from final f cross join lateral (select jsonb_build_object('sorted', f.sorted::text, 'rowText', f.row_text) as start) o))
    $statement$,
    -- Newest first, if the source has a time.
    coalesce((select format('coalesce(extract(epoch from %s) * -1, ''Infinity'')', c.value ->> 'expression')
      from jsonb_each(columns) c where c.value ->> 'type' = 'time'
      order by (c.value ->> 'place')::int desc limit 1), '0::numeric'),
    l.selected,
    p_cell ->> 'source',
    private.chart_place(p_campaign_id),
    filtered, l.row_columns, l.shown, l.named, sorted)
  from (
    select string_agg(format('v.%I as c%s', c.name, c.place), ', ' order by c.place) as selected,
      string_agg(format('f.c%s', c.place), ', ' order by c.place) as row_columns,
      string_agg(format('private.chart_value(to_jsonb(%s))', c.expression), ', ' order by c.place) as shown,
      string_agg(format('p.c%s as %I', c.place, c.name), ', ' order by c.place) as named
    from private.chart_columns c where c.source = p_cell ->> 'source' and c.part is null
  ) l)
  into result
  using p_team_id, p_campaign_id, cell, greatest(p_offset, 0), least(greatest(p_limit, 0), 5000), p_after;
  return result || case when p_sort is not null then '{ "next": null }'::jsonb else '{}' end || jsonb_build_object('columns', (
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
  result jsonb;
begin
  col := private.columns_of_source(p_source) -> p_column;
  perform private.refuse_chart(col is null, 'column', 'There''s no column "%s".', p_column);
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
  into result
  using p_team_id, p_campaign_id, coalesce(p_prefix, '');
  return result;
exception when sqlstate 'SG422' then
  return sqlerrm;
end $$;
comment on function public.chart_values is
  'The values of a column in a place that begin with a text: the text itself, then the most frequent, 20 in all: '
  '[{ value, count }]. A column that identifies signers needs signatures.view there.';

-- Only a column without any value makes this read all records.
create function public.chart_empty_columns(p_team_id text, p_campaign_id text) returns jsonb
language plpgsql stable set search_path = '' set statement_timeout = '15s'
as $$
declare
  result jsonb;
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
  ) into result using p_team_id, p_campaign_id;
  return result;
end $$;
comment on function public.chart_empty_columns is
  'The columns of each source without any value in a place: { source: [name] }.';
