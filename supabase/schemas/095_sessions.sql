-- Where people are signed in. Auth has the sessions; their devices are here, as the application saw them at sign-in.

create table public.session_devices (
  session_id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  device text not null check (length(device) between 1 and 80)
);
comment on table public.session_devices is
  'No foreign key to the sessions, whose table is Auth''s. Rows of ended ones are deleted when the person signs in again.';
create index session_devices_user on public.session_devices (user_id);
alter table public.session_devices enable row level security;
revoke all on public.session_devices from service_role; -- only functions write and read it

create function public.record_session(p_actor_id uuid, p_session_id uuid, p_device text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.session_devices d
  where d.user_id = p_actor_id and not exists (select from auth.sessions s where s.id = d.session_id);
  insert into public.session_devices (session_id, user_id, device)
  select s.id, s.user_id, p_device from auth.sessions s where s.id = p_session_id and s.user_id = p_actor_id
  on conflict (session_id) do update set device = excluded.device;
end $$;
comment on function public.record_session is 'Saves the device of a verified person''s session.';

-- A session is refreshed when its token expires, while it is used.
create function public.list_sessions(p_actor_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'device', d.device, 'signedInAt', private.utc(s.created_at),
    'activeAt', private.utc(a.at)) order by a.at desc, s.id), '[]')
  from auth.sessions s
  left join public.session_devices d on d.session_id = s.id
  cross join lateral (
    select greatest(s.created_at, s.refreshed_at::timestamp at time zone 'UTC') -- Auth writes this one without a zone
  ) a (at)
  where s.user_id = p_actor_id and (s.not_after is null or s.not_after > now()));
end $$;
comment on function public.list_sessions is
  'The sessions of a verified person, last active first: [{"id", "device" (null if unknown), "signedInAt", "activeAt"}].';

create function public.end_session(p_actor_id uuid, p_session_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions where id = p_session_id and user_id = p_actor_id;
  return found;
end $$;
comment on function public.end_session is 'Ends a session of a verified person; false if there is none.';
