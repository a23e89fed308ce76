-- Members ask for what they lack; those who manage the team find it in the activity.

create table public.access_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  team_id text not null,
  campaign_id text references public.campaigns (id) on delete cascade,
  key text not null references public.permission_keys (key) on delete cascade on update cascade,
  asked_at timestamptz not null default now(),
  closed_at timestamptz,
  page text check (length(page) <= 500),
  granted boolean not null default false,
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.access_requests is
  'A key that a member asks for in the team or a campaign. Closed by a manager, or by the change that gives it.';
comment on column public.access_requests.page is 'Path of the page on which it was asked: where she wants to go.';
create unique index access_requests_open on public.access_requests (user_id, team_id, campaign_id, key) nulls not distinct
  where closed_at is null;
create index access_requests_team on public.access_requests (team_id, asked_at) where closed_at is null;
create index access_requests_campaign on public.access_requests (campaign_id);
create index access_requests_key on public.access_requests (key);

alter table public.access_requests enable row level security;
grant select, update (closed_at) on public.access_requests to authenticated;
grant select on public.access_requests to service_role;
create policy "one's own, or with members.manage" on public.access_requests for select to authenticated
  using (user_id = (select private.me()) or team_id in (select m.team_id from private.manages('members.manage') m));
create policy "with members.manage: close" on public.access_requests for update to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m) and closed_at is null)
  with check (closed_at is not null);

-- Runs as its owner: it must see campaigns that are not open to the one who asks.
create function public.ask_for_access(p_team_id text, p_campaign_id text, p_key text, p_page text default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.me();
begin
  perform private.lock_access();
  if not exists (select from private.active_members m where m.user_id = me and m.team_id = p_team_id)
    or not exists (select from public.permission_keys k where k.key = p_key)
    or p_campaign_id is not null
      and not exists (select from public.campaign_team c where c.team_id = p_team_id and c.campaign_id = p_campaign_id)
  then
    return '{"outcome": "no-place"}';
  end if;
  if private.holds_at(me, p_team_id, p_campaign_id, p_key) then return '{"outcome": "held"}'; end if;
  insert into public.access_requests (user_id, team_id, campaign_id, key, page)
  values (me, p_team_id, p_campaign_id, p_key, p_page)
  on conflict do nothing;
  return jsonb_build_object('outcome', case when found then 'asked' else 'asked-already' end);
end $$;
comment on function public.ask_for_access is
  'Asks for a key as the signed-in user, once while it is open: {"outcome": "asked" | "asked-already" | "held" | "no-place"}.';
grant execute on function public.ask_for_access to authenticated;

create function public.open_access_requests(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'userId', r.user_id, 'name', coalesce(p.name, ''),
    'campaign', case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end,
    'key', r.key, 'page', r.page, 'askedAt', r.asked_at, 'held', private.holds_at(r.user_id, r.team_id, r.campaign_id, r.key)
  ) order by r.asked_at, r.id), '[]')
  from public.access_requests r
  left join public.campaigns c on c.id = r.campaign_id
  left join public.profiles p on p.user_id = r.user_id
  where r.team_id = p_team_id and r.closed_at is null
$$;
comment on function public.open_access_requests is 'What a team''s members have asked for and nobody has closed, oldest first.';
grant execute on function public.open_access_requests to service_role;

-- What a change has granted needs no answer any more.
create function private.close_granted_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.access_requests r set closed_at = now(), granted = true
  where r.closed_at is null and r.user_id in (select n.user_id from new_rows n)
    and private.holds_at(r.user_id, r.team_id, r.campaign_id, r.key);
  return null;
end $$;
create trigger close_granted_requests after insert on public.permission_changes referencing new table as new_rows
for each statement execute function private.close_granted_requests();
