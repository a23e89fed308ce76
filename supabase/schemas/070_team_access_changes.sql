-- Changes of who may do what, made by people in their own name: what row-level security lets them write, what holds
-- whichever way they write it, and the one function that makes a change whole or not at all, or previews it.

-- ── What signed-in users may write ─────────────────────────────────────────────────────────────────────────────────

grant update (role_id, status), delete on public.team_users to authenticated;
create policy "others', with members.manage" on public.team_users for update to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m) and user_id <> (select private.me()))
  with check (team_id in (select m.team_id from private.manages('members.manage') m));
create policy "others', with members.manage: delete" on public.team_users for delete to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m) and user_id <> (select private.me()));
create policy "one's own active one: to leave" on public.team_users for delete to authenticated
  using (user_id = (select private.me()) and status = 'active');

grant update (name, time_zone, locale, lines_per_sheet) on public.teams to authenticated;
create policy "with members.manage: update" on public.teams for update to authenticated
  using (id in (select m.team_id from private.manages('members.manage') m));

grant insert, update (role_id), delete on public.campaign_user_roles_team to authenticated;
create policy "with members.manage: insert" on public.campaign_user_roles_team for insert to authenticated
  with check ((team_id, campaign_id) in (select m.team_id, m.campaign_id from private.manages('members.manage') m));
create policy "with members.manage: delete" on public.campaign_user_roles_team for delete to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m));
create policy "with members.manage: update" on public.campaign_user_roles_team for update to authenticated
  using ((team_id, campaign_id) in (select m.team_id, m.campaign_id from private.manages('members.manage') m));

grant insert, delete on public.campaign_user_team_sets to authenticated;
create policy "with members.manage: insert" on public.campaign_user_team_sets for insert to authenticated
  with check ((team_id, campaign_id) in (select m.team_id, m.campaign_id from private.manages('members.manage') m));
create policy "with members.manage: delete" on public.campaign_user_team_sets for delete to authenticated
  using (team_id in (select m.team_id from private.manages('members.manage') m));

-- Built-in roles and sets have no team, so nobody changes them.
grant insert (team_id, name, scope), update (name), delete on public.roles to authenticated;
create policy "own, with roles.manage: insert" on public.roles for insert to authenticated
  with check (team_id in (select m.team_id from private.manages('roles.manage') m));
create policy "own, with roles.manage: update" on public.roles for update to authenticated
  using (team_id in (select m.team_id from private.manages('roles.manage') m));
create policy "own, with roles.manage: delete" on public.roles for delete to authenticated
  using (team_id in (select m.team_id from private.manages('roles.manage') m));

grant insert (team_id, name, description), update (name, description), delete on public.permission_sets to authenticated;
create policy "own, with roles.manage: insert" on public.permission_sets for insert to authenticated
  with check (team_id in (select m.team_id from private.manages('roles.manage') m));
create policy "own, with roles.manage: update" on public.permission_sets for update to authenticated
  using (team_id in (select m.team_id from private.manages('roles.manage') m));
create policy "own, with roles.manage: delete" on public.permission_sets for delete to authenticated
  using (team_id in (select m.team_id from private.manages('roles.manage') m));

grant insert, delete on public.permission_set_keys, public.role_p_sets, public.team_p_sets, public.campaign_team_sets
  to authenticated;
create policy "own, with roles.manage: insert" on public.permission_set_keys for insert to authenticated
  with check (permission_set_id in (
    select s.id from public.permission_sets s where s.team_id in (select m.team_id from private.manages('roles.manage') m)));
create policy "own, with roles.manage: delete" on public.permission_set_keys for delete to authenticated
  using (permission_set_id in (
    select s.id from public.permission_sets s where s.team_id in (select m.team_id from private.manages('roles.manage') m)));

create policy "own, with roles.manage: insert" on public.role_p_sets for insert to authenticated
  with check (role_id in (
    select r.id from public.roles r where r.team_id in (select m.team_id from private.manages('roles.manage') m)));
create policy "own, with roles.manage: delete" on public.role_p_sets for delete to authenticated
  using (role_id in (
    select r.id from public.roles r where r.team_id in (select m.team_id from private.manages('roles.manage') m)));

create policy "own, with roles.manage: insert" on public.team_p_sets for insert to authenticated
  with check (team_id in (select m.team_id from private.manages('roles.manage') m));
create policy "own, with roles.manage: delete" on public.team_p_sets for delete to authenticated
  using (team_id in (select m.team_id from private.manages('roles.manage') m));

create policy "own, with roles.manage: insert" on public.campaign_team_sets for insert to authenticated
  with check ((team_id, campaign_id) in (select m.team_id, m.campaign_id from private.manages('roles.manage') m));
create policy "own, with roles.manage: delete" on public.campaign_team_sets for delete to authenticated
  using ((team_id, campaign_id) in (select m.team_id, m.campaign_id from private.manages('roles.manage') m));

-- A campaign opens for people and is theirs to run, so it comes with members.manage.
grant insert (id, name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet),
  update (name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet, search_profile, archived_at)
  on public.campaigns to authenticated;
create policy "with members.manage in the team that runs it: insert" on public.campaigns for insert to authenticated
  with check (created_by = (select private.me())
    and team_id in (select m.team_id from private.manages('members.manage') m));
-- Whom it may be handed over to, `guard_hand_over` says.
create policy "with members.manage in the team that runs it: update" on public.campaigns for update to authenticated
  using ((team_id, id) in (select m.team_id, m.campaign_id from private.manages('members.manage') m)) with check (true);

create function private.campaigns_without_team() returns table (team_id text, campaign_id text)
language sql stable security definer set search_path = ''
as $$
  select c.team_id, c.id from public.campaigns c
  where c.created_by = (select private.me()) and c.id not in (select t.campaign_id from public.campaign_team t)
$$;
comment on function private.campaigns_without_team is 'The signed-in user''s own new campaigns, with the teams that run them.';
grant execute on function private.campaigns_without_team to authenticated, service_role;

-- A campaign is brought into the team that runs it by its maker, and into others by one who manages it in that team. What
-- was kept for her in a campaign that has left this team, or never was in it, does not count: it would open the campaign
-- for the team's administrators. Each team but the one that runs it may leave.
grant insert, delete on public.campaign_team to authenticated;
create policy "one's own new ones, or those that one manages in the team that runs them" on public.campaign_team for insert
  to authenticated with check (
    team_id in (select m.team_id from private.manages('members.manage') m)
    and ((team_id, campaign_id) in (select n.team_id, n.campaign_id from private.campaigns_without_team() n)
      or campaign_id in (
        select c.id from public.campaigns c
        where c.team_id <> campaign_team.team_id
          and (c.team_id, c.id) in (select m.team_id, m.campaign_id from private.manages('members.manage') m))));
create policy "those that another team runs, with members.manage" on public.campaign_team for delete to authenticated
  using ((team_id, campaign_id) in (select m.team_id, m.campaign_id from private.manages('members.manage') m)
    and team_id <> (select c.team_id from public.campaigns c where c.id = campaign_team.campaign_id));

-- ── What holds whichever way people write ──────────────────────────────────────────────────────────────────────────

-- Ends a change: what it has done so far is undone, and `change_access` answers the outcome.
create function private.refuse(p_outcome text, p_message text default 'This may not be changed.') returns void
language plpgsql set search_path = ''
as $$
begin
  raise exception '%', p_message using errcode = 'SG001', constraint = p_outcome;
end $$;
grant execute on function private.refuse to authenticated, service_role;

-- What others hold or are given beyond an actor in the teams that she manages. p_held has her own grants there as
-- [team, campaign, key]. A key is beyond her in a place where she does not hold it (as snapshots say, reached or not); a
-- place, without a key, when it is not open to her; and a key counts again, as `opens`, where its holder reaches the place
-- and the actor lacks the key or the place. Looked at thrice: what is in force; what would be if everyone were active, whoever
-- is invited too; and what they have of their own in campaigns, which another role may have to give them already or may set
-- aside. So nothing that one manager gives waits for another to bring it into force, who never saw it.
create function private.beyond(p_held jsonb)
returns table (look text, opens boolean, user_id uuid, team_id text, campaign_id text, key text)
language sql stable set search_path = ''
as $$
  with actor as materialized (
    select h ->> 0 as team_id, h ->> 1 as campaign_id, h ->> 2 as key from jsonb_array_elements(p_held) h
  ),
  missing as materialized ( -- keys that she does not hold in the whole team
    select a.team_id, k.key from (select distinct actor.team_id from actor) a cross join public.permission_keys k
    except
    select a.team_id, a.key from actor a where a.campaign_id is null
  ),
  closed as materialized ( -- campaigns that are, or would be, open to somebody and not to her
    select e.team_id, e.campaign_id from private.entitlements e
    where e.rule = 5 and e.applies and e.team_id in (select a.team_id from actor a)
    except
    select a.team_id, a.campaign_id from actor a where a.key is null
  ),
  teams as materialized (select m.team_id from missing m union select c.team_id from closed c),
  given as materialized ( -- nothing to read where nothing is beyond her
    select l.look, s.user_id, s.team_id, s.campaign_id, s.key
    from private.sources s
    cross join lateral (values ('in force', s.in_force), ('if active', s.applies), ('of her own', s.own)) l (look, counts)
    where l.counts and (s.key is not null or s.rule in (2, 5)) and s.team_id in (select t.team_id from teams t)
  ),
  held as materialized (
    select h.*
    from (
      select g.look, g.user_id, g.team_id, g.campaign_id, g.key
      from given g where (g.team_id, g.key) in (select m.team_id, m.key from missing m)
      union -- what one holds in the team counts in each of its campaigns that one has anything in
      select g.look, g.user_id, g.team_id, p.campaign_id, g.key
      from given g
      join given p on p.look = g.look and p.user_id = g.user_id and p.team_id = g.team_id and p.campaign_id is not null
      where g.campaign_id is null and (g.team_id, g.key) in (select m.team_id, m.key from missing m)
    ) h
    where not exists (
      select from actor a where a.team_id = h.team_id and a.campaign_id = h.campaign_id and a.key = h.key)
  ),
  reached as materialized (
    select distinct g.look, g.user_id, g.team_id, g.campaign_id from given g where g.key is null
  ),
  reached_beyond as materialized (
    select r.* from reached r join closed c on c.team_id = r.team_id and c.campaign_id = r.campaign_id
  )
  select h.look, false, h.user_id, h.team_id, h.campaign_id, h.key from held h
  union
  select h.look, true, h.user_id, h.team_id, h.campaign_id, h.key
  from held h join reached r on r.look = h.look and r.user_id = h.user_id and r.team_id = h.team_id
    and coalesce(r.campaign_id, '') = coalesce(h.campaign_id, '')
  union
  select r.look, true, r.user_id, r.team_id, r.campaign_id, g.key
  from reached_beyond r
  join given g on g.look = r.look and g.user_id = r.user_id and g.team_id = r.team_id
    and (g.campaign_id = r.campaign_id or g.campaign_id is null and g.key is not null)
$$;

-- Who may take from administrators what a team gives them. Three rules; SQL and the service role are the operator's, and not
-- judged:
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
create trigger forget_taken after insert or update on public.team_users
for each statement execute function private.forget_taken();
create trigger forget_taken after insert or update on public.roles
for each statement execute function private.forget_taken();
create trigger forget_taken after insert or update on public.team_p_sets
for each statement execute function private.forget_taken();
create trigger forget_taken after insert or update on public.campaign_team_sets
for each statement execute function private.forget_taken();
create trigger forget_taken after insert or update on public.permission_set_keys
for each statement execute function private.forget_taken();

-- What a team must not lose: an active administrator, somebody who manages members, and roles, and an active administrator who
-- manages both.
create function private.keepers(p_held jsonb) returns table (team_id text, what text)
language sql stable set search_path = ''
as $$
  with teams as materialized (select distinct h ->> 0 as id from jsonb_array_elements(p_held) h)
  select m.team_id, 'administrator' from private.active_members m join teams t on t.id = m.team_id where m.is_team_admin
  union
  select g.team_id, g.key from private.grants g join teams t on t.id = g.team_id
  where g.campaign_id is null and g.key in ('members.manage', 'roles.manage')
  union
  select s.team_id, 'administrators manage' from private.sources s join teams t on t.id = s.team_id
  where s.in_force and s.is_team_admin and s.campaign_id is null and s.key in ('members.manage', 'roles.manage')
  group by s.team_id, s.user_id having count(distinct s.key) = 2
$$;

-- Remembers, until `close_change`, how it is before an actor's change: p_whole for one of several statements.
create function private.open_change_of(p_actor_id uuid, p_whole boolean) returns void
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
    where k.user_id = p_actor_id and k.campaign_id is null and k.key in ('members.manage', 'roles.manage')
    union all -- an administrator who manages nothing may still be the last one who leaves
    select m.team_id from private.active_members m where m.user_id = p_actor_id and m.is_team_admin);
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
      select e.team_id, e.campaign_id
      from private.entitlements e
      where e.rule = 5 and e.is_team_admin and e.applies
        and e.team_id in (select t ->> 'team_id' from jsonb_array_elements(taken) t)
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

-- Compares with how it was at `open_change_of`, and refuses what must not be: nobody gives a key or a place that she does
-- not have (as she was before the change, so that nobody gives it to herself first), a team keeps its keepers, and nobody takes
-- from administrators what she could not give back.
create function private.close_change(p_gains boolean default true) returns void
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
      look text, opens boolean, user_id uuid, team_id text, campaign_id text, key text))
  then
    perform private.refuse('more-than-own', 'Nobody gives a permission that she does not hold herself.');
  end if;
  perform private.take_from_administrators(change);
end $$;
grant execute on function private.close_change to authenticated;

create function private.open_change() returns void
language sql security definer set search_path = ''
as $$
  select private.open_change_of(private.me(), true)
$$;
grant execute on function private.open_change to authenticated;

-- One statement of a signed-in user is a change of its own, unless it is part of one. What it deletes by cascade is part of
-- it, and done when the first of its triggers comes here after it.
create function private.guard_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  change text := nullif(current_setting('signet.change', true), '');
begin
  if tg_when = 'BEFORE' and change is null and (select private.me()) is not null then
    perform private.open_change_of(private.me(), false);
  elsif tg_when = 'AFTER' and not (change::jsonb ->> 'whole')::boolean then
    perform private.close_change();
  end if;
  return null;
end $$;
-- Not `campaign_team`, which has a guard of its own; and of `roles` people change the name alone.
do $$
declare
  name text;
begin
  foreach name in array array[
    'team_users', 'team_p_sets', 'role_p_sets', 'permission_set_keys', 'campaign_user_roles_team',
    'campaign_user_team_sets', 'campaign_team_sets'
  ] loop
    execute format('
      create trigger guard_before before insert or update or delete on public.%1$I
      for each statement execute function private.guard_change();
      create trigger guard_change after insert or update or delete on public.%1$I
      for each statement execute function private.guard_change()', name);
  end loop;
end $$;
create trigger guard_before before insert on public.invitations
for each statement execute function private.guard_change();
create trigger guard_change after insert on public.invitations
for each statement execute function private.guard_change();

-- People delete only what nobody has. What a role or a set bundles goes first, while it can be told whose it was.
create function private.delete_unused() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'roles' then
    if (select private.me()) is not null and (
      exists (select from private.members m where m.role_id = old.id)
      or exists (select from public.campaign_user_roles_team t where t.role_id = old.id)
      or exists (select from public.invitations i
        where i.team_id = old.team_id and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
          and i.campaigns @> jsonb_build_array(jsonb_build_object('roleId', old.id))))
    then
      perform private.refuse('in-use', 'Members hold this role, or somebody is invited to it.');
    end if;
    delete from public.role_p_sets where role_id = old.id;
  else
    if (select private.me()) is not null and (
      exists (select from public.team_p_sets t where t.permission_set_id = old.id)
      or exists (select from public.role_p_sets t where t.permission_set_id = old.id)
      or exists (select from public.campaign_team_sets t where t.permission_set_id = old.id)
      or exists (select from public.campaign_user_team_sets t where t.permission_set_id = old.id))
    then
      perform private.refuse('in-use', 'Roles, administrators or members have this permission set.');
    end if;
    delete from public.permission_set_keys where permission_set_id = old.id;
  end if;
  return old;
end $$;
create trigger delete_unused before delete on public.roles
for each row execute function private.delete_unused();
create trigger delete_unused before delete on public.permission_sets
for each row execute function private.delete_unused();

-- A campaign that is brought into a team opens for its administrators, with all that they are given in it, or that may be
-- given back to them. All of that must be the bringer's own in the campaign already, by another of its teams; her own new
-- campaign, which nobody has yet, she opens as it is.
create function private.guard_campaign_of_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select private.me()) is not null
    and not exists (
      select from public.campaigns c
      where c.id = new.campaign_id and c.created_by = (select private.me()) and not exists (
        select from public.campaign_team t where t.campaign_id = c.id and t.team_id <> new.team_id))
    and exists (
      (select g.key from private.given_to_administrators g
      where g.team_id = new.team_id and (g.campaign_id is null or g.campaign_id = new.campaign_id)
      union all
      select t.key from private.taken_from_administrators t
      where t.team_id = new.team_id and (t.campaign_id is null or t.campaign_id = new.campaign_id))
      except
      select unnest(p.keys) from private.places((select private.me())) p
      where p.campaign_id = new.campaign_id and p.team_id <> new.team_id)
  then
    perform private.refuse('more-than-own', 'Nobody gives a permission that she does not hold herself.');
  end if;
  return null;
end $$;
create trigger guard_campaign after insert on public.campaign_team
for each row execute function private.guard_campaign_of_team();

-- The policy read who runs it before the statement waited for others; this looks again.
create function private.keep_running_team() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select private.me()) is not null
    and exists (select from public.campaigns c where c.id = old.campaign_id and c.team_id = old.team_id)
  then
    perform private.refuse('runs-it', 'The team that runs a campaign hands it over first.');
  end if;
  return old;
end $$;
create trigger keep_running_team before delete on public.campaign_team
for each row execute function private.keep_running_team();

-- With a campaign that leaves a team goes what the team's members were given in it, which would keep it open to them (rule 5).
create function private.take_out_members() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select private.me()) is not null then
    delete from public.campaign_user_roles_team where team_id = old.team_id and campaign_id = old.campaign_id;
    delete from public.campaign_user_team_sets where team_id = old.team_id and campaign_id = old.campaign_id;
  end if;
  return null;
end $$;
create trigger take_out_members after delete on public.campaign_team
for each row execute function private.take_out_members();

-- A campaign is handed over to a team that works on it already.
create function private.guard_hand_over() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select private.me()) is not null
    and not exists (select from public.campaign_team t where t.team_id = new.team_id and t.campaign_id = new.id)
  then
    perform private.refuse('not-attached', 'A campaign is run by a team that works on it.');
  end if;
  return new;
end $$;
create trigger guard_hand_over before update of team_id on public.campaigns
for each row when (old.team_id <> new.team_id) execute function private.guard_hand_over();

-- A search profile stands for credentials, which the operator gives to teams. What a campaign has already, it keeps.
create function private.guard_search_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select private.me()) is not null and not exists (
    select from public.team_search_profiles p where p.team_id = new.team_id and p.profile = new.search_profile)
  then
    perform private.refuse('search-not-given', 'A campaign searches with a profile that its team was given.');
  end if;
  return new;
end $$;
create trigger guard_search_profile before update of team_id, search_profile on public.campaigns
for each row when (new.search_profile is not null
  and (new.team_id, new.search_profile) is distinct from (old.team_id, old.search_profile))
execute function private.guard_search_profile();

-- An invitation is what makes a membership invited.
create function private.keep_invited() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select private.me()) is not null then perform private.refuse('stale', 'Nobody is made invited: she is invited by a link.'); end if;
  return new;
end $$;
create trigger keep_invited before update of status on public.team_users
for each row when (old.status <> 'invited' and new.status = 'invited') execute function private.keep_invited();

-- ── Making a change ────────────────────────────────────────────────────────────────────────────────────────────────

-- These run as the signed-in user, so that policies decide again. They answer whether anything was to change, and refuse
-- what is not as its `before` says.

create function private.sorted(p_list jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(distinct e collate "C" order by e collate "C"), '[]') from jsonb_array_elements_text(p_list) e
$$;

-- Whether there is something to change, in what is `p_now`. Refuses what is gone, and what is not as the change says.
create function private.to_change(p_now jsonb, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
begin
  if p_now is null then perform private.refuse('gone'); end if;
  if p_now = p_after then return false; end if;
  if p_now <> p_before then perform private.refuse('stale'); end if;
  return true;
end $$;

create function private.change_members(p_team_id text, p_members jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  differing int;
  stale int;
begin
  if exists (select from jsonb_to_recordset(p_members) w ("userId" uuid) where w."userId" = private.me()) then
    perform private.refuse('own-membership');
  end if;
  select count(*) filter (where t.now is distinct from w.after),
    count(*) filter (where t.now is distinct from w.after and t.now is distinct from w.before)
  into differing, stale
  from jsonb_to_recordset(p_members) w ("userId" uuid, before jsonb, after jsonb)
  left join lateral (
    select jsonb_build_object('roleId', t.role_id, 'status', t.status) as now
    from public.team_users t where t.team_id = p_team_id and t.user_id = w."userId"
  ) t on true;
  if stale > 0 then perform private.refuse('stale'); end if;
  update public.team_users t set role_id = (w.after ->> 'roleId')::uuid, status = w.after ->> 'status'
  from jsonb_to_recordset(p_members) w ("userId" uuid, after jsonb)
  where t.team_id = p_team_id and t.user_id = w."userId" and w.after is not null
    and (t.role_id, t.status) is distinct from ((w.after ->> 'roleId')::uuid, w.after ->> 'status');
  delete from public.team_users t using jsonb_to_recordset(p_members) w ("userId" uuid, after jsonb)
  where t.team_id = p_team_id and t.user_id = w."userId" and w.after is null;
  return differing > 0;
end $$;

create function private.change_campaign_access(p_team_id text, p_places jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  differing int;
  stale int;
begin
  with asked as (
    select jsonb_build_object('roleId', w.before -> 'roleId', 'setIds', private.sorted(w.before -> 'setIds')) as before,
      jsonb_build_object('roleId', w.after -> 'roleId', 'setIds', private.sorted(w.after -> 'setIds')) as after,
      jsonb_build_object(
        'roleId', (select r.role_id from public.campaign_user_roles_team r
          where r.user_id = w."userId" and r.team_id = p_team_id and r.campaign_id = w.campaign),
        'setIds', private.sorted((select coalesce(jsonb_agg(s.permission_set_id), '[]') from public.campaign_user_team_sets s
          where s.user_id = w."userId" and s.team_id = p_team_id and s.campaign_id = w.campaign))) as now
    from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, before jsonb, after jsonb)
  )
  select count(*) filter (where a.now <> a.after), count(*) filter (where a.now <> a.after and a.now <> a.before)
  into differing, stale from asked a;
  if stale > 0 then perform private.refuse('stale'); end if;
  insert into public.campaign_user_roles_team as t (user_id, team_id, campaign_id, role_id)
  select w."userId", p_team_id, w.campaign, (w.after ->> 'roleId')::uuid
  from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  where w.after ->> 'roleId' is not null
  on conflict (user_id, team_id, campaign_id) do update set role_id = excluded.role_id
  where t.role_id <> excluded.role_id;
  insert into public.campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
  select w."userId", p_team_id, w.campaign, s::uuid
  from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb),
    jsonb_array_elements_text(w.after -> 'setIds') s
  on conflict do nothing;
  delete from public.campaign_user_roles_team t
  using jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  where t.user_id = w."userId" and t.team_id = p_team_id and t.campaign_id = w.campaign and w.after ->> 'roleId' is null;
  delete from public.campaign_user_team_sets t
  using jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  where t.user_id = w."userId" and t.team_id = p_team_id and t.campaign_id = w.campaign
    and not w.after -> 'setIds' @> to_jsonb(t.permission_set_id::text);
  return differing > 0;
end $$;

-- Gives a table of pairs the wanted values of p_column for one owner, the columns in p_owner.
create function private.change_bundle(p_table text, p_owner jsonb, p_column text, p_before jsonb, p_after jsonb)
returns boolean
language plpgsql set search_path = ''
as $$
declare
  own text := (select string_agg(format('%I = %L', o.key, o.value), ' and ') from jsonb_each_text(p_owner) o);
  now jsonb;
begin
  execute format('select coalesce(jsonb_agg(%I), ''[]'') from public.%I where %s', p_column, p_table, own) into now;
  if not private.to_change(private.sorted(now), private.sorted(p_before), private.sorted(p_after)) then return false; end if;
  execute format('insert into public.%1$I select (jsonb_populate_record(null::public.%1$I,
    $1 || jsonb_build_object(%2$L, e))).* from jsonb_array_elements_text($2) e on conflict do nothing', p_table, p_column)
    using p_owner, p_after;
  execute format('delete from public.%I where %s and not $1 @> to_jsonb(%I::text)', p_table, own, p_column) using p_after;
  return true;
end $$;

create function private.change_campaign(p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  id_of_team text := p_change ->> 'team';
  id_of_campaign text := p_change ->> 'campaign';
  after jsonb := p_change -> 'after';
  now jsonb;
begin
  if p_change ->> 'kind' = 'create-campaign' then
    insert into public.campaigns (id, name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet)
    select id_of_campaign, after ->> 'name', id_of_team,
      (after ->> 'signatureGoal')::int, (after ->> 'startsOn')::date, (after ->> 'endsOn')::date, t.lines_per_sheet
    from public.teams t where t.id = id_of_team;
    insert into public.campaign_team (team_id, campaign_id) values (id_of_team, id_of_campaign);
    return true;
  end if;
  if p_change ->> 'kind' = 'attach-campaign' then
    insert into public.campaign_team (team_id, campaign_id)
    select id_of_team, id_of_campaign
    where not exists (select from public.campaign_team t where t.team_id = id_of_team and t.campaign_id = id_of_campaign);
    return found;
  end if;
  if p_change ->> 'kind' = 'detach-campaign' then
    if exists (select from public.campaigns c where c.id = id_of_campaign and c.team_id = id_of_team) then
      perform private.refuse('runs-it');
    end if;
    delete from public.campaign_team where team_id = id_of_team and campaign_id = id_of_campaign;
    if not found then perform private.refuse('gone'); end if;
    return true;
  end if;
  if exists (select from public.campaigns c where c.id = id_of_campaign and c.team_id <> id_of_team) then
    perform private.refuse('not-allowed');
  end if;
  if p_change ->> 'kind' = 'hand-over-campaign' then
    update public.campaigns set team_id = p_change ->> 'to' where id = id_of_campaign and team_id <> p_change ->> 'to';
    if not found then perform private.refuse('gone'); end if;
    return true;
  end if;
  select jsonb_build_object('name', c.name, 'signatureGoal', c.signature_goal, 'startsOn', c.starts_on,
    'endsOn', c.ends_on, 'linesPerSheet', c.lines_per_sheet, 'searchProfile', c.search_profile,
    'archived', c.archived_at is not null) into now
  from public.campaigns c
  where c.id = id_of_campaign and (id_of_team, c.id) in (
    select m.team_id, m.campaign_id from private.manages('members.manage') m);
  if not private.to_change(now, p_change -> 'before', after) then return false; end if;
  update public.campaigns c set name = after ->> 'name', signature_goal = (after ->> 'signatureGoal')::int,
    starts_on = (after ->> 'startsOn')::date, ends_on = (after ->> 'endsOn')::date,
    lines_per_sheet = (after ->> 'linesPerSheet')::int, search_profile = after ->> 'searchProfile',
    archived_at = case when (after ->> 'archived')::boolean then coalesce(c.archived_at, now()) end
  where c.id = id_of_campaign;
  return true;
end $$;

create function private.change_team(p_team_id text, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  now jsonb;
begin
  select jsonb_build_object('name', t.name, 'timeZone', t.time_zone, 'locale', t.locale,
    'linesPerSheet', t.lines_per_sheet) into now
  from public.teams t where t.id = p_team_id;
  if not private.to_change(now, p_before, p_after) then return false; end if;
  update public.teams set name = p_after ->> 'name', time_zone = p_after ->> 'timeZone', locale = p_after ->> 'locale',
    lines_per_sheet = (p_after ->> 'linesPerSheet')::int
  where id = p_team_id;
  return true;
end $$;

create function private.change_role_or_set(p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  kind text := p_change ->> 'kind';
  team text := p_change ->> 'team';
  after jsonb := p_change -> 'after';
  now jsonb;
  new_set uuid;
begin
  case kind
    when 'create-role' then
      insert into public.roles (team_id, name, scope) values (team, p_change ->> 'name', p_change ->> 'scope');
    when 'create-set' then
      insert into public.permission_sets (team_id, name, description)
      values (team, after ->> 'name', after ->> 'description') returning id into new_set;
      insert into public.permission_set_keys (permission_set_id, key)
      select new_set, e from jsonb_array_elements_text(coalesce(p_change -> 'keys', '[]')) e;
    when 'delete-role' then
      delete from public.roles where id = (p_change ->> 'roleId')::uuid and team_id = team;
      if not found then perform private.refuse('gone'); end if;
    when 'delete-set' then
      delete from public.permission_sets where id = (p_change ->> 'setId')::uuid and team_id = team;
      if not found then perform private.refuse('gone'); end if;
    when 'rename-role' then
      select to_jsonb(r.name) into now from public.roles r where r.id = (p_change ->> 'roleId')::uuid and r.team_id = team;
      if not private.to_change(now, p_change -> 'before', after) then return false; end if;
      update public.roles set name = after #>> '{}' where id = (p_change ->> 'roleId')::uuid;
    when 'edit-set' then
      select jsonb_build_object('name', s.name, 'description', s.description) into now
      from public.permission_sets s where s.id = (p_change ->> 'setId')::uuid and s.team_id = team;
      if not private.to_change(now, p_change -> 'before', after) then return false; end if;
      update public.permission_sets set name = after ->> 'name', description = after ->> 'description'
      where id = (p_change ->> 'setId')::uuid;
  end case;
  return true;
end $$;

-- True when something was changed, false when all was so already. Raises what `refuse` raises.
create function private.apply_change(p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  kind text := p_change ->> 'kind';
  team text := p_change ->> 'team';
  needed text := case when kind in ('edit-team', 'members', 'campaigns', 'create-campaign', 'edit-campaign',
      'attach-campaign', 'detach-campaign', 'hand-over-campaign')
    then 'members.manage' else 'roles.manage' end;
  changed boolean := false;
  one jsonb;
begin
  if kind = 'leave-team' then -- needs no key
    delete from public.team_users t where t.team_id = team and t.user_id = private.me();
    if not found then perform private.refuse('gone'); end if;
    return true;
  end if;
  if not exists (select from private.manages(needed) m where m.team_id = team)
    or not exists (select from private.teams_managed() m (id) where m.id = team)
  then
    perform private.refuse('not-allowed');
  end if;
  case kind
    when 'edit-team' then
      return private.change_team(team, p_change -> 'before', p_change -> 'after');
    when 'members' then
      return private.change_members(team, p_change -> 'members');
    when 'campaigns' then
      return private.change_campaign_access(team, p_change -> 'places');
    when 'create-campaign', 'edit-campaign', 'attach-campaign', 'detach-campaign', 'hand-over-campaign' then
      return private.change_campaign(p_change);
    when 'role-sets' then
      if not exists (select from public.roles r where r.id = (p_change ->> 'roleId')::uuid and r.team_id = team) then
        perform private.refuse('gone');
      end if;
      return private.change_bundle('role_p_sets', jsonb_build_object('role_id', p_change ->> 'roleId'),
        'permission_set_id', p_change -> 'before', p_change -> 'after');
    when 'set-keys' then
      for one in select e from jsonb_array_elements(p_change -> 'sets') e loop
        if not exists (select from public.permission_sets s where s.id = (one ->> 'setId')::uuid and s.team_id = team) then
          perform private.refuse('gone');
        end if;
        changed := private.change_bundle('permission_set_keys', jsonb_build_object('permission_set_id', one ->> 'setId'),
          'key', one -> 'before', one -> 'after') or changed;
      end loop;
      return changed;
    when 'team-sets' then
      return private.change_bundle('team_p_sets', jsonb_build_object('team_id', team),
        'permission_set_id', p_change -> 'before', p_change -> 'after');
    when 'campaign-sets' then
      if (team, p_change ->> 'campaign') not in (
        select m.team_id, m.campaign_id from private.manages(needed) m where m.campaign_id is not null)
      then
        perform private.refuse('gone');
      end if;
      return private.change_bundle('campaign_team_sets',
        jsonb_build_object('team_id', team, 'campaign_id', p_change ->> 'campaign'),
        'permission_set_id', p_change -> 'before', p_change -> 'after');
    when 'create-role', 'rename-role', 'delete-role', 'create-set', 'edit-set', 'delete-set' then
      return private.change_role_or_set(p_change);
  end case;
end $$;

-- All places of a team's members, while a change of somebody who manages it is open; one's own alone for others.
create function private.places_of_team(p_team_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', u.user_id, 'campaign_id', p.campaign_id, 'keys', p.keys)), '[]')
  from private.active_members u
  cross join lateral private.places(u.user_id) p
  where u.team_id = p_team_id and p.team_id = p_team_id and (u.user_id = private.me() or p_team_id in (
    select h ->> 0 from jsonb_array_elements(nullif(current_setting('signet.change', true), '')::jsonb -> 'held') h))
$$;
grant execute on function private.places_of_team to authenticated;

-- Who gains and loses what from one answer of `places_of_team` to another (lib/team-access/access-effects.ts).
create function private.effects(p_before jsonb, p_after jsonb) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with places as (
    select coalesce(b.user_id, a.user_id) as user_id, coalesce(b.campaign_id, a.campaign_id) as campaign_id,
      case when b.keys is null then 'opens' when a.keys is null then 'closes' else 'stays' end as access,
      array(select k from unnest(a.keys) k where k <> all (coalesce(b.keys, '{}')) order by k collate "C") as gains,
      array(select k from unnest(b.keys) k where k <> all (coalesce(a.keys, '{}')) order by k collate "C") as losses
    from jsonb_to_recordset(p_before) b (user_id uuid, campaign_id text, keys text[])
    full join jsonb_to_recordset(p_after) a (user_id uuid, campaign_id text, keys text[])
      on a.user_id = b.user_id and coalesce(a.campaign_id, '') = coalesce(b.campaign_id, '')
  ),
  people as (
    select p.user_id, jsonb_agg(jsonb_build_object(
        'campaign', case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end,
        'access', p.access, 'gains', p.gains, 'losses', p.losses)
      order by p.campaign_id is not null, c.name, c.id) as places
    from places p left join public.campaigns c on c.id = p.campaign_id
    where p.access <> 'stays' or p.gains <> '{}' or p.losses <> '{}'
    group by p.user_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('userId', p.user_id, 'name', coalesce(n.name, ''), 'places', p.places)
    order by lower(n.name), p.user_id), '[]')
  from people p left join public.profiles n on n.user_id = p.user_id
$$;
grant execute on function private.effects to authenticated;

create function private.run_change(p_change jsonb, p_keep boolean) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  team text := p_change ->> 'team';
  changed boolean;
  before jsonb;
  after jsonb;
  refusal text;
begin
  perform private.lock_access();
  begin
    perform private.open_change();
    if not p_keep then before := private.places_of_team(team); end if;
    changed := private.apply_change(p_change);
    if not p_keep then after := private.places_of_team(team); end if;
    perform private.close_change(p_change ->> 'kind' not in ('create-campaign', 'attach-campaign'));
    if not p_keep then raise exception 'undo' using errcode = 'SG002'; end if;
  exception
    when sqlstate 'SG002' then null;
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when insufficient_privilege then
      refusal := 'not-allowed';
    when foreign_key_violation or check_violation then
      refusal := 'gone';
    when invalid_parameter_value then
      refusal := 'no-such-zone';
    when unique_violation then
      refusal := case p_change ->> 'kind' when 'create-campaign' then 'id-taken' else 'name-taken' end;
  end;
  if refusal is not null then return jsonb_build_object('outcome', refusal); end if;
  return jsonb_build_object('outcome', case when changed then 'done' else 'unchanged' end)
    || case when p_keep then '{}' else jsonb_build_object('effects', private.effects(before, after)) end;
end $$;

create function public.change_access(p_change jsonb) returns jsonb
language sql set search_path = ''
as $$
  select private.run_change(p_change, true)
$$;
comment on function public.change_access is
  'Makes a change (lib/team-access/access-change.ts) as the signed-in user, whole or not at all: {"outcome": "done" | "unchanged" | why not}.';
grant execute on function public.change_access to authenticated;

create function public.preview_access_change(p_change jsonb) returns jsonb
language sql set search_path = ''
as $$
  select private.run_change(p_change, false)
$$;
comment on function public.preview_access_change is
  'What change_access would answer, and whose access would differ: the change is made and rolled back.';
grant execute on function public.preview_access_change to authenticated;

grant execute on function
  private.sorted, private.to_change, private.change_members, private.change_campaign_access,
  private.change_bundle, private.change_campaign, private.change_team, private.change_role_or_set, private.apply_change, private.run_change
  to authenticated;
