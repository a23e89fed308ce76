-- Counts of lines, kept in the transaction that changes lines, so that no screen counts a million of them. Lines that aren't
-- removed count: `entered` those that aren't blank, and of these `accepted` and `duplicates`.

-- Three counts of the same lines: by sheet, by sheet and quarter of an hour (quarters add up to days in every time zone), and
-- by county. All but the first are by clerk, and so are lines on no sheet, so that clerks don't wait for each other. The
-- circulator comes from the sheet.
create table private.line_counts (
  campaign_id text not null,
  per text not null check (per in ('sheet', 'quarter', 'county')),
  team_id text not null,
  entered_by uuid,
  sheet int,
  quarter timestamptz,
  county text,
  entered int not null,
  accepted int not null,
  duplicates int not null,
  blank int not null,
  unique nulls not distinct (campaign_id, per, team_id, entered_by, sheet, quarter, county)
) with (fillfactor = 70);
alter table private.line_counts enable row level security;
create index line_counts_quarter on private.line_counts (campaign_id, team_id, quarter) where per = 'quarter';

-- Duplicates whose voter has no accepted line.
create table private.freed_duplicates (
  line_id uuid primary key,
  campaign_id text not null,
  team_id text not null,
  voter_id text collate "C" not null
);
alter table private.freed_duplicates enable row level security;
create index freed_duplicates_voter on private.freed_duplicates (campaign_id, voter_id);
create index lines_duplicate on public.lines (campaign_id, voter_id) where verdict = 'duplicate' and removed_at is null;
grant select on private.line_counts, private.freed_duplicates to service_role;

-- How many lines a sheet is expected to have: its signatures and the blank lines among them, as far as the paper goes.
create function private.expected_lines(p_signatures int, p_blank bigint, p_lines_per_sheet int) returns int
language sql immutable
return coalesce(greatest(p_signatures, least(p_signatures + p_blank, p_lines_per_sheet)), p_lines_per_sheet);

-- ── Missing lines ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Lines beyond the expected ones are counted, and fill no gap.
create view private.sheet_gaps with (security_invoker = true) as
select s.id, s.team_id, s.campaign_id, e.expected, e.expected - coalesce(n.entered + n.blank, 0) + (
    select count(*) from public.lines l
    where l.team_id = s.team_id and l.campaign_id = s.campaign_id and l.sheet = s.number and l.line > e.expected
      and l.removed_at is null)::int as missing
from public.sheets s
join public.campaigns c on c.id = s.campaign_id
left join private.line_counts n on n.campaign_id = s.campaign_id and n.per = 'sheet' and n.team_id = s.team_id
  and n.entered_by is null and n.sheet = s.number
cross join lateral (
  select private.expected_lines(s.signature_count, coalesce(n.blank, 0), c.lines_per_sheet) as expected) e;
comment on view private.sheet_gaps is 'How many lines each sheet is expected to have, and how many of these are empty.';
grant select on private.sheet_gaps to service_role;

-- ── Keeping them ───────────────────────────────────────────────────────────────────────────────────────────────────

create type private.counted_line as (
  id uuid, campaign_id text, team_id text, entered_by uuid, sheet int, quarter timestamptz, county text, voter_id text,
  entered int, accepted int, duplicates int, blank int
);

-- A line as it counts. p_times is -1 for a line that no longer counts.
create function private.counted_line(p_line public.lines, p_times int) returns private.counted_line
language sql stable
return row(p_line.id, p_line.campaign_id, p_line.team_id, p_line.entered_by, p_line.sheet,
  date_bin('15 minutes', p_line.entered_at, 'epoch'), p_line.county, p_line.voter_id,
  p_times * (p_line.verdict <> 'blank')::int, p_times * (p_line.verdict = 'accepted')::int,
  p_times * (p_line.verdict = 'duplicate')::int, p_times * (p_line.verdict = 'blank')::int)::private.counted_line;

-- In the order of the keys, so that two transactions can't wait for each other.
create function private.add_counts(p_lines private.counted_line[]) returns void
language sql volatile set search_path = ''
as $$
  insert into private.line_counts as c
  select l.campaign_id,
    case 0 when grouping(l.quarter) then 'quarter' when grouping(l.sheet) then 'sheet' else 'county' end,
    l.team_id, coalesce(l.entered_by, l.on_no_sheet), l.sheet, l.quarter, l.county, sum(l.entered), sum(l.accepted),
    sum(l.duplicates), sum(l.blank)
  from (select u.*, case when u.sheet is null then u.entered_by end as on_no_sheet from unnest(p_lines) u) l
  group by l.campaign_id, l.team_id,
    grouping sets ((l.sheet, l.on_no_sheet), (l.quarter, l.entered_by, l.sheet), (l.county, l.entered_by))
  having (sum(l.entered), sum(l.accepted), sum(l.duplicates), sum(l.blank)) <> (0, 0, 0, 0)
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (campaign_id, per, team_id, entered_by, sheet, quarter, county) do update set
    entered = c.entered + excluded.entered, accepted = c.accepted + excluded.accepted,
    duplicates = c.duplicates + excluded.duplicates, blank = c.blank + excluded.blank
$$;

-- Updates the freed duplicates of voters with lines that count now, or no longer count. This transaction has locked these
-- voters (lock_voter).
create function private.update_freed(p_lines private.counted_line[]) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  line record;
begin
  for line in select l.campaign_id, l.voter_id from unnest(p_lines) l where l.voter_id is not null
    group by l.id, l.campaign_id, l.voter_id having sum(l.accepted + l.duplicates) <> 0
  loop
    delete from private.freed_duplicates f where f.campaign_id = line.campaign_id and f.voter_id = line.voter_id;
    insert into private.freed_duplicates
    select d.id, d.campaign_id, d.team_id, d.voter_id from public.lines d
    where d.campaign_id = line.campaign_id and d.voter_id = line.voter_id and d.verdict = 'duplicate'
      and d.removed_at is null and not exists (
        select from public.lines a where a.campaign_id = d.campaign_id and a.voter_id = d.voter_id
          and a.verdict = 'accepted' and a.removed_at is null);
  end loop;
end $$;

-- Runs as its owner: no one else changes counts.
create function private.count_lines() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed private.counted_line[];
begin
  if tg_op = 'TRUNCATE' then
    truncate private.line_counts, private.freed_duplicates;
  elsif tg_op = 'INSERT' then
    changed := array(select private.counted_line(n, 1) from new_lines n where n.removed_at is null);
  elsif tg_op = 'DELETE' then
    changed := array(select private.counted_line(o, -1) from old_lines o where o.removed_at is null);
  else
    changed := array(select private.counted_line(o, -1) from old_lines o where o.removed_at is null
      union all select private.counted_line(n, 1) from new_lines n where n.removed_at is null);
  end if;
  perform private.add_counts(changed), private.update_freed(changed);
  return null;
end $$;
create trigger count_insert after insert on public.lines referencing new table as new_lines
for each statement execute function private.count_lines();
create trigger count_update after update on public.lines referencing old table as old_lines new table as new_lines
for each statement execute function private.count_lines();
create trigger count_delete after delete on public.lines referencing old table as old_lines
for each statement execute function private.count_lines();
create trigger count_truncate after truncate on public.lines
for each statement execute function private.count_lines();

-- ── After changes without triggers ─────────────────────────────────────────────────────────────────────────────────

create function private.recount() returns void
language plpgsql volatile set search_path = ''
as $$
declare
  part private.counted_line[];
begin
  lock table public.lines in share row exclusive mode;
  analyze public.lines; -- a restore has just filled it
  truncate private.line_counts, private.freed_duplicates;
  for part in select array_agg(private.counted_line(l, 1)) from public.lines l where l.removed_at is null
    group by l.stored_number / 20000
  loop
    perform private.add_counts(part);
  end loop;
  insert into private.freed_duplicates
  select d.id, d.campaign_id, d.team_id, d.voter_id from public.lines d
  where d.verdict = 'duplicate' and d.removed_at is null and d.voter_id is not null and not exists (
    select from public.lines a where a.campaign_id = d.campaign_id and a.voter_id = d.voter_id
      and a.verdict = 'accepted' and a.removed_at is null);
end $$;
comment on function private.recount is
  'Recounts all lines: after a restore, or after changes while triggers were disabled. Blocks other changes of lines.';

create function public.wrong_counts() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with
    counts as (
      select c.campaign_id, c.per, sum(c.entered) as entered, sum(c.accepted) as accepted, sum(c.duplicates) as duplicates
      from private.line_counts c group by 1, 2 having sum(c.entered + c.blank) > 0
    ),
    lines as (
      select l.campaign_id, p.per, l.entered, l.accepted, l.duplicates
      from (
        select l.campaign_id, count(*) filter (where l.verdict <> 'blank') as entered,
          count(*) filter (where l.verdict = 'accepted') as accepted,
          count(*) filter (where l.verdict = 'duplicate') as duplicates
        from public.lines l where l.removed_at is null group by 1) l
      cross join (values ('sheet'), ('quarter'), ('county')) p (per)
    )
  select coalesce(jsonb_agg(distinct w.campaign_id), '[]')
  from ((table counts except table lines) union (table lines except table counts)) w
$$;
comment on function public.wrong_counts is
  'The ids of campaigns whose counts differ from their lines: none, unless triggers were disabled. Reads all lines.';
