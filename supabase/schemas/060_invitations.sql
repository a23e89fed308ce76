-- Invitations to a team: a link for one address, valid once until it expires. Only the hash of its token is stored, in a
-- schema that REST doesn't show.

create table private.invitation_tokens (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  invitation_id uuid not null references public.invitations (id) on delete cascade
);
alter table private.invitation_tokens enable row level security; -- only for its owner
comment on column private.invitation_tokens.token_hash is 'SHA-256, in hex, of the 256 bits of the link.';
create index invitation_tokens_invitation on private.invitation_tokens (invitation_id);

create function public.save_invitation_token(p_id uuid, p_token_hash text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.invitation_tokens (invitation_id, token_hash) values (p_id, p_token_hash) on conflict do nothing
$$;
comment on function public.save_invitation_token is 'Connects a link to an invitation.';

-- ── Creating invitations ────────────────────────────────────────────────────────────────────────────────────────────────────

create function private.check_invited_campaigns() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from jsonb_to_recordset(new.campaigns) c (id text, "roleId" uuid)
    where not exists (
        select from public.campaign_team t where t.team_id = new.team_id and t.campaign_id = c.id)
      or not exists (
        select from public.roles r
        where r.id = c."roleId" and r.scope = 'assigned' and (r.team_id is null or r.team_id = new.team_id)))
  then
    raise exception 'A campaign or role isn''t the team''s.' using errcode = 'check_violation';
  end if;
  if exists (select from jsonb_to_recordset(new.campaigns) c (id text) group by c.id having count(*) > 1) then
    raise exception 'A campaign is listed twice.' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_invited_campaigns before insert or update of campaigns on public.invitations
for each row when (new.campaigns <> '[]') execute function private.check_invited_campaigns();

create function private.members_among(p_team_id text, p_emails text[]) returns table (email text, status text)
language sql stable security definer set search_path = ''
as $$
  select lower(u.email), t.status from public.team_users t join auth.users u on u.id = t.user_id
  where t.team_id = p_team_id and t.status <> 'invited' and lower(u.email) = any (p_emails)
$$;

create view private.pending_invitations as
select i.* from public.invitations i where i.accepted_at is null and i.revoked_at is null;
comment on view private.pending_invitations is 'Neither accepted nor revoked; they may have expired.';

-- What invitations would grant: each place they open has a row without a key.
create view private.invited_grants as
select a.principal_id as invitation_id, a.team_id, a.campaign_id, a.key
from private.assigned_keys a
join private.pending_invitations i on i.id = a.principal_id
where a.applies and (a.key is not null or a.rule in (2, 5))
union
select i.id, i.team_id, c.id, k.key
from private.pending_invitations i
cross join lateral jsonb_to_recordset(i.campaigns) c (id text, "roleId" uuid)
join public.campaign_team t on t.team_id = i.team_id and t.campaign_id = c.id
cross join lateral (
  select null as key
  union
  select k.key from public.role_p_sets b join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
  where b.role_id = c."roleId"
) k;

grant select on private.pending_invitations, private.invited_grants to service_role;

-- The open invitations that grant more than their inviter has now, or whose inviter no longer manages members: they can't be
-- accepted. With p_actor_id, as if that person had made them. The operator's aren't checked.
create function private.stopped_invitations(p_team_id text, p_actor_id uuid default null) returns setof uuid
language sql stable set search_path = ''
as $$
  with open as materialized (
    select i.id, coalesce(p_actor_id, i.invited_by) as inviter from private.pending_invitations i
    where i.team_id = p_team_id and i.expires_at > now() and i.invited_by is not null
  ),
  own as materialized (
    select v.inviter, g.campaign_id, g.key
    from (select distinct o.inviter from open o) v
    join private.grants g on g.user_id = v.inviter and g.team_id = p_team_id
  ),
  granted as materialized (
    select g.* from private.invited_grants g where g.team_id = p_team_id
  )
  select o.id from open o
  where not exists (select from own w
      where w.inviter = o.inviter and w.campaign_id is null and w.key = 'members.manage')
    or exists (select from granted g where g.invitation_id = o.id and not exists (
      select from own w
      where w.inviter = o.inviter and w.key is not distinct from g.key
        and (w.campaign_id is not distinct from g.campaign_id or g.key is not null and w.campaign_id is null)))
$$;

-- What invitations would grant (lib/team-access/access-change.ts), each under its address.
create function private.effects_of_invitations(p_ids uuid[]) returns jsonb
language plpgsql stable set search_path = '' -- `effects` follows in 070
as $$
begin
  return (
  with granted as materialized (
    select g.* from private.invited_grants g where g.invitation_id = any (p_ids)
  ),
  places as (
    select p.invitation_id as user_id, p.campaign_id,
      array(select distinct g.key from granted g where g.invitation_id = p.invitation_id and g.key is not null
        and (g.campaign_id is null or g.campaign_id = p.campaign_id)) as keys
    from (select distinct g.invitation_id, g.campaign_id from granted g) p
  )
  select coalesce(jsonb_agg(e.effect || jsonb_build_object('name', coalesce(i.name, i.email)) order by i.email), '[]')
  from jsonb_array_elements(private.effects('[]', (select coalesce(jsonb_agg(p), '[]') from places p))) e (effect)
  join public.invitations i on i.id = (e.effect ->> 'userId')::uuid);
end $$;

-- The role in the team is checked like every change of access (070). Roles in campaigns become rows only on acceptance and
-- are checked then; the actor must have them now too, so that an invitation doesn't promise what can't be granted.
create function public.create_invitations(
  p_actor_id uuid, p_team_id text, p_invitations jsonb, p_mail boolean, p_commit boolean
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  addresses text[] := array(select distinct lower(trim(a.email)) from jsonb_to_recordset(p_invitations) a (email text));
  members text[];
  suspended text[];
  open text[];
  made jsonb;
  ids uuid[];
  effects jsonb;
  state_before jsonb;
  refusal text;
begin
  if jsonb_array_length(p_invitations) > 500 then
    raise exception 'At most 500 people can be invited at once.' using errcode = 'check_violation';
  end if;
  if not private.lock_if_allowed(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  select coalesce(array_agg(m.email), '{}'), coalesce(array_agg(m.email) filter (where m.status = 'suspended'), '{}')
  into members, suspended from private.members_among(p_team_id, addresses) m;
  begin
    perform private.act_as(p_actor_id);
    state_before := private.read_state_before(p_actor_id, p_team_id);
    update public.invitations set revoked_at = now()
    where team_id = p_team_id and email = any (addresses) and accepted_at is null and revoked_at is null
      and (expires_at <= now() or id in (select private.stopped_invitations(p_team_id)));
    open := array(select i.email from private.pending_invitations i where i.team_id = p_team_id and i.email = any (addresses));
    with new_ones as (
      insert into public.invitations (team_id, email, role_id, invited_by, name, campaigns)
      select distinct on (a.address) p_team_id, a.address, a."roleId", p_actor_id, a.name, coalesce(a.campaigns, '[]')
      from (
        select lower(trim(r.email)) as address, r.*
        from jsonb_to_recordset(p_invitations) r (email text, name text, "roleId" uuid, campaigns jsonb)
      ) a
      where a.address <> all (members) and a.address <> all (open)
      returning id, email
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'email', n.email) order by n.email), '[]') into made
    from new_ones n;
    ids := array(select (m ->> 'id')::uuid from jsonb_array_elements(made) m);
    perform private.refuse_forbidden_change(state_before);
    perform private.refuse_if(exists (
      select from private.stopped_invitations(p_team_id) s (id) where s.id = any (ids)), 'more-than-own');
    perform private.refuse_if(p_mail and not private.queue_invitation_mails(p_team_id, ids), 'too-many-mails');
    if not p_commit then
      effects := private.effects_of_invitations(ids);
      raise exception 'undo' using errcode = 'SG002';
    end if;
  exception
    when sqlstate 'SG002' then null;
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when foreign_key_violation or check_violation then
      refusal := 'gone';
  end;
  perform private.act_as(null);
  if refusal is not null then return jsonb_build_object('outcome', refusal); end if;
  return jsonb_build_object('outcome', 'done', 'made', made, 'members', members, 'suspended', suspended,
    'invited', open)
    || case when p_commit then '{}' else jsonb_build_object('effects', effects) end;
end $$;
comment on function public.create_invitations is
  'Invites addresses ([{"email", "name", "roleId", "campaigns"}]) for a verified person, all or none, except '
  'members and invited ones; an invitation that has expired or stopped is replaced: {"outcome": "done" | why not, "made": '
  '[{"id", "email"}], "members", "suspended" (those of the members), "invited"}. Without p_commit '
  'it is rolled back, and "effects" says what it would grant. With p_mail each gets a queued email.';

create function public.revoke_invitations(p_actor_id uuid, p_team_id text, p_ids uuid[]) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  revoked int;
begin
  if not private.lock_if_allowed(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  perform private.act_as(p_actor_id);
  update public.invitations set revoked_at = now()
  where id = any (p_ids) and team_id = p_team_id and accepted_at is null and revoked_at is null;
  get diagnostics revoked = row_count;
  perform private.act_as(null);
  return case when revoked = 0 then '{"outcome": "not-open"}'
    else jsonb_build_object('outcome', 'done', 'count', revoked) end;
end $$;
comment on function public.revoke_invitations is
  'Revokes open invitations for a verified person: {"outcome": "done" | "not-open" | "not-allowed", "count"}.';

-- ── Their emails ───────────────────────────────────────────────────────────────────────────────────────────────────

-- Auth limits emails per hour, so they are queued. One without a result is due again after two minutes: at worst that causes
-- a second email, never none. Each failure of Auth doubles this time; the fifth is final.
create table private.invitation_mails (
  invitation_id uuid primary key references public.invitations (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tried_at timestamptz,
  tries int not null default 0
);
comment on column private.invitation_mails.tries is 'How often Auth failed on it. Reaching Auth''s limit does not count.';
comment on table private.invitation_mails is 'Emails of invitations. One shared as a link has none.';
create index invitation_mails_waiting on private.invitation_mails (tried_at nulls first) where state = 'waiting';
alter table private.invitation_mails enable row level security;
grant select, insert, update on private.invitation_mails to service_role;

-- False, and nothing queued, if more than 1000 of the team would be: all teams share Auth's limit per hour.
create function private.queue_invitation_mails(p_team_id text, p_ids uuid[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if cardinality(p_ids) + (
    select count(*) from private.invitation_mails m join public.invitations i on i.id = m.invitation_id
    where i.team_id = p_team_id and i.id <> all (p_ids) and m.state = 'waiting'
      and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()) > 1000
  then
    return false;
  end if;
  insert into private.invitation_mails (invitation_id)
  select i.id from public.invitations i
  where i.id = any (p_ids) and i.team_id = p_team_id
  on conflict (invitation_id) do update set state = 'waiting', tried_at = null, tries = 0;
  return true;
end $$;

create function public.link_invitation(p_actor_id uuid, p_team_id text, p_id uuid, p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.may_change(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  if not exists (select from public.invitations i
    where i.id = p_id and i.team_id = p_team_id and i.accepted_at is null and i.revoked_at is null)
  then
    return '{"outcome": "not-open"}';
  end if;
  perform public.save_invitation_token(p_id, p_token_hash);
  return '{"outcome": "done"}';
end $$;
comment on function public.link_invitation is
  'Connects a link to an open invitation, for a verified person: {"outcome": "done" | "not-open" | "not-allowed"}.';

-- The person becomes their inviter. Their links stay, and they expire like new ones.
create function public.reissue_invitations(p_actor_id uuid, p_team_id text, p_ids uuid[], p_edit jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  ids uuid[];
  refusal text;
begin
  if not private.lock_if_allowed(p_actor_id, p_team_id, 'members') then return '{"outcome": "not-allowed"}'; end if;
  if not exists (select from private.pending_invitations i where i.team_id = p_team_id and i.id = any (p_ids)) then
    return '{"outcome": "not-open"}';
  end if;
  ids := array(select i.id from private.pending_invitations i where i.team_id = p_team_id and i.id = any (p_ids)
    and i.email not in (select m.email from private.members_among(p_team_id,
      array(select e.email from private.pending_invitations e where e.id = any (p_ids))) m));
  if ids = '{}' then return '{"outcome": "already-member"}'; end if;
  begin
    perform private.act_as(p_actor_id);
    update public.invitations set invited_by = p_actor_id,
      expires_at = now() + make_interval(days => private.invitation_days()),
      role_id = coalesce((p_edit ->> 'roleId')::uuid, role_id), campaigns = coalesce(p_edit -> 'campaigns', campaigns)
    where id = any (ids);
    perform private.refuse_if(exists (
      select from private.stopped_invitations(p_team_id) s (id) where s.id = any (ids)), 'more-than-own');
    perform private.refuse_if(p_edit is null and not private.queue_invitation_mails(p_team_id, ids), 'too-many-mails');
  exception
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when foreign_key_violation or check_violation then
      refusal := 'gone';
  end;
  perform private.act_as(null);
  return case when refusal is null then jsonb_build_object('outcome', 'done', 'count', cardinality(ids))
    else jsonb_build_object('outcome', refusal) end;
end $$;
comment on function public.reissue_invitations is
  'Makes open invitations a verified person''s own, all or none, except those of members: {"outcome": "done" | why not, '
  '"count"}. p_edit has what differs, {"roleId", "campaigns"}; without it their emails are sent again.';

create function private.is_due(m private.invitation_mails, i public.invitations) returns boolean
language sql stable
return m.state = 'waiting' and (m.tried_at is null or m.tried_at < now() - interval '2 minutes' * power(2, m.tries))
  and i.accepted_at is null and i.revoked_at is null and i.expires_at > now();
comment on function private.is_due is 'Whether the email of an invitation is due.';

create function private.has_mail_to_send() returns boolean
language sql stable
return exists (
  select from private.invitation_mails m join public.invitations i on i.id = m.invitation_id where private.is_due(m, i));
comment on function private.has_mail_to_send is 'Whether the schedule has an email to send.';

create function public.claim_invitation_mail() returns jsonb
language sql set search_path = ''
as $$
  with teams as (
    select i.team_id, max(m.tried_at) as tried_at
    from private.invitation_mails m join public.invitations i on i.id = m.invitation_id
    group by i.team_id
  ),
  next as (
    select m.invitation_id, i.email
    from private.invitation_mails m
    join public.invitations i on i.id = m.invitation_id
    join teams t on t.team_id = i.team_id
    where private.is_due(m, i)
    order by t.tried_at nulls first, m.tried_at nulls first, i.created_at, i.email
    limit 1
    for update of m skip locked
  )
  update private.invitation_mails m set tried_at = now() from next n where m.invitation_id = n.invitation_id
  returning jsonb_build_object('id', n.invitation_id, 'email', n.email)
$$;
comment on function public.claim_invitation_mail is
  'Claims the next email that is due: {"id", "email"}, or null. Teams take turns, untried emails come first.';

create function private.invited_access(p_role public.roles, p_campaigns jsonb) returns text
language sql stable
return (select p_role.name || case when l.items is null then
      case when p_role.scope = 'assigned' then ' (no campaign yet)' else '' end
    else ', with access to ' || concat_ws(case when cardinality(l.items) > 2 then ', and ' else ' and ' end,
      nullif(array_to_string(trim_array(l.items, 1), ', '), ''), l.items[cardinality(l.items)]) end
  from (
    select array_agg(c.name || ' (' || r.name || ')' order by c.name, c.id)
    from jsonb_to_recordset(p_campaigns) w (id text, "roleId" uuid)
    join public.campaigns c on c.id = w.id join public.roles r on r.id = w."roleId"
  ) n (names), lateral (
    select case when cardinality(names) > 5 then names[:5] || (cardinality(names) - 5 || ' more') else names end) l (items));
comment on function private.invited_access is 'What follows “invited you as”: the role, and the campaigns if there are any.';

-- Auth's templates can show what an account's metadata has, so the words of the invitation are there while its email is sent.
-- A session's token has them too, so `finish_invitation_mail` removes them.
create function public.describe_invitation(p_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  words jsonb := (
    select jsonb_build_object('invitation', jsonb_build_object(
      'invites', coalesce(p.name || ' invited you', 'You''re invited'), 'team', t.name,
      -- Auth escapes as in HTML, which subjects would show.
      'subject', translate(regexp_replace(t.name, '\s*&\s*', ' and ', 'g'), '''"<>+', '’”'),
      'access', private.invited_access(r, i.campaigns)))
    from public.invitations i
    join public.teams t on t.id = i.team_id
    join public.roles r on r.id = i.role_id
    left join public.profiles p on p.user_id = i.invited_by
    where i.id = p_id);
begin
  update auth.users u set raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || words
  from public.invitations i where i.id = p_id and u.email = i.email;
  return words;
end $$;
comment on function public.describe_invitation is
  'What the email of an invitation says, which its link shows too: {"invitation": {"invites", "team", "subject", "access"}}. '
  'Also stored with the account of its address, if it has one.';

create function public.finish_invitation_mail(p_id uuid, p_state text) returns void
language sql security definer set search_path = ''
as $$
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'invitation'
  from public.invitations i
  where i.id = p_id and u.email = i.email and u.raw_user_meta_data ? 'invitation';
  update private.invitation_mails set tries = tries + 1,
    state = case when p_state <> 'again' then p_state when tries < 4 then 'waiting' else 'failed' end
  where invitation_id = p_id and state = 'waiting'
$$;
comment on function public.finish_invitation_mail is
  'Saves the result of an email: "sent", "failed", or "again", which is failed the fifth time.';

-- ── Accepting invitations ─────────────────────────────────────────────────────────────────────────────────────────────────

create function public.accept_invitation(p_actor_id uuid, p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  invitation public.invitations;
  own_status text;
  state_before jsonb;
begin
  if not exists (select from private.invitation_tokens t where t.token_hash = p_token_hash) then
    return '{"outcome": "no-invitation"}';
  end if;
  perform private.lock_access();
  perform private.end_due_access();
  select i.* into invitation from public.invitations i
  join private.invitation_tokens t on t.invitation_id = i.id where t.token_hash = p_token_hash;
  if invitation.id is null then return '{"outcome": "no-invitation"}'; end if;
  if not exists (select from auth.users u where u.id = p_actor_id and lower(u.email) = invitation.email
      and u.email_confirmed_at is not null) then
    return '{"outcome": "other-address"}';
  end if;
  if invitation.accepted_at is not null then return '{"outcome": "used"}'; end if;
  if invitation.revoked_at is not null then return '{"outcome": "revoked"}'; end if;
  if invitation.expires_at <= now() then return '{"outcome": "expired"}'; end if;
  select t.status into own_status from public.team_users t where t.user_id = p_actor_id and t.team_id = invitation.team_id;
  if own_status = 'active' then return '{"outcome": "already-in-team"}'; end if;
  if own_status = 'suspended' then return '{"outcome": "suspended"}'; end if;
  if invitation.invited_by is not null
    and not private.has_key(invitation.invited_by, invitation.team_id, null, 'members.manage')
  then
    return '{"outcome": "inviter-may-not"}';
  end if;
  begin
    perform private.act_as(p_actor_id);
    -- The change is the inviter's: a link grants nothing that the inviter doesn't have now. The operator's isn't checked.
    if invitation.invited_by is not null then
      state_before := private.read_state_before(invitation.invited_by, invitation.team_id);
    end if;
    insert into public.team_users (user_id, team_id, role_id, status)
    values (p_actor_id, invitation.team_id, invitation.role_id, 'active')
    on conflict (user_id, team_id) do update set role_id = excluded.role_id, status = 'active', ends_at = null;
    insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
    select p_actor_id, invitation.team_id, c.id, r.id -- without campaigns that have left the team
    from jsonb_to_recordset(invitation.campaigns) c (id text, "roleId" uuid)
    join public.campaign_team t on t.team_id = invitation.team_id and t.campaign_id = c.id
    join public.roles r on r.id = c."roleId"
    on conflict (user_id, team_id, campaign_id) do update set role_id = excluded.role_id, ends_at = null;
    if state_before is not null then perform private.refuse_forbidden_change(state_before); end if;
  exception when sqlstate 'SG001' then
    return '{"outcome": "inviter-may-not"}';
  end;
  update public.invitations set accepted_at = now(), accepted_by = p_actor_id where id = invitation.id;
  perform private.act_as(null);
  update public.profiles set name = invitation.name
  where invitation.name is not null and user_id = p_actor_id and name = split_part(invitation.email, '@', 1); -- the default
  return jsonb_build_object('outcome', 'done', 'team', invitation.team_id,
    'campaign', (select c.id from public.campaign_user_roles_team t join public.campaigns c on c.id = t.campaign_id
      where t.user_id = p_actor_id and t.team_id = invitation.team_id order by c.archived_at is not null, c.name, c.id limit 1));
end $$;
comment on function public.accept_invitation is
  'Makes a verified person an active member by the invitation of a link, once, with its roles in campaigns: '
  '{"outcome": "done" | why not, "team", "campaign" (their first one, or null)}.';

-- Declining is revoking by the invited person.
create function public.decline_invitation(p_actor_id uuid, p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'not-open';
begin
  perform private.lock_access();
  if not exists (
    select from private.invitation_tokens t join public.invitations i on i.id = t.invitation_id
    join auth.users u on lower(u.email) = i.email and u.email_confirmed_at is not null
    where t.token_hash = p_token_hash and u.id = p_actor_id)
  then
    return '{"outcome": "other-address"}';
  end if;
  perform private.act_as(p_actor_id);
  update public.invitations i set revoked_at = now(), declined = true from private.invitation_tokens t
  where t.token_hash = p_token_hash and i.id = t.invitation_id and i.accepted_at is null and i.revoked_at is null;
  if found then outcome := 'done'; end if;
  perform private.act_as(null);
  return jsonb_build_object('outcome', outcome);
end $$;
comment on function public.decline_invitation is
  'Declines the open invitation of a link for the verified person it was sent to: {"outcome": "done" | why not}.';

-- Runs as its owner: no one else may read the hash.
create function public.read_invitation(p_token_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'state', case when i.accepted_at is not null then 'used' when i.declined then 'declined'
      when i.revoked_at is not null then 'revoked' when i.expires_at <= now() then 'expired'
      when i.id in (select private.stopped_invitations(i.team_id)) then 'stopped' else 'open' end,
    'teamId', t.id, 'team', t.name, 'role', r.name, 'email', i.email, 'name', i.name,
    'access', private.invited_access(r, i.campaigns),
    'mailed', exists (select from private.invitation_mails m where m.invitation_id = i.id and m.state = 'sent'),
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by), 'expiresAt', i.expires_at)
  from private.invitation_tokens k
  join public.invitations i on i.id = k.invitation_id
  join public.teams t on t.id = i.team_id
  join public.roles r on r.id = i.role_id
  where k.token_hash = p_token_hash
$$;
comment on function public.read_invitation is 'What anyone with a link may see of its invitation; null without an invitation.';

-- Runs as its owner: no one else may read addresses.
create function public.own_invitations(p_actor_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'teamId', t.id, 'team', t.name, 'access', private.invited_access(r, i.campaigns), 'name', i.name,
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by)) order by t.name, t.id), '[]')
  from auth.users u
  join private.pending_invitations i on i.email = lower(u.email)
  join public.teams t on t.id = i.team_id
  join public.roles r on r.id = i.role_id
  where u.id = p_actor_id and u.email_confirmed_at is not null and i.expires_at > now()
    and i.id not in (select private.stopped_invitations(i.team_id))
    and not exists (
      select from public.team_users m where m.user_id = u.id and m.team_id = i.team_id and m.status <> 'invited')
$$;
comment on function public.own_invitations is 'The invitations that a person can accept: those for their confirmed address.';

create function public.open_invitations(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'name', i.name, 'roleId', r.id, 'role', r.name,
    'campaigns', (select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'roleId', cr.id, 'role', cr.name) order by c.name, c.id), '[]')
      from jsonb_to_recordset(i.campaigns) w (id text, "roleId" uuid)
      join public.campaigns c on c.id = w.id join public.roles cr on cr.id = w."roleId"),
    'mail', (select m.state from private.invitation_mails m where m.invitation_id = i.id),
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by),
    'createdAt', i.created_at, 'expiresAt', i.expires_at, 'expired', i.expires_at <= now(),
    'stopped', i.id = any (w.stopped)
  ) order by i.created_at desc, i.email), '[]')
  from private.pending_invitations i
  join public.roles r on r.id = i.role_id
  cross join (select array(select private.stopped_invitations(p_team_id)) as stopped) w
  where i.team_id = p_team_id
$$;
comment on function public.open_invitations is 'A team''s invitations that are neither accepted nor revoked, newest first.';

-- ── A team's first invitation ────────────────────────────────────────────────────────────────────────────────────────

-- For the operator, who isn't checked: `npm run found`. Run again, it reports the state and sends the email again.
create function public.found_team(p_id text, p_name text, p_email text, p_time_zone text, p_locale text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  address text := lower(trim(p_email));
  administrator uuid := (select r.id from public.roles r where r.team_id is null and r.scope = 'inherit_team');
  invitation uuid;
  existing_name text;
begin
  perform private.lock_access();
  insert into public.teams (id, name, time_zone, locale) values (p_id, p_name, p_time_zone, p_locale) on conflict do nothing;
  if found then
    insert into public.team_p_sets (team_id, permission_set_id)
    select p_id, s.id from public.permission_sets s where s.team_id is null;
  end if;
  select t.name into existing_name from public.teams t where t.id = p_id;
  if existing_name <> p_name then return jsonb_build_object('outcome', 'id-taken', 'name', existing_name); end if;
  if exists (select from private.active_members m where m.team_id = p_id and m.is_team_admin) then
    return jsonb_build_object('outcome', case when exists (
        select from private.active_members m join auth.users u on u.id = m.user_id
        where m.team_id = p_id and m.is_team_admin and lower(u.email) = address)
      then 'already-administrator' else 'has-administrators' end);
  end if;
  select i.id into invitation from public.invitations i
  where i.team_id = p_id and i.email = address and i.role_id = administrator and i.invited_by is null
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now();
  if invitation is null then
    update public.invitations set revoked_at = now()
    where team_id = p_id and email = address and accepted_at is null and revoked_at is null;
    insert into public.invitations (team_id, email, role_id, invited_by) values (p_id, address, administrator, null)
    returning id into invitation;
  end if;
  insert into private.invitation_mails (invitation_id) values (invitation)
  on conflict (invitation_id) do update set state = 'waiting', tried_at = null, tries = 0;
  return jsonb_build_object('outcome', 'invited', 'id', invitation);
exception
  when check_violation then return '{"outcome": "unusable"}';
end $$;
comment on function public.found_team is
  'Creates a team, unless it exists, and invites its first administrator: {"outcome": "invited" | why not, "id"}.';

-- A team that a person creates in the application, if the operator allows it there: they are its administrator at once.
create function public.create_team(p_actor_id uuid, p_id text, p_name text, p_time_zone text, p_locale text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  address text := (select u.email from auth.users u where u.id = p_actor_id and u.email_confirmed_at is not null);
  answer jsonb;
begin
  perform private.lock_access();
  if address is null then return '{"outcome": "unconfirmed"}'; end if;
  if exists (select from public.teams t where t.id = p_id)
    or exists (select from public.audit_log a where a.team_id = p_id) -- a deleted team, whose activity the new one would show
  then
    return '{"outcome": "team-taken"}';
  end if;
  if (select count(*) from private.active_members m where m.user_id = p_actor_id and m.is_team_admin) >= 20 then
    return '{"outcome": "too-many-teams"}';
  end if;
  perform private.act_as(p_actor_id);
  answer := public.found_team(p_id, p_name, address, p_time_zone, p_locale);
  if answer ->> 'outcome' = 'invited' then
    update public.invitations i set accepted_at = now(), accepted_by = p_actor_id where i.id = (answer ->> 'id')::uuid;
    insert into public.team_users (user_id, team_id, role_id, status)
    select p_actor_id, p_id, i.role_id, 'active' from public.invitations i where i.id = (answer ->> 'id')::uuid;
    answer := '{"outcome": "done"}';
  end if;
  perform private.act_as(null);
  return answer;
exception
  when invalid_parameter_value then return '{"outcome": "unusable"}'; -- a time zone that the database doesn't know
end $$;
comment on function public.create_team is
  'Creates a team with a verified person as its administrator: {"outcome": "done" | why not}.';
