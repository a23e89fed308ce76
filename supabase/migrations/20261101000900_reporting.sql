-- What charts may read: the views of schema `reporting`, and nothing else. Adding a chart source is adding a view here
-- that has team_id and campaign_id. The comments are the words that the builder shows: of a view "Label: description",
-- of a column its label.

create schema reporting;
revoke all on schema reporting from public;
grant usage on schema reporting to service_role;
comment on schema reporting is 'Chart sources. Not shown by REST; each view has team_id and campaign_id.';
alter default privileges in schema reporting grant select on tables to service_role;

-- The views read with the rights of who asks, which is the service role.
create view reporting.signatures with (security_invoker = true) as
select s.id, s.team_id, s.campaign_id, s.voter_id, s.first_name, s.last_name, s.city, s.county, s.zip, s.sheet, s.line,
  s.signed_on, s.entered_by, s.entered_at
from public.signatures s
where s.removed_at is null;
comment on view reporting.signatures is 'Signatures: accepted lines that count.';
comment on column reporting.signatures.id is 'Line id';
comment on column reporting.signatures.team_id is 'Team';
comment on column reporting.signatures.campaign_id is 'Campaign';
comment on column reporting.signatures.voter_id is 'Voter id';
comment on column reporting.signatures.first_name is 'First name';
comment on column reporting.signatures.last_name is 'Last name';
comment on column reporting.signatures.city is 'City';
comment on column reporting.signatures.county is 'County';
comment on column reporting.signatures.zip is 'Zip';
comment on column reporting.signatures.sheet is 'Sheet';
comment on column reporting.signatures.line is 'Line';
comment on column reporting.signatures.signed_on is 'Signed on';
comment on column reporting.signatures.entered_by is 'Entered by (id)';
comment on column reporting.signatures.entered_at is 'Entered at';

create view reporting.signatures_by_time with (security_invoker = true) as
select s.id, s.team_id, s.campaign_id, l.at::date as day, date_trunc('week', l.at)::date as week,
  extract(hour from l.at)::int as hour, s.city, s.county, s.zip, s.sheet, s.line, s.signed_on, s.entered_by, s.entered_at
from public.signatures s
join public.teams t on t.id = s.team_id
cross join lateral (select s.entered_at at time zone t.time_zone as at) l
where s.removed_at is null;
comment on view reporting.signatures_by_time is
  'Signatures by time: accepted lines with the day, week and hour of their entry, in the team''s time zone.';
comment on column reporting.signatures_by_time.id is 'Line id';
comment on column reporting.signatures_by_time.team_id is 'Team';
comment on column reporting.signatures_by_time.campaign_id is 'Campaign';
comment on column reporting.signatures_by_time.day is 'Day of entry';
comment on column reporting.signatures_by_time.week is 'Week of entry (its Monday)';
comment on column reporting.signatures_by_time.hour is 'Hour of entry (0 to 23)';
comment on column reporting.signatures_by_time.city is 'City';
comment on column reporting.signatures_by_time.county is 'County';
comment on column reporting.signatures_by_time.zip is 'Zip';
comment on column reporting.signatures_by_time.sheet is 'Sheet';
comment on column reporting.signatures_by_time.line is 'Line';
comment on column reporting.signatures_by_time.signed_on is 'Signed on';
comment on column reporting.signatures_by_time.entered_by is 'Entered by (id)';
comment on column reporting.signatures_by_time.entered_at is 'Entered at';

create view reporting.rejected_lines with (security_invoker = true) as
select r.id, r.team_id, r.campaign_id, r.verdict, r.sheet, r.line, r.voter_id, r.note,
  (r.entered_at at time zone t.time_zone)::date as day, r.entered_by, r.entered_at
from public.rejected_lines r
join public.teams t on t.id = r.team_id
where r.removed_at is null;
comment on view reporting.rejected_lines is 'Rejected lines: lines that were keyed and do not count, with the verdict.';
comment on column reporting.rejected_lines.id is 'Line id';
comment on column reporting.rejected_lines.team_id is 'Team';
comment on column reporting.rejected_lines.campaign_id is 'Campaign';
comment on column reporting.rejected_lines.verdict is 'Verdict';
comment on column reporting.rejected_lines.sheet is 'Sheet';
comment on column reporting.rejected_lines.line is 'Line';
comment on column reporting.rejected_lines.voter_id is 'Voter id';
comment on column reporting.rejected_lines.note is 'Note';
comment on column reporting.rejected_lines.day is 'Day of entry';
comment on column reporting.rejected_lines.entered_by is 'Entered by (id)';
comment on column reporting.rejected_lines.entered_at is 'Entered at';

create view reporting.clerk_work with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, p.name as clerk, l.verdict, l.verdict = 'accepted' as accepted,
  w.at::date as day, date_trunc('week', w.at)::date as week, extract(hour from w.at)::int as hour,
  l.sheet, l.line, l.entered_by, l.entered_at
from (
  select s.id, s.team_id, s.campaign_id, 'accepted' as verdict, s.sheet, s.line, s.entered_by, s.entered_at
  from public.signatures s
  where s.removed_at is null
  union all
  select r.id, r.team_id, r.campaign_id, r.verdict, r.sheet, r.line, r.entered_by, r.entered_at
  from public.rejected_lines r
  where r.removed_at is null
) l
join public.teams t on t.id = l.team_id
left join public.profiles p on p.user_id = l.entered_by
cross join lateral (select l.entered_at at time zone t.time_zone as at) w;
comment on view reporting.clerk_work is
  'Clerks'' work: every line that was keyed, accepted or rejected, and by whom; times in the team''s time zone.';
comment on column reporting.clerk_work.id is 'Line id';
comment on column reporting.clerk_work.team_id is 'Team';
comment on column reporting.clerk_work.campaign_id is 'Campaign';
comment on column reporting.clerk_work.clerk is 'Clerk';
comment on column reporting.clerk_work.verdict is 'Verdict, or accepted';
comment on column reporting.clerk_work.accepted is 'Accepted';
comment on column reporting.clerk_work.day is 'Day of entry';
comment on column reporting.clerk_work.week is 'Week of entry (its Monday)';
comment on column reporting.clerk_work.hour is 'Hour of entry (0 to 23)';
comment on column reporting.clerk_work.sheet is 'Sheet';
comment on column reporting.clerk_work.line is 'Line';
comment on column reporting.clerk_work.entered_by is 'Clerk (id)';
comment on column reporting.clerk_work.entered_at is 'Entered at';
