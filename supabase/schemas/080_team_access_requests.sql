-- Requests for access: members ask for a permission, and people who manage the team find it in the activity.

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
  reason text check (length(reason) between 1 and 300),
  unknown_campaign_id text
    check (unknown_campaign_id is null or campaign_id is null and length(unknown_campaign_id) <= 100),
  answer text check (length(answer) between 1 and 300),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table public.access_requests is
  'A key that a member asks for in the team or a campaign. Closed when a manager declines it, or when it is granted.';
comment on column public.access_requests.page is 'Path of the page where they asked.';
comment on column public.access_requests.answer is 'Why it was declined, for the person who asked.';
comment on column public.access_requests.unknown_campaign_id is
  'What they asked for isn''t a campaign of the team. Only they see the request, like any other: asking doesn''t reveal which '
  'campaigns exist.';
create unique index access_requests_open on public.access_requests (user_id, team_id, campaign_id, key, unknown_campaign_id)
  nulls not distinct where closed_at is null;
create index access_requests_team on public.access_requests (team_id, asked_at) where closed_at is null;
create index access_requests_campaign on public.access_requests (campaign_id);
create index access_requests_key on public.access_requests (key);

alter table public.access_requests enable row level security;

-- The overview of a team's campaigns needs a campaign: a role alone doesn't grant it.
create function private.grants_request(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns boolean
language sql stable set search_path = ''
as $$
  select case when p_campaign_id is null and p_key = 'campaign.view' then exists (
      select from unnest(private.reached_campaigns(p_user_id, p_team_id)) c (id)
      where private.has_key(p_user_id, p_team_id, c.id, p_key))
    else private.has_key(p_user_id, p_team_id, p_campaign_id, p_key) end
$$;
comment on function private.grants_request is 'Whether a person has what a request asks for.';

create function public.ask_for_access(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_key text, p_page text default null, p_reason text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text;
  known_id text := (
    select c.campaign_id from public.campaign_team c where c.team_id = p_team_id and c.campaign_id = p_campaign_id);
begin
  if not exists (select from private.active_members m where m.user_id = p_actor_id and m.team_id = p_team_id)
    or not exists (select from public.permission_keys k where k.key = p_key)
  then
    return '{"outcome": "no-place"}';
  end if;
  perform private.lock_access();
  if private.grants_request(p_actor_id, p_team_id, p_campaign_id, p_key) then return '{"outcome": "already-granted"}'; end if;
  perform private.act_as(p_actor_id);
  insert into public.access_requests (user_id, team_id, campaign_id, unknown_campaign_id, key, page, reason)
  values (p_actor_id, p_team_id, known_id, case when known_id is null then p_campaign_id end, p_key, p_page, p_reason)
  on conflict do nothing;
  outcome := case when found then 'asked' else 'already-asked' end;
  perform private.act_as(null);
  return jsonb_build_object('outcome', outcome);
exception
  when foreign_key_violation then return '{"outcome": "no-place"}'; -- no longer a member
end $$;
comment on function public.ask_for_access is
  'Requests a key for a verified person, unless the same request is open: {"outcome": "asked" | "already-asked" | '
  '"already-granted" | "no-place"}.';

create function public.decline_access_request(
  p_actor_id uuid, p_team_id text, p_id uuid, p_answer text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'not-allowed';
begin
  if private.may_change(p_actor_id, p_team_id, 'members') then
    perform private.act_as(p_actor_id);
    update public.access_requests set closed_at = now(), answer = p_answer
    where id = p_id and team_id = p_team_id and closed_at is null;
    outcome := case when found then 'done' else 'not-open' end;
    perform private.act_as(null);
  end if;
  return jsonb_build_object('outcome', outcome);
end $$;
comment on function public.decline_access_request is
  'Declines a request for a verified person: {"outcome": "done" | "not-open" | "not-allowed"}.';

create function public.open_access_requests(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'userId', r.user_id, 'name', coalesce(p.name, ''),
    'campaign', case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end,
    'key', r.key, 'page', r.page, 'reason', r.reason, 'askedAt', r.asked_at,
    'granted', private.grants_request(r.user_id, r.team_id, r.campaign_id, r.key)
  ) order by r.asked_at, r.id), '[]')
  from public.access_requests r
  left join public.campaigns c on c.id = r.campaign_id
  left join public.profiles p on p.user_id = r.user_id
  where r.team_id = p_team_id and r.closed_at is null and r.unknown_campaign_id is null
$$;
comment on function public.open_access_requests is 'The open requests of a team''s members, oldest first.';

-- A request that a change has granted is closed.
create function private.close_granted_requests() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.access_requests r set closed_at = now(), granted = true
  where r.closed_at is null and r.unknown_campaign_id is null and r.user_id in (select n.user_id from new_rows n)
    and private.grants_request(r.user_id, r.team_id, r.campaign_id, r.key);
  return null;
end $$;
create trigger close_granted_requests after insert on public.permission_changes referencing new table as new_rows
for each statement execute function private.close_granted_requests();
