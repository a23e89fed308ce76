-- The quality check: a random sample of entered lines, each entered a second time by a clerk who doesn't see the first entry.

create table public.quality_lines (
  line_id uuid primary key,
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  drawn_from text not null check (drawn_from in ('campaign', 'clerk', 'sheet')),
  drawn_by uuid not null,
  drawn_at timestamptz not null default now(),
  second_by uuid,
  taken_at timestamptz,
  entered_at timestamptz,
  verdict text check (private.is_verdict(verdict) and verdict <> 'duplicate'),
  voter_id text collate "C" check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text check (length(first_name) <= 200),
  last_name text check (length(last_name) <= 200),
  address text check (length(address) <= 200),
  note text check (length(note) <= 500),
  differs boolean,
  right_entry text check (right_entry in ('first', 'second', 'neither')),
  settled_by uuid,
  settled_at timestamptz,
  constraint quality_lines_entered check ((entered_at is null) = (verdict is null) and (verdict is null) = (differs is null)),
  constraint quality_lines_voter check ((verdict is not distinct from 'accepted') = (voter_id is not null)),
  constraint quality_lines_settled check (right_entry is null or differs)
);
comment on table public.quality_lines is
  'Lines drawn for the quality check, with their second entry. No foreign keys to lines and people: it outlives them.';
comment on column public.quality_lines.drawn_from is
  'Only lines drawn from the whole campaign show its error rate.';
comment on column public.quality_lines.second_by is
  'Who has the line for the second entry, since `taken_at`, or has entered it.';
comment on column public.quality_lines.differs is
  'Whether the two entries have another verdict or voter; which one is right is `right_entry`, once it is settled.';
create index quality_lines_campaign on public.quality_lines (campaign_id, team_id);
create index quality_lines_team on public.quality_lines (team_id);
alter table public.quality_lines enable row level security;
revoke delete on public.quality_lines from service_role;

-- Random lines on the sheets of a team, without reading all: each line that counts is as likely as any other. Twice as many
-- random numbers from 1 to their count each fall on a sheet, and on a line of it.
create function private.random_lines(p_team_id text, p_campaign_id text, p_size int) returns setof uuid
language sql volatile set search_path = ''
as $$
  with sheets as materialized (
    select c.sheet, sum(c.entered + c.blank) over (order by c.sheet) - c.entered - c.blank as before,
      sum(c.entered + c.blank) over () as total
    from private.line_counts c
    where c.campaign_id = p_campaign_id and c.per = 'sheet' and c.team_id = p_team_id and c.entered_by is null
      and c.entered + c.blank > 0
  ), picked as (
    select distinct floor(random() * t.total) as at
    from (select s.total from sheets s limit 1) t, generate_series(1, 2 * p_size)
  ), placed as (
    select u.at, max(u.sheet) over sheets_before as sheet, max(u.before) over sheets_before as before
    from (
      select s.sheet, s.before, s.before as place, null as at from sheets s
      union all select null, null, p.at, p.at from picked p) u
    window sheets_before as (order by u.place, u.at nulls first)
  )
  select l.id
  from placed p
  cross join lateral (
    select l.id, l.line from public.lines l
    where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = p.sheet and l.removed_at is null
    order by l.line offset p.at - p.before limit 1) l
  where p.at is not null and l.line is not null
    and not exists (select from public.quality_lines q where q.line_id = l.id)
  order by random() limit p_size
$$;

create function public.draw_quality_lines(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_sheet int, p_clerk uuid, p_size int
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  drawn int;
  chosen uuid[];
begin
  -- One draw at a time, so that two don't wait for each other's lines.
  perform pg_advisory_xact_lock(hashtextextended('quality:' || p_team_id || ':' || p_campaign_id, 0));
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove') then
    return '{"outcome": "not-allowed"}';
  end if;
  p_size := least(p_size, 500);
  if p_sheet is null and p_clerk is null then
    chosen := array(select private.random_lines(p_team_id, p_campaign_id, p_size));
  end if;
  if cardinality(chosen) = p_size is not true then -- few are left, or they are of a sheet or a clerk
    chosen := array(
      select l.id from public.lines l
      where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.removed_at is null
        and l.sheet is not null and l.line is not null
        and (p_sheet is null or l.sheet = p_sheet) and (p_clerk is null or l.entered_by = p_clerk)
        and not exists (select from public.quality_lines q where q.line_id = l.id)
      order by random() limit p_size);
  end if;
  insert into public.quality_lines (line_id, team_id, campaign_id, drawn_from, drawn_by)
  select id, p_team_id, p_campaign_id,
    case when p_sheet is not null then 'sheet' when p_clerk is not null then 'clerk' else 'campaign' end, p_actor_id
  from unnest(chosen) id;
  get diagnostics drawn = row_count;
  return jsonb_build_object('outcome', case when drawn = 0 then 'none-left' else 'drawn' end, 'lines', drawn);
end $$;
comment on function public.draw_quality_lines is
  'Draws at most p_size lines at random, of a sheet, a clerk or both, that weren''t drawn before, for a person with '
  'signatures.remove. Returns { outcome: drawn | none-left | not-allowed, lines? }.';

create function public.take_quality_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_skip uuid, p_again uuid default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  taken record;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if p_again is not null then
    update public.quality_lines set taken_at = now(), entered_at = null, verdict = null, voter_id = null, first_name = null,
      last_name = null, address = null, note = null, differs = null
    where line_id = p_again and team_id = p_team_id and campaign_id = p_campaign_id and second_by = p_actor_id
      and entered_at > now() - interval '15 minutes' and right_entry is null;
    if not found then
      return '{"outcome": "final"}';
    end if;
  end if;
  update public.quality_lines set second_by = null
  where line_id = p_skip and second_by = p_actor_id and entered_at is null;
  select q.line_id as id, l.sheet, l.line into taken
  from public.quality_lines q
  join public.lines l on l.id = q.line_id and l.removed_at is null and l.entered_by is distinct from p_actor_id
  where q.team_id = p_team_id and q.campaign_id = p_campaign_id and q.entered_at is null
    and (q.second_by is null or q.second_by = p_actor_id or q.taken_at < now() - interval '15 minutes')
  order by q.second_by is not distinct from p_actor_id desc, q.taken_at nulls first, l.sheet, l.line
  limit 1 for update of q skip locked;
  if not found then
    return '{"outcome": "none"}';
  end if;
  update public.quality_lines set second_by = p_actor_id, taken_at = now() where line_id = taken.id;
  return jsonb_build_object('outcome', 'taken', 'line', to_jsonb(taken));
end $$;
comment on function public.take_quality_line is
  'Gives a person with signatures.enter a drawn line that someone else entered, for 15 minutes: the one they have already, '
  'unless it is p_skip, and those that were skipped last. With p_again takes their own second entry of that line back, for 15 '
  'minutes and until it is settled. Returns { outcome: taken | none | final | not-allowed, line?: { id, sheet, line } }.';

create function public.enter_quality_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_entry jsonb
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  stored public.quality_lines;
begin
  select * into stored from public.quality_lines q
  where q.line_id = p_id and q.team_id = p_team_id and q.campaign_id = p_campaign_id for update;
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if stored.second_by is distinct from p_actor_id or stored.line_id is null then
    return '{"outcome": "not-theirs"}';
  end if;
  if stored.entered_at is null then
    update public.quality_lines q set entered_at = now(), verdict = p_entry ->> 'verdict', voter_id = p_entry ->> 'voterId',
      first_name = p_entry ->> 'firstName', last_name = p_entry ->> 'lastName', address = p_entry ->> 'address', note = p_entry ->> 'note',
      -- A duplicate is valid on paper.
      differs = case l.verdict when 'duplicate' then 'accepted' else l.verdict end <> p_entry ->> 'verdict'
        or coalesce(p_entry ->> 'verdict' = 'accepted' and l.voter_id <> p_entry ->> 'voterId', false)
    from public.lines l where q.line_id = p_id and l.id = p_id;
    return jsonb_build_object('outcome', case when found then 'entered' else 'not-theirs' end);
  end if;
  return jsonb_build_object('outcome', case when (stored.verdict, stored.voter_id)
    is distinct from (p_entry ->> 'verdict', p_entry ->> 'voterId' collate "C") then 'entered-before' else 'entered' end);
end $$;
comment on function public.enter_quality_line is
  'Stores the second entry { verdict, voterId, firstName, lastName, address, note } of a line for the person who has taken '
  'it. Only take_quality_line takes it back. Returns { outcome: entered | entered-before | not-theirs | not-allowed }.';

create function public.settle_quality_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_right text, p_was text
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  stored public.quality_lines;
begin
  select * into stored from public.quality_lines q
  where q.line_id = p_id and q.team_id = p_team_id and q.campaign_id = p_campaign_id for update;
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove') then
    return '{"outcome": "not-allowed"}';
  end if;
  if exists (select from public.lines l where l.id = p_id and l.entered_by = p_actor_id) then
    return '{"outcome": "own-line"}';
  end if;
  if stored.second_by = p_actor_id then
    return '{"outcome": "own-second"}';
  end if;
  update public.quality_lines q set right_entry = p_right,
    settled_by = case when p_right is not null then p_actor_id end,
    settled_at = case when p_right is not null then now() end
  where q.line_id = stored.line_id and q.differs and q.right_entry is not distinct from p_was
    and (p_was is null or exists (select from public.lines l where l.id = p_id and l.removed_at is null));
  return jsonb_build_object('outcome', case when found then 'settled' else 'not-found' end);
end $$;
comment on function public.settle_quality_line is
  'Says which of two differing entries is right (p_right: first | second | neither; null takes the decision back), for a '
  'person with signatures.remove who made neither entry. `p_was` is the decision that they saw; it can change until the line is '
  'corrected. Returns { outcome: settled | not-found | own-line | own-second | not-allowed }.';

-- Paper doesn't show that a voter has signed another line, so it is looked up, as for a first entry.
create function private.second_verdict(p_second public.quality_lines, p_line public.lines) returns text
language sql stable set search_path = ''
as $$
  select case when p_second.verdict = 'accepted' and exists (
    select from public.lines o
    where o.campaign_id = p_line.campaign_id and o.voter_id = p_second.voter_id and o.verdict = 'accepted' and o.removed_at is null
      and (o.team_id, o.sheet, o.line) is distinct from (p_line.team_id, p_line.sheet, p_line.line))
    then 'duplicate' else p_second.verdict end
$$;

create function public.quality_check(p_team_id text, p_campaign_id text, p_limit int, p_actor_id uuid default null)
returns jsonb
language sql stable set search_path = ''
as $$
  with drawn as materialized (
    select q as q, l as l, q.differs and q.right_entry is distinct from 'first' as wrong
    from public.quality_lines q
    join public.lines l on l.id = q.line_id and (l.removed_at is null or q.entered_at is not null)
    where q.team_id = p_team_id and q.campaign_id = p_campaign_id
  ), for_you as (
    select * from drawn
    where (q).entered_at is null and (l).removed_at is null and (l).entered_by is distinct from p_actor_id
      and ((q).second_by is null or (q).second_by = p_actor_id or (q).taken_at < now() - interval '15 minutes')
  )
  select jsonb_build_object(
    'drawn', (select count(*) from drawn),
    'waiting', (select count(*) from drawn where (q).entered_at is null),
    'forYou', (select count(*) from for_you),
    'sheetsForYou', array(select distinct (l).sheet from for_you order by 1),
    'differing', (select count(*) from drawn where (q).differs),
    'unsettled', (select count(*) from drawn where (q).differs and (q).right_entry is null),
    'rates', (
      select coalesce(jsonb_agg(jsonb_build_object('of', r.of, 'clerk', private.person_json(r.clerk), 'sheet', r.sheet,
        'checked', r.checked, 'errors', r.errors) order by r.of, r.checked desc, r.clerk, r.sheet), '[]')
      from (
        select g.of, g.clerk, g.sheet, count(*) as checked, count(*) filter (where d.wrong) as errors
        from drawn d
        cross join lateral (values
          ('campaign', null::uuid, null::int, (d.q).drawn_from = 'campaign'),
          ('clerk', (d.l).entered_by, null, (d.q).drawn_from <> 'sheet'),
          ('sheet', null, (d.l).sheet, (d.q).drawn_from = 'sheet')) g (of, clerk, sheet, counts)
        where g.counts and (not (d.q).differs or (d.q).right_entry is not null)
        group by 1, 2, 3 order by 1, 4 desc limit 500) r),
    'differences', (
      select coalesce(jsonb_agg(jsonb_build_object('id', (d.l).id, 'sheet', (d.l).sheet, 'line', (d.l).line,
        'right', (d.q).right_entry,
        'first', jsonb_build_object('verdict', (d.l).verdict, 'voterId', (d.l).voter_id, 'firstName', (d.l).first_name,
          'lastName', (d.l).last_name, 'address', (d.l).address, 'note', (d.l).note, 'by', private.person_json((d.l).entered_by)),
        'second', jsonb_build_object('verdict', private.second_verdict(d.q, d.l), 'voterId', (d.q).voter_id, 'firstName', (d.q).first_name,
          'lastName', (d.q).last_name, 'address', (d.q).address, 'note', (d.q).note, 'by', private.person_json((d.q).second_by)))
        order by (d.l).sheet, (d.l).line), '[]')
      from (
        select * from drawn
        where wrong and case when (q).right_entry is null then (q).second_by is distinct from p_actor_id
          else (l).removed_at is null end
        order by (q).entered_at limit p_limit) d))
$$;
comment on function public.quality_check is
  'The quality check of a team''s lines: { drawn, waiting, forYou: those that take_quality_line would give p_actor_id, '
  'sheetsForYou: numbers, differing, unsettled, rates: [{ of: campaign | clerk | sheet, clerk, sheet, checked, errors }], '
  'differences }: the first p_limit that are not settled, or not corrected yet, without unsettled ones that p_actor_id '
  'entered a second time: they may enter them again, blind. A difference counts in `rates` once it is settled. Guard first.';
