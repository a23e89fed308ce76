-- What the screens of team administration show: roles with their permission sets, members with their roles in campaigns, and
-- why someone has a permission. Guard first.

create function public.permission_why(p_user_id uuid, p_team_id text, p_campaign_id text, p_key text) returns jsonb
language sql stable set search_path = ''
as $$
  with sources as materialized (
    select s.* from private.assigned_keys s
    where s.principal_id = p_user_id and s.team_id = p_team_id and (s.campaign_id is null or s.campaign_id = p_campaign_id)
  ),
  member as (
    select case when m.status = 'active' and not m.is_active then 'suspended' else m.status end as status, r.name as role,
      m.is_team_admin, case when m.ends_at <= now() then private.last_day(p_team_id, m.ends_at) end as ended_on
    from private.principals m join public.roles r on r.id = m.role_id
    where m.principal_id = p_user_id and m.team_id = p_team_id
  ),
  sets as ( -- of each source, and whether the key is in it
    select s.rule, s.source, p.id, p.name, s.applies, bool_or(s.in_force and s.key = p_key) as grants,
      coalesce(bool_or(s.key = p_key), false) as has_key
    from sources s join public.permission_sets p on p.id = s.permission_set_id
    where s.rule in (4, 7)
    group by s.rule, s.source, p.id, p.name, s.applies
  )
  select jsonb_build_object(
    'granted', exists (select from sources s where s.in_force and s.key = p_key),
    'teamAccess', exists (select from sources s where s.in_force and s.rule = 2),
    'campaignAccess',
      case when p_campaign_id is not null then exists (select from sources s where s.in_force and s.rule = 5) end,
    'membership', (select jsonb_build_object('status', m.status, 'role', m.role, 'isAdministrator', m.is_team_admin,
      'endedOn', m.ended_on) from member m),
    'campaignRole', (select r.name from sources s join public.roles r on r.id = s.role_id
      where s.source = 'campaign_user_roles_team'),
    'rules', (
      select jsonb_agg(jsonb_build_object(
        'rule', w.rule,
        'source', w.source,
        'applies', w.for_administrators is null
          or coalesce(w.for_administrators = (select m.is_team_admin from member m), false),
        'holds', exists (select from sources s where s.rule = w.rule and s.source = w.source and s.in_force
          and (s.rule in (2, 5) or s.key = p_key)),
        'sets', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from sets s where s.rule = w.rule and s.source = w.source and s.grants),
        -- Not of sources that don't apply to them.
        'without', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from sets s where s.rule = w.rule and s.source = w.source and s.applies and not s.has_key)
      ) order by w.number)
      from (select row_number() over () as number, w.* from private.grant_sources w) w
      where w.rule < 5 or p_campaign_id is not null)
  )
$$;
comment on function public.permission_why is
  'For each rule of the contract: whether it grants a key to a user, which sets have the key and which lack it.';

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
        'invitations', (select count(*) from private.pending_invitations i where i.team_id = p_team_id
          and (i.role_id = r.id or i.campaigns @> jsonb_build_array(jsonb_build_object('roleId', r.id)))
          and i.expires_at > now() and i.id <> all (w.stopped))
      ) order by r.team_id is not null, lower(r.name), r.id), '[]')
      from public.roles r
      cross join (select array(select private.stopped_invitations(p_team_id)) as stopped) w
      where r.team_id is null or r.team_id = p_team_id),
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
comment on function public.team_roles is 'The roles and permission sets that a team can use, and what they contain.';

-- Runs as its owner: the service role can't read the email addresses of Auth.
create function public.team_members(p_team_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'userId', tu.principal_id,
    'name', coalesce(p.name, u.email),
    'email', coalesce(u.email, ''),
    'roleId', r.id,
    'role', r.name,
    'isAdministrator', tu.is_team_admin,
    'status', case when tu.status = 'active' and not tu.is_active then 'suspended' else tu.status end,
    'endsOn', private.last_day(p_team_id, tu.ends_at),
    'ended', coalesce(tu.ends_at <= now(), false),
    'campaigns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'roleId', cr.id, 'role', cr.name, 'endsOn', private.last_day(p_team_id, cu.ends_at),
        'sets', (
          select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id), '[]')
          from public.campaign_user_team_sets cs join public.permission_sets s on s.id = cs.permission_set_id
          where cs.user_id = tu.principal_id and cs.team_id = tu.team_id and cs.campaign_id = c.id)
      ) order by c.name, c.id), '[]')
      from (
        select cu.campaign_id from public.campaign_user_roles_team cu
        where cu.user_id = tu.principal_id and cu.team_id = tu.team_id and (cu.ends_at is null or cu.ends_at > now())
        union
        select cs.campaign_id from public.campaign_user_team_sets cs
        where cs.user_id = tu.principal_id and cs.team_id = tu.team_id
      ) own
      join public.campaigns c on c.id = own.campaign_id
      left join public.campaign_user_roles_team cu
        on cu.user_id = tu.principal_id and cu.team_id = tu.team_id and cu.campaign_id = own.campaign_id
        and (cu.ends_at is null or cu.ends_at > now())
      left join public.roles cr on cr.id = cu.role_id
    )
  ) order by lower(coalesce(p.name, u.email)), tu.principal_id), '[]')
  from private.principals tu
  join public.roles r on r.id = tu.role_id
  join auth.users u on u.id = tu.principal_id
  left join public.profiles p on p.user_id = tu.principal_id
  where tu.team_id = p_team_id
$$;
comment on function public.team_members is 'All members of a team with role, status and their roles and sets in campaigns.';

create function public.permission_holders(p_team_id text, p_campaign_id text, p_key text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'userId', h.user_id, 'name', coalesce(p.name, ''), 'sets', h.sets,
    'role', case when h.by_team_role then r.name end,
    'campaignRole', case when h.by_campaign_role then (
      select cr.name from public.campaign_user_roles_team c join public.roles cr on cr.id = c.role_id
      where c.user_id = h.user_id and c.team_id = p_team_id and c.campaign_id = p_campaign_id) end,
    'direct', h.direct
  ) order by lower(p.name), h.user_id), '[]')
  from (
    select g.user_id, jsonb_agg(distinct s.name) filter (where g.key = p_key) as sets,
      bool_or(g.key = p_key and (g.rule = 4 or g.source = 'campaign_team_sets')) as by_team_role,
      bool_or(g.key = p_key and g.rule = 7 and g.source = 'role_p_sets') as by_campaign_role,
      coalesce(bool_or(g.key = p_key and g.source = 'campaign_user_team_sets'), false) as direct
    from private.grants g left join public.permission_sets s on s.id = g.permission_set_id
    where g.team_id = p_team_id and (g.campaign_id is null or g.campaign_id = p_campaign_id)
    group by g.user_id
    having bool_or(g.key = p_key) and (p_campaign_id is null or bool_or(g.rule = 5))
  ) h
  join public.team_users t on t.user_id = h.user_id and t.team_id = p_team_id
  join public.roles r on r.id = t.role_id
  left join public.profiles p on p.user_id = h.user_id
$$;
comment on function public.permission_holders is
  'The active members who have a key in the whole team, or in a campaign that they can open, with the sets that grant it '
  'and where they have them from: their role in the team, their role in the campaign, or directly.';

create function public.who_can_grant(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('userId', p.user_id, 'name', p.name) order by lower(p.name), p.user_id), '[]')
  from (
    select distinct g.user_id from private.grants g
    where g.team_id = p_team_id and g.campaign_id is null and g.key = 'members.manage'
  ) g
  join public.profiles p on p.user_id = g.user_id
$$;
comment on function public.who_can_grant is 'The people who manage members of a team: [{"userId", "name"}].';
