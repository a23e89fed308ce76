-- All sheets of a team in a campaign, in pages.

create function public.list_sheets(
  p_team_id text, p_campaign_id text, p_filter jsonb, p_sort text, p_after int default null, p_limit int default 50
) returns jsonb
language plpgsql stable set search_path = '' set jit = off
as $$
declare
  max_counted constant int := 10000;
  key text := case ltrim(p_sort, '-')
    when 'number' then 's.number' when 'opened' then 's.opened_at'
    when 'collected' then 'coalesce(s.collected_on, ''-infinity'')' end;
  direction text := case when p_sort like '-%' then ' desc' else '' end;
  conditions text := concat_ws(' and ', 's.team_id = $1 and s.campaign_id = $2',
    case p_filter ->> 'state' when 'open' then 's.closed_at is null' when 'closed' then 's.closed_at is not null' end,
    case when p_filter ? 'number' then 's.number = ($3 ->> ''number'')::int' end,
    case when p_filter ? 'circulator' then 's.circulator = $3 ->> ''circulator''' end,
    case when p_filter ? 'missing' then 's.id in (select g.id from private.sheet_gaps g
      where g.team_id = $1 and g.campaign_id = $2 and g.missing > 0)' end);
  after_key text := case when p_after is not null then format(
    ' and (%1$s, s.number) %2$s (select %1$s, s.number from public.sheets s
      where s.team_id = $1 and s.campaign_id = $2 and s.number = $4)',
    key, case when p_sort like '-%' then '<' else '>' end) else '' end;
  total int;
  found uuid[];
begin
  execute format('select count(*) from (select from public.sheets s where %s limit %s) c', conditions, max_counted + 1)
  into total using p_team_id, p_campaign_id, p_filter;
  execute format('select array(select s.id from public.sheets s where %s%s order by %s%s, s.number%s limit %s)',
    conditions, after_key, key, direction, direction, least(p_limit, 200) + 1)
  into found using p_team_id, p_campaign_id, p_filter, p_after;
  return jsonb_build_object('more', cardinality(found) > p_limit, 'sheets', (
    select coalesce(jsonb_agg(jsonb_build_object('number', s.number, 'circulator', s.circulator,
      'collectedOn', s.collected_on, 'openedBy', (select p.name from public.profiles p where p.user_id = s.opened_by),
      'openedAt', private.utc(s.opened_at), 'closedAt', private.utc(s.closed_at),
      'lines', n.entered, 'blank', n.blank, 'accepted', n.accepted, 'expected', e.expected, 'missing', m.missing,
      'missingCount', e.missing) order by u.place), '[]')
    from unnest(found[:p_limit]) with ordinality u (id, place)
    join public.sheets s on s.id = u.id
    join private.sheet_gaps e on e.id = s.id
    cross join lateral (
      select coalesce(sum(n.entered), 0) as entered, coalesce(sum(n.blank), 0) as blank, coalesce(sum(n.accepted), 0) as accepted
      from private.line_counts n
      where n.campaign_id = s.campaign_id and n.per = 'sheet' and n.team_id = s.team_id and n.entered_by is null
        and n.sheet = s.number) n
    cross join lateral (
      select coalesce(jsonb_agg(g.line order by g.line), '[]') as missing
      from (
        select i as line from generate_series(1, least(500, e.expected)) i
        where not exists (select from public.lines l where l.team_id = s.team_id and l.campaign_id = s.campaign_id
          and l.sheet = s.number and l.line = i and l.removed_at is null)
        order by 1 limit 100) g) m),
    'notStarted', (
      select coalesce(jsonb_agg(g.number order by g.number), '[]')
      from (
        select i as number from (select s.number, lead(s.number) over (order by s.number) as next from public.sheets s
          where s.team_id = p_team_id and s.campaign_id = p_campaign_id and p_filter = '{}' and p_after is null) s
        cross join lateral generate_series(s.number + 1, s.next - 1) i
        where s.next - s.number <= 100 -- further apart they are of another series, or wrong
        order by 1 desc limit 100) g))
    || case when total > max_counted then jsonb_build_object('totalAbove', max_counted) else jsonb_build_object('total', total) end;
end $$;
comment on function public.list_sheets is
  'A page of a team''s sheets that match an optional filter { state: open | closed, number, circulator, missing: yes }, '
  'sorted by p_sort (number, opened, collected; descending with `-`), after the sheet numbered p_after: { sheets, more, '
  'total }, or `totalAbove` 10000 if more match; at most p_limit or 200. `missing` are up to 100 of the `missingCount` empty ones among the `expected` lines, '
  '`notStarted` on the first page without a filter up to 100 numbers between those of sheets. Guard first.';
