-- Who has signed, for the sets in Redis: numbers and pending changes, also of changes by SQL, and the functions of the
-- synchronization.

create table public.signer_changes (
  id bigint generated always as identity primary key,
  campaign_id text not null,
  voter_id text collate "C",
  change_number bigint not null,
  created_at timestamptz not null default now()
);
comment on table public.signer_changes is
  'Voters whose membership in the set of signers may have changed. A row is deleted only after Redis is right.';
comment on column public.signer_changes.voter_id is 'Null: a request to rebuild the set of the whole campaign.';
create index signer_changes_voter on public.signer_changes (campaign_id, voter_id, change_number);
create index signer_changes_set on public.signer_changes (campaign_id) where voter_id is null;
alter table public.signer_changes enable row level security;
revoke all on public.signer_changes from service_role; -- only functions write and read them

-- ── Numbers and pending changes ────────────────────────────────────────────────────────────────────

create sequence private.signature_changes;

-- Until the transaction ends, no one else changes an accepted line or a duplicate of the voter in the campaign. There are 256
-- locks instead of one per voter, because a transaction of many lines would exceed the limit. Such a transaction blocks clerks,
-- and two can deadlock, so change many lines in small parts.
create function private.lock_voter(p_campaign_id text, p_voter_id text) returns void
language sql volatile set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtext('signatures'), hashtext(p_campaign_id || ':' || p_voter_id) & 255)
$$;

-- The next number for a voter in a campaign. Numbers of one voter rise in the order of the commits.
create function private.next_change_number(p_campaign_id text, p_voter_id text) returns bigint
language plpgsql volatile set search_path = ''
as $$
begin
  perform private.lock_voter(p_campaign_id, p_voter_id);
  return nextval('private.signature_changes');
end $$;

-- Runs as its owner, like the next ones: no one else may take numbers or store pending changes. The lock is taken before the row is
-- changed, so that of two transactions that want both, neither waits for the other.
create function private.number_line() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and (new.removed_at is null) = (old.removed_at is null) then
    new.change_number := old.change_number;
    return new;
  end if;
  if tg_op = 'DELETE' then
    if old.verdict = 'accepted' then
      insert into public.signer_changes (campaign_id, voter_id, change_number)
      values (old.campaign_id, old.voter_id, private.next_change_number(old.campaign_id, old.voter_id));
    else
      perform private.lock_voter(old.campaign_id, old.voter_id);
    end if;
    return old;
  end if;
  if new.verdict = 'accepted' then
    new.change_number := private.next_change_number(new.campaign_id, new.voter_id);
  else
    perform private.lock_voter(new.campaign_id, new.voter_id);
  end if;
  return new;
end $$;
create trigger number_insert before insert on public.lines
for each row when (new.verdict in ('accepted', 'duplicate')) execute function private.number_line();
create trigger number_update before update on public.lines
for each row when (new.verdict in ('accepted', 'duplicate')) execute function private.number_line();
create trigger number_delete before delete on public.lines
for each row when (old.verdict in ('accepted', 'duplicate')) execute function private.number_line();

create function private.queue_signer_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.signer_changes (campaign_id, voter_id, change_number)
  values (new.campaign_id, new.voter_id, new.change_number);
  return null;
end $$;
create trigger queue_insert after insert on public.lines
for each row when (new.verdict = 'accepted') execute function private.queue_signer_changes();
create trigger queue_update after update on public.lines
for each row when (old.change_number <> new.change_number) execute function private.queue_signer_changes();

-- `truncate` names no rows: each set with signers is rebuilt.
create function private.queue_signer_rebuilds() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.signer_changes (campaign_id, change_number)
  select c.campaign_id, nextval('private.signature_changes')
  from (select distinct l.campaign_id from public.lines l where l.verdict = 'accepted' and l.removed_at is null) c;
  return null;
end $$;
create trigger queue_truncate before truncate on public.lines
for each statement execute function private.queue_signer_rebuilds();

-- ── The synchronization of the sets ────────────────────────────────────────────────────────────────────────────────────────────────

create function public.pending_signer_changes(p_limit int) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with
    pending as materialized (
      select c.id, c.campaign_id, c.voter_id, c.change_number
      from public.signer_changes c where c.voter_id is not null order by c.id limit p_limit
    ),
    voters as (
      select n.campaign_id, n.voter_id, max(n.change_number) as change_number
      from pending n group by 1, 2
    )
  select jsonb_build_object(
    'ids', (select coalesce(jsonb_agg(n.id), '[]') from pending n),
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object('campaignId', v.campaign_id, 'voterId', v.voter_id,
        'member', live.change_number is not null,
        'changeNumber', greatest(v.change_number, live.change_number, removed.change_number))), '[]')
      from voters v
      left join public.lines live on live.campaign_id = v.campaign_id and live.voter_id = v.voter_id
        and live.verdict = 'accepted' and live.removed_at is null
      left join lateral (
        select max(l.change_number) as change_number from public.lines l
        where l.campaign_id = v.campaign_id and l.voter_id = v.voter_id
          and l.verdict = 'accepted' and l.removed_at is not null
      ) removed on true),
    'left', (
      select count(*) from (
        select from public.signer_changes c where c.voter_id is not null limit p_limit + 10000
      ) c) - (select count(*) from pending))
$$;
comment on function public.pending_signer_changes is
  'The oldest pending changes of voters { ids, changes: [{ campaignId, voterId, member, changeNumber }], left }: whether each voter has '
  'a live line, and the number of their last change; `left` is how many more there are, counted to 10,000.';

-- By id, because a change with a smaller id can be committed later.
create function public.delete_signer_changes(p_ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes where id = any (p_ids)
$$;
comment on function public.delete_signer_changes is 'Deletes pending changes that were applied.';

create function public.request_signer_rebuilds(p_campaign_ids text[]) returns jsonb
language sql volatile security definer set search_path = ''
as $$
  with requests as (
    insert into public.signer_changes (campaign_id, change_number)
    select c.id, nextval('private.signature_changes') from unnest(p_campaign_ids) with ordinality c (id, at) order by c.at
    returning campaign_id, change_number
  )
  select coalesce(jsonb_object_agg(r.campaign_id, r.change_number), '{}') from requests r
$$;
comment on function public.request_signer_rebuilds is
  'Requests that the sets of these campaigns be rebuilt: the number of each request, {campaignId: number}.';

create function public.signer_rebuild_requests() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('campaignId', c.campaign_id, 'numbers', c.numbers) order by c.first), '[]')
  from (
    select s.campaign_id, jsonb_agg(s.change_number) as numbers, min(s.id) as first
    from public.signer_changes s where s.voter_id is null group by s.campaign_id
  ) c
$$;
comment on function public.signer_rebuild_requests is
  'The sets to rebuild, oldest request first, with the numbers of their requests: [{ campaignId, numbers }].';

create function public.delete_signer_rebuild_requests(p_campaign_id text, p_numbers bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes
  where campaign_id = p_campaign_id and voter_id is null and change_number = any (p_numbers)
$$;
comment on function public.delete_signer_rebuild_requests is 'Deletes requests whose set was rebuilt.';

create function public.delete_applied_signer_changes(p_campaign_id text, p_voter_id text, p_change_number bigint) returns void
language sql security definer set search_path = ''
as $$
  delete from public.signer_changes
  where campaign_id = p_campaign_id and voter_id = p_voter_id and change_number <= p_change_number
$$;
comment on function public.delete_applied_signer_changes is
  'Deletes the pending changes of a voter up to a change that Redis has: a voter''s changes are committed in the order of their numbers.';

create function public.signer_page(p_campaign_id text, p_after text, p_limit int) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(s.voter_id order by s.voter_id), '[]')
  from (
    select l.voter_id from public.lines l
    where l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
      and l.voter_id > coalesce(p_after, '') and not private.is_erased(p_campaign_id)
    order by l.voter_id limit p_limit
  ) s
$$;
comment on function public.signer_page is
  'Voters with a live line in a campaign, in "C" order of their ids, those after p_after (null: from the start).';

create function public.signer_campaigns() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('campaignId', c.id, 'anySigner', exists (
      select from public.lines l where l.campaign_id = c.id and l.verdict = 'accepted' and l.removed_at is null
    ) and c.erased_at is null) order by c.id), '[]')
  from public.campaigns c
$$;
comment on function public.signer_campaigns is
  'All campaigns, also archived ones, and whether anyone has signed: [{ campaignId, anySigner }].';

create function public.signer_count(p_campaign_id text) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from public.lines l
  where l.campaign_id = p_campaign_id and l.verdict = 'accepted' and l.removed_at is null
    and not private.is_erased(p_campaign_id)
$$;
comment on function public.signer_count is 'How many voters have a live line in a campaign, of any team.';

-- The time in microseconds is above all numbers counted from an earlier time. The step is for a clock that was set back.
create function public.renew_change_numbers() returns void
language sql volatile security definer set search_path = ''
as $$
  select setval('private.signature_changes',
    greatest(n.last_value + 1000, (extract(epoch from clock_timestamp()) * 1000000)::bigint))
  from private.signature_changes n
$$;
comment on function public.renew_change_numbers is
  'Continues the numbers of changes above all earlier ones, also after the database was restored: Redis ignores a number '
  'below the last one that it knows.';

-- Fast, because an index ends with the newest line of a campaign.
create function private.has_recent_entry() returns boolean
language sql stable
return exists (
  select from public.campaigns c
  where now() - interval '10 minutes' < (
    select max(l.entered_at) from public.lines l
    where l.campaign_id = c.id and l.verdict <> 'blank' and l.removed_at is null));
comment on function private.has_recent_entry is 'Whether a line was entered in the last ten minutes, in any campaign.';
