-- What the screens of team administration show: roles and what they bundle, members with what they hold by name, and why
-- somebody may do something. Read on the server after a guard, hence for the service role alone.

create function public.permission_why(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns jsonb
language sql stable set search_path = ''
as $$
  with grants as materialized (
    select * from public.permission_grants(p_user_id, p_team_id, p_campaign_id)
  ),
  member as (
    select t.status, t.role_id, r.name as role, r.scope = 'inherit_team' as is_administrator
    from public.team_users t join public.roles r on r.id = t.role_id
    where t.user_id = p_user_id and t.team_id = p_team_id
  ),
  campaign_role as (
    select r.id, r.name from public.campaign_user_roles_team c join public.roles r on r.id = c.role_id
    where c.user_id = p_user_id and c.team_id = p_team_id and c.campaign_id = p_campaign_id
  ),
  -- Each source that a rule reads, with whom it is for.
  sources as (
    select s.* from (values
      (1, 2, 'team_users', null::boolean),
      (2, 4, 'team_p_sets', true),
      (3, 4, 'role_p_sets', false),
      (4, 5, 'campaign_user_roles_team', null),
      (5, 5, 'campaign_user_team_sets', null),
      (6, 5, 'campaign_team', true),
      (7, 7, 'campaign_team_sets', true),
      (8, 7, 'role_p_sets', false),
      (9, 7, 'campaign_user_team_sets', false)
    ) as s (place, rule, source, for_administrators)
    where s.rule < 5 or p_campaign_id is not null
  ),
  bundles as (
    select 2 as place, b.permission_set_id from public.team_p_sets b where b.team_id = p_team_id
    union all
    select 3, b.permission_set_id from member m join public.role_p_sets b on b.role_id = m.role_id
    union all
    select 7, b.permission_set_id from public.campaign_team_sets b
    where b.team_id = p_team_id and b.campaign_id = p_campaign_id
    union all
    select 8, b.permission_set_id from campaign_role c join public.role_p_sets b on b.role_id = c.id
    union all
    select 9, b.permission_set_id from public.campaign_user_team_sets b
    where b.user_id = p_user_id and b.team_id = p_team_id and b.campaign_id = p_campaign_id
  )
  select jsonb_build_object(
    'held', exists (select from grants g where g.key = p_key),
    'teamAccess', exists (select from grants g where g.rule = 2),
    'campaignAccess', case when p_campaign_id is not null then exists (select from grants g where g.rule = 5) end,
    'membership', (select jsonb_build_object('status', m.status, 'role', m.role, 'isAdministrator', m.is_administrator)
      from member m),
    'campaignRole', (select c.name from campaign_role c),
    'rules', (
      select jsonb_agg(jsonb_build_object(
        'rule', s.rule,
        'source', s.source,
        'applies', s.for_administrators is null
          or coalesce(s.for_administrators = (select m.is_administrator from member m), false),
        'holds', exists (select from grants g where g.rule = s.rule and g.source = s.source
          and (s.rule in (2, 5) or g.key = p_key)),
        'sets', (
          select coalesce(jsonb_agg(distinct jsonb_build_object('id', p.id, 'name', p.name)), '[]')
          from grants g join public.permission_sets p on p.id = g.permission_set_id
          where g.rule = s.rule and g.source = s.source and g.key = p_key),
        -- Of what is for others, her own "why?" tells nothing.
        'without', (
          select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name, p.id), '[]')
          from bundles b join public.permission_sets p on p.id = b.permission_set_id
          where b.place = s.place
            and (s.for_administrators is null or s.for_administrators = (select m.is_administrator from member m))
            and not exists (
            select from public.permission_set_keys k where k.permission_set_id = p.id and k.key = p_key))
      ) order by s.place) from sources s)
  )
$$;
comment on function public.permission_why is
  'For each rule of the contract: whether it gives a key to a user, by which sets (from permission_grants), and which sets lack it.';
revoke execute on function public.permission_why from public, anon, authenticated;
grant execute on function public.permission_why to service_role;

create function public.team_roles(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'roles', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id, 'name', r.name, 'builtIn', r.team_id is null, 'scope', r.scope,
        'setIds', (select coalesce(jsonb_agg(b.permission_set_id order by b.permission_set_id::text), '[]')
          from public.role_p_sets b where b.role_id = r.id),
        'members', (select count(*) from public.team_users t where t.role_id = r.id and t.team_id = p_team_id),
        'inCampaigns', (select count(*) from public.campaign_user_roles_team t
          where t.role_id = r.id and t.team_id = p_team_id),
        'invitations', (select count(*) from public.invitations i where i.role_id = r.id and i.team_id = p_team_id
          and i.accepted_at is null and i.revoked_at is null and i.expires_at > now())
      ) order by r.team_id is not null, lower(r.name), r.id), '[]')
      from public.roles r where r.team_id is null or r.team_id = p_team_id),
    'sets', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'name', s.name, 'builtIn', s.team_id is null, 'description', s.description,
        'keys', (select coalesce(jsonb_agg(k.key order by k.key collate "C"), '[]')
          from public.permission_set_keys k where k.permission_set_id = s.id),
        'uses',
          (select count(*) from public.team_p_sets b where b.permission_set_id = s.id and b.team_id = p_team_id)
          + (select count(*) from public.role_p_sets b join public.roles r on r.id = b.role_id
            where b.permission_set_id = s.id and (r.team_id is null or r.team_id = p_team_id))
          + (select count(*) from public.campaign_team_sets b where b.permission_set_id = s.id and b.team_id = p_team_id)
          + (select count(*) from public.campaign_user_team_sets b
            where b.permission_set_id = s.id and b.team_id = p_team_id)
      ) order by s.team_id is not null, lower(s.name), s.id), '[]')
      from public.permission_sets s where s.team_id is null or s.team_id = p_team_id),
    'teamSetIds', (
      select coalesce(jsonb_agg(b.permission_set_id order by b.permission_set_id::text), '[]')
      from public.team_p_sets b where b.team_id = p_team_id),
    'campaigns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'archivedAt', c.archived_at,
        'setIds', (select coalesce(jsonb_agg(b.permission_set_id order by b.permission_set_id::text), '[]')
          from public.campaign_team_sets b where b.team_id = p_team_id and b.campaign_id = c.id)
      ) order by c.name, c.id), '[]')
      from public.campaign_team t join public.campaigns c on c.id = t.campaign_id where t.team_id = p_team_id)
  )
$$;
comment on function public.team_roles is 'The roles and permission sets that a team can use, and what is bundled in them.';
revoke execute on function public.team_roles from public, anon, authenticated;
grant execute on function public.team_roles to service_role;

-- As in 20261101000400_people.sql, with the ids that a change of a member names.
create or replace function public.team_members(p_team_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'userId', tu.user_id,
    'name', coalesce(p.name, u.email),
    'email', coalesce(u.email, ''),
    'roleId', r.id,
    'role', r.name,
    'isAdministrator', r.scope = 'inherit_team',
    'status', tu.status,
    'campaigns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'roleId', cr.id, 'role', cr.name,
        'sets', (
          select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from public.campaign_user_team_sets cs join public.permission_sets s on s.id = cs.permission_set_id
          where cs.user_id = tu.user_id and cs.team_id = tu.team_id and cs.campaign_id = c.id)
      ) order by c.name, c.id), '[]')
      from (
        select cu.campaign_id from public.campaign_user_roles_team cu
        where cu.user_id = tu.user_id and cu.team_id = tu.team_id
        union
        select cs.campaign_id from public.campaign_user_team_sets cs
        where cs.user_id = tu.user_id and cs.team_id = tu.team_id
      ) own
      join public.campaigns c on c.id = own.campaign_id
      left join public.campaign_user_roles_team cu
        on cu.user_id = tu.user_id and cu.team_id = tu.team_id and cu.campaign_id = own.campaign_id
      left join public.roles cr on cr.id = cu.role_id
    )
  ) order by lower(coalesce(p.name, u.email)), tu.user_id), '[]')
  from public.team_users tu
  join public.roles r on r.id = tu.role_id
  join auth.users u on u.id = tu.user_id
  left join public.profiles p on p.user_id = tu.user_id
  where tu.team_id = p_team_id
$$;
