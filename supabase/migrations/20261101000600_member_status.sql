-- Suspending a member and making her active again.

-- Answers 'done', or why not: 'not-allowed' when the one who makes the change may not change members any more,
-- 'no-member', 'last-administrator', or 'more-than-own' when it would give the member a key that the one who makes it does
-- not hold in that place. Then nothing has changed.
create function public.set_member_status(p_actor_id uuid, p_team_id text, p_user_id uuid, p_status text) returns text
language plpgsql set search_path = ''
as $$
begin
  -- One change of a team's members at a time: two administrators cannot suspend each other at once.
  perform 1 from public.teams where id = p_team_id for no key update;
  if not exists (select 1 from private.places(p_actor_id) a
    where a.team_id = p_team_id and a.campaign_id is null and 'members.manage' = any (a.keys))
  then
    return 'not-allowed';
  end if;
  if not exists (select 1 from public.team_users where team_id = p_team_id and user_id = p_user_id) then
    return 'no-member';
  end if;
  if p_status <> 'active'
    and exists (select 1 from private.active_members m
      where m.team_id = p_team_id and m.user_id = p_user_id and m.is_team_admin)
    and not exists (select 1 from private.active_members m
      where m.team_id = p_team_id and m.user_id <> p_user_id and m.is_team_admin)
  then
    return 'last-administrator';
  end if;
  begin
    update public.team_users set status = p_status
    where team_id = p_team_id and user_id = p_user_id and status <> p_status;
    if p_status = 'active' and exists (
      select 1 from private.places(p_user_id) t
      where t.team_id = p_team_id and t.keys <> '{}' and not exists (
        select 1 from private.places(p_actor_id) a
        where a.team_id = t.team_id and a.campaign_id is not distinct from t.campaign_id and a.keys @> t.keys)
    ) then
      raise exception 'more than own' using errcode = 'SG001'; -- undoes the update
    end if;
  exception when sqlstate 'SG001' then
    return 'more-than-own';
  end;
  return 'done';
end $$;
comment on function public.set_member_status is 'Changes a membership''s status, in the name of an actor who holds members.manage.';
revoke execute on function public.set_member_status from public, anon, authenticated;
grant execute on function public.set_member_status to service_role;
