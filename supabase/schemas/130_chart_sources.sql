-- What charts may read: the views of schema `reporting`, and nothing else. Adding a chart source is adding a view here
-- that has team_id and campaign_id. The comments are the words that the builder shows: of a view "Label: description",
-- of a column its label.

-- The views read with the rights of who asks, which is the service role.
create view reporting.signatures with (security_invoker = true) as
select s.id, s.team_id, s.campaign_id, s.voter_id, s.first_name, s.last_name, s.city, s.county, s.zip, s.sheet, s.line,
  s.signed_on, s.entered_by, s.entered_at
from public.lines s
where s.verdict = 'accepted' and s.removed_at is null;
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
from public.lines s
join public.teams t on t.id = s.team_id
cross join lateral (select s.entered_at at time zone t.time_zone as at) l
where s.verdict = 'accepted' and s.removed_at is null;
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

create view reporting.lines with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, l.verdict, h.circulator, l.sheet, l.line, l.voter_id, l.first_name, l.last_name,
  l.city, l.county, l.zip, l.signed_on, l.note, (l.entered_at at time zone t.time_zone)::date as day, l.entered_by,
  l.entered_at
from public.lines l
join public.teams t on t.id = l.team_id
left join public.sheets h on h.team_id = l.team_id and h.campaign_id = l.campaign_id and h.number = l.sheet
where l.verdict <> 'blank' and l.removed_at is null;
comment on view reporting.lines is 'Lines: every line that was keyed, accepted or rejected, with the verdict and the circulator.';
comment on column reporting.lines.id is 'Line id';
comment on column reporting.lines.team_id is 'Team';
comment on column reporting.lines.campaign_id is 'Campaign';
comment on column reporting.lines.verdict is 'Verdict, or accepted';
comment on column reporting.lines.circulator is 'Circulator';
comment on column reporting.lines.sheet is 'Sheet';
comment on column reporting.lines.line is 'Line';
comment on column reporting.lines.voter_id is 'Voter id';
comment on column reporting.lines.first_name is 'First name';
comment on column reporting.lines.last_name is 'Last name';
comment on column reporting.lines.city is 'City';
comment on column reporting.lines.county is 'County';
comment on column reporting.lines.zip is 'Zip';
comment on column reporting.lines.signed_on is 'Signed on';
comment on column reporting.lines.note is 'Note';
comment on column reporting.lines.day is 'Day of entry';
comment on column reporting.lines.entered_by is 'Entered by (id)';
comment on column reporting.lines.entered_at is 'Entered at';

create view reporting.clerk_work with (security_invoker = true) as
select l.id, l.team_id, l.campaign_id, p.name as clerk, l.verdict, l.verdict = 'accepted' as accepted,
  w.at::date as day, date_trunc('week', w.at)::date as week, extract(hour from w.at)::int as hour,
  l.sheet, l.line, l.entered_by, l.entered_at
from public.lines l
join public.teams t on t.id = l.team_id
left join public.profiles p on p.user_id = l.entered_by
cross join lateral (select l.entered_at at time zone t.time_zone as at) w
where l.verdict <> 'blank' and l.removed_at is null;
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
