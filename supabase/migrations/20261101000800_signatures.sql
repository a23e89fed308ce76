-- Signature lines, the sheets that they stand on, and the lines that did not count. The unique index is the last word on
-- duplicates; Redis's set of signers is the fast one and follows by the notes in signer_changes.

create table public.sheets (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  number int not null check (number > 0),
  opened_by uuid,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (team_id, campaign_id, number)
);
comment on table public.sheets is 'Petition sheets that a team keys.';
comment on column public.sheets.opened_by is
  'Who works on it: who started or resumed it last. No foreign key: kept when her account is gone.';
create index sheets_campaign on public.sheets (campaign_id);
alter table public.sheets enable row level security;
grant select on public.sheets to authenticated;
grant select, insert, update, delete on public.sheets to service_role;

create table public.signatures (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  voter_id text collate "C" not null check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  first_name text check (length(first_name) <= 200),
  last_name text check (length(last_name) <= 200),
  city text check (length(city) <= 200),
  county text check (length(county) <= 200),
  zip text check (length(zip) <= 200),
  sheet int check (sheet > 0),
  line int check (line > 0),
  signed_on date,
  entered_by uuid,
  entered_at timestamptz not null default now(),
  removed_at timestamptz,
  removed_by uuid,
  change_number bigint not null
);
comment on table public.signatures is 'Accepted lines; a removed one stays, with removed_at. Only lines without it count.';
comment on column public.signatures.id is 'Given by the client, so that a line sent again is the same line.';
comment on column public.signatures.entered_by is 'No foreign key: kept when her account is gone.';
comment on column public.signatures.change_number is
  'Rises with each change of who has signed. For one voter in one campaign the numbers rise in the order of the commits.';
-- One live row for a voter in a campaign, whatever the team. Also pages through the signers of a campaign.
create unique index signatures_live on public.signatures (campaign_id, voter_id) where removed_at is null;
create index signatures_removed on public.signatures (campaign_id, voter_id) where removed_at is not null;
-- Totals and days are counted in this index alone.
create index signatures_entered on public.signatures (campaign_id, entered_at) include (team_id) where removed_at is null;
create index signatures_sheet on public.signatures (team_id, campaign_id, sheet, line);
create index signatures_clerk on public.signatures (entered_by, team_id, campaign_id, entered_at);
alter table public.signatures enable row level security;
grant select on public.signatures to authenticated;
grant select, insert, update, delete on public.signatures to service_role;

create table public.rejected_lines (
  id uuid primary key default gen_random_uuid(),
  team_id text not null references public.teams (id),
  campaign_id text not null references public.campaigns (id),
  sheet int check (sheet > 0),
  line int check (line > 0),
  verdict text not null
    check (verdict in ('duplicate', 'not-found', 'illegible', 'not-registered', 'out-of-district', 'other')),
  voter_id text collate "C" check (voter_id ~ '^[\x21-\x7E]{1,64}$'),
  note text check (length(note) <= 500),
  entered_by uuid,
  entered_at timestamptz not null default now(),
  removed_at timestamptz
);
comment on table public.rejected_lines is 'Lines that were keyed and do not count, for the validity rate.';
create index rejected_lines_verdict on public.rejected_lines (campaign_id, team_id, verdict) where removed_at is null;
create index rejected_lines_sheet on public.rejected_lines (team_id, campaign_id, sheet, line);
create index rejected_lines_clerk on public.rejected_lines (entered_by, team_id, campaign_id, entered_at);
alter table public.rejected_lines enable row level security;
grant select on public.rejected_lines to authenticated;
grant select, insert, update, delete on public.rejected_lines to service_role;

create table public.signer_changes (
  id bigint generated always as identity primary key,
  campaign_id text not null,
  voter_id text collate "C",
  change_number bigint not null,
  created_at timestamptz not null default now()
);
comment on table public.signer_changes is
  'Notes of whose membership in the set of signers may have changed. A note is deleted only after Redis holds the truth.';
comment on column public.signer_changes.voter_id is 'Null: the whole campaign is to be built anew.';
create index signer_changes_voter on public.signer_changes (campaign_id, voter_id, change_number);
alter table public.signer_changes enable row level security;

create policy "with signatures.view, or one's own with signatures.enter" on public.sheets for select to authenticated
  using ((team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.view') g)
    or opened_by = (select auth.uid())
      and (team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.enter') g));
create policy "with signatures.view, or one's own with signatures.enter" on public.signatures for select to authenticated
  using ((team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.view') g)
    or entered_by = (select auth.uid())
      and (team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.enter') g));
create policy "with signatures.view, or one's own with signatures.enter" on public.rejected_lines for select to authenticated
  using ((team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.view') g)
    or entered_by = (select auth.uid())
      and (team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.enter') g));

-- ── Numbers and notes, whoever makes the change ────────────────────────────────────────────────────────────────────

create sequence private.signature_changes;

-- The next number for a voter in a campaign. Until the transaction ends nobody else gets one for her, so her numbers rise
-- in the order of the commits. 256 locks and not one a voter: a transaction of many lines would run out of them. It lets
-- clerks wait for its end, and two such at once can deadlock (one is ended): change many lines in small parts.
create function private.next_change_number(p_campaign_id text, p_voter_id text) returns bigint
language plpgsql volatile set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtext('signatures'), hashtext(p_campaign_id || ':' || p_voter_id) & 255);
  return nextval('private.signature_changes');
end $$;
revoke execute on function private.next_change_number from public, anon, authenticated;

-- Runs as its owner, as the next ones do: nobody else may count on or write notes.
create function private.number_signature() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then -- before the row goes: a later line of hers waits here for this one's end
    insert into public.signer_changes (campaign_id, voter_id, change_number)
    values (old.campaign_id, old.voter_id, private.next_change_number(old.campaign_id, old.voter_id));
    return old;
  end if;
  if tg_op = 'UPDATE' and (new.id, new.team_id, new.campaign_id, new.voter_id)
    is distinct from (old.id, old.team_id, old.campaign_id, old.voter_id)
  then
    raise exception 'A line stays with its team, campaign and voter: remove it and enter it anew.'
      using errcode = 'check_violation';
  end if;
  if tg_op = 'INSERT' or (new.removed_at is null) <> (old.removed_at is null) then
    new.change_number := private.next_change_number(new.campaign_id, new.voter_id);
  else
    new.change_number := old.change_number;
  end if;
  return new;
end $$;
revoke execute on function private.number_signature() from public, anon, authenticated;
create trigger number_signature before insert or update or delete on public.signatures
for each row execute function private.number_signature();

create function private.note_signer_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.signer_changes (campaign_id, voter_id, change_number)
  values (new.campaign_id, new.voter_id, new.change_number);
  return null;
end $$;
revoke execute on function private.note_signer_changes() from public, anon, authenticated;
create trigger note_insert after insert on public.signatures
for each row execute function private.note_signer_changes();
create trigger note_update after update on public.signatures
for each row when (old.change_number <> new.change_number) execute function private.note_signer_changes();

-- `truncate` names no rows: each campaign that had lines is built anew.
create function private.note_signer_campaigns() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.signer_changes (campaign_id, change_number)
  select c.campaign_id, nextval('private.signature_changes')
  from (select distinct s.campaign_id from public.signatures s where s.removed_at is null) c;
  return null;
end $$;
revoke execute on function private.note_signer_campaigns() from public, anon, authenticated;
create trigger note_truncate before truncate on public.signatures
for each statement execute function private.note_signer_campaigns();

-- ── Helpers ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- In plpgsql, whose plans are kept: planning the access rules takes eight times as long as asking them.
create function private.holds(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(bool_or(g.rule = 5) and bool_or(g.key = p_key), false)
    from public.permission_grants(p_user_id, p_team_id, p_campaign_id) g
  );
end $$;
comment on function private.holds is 'Whether a user reaches a campaign and holds a key there, as her snapshot says.';
revoke execute on function private.holds from public, anon, authenticated;
grant execute on function private.holds to service_role;

create function private.utc(p_at timestamptz) returns text
language sql stable -- this and the next two without a `set`, which would cost more than they do
as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
comment on function private.utc is 'A time as JSON has it: ISO 8601 in UTC.';
revoke execute on function private.utc from public, anon, authenticated;
grant execute on function private.utc to service_role;

-- The local stack on a PostgreSQL server sends an object as the text of one.
create function private.unwrapped(p_object jsonb) returns jsonb
language sql immutable
as $$
  select case jsonb_typeof(p_object) when 'string' then (p_object #>> '{}')::jsonb else p_object end
$$;
revoke execute on function private.unwrapped from public, anon, authenticated;
grant execute on function private.unwrapped to service_role;

-- When a line was keyed: it may have waited in the browser for a while. A clock that is wrong counts for nothing.
create function private.keyed_at(p_at timestamptz) returns timestamptz
language sql stable
as $$
  select case when p_at between now() - interval '7 days' and now() then p_at else now() end
$$;
revoke execute on function private.keyed_at from public, anon, authenticated;
grant execute on function private.keyed_at to service_role;

-- What a team is told of voters who have signed: of another team's line, nothing but that there is one.
create function public.signed_already(p_team_id text, p_campaign_id text, p_voter_ids text[]) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(s.voter_id,
      case when s.team_id <> p_team_id then '{"ownTeam": false}'::jsonb
      else jsonb_strip_nulls(jsonb_build_object('ownTeam', true, 'enteredAt', private.utc(s.entered_at),
        'enteredBy', p.name, 'sheet', s.sheet, 'line', s.line)) end), '{}')
    from public.signatures s
    left join public.profiles p on p.user_id = s.entered_by
    where s.campaign_id = p_campaign_id and s.voter_id = any (p_voter_ids) and s.removed_at is null
  );
end $$;
comment on function public.signed_already is
  'For each of the voters with a live line in the campaign: { ownTeam, enteredAt?, enteredBy?, sheet?, line? }, a line of '
  'another team with ownTeam alone. Guard first.';
revoke execute on function public.signed_already from public, anon, authenticated;
grant execute on function public.signed_already to service_role;

-- ── Lines ──────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.duplicate_answer(p_team_id text, p_campaign_id text, p_voter_id text) returns jsonb
language sql stable
as $$
  select jsonb_strip_nulls(jsonb_build_object('outcome', 'duplicate',
    'of', public.signed_already(p_team_id, p_campaign_id, array[p_voter_id]) -> p_voter_id))
$$;
revoke execute on function private.duplicate_answer from public, anon, authenticated;
grant execute on function private.duplicate_answer to service_role;

create function public.record_signature(p_actor_id uuid, p_line jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  given jsonb := private.unwrapped(p_line);
  given_id uuid := given ->> 'id';
  team text := given ->> 'teamId';
  campaign text := given ->> 'campaignId';
  voter text := given ->> 'voterId';
  keyed_at timestamptz := private.keyed_at((given ->> 'enteredAt')::timestamptz);
  rejected public.rejected_lines;
  stored public.signatures;
  again boolean;
begin
  -- One line at a time: its id is looked for in two tables.
  perform pg_advisory_xact_lock(hashtextextended(given_id::text, 0));
  if not private.holds(p_actor_id, team, campaign, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;

  select * into rejected from public.rejected_lines r where r.id = given_id;
  if found then
    return case
      when (rejected.team_id, rejected.campaign_id, rejected.entered_by, rejected.voter_id, rejected.verdict)
        is distinct from (team, campaign, p_actor_id, voter collate "C", 'duplicate') then '{"outcome": "id-taken"}'
      when rejected.removed_at is not null then '{"outcome": "removed"}'
      else private.duplicate_answer(team, campaign, voter)
    end;
  end if;
  select * into stored from public.signatures s where s.id = given_id;
  again := found;
  if again and (stored.team_id, stored.campaign_id, stored.entered_by, stored.voter_id)
    is distinct from (team, campaign, p_actor_id, voter collate "C")
  then
    return '{"outcome": "id-taken"}';
  end if;

  if not again then
    insert into public.signatures (id, team_id, campaign_id, voter_id, first_name, last_name, city, county, zip,
      sheet, line, signed_on, entered_by, entered_at)
    select given_id, team, campaign, voter, given ->> 'firstName', given ->> 'lastName', given ->> 'city',
      given ->> 'county', given ->> 'zip', (given ->> 'sheet')::int, (given ->> 'line')::int,
      (given ->> 'signedOn')::date, p_actor_id, keyed_at
    where not exists (select 1 from public.signatures s
      where s.campaign_id = campaign and s.voter_id = voter and s.removed_at is null)
    on conflict (campaign_id, voter_id) where removed_at is null do nothing -- somebody was faster
    returning * into stored;
    if not found then
      insert into public.rejected_lines (id, team_id, campaign_id, sheet, line, verdict, voter_id, entered_by, entered_at)
      values (given_id, team, campaign, (given ->> 'sheet')::int, (given ->> 'line')::int, 'duplicate', voter, p_actor_id,
        keyed_at);
      return private.duplicate_answer(team, campaign, voter);
    end if;
  end if;
  return jsonb_build_object(
    'outcome', case when stored.removed_at is null then 'accepted' else 'removed' end,
    'changeNumber', stored.change_number, 'enteredAt', private.utc(stored.entered_at), 'again', again);
end $$;
comment on function public.record_signature is
  'Stores a line { id, teamId, campaignId, voterId, firstName, lastName, city, county, zip, sheet, line, signedOn, '
  'enteredAt? } in the name of an actor who holds signatures.enter, once however often it is sent. Answers { outcome: '
  'accepted | duplicate | removed | not-allowed | id-taken, changeNumber?, enteredAt?, again?, of? }; `again` when it had '
  'been stored before. A duplicate is kept as a rejected line; `of` is what signed_already tells.';
revoke execute on function public.record_signature from public, anon, authenticated;
grant execute on function public.record_signature to service_role;

create function public.record_rejected_line(p_actor_id uuid, p_line jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  given jsonb := private.unwrapped(p_line);
  given_id uuid := given ->> 'id';
  stored public.rejected_lines;
begin
  perform pg_advisory_xact_lock(hashtextextended(given_id::text, 0));
  if not private.holds(p_actor_id, given ->> 'teamId', given ->> 'campaignId', 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  select * into stored from public.rejected_lines r where r.id = given_id;
  if not found then
    if exists (select 1 from public.signatures s where s.id = given_id) then
      return '{"outcome": "id-taken"}';
    end if;
    insert into public.rejected_lines
      (id, team_id, campaign_id, sheet, line, verdict, voter_id, note, entered_by, entered_at)
    values (given_id, given ->> 'teamId', given ->> 'campaignId', (given ->> 'sheet')::int, (given ->> 'line')::int,
      given ->> 'verdict', given ->> 'voterId', given ->> 'note', p_actor_id,
      private.keyed_at((given ->> 'enteredAt')::timestamptz))
    returning * into stored;
  elsif (stored.team_id, stored.campaign_id, stored.entered_by, stored.verdict, stored.voter_id) is distinct from
    (given ->> 'teamId', given ->> 'campaignId', p_actor_id, given ->> 'verdict', (given ->> 'voterId') collate "C")
  then
    return '{"outcome": "id-taken"}';
  end if;
  return jsonb_build_object(
    'outcome', case when stored.removed_at is null then 'accepted' else 'removed' end,
    'enteredAt', private.utc(stored.entered_at));
end $$;
comment on function public.record_rejected_line is
  'Stores a line that does not count, { id, teamId, campaignId, sheet, line, verdict, voterId?, note?, enteredAt? }, in the '
  'name of an actor who holds signatures.enter. Answers { outcome: accepted | removed | not-allowed | id-taken, enteredAt? }.';
revoke execute on function public.record_rejected_line from public, anon, authenticated;
grant execute on function public.record_rejected_line to service_role;

create function public.remove_line(p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  may_enter boolean := private.holds(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter');
  may_remove boolean := private.holds(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove');
  stored public.signatures;
  clerk uuid;
  again boolean;
begin
  if not may_enter and not may_remove then
    return '{"outcome": "not-allowed"}';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_id::text, 0));
  select s.entered_by into clerk from public.signatures s
  where s.id = p_id and s.team_id = p_team_id and s.campaign_id = p_campaign_id;
  if not found then
    select r.entered_by into clerk from public.rejected_lines r
    where r.id = p_id and r.team_id = p_team_id and r.campaign_id = p_campaign_id;
    if not found then
      return '{"outcome": "not-found"}';
    end if;
  end if;
  if not (case when clerk is not distinct from p_actor_id then may_enter else may_remove end) then
    return '{"outcome": "not-allowed"}';
  end if;

  update public.rejected_lines set removed_at = now()
  where id = p_id and team_id = p_team_id and campaign_id = p_campaign_id and removed_at is null;
  update public.signatures set removed_at = now(), removed_by = p_actor_id
  where id = p_id and team_id = p_team_id and campaign_id = p_campaign_id and removed_at is null;
  again := not found;
  select * into stored from public.signatures s
  where s.id = p_id and s.team_id = p_team_id and s.campaign_id = p_campaign_id;
  -- A rejected one; or an undo sent again after she was entered anew, who must stay in the set.
  if stored.id is null or again and exists (select from public.signatures s
    where s.campaign_id = p_campaign_id and s.voter_id = stored.voter_id and s.removed_at is null)
  then
    return '{"outcome": "removed"}';
  end if;
  return jsonb_build_object(
    'outcome', 'removed', 'voterId', stored.voter_id, 'changeNumber', stored.change_number, 'again', again);
end $$;
comment on function public.remove_line is
  'Removes a line, accepted or not: one''s own with signatures.enter, others'' with signatures.remove. Answers { outcome: '
  'removed | not-allowed | not-found, voterId?, changeNumber?, again? }, the latter three for an accepted line whose voter '
  'has no other one.';
revoke execute on function public.remove_line from public, anon, authenticated;
grant execute on function public.remove_line to service_role;

-- ── Sheets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.sheet_json(p_sheet public.sheets, p_actor_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'number', p_sheet.number,
    'openedBy', (select p.name from public.profiles p where p.user_id = p_sheet.opened_by),
    'mine', p_sheet.opened_by is not distinct from p_actor_id,
    'openedAt', private.utc(p_sheet.opened_at),
    'closedAt', private.utc(p_sheet.closed_at),
    'lines', count(*),
    'nextLine', coalesce(max(l.line), 0) + 1)
  from (
    select s.line from public.signatures s
    where s.team_id = p_sheet.team_id and s.campaign_id = p_sheet.campaign_id and s.sheet = p_sheet.number
      and s.removed_at is null
    union all
    select r.line from public.rejected_lines r
    where r.team_id = p_sheet.team_id and r.campaign_id = p_sheet.campaign_id and r.sheet = p_sheet.number
      and r.removed_at is null
  ) l
$$;
revoke execute on function private.sheet_json from public, anon, authenticated;
grant execute on function private.sheet_json to service_role;

create function public.open_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int default null)
returns jsonb
language plpgsql set search_path = ''
as $$
declare
  opened public.sheets;
begin
  if not private.holds(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
    return '{"outcome": "not-allowed"}';
  end if;
  -- Two that start a sheet at once get two numbers.
  perform pg_advisory_xact_lock(hashtextextended('sheets:' || p_team_id || ':' || p_campaign_id, 0));
  insert into public.sheets as s (team_id, campaign_id, number, opened_by)
  values (p_team_id, p_campaign_id, coalesce(p_number, (
    select coalesce(max(o.number), 0) + 1 from public.sheets o
    where o.team_id = p_team_id and o.campaign_id = p_campaign_id)), p_actor_id)
  on conflict (team_id, campaign_id, number) do update
    set opened_by = excluded.opened_by, closed_at = null,
      opened_at = case when s.closed_at is null then s.opened_at else excluded.opened_at end
  returning * into opened;
  return jsonb_build_object('outcome', 'opened', 'sheet', private.sheet_json(opened, p_actor_id));
end $$;
comment on function public.open_sheet is
  'Starts the next sheet, or the one with this number: an existing one is resumed, a closed one opened again. Answers '
  '{ outcome: opened | not-allowed, sheet? }, the sheet as { number, openedBy, mine, openedAt, closedAt, lines, nextLine }.';
revoke execute on function public.open_sheet from public, anon, authenticated;
grant execute on function public.open_sheet to service_role;

create function public.close_sheet(p_actor_id uuid, p_team_id text, p_campaign_id text, p_number int) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  closed public.sheets;
begin
  if not private.holds(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter') then
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
  'Closes a sheet. Answers { outcome: closed | not-allowed | not-found, sheet? }, the sheet as open_sheet has it.';
revoke execute on function public.close_sheet from public, anon, authenticated;
grant execute on function public.close_sheet to service_role;

-- ── The screen ─────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.entry_state(p_actor_id uuid, p_team_id text, p_campaign_id text, p_lines int default 50)
returns jsonb
language sql stable set search_path = '' set jit = off
as $$
  with
    team as (
      select t.time_zone, date_trunc('day', now() at time zone t.time_zone) at time zone t.time_zone as today
      from public.teams t where t.id = p_team_id
    ),
    accepted as materialized ( -- counted in an index alone, as the days are
      select count(*) as campaign, count(*) filter (where s.team_id = p_team_id) as team
      from public.signatures s where s.campaign_id = p_campaign_id and s.removed_at is null
    ),
    days as materialized (
      select d.day, (
        select count(*) from public.signatures s
        where s.campaign_id = p_campaign_id and s.removed_at is null
          and s.entered_at >= d.day::timestamp at time zone d.time_zone
          and s.entered_at < (d.day + 1)::timestamp at time zone d.time_zone
      ) as lines
      from (
        select t.time_zone, (now() at time zone t.time_zone)::date - ago as day
        from team t cross join generate_series(0, 28) ago
      ) d
    ),
    verdicts as (
      select r.verdict, count(*) as lines from public.rejected_lines r
      where r.campaign_id = p_campaign_id and r.team_id = p_team_id and r.removed_at is null
      group by 1
    ),
    mine as materialized ( -- since midnight, or an hour ago when that is longer
      select m.verdict, m.entered_at from (
        select null as verdict, s.entered_at, s.removed_at, s.team_id, s.campaign_id, s.entered_by from public.signatures s
        union all
        select r.verdict, r.entered_at, r.removed_at, r.team_id, r.campaign_id, r.entered_by from public.rejected_lines r
      ) m cross join team t
      where m.entered_by = p_actor_id and m.team_id = p_team_id and m.campaign_id = p_campaign_id
        and m.removed_at is null and m.entered_at >= least(t.today, now() - interval '1 hour')
    ),
    last_lines as (
      select jsonb_build_object('id', s.id, 'verdict', null, 'voterId', s.voter_id, 'firstName', s.first_name,
          'lastName', s.last_name, 'city', s.city, 'county', s.county, 'zip', s.zip, 'sheet', s.sheet, 'line', s.line,
          'signedOn', s.signed_on, 'note', null, 'enteredAt', private.utc(s.entered_at),
          'removedAt', private.utc(s.removed_at)) as line,
        s.entered_at, s.id
      from (
        select * from public.signatures s
        where s.entered_by = p_actor_id and s.team_id = p_team_id and s.campaign_id = p_campaign_id
        order by s.entered_at desc limit p_lines
      ) s
      union all
      select jsonb_build_object('id', r.id, 'verdict', r.verdict, 'voterId', r.voter_id, 'firstName', null,
          'lastName', null, 'city', null, 'county', null, 'zip', null, 'sheet', r.sheet, 'line', r.line,
          'signedOn', null, 'note', r.note, 'enteredAt', private.utc(r.entered_at),
          'removedAt', private.utc(r.removed_at)),
        r.entered_at, r.id
      from (
        select * from public.rejected_lines r
        where r.entered_by = p_actor_id and r.team_id = p_team_id and r.campaign_id = p_campaign_id
        order by r.entered_at desc limit p_lines
      ) r
    )
  select jsonb_build_object(
    'at', private.utc(now()),
    'timeZone', t.time_zone,
    'today', (now() at time zone t.time_zone)::date,
    'goal', c.signature_goal,
    'startsOn', c.starts_on,
    'endsOn', c.ends_on,
    'campaign', jsonb_build_object('accepted', (select a.campaign from accepted a)),
    'team', jsonb_build_object(
      'accepted', (select a.team from accepted a),
      'verdicts', (select coalesce(jsonb_object_agg(v.verdict, v.lines), '{}') from verdicts v)),
    'mine', (
      select jsonb_build_object(
        'accepted', count(*) filter (where m.verdict is null and m.entered_at >= t.today),
        'duplicates', count(*) filter (where m.verdict = 'duplicate' and m.entered_at >= t.today),
        'rejected', count(*) filter (where m.verdict <> 'duplicate' and m.entered_at >= t.today),
        'lastHour', count(*) filter (where m.entered_at > now() - interval '1 hour'),
        'lastHourSince', private.utc(min(m.entered_at) filter (where m.entered_at > now() - interval '1 hour')))
      from mine m),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'accepted', d.lines) order by d.day), '[]')
      from days d where d.lines > 0),
    'sheets', (
      select coalesce(jsonb_agg(private.sheet_json(o, p_actor_id) order by o.number), '[]')
      from public.sheets o
      where o.team_id = p_team_id and o.campaign_id = p_campaign_id and o.closed_at is null),
    'lines', (
      select coalesce(jsonb_agg(l.line order by l.entered_at desc, l.id), '[]')
      from (select * from last_lines order by entered_at desc, id limit p_lines) l))
  from team t
  join public.campaigns c on c.id = p_campaign_id
$$;
comment on function public.entry_state is
  'All that the entry screen shows, for one clerk. `campaign` counts all teams; `days` are the accepted lines of the '
  'campaign on each of the last 28 days, and today, in the team''s time zone; `mine` is today''s work, `lastHour` her lines '
  'of the last 60 minutes with the first of them at `lastHourSince`. Guard first.';
revoke execute on function public.entry_state from public, anon, authenticated;
grant execute on function public.entry_state to service_role;

-- ── The set follows ────────────────────────────────────────────────────────────────────────────────────────────────

create function public.pending_signer_changes(p_limit int) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with
    notes as materialized (
      select c.id, c.campaign_id, c.voter_id, c.change_number
      from public.signer_changes c order by c.id limit p_limit
    ),
    voters as (
      select n.campaign_id, n.voter_id, max(n.change_number) as noted
      from notes n where n.voter_id is not null group by 1, 2
    )
  select jsonb_build_object(
    'ids', (select coalesce(jsonb_agg(n.id), '[]') from notes n),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('campaignId', v.campaign_id, 'voterId', v.voter_id,
        'member', live.change_number is not null,
        'changeNumber', greatest(v.noted, live.change_number, removed.change_number))), '[]')
      from voters v
      left join public.signatures live
        on live.campaign_id = v.campaign_id and live.voter_id = v.voter_id and live.removed_at is null
      left join lateral (
        select max(s.change_number) as change_number from public.signatures s
        where s.campaign_id = v.campaign_id and s.voter_id = v.voter_id and s.removed_at is not null
      ) removed on true),
    'rebuild', (select coalesce(jsonb_agg(distinct n.campaign_id), '[]') from notes n where n.voter_id is null))
$$;
comment on function public.pending_signer_changes is
  'The oldest notes { ids, changes: [{ campaignId, voterId, member, changeNumber }], rebuild: [campaignId] }: for each voter '
  'noted, whether she has a live line, and the number of her last change.';
revoke execute on function public.pending_signer_changes from public, anon, authenticated;
grant execute on function public.pending_signer_changes to service_role;

-- By id and not "up to": a note with a smaller id can be committed later.
create function public.delete_signer_changes(p_ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes where id = any (p_ids)
$$;
comment on function public.delete_signer_changes is 'Deletes notes that were carried out.';
revoke execute on function public.delete_signer_changes from public, anon, authenticated;
grant execute on function public.delete_signer_changes to service_role;

create function public.forget_signer_change(p_campaign_id text, p_voter_id text, p_change_number bigint) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes
  where campaign_id = p_campaign_id and voter_id = p_voter_id and change_number <= p_change_number
$$;
comment on function public.forget_signer_change is
  'Deletes the notes of a voter''s changes up to one that Redis holds: hers are committed in the order of their numbers.';
revoke execute on function public.forget_signer_change from public, anon, authenticated;
grant execute on function public.forget_signer_change to service_role;

create function public.signer_page(p_campaign_id text, p_after text, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(s.voter_id order by s.voter_id), '[]')
  from (
    select s.voter_id from public.signatures s
    where s.campaign_id = p_campaign_id and s.removed_at is null and s.voter_id > coalesce(p_after, '')
    order by s.voter_id limit p_limit
  ) s
$$;
comment on function public.signer_page is
  'Voters with a live line in a campaign, in "C" order of their ids, those after p_after (null: from the first on).';
revoke execute on function public.signer_page from public, anon, authenticated;
grant execute on function public.signer_page to service_role;
