-- Who may do what: the one place that decides (contract 4.1).

-- ── The rules ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- Principals have a role in a team: members of every status by their user's id, and open invitations by their own, as an
-- invitation grants its role in advance.
create view private.principals as
select p.principal_id, p.team_id, p.role_id, p.status, r.scope = 'inherit_team' as is_team_admin, -- rule 3
  p.ends_at, p.status = 'active' and (p.ends_at is null or p.ends_at > now()) as is_active
from (
  select t.user_id as principal_id, t.team_id, t.role_id, t.status, t.ends_at from public.team_users t
  union all
  select i.id, i.team_id, i.role_id, 'invited', null from public.invitations i
  where i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
) p
join public.roles r on r.id = p.role_id;

create view private.active_members as
select p.principal_id as user_id, p.team_id, p.role_id, p.is_team_admin, p.ends_at from private.principals p where p.is_active;
comment on view private.active_members is 'Rule 2: active memberships that haven''t ended.';

create view private.grant_sources (rule, source, for_administrators, is_personal) as values
  (2, 'team_users', null::boolean, false),
  (4, 'team_p_sets', true, false),
  (4, 'role_p_sets', false, false),
  (5, 'campaign_user_roles_team', null, true),
  (5, 'campaign_user_team_sets', null, true),
  (5, 'campaign_team', true, false),
  (7, 'campaign_team_sets', true, false),
  (7, 'role_p_sets', false, true),
  (7, 'campaign_user_team_sets', false, true);
comment on view private.grant_sources is
  'The sources of grants: the rule of the contract (2 and 5 open a team or a campaign, 4 and 7 grant keys) and its table, '
  'whether for administrators, for others, or for both (null), and whether its rows name the person.';

-- Each source for each principal: `applies` unless their role in the team excludes it, `in_force` if they are active too.
create view private.principal_sources as
select p.*, p.applies and p.is_active as in_force
from (
  select m.*, w.rule, w.source, w.is_personal, coalesce(w.for_administrators = m.is_team_admin, true) as applies
  from private.principals m cross join private.grant_sources w
) p;

-- The only statement of rules 2 to 7: the rows by which a source grants something to a member of a team with a role.
-- Everything that decides or explains access is a projection of it. A new source is a line above, with its rows here. Without
-- a `set`, so that it is planned with its caller; joined laterally, because joining each source to its own members takes
-- twice as long to plan, and planning is most of the time of a snapshot.
create function private.grant_rows(p_rule int, p_source text, p_user_id uuid, p_team_id text, p_role_id uuid)
returns table (campaign_id text, role_id uuid, permission_set_id uuid)
language sql stable
as $$
  select null::text, p_role_id, null::uuid where p_source = 'team_users'
  union all
  select null, null, b.permission_set_id from public.team_p_sets b where p_source = 'team_p_sets' and b.team_id = p_team_id
  union all
  select null, p_role_id, b.permission_set_id
  from (select) role left join public.role_p_sets b on b.role_id = p_role_id
  where p_source = 'role_p_sets' and p_rule = 4
  union all
  select c.campaign_id, c.role_id, null from public.campaign_user_roles_team c
  where p_source = 'campaign_user_roles_team' and c.user_id = p_user_id and c.team_id = p_team_id
    and (c.ends_at is null or c.ends_at > now())
  union all
  select c.campaign_id, null, c.permission_set_id from public.campaign_user_team_sets c
  where p_source = 'campaign_user_team_sets' and c.user_id = p_user_id and c.team_id = p_team_id
  union all
  select c.campaign_id, null, null from public.campaign_team c where p_source = 'campaign_team' and c.team_id = p_team_id
  union all
  select b.campaign_id, null, b.permission_set_id from public.campaign_team_sets b
  where p_source = 'campaign_team_sets' and b.team_id = p_team_id
  union all
  select c.campaign_id, c.role_id, b.permission_set_id
  from public.campaign_user_roles_team c left join public.role_p_sets b on b.role_id = c.role_id
  where p_source = 'role_p_sets' and p_rule = 7 and c.user_id = p_user_id and c.team_id = p_team_id
    and (c.ends_at is null or c.ends_at > now())
$$;

create view private.assignments as
select p.principal_id, p.team_id, r.campaign_id, p.rule, p.source, r.role_id, r.permission_set_id,
  p.is_team_admin, p.is_personal, p.applies, p.in_force
from private.principal_sources p
cross join lateral private.grant_rows(p.rule, p.source, p.principal_id, p.team_id, p.role_id) r;
comment on view private.assignments is
  'What each principal is assigned where, in force or not: a team or a campaign (rules 2 and 5), or a permission set (rules 4 '
  'and 7; null for a role without one).';

create view private.assigned_keys as
select a.*, k.key
from private.assignments a
left join public.permission_set_keys k on k.permission_set_id = a.permission_set_id and a.rule in (4, 7);
comment on view private.assigned_keys is
  'The same by key: one row per principal, place, source, set and key, in force or not. A set without keys has one row.';

create view private.administrator_grants as
select distinct t.id as team_id, g.campaign_id, k.key
from public.teams t
cross join private.grant_sources w
cross join lateral private.grant_rows(w.rule, w.source, null, t.id, null) g
join public.permission_set_keys k on k.permission_set_id = g.permission_set_id
where w.for_administrators and w.rule in (4, 7);
comment on view private.administrator_grants is 'What a team grants its administrators, even if it has none.';

create view private.grants as
select a.principal_id as user_id, a.team_id, a.campaign_id, a.key, a.rule, a.source, a.permission_set_id
from private.assigned_keys a
where a.in_force and (a.key is not null or a.rule in (2, 5));
comment on view private.grants is
  'What is in force, one row per reason: rules 2 and 5 (key is null) open the team or the campaign, rules 4 and 7 grant a key.';

create function public.permission_grants(p_user_id uuid, p_team_id text default null, p_campaign_id text default null)
returns table (key text, rule int, source text, permission_set_id uuid)
language sql stable -- without a `set`, so that it is planned with its caller and not at each call
as $$
  select null, 1, 'team_users', null
  from private.active_members m
  where p_team_id is null and m.user_id = p_user_id
  union all
  select g.key, g.rule, g.source, g.permission_set_id
  from private.grants g
  where g.user_id = p_user_id and g.team_id = p_team_id and (g.campaign_id is null or g.campaign_id = p_campaign_id)
$$;
comment on function public.permission_grants is
  'Why a user has access: one row per reason, with the rule of the contract, the table and the set that granted it.';

create function public.permissions_snapshot(
  p_user_id uuid, p_team_id text default null, p_campaign_id text default null
) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if p_campaign_id is not null and p_team_id is null then
    raise exception 'A campaign needs its team.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    select jsonb_build_object(
        'teamAccess', coalesce(bool_or(g.rule in (1, 2)), false),
        'permissionKeys', coalesce(
          jsonb_agg(distinct g.key collate "C" order by g.key collate "C") filter (where g.key is not null), '[]'))
      || case when p_campaign_id is null then '{}'
        else jsonb_build_object('campaignAccess', coalesce(bool_or(g.rule = 5), false)) end
    from public.permission_grants(p_user_id, p_team_id, p_campaign_id) g
  );
end $$;
comment on function public.permissions_snapshot is 'The contract''s PermissionsSnapshot (2.1), keys sorted.';

-- A user's places: each team and campaign they can open, with all their keys there.
create function private.places(p_user_id uuid)
returns table (team_id text, campaign_id text, keys text[])
language sql stable set search_path = ''
as $$
  with own_grants as materialized (
    select g.team_id, g.campaign_id, g.key, g.rule from private.grants g where g.user_id = p_user_id
  ),
  place_grants as (
    select g.team_id, g.campaign_id, g.key, g.rule in (2, 5) as reached from own_grants g
    union all
    select c.team_id, c.campaign_id, t.key, false -- team keys count in each campaign (rule 8)
    from (select distinct g.team_id, g.campaign_id from own_grants g where g.rule = 5) c
    join own_grants t on t.team_id = c.team_id and t.campaign_id is null
  )
  select p.team_id, p.campaign_id,
    coalesce(array_agg(distinct p.key collate "C" order by p.key collate "C") filter (where p.key is not null), '{}')
  from place_grants p
  group by p.team_id, p.campaign_id
  having bool_or(p.reached)
$$;

create function public.permission_places(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with places as materialized (select * from private.places(p_user_id))
  select jsonb_build_object('teams', coalesce(jsonb_agg(
    jsonb_build_object(
      'id', t.id, 'name', t.name, 'timeZone', t.time_zone, 'locale', t.locale,
      'secondFactorFrom', private.utc(t.second_factor_from), 'permissionKeys', p.keys,
      'campaigns', (
        select coalesce(jsonb_agg(
          jsonb_build_object('id', c.id, 'name', c.name, 'archivedAt', c.archived_at, 'permissionKeys', pc.keys,
            'canEdit', c.team_id = t.id and 'members.manage' = any (p.keys))
          order by lower(c.name), c.id), '[]')
        from places pc
        join public.campaigns c on c.id = pc.campaign_id
        where pc.team_id = t.id
      )
    ) order by lower(t.name), t.id), '[]'))
  from places p
  join public.teams t on t.id = p.team_id
  where p.campaign_id is null
$$;
comment on function public.permission_places is
  'All teams and campaigns a user can open; the keys of each place are those of its snapshot. `canEdit` says whether they may '
  'change the settings of a campaign.';

-- In plpgsql, which caches plans: planning the access rules takes longer than running them.
create function private.has_key(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(bool_or(g.rule = case when p_campaign_id is null then 2 else 5 end) and bool_or(g.key = p_key), false)
    from public.permission_grants(p_user_id, p_team_id, p_campaign_id) g
  );
end $$;
comment on function private.has_key is
  'Whether a user can open a team, or a campaign of it, and has a key there, as in their snapshot.';

-- A person may use the search backend of any campaign they may search in.
create function public.searches_with_profile(p_user_id uuid, p_profile text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.places(p_user_id) p
    join public.campaigns c on c.id = p.campaign_id
    where c.search_profile = p_profile and 'voters.search' = any (p.keys))
$$;
comment on function public.searches_with_profile is
  'Whether a person has voters.search in a campaign with this search profile.';

-- In plpgsql for the same reason as has_key.
create function private.reached_campaigns(p_user_id uuid, p_team_id text) returns text[]
language plpgsql stable set search_path = ''
as $$
begin
  return array(
    select distinct g.campaign_id from private.grants g
    where g.user_id = p_user_id and g.team_id = p_team_id and g.rule = 5);
end $$;
comment on function private.reached_campaigns is 'The campaigns a user can open in a team.';

grant select on private.principals, private.active_members, private.grant_sources, private.assigned_keys, private.grants
  to service_role;
