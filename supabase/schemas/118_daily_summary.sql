-- What a team entered lately, from the counts by quarter of an hour.

create function public.daily_summary(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (
      select t.time_zone, (now() at time zone t.time_zone)::date as today,
        date_trunc('week', now() at time zone t.time_zone) - interval '7 days' as first
      from public.teams t where t.id = p_team_id
    ),
    counts as materialized (
      select (n.quarter at time zone t.time_zone)::date as day, n.entered_by, s.circulator, sum(n.entered) as entered,
        sum(n.accepted) as accepted, sum(n.duplicates) as duplicates
      from team t
      join private.line_counts n on n.campaign_id = p_campaign_id and n.per = 'quarter' and n.team_id = p_team_id
        and n.quarter between (t.first at time zone t.time_zone) and now() and n.entered > 0
      left join public.sheets s on s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = n.sheet
      group by 1, 2, 3
    ),
    tallies as (
      select k.list, k.name, c.day, sum(c.entered) as lines, sum(c.accepted) as accepted, sum(c.duplicates) as duplicates
      from counts c
      cross join lateral (values ('days', null), ('clerks', c.entered_by::text), ('circulators', c.circulator)) k (list, name)
      group by 1, 2, 3
    ),
    listed as (
      select t.list, t.name, row_number() over (partition by t.list order by sum(t.lines) desc, t.name) as place,
        jsonb_agg(jsonb_build_object('day', t.day, 'lines', t.lines, 'accepted', t.accepted, 'duplicates', t.duplicates)
          order by t.day) as days
      from tallies t group by 1, 2
    )
  select jsonb_build_object(
    'days', (
      select jsonb_agg(jsonb_build_object('day', d.day::date, 'lines', coalesce(n.lines, 0),
        'accepted', coalesce(n.accepted, 0), 'duplicates', coalesce(n.duplicates, 0)) order by d.day)
      from generate_series(t.first, t.today, interval '1 day') d (day)
      left join tallies n on n.list = 'days' and n.day = d.day::date),
    'clerks', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('userId', l.name, 'name', p.name, 'days', l.days)
          order by l.place) filter (where l.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where l.place > 100)))
      from listed l left join public.profiles p on p.user_id = case l.list when 'clerks' then l.name::uuid end
      where l.list = 'clerks'),
    'circulators', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('circulator', l.name, 'days', l.days)
          order by l.place) filter (where l.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where l.place > 100)))
      from listed l where l.list = 'circulators'),
    'linesPerCirculator', (
      select sum(n.lines)::float8 / count(distinct n.name) / (t.today - min(n.day))
      from tallies n
      where n.list = 'circulators' and n.name is not null and n.day between t.today - 7 and t.today - 1))
  from team t
$$;
comment on function public.daily_summary is
  'What a team entered in a campaign on each day from Monday of last week through today, in the team''s time zone: { days: '
  '[{ day, lines, accepted, duplicates }], clerks: { rows: [{ userId, name, days }], rest: { count } }, circulators: { rows: '
  '[{ circulator, days }], rest }, linesPerCirculator }. `days` has every day, those of a row only days with lines; '
  'yesterday is the last but one. Rows are the first 100 by lines. `linesPerCirculator` is the mean a day of all circulators '
  'with lines in the seven days before today, since the first of these lines; null without any. Null without such a team. Guard first.';
