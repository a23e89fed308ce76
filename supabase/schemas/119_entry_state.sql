-- What the entry screen shows one clerk.

create function public.entry_state(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_lines int default 50, p_sheet int default null
) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (
      select t.time_zone, date_trunc('day', now() at time zone t.time_zone) at time zone t.time_zone as today
      from public.teams t where t.id = p_team_id
    ),
    mine as materialized ( -- since midnight, or for an hour if that is longer
      select l.verdict, l.entered_at from public.lines l cross join team t
      where l.entered_by = p_actor_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
        and l.verdict <> 'blank' and l.removed_at is null
        and l.entered_at >= least(t.today, now() - interval '1 hour')
    ),
    last_lines as (
      select l as line from public.lines l
      where l.entered_by = p_actor_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id
      order by l.entered_at desc, l.id limit p_lines
    )
  select jsonb_build_object(
    'at', private.utc(now()),
    'timeZone', t.time_zone,
    'today', (now() at time zone t.time_zone)::date,
    'goal', c.signature_goal,
    'startsOn', c.starts_on,
    'endsOn', c.ends_on,
    'linesPerSheet', c.lines_per_sheet,
    'districts', c.districts,
    'campaign', jsonb_build_object('accepted', (
      select coalesce(sum(n.accepted), 0) from private.line_counts n
      where n.campaign_id = p_campaign_id and n.per = 'county')),
    'mine', (
      select jsonb_build_object(
        'accepted', count(*) filter (where m.verdict = 'accepted' and m.entered_at >= t.today),
        'duplicates', count(*) filter (where m.verdict = 'duplicate' and m.entered_at >= t.today),
        'rejected', count(*) filter (where m.verdict not in ('accepted', 'duplicate') and m.entered_at >= t.today),
        'lastHour', count(*) filter (where m.entered_at > now() - interval '1 hour'),
        'lastHourSince', private.utc(min(m.entered_at) filter (where m.entered_at > now() - interval '1 hour')))
      from mine m),
    'sheets', (
      select coalesce(jsonb_agg(private.sheet_json(o, p_actor_id) order by o.number), '[]')
      from public.sheets o
      where o.team_id = p_team_id and o.campaign_id = p_campaign_id and o.closed_at is null),
    'nextSheet', (
      select coalesce(max(n.number), 0) + 1 from public.sheets n
      where n.team_id = p_team_id and n.campaign_id = p_campaign_id),
    'sheet', (
      select private.sheet_json(h, p_actor_id) || jsonb_build_object('entered', (
        select coalesce(jsonb_agg(private.line_json(l, p_actor_id) order by l.line), '[]')
        from public.lines l
        where l.team_id = h.team_id and l.campaign_id = h.campaign_id and l.sheet = h.number and l.line is not null
          and l.removed_at is null))
      from public.sheets h
      where h.team_id = p_team_id and h.campaign_id = p_campaign_id and h.number = p_sheet),
    'lines', (
      select coalesce(jsonb_agg(private.line_json(l.line, p_actor_id)
        order by (l.line).entered_at desc, (l.line).id), '[]')
      from last_lines l))
  from team t
  join public.campaigns c on c.id = p_campaign_id
$$;
comment on function public.entry_state is
  'The entry screen of one clerk. `campaign` counts all teams; `mine` is today''s work in the team''s time zone, '
  '`lastHour` the clerk''s lines of the last 60 minutes, the first of them at `lastHourSince`; `sheet` is p_sheet with the '
  'live lines on it as `entered`, or null. Guard first.';
