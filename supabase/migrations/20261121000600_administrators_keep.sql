-- What the bundles of a team give its administrators, and who may take it from them. Three rules, whichever way people
-- write; SQL and the service role are the operator's, and not judged:
-- 1. Active administrators who manage both members and roles of the whole team remain: the change after which none would
--    is refused.
-- 2. Whatever a change takes from administrators, its maker must be able to give back: she still manages roles, reaches
--    each campaign in which one of them loses it, and holds the key there or is one of them herself, before and after.
-- 3. What an administrator took so counts as her own in her later changes, until she holds it there again, whoever gave it
--    back, or is no active administrator any more. It is hers to give to anyone: she could give it back first, and on then.

create table private.taken_from_administrators (
  user_id uuid not null,
  team_id text not null,
  campaign_id text references public.campaigns (id) on delete cascade,
  key text not null references public.permission_keys (key) on delete cascade on update cascade,
  unique nulls not distinct (user_id, team_id, campaign_id, key),
  foreign key (user_id, team_id) references public.team_users (user_id, team_id) on delete cascade
);
comment on table private.taken_from_administrators is 'By whom, herself one of them. Without a campaign: in the whole team.';
create index taken_from_administrators_campaign on private.taken_from_administrators (campaign_id);
create index taken_from_administrators_key on private.taken_from_administrators (key);
alter table private.taken_from_administrators enable row level security;

create view private.given_to_administrators as
select b.team_id, null::text as campaign_id, k.key
from public.team_p_sets b join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
union
select b.team_id, b.campaign_id, k.key
from public.campaign_team_sets b join public.permission_set_keys k on k.permission_set_id = b.permission_set_id;

create function private.forget_taken() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.taken_from_administrators t
  where not exists (
      select from private.active_members m where m.user_id = t.user_id and m.team_id = t.team_id and m.is_team_admin)
    or exists (
      select from private.given_to_administrators g
      where g.team_id = t.team_id and g.key = t.key and (g.campaign_id is null or g.campaign_id = t.campaign_id));
  return null;
end $$;
revoke execute on function private.forget_taken() from public, anon, authenticated;
do $$
declare
  name text;
begin
  foreach name in array array['team_users', 'roles', 'team_p_sets', 'campaign_team_sets', 'permission_set_keys'] loop
    execute format('create trigger forget_taken after insert or update on public.%I '
      'for each statement execute function private.forget_taken()', name);
  end loop;
end $$;

-- As before, and rule 1.
create or replace function private.keepers(p_held jsonb) returns table (team_id text, what text)
language sql stable set search_path = ''
as $$
  with teams as materialized (select distinct h ->> 0 as id from jsonb_array_elements(p_held) h)
  select m.team_id, 'administrator' from private.active_members m join teams t on t.id = m.team_id where m.is_team_admin
  union
  select g.team_id, g.key from private.grants g join teams t on t.id = g.team_id
  where g.campaign_id is null and g.key in ('members.manage', 'roles.manage')
  union
  select g.team_id, 'administrators manage' from private.grants g join teams t on t.id = g.team_id
  where g.source = 'team_p_sets' and g.key in ('members.manage', 'roles.manage')
  group by g.team_id, g.user_id having count(distinct g.key) = 2
$$;

-- As before, with what she took counted as hers.
create or replace function private.open_change_of(p_actor_id uuid, p_whole boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  held jsonb;
begin
  perform private.lock_access();
  select coalesce(jsonb_agg(distinct jsonb_build_array(h.team_id, h.campaign_id, h.key)), '[]') into held
  from (
    select g.user_id, g.team_id, g.campaign_id, g.key from private.grants g
    union all
    select t.user_id, t.team_id, t.campaign_id, t.key from private.taken_from_administrators t
  ) h
  where h.user_id = p_actor_id and h.team_id in (
    select k.team_id from private.grants k
    where k.user_id = p_actor_id and k.campaign_id is null and k.key in ('members.manage', 'roles.manage'));
  perform set_config('signet.change', jsonb_build_object(
    'whole', p_whole,
    'actor', p_actor_id,
    'held', held,
    'administers', (select coalesce(jsonb_agg(m.team_id), '[]') from private.active_members m
      where m.user_id = p_actor_id and m.is_team_admin),
    'administrators', (select coalesce(jsonb_agg(g), '[]') from private.given_to_administrators g
      where g.team_id in (select h ->> 0 from jsonb_array_elements(held) h)),
    'beyond', (select coalesce(jsonb_agg(b), '[]') from private.beyond(held) b),
    'keepers', (select coalesce(jsonb_agg(k), '[]') from private.keepers(held) k))::text, true);
end $$;

-- Rules 2 and 3, for a change that ends.
create function private.take_from_administrators(p_change jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  actor constant uuid := p_change ->> 'actor';
  taken jsonb;
  hers jsonb; -- teams of which she was an administrator, and is
begin
  select jsonb_agg(b) into taken
  from jsonb_to_recordset(p_change -> 'administrators') b (team_id text, campaign_id text, key text)
  where not exists (
    select from private.given_to_administrators g
    where g.team_id = b.team_id and g.key = b.key and (g.campaign_id is null or g.campaign_id = b.campaign_id));
  if taken is null then return; end if;
  select coalesce(jsonb_agg(m.team_id), '[]') into hers from private.active_members m
  where m.user_id = actor and m.is_team_admin and p_change -> 'administers' ? m.team_id;
  if exists (
    with own as materialized (
      select g.team_id, g.campaign_id, g.key from private.grants g where g.user_id = actor
    ),
    closed as materialized ( -- campaigns that an administrator reaches, in whatever way, and she does not
      select g.team_id, g.campaign_id
      from private.given g
      join private.role_receivers p on p.user_id = g.user_id and p.team_id = g.team_id
      join public.roles r on r.id = p.role_id
      where g.with_role and g.campaign_id is not null and g.key is null and r.scope = 'inherit_team'
        and g.team_id in (select t ->> 'team_id' from jsonb_array_elements(taken) t)
      except
      select o.team_id, o.campaign_id from own o where o.key is null
    )
    select from jsonb_to_recordset(taken) t (team_id text, campaign_id text, key text)
    where not exists (
        select from own o where o.team_id = t.team_id and o.campaign_id is null and o.key = 'roles.manage')
      or exists (
        select from closed c
        where c.team_id = t.team_id and (t.campaign_id is null or c.campaign_id = t.campaign_id))
      or not hers ? t.team_id and not exists (
        select from own o
        where o.team_id = t.team_id and o.key = t.key and (o.campaign_id is null or o.campaign_id = t.campaign_id)))
  then
    perform private.refuse('not-yours-to-take', 'Nobody takes a permission from administrators that she could not give back.');
  end if;
  insert into private.taken_from_administrators (user_id, team_id, campaign_id, key)
  select actor, t.team_id, t.campaign_id, t.key
  from jsonb_to_recordset(taken) t (team_id text, campaign_id text, key text)
  where hers ? t.team_id
  on conflict do nothing;
end $$;
revoke execute on function private.take_from_administrators from public, anon, authenticated;

-- As before, and the rules above.
create or replace function private.close_change(p_gains boolean default true) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  change jsonb := current_setting('signet.change')::jsonb;
  held jsonb := change -> 'held';
  lost text;
begin
  perform set_config('signet.change', '', true);
  select min(k.what) into lost -- 'administrator' comes first
  from jsonb_to_recordset(change -> 'keepers') k (team_id text, what text)
  where not exists (select from private.keepers(held) n where n.team_id = k.team_id and n.what = k.what);
  if lost = 'administrator' then
    perform private.refuse('last-administrator', 'A team keeps an active administrator.');
  elsif lost = 'administrators manage' then
    perform private.refuse('administrators-stripped', 'The administrators of a team keep managing its members and roles.');
  elsif lost is not null then
    perform private.refuse('nobody-left', 'A team keeps somebody who manages its members and roles.');
  end if;
  if p_gains and exists (
    select * from private.beyond(held)
    except
    select * from jsonb_to_recordset(change -> 'beyond') b (
      look int, opens boolean, user_id uuid, team_id text, campaign_id text, key text))
  then
    perform private.refuse('more-than-own', 'Nobody gives a permission that she does not hold herself.');
  end if;
  perform private.take_from_administrators(change);
end $$;

-- As before, and what may be given back counts as held: else a campaign could be brought in while it is taken.
create or replace function private.guard_campaign_of_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select auth.uid()) is not null
    and not exists (
      select from public.campaigns c
      where c.id = new.campaign_id and c.created_by = (select auth.uid()) and not exists (
        select from public.campaign_team t where t.campaign_id = c.id and t.team_id <> new.team_id))
    and exists (
      (select k.key
      from (
        select t.permission_set_id from public.team_p_sets t where t.team_id = new.team_id
        union all
        select t.permission_set_id from public.campaign_team_sets t
        where t.team_id = new.team_id and t.campaign_id = new.campaign_id
      ) b
      join public.permission_set_keys k on k.permission_set_id = b.permission_set_id
      union all
      select t.key from private.taken_from_administrators t
      where t.team_id = new.team_id and (t.campaign_id is null or t.campaign_id = new.campaign_id))
      except
      select unnest(p.keys) from private.places((select auth.uid())) p
      where p.campaign_id = new.campaign_id and p.team_id <> new.team_id)
  then
    perform private.refuse('more-than-own', 'Nobody gives a permission that she does not hold herself.');
  end if;
  return null;
end $$;
