-- People of a team, as screens show them. Read on the server after a guard, hence for the service role alone.

-- Runs as its owner: e-mail addresses are Auth's, which the service role cannot read.
create function public.team_members(p_team_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'userId', tu.user_id,
    'name', coalesce(p.name, u.email),
    'email', coalesce(u.email, ''),
    'role', r.name,
    'isAdministrator', r.scope = 'inherit_team',
    'status', tu.status,
    'campaigns', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'role', cr.name) order by c.name, c.id), '[]')
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
comment on function public.team_members is 'All members of a team with role, status and the campaigns given to them by name.';
revoke execute on function public.team_members from public, anon, authenticated;
grant execute on function public.team_members to service_role;

create function public.who_can_grant(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(p.name order by lower(p.name), p.user_id), '[]')
  from (
    select distinct g.user_id from private.grants g
    where g.team_id = p_team_id and g.campaign_id is null and g.key = 'members.manage'
  ) g
  join public.profiles p on p.user_id = g.user_id
$$;
comment on function public.who_can_grant is 'Names of those who can change what members of a team may do.';
revoke execute on function public.who_can_grant from public, anon, authenticated;
grant execute on function public.who_can_grant to service_role;
