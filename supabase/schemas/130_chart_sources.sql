-- What charts may read: the views of schema `reporting`, and nothing else. To add a source, add a view here with team_id and
-- campaign_id. Comments are shown in the builder: "Label: description" for a view, a label for a column. `[signer]` after a
-- label isn't shown. It marks a column that identifies signers or a single line: ids, names, notes, sheet and line, the
-- exact time of entry. Using one needs signatures.view; so does a column without a comment. Areas, dates, verdicts, clerks
-- and circulators aren't marked, because reports are made of them.
--
-- Parts of a date or time are columns named after it: `_day`, `_week` (its Monday), `_month` (its first day), `_weekday` (1 is
-- Monday, 7 Sunday), `_hour` (0 to 23), all in the team's time zone. The builder shows them as one field with their column.
-- The team is left-joined, so that the planner drops the join when no part of a time is used.

-- The views run with the caller's rights: the service role's.
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
comment on view reporting.signatures is 'Signatures: all valid lines.';
comment on column reporting.signatures.id is 'Line ID [signer]';
comment on column reporting.signatures.team_id is 'Team';
comment on column reporting.signatures.campaign_id is 'Campaign';
comment on column reporting.signatures.voter_id is 'Voter ID [signer]';
comment on column reporting.signatures.first_name is 'First name [signer]';
comment on column reporting.signatures.last_name is 'Last name [signer]';
comment on column reporting.signatures.city is 'City';
comment on column reporting.signatures.county is 'County';
comment on column reporting.signatures.zip is 'ZIP code';
comment on column reporting.signatures.sheet is 'Sheet [signer]';
comment on column reporting.signatures.line is 'Line [signer]';
comment on column reporting.signatures.signed_on is 'Date signed';
comment on column reporting.signatures.signed_on_week is 'Week signed';
comment on column reporting.signatures.signed_on_month is 'Month signed';
comment on column reporting.signatures.signed_on_weekday is 'Weekday signed';
comment on column reporting.signatures.entered_by is 'Entered by (ID)';
comment on column reporting.signatures.entered_at is 'Time entered [signer]';
comment on column reporting.signatures.entered_at_day is 'Date entered';
comment on column reporting.signatures.entered_at_week is 'Week entered';
comment on column reporting.signatures.entered_at_month is 'Month entered';
comment on column reporting.signatures.entered_at_weekday is 'Weekday entered';
comment on column reporting.signatures.entered_at_hour is 'Hour entered';

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
  'Lines: all entered lines, valid and invalid, with verdict and circulator.';
comment on column reporting.lines.id is 'Line ID [signer]';
comment on column reporting.lines.team_id is 'Team';
comment on column reporting.lines.campaign_id is 'Campaign';
comment on column reporting.lines.verdict is 'Verdict';
comment on column reporting.lines.circulator is 'Circulator';
comment on column reporting.lines.sheet is 'Sheet [signer]';
comment on column reporting.lines.line is 'Line [signer]';
comment on column reporting.lines.voter_id is 'Voter ID [signer]';
comment on column reporting.lines.first_name is 'First name [signer]';
comment on column reporting.lines.last_name is 'Last name [signer]';
comment on column reporting.lines.city is 'City';
comment on column reporting.lines.county is 'County';
comment on column reporting.lines.zip is 'ZIP code';
comment on column reporting.lines.signed_on is 'Date signed';
comment on column reporting.lines.signed_on_week is 'Week signed';
comment on column reporting.lines.signed_on_month is 'Month signed';
comment on column reporting.lines.signed_on_weekday is 'Weekday signed';
comment on column reporting.lines.note is 'Note [signer]';
comment on column reporting.lines.entered_by is 'Entered by (ID)';
comment on column reporting.lines.entered_at is 'Time entered [signer]';
comment on column reporting.lines.entered_at_day is 'Date entered';
comment on column reporting.lines.entered_at_week is 'Week entered';
comment on column reporting.lines.entered_at_month is 'Month entered';
comment on column reporting.lines.entered_at_weekday is 'Weekday entered';
comment on column reporting.lines.entered_at_hour is 'Hour entered';

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
  'Data entry: all entered lines, valid and invalid, with the clerk who entered them.';
comment on column reporting.clerk_work.id is 'Line ID [signer]';
comment on column reporting.clerk_work.team_id is 'Team';
comment on column reporting.clerk_work.campaign_id is 'Campaign';
comment on column reporting.clerk_work.clerk is 'Clerk';
comment on column reporting.clerk_work.verdict is 'Verdict';
comment on column reporting.clerk_work.accepted is 'Valid';
comment on column reporting.clerk_work.sheet is 'Sheet [signer]';
comment on column reporting.clerk_work.line is 'Line [signer]';
comment on column reporting.clerk_work.entered_by is 'Clerk (ID)';
comment on column reporting.clerk_work.entered_at is 'Time entered [signer]';
comment on column reporting.clerk_work.entered_at_day is 'Date entered';
comment on column reporting.clerk_work.entered_at_week is 'Week entered';
comment on column reporting.clerk_work.entered_at_month is 'Month entered';
comment on column reporting.clerk_work.entered_at_weekday is 'Weekday entered';
comment on column reporting.clerk_work.entered_at_hour is 'Hour entered';
