-- The lines of petition sheets, valid or not, and the sheets. The unique indexes decide who has signed and which line is
-- taken. Redis's set of signers is faster, and follows through the pending changes in signer_changes (120_signers.sql).

create table public.sheets (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  number int not null check (number > 0),
  circulator text check (length(circulator) between 1 and 200),
  collected_on date check (collected_on >= '2000-01-01'),
  signature_count int check (signature_count between 0 and 1000),
  opened_by uuid,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (team_id, campaign_id, number)
);
comment on table public.sheets is 'Petition sheets that a team enters.';
comment on column public.sheets.circulator is 'Who collected the signatures.';
comment on column public.sheets.signature_count is 'How many signatures are on the sheet, entered or not.';
comment on column public.sheets.opened_by is
  'Who opened it last: started, resumed or reopened it. No foreign key: it outlives the account.';
create index sheets_campaign on public.sheets (campaign_id);
create index sheets_open on public.sheets (campaign_id, team_id) where closed_at is null;
create index sheets_circulator on public.sheets (team_id, campaign_id, circulator);
alter table public.sheets enable row level security;

create function private.is_verdict(p_text text) returns boolean
language sql immutable
return p_text in (
  'accepted', 'duplicate', 'not-found', 'illegible', 'not-registered', 'out-of-district', 'outside-dates', 'other',
  'wrong-address', 'blank');
comment on function private.is_verdict is 'Whether a line can have this verdict.';

create table public.lines (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  sheet int check (sheet > 0),
  line int check (line > 0),
  verdict text not null check (private.is_verdict(verdict)),
  voter_id text collate "C" check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text check (length(first_name) <= 200),
  last_name text check (length(last_name) <= 200),
  address text check (length(address) <= 200),
  city text check (length(city) <= 200),
  county text check (length(county) <= 200),
  zip text check (length(zip) <= 200),
  signed_on date,
  note text check (length(note) <= 500),
  entered_by uuid,
  entered_at timestamptz not null default now(),
  removed_at timestamptz,
  removed_by uuid,
  removed_because text check (length(removed_because) <= 500),
  change_number bigint,
  stored_number bigint generated always as identity,
  replaces uuid,
  constraint lines_accepted_voter check (verdict <> 'accepted' or voter_id is not null),
  constraint lines_blank_voter check (verdict <> 'blank' or voter_id is null),
  constraint lines_change_number check ((verdict = 'accepted') = (change_number is not null))
);
comment on table public.lines is
  'The lines of sheets. A removed line stays, with removed_at; the accepted ones of the others count.';
comment on column public.lines.id is 'Made by the client, so that a line sent again is the same line.';
comment on column public.lines.verdict is
  '`accepted`, or why it isn''t valid. A `blank` line isn''t counted.';
comment on column public.lines.entered_by is 'No foreign key: it outlives the account.';
comment on column public.lines.change_number is
  'Of accepted lines: rises with each change of who has signed. For one voter in one campaign the numbers rise in the '
  'order of the commits.';
comment on column public.lines.replaces is 'The removed line that this one corrects.';
comment on column public.lines.stored_number is 'Rises as lines are stored, whenever they were entered.';
-- One accepted line for a voter in a campaign, across teams. Also pages through the signers of a campaign.
create unique index lines_signer on public.lines (campaign_id, voter_id) where verdict = 'accepted' and removed_at is null;
create index lines_removed_signer on public.lines (campaign_id, voter_id)
  where verdict = 'accepted' and removed_at is not null;
-- One live line in a place; lines without both numbers have none.
create unique index lines_place on public.lines (team_id, campaign_id, sheet, line) include (verdict)
  where removed_at is null;
create index lines_sheet on public.lines (team_id, campaign_id, sheet);
create index lines_signed_on on public.lines (team_id, campaign_id, signed_on)
  where verdict = 'accepted' and removed_at is null;
create index lines_verdict on public.lines (campaign_id, team_id, verdict)
  where verdict <> 'accepted' and removed_at is null;
create index lines_stored on public.lines (campaign_id, stored_number);
create index lines_clerk on public.lines (team_id, campaign_id, entered_by, entered_at);
create index lines_replaces on public.lines (replaces) where replaces is not null;
alter table public.lines enable row level security;

create function private.refuse_line_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (old.id, old.team_id, old.campaign_id, old.verdict) = (new.id, new.team_id, new.campaign_id, new.verdict)
    and private.is_erased(new.campaign_id)
  then
    return new; -- its voter is erased
  end if;
  raise exception 'The campaign, voter and verdict of a line never change: remove it and enter it again.'
    using errcode = 'check_violation';
end $$;
create trigger refuse_line_change before update on public.lines
for each row when (
  (old.id, old.team_id, old.campaign_id, old.verdict, old.voter_id)
  is distinct from (new.id, new.team_id, new.campaign_id, new.verdict, new.voter_id))
execute function private.refuse_line_change();

-- ── Helpers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- When a line was entered, which can be days before it is sent. A wrong clock is ignored.
create function private.entry_time(p_at timestamptz) returns timestamptz
language sql stable
return case when p_at between now() - interval '7 days' and now() then p_at else now() end;

-- What a team may see of voters who have signed. Of another team's line, only that it exists.
create function public.already_signed(p_team_id text, p_campaign_id text, p_voter_ids text[]) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(s.voter_id,
      case when s.team_id <> p_team_id then '{"ownTeam": false}'::jsonb
      else jsonb_strip_nulls(jsonb_build_object('ownTeam', true, 'signedOn', s.signed_on,
        'enteredAt', private.utc(s.entered_at), 'enteredBy', p.name, 'sheet', s.sheet, 'line', s.line)) end), '{}')
    from public.lines s
    left join public.profiles p on p.user_id = s.entered_by
    where s.campaign_id = p_campaign_id and s.voter_id = any (p_voter_ids)
      and s.verdict = 'accepted' and s.removed_at is null
  );
end $$;
comment on function public.already_signed is
  'For each of the voters with a live line in the campaign: { ownTeam, signedOn?, enteredAt?, enteredBy?, sheet?, line? }, '
  'only ownTeam for a line of another team. Guard first.';

-- ── Lines ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A line as lib/signatures/line.ts reads it.
create function private.line_json(p_line public.lines, p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('id', p_line.id, 'sheet', p_line.sheet, 'line', p_line.line, 'verdict', p_line.verdict,
    'voterId', p_line.voter_id, 'firstName', p_line.first_name, 'lastName', p_line.last_name, 'address', p_line.address,
    'city', p_line.city, 'county', p_line.county, 'zip', p_line.zip, 'signedOn', p_line.signed_on, 'note', p_line.note,
    'enteredBy', (select p.name from public.profiles p where p.user_id = p_line.entered_by),
    'mine', p_line.entered_by is not distinct from p_actor_id, 'enteredAt', private.utc(p_line.entered_at),
    'removedAt', private.utc(p_line.removed_at))
$$;

-- Why a line can't be stored in this place, or null. Without a verdict its date isn't checked.
create function private.line_refusal(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_sheet int, p_line int, p_verdict text, p_signed_on date
) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select case
      when c.archived_at is not null then '{"outcome": "archived"}'
      when l.id is not null then jsonb_build_object('outcome', 'line-taken', 'taken', private.line_json(l, p_actor_id),
        'timeZone', t.time_zone, 'locale', t.locale)
      when p_verdict = 'accepted' and (p_signed_on < c.starts_on or p_signed_on > c.ends_on) then
        jsonb_build_object('outcome', 'outside-dates', 'signedOn', p_signed_on, 'startsOn', c.starts_on,
          'endsOn', c.ends_on, 'timeZone', t.time_zone, 'locale', t.locale)
    end
    from public.campaigns c
    join public.teams t on t.id = p_team_id
    left join public.lines l on l.team_id = t.id and l.campaign_id = c.id and l.sheet = p_sheet and l.line = p_line
      and l.removed_at is null
    where c.id = p_campaign_id
  );
end $$;

-- Starts the sheet of a line if it is missing, and locks it against deletion until this transaction ends. Call it last, so
-- that a transaction that waits for a sheet has locked no other one.
create function private.ensure_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  while p_number is not null loop
    perform from public.sheets s
    where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number for key share;
    exit when found;
    insert into public.sheets (team_id, campaign_id, number, opened_by)
    values (p_team_id, p_campaign_id, p_number, p_actor_id) on conflict do nothing;
  end loop;
end $$;

create function public.record_line(p_actor_id uuid, p_line jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  team text := p_line ->> 'team';
  campaign text := p_line ->> 'campaign';
  voter text := p_line ->> 'voterId';
  sent_verdict text := p_line ->> 'verdict';
  stored public.lines;
  corrected public.lines;
  sheet_entered int;
  line_entered int;
  refusal jsonb;
  was_stored boolean := true;
begin
  if not private.has_key(p_actor_id, team, campaign, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  loop
    -- In this order, otherwise the same line, stored by another request in between, would be refused.
    refusal := private.line_refusal(p_actor_id, team, campaign, (p_line ->> 'sheet')::int, (p_line ->> 'line')::int,
      sent_verdict, (p_line ->> 'signedOn')::date);
    select * into stored from public.lines l where l.id = (p_line ->> 'id')::uuid;
    exit when found;
    if refusal is not null then
      return refusal;
    end if;
    select * into corrected from public.lines o where o.id = (p_line ->> 'replaces')::uuid and o.team_id = team
      and o.campaign_id = campaign and o.removed_by = p_actor_id
      and not exists (select from public.lines n where n.replaces = o.id);
    insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, address, city,
      county, zip, signed_on, note, entered_by, entered_at, replaces)
    values ((p_line ->> 'id')::uuid, team, campaign, (p_line ->> 'sheet')::int, (p_line ->> 'line')::int,
      case when sent_verdict = 'accepted' and exists (select from public.lines l where l.campaign_id = campaign
        and l.voter_id = voter and l.verdict = 'accepted' and l.removed_at is null) then 'duplicate' else sent_verdict end,
      voter, p_line ->> 'firstName', p_line ->> 'lastName', p_line ->> 'address', p_line ->> 'city', p_line ->> 'county',
      p_line ->> 'zip', (p_line ->> 'signedOn')::date, p_line ->> 'note', p_actor_id,
      case when corrected.entered_by = p_actor_id then corrected.entered_at
        else private.entry_time((p_line ->> 'enteredAt')::timestamptz) end, corrected.id)
    on conflict do nothing -- another request took the id, the place or the voter: check again
    returning * into stored;
    was_stored := not found;
    exit when found;
  end loop;

  if not was_stored then
    perform private.ensure_sheet(p_actor_id, team, campaign, stored.sheet);
  end if;
  -- Compares with the place where it was entered, as it may have been moved since.
  select c.sheet_before, c.line_before into sheet_entered, line_entered
  from public.line_changes c where c.line_id = stored.id and c.kind = 'moved' order by c.id limit 1;
  if not found then
    sheet_entered := stored.sheet;
    line_entered := stored.line;
  end if;
  if (stored.team_id, stored.campaign_id, stored.entered_by, sheet_entered, line_entered, stored.voter_id,
      stored.first_name, stored.last_name, stored.address, stored.city, stored.county, stored.zip, stored.signed_on,
      stored.note)
    is distinct from (team, campaign, p_actor_id, (p_line ->> 'sheet')::int, (p_line ->> 'line')::int, voter collate "C",
      p_line ->> 'firstName', p_line ->> 'lastName', p_line ->> 'address', p_line ->> 'city', p_line ->> 'county',
      p_line ->> 'zip', (p_line ->> 'signedOn')::date, p_line ->> 'note')
    or stored.verdict <> sent_verdict and (sent_verdict, stored.verdict) <> ('accepted', 'duplicate')
  then
    return jsonb_strip_nulls(jsonb_build_object('outcome', 'id-taken', 'by',
      case when (stored.team_id, stored.campaign_id) = (team, campaign) then
        jsonb_build_object('sheet', stored.sheet, 'line', stored.line) end));
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'outcome', case when stored.removed_at is not null then 'removed'
      when sent_verdict = 'accepted' then stored.verdict else 'rejected' end,
    'voterId', stored.voter_id, 'changeNumber', stored.change_number, 'enteredAt', private.utc(stored.entered_at),
    'unchanged', was_stored, 'of', case when stored.removed_at is null and sent_verdict = 'accepted' and stored.verdict = 'duplicate'
      then public.already_signed(team, campaign, array[voter]) -> voter end));
end $$;
comment on function public.record_line is
  'Stores a line { id, team, campaign, sheet, line, verdict, voterId, firstName, lastName, address, city, county, zip, '
  'signedOn, note, enteredAt?, replaces? } for an actor with signatures.enter, once however often it is sent. `replaces` is the '
  'line it corrects, which the actor has removed, and whose time it keeps if they entered that too. Starts a missing sheet. A '
  'voter''s second line is stored as a duplicate. Returns { outcome: accepted | duplicate | rejected | removed, '
  'voterId?, changeNumber?, enteredAt, unchanged, of? }: `unchanged` if it was stored before, `of` as in already_signed. Otherwise '
  'stores nothing and returns { outcome: not-allowed | id-taken | archived | line-taken | outside-dates, by?, taken?, '
  'signedOn?, startsOn?, endsOn?, timeZone?, locale? }: an id is taken when another line has it, at `by` { sheet, line } if '
  'that is in this campaign of the team; `taken` is the line in its place, as private.line_json has it.';

create function public.lines_outside_dates(p_team_id text, p_campaign_id text, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  with outside as materialized (
    select l.id, l.sheet, l.line, l.signed_on
    from public.campaigns c
    join public.lines l on l.team_id = p_team_id and l.campaign_id = c.id and l.verdict = 'accepted'
      and l.removed_at is null and (l.signed_on < c.starts_on or l.signed_on > c.ends_on)
    where c.id = p_campaign_id
  )
  select jsonb_build_object('count', (select count(*) from outside), 'lines', (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', l.id, 'sheet', l.sheet, 'line', l.line, 'signedOn', l.signed_on)
      order by l.sheet, l.line, l.id), '[]')
    from (select * from outside order by sheet, line, id limit p_limit) l))
$$;
comment on function public.lines_outside_dates is
  'Accepted lines of a team that were signed outside the campaign''s dates, which changed after they were entered: how '
  'many, and the first p_limit of them. Guard first.';

-- ── Sheets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.is_archived(p_campaign_id text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from public.campaigns c where c.id = p_campaign_id and c.archived_at is not null)
$$;

-- Deletes a sheet unless it has a line, even a blank one. Returns whether it was deleted.
create function private.delete_empty_sheet(p_team_id text, p_campaign_id text, p_number int) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  -- Waits for transactions that are storing a line on it, so that the line is seen.
  perform from public.sheets s
  where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number for update;
  if exists (select from public.lines l
    where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = p_number and l.removed_at is null)
  then
    return false;
  end if;
  delete from public.sheets where team_id = p_team_id and campaign_id = p_campaign_id and number = p_number;
  return true;
end $$;

create function private.sheet_json(p_sheet public.sheets, p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with
    live as (
      select l.line, l.entered_by, l.verdict <> 'blank' as counts from public.lines l
      where l.team_id = p_sheet.team_id and l.campaign_id = p_sheet.campaign_id and l.sheet = p_sheet.number
        and l.removed_at is null
    ),
    clerks as (select l.entered_by, count(*) as lines from live l where l.counts group by 1)
  select jsonb_build_object(
    'number', p_sheet.number,
    'circulator', p_sheet.circulator,
    'collectedOn', p_sheet.collected_on,
    'signatureCount', p_sheet.signature_count,
    'openedBy', (select p.name from public.profiles p where p.user_id = p_sheet.opened_by),
    'mine', p_sheet.opened_by is not distinct from p_actor_id,
    'openedAt', private.utc(p_sheet.opened_at),
    'closedAt', private.utc(p_sheet.closed_at),
    'lines', (select count(*) from live l where l.counts),
    'nextLine', (
      select min(o.line) from (select 1 as line union all select l.line + 1 from live l) o
      where not exists (select from live l where l.line = o.line)),
    'clerks', (
      select coalesce(jsonb_agg(
        jsonb_build_object('name', p.name, 'mine', c.entered_by is not distinct from p_actor_id, 'lines', c.lines)
        order by c.lines desc, p.name, c.entered_by), '[]')
      from clerks c left join public.profiles p on p.user_id = c.entered_by))
$$;
comment on function private.sheet_json is
  'A sheet { number, circulator, collectedOn, signatureCount, openedBy, mine, openedAt, closedAt, lines, nextLine, clerks: '
  '[{ name, mine, lines }] }: `nextLine` is the first empty one, `clerks` are those who entered its live lines, without blank ones.';

-- Opening and renumbering sheets happens one at a time in a campaign of a team.
create function private.lock_sheets(p_team_id text, p_campaign_id text) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('sheets:' || p_team_id || ':' || p_campaign_id, 0))
$$;

-- Sets what is written on a sheet: the given keys, null too.
create function private.set_sheet_details(p_sheet public.sheets, p_details jsonb) returns public.sheets
language sql volatile set search_path = ''
as $$
  update public.sheets s set
    circulator = case when p_details ? 'circulator' then p_details ->> 'circulator' else s.circulator end,
    collected_on = case when p_details ? 'collectedOn' then (p_details ->> 'collectedOn')::date else s.collected_on end,
    signature_count =
      case when p_details ? 'signatureCount' then (p_details ->> 'signatureCount')::int else s.signature_count end
  where s.id = p_sheet.id
  returning s.*
$$;

create function public.open_sheet(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int default null, p_details jsonb default null,
  p_reopen boolean default false
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  opened public.sheets;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_archived(p_campaign_id) then
    return '{"outcome": "archived"}';
  end if;
  -- Two people who start a sheet at once get two numbers.
  perform private.lock_sheets(p_team_id, p_campaign_id);
  -- Not the actor's own: their opening and closing may be sent twice.
  if not p_reopen and exists (select from public.sheets s
    where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number
      and s.closed_at is not null and s.opened_by is distinct from p_actor_id)
  then
    return '{"outcome": "sheet-closed"}';
  end if;
  loop
    insert into public.sheets as s (team_id, campaign_id, number, opened_by)
    values (p_team_id, p_campaign_id, coalesce(p_number, (
      select coalesce(max(o.number), 0) + 1 from public.sheets o
      where o.team_id = p_team_id and o.campaign_id = p_campaign_id)), p_actor_id)
    on conflict (team_id, campaign_id, number) do update
      set opened_by = excluded.opened_by, closed_at = null,
        opened_at = case when s.closed_at is null then s.opened_at else excluded.opened_at end
      where p_number is not null
    returning * into opened;
    exit when found; -- otherwise someone's first line has just started the sheet with that number
  end loop;
  if p_details is not null then
    opened := private.set_sheet_details(opened, p_details);
  end if;
  return jsonb_build_object('outcome', 'opened', 'sheet', private.sheet_json(opened, p_actor_id));
end $$;
comment on function public.open_sheet is
  'Starts the next sheet, or the one with this number: an existing one is resumed, a closed one reopened, someone else''s only '
  'with p_reopen. p_details { circulator?, collectedOn?, signatureCount? } is what is written on it. Returns { outcome: '
  'opened | sheet-closed | not-allowed | archived, sheet? }, the sheet as private.sheet_json has it.';

create function public.save_sheet_details(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int, p_details jsonb
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  saved public.sheets;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_archived(p_campaign_id) then
    return '{"outcome": "archived"}';
  end if;
  select * into saved from public.sheets s
  where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number;
  if not found then
    return '{"outcome": "not-found"}';
  end if;
  saved := private.set_sheet_details(saved, p_details);
  return jsonb_build_object('outcome', 'saved', 'sheet', private.sheet_json(saved, p_actor_id));
end $$;
comment on function public.save_sheet_details is
  'Saves what is written on a sheet, open or closed, and doesn''t change opened_by. Returns { outcome: '
  'saved | not-allowed | not-found | archived, sheet? }.';

create function public.close_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  closed public.sheets;
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  update public.sheets set closed_at = coalesce(closed_at, now())
  where team_id = p_team_id and campaign_id = p_campaign_id and number = p_number
  returning * into closed;
  if not found then
    return '{"outcome": "not-found"}';
  end if;
  return jsonb_build_object('outcome', 'closed', 'sheet', private.sheet_json(closed, p_actor_id));
end $$;
comment on function public.close_sheet is
  'Closes a sheet. Returns { outcome: closed | not-allowed | not-found, sheet? }, the sheet as open_sheet has it.';

create function public.delete_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns jsonb
language plpgsql set search_path = ''
as $$
begin
  if not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  if not exists (select from public.sheets s
    where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_number)
  then
    return '{"outcome": "not-found"}';
  end if;
  return jsonb_build_object('outcome',
    case when private.delete_empty_sheet(p_team_id, p_campaign_id, p_number) then 'deleted' else 'not-empty' end);
end $$;
comment on function public.delete_sheet is
  'Deletes a sheet without lines; removed lines keep its number. Returns { outcome: deleted | not-empty | '
  'not-found | not-allowed }.';
