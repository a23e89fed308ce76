-- Inviting into a team: a link for one address, good for seven days and one use. Only the hash of its token is stored, in a
-- schema that REST does not show.

create policy "with members.manage" on public.invitations for select to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m));
create policy "with members.manage: insert" on public.invitations for insert to authenticated
  with check (team_id in (select m.team_id from private.manages('members.manage') m) and invited_by = (select auth.uid()));
create policy "with members.manage: revoke" on public.invitations for update to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m)
    and accepted_at is null and revoked_at is null)
  with check (revoked_at is not null);

create table private.invitation_tokens (
  invitation_id uuid primary key references public.invitations (id) on delete cascade,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$')
);
alter table private.invitation_tokens enable row level security; -- for no role but its owner
comment on column private.invitation_tokens.token_hash is 'SHA-256, in hex, of the 256 random bits of the link.';

create function private.keep_token(p_invitation_id uuid, p_token_hash text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.invitation_tokens (invitation_id, token_hash)
  select i.id, p_token_hash from public.invitations i where i.id = p_invitation_id and i.invited_by = (select auth.uid())
$$;
grant execute on function private.keep_token to authenticated;

-- As the signed-in user, so that policies decide again.
create function public.create_invitation(p_team_id text, p_email text, p_role_id uuid, p_token_hash text) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  address text := lower(trim(p_email));
  made uuid;
  until timestamptz;
begin
  perform private.lock_access();
  if not exists (select from private.manages('members.manage') m where m.team_id = p_team_id) then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_member(p_team_id, address) then return '{"outcome": "member-already"}'; end if;
  update public.invitations set revoked_at = now()
  where team_id = p_team_id and email = address and accepted_at is null and revoked_at is null and expires_at <= now();
  insert into public.invitations (team_id, email, role_id) values (p_team_id, address, p_role_id)
  returning id, expires_at into made, until;
  perform private.keep_token(made, p_token_hash);
  return jsonb_build_object('outcome', 'done', 'id', made, 'expiresAt', until);
exception
  when sqlstate 'SG001' then return '{"outcome": "more-than-own"}';
  when unique_violation then return '{"outcome": "invited-already"}';
  when foreign_key_violation or check_violation then return '{"outcome": "gone"}';
end $$;
comment on function public.create_invitation is 'Invites an address as the signed-in user: {"outcome": "done" | why not, "expiresAt"}.';
grant execute on function public.create_invitation to authenticated;

create function public.accept_invitation(p_token_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
  invitation public.invitations;
  own_status text;
begin
  perform private.lock_access();
  select i.* into invitation from public.invitations i
  join private.invitation_tokens t on t.invitation_id = i.id where t.token_hash = p_token_hash;
  if me is null or invitation.id is null then return '{"outcome": "no-invitation"}'; end if;
  if not exists (select from auth.users u where u.id = me and lower(u.email) = invitation.email
      and u.email_confirmed_at is not null) then
    return '{"outcome": "other-address"}';
  end if;
  if invitation.accepted_at is not null then return '{"outcome": "used"}'; end if;
  if invitation.revoked_at is not null then return '{"outcome": "revoked"}'; end if;
  if invitation.expires_at <= now() then return '{"outcome": "expired"}'; end if;
  select t.status into own_status from public.team_users t where t.user_id = me and t.team_id = invitation.team_id;
  if own_status = 'active' then return '{"outcome": "in-team-already"}'; end if;
  if own_status = 'suspended' then return '{"outcome": "suspended"}'; end if;
  if not private.holds_at(invitation.invited_by, invitation.team_id, null, 'members.manage') then
    return '{"outcome": "inviter-may-not"}';
  end if;
  begin
    -- The change is the inviter's: nobody gets more by a link than the one who made it holds now.
    perform private.open_change_of(invitation.invited_by, true);
    insert into public.team_users (user_id, team_id, role_id, status)
    values (me, invitation.team_id, invitation.role_id, 'active')
    on conflict (user_id, team_id) do update set role_id = excluded.role_id, status = 'active';
    perform private.close_change();
  exception when sqlstate 'SG001' then
    return '{"outcome": "inviter-may-not"}';
  end;
  update public.invitations set accepted_at = now(), accepted_by = me where id = invitation.id;
  return jsonb_build_object('outcome', 'done', 'teamId', invitation.team_id);
end $$;
comment on function public.accept_invitation is
  'Makes the signed-in user an active member by the invitation of a link, once: {"outcome": "done" | why not, "teamId"}.';
grant execute on function public.accept_invitation to authenticated;

create function private.is_member(p_team_id text, p_email text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.team_users t join auth.users u on u.id = t.user_id
    where t.team_id = p_team_id and t.status <> 'invited' and lower(u.email) = p_email
      and p_team_id in (select m.team_id from private.manages('members.manage') m))
$$;
grant execute on function private.is_member to authenticated;

-- Runs as its owner: the hash is for nobody's eyes.
create function public.read_invitation(p_token_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'state', case when i.accepted_at is not null then 'used' when i.revoked_at is not null then 'revoked'
      when i.expires_at <= now() then 'expired' else 'open' end,
    'teamId', t.id, 'team', t.name, 'role', r.name, 'email', i.email,
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by), 'expiresAt', i.expires_at)
  from private.invitation_tokens k
  join public.invitations i on i.id = k.invitation_id
  join public.teams t on t.id = i.team_id
  join public.roles r on r.id = i.role_id
  where k.token_hash = p_token_hash
$$;
comment on function public.read_invitation is 'What the holder of a link may know of its invitation; null for no invitation.';
grant execute on function public.read_invitation to service_role;

create function public.open_invitations(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'email', i.email, 'role', r.name,
    'invitedBy', (select p.name from public.profiles p where p.user_id = i.invited_by),
    'createdAt', i.created_at, 'expiresAt', i.expires_at, 'expired', i.expires_at <= now()
  ) order by i.created_at desc, i.id), '[]')
  from public.invitations i join public.roles r on r.id = i.role_id
  where i.team_id = p_team_id and i.accepted_at is null and i.revoked_at is null
$$;
comment on function public.open_invitations is 'A team''s invitations that were neither accepted nor revoked, newest first.';
grant execute on function public.open_invitations to service_role;
