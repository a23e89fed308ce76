-- A campaign's progress, counted from lines and sheets on each request. Progress to the goal counts all teams of the
-- campaign; lists are of the asking team only.

-- A text that changes with the counts below, computed without counting lines: from the newest lines and line changes, and
-- from the xmin of campaign, team and sheet rows. It takes the newest hundred because lines can be committed out of order.
-- What only SQL can do, such as deleting lines, shows with the next change.
create function private.progress_version(p_team_id text, p_campaign_id text, p_with_work boolean) returns text
language sql stable set search_path = ''
as $$
  select md5(jsonb_build_array(p_with_work,
    array(select l.stored_number from public.lines l where l.campaign_id = p_campaign_id
      order by l.stored_number desc limit 100),
    array(select c.id from public.line_changes c where c.campaign_id = p_campaign_id order by c.id desc limit 100),
    (select jsonb_build_array(count(*), sum(s.xmin::text::bigint))
      from public.sheets s where s.campaign_id = p_campaign_id),
    (select array_agg(a.xmin::text order by a.team_id) from public.campaign_team a where a.campaign_id = p_campaign_id),
    (select c.xmin::text from public.campaigns c where c.id = p_campaign_id),
    (select jsonb_build_array(t.time_zone, (now() at time zone t.time_zone)::date)
      from public.teams t where t.id = p_team_id))::text)
$$;

-- ── The campaign ───────────────────────────────────────────────────────────────────────────────────────────────────

create function private.progress_json(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (select t.time_zone, (now() at time zone t.time_zone)::date as today from public.teams t where t.id = p_team_id),
    span as materialized ( -- both ends of an index; one query would read all of it
      select t.time_zone, (f.entered_at at time zone t.time_zone)::date as first,
        (e.entered_at at time zone t.time_zone)::date as last
      from team t
      cross join (select min(l.entered_at) as entered_at from public.lines l
        where l.campaign_id = p_campaign_id and l.verdict <> 'blank' and l.removed_at is null) f
      cross join (select max(l.entered_at) as entered_at from public.lines l
        where l.campaign_id = p_campaign_id and l.verdict <> 'blank' and l.removed_at is null) e
    ),
    days as materialized ( -- a range of an index for each day is faster than grouping lines
      select d.day, n.*
      from (select s.time_zone, s.first + ago as day from span s cross join generate_series(0, s.last - s.first) ago) d
      cross join lateral (
        select count(*) as entered, count(*) filter (where l.verdict = 'accepted') as accepted,
          count(*) filter (where l.verdict = 'duplicate') as duplicates,
          count(*) filter (where l.team_id = p_team_id) as own_entered,
          count(*) filter (where l.team_id = p_team_id and l.verdict = 'accepted') as own_accepted
        from public.lines l
        where l.campaign_id = p_campaign_id and l.verdict <> 'blank' and l.removed_at is null
          and l.entered_at >= d.day::timestamp at time zone d.time_zone
          and l.entered_at < (d.day + 1)::timestamp at time zone d.time_zone
      ) n
      where n.entered > 0
    ),
    total as (
      select coalesce(sum(d.entered), 0)::int as entered, coalesce(sum(d.accepted), 0)::int as accepted,
        coalesce(sum(d.duplicates), 0)::int as duplicates, coalesce(sum(d.own_entered), 0)::int as own_entered,
        coalesce(sum(d.own_accepted), 0)::int as own_accepted
      from days d
    ),
    unentered as (
      select coalesce(sum(greatest(0, s.signature_count - (
        select count(*) from public.lines l
        where l.team_id = s.team_id and l.campaign_id = s.campaign_id and l.sheet = s.number and l.verdict <> 'blank'
          and l.removed_at is null))), 0) as lines
      from public.sheets s where s.campaign_id = p_campaign_id and s.signature_count is not null
    )
  select jsonb_build_object(
    'today', t.today,
    'goal', c.signature_goal,
    'startsOn', c.starts_on,
    'endsOn', c.ends_on,
    'archivedAt', private.utc(c.archived_at),
    'accepted', n.accepted,
    'entered', n.entered,
    'duplicates', n.duplicates,
    'collected', n.entered + u.lines,
    'teams', (select count(*) from public.campaign_team a where a.campaign_id = c.id),
    'own', jsonb_build_object('accepted', n.own_accepted, 'entered', n.own_entered),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'accepted', d.accepted, 'entered', d.entered)
        order by d.day), '[]')
      from days d))
  from team t
  join public.campaigns c on c.id = p_campaign_id
  cross join total n
  cross join unentered u
$$;
comment on function private.progress_json is
  'A campaign''s progress, all teams together: { today, goal, startsOn, endsOn, archivedAt, accepted, entered, duplicates, '
  'collected, teams, own: { accepted, entered }, days: [{ day, accepted, entered }] }. Days are days of entry in the team''s '
  'time zone; `own` is of this team only; `collected` adds up each sheet''s signature count, or its entered lines if more. '
  'Null without such a team or campaign.';

-- ── The work of a team ─────────────────────────────────────────────────────────────────────────────────────────────

create function private.work_json(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    entered as materialized ( -- reads all lines once; most sheets have one clerk
      select l.sheet, l.entered_by, count(*) as lines, count(*) filter (where l.verdict = 'accepted') as accepted,
        count(*) filter (where l.verdict = 'duplicate') as duplicates, max(l.entered_at) as last_at
      from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.verdict <> 'blank' and l.removed_at is null
      group by 1, 2
    ),
    circulators as (
      select s.circulator, sum(e.lines) as lines, sum(e.accepted) as accepted, sum(e.duplicates) as duplicates,
        row_number() over (order by sum(e.lines) desc, s.circulator) as place
      from entered e
      left join public.sheets s on s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = e.sheet
      group by 1
    ),
    clerks as (
      select e.entered_by, sum(e.lines) as lines, sum(e.accepted) as accepted, sum(e.duplicates) as duplicates,
        max(e.last_at) as last_at, row_number() over (order by sum(e.lines) desc, e.entered_by) as place
      from entered e
      group by 1
    ),
    counties as (
      select l.county, count(*) as accepted, row_number() over (order by count(*) desc, l.county) as place
      from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
      group by 1
    ),
    open_sheets as (
      select s.number, s.circulator, s.opened_by, s.opened_at, s.signature_count,
        row_number() over (order by s.opened_at, s.number) as place
      from public.sheets s
      where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.closed_at is null
    ),
    freed as materialized (
      select d.id, d.sheet, d.line, d.voter_id, row_number() over (order by d.sheet, d.line, d.id) as place
      from public.lines d
      where d.team_id = p_team_id and d.campaign_id = p_campaign_id and d.verdict = 'duplicate' and d.removed_at is null
        and d.voter_id is not null and not exists (
          select from public.lines l where l.campaign_id = d.campaign_id and l.voter_id = d.voter_id
            and l.verdict = 'accepted' and l.removed_at is null)
    )
  select jsonb_build_object(
    'circulators', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('circulator', c.circulator, 'lines', c.lines,
          'accepted', c.accepted, 'duplicates', c.duplicates) order by c.place) filter (where c.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where c.place > 100),
          'lines', coalesce(sum(c.lines) filter (where c.place > 100), 0),
          'accepted', coalesce(sum(c.accepted) filter (where c.place > 100), 0),
          'duplicates', coalesce(sum(c.duplicates) filter (where c.place > 100), 0)))
      from circulators c),
    'clerks', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('userId', c.entered_by, 'name', p.name, 'lines', c.lines,
          'accepted', c.accepted, 'duplicates', c.duplicates, 'lastAt', private.utc(c.last_at)) order by c.place)
          filter (where c.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where c.place > 100),
          'lines', coalesce(sum(c.lines) filter (where c.place > 100), 0),
          'accepted', coalesce(sum(c.accepted) filter (where c.place > 100), 0),
          'duplicates', coalesce(sum(c.duplicates) filter (where c.place > 100), 0)))
      from clerks c left join public.profiles p on p.user_id = c.entered_by),
    'counties', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('county', c.county, 'accepted', c.accepted) order by c.place)
          filter (where c.place <= 100), '[]'),
        'rest', jsonb_build_object('count', count(*) filter (where c.place > 100),
          'accepted', coalesce(sum(c.accepted) filter (where c.place > 100), 0)))
      from counties c),
    'openSheets', jsonb_build_object(
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('number', s.number, 'circulator', s.circulator,
            'openedBy', p.name, 'openedAt', private.utc(s.opened_at), 'signatureCount', s.signature_count,
            'lines', g.lines, 'gaps', g.gaps, 'gapCount', g.highest - g.taken) order by s.place), '[]')
        from open_sheets s
        left join public.profiles p on p.user_id = s.opened_by
        cross join lateral (
          select h.lines, h.highest, h.taken, array(
            -- The first 20 free numbers are among these.
            select free from generate_series(1, least(h.highest, h.taken + 20)) free
            where not exists (select from public.lines l
              where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = s.number and l.line = free
                and l.removed_at is null)
            order by free limit 20) as gaps
          from (
            select count(*) filter (where l.verdict <> 'blank') as lines,
              greatest(s.signature_count, max(l.line), 0) as highest, count(l.line)::int as taken
            from public.lines l
            where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = s.number
              and l.removed_at is null
          ) h
        ) g
        where s.place <= 100),
      'rest', jsonb_build_object('count', (select greatest(count(*) - 100, 0) from open_sheets))),
    'outsideDates', public.lines_outside_dates(p_team_id, p_campaign_id, 0) -> 'count',
    'duplicatesFreed', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'sheet', f.sheet, 'line', f.line,
          'voterId', f.voter_id) order by f.place) filter (where f.place <= 100), '[]'),
        'rest', jsonb_build_object('count', greatest(count(*) - 100, 0)))
      from freed f))
$$;
comment on function private.work_json is
  'A team''s work on a campaign: { circulators, clerks, counties, openSheets, outsideDates, duplicatesFreed }. Lists are '
  '{ rows, rest }: the first 100 and the totals of the others. `gaps` of an open sheet are its first 20 empty line numbers; '
  '`duplicatesFreed` are duplicates whose voter has no accepted line.';

-- ── Queries ────────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.campaign_progress(
  p_team_id text, p_campaign_id text, p_with_work boolean, p_known text default null
) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  version text := private.progress_version(p_team_id, p_campaign_id, p_with_work);
  progress jsonb;
begin
  if version = p_known then
    return jsonb_build_object('version', version);
  end if;
  progress := private.progress_json(p_team_id, p_campaign_id);
  return case when progress is not null then jsonb_build_object('version', version, 'progress', progress,
    'work', case when p_with_work then private.work_json(p_team_id, p_campaign_id) end) end;
end $$;
comment on function public.campaign_progress is
  'A campaign''s progress, with p_with_work also the team''s work: { version, progress, work }, see private.progress_json and '
  'private.work_json. Only { version } if nothing has changed since p_known. Null without such a team or campaign. Guard '
  'first, and separately for the work.';

create function public.goal_count(p_campaign_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('goal', c.signature_goal, 'accepted', (
    select count(*) from public.lines l
    where l.campaign_id = c.id and l.verdict = 'accepted' and l.removed_at is null))
  from public.campaigns c
  where c.id = p_campaign_id
$$;
comment on function public.goal_count is
  'A campaign''s goal and its accepted lines of all teams: { goal, accepted }. Null without such a campaign. Guard first.';

create function public.team_progress(p_team_id text, p_campaign_ids text[]) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'campaignId', a.campaign_id,
    'progress', private.progress_json(a.team_id, a.campaign_id),
    'sheetsOpenForDays', (
      select count(*) from public.sheets s where s.team_id = a.team_id and s.campaign_id = a.campaign_id
        and s.closed_at is null and s.opened_at < now() - interval '2 days'),
    'outsideDates', public.lines_outside_dates(a.team_id, a.campaign_id, 0) -> 'count') order by a.campaign_id), '[]')
  from public.campaign_team a
  where a.team_id = p_team_id and a.campaign_id = any (p_campaign_ids)
$$;
comment on function public.team_progress is
  'The progress of a team''s campaigns: [{ campaignId, progress, sheetsOpenForDays, outsideDates }], see '
  'private.progress_json; the other two are of this team only. Skips campaigns that the team does not have. Guard first.';
