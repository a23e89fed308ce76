-- What charts may read: the views of schema `reporting`, and nothing else. Adding a chart source is adding a view here
-- that has team_id and campaign_id. The comments are the words that the builder shows: of a view "Label: description",
-- of a column its label. `[signer]` behind a label is not shown. It marks a column that tells who signed or tells one line
-- apart: ids, names, notes, sheet and line, the exact moment of entry. What uses such a column needs signatures.view in its
-- place; so does what uses a column without a comment. Areas, days, verdicts, and who keyed or collected are not marked:
-- they are the report of the work.
--
-- A day or a moment has its parts in columns that are called after it: `_day`, `_week` (its Monday), `_month` (its first
-- day), `_weekday` (1 is Monday, 7 Sunday), `_hour` (0 to 23). They are in the team's zone. The builder shows them as one
-- field with its column. The team is joined from the left: where no part of a moment is asked for, the planner leaves the
-- join out.

-- The views read with the rights of who asks, which is the service role.
create view reporting.signatures with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.voter_id, l.first_name, l.last_name, l.city, l.county,
  left(l.zip, 5) as zip, -- all nine digits are a few houses
  l.sheet, l.line, l.signed_on,
  date_trunc('week', l.signed_on::timestamp)::date as signed_on_week,
  date_trunc('month', l.signed_on::timestamp)::date as signed_on_month,
  extract(isodow from l.signed_on)::int as signed_on_weekday,
  l.entered_by,
  l.entered_at,
  w.at::date as entered_at_day,
  date_trunc('week', w.at)::date as entered_at_week,
  date_trunc('month', w.at)::date as entered_at_month,
  extract(isodow from w.at)::int as entered_at_weekday,
  extract(hour from w.at)::int as entered_at_hour
from public.lines l
left join public.teams t on t.id = l.team_id
cross join lateral (select l.entered_at at time zone t.time_zone as at) w
where l.verdict = 'accepted' and l.removed_at is null;
comment on view reporting.signatures is 'Signatures: accepted lines that count.';
comment on column reporting.signatures.id is 'Line id [signer]';
comment on column reporting.signatures.team_id is 'Team';
comment on column reporting.signatures.campaign_id is 'Campaign';
comment on column reporting.signatures.voter_id is 'Voter id [signer]';
comment on column reporting.signatures.first_name is 'First name [signer]';
comment on column reporting.signatures.last_name is 'Last name [signer]';
comment on column reporting.signatures.city is 'City';
comment on column reporting.signatures.county is 'County';
comment on column reporting.signatures.zip is 'Zip';
comment on column reporting.signatures.sheet is 'Sheet [signer]';
comment on column reporting.signatures.line is 'Line [signer]';
comment on column reporting.signatures.signed_on is 'Signed on';
comment on column reporting.signatures.signed_on_week is 'Signed on by week';
comment on column reporting.signatures.signed_on_month is 'Signed on by month';
comment on column reporting.signatures.signed_on_weekday is 'Signed on by weekday';
comment on column reporting.signatures.entered_by is 'Entered by (id)';
comment on column reporting.signatures.entered_at is 'Entered at [signer]';
comment on column reporting.signatures.entered_at_day is 'Entered at by day';
comment on column reporting.signatures.entered_at_week is 'Entered at by week';
comment on column reporting.signatures.entered_at_month is 'Entered at by month';
comment on column reporting.signatures.entered_at_weekday is 'Entered at by weekday';
comment on column reporting.signatures.entered_at_hour is 'Entered at by hour';

create view reporting.lines with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.verdict, h.circulator, l.sheet, l.line, l.voter_id, l.first_name, l.last_name,
  l.city, l.county, left(l.zip, 5) as zip, l.signed_on,
  date_trunc('week', l.signed_on::timestamp)::date as signed_on_week,
  date_trunc('month', l.signed_on::timestamp)::date as signed_on_month,
  extract(isodow from l.signed_on)::int as signed_on_weekday,
  l.note,
  l.entered_by,
  l.entered_at,
  w.at::date as entered_at_day,
  date_trunc('week', w.at)::date as entered_at_week,
  date_trunc('month', w.at)::date as entered_at_month,
  extract(isodow from w.at)::int as entered_at_weekday,
  extract(hour from w.at)::int as entered_at_hour
from public.lines l
left join public.teams t on t.id = l.team_id
cross join lateral (select l.entered_at at time zone t.time_zone as at) w
left join public.sheets h on h.team_id = l.team_id and h.campaign_id = l.campaign_id and h.number = l.sheet
where l.verdict <> 'blank' and l.removed_at is null;
comment on view reporting.lines is
  'Lines: every line that was keyed, accepted or rejected, with the verdict and the circulator.';
comment on column reporting.lines.id is 'Line id [signer]';
comment on column reporting.lines.team_id is 'Team';
comment on column reporting.lines.campaign_id is 'Campaign';
comment on column reporting.lines.verdict is 'Verdict, or accepted';
comment on column reporting.lines.circulator is 'Circulator';
comment on column reporting.lines.sheet is 'Sheet [signer]';
comment on column reporting.lines.line is 'Line [signer]';
comment on column reporting.lines.voter_id is 'Voter id [signer]';
comment on column reporting.lines.first_name is 'First name [signer]';
comment on column reporting.lines.last_name is 'Last name [signer]';
comment on column reporting.lines.city is 'City';
comment on column reporting.lines.county is 'County';
comment on column reporting.lines.zip is 'Zip';
comment on column reporting.lines.signed_on is 'Signed on';
comment on column reporting.lines.signed_on_week is 'Signed on by week';
comment on column reporting.lines.signed_on_month is 'Signed on by month';
comment on column reporting.lines.signed_on_weekday is 'Signed on by weekday';
comment on column reporting.lines.note is 'Note [signer]';
comment on column reporting.lines.entered_by is 'Entered by (id)';
comment on column reporting.lines.entered_at is 'Entered at [signer]';
comment on column reporting.lines.entered_at_day is 'Entered at by day';
comment on column reporting.lines.entered_at_week is 'Entered at by week';
comment on column reporting.lines.entered_at_month is 'Entered at by month';
comment on column reporting.lines.entered_at_weekday is 'Entered at by weekday';
comment on column reporting.lines.entered_at_hour is 'Entered at by hour';

create view reporting.clerk_work with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, p.name as clerk, l.verdict, l.verdict = 'accepted' as accepted, l.sheet, l.line,
  l.entered_by,
  l.entered_at,
  w.at::date as entered_at_day,
  date_trunc('week', w.at)::date as entered_at_week,
  date_trunc('month', w.at)::date as entered_at_month,
  extract(isodow from w.at)::int as entered_at_weekday,
  extract(hour from w.at)::int as entered_at_hour
from public.lines l
left join public.teams t on t.id = l.team_id
cross join lateral (select l.entered_at at time zone t.time_zone as at) w
left join public.profiles p on p.user_id = l.entered_by
where l.verdict <> 'blank' and l.removed_at is null;
comment on view reporting.clerk_work is
  'Clerks'' work: every line that was keyed, accepted or rejected, and by whom.';
comment on column reporting.clerk_work.id is 'Line id [signer]';
comment on column reporting.clerk_work.team_id is 'Team';
comment on column reporting.clerk_work.campaign_id is 'Campaign';
comment on column reporting.clerk_work.clerk is 'Clerk';
comment on column reporting.clerk_work.verdict is 'Verdict, or accepted';
comment on column reporting.clerk_work.accepted is 'Accepted';
comment on column reporting.clerk_work.sheet is 'Sheet [signer]';
comment on column reporting.clerk_work.line is 'Line [signer]';
comment on column reporting.clerk_work.entered_by is 'Clerk (id)';
comment on column reporting.clerk_work.entered_at is 'Entered at [signer]';
comment on column reporting.clerk_work.entered_at_day is 'Entered at by day';
comment on column reporting.clerk_work.entered_at_week is 'Entered at by week';
comment on column reporting.clerk_work.entered_at_month is 'Entered at by month';
comment on column reporting.clerk_work.entered_at_weekday is 'Entered at by weekday';
comment on column reporting.clerk_work.entered_at_hour is 'Entered at by hour';
