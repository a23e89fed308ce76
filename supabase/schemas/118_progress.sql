-- A campaign's progress, from the counts of its lines. Progress to the goal counts all teams of the campaign; lists are of the
-- asking team only.

-- A text that changes with the counts below, computed without counting lines: from the newest lines and line changes, and
-- from the xmin of campaign, team, sheet and quality check rows. It takes the newest hundred because lines can be committed
-- out of order. What only SQL can do, such as deleting lines, shows with the next change.
create function private.progress_version(p_team_id text, p_campaign_id text, p_with_work boolean) returns text
language sql stable set search_path = ''
as $$
  select md5(jsonb_build_array(p_with_work,
    array(select l.stored_number from public.lines l where l.campaign_id = p_campaign_id
      order by l.stored_number desc limit 100),
    array(select c.id from public.line_changes c where c.campaign_id = p_campaign_id order by c.id desc limit 100),
    (select jsonb_build_array(count(*), sum(s.xmin::text::bigint))
      from public.sheets s where s.campaign_id = p_campaign_id),
    (select jsonb_build_array(count(*), sum(q.xmin::text::bigint))
      from public.quality_lines q where q.campaign_id = p_campaign_id and q.entered_at is not null),
    (select array_agg(a.xmin::text order by a.team_id) from public.campaign_team a where a.campaign_id = p_campaign_id),
    (select c.xmin::text from public.campaigns c where c.id = p_campaign_id),
    (select jsonb_build_array(t.time_zone, (now() at time zone t.time_zone)::date)
      from public.teams t where t.id = p_team_id))::text)
$$;

-- ── The campaign ───────────────────────────────────────────────────────────────────────────────────────────────────

-- A county as targets and lines are matched: "King County" is "King".
create function private.county_key(p_county text) returns text
language sql immutable set search_path = ''
as $$
  select lower(regexp_replace(p_county, '\s+county$', '', 'i'))
$$;

create function private.progress_json(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (select t.time_zone, (now() at time zone t.time_zone)::date as today from public.teams t where t.id = p_team_id),
    quarters as (
      select q.quarter, sum(q.entered) as entered, sum(q.accepted) as accepted
      from private.line_counts q where q.campaign_id = p_campaign_id and q.per = 'quarter' group by 1
    ),
    days as (
      select (q.quarter at time zone t.time_zone)::date as day, sum(q.entered) as entered, sum(q.accepted) as accepted
      from quarters q cross join team t group by 1 having sum(q.entered) > 0
    ),
    total as (
      select coalesce(sum(n.entered), 0) as entered, coalesce(sum(n.accepted), 0) as accepted,
        coalesce(sum(n.duplicates), 0) as duplicates,
        coalesce(sum(n.entered) filter (where n.team_id = p_team_id), 0) as own_entered,
        coalesce(sum(n.accepted) filter (where n.team_id = p_team_id), 0) as own_accepted,
        coalesce(sum(n.entered) filter (where n.county is not null), 0) as entered_with_county,
        coalesce(sum(n.accepted) filter (where n.county is not null), 0) as accepted_with_county
      from private.line_counts n where n.campaign_id = p_campaign_id and n.per = 'county'
    ),
    -- Sheets with the same collection day and quarter of an hour of opening, so that fewer times are converted to the time zone.
    sheet_groups as (
      select s.collected_on, date_bin('15 minutes', s.opened_at, 'epoch') as opened,
        s.opened_at > now() - interval '28 days' as is_recent, count(*) as sheets,
        count(*) filter (where n.entered > 0) as with_lines, sum(greatest(s.signature_count, n.entered, 0)) as lines,
        sum(n.entered) as entered, sum(n.accepted + n.duplicates) as valid, sum(n.entered::bigint * n.entered) as lines_squared,
        sum(n.entered::bigint * (n.accepted + n.duplicates)) as lines_valid,
        sum((n.accepted + n.duplicates)::bigint * (n.accepted + n.duplicates)) as valid_squared
      from public.sheets s
      left join private.line_counts n on n.campaign_id = s.campaign_id and n.per = 'sheet' and n.team_id = s.team_id
        and n.sheet = s.number
      where s.campaign_id = p_campaign_id
      group by 1, 2, 3
    ),
    on_sheets as materialized (
      select g.*, least(coalesce(g.collected_on, o.day), t.today) as day,
        case when g.is_recent then greatest(0, o.day - g.collected_on) end as lag
      from sheet_groups g
      cross join team t
      cross join lateral (select (g.opened at time zone t.time_zone)::date as day) o
    ),
    lags as (
      select o.lag, sum(sum(o.sheets)) over (order by o.lag) / sum(sum(o.sheets)) over () as share
      from on_sheets o where o.lag is not null group by 1
    ),
    by_county as (
      select n.county, n.entered, n.accepted, 0 as last_7_days
      from private.line_counts n where n.campaign_id = p_campaign_id and n.per = 'county'
      union all
      select l.county, 0, 0, count(*)
      from team t
      join public.lines l on l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
        and l.team_id in (select n.team_id from private.line_counts n
          where n.campaign_id = p_campaign_id and n.per = 'county')
        and l.entered_at >= (t.today - 7)::timestamp at time zone t.time_zone
        and l.entered_at < t.today::timestamp at time zone t.time_zone
      group by 1
    ),
    counties as (
      select coalesce(max(n.county), c.target ->> 'county') as county, (c.target ->> 'target')::int as target, c.place,
        coalesce(sum(n.entered), 0) as entered, coalesce(sum(n.accepted), 0) as accepted,
        coalesce(sum(n.last_7_days), 0) as last_7_days
      from public.campaigns o
      cross join lateral jsonb_array_elements(o.county_targets) with ordinality c (target, place)
      left join by_county n on private.county_key(n.county) = private.county_key(c.target ->> 'county')
      where o.id = p_campaign_id
      group by c.target, c.place
    ),
    checked as (
      select count(*) as lines, count(*) filter (where q.right_entry <> 'first') as errors
      from public.quality_lines q
      join public.lines l on l.id = q.line_id
      where q.campaign_id = p_campaign_id and q.drawn_from = 'campaign' and (not q.differs or q.right_entry is not null)
    ),
    sheets as (
      select coalesce(sum(o.lines - coalesce(o.entered, 0)), 0) as unentered,
        jsonb_build_object('count', coalesce(sum(o.with_lines), 0), 'lines', coalesce(sum(o.entered), 0),
          'valid', coalesce(sum(o.valid), 0), 'linesSquared', coalesce(sum(o.lines_squared), 0),
          'linesValid', coalesce(sum(o.lines_valid), 0), 'validSquared', coalesce(sum(o.valid_squared), 0)) as sums
      from on_sheets o
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
    'collected', n.entered + u.unentered,
    'teams', (select count(*) from public.campaign_team a where a.campaign_id = c.id),
    'own', jsonb_build_object('accepted', n.own_accepted, 'entered', n.own_entered),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'accepted', d.accepted, 'entered', d.entered)
        order by d.day), '[]')
      from days d),
    'collectedDays', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'lines', d.lines) order by d.day), '[]')
      from (select o.day, sum(o.lines) as lines from on_sheets o group by 1 having sum(o.lines) > 0) d),
    'lagDays', coalesce((select min(l.lag) from lags l where l.share >= 0.9), 0),
    'sheetSums', u.sums,
    'checked', (select to_jsonb(k) from checked k),
    'counties', (
      select coalesce(jsonb_agg(jsonb_build_object('county', y.county, 'target', y.target, 'entered', y.entered,
        'accepted', y.accepted, 'last7Days', y.last_7_days) order by y.place), '[]')
      from counties y),
    'withCounty', jsonb_build_object('accepted', n.accepted_with_county, 'entered', n.entered_with_county),
    'official', case when c.required_signatures is not null and c.check_method is not null then jsonb_build_object(
      'required', c.required_signatures, 'margin', coalesce(c.safety_margin, 0),
      'rejection', coalesce(c.official_rejection, 0), 'method', c.check_method, 'samplePercent', c.sample_percent,
      'sampleMinimum', c.sample_minimum, 'passPercent', c.pass_percent, 'failPercent', c.fail_percent) end)
  from team t
  join public.campaigns c on c.id = p_campaign_id
  cross join total n
  cross join sheets u
$$;
comment on function private.progress_json is
  'A campaign''s progress, all teams together: { today, goal, startsOn, endsOn, archivedAt, accepted, entered, duplicates, '
  'collected, teams, own: { accepted, entered }, days: [{ day, accepted, entered }], collectedDays: [{ day, lines }], lagDays, '
  'sheetSums, checked: { lines, errors }, counties: [{ county, target, entered, accepted, last7Days }], '
  'withCounty: { accepted, entered }, official }. `days` are days of entry in the team''s time zone; `own` is of this team '
  'only; `collected` adds up each sheet''s '
  'signature count, or its entered lines if more; `collectedDays` does so by the day of collection, or of opening if that is '
  'unknown; nine of ten sheets opened in the last 28 days were collected at most `lagDays` before; `sheetSums` are over '
  'sheets with entered lines; `checked` are lines of the quality check that were drawn from a whole team, without unsettled '
  'differences; a county is named as in lines if there are some; `last7Days` counts the 7 days before today; `withCounty` are all '
  'lines whose county is known; `official` is null until the required signatures and the office''s method are set. '
  'Null without such a team or campaign.';

-- ── The work of a team ─────────────────────────────────────────────────────────────────────────────────────────────

-- When a clerk, or SQL without one, entered their last line that counts.
create function private.last_entered(p_team_id text, p_campaign_id text, p_clerk uuid) returns timestamptz
language sql stable set search_path = ''
as $$
  select greatest(
    (select max(l.entered_at) from public.lines l where l.team_id = p_team_id and l.campaign_id = p_campaign_id
      and l.entered_by = p_clerk and l.verdict <> 'blank' and l.removed_at is null),
    (select max(l.entered_at) from public.lines l where l.team_id = p_team_id and l.campaign_id = p_campaign_id
      and p_clerk is null and l.entered_by is null and l.verdict <> 'blank' and l.removed_at is null))
$$;

create function private.work_json(p_team_id text, p_campaign_id text) returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    sheets as materialized (
      select s.number, s.circulator, s.closed_at, s.signature_count, n.entered, n.accepted, n.duplicates, n.blank
      from (select * from public.sheets s where s.team_id = p_team_id and s.campaign_id = p_campaign_id) s
      full join (
        select * from private.line_counts n where n.campaign_id = p_campaign_id and n.per = 'sheet' and n.team_id = p_team_id
      ) n on n.sheet = s.number
    ),
    circulators as (
      select s.circulator, sum(s.entered) as lines, sum(s.accepted) as accepted, sum(s.duplicates) as duplicates,
        row_number() over (order by sum(s.entered) desc, s.circulator) as place
      from sheets s group by 1 having sum(s.entered) > 0
    ),
    own as materialized (
      select * from private.line_counts n
      where n.campaign_id = p_campaign_id and n.per = 'county' and n.team_id = p_team_id and n.entered > 0
    ),
    clerks as (
      select n.entered_by, sum(n.entered) as lines, sum(n.accepted) as accepted, sum(n.duplicates) as duplicates,
        row_number() over (order by sum(n.entered) desc, n.entered_by) as place
      from own n group by 1
    ),
    counties as (
      select n.county, sum(n.accepted) as accepted, row_number() over (order by sum(n.accepted) desc, n.county) as place
      from own n group by 1 having sum(n.accepted) > 0
    ),
    open_sheets as (
      select s.number, s.opened_by, s.opened_at, s.signature_count,
        row_number() over (order by s.opened_at, s.number) as place
      from public.sheets s
      where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.closed_at is null
    ),
    short_sheets as (
      select s.number, s.closed_at, e.expected, coalesce(s.entered + s.blank, 0) as lines,
        row_number() over (order by s.closed_at, s.number) as place
      from sheets s
      join public.campaigns c on c.id = p_campaign_id
      cross join lateral (
        select private.expected_lines(s.signature_count, coalesce(s.blank, 0), c.lines_per_sheet) as expected) e
      where s.closed_at is not null and s.signature_count is not null and e.expected > coalesce(s.entered + s.blank, 0)
    ),
    freed as materialized (
      select d.id, d.sheet, d.line, row_number() over (order by d.sheet, d.line, d.id) as place
      from private.freed_duplicates f
      join public.lines d on d.id = f.line_id
      where f.campaign_id = p_campaign_id and f.team_id = p_team_id
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
          'accepted', c.accepted, 'duplicates', c.duplicates,
          'lastAt', private.utc(private.last_entered(p_team_id, p_campaign_id, c.entered_by))) order by c.place)
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
        select coalesce(jsonb_agg(jsonb_build_object('number', s.number, 'openedBy', p.name,
            'openedAt', private.utc(s.opened_at), 'signatureCount', s.signature_count,
            'lines', h.lines, 'gapCount', h.highest - h.taken) order by s.place), '[]')
        from open_sheets s
        left join public.profiles p on p.user_id = s.opened_by
        cross join lateral (
          select count(*) filter (where l.verdict <> 'blank') as lines,
            greatest(case when s.signature_count is not null then private.expected_lines(s.signature_count,
              count(*) filter (where l.verdict = 'blank'),
              (select c.lines_per_sheet from public.campaigns c where c.id = p_campaign_id)) end, max(l.line), 0) as highest,
            count(l.line)::int as taken
          from public.lines l
          where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = s.number and l.removed_at is null
        ) h
        where s.place <= 100),
      'rest', jsonb_build_object('count', (select greatest(count(*) - 100, 0) from open_sheets))),
    'shortSheets', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('number', s.number,
          'closedAt', private.utc(s.closed_at), 'expected', s.expected, 'lines', s.lines) order by s.place)
          filter (where s.place <= 100), '[]'),
        'rest', jsonb_build_object('count', greatest(count(*) - 100, 0)))
      from short_sheets s),
    'recent', public.daily_summary(p_team_id, p_campaign_id),
    'outsideDates', public.lines_outside_dates(p_team_id, p_campaign_id, 0) -> 'count',
    'unsettled', (
      select count(*) from public.quality_lines q join public.lines l on l.id = q.line_id
      where q.team_id = p_team_id and q.campaign_id = p_campaign_id and q.differs and q.right_entry is null),
    'duplicatesFreed', (
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'sheet', f.sheet, 'line', f.line)
          order by f.place) filter (where f.place <= 100), '[]'),
        'rest', jsonb_build_object('count', greatest(count(*) - 100, 0)))
      from freed f))
$$;
comment on function private.work_json is
  'A team''s work on a campaign: { circulators, clerks, counties, openSheets, shortSheets, recent, outsideDates, '
  'unsettled, duplicatesFreed }; `recent` is the public.daily_summary. '
  'Lists are { rows, rest }: the first 100 and the totals of the others. `gapCount` of an open sheet is how many line '
  'numbers are empty; `shortSheets` are closed with fewer `lines`, blank ones too, than `expected`; `unsettled` '
  'counts differences of the quality check; '
  '`duplicatesFreed` are duplicates whose voter has no accepted line.';

-- ── Queries ────────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.campaign_progress(
  p_team_id text, p_campaign_id text, p_with_work boolean, p_known text default null
) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  page_version text := md5(jsonb_build_array(
    (select c.xmin::text from public.campaigns c where c.id = p_campaign_id),
    (select jsonb_agg(r.id order by r.id) from public.access_requests r where r.team_id = p_team_id
      and r.closed_at is null and coalesce(r.campaign_id, p_campaign_id) = p_campaign_id),
    public.failed_charts(p_team_id, p_campaign_id))::text);
  version text := md5(private.progress_version(p_team_id, p_campaign_id, p_with_work) || page_version);
  progress jsonb;
begin
  if version = p_known then
    return jsonb_build_object('version', version);
  end if;
  progress := private.progress_json(p_team_id, p_campaign_id);
  return case when progress is not null then jsonb_build_object('version', version, 'pageVersion', page_version, 'progress', progress,
    'work', case when p_with_work then private.work_json(p_team_id, p_campaign_id) end) end;
end $$;
comment on function public.campaign_progress is
  'A campaign''s progress, with p_with_work also the team''s work: { version, pageVersion, progress, work }, see '
  'private.progress_json and private.work_json. `pageVersion` changes with the campaign''s settings, requests for access and '
  'failed charts. Only { version } if nothing has changed since p_known. Null without such a team or campaign. Guard first, '
  'and separately for the work.';

create function public.goal_count(p_campaign_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('goal', c.signature_goal, 'accepted', (
    select coalesce(sum(n.accepted), 0) from private.line_counts n where n.campaign_id = c.id and n.per = 'county'))
  from public.campaigns c
  where c.id = p_campaign_id
$$;
comment on function public.goal_count is
  'A campaign''s goal and its accepted lines of all teams: { goal, accepted }. Null without such a campaign. Guard first.';

create function public.team_progress(p_team_id text, p_campaign_ids text[], p_known jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'campaignId', a.campaign_id,
    'version', v.version,
    'progress', case when v.version is distinct from p_known ->> a.campaign_id
      then private.progress_json(a.team_id, a.campaign_id) end,
    'sheetsOpenForDays', (
      select count(*) from public.sheets s where s.team_id = a.team_id and s.campaign_id = a.campaign_id
        and s.closed_at is null
        and s.opened_at < ((now() at time zone t.time_zone)::date - 1)::timestamp at time zone t.time_zone),
    'outsideDates', public.lines_outside_dates(a.team_id, a.campaign_id, 0) -> 'count') order by a.campaign_id), '[]')
  from public.campaign_team a
  join public.teams t on t.id = a.team_id
  cross join lateral (select private.progress_version(a.team_id, a.campaign_id, false) as version offset 0) v
  where a.team_id = p_team_id and a.campaign_id = any (p_campaign_ids)
$$;
comment on function public.team_progress is
  'The progress of a team''s campaigns: [{ campaignId, version, progress, sheetsOpenForDays, outsideDates }], see '
  'private.progress_json; the other two are of this team only. `progress` is null if the version is the one in p_known, an '
  'object of campaign ids and versions. Skips campaigns that the team does not have. Guard first.';

create function public.list_areas(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'counties', (
      select coalesce(jsonb_agg(c.county), '[]') from (
        select n.county collate "C" as county
        from public.campaign_team t
        join private.line_counts n on n.campaign_id = t.campaign_id and n.team_id = t.team_id and n.per = 'county'
          and n.entered > 0
        where t.team_id = p_team_id and n.county is not null
        union
        select v.county from voterfile.counties v
        order by 1 limit 500) c),
    'districts', (
      select coalesce(jsonb_agg(d.district), '[]')
      from (select v.district from voterfile.districts v order by 1 limit 500) d))
$$;
comment on function public.list_areas is
  'What the voter file names, the first 500 by name: { counties, districts }. The counties include those of a team''s lines in '
  'its campaigns. Guard first.';
