-- What charts may read: the views of schema `reporting`, and nothing else. To add a source, add a view here with team_id and
-- campaign_id, and its labels below. The builder shows comments: "Label: description" of a view, the label of a column.
-- `[signer]` after a label isn't shown. It marks a column that identifies signers or a single line: ids, names, notes, sheet
-- and line, the exact time of entry. Using one needs signatures.view; so does a column without a comment. Areas, dates,
-- verdicts, clerks and circulators aren't marked, because reports need them.
--
-- Parts of a date or time are columns named after it: `_day`, `_week` (its Monday), `_month` (its first day), `_weekday` (1 is
-- Monday, 7 Sunday), `_hour` (0 to 23), all in the team's time zone. The builder shows them as one field with their column.

-- Lines with the parts of their dates. Team, sheet and clerk are left-joined, so that the planner drops the
-- joins that a chart doesn't use. All these views run with the caller's rights: the service role's.
create view private.chart_lines with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.verdict, l.sheet, l.line, l.voter_id, l.first_name, l.last_name, l.city, l.county,
  left(l.zip, 5) as zip, -- all nine digits are a few houses
  l.note,
  l.signed_on,
  date_trunc('week', l.signed_on::timestamp)::date as signed_on_week,
  date_trunc('month', l.signed_on::timestamp)::date as signed_on_month,
  extract(isodow from l.signed_on)::int as signed_on_weekday,
  h.circulator,
  h.collected_on,
  date_trunc('week', h.collected_on::timestamp)::date as collected_on_week,
  date_trunc('month', h.collected_on::timestamp)::date as collected_on_month,
  extract(isodow from h.collected_on)::int as collected_on_weekday,
  w.at::date - h.collected_on as lag,
  p.name as clerk,
  l.entered_by,
  l.entered_at,
  w.at::date as entered_at_day,
  date_trunc('week', w.at)::date as entered_at_week,
  date_trunc('month', w.at)::date as entered_at_month,
  extract(isodow from w.at)::int as entered_at_weekday,
  extract(hour from w.at)::int as entered_at_hour
from public.lines l
left join public.teams t on t.id = l.team_id
left join public.sheets h on h.team_id = l.team_id and h.campaign_id = l.campaign_id and h.number = l.sheet
left join public.profiles p on p.user_id = l.entered_by
cross join lateral (select l.entered_at at time zone t.time_zone as at) w
where l.removed_at is null;
grant select on private.chart_lines to service_role;

create view reporting.signatures with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.voter_id, l.first_name, l.last_name, l.city, l.county, l.zip, l.sheet, l.line,
  l.signed_on, l.signed_on_week, l.signed_on_month, l.signed_on_weekday, l.circulator, l.collected_on, l.collected_on_week,
  l.collected_on_month, l.collected_on_weekday, l.lag, l.clerk, l.entered_by, l.entered_at, l.entered_at_day,
  l.entered_at_week, l.entered_at_month, l.entered_at_weekday, l.entered_at_hour
from private.chart_lines l
where l.verdict = 'accepted';
comment on view reporting.signatures is 'Signatures: valid signatures only.';

create view reporting.lines with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.verdict, l.circulator, l.sheet, l.line, l.voter_id, l.first_name, l.last_name,
  l.city, l.county, l.zip, l.signed_on, l.signed_on_week, l.signed_on_month, l.signed_on_weekday, l.collected_on,
  l.collected_on_week, l.collected_on_month, l.collected_on_weekday, l.lag, l.note, l.clerk, l.entered_by,
  l.entered_at, l.entered_at_day, l.entered_at_week, l.entered_at_month, l.entered_at_weekday, l.entered_at_hour
from private.chart_lines l
where l.verdict <> 'blank';
comment on view reporting.lines is 'Lines: all entered lines, valid and invalid, with status and circulator.';

create view reporting.clerk_work with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.clerk, l.verdict, l.verdict = 'accepted' as accepted, l.sheet, l.line,
  l.county, l.circulator, l.collected_on, l.collected_on_week, l.collected_on_month, l.collected_on_weekday, l.lag,
  l.entered_by, l.entered_at, l.entered_at_day, l.entered_at_week, l.entered_at_month, l.entered_at_weekday,
  l.entered_at_hour
from private.chart_lines l
where l.verdict <> 'blank';
comment on view reporting.clerk_work is
  'Lines by clerk: all entered lines, valid and invalid, with the clerk who entered them.';

create view reporting.sheets with (security_invoker = true) as
select h.id, h.team_id, h.campaign_id, h.number as sheet, h.circulator, h.collected_on,
  date_trunc('week', h.collected_on::timestamp)::date as collected_on_week,
  date_trunc('month', h.collected_on::timestamp)::date as collected_on_month,
  extract(isodow from h.collected_on)::int as collected_on_weekday,
  w.at::date - h.collected_on as lag, p.name as clerk, h.opened_by as entered_by,
  -- Null for a sheet with lines of several counties.
  (select case when min(l.county) = max(l.county) then min(l.county) end from public.lines l
    where l.team_id = h.team_id and l.campaign_id = h.campaign_id and l.sheet = h.number and l.removed_at is null) as county,
  h.closed_at is not null as closed, h.signature_count as signatures_on_sheet, coalesce(c.entered, 0) as lines_entered,
  coalesce(c.accepted, 0) as lines_valid, coalesce(c.duplicates, 0) as lines_duplicate,
  (select g.missing from private.sheet_gaps g where g.id = h.id) as lines_missing
from public.sheets h
left join public.teams t on t.id = h.team_id
left join public.profiles p on p.user_id = h.opened_by
cross join lateral (select h.opened_at at time zone t.time_zone as at) w
left join (
  select n.team_id, n.campaign_id, n.sheet, sum(n.entered)::int as entered, sum(n.accepted)::int as accepted,
    sum(n.duplicates)::int as duplicates
  from private.line_counts n
  where n.per = 'sheet'
  group by n.team_id, n.campaign_id, n.sheet
) c on c.team_id = h.team_id and c.campaign_id = h.campaign_id and c.sheet = h.number;
comment on view reporting.sheets is
  'Sheets: petition sheets with their circulator, the date collected, and how many lines are entered and missing.';

-- The lines of all teams of a campaign, as on its overview. The needed lines are whole numbers that add up to the goal.
create view reporting.goal_pace with (security_invoker = true) as
select a.team_id, a.campaign_id, d.day as entered_at, d.day as entered_at_day,
  date_trunc('week', d.day::timestamp)::date as entered_at_week,
  date_trunc('month', d.day::timestamp)::date as entered_at_month,
  extract(isodow from d.day)::int as entered_at_weekday,
  d.entered as lines_entered, d.accepted as lines_valid, d.needed as lines_needed, c.signature_goal as goal
from public.campaign_team a
join public.campaigns c on c.id = a.campaign_id
join public.teams t on t.id = a.team_id
cross join lateral (
  select x.day, sum(x.entered)::int as entered, sum(x.accepted)::int as accepted, sum(x.needed)::int as needed
  from (
    select (n.quarter at time zone t.time_zone)::date as day, n.entered, n.accepted, 0 as needed
    from private.line_counts n where n.campaign_id = c.id and n.per = 'quarter'
    union all
    select s.day::date, 0, 0, round(c.signature_goal * s.place / s.days) - round(c.signature_goal * (s.place - 1) / s.days)
    from (
      select g.day, g.place::numeric, c.ends_on - c.starts_on + 1 as days
      from generate_series(c.starts_on::timestamp, c.ends_on::timestamp, '1 day') with ordinality g (day, place)
    ) s
    where s.day < (now() at time zone t.time_zone)::date -- today isn't over, as on the overview
  ) x
  group by x.day
) d;
comment on view reporting.goal_pace is
  'Goal and pace: valid lines entered each day, and the number needed to reach the goal at an even pace.';

-- The labels, for each view that has the column.
do $$
declare
  labeled record;
begin
  for labeled in
    select v.table_name, v.column_name, c.label
    from (values
      ('id', 'Line ID [signer]'),
      ('team_id', 'Team'),
      ('campaign_id', 'Campaign'),
      ('verdict', 'Status'),
      ('accepted', 'Valid'),
      ('circulator', 'Circulator'),
      ('clerk', 'Clerk'),
      ('sheet', 'Sheet [signer]'),
      ('line', 'Line [signer]'),
      ('voter_id', 'Voter ID [signer]'),
      ('first_name', 'First name [signer]'),
      ('last_name', 'Last name [signer]'),
      ('city', 'City'),
      ('county', 'County'),
      ('zip', 'ZIP code'),
      ('signed_on', 'Date signed'),
      ('signed_on_week', 'Week signed'),
      ('signed_on_month', 'Month signed'),
      ('signed_on_weekday', 'Weekday signed'),
      ('collected_on', 'Date collected'),
      ('collected_on_week', 'Week collected'),
      ('collected_on_month', 'Month collected'),
      ('collected_on_weekday', 'Weekday collected'),
      ('lag', 'Days from collection to entry'),
      ('closed', 'Closed'),
      ('signatures_on_sheet', 'Signatures on the sheet'),
      ('lines_entered', 'Lines entered'),
      ('lines_valid', 'Valid lines'),
      ('lines_duplicate', 'Duplicates'),
      ('lines_missing', 'Lines missing'),
      ('lines_needed', 'Valid lines at an even pace'),
      ('goal', 'Goal'),
      ('note', 'Note [signer]'),
      ('entered_by', 'Clerk''s account ID'),
      ('entered_at', 'Date entered [signer]'),
      ('entered_at_day', 'Date entered'),
      ('entered_at_week', 'Week entered'),
      ('entered_at_month', 'Month entered'),
      ('entered_at_weekday', 'Weekday entered'),
      ('entered_at_hour', 'Hour entered')
    ) c (name, label)
    join information_schema.columns v on v.table_schema = 'reporting' and v.column_name = c.name
  loop
    execute format('comment on column reporting.%I.%I is %L', labeled.table_name, labeled.column_name, labeled.label);
  end loop;
end $$;
comment on column reporting.sheets.id is 'Sheet ID [signer]';
comment on column reporting.goal_pace.entered_at is 'Date entered';
