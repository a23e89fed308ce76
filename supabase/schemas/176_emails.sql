-- Emails that Signet sends itself; invitations and links are Auth's. A row says what an email is about; its content is read
-- when it is sent, so that it is true then, and only what its recipient may see.

-- Only the edge function knows whether it has a mail server. Without one nothing is queued.
create table private.mail_server (
  is_set boolean not null,
  checked_at timestamptz not null default now(),
  only_row boolean primary key default true check (only_row)
);
alter table private.mail_server enable row level security;

create table private.email_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  requests boolean not null default true,
  digest boolean not null default false
);
comment on table private.email_choices is 'Which emails people want. The defaults apply to those without a row.';
alter table private.email_choices enable row level security;

create table private.emails (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  team_id text not null references public.teams (id) on delete cascade,
  kind text not null check (kind in ('request', 'answer', 'invitation', 'membership', 'digest', 'erasure')),
  about text not null,
  created_at timestamptz not null default now(),
  tried_at timestamptz,
  tries int not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  unique (user_id, team_id, kind, about)
);
comment on column private.emails.about is
  'The id of a request for access, an invitation, or a row of the activity; the day of a digest; or a campaign and the day when '
  'it is erased.';
create index emails_waiting on private.emails (tried_at nulls first) where state = 'waiting';
create index emails_team on private.emails (team_id);
create index emails_created on private.emails (created_at);
alter table private.emails enable row level security;

-- ── Queueing ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- At most 20 emails wait for a person: the app shows the rest.
-- Runs as its owner, like the next ones: no one else may see or queue emails.
create function private.queue_email(p_user_id uuid, p_team_id text, p_kind text, p_about text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.emails (user_id, team_id, kind, about)
  select p_user_id, p_team_id, p_kind, p_about
  where exists (select from private.mail_server s where s.is_set)
    and (select count(*) from private.emails e where e.user_id = p_user_id and e.state = 'waiting'
      and e.created_at > now() - interval '1 day') < 20 -- older ones aren't sent
  on conflict do nothing
$$;

create function private.email_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.queue_email(new.user_id, new.team_id, 'answer', new.id::text);
    -- It also says that their role was changed for it.
    delete from private.emails e where new.granted and e.user_id = new.user_id and e.team_id = new.team_id
      and e.kind = 'membership' and e.created_at = now();
  else
    perform private.queue_email(d.user_id, new.team_id, 'request', new.id::text)
    from (
      select m.user_id from private.active_members m
      where m.team_id = new.team_id and m.user_id <> new.user_id
        and m.user_id in (
          select g.user_id from private.grants g
          where g.team_id = new.team_id and g.campaign_id is null and g.key = 'members.manage')
      order by m.is_team_admin desc, m.user_id limit 20
    ) d;
  end if;
  return null;
end $$;
create trigger email_request after insert on public.access_requests
for each row when (new.closed_at is null and new.unknown_campaign_id is null) execute function private.email_request();
create trigger email_answer after update on public.access_requests
for each row when (old.closed_at is null and new.closed_at is not null) execute function private.email_request();

create function private.email_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.queue_email(new.invited_by, new.team_id, 'invitation', new.id::text);
  return null;
end $$;
create trigger email_invitation after update on public.invitations
for each row when (new.invited_by is not null
  and (old.accepted_at is null and new.accepted_at is not null or new.declined and not old.declined))
execute function private.email_invitation();

-- A deleted account or team gets none.
create function private.email_membership() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.queue_email(u.id, t.id, 'membership', new.id::text)
  from auth.users u cross join public.teams t
  where u.id = new.subject_id and t.id = new.team_id and new.before ->> 'status' <> 'invited'
    and (new.after is null
      or (new.after -> 'status', new.after -> 'role_id') <> (new.before -> 'status', new.before -> 'role_id'));
  return null;
end $$;
create trigger email_membership after insert on public.audit_log
for each row when (new.table_name = 'team_users' and new.action in ('update', 'delete') and new.actor_id <> new.subject_id)
execute function private.email_membership();

-- ── Sending ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- As for invitations, but old news isn't sent, and requests in a team at most every 15 minutes.
create function private.email_is_due(p_email private.emails) returns boolean
language sql stable
return p_email.state = 'waiting' and p_email.created_at > now() - interval '1 day'
  and (p_email.tried_at is null or p_email.tried_at < now() - interval '2 minutes' * power(2, p_email.tries))
  and (p_email.kind <> 'request' or not exists (
    select from private.emails e
    where e.user_id = p_email.user_id and e.team_id = p_email.team_id and e.kind = 'request' and e.id <> p_email.id
      and e.tried_at > now() - interval '15 minutes'));

create function private.has_email_to_send() returns boolean
language sql stable
return exists (select from private.emails e where private.email_is_due(e))
  or not exists (select from private.mail_server s where s.checked_at > now() - interval '1 hour');
comment on function private.has_email_to_send is
  'Whether the schedule has an email to send, or hasn''t asked for an hour whether there is a mail server.';

-- What an email says, read by supabase/functions/send-emails/write-email.ts. Null if it no longer applies, or its recipient
-- doesn't want it or may not see it.
create function private.email_content(p_email private.emails) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  request record;
begin
  if p_email.kind = 'erasure' then
    return (
      select jsonb_build_object('team', t.name, 'teamId', t.id, 'campaign', c.name,
        'register', '/' || t.id || '/campaign/' || c.id || '/signatures/register',
        'day', to_char(c.erase_at at time zone t.time_zone, 'FMMonth FMDD, YYYY'))
      from public.campaigns c join public.teams t on t.id = p_email.team_id
      where c.id = split_part(p_email.about, ' ', 1) and c.erase_at is not null and c.erased_at is null and exists (
        select from private.active_members m
        where m.user_id = p_email.user_id and m.team_id = p_email.team_id and m.is_team_admin));
  end if;
  if p_email.kind = 'membership' then
    return (
      select jsonb_build_object('team', t.name, 'teamId', t.id, 'by', a.actor_name, 'role', a.after -> 'role_name',
        'change', case when a.after is null then 'removed' when a.after -> 'status' = a.before -> 'status' then 'role'
          when a.after ->> 'status' = 'active' then 'restored' else 'suspended' end)
      from public.audit_log a join public.teams t on t.id = a.team_id
      where a.id = p_email.about::bigint);
  end if;
  if not coalesce((
    select case when p_email.kind = 'digest' then c.digest else c.requests end
    from private.email_choices c where c.user_id = p_email.user_id), p_email.kind <> 'digest') then return null; end if;
  if p_email.kind = 'digest' then return private.digest_content(p_email.user_id, p_email.team_id); end if;
  if p_email.kind = 'invitation' then
    return (
      select jsonb_build_object('team', t.name, 'teamId', t.id, 'person', coalesce(p.name, i.email), 'email', i.email,
        'accepted', i.accepted_at is not null)
      from public.invitations i
      join public.teams t on t.id = i.team_id
      left join public.profiles p on p.user_id = i.accepted_by
      where i.id = p_email.about::uuid and private.has_key(p_email.user_id, p_email.team_id, null, 'members.manage'));
  end if;
  select r.*, p.name, k.description as permission, coalesce(c.name, t.name) as place, t.name as team into request
  from public.access_requests r
  join public.teams t on t.id = r.team_id
  join public.permission_keys k on k.key = r.key
  left join public.campaigns c on c.id = r.campaign_id
  left join public.profiles p on p.user_id = r.user_id
  where r.id = p_email.about::uuid;
  if not found then return null; end if; -- deleted with its member or campaign
  if p_email.kind = 'request' then
    return case when request.closed_at is null and private.has_key(p_email.user_id, p_email.team_id, null, 'members.manage')
      then jsonb_build_object('team', request.team, 'teamId', request.team_id, 'name', request.name,
        'permission', request.permission, 'place', request.place, 'reason', request.reason, 'others', (
          select coalesce(jsonb_agg(to_jsonb(n)), '[]')
          from (
            select p.name, k.description as permission, coalesce(c.name, request.team) as place
            from public.access_requests o
            join public.permission_keys k on k.key = o.key
            left join public.campaigns c on c.id = o.campaign_id
            left join public.profiles p on p.user_id = o.user_id
            where o.team_id = request.team_id and o.closed_at is null and o.unknown_campaign_id is null
              and o.id <> request.id
            order by o.asked_at desc, o.id limit 30 -- more than can be queued
          ) n)) end;
  end if;
  return case when request.closed_at is not null and exists (
      select from private.active_members m where m.user_id = p_email.user_id and m.team_id = p_email.team_id)
    then jsonb_build_object('team', request.team, 'teamId', request.team_id, 'permission', request.permission,
      'place', request.place, 'reason', request.reason, 'granted', request.granted, 'answer', request.answer,
      'page', request.page, 'grants', (
        select string_agg(coalesce('the ' || (a.after ->> 'permission_set_name') || ' permission set',
          'the ' || (a.after ->> 'role_name') || ' role'), ' and ' order by a.id)
        from public.audit_log a -- of the change that granted it
        where request.granted and a.at = request.closed_at and a.team_id = request.team_id and a.subject_id = request.user_id
          and coalesce(a.campaign_id = request.campaign_id, true))) end;
end $$;

create function public.claim_email(p_has_server boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  next private.emails;
  address text;
  content jsonb;
begin
  insert into private.mail_server (is_set) values (p_has_server)
  on conflict (only_row) do update set is_set = excluded.is_set, checked_at = now();
  while p_has_server loop
    select e.* into next from private.emails e where private.email_is_due(e)
    order by e.tried_at nulls first, e.created_at limit 1 for update skip locked;
    exit when next.id is null;
    address := (select u.email from auth.users u where u.id = next.user_id and u.email_confirmed_at is not null);
    content := private.email_content(next);
    if address is not null and content is not null then
      update private.emails set tried_at = now() where id = next.id;
      return jsonb_build_object('id', next.id, 'email', address, 'kind', next.kind, 'content', content);
    end if;
    delete from private.emails where id = next.id;
  end loop;
  return null;
end $$;
comment on function public.claim_email is
  'Claims the next email that is due: {"id", "email", "kind", "content"}, or null. Saves whether there is a mail server.';

create function public.finish_email(p_id uuid, p_state text) returns void
language sql security definer set search_path = ''
as $$
  delete from private.emails e using private.emails done -- it named their requests
  where done.id = p_id and p_state = 'sent' and e.kind = 'request' and e.state = 'waiting' and e.id <> done.id
    and (e.user_id, e.team_id, e.kind) = (done.user_id, done.team_id, done.kind) and e.created_at <= done.tried_at;
  update private.emails set tries = tries + 1,
    state = case when p_state <> 'again' then p_state when tries < 4 then 'waiting' else 'failed' end
  where id = p_id and state = 'waiting'
$$;
comment on function public.finish_email is
  'Saves the result of an email: "sent", "failed", or "again", which is failed the fifth time. One that was sent replaces those '
  'about other requests that it named.';

create function public.claimed_digest(p_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.email_content(e) from private.emails e
  where e.id = p_id and e.kind = 'digest' and e.state = 'waiting' and e.tried_at > now() - interval '2 minutes'
$$;
comment on function public.claimed_digest is
  'The content of a digest that is being sent; null for any other id. Only its sender knows the id.';

create function public.purge_emails() returns void
language sql security definer set search_path = ''
as $$
  delete from private.emails where created_at < now() - interval '30 days'
$$;
comment on function public.purge_emails is 'Deletes emails older than 30 days, sent or not.';

-- ── Choosing ───────────────────────────────────────────────────────────────────────────────────────────────────────

create function public.email_choices(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('available', exists (select from private.mail_server s where s.is_set),
    'requests', coalesce(c.requests, true), 'digest', coalesce(c.digest, false))
  from (values (p_user_id)) u (id) left join private.email_choices c on c.user_id = u.id
$$;
comment on function public.email_choices is
  'Which emails a person gets: {"available": whether there is a mail server, "requests", "digest"}.';

create function public.choose_emails(p_user_id uuid, p_requests boolean, p_digest boolean) returns void
language sql security definer set search_path = ''
as $$
  insert into private.email_choices (user_id, requests, digest) values (p_user_id, p_requests, p_digest)
  on conflict (user_id) do update set requests = excluded.requests, digest = excluded.digest
$$;
comment on function public.choose_emails is 'Saves which emails a verified person gets.';
