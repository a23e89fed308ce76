-- Changes of access: one function makes a change completely or not at all, or previews it. It takes the lock, reads the
-- actor's permissions, makes the change, and rolls it back if it breaks a rule. Changes by SQL and the service role are the
-- operator's: they aren't checked, but they are logged and take effect. SG001 refuses, SG002 undoes a preview.

-- ── The rules of a change ─────────────────────────────────────────────────────────────────────────────────────────────────

-- Refuses a change: what it has done so far is rolled back, and `change_access` returns the outcome.
create function private.refuse_if(p_when boolean, p_outcome text) returns void
language plpgsql set search_path = ''
as $$
begin
  if p_when then
    raise exception 'Refused: %.', p_outcome using errcode = 'SG001', constraint = p_outcome;
  end if;
end $$;

-- What principals of a team have and an actor lacks. p_own has the actor's grants there as [campaign, key]. Each grant gives
-- one row with `opens = false` if the actor lacks the key. It gives a second with `opens = true` if the holder can open the
-- place and the actor lacks the key or can't open the campaign. Three states are compared: what is in force; what would be if
-- everyone were active, including invited people; and what members have directly in campaigns, which their role may override
-- for now. So a manager can't grant something that another would put into force unseen. Without p_team_sets, the team's sets
-- for administrators are left out.
create function private.excess_grants(p_team_id text, p_own jsonb, p_team_sets boolean default true)
returns table (state text, opens boolean, principal_id uuid, campaign_id text, key text)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select coalesce(o ->> 0, '') as place, o ->> 1 as key from jsonb_array_elements(p_own) o
  ),
  closed as materialized ( -- campaigns that someone can open, or could, and the actor can't
    select e.campaign_id from private.assignments e where e.team_id = p_team_id and e.rule = 5 and e.applies
    except
    select o.place from own o where o.key is null
  ),
  granted as materialized (
    select l.state, s.principal_id, s.campaign_id, s.key
    from private.assigned_keys s
    cross join lateral (values ('in force', s.in_force), ('if active', s.applies), ('personal', s.is_personal)) l (state, counts)
    where s.team_id = p_team_id and l.counts and (s.key is not null or s.rule in (2, 5))
      and (p_team_sets or s.source not in ('team_p_sets', 'campaign_team_sets'))
      -- Without closed campaigns only keys that the actor lacks team-wide matter.
      and (s.key is null or exists (select from closed)
        or s.key not in (select o.key from own o where o.place = '' and o.key is not null))
  ),
  placed as ( -- a team-wide key counts in each campaign its holder can open (rule 8)
    select g.state, g.principal_id, g.campaign_id, g.key from granted g
    union
    select g.state, g.principal_id, p.campaign_id, g.key
    from granted g
    join granted p on p.state = g.state and p.principal_id = g.principal_id and p.campaign_id is not null and p.key is null
    where g.campaign_id is null and g.key is not null
  ),
  judged as (
    select p.*,
      p.key is not null and ('', p.key) not in (select o.place, o.key from own o where o.key is not null)
        and (coalesce(p.campaign_id, ''), p.key) not in (select o.place, o.key from own o where o.key is not null) as lacking,
      p.campaign_id is not null and p.campaign_id not in (select o.place from own o where o.key is null) as closed,
      (p.state, p.principal_id, coalesce(p.campaign_id, '')) in (
        select g.state, g.principal_id, coalesce(g.campaign_id, '') from granted g where g.key is null) as reached
    from placed p
  )
  select j.state, o.opens, j.principal_id, j.campaign_id, j.key
  from judged j cross join (values (false), (true)) o (opens)
  where case when o.opens then j.reached and (j.lacking or j.closed) else j.lacking end
$$;

-- What a team must not lose: an active administrator, someone who manages members, someone who manages roles, and an active
-- administrator who manages both. Members whose access ends don't count.
create function private.required_managers(p_team_id text) returns setof text
language sql stable set search_path = ''
as $$
  with permanent as (
    select m.user_id, m.is_team_admin from private.active_members m where m.team_id = p_team_id and m.ends_at is null
  )
  select 'administrator' from permanent m where m.is_team_admin
  union
  select g.key from private.grants g join permanent m on m.user_id = g.user_id
  where g.team_id = p_team_id and g.campaign_id is null and g.key in ('members.manage', 'roles.manage')
  union
  select 'administrators manage' from private.assigned_keys s join permanent m on m.user_id = s.principal_id
  where s.team_id = p_team_id and s.in_force and s.is_team_admin and s.campaign_id is null
    and s.key in ('members.manage', 'roles.manage')
  group by s.principal_id having count(distinct s.key) = 2
$$;

-- When access ends in a team: of memberships, and in campaigns.
create function private.access_ends(p_team_id text) returns table (user_id uuid, campaign_id text, ends_at timestamptz)
language sql stable set search_path = ''
as $$
  select t.user_id, null, t.ends_at from public.team_users t where t.team_id = p_team_id
  union all
  select t.user_id, t.campaign_id, t.ends_at from public.campaign_user_roles_team t where t.team_id = p_team_id
$$;

-- The last day of access, and the end of a day, in the team's time zone.
create function private.last_day(p_team_id text, p_ends_at timestamptz) returns date
language sql stable set search_path = ''
as $$
  select ((p_ends_at - interval '1 microsecond') at time zone t.time_zone)::date from public.teams t where t.id = p_team_id
$$;
create function private.end_of_day(p_team_id text, p_day date) returns timestamptz
language sql stable set search_path = ''
as $$
  select (p_day + 1)::timestamp at time zone t.time_zone from public.teams t where t.id = p_team_id
$$;

-- What the team's sets grant administrators, as [campaign, key]; in a campaign only what they don't have team-wide.
create function private.administrator_permissions(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_array(g.campaign_id, g.key) order by g.campaign_id, g.key), '[]')
  from private.administrator_grants g
  where g.team_id = p_team_id and (g.campaign_id is null or not exists (
    select from private.administrator_grants t where t.team_id = p_team_id and t.campaign_id is null and t.key = g.key))
$$;

-- The state before a change. p_changes_sets is for a change of permission sets: administrators decide what administrators
-- have, so what it grants to administrators isn't compared with the actor's own permissions.
create function private.read_state_before(p_actor_id uuid, p_team_id text, p_changes_sets boolean default false) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  own jsonb := (select coalesce(jsonb_agg(distinct jsonb_build_array(g.campaign_id, g.key)), '[]')
    from private.grants g where g.user_id = p_actor_id and g.team_id = p_team_id);
  is_administrator boolean := exists (select from private.active_members m
    where m.user_id = p_actor_id and m.team_id = p_team_id and m.is_team_admin);
  team_sets boolean := not (is_administrator and p_changes_sets);
begin
  return jsonb_build_object('team', p_team_id, 'actor', p_actor_id, 'own', own, 'teamSets', team_sets,
    'isAdministrator', is_administrator, 'administrators', private.administrator_permissions(p_team_id),
    'excess', (select coalesce(jsonb_agg(e), '[]') from private.excess_grants(p_team_id, own, team_sets) e),
    'ends', (select coalesce(jsonb_agg(e), '[]') from private.access_ends(p_team_id) e where e.ends_at is not null),
    'managers', (select coalesce(jsonb_agg(m), '[]') from private.required_managers(p_team_id) m));
end $$;

-- Refuses a forbidden change. A team keeps its required managers. No one grants a key, or access to a campaign, that they
-- lacked before the change; comparing with the state before stops people granting it to themselves first. No one extends
-- their own access, or that of someone who has more. Only administrators change what administrators have.
create function private.refuse_forbidden_change(p_before jsonb, p_grants boolean default true) returns void
language plpgsql set search_path = ''
as $$
declare
  team text := p_before ->> 'team';
  lost text := (select min(m) from jsonb_array_elements_text(p_before -> 'managers') m -- 'administrator' comes first
    where m not in (select private.required_managers(team)));
begin
  perform private.refuse_if(lost is not null, case lost when 'administrator' then 'last-administrator'
    when 'administrators manage' then 'administrators-stripped' else 'no-manager-left' end);
  perform private.refuse_if(p_grants and exists (
    select to_jsonb(e) from private.excess_grants(team, p_before -> 'own', (p_before ->> 'teamSets')::boolean) e
    except
    select jsonb_array_elements(p_before -> 'excess')), 'more-than-own');
  perform private.refuse_if(p_grants and exists (
    select from jsonb_to_recordset(p_before -> 'ends') b (user_id uuid, campaign_id text, ends_at timestamptz)
    join private.access_ends(team) e on e.user_id = b.user_id and e.campaign_id is not distinct from b.campaign_id
    where coalesce(e.ends_at, 'infinity') > b.ends_at and (b.user_id = (p_before ->> 'actor')::uuid or exists (
      select from jsonb_to_recordset(p_before -> 'excess') x (principal_id uuid, campaign_id text)
      where x.principal_id = b.user_id and coalesce(x.campaign_id = b.campaign_id, b.campaign_id is null)))), 'more-than-own');
  perform private.refuse_if(not (p_before ->> 'isAdministrator')::boolean
    and private.administrator_permissions(team) <> p_before -> 'administrators', 'administrators-only');
end $$;

-- The contents of a deleted role or set are deleted first, while the audit log can still name it.
create function private.empty_before_delete() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'roles' then
    delete from public.role_p_sets where role_id = old.id;
  else
    delete from public.permission_set_keys where permission_set_id = old.id;
  end if;
  return old;
end $$;
create trigger empty_before_delete before delete on public.roles
for each row execute function private.empty_before_delete();
create trigger empty_before_delete before delete on public.permission_sets
for each row execute function private.empty_before_delete();

-- ── The kinds of changes ───────────────────────────────────────────────────────────────────────────────────────────

-- Each returns whether anything was changed, and refuses if the current state isn't its `before`.

create function private.sorted(p_list jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(distinct e collate "C" order by e collate "C"), '[]') from jsonb_array_elements_text(p_list) e
$$;

-- Whether the current state, p_now, differs from p_after. Refuses if it is missing, or isn't p_before.
create function private.needs_change(p_now jsonb, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_if(p_now is null, 'gone');
  if p_now = p_after then return false; end if;
  perform private.refuse_if(p_now <> p_before, 'stale');
  return true;
end $$;

-- Refuses an end that isn't at least a minute ahead, which is longer than the lease on cached snapshots.
create function private.refuse_past_end(p_team_id text, p_afters jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_if(exists (
    select from jsonb_to_recordset(p_afters) w (after jsonb)
    where private.end_of_day(p_team_id, (w.after ->> 'endsOn')::date) < now() + interval '1 minute'), 'ends-before-today');
end $$;

create function private.change_members(p_actor_id uuid, p_team_id text, p_members jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  differing int;
  stale int;
begin
  perform private.refuse_if(exists (
    select from jsonb_to_recordset(p_members) w ("userId" uuid) where w."userId" = p_actor_id), 'own-membership');
  select count(*) filter (where t.now is distinct from w.after),
    count(*) filter (where t.now is distinct from w.after and (t.now is distinct from w.before
      or w.after ->> 'status' = 'invited' and t.now ->> 'status' <> 'invited')) -- only an invitation can do that
  into differing, stale
  from jsonb_to_recordset(p_members) w ("userId" uuid, before jsonb, after jsonb)
  left join lateral (
    select jsonb_build_object('roleId', t.role_id, 'status', t.status)
      || case when w.after ? 'endsOn' then jsonb_build_object('endsOn', private.last_day(p_team_id, t.ends_at)) else '{}' end as now
    from public.team_users t where t.team_id = p_team_id and t.user_id = w."userId"
  ) t on true;
  perform private.refuse_if(stale > 0, 'stale');
  perform private.refuse_past_end(p_team_id, p_members);
  update public.team_users t set role_id = (w.after ->> 'roleId')::uuid, status = w.after ->> 'status', ends_at = case
    when w.after ? 'endsOn' then private.end_of_day(p_team_id, (w.after ->> 'endsOn')::date)
    when w.after ->> 'status' = 'active' and t.ends_at <= now() then null -- reactivated after its end
    else t.ends_at end
  from jsonb_to_recordset(p_members) w ("userId" uuid, after jsonb)
  where t.team_id = p_team_id and t.user_id = w."userId" and w.after is not null
    and ((t.role_id, t.status) is distinct from ((w.after ->> 'roleId')::uuid, w.after ->> 'status') or w.after ? 'endsOn');
  delete from public.team_users t using jsonb_to_recordset(p_members) w ("userId" uuid, after jsonb)
  where t.team_id = p_team_id and t.user_id = w."userId" and w.after is null;
  return differing > 0;
end $$;

create function private.change_campaign_access(p_reached text[], p_team_id text, p_places jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  differing int;
  stale int;
  unreached int;
begin
  with wanted as (
    select w.campaign,
      w.before || jsonb_build_object('setIds', private.sorted(w.before -> 'setIds')) as before,
      w.after || jsonb_build_object('setIds', private.sorted(w.after -> 'setIds')) as after,
      jsonb_build_object('roleId', r.role_id,
        'setIds', private.sorted((select coalesce(jsonb_agg(s.permission_set_id), '[]') from public.campaign_user_team_sets s
          where s.user_id = w."userId" and s.team_id = p_team_id and s.campaign_id = w.campaign)))
        || case when w.after ? 'endsOn' then jsonb_build_object('endsOn', private.last_day(p_team_id, r.ends_at)) else '{}' end as now
    from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, before jsonb, after jsonb)
    left join public.campaign_user_roles_team r
      on r.user_id = w."userId" and r.team_id = p_team_id and r.campaign_id = w.campaign
  )
  select count(*) filter (where w.now <> w.after), count(*) filter (where w.now <> w.after and w.now <> w.before),
    count(*) filter (where w.after - 'endsOn' <> '{"roleId": null, "setIds": []}' and w.campaign <> all (p_reached))
  into differing, stale, unreached from wanted w;
  perform private.refuse_if(stale > 0, 'stale');
  perform private.refuse_if(unreached > 0, 'not-allowed');
  perform private.refuse_past_end(p_team_id, p_places);
  insert into public.campaign_user_roles_team as t (user_id, team_id, campaign_id, role_id, ends_at)
  select w."userId", p_team_id, w.campaign, (w.after ->> 'roleId')::uuid,
    case when w.after ? 'endsOn' then private.end_of_day(p_team_id, (w.after ->> 'endsOn')::date) else r.ends_at end
  from jsonb_to_recordset(p_places) w ("userId" uuid, campaign text, after jsonb)
  left join public.campaign_user_roles_team r
    on r.user_id = w."userId" and r.team_id = p_team_id and r.campaign_id = w.campaign
  where w.after ->> 'roleId' is not null
  on conflict (user_id, team_id, campaign_id) do update set role_id = excluded.role_id, ends_at = excluded.ends_at
  where (t.role_id, t.ends_at) is distinct from (excluded.role_id, excluded.ends_at);
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

-- Sets the values of p_column for one owner in a table of pairs. p_owner has the owner's columns.
create function private.change_sets(p_table text, p_owner jsonb, p_column text, p_before jsonb, p_after jsonb)
returns boolean
language plpgsql set search_path = ''
as $$
declare
  own text := (select string_agg(format('%I = %L', o.key, o.value), ' and ') from jsonb_each_text(p_owner) o);
  now jsonb;
begin
  execute format('select coalesce(jsonb_agg(%I), ''[]'') from public.%I where %s', p_column, p_table, own) into now;
  if not private.needs_change(private.sorted(now), private.sorted(p_before), private.sorted(p_after)) then return false; end if;
  execute format('insert into public.%1$I select (jsonb_populate_record(null::public.%1$I,
    $1 || jsonb_build_object(%2$L, e))).* from jsonb_array_elements_text($2) e on conflict do nothing', p_table, p_column)
    using p_owner, p_after;
  execute format('delete from public.%I where %s and not $1 @> to_jsonb(%I::text)', p_table, own, p_column) using p_after;
  return true;
end $$;

-- To add a campaign to another team, someone must manage it in the team that runs it. It opens for the other team's
-- administrators, so the actor must have everything they get in it, through another team of the campaign: what the actor has
-- in this team doesn't count.
create function private.attach_campaign(p_actor_id uuid, p_reached text[], p_team_id text, p_campaign_id text) returns boolean
language plpgsql set search_path = ''
as $$
declare
  runs_it text := (select c.team_id from public.campaigns c where c.id = p_campaign_id and c.team_id <> p_team_id);
begin
  if p_campaign_id = any (p_reached) and exists (
    select from public.campaign_team t where t.team_id = p_team_id and t.campaign_id = p_campaign_id)
  then
    return false;
  end if;
  perform private.refuse_if(runs_it is null or p_campaign_id <> all (private.reached_campaigns(p_actor_id, runs_it))
    or not private.has_key(p_actor_id, runs_it, null, 'members.manage'), 'not-allowed');
  perform private.refuse_if(exists (
    select g.key from private.administrator_grants g
    where g.team_id = p_team_id and (g.campaign_id is null or g.campaign_id = p_campaign_id)
    except
    select unnest(p.keys) from private.places(p_actor_id) p
    where p.campaign_id = p_campaign_id and p.team_id <> p_team_id), 'more-than-own');
  insert into public.campaign_team (team_id, campaign_id) values (p_team_id, p_campaign_id) on conflict do nothing;
  return found;
end $$;

-- A search profile means credentials, which the operator grants to teams. A campaign keeps the one it has.
create function private.check_search_profile(p_team_id text, p_profile text) returns void
language plpgsql set search_path = ''
as $$
begin
  perform private.refuse_if(p_profile is not null and not exists (
    select from public.team_search_profiles p where p.team_id = p_team_id and p.profile = p_profile), 'search-not-granted');
end $$;

-- Names of a team's campaigns differ in more than case and spaces, also from those of archived ones.
create function private.refuse_taken_campaign_name(p_team_id text, p_campaign_id text, p_name text) returns void
language plpgsql set search_path = ''
as $$
declare
  archived boolean;
begin
  select c.archived_at is not null into archived
  from public.campaign_team t join public.campaigns c on c.id = t.campaign_id
  where t.team_id = p_team_id and c.id <> p_campaign_id
    and lower(regexp_replace(c.name, '\s', '', 'g')) = lower(regexp_replace(p_name, '\s', '', 'g'))
  order by 1 limit 1;
  perform private.refuse_if(found, case when archived then 'archived-name-taken' else 'name-taken' end);
end $$;

create function private.edit_campaign(p_team_id text, p_campaign_id text, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  now jsonb;
begin
  select jsonb_build_object('name', c.name, 'signatureGoal', c.signature_goal, 'startsOn', c.starts_on,
    'endsOn', c.ends_on, 'linesPerSheet', c.lines_per_sheet, 'searchProfile', c.search_profile,
    'districts', c.districts, 'archived', c.archived_at is not null, 'requiredSignatures', c.required_signatures,
    'safetyMargin', c.safety_margin, 'officialRejection', c.official_rejection, 'checkMethod', c.check_method,
    'samplePercent', c.sample_percent, 'sampleMinimum', c.sample_minimum, 'passPercent', c.pass_percent,
    'failPercent', c.fail_percent, 'countyTargets', c.county_targets) into now
  from public.campaigns c where c.id = p_campaign_id;
  if not private.needs_change(now, p_before, p_after) then return false; end if;
  perform private.refuse_if(not (p_after ->> 'archived')::boolean and private.is_erased(p_campaign_id), 'erased');
  if p_after ->> 'name' <> now ->> 'name' then
    perform private.refuse_taken_campaign_name(p_team_id, p_campaign_id, p_after ->> 'name');
  end if;
  if p_after -> 'searchProfile' <> now -> 'searchProfile' then
    perform private.check_search_profile(p_team_id, p_after ->> 'searchProfile');
  end if;
  update public.campaigns c set name = p_after ->> 'name', signature_goal = (p_after ->> 'signatureGoal')::int,
    starts_on = (p_after ->> 'startsOn')::date, ends_on = (p_after ->> 'endsOn')::date,
    lines_per_sheet = (p_after ->> 'linesPerSheet')::int, search_profile = p_after ->> 'searchProfile',
    districts = p_after ->> 'districts', required_signatures = (p_after ->> 'requiredSignatures')::int,
    safety_margin = (p_after ->> 'safetyMargin')::numeric, official_rejection = (p_after ->> 'officialRejection')::numeric,
    check_method = p_after ->> 'checkMethod', sample_percent = (p_after ->> 'samplePercent')::numeric,
    sample_minimum = (p_after ->> 'sampleMinimum')::int, pass_percent = (p_after ->> 'passPercent')::numeric,
    fail_percent = (p_after ->> 'failPercent')::numeric, county_targets = p_after -> 'countyTargets',
    archived_at = case when (p_after ->> 'archived')::boolean then coalesce(c.archived_at, now()) end
  where c.id = p_campaign_id;
  return true;
end $$;

create function private.change_team(p_team_id text, p_before jsonb, p_after jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  now jsonb;
begin
  select jsonb_build_object('name', t.name, 'timeZone', t.time_zone, 'locale', t.locale,
    'linesPerSheet', t.lines_per_sheet, 'eraseAfterDays', t.erase_after_days,
    'secondFactor', case when t.second_factor_from is null then 'optional' else 'required' end) into now
  from public.teams t where t.id = p_team_id;
  if not p_after ? 'secondFactor' then -- where Auth has none, the form doesn't offer it
    now := now - 'secondFactor';
    p_before := p_before - 'secondFactor';
  end if;
  if not private.needs_change(now, p_before, p_after) then return false; end if;
  update public.teams set name = p_after ->> 'name', time_zone = p_after ->> 'timeZone', locale = p_after ->> 'locale',
    lines_per_sheet = (p_after ->> 'linesPerSheet')::int, erase_after_days = (p_after ->> 'eraseAfterDays')::int,
    second_factor_from = case p_after ->> 'secondFactor'
      when 'required' then coalesce(second_factor_from, now() + interval '7 days') -- to set it up
      when 'optional' then null else second_factor_from end
  where id = p_team_id;
  return true;
end $$;

-- Names of roles and of sets are unique among the built-in ones and the team's, regardless of case.
create function private.refuse_taken_name(p_table text, p_team_id text, p_name text, p_own_id uuid) returns void
language plpgsql set search_path = ''
as $$
declare
  taken boolean;
begin
  execute format('select exists (select from public.%I t where (t.team_id is null or t.team_id = $1)
    and lower(trim(t.name)) = lower(trim($2)) and t.id is distinct from $3)', p_table)
  into taken using p_team_id, p_name, p_own_id;
  perform private.refuse_if(taken, 'name-taken');
end $$;

create function private.change_role(p_team_id text, p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  role public.roles;
begin
  if p_change ->> 'kind' = 'create-role' then
    perform private.refuse_taken_name('roles', p_team_id, p_change ->> 'name', null);
    insert into public.roles (team_id, name, scope) values (p_team_id, p_change ->> 'name', p_change ->> 'scope')
    returning * into role;
    perform private.change_sets('role_p_sets', jsonb_build_object('role_id', role.id), 'permission_set_id', '[]',
      coalesce(p_change -> 'setIds', '[]'));
    return true;
  end if;
  select r.* into role from public.roles r where r.id = (p_change ->> 'roleId')::uuid and r.team_id = p_team_id;
  perform private.refuse_if(role.id is null, 'gone');
  if p_change ->> 'kind' = 'rename-role' then
    if not private.needs_change(to_jsonb(role.name), p_change -> 'before', p_change -> 'after') then return false; end if;
    perform private.refuse_taken_name('roles', p_team_id, p_change ->> 'after', role.id);
    update public.roles set name = p_change ->> 'after' where id = role.id;
    return true;
  end if;
  perform private.refuse_if(exists (select from public.team_users t where t.role_id = role.id)
    or exists (select from public.campaign_user_roles_team t where t.role_id = role.id), 'in-use');
  perform private.refuse_if(exists (select from private.pending_invitations i
    where i.team_id = p_team_id and i.expires_at > now() and (i.role_id = role.id
      or i.campaigns @> jsonb_build_array(jsonb_build_object('roleId', role.id)))
    and i.id not in (select private.stopped_invitations(p_team_id))), 'in-invitations');
  delete from public.roles where id = role.id;
  return true;
end $$;

create function private.change_set(p_team_id text, p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  after jsonb := p_change -> 'after';
  set_id uuid := p_change ->> 'setId';
  now jsonb := (select jsonb_build_object('name', s.name, 'description', s.description)
    from public.permission_sets s where s.id = set_id and s.team_id = p_team_id);
begin
  if p_change ->> 'kind' = 'create-set' then
    perform private.refuse_taken_name('permission_sets', p_team_id, after ->> 'name', null);
    insert into public.permission_sets (team_id, name, description)
    values (p_team_id, after ->> 'name', after ->> 'description') returning id into set_id;
    insert into public.permission_set_keys (permission_set_id, key)
    select set_id, e from jsonb_array_elements_text(coalesce(p_change -> 'keys', '[]')) e;
    return true;
  end if;
  perform private.refuse_if(now is null, 'gone');
  if p_change ->> 'kind' = 'edit-set' then
    if not private.needs_change(now, p_change -> 'before', after) then return false; end if;
    perform private.refuse_taken_name('permission_sets', p_team_id, after ->> 'name', set_id);
    update public.permission_sets set name = after ->> 'name', description = after ->> 'description' where id = set_id;
    return true;
  end if;
  perform private.refuse_if(set_id in (
    select t.permission_set_id from public.team_p_sets t union all
    select t.permission_set_id from public.role_p_sets t union all
    select t.permission_set_id from public.campaign_team_sets t union all
    select t.permission_set_id from public.campaign_user_team_sets t), 'in-use');
  delete from public.permission_sets where id = set_id;
  return true;
end $$;

-- Whether a person may make a kind of change: with the key of its kind team-wide (contract 10) and a key that shows members.
-- Any active member may leave.
create function private.may_change(p_actor_id uuid, p_team_id text, p_kind text) returns boolean
language plpgsql stable set search_path = ''
as $$
declare
  keys text[] := array(
    select g.key from private.grants g
    where g.user_id = p_actor_id and g.team_id = p_team_id and g.campaign_id is null and g.key is not null);
begin
  if p_kind = 'leave-team' then
    return exists (select from private.active_members m where m.user_id = p_actor_id and m.team_id = p_team_id);
  end if;
  return keys && array['members.view', 'roles.manage'] and case
    when p_kind in ('edit-team', 'members', 'campaigns', 'create-campaign', 'edit-campaign', 'attach-campaign',
      'detach-campaign', 'stop-sharing', 'hand-over-campaign') then 'members.manage'
    else 'roles.manage'
  end = any (keys);
end $$;

-- Takes the lock if the person may make a kind of change. Checked before too, so that people without permission never wait for
-- the lock or block others.
create function private.lock_if_allowed(p_actor_id uuid, p_team_id text, p_kind text) returns boolean
language plpgsql set search_path = ''
as $$
begin
  if not private.may_change(p_actor_id, p_team_id, p_kind) then return false; end if;
  perform private.lock_access();
  perform private.end_due_access(); -- so that the change finds what the rules already say
  return private.may_change(p_actor_id, p_team_id, p_kind);
end $$;

-- True if something was changed. Raises what `refuse_if` raises.
create function private.apply_change(p_actor_id uuid, p_change jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  kind text := p_change ->> 'kind';
  team text := p_change ->> 'team';
  campaign text := p_change ->> 'campaign';
  before jsonb := p_change -> 'before';
  after jsonb := p_change -> 'after';
  reached text[] := private.reached_campaigns(p_actor_id, team);
  runner text := (select c.team_id from public.campaigns c where c.id = campaign);
  leaving text := case when kind = 'stop-sharing' then p_change ->> 'from' else team end;
  changed boolean := false;
  set_change jsonb;
begin
  perform private.refuse_if(
    kind in ('edit-campaign', 'hand-over-campaign', 'detach-campaign', 'stop-sharing', 'campaign-sets')
      and campaign <> all (reached), 'gone');
  perform private.refuse_if(kind in ('edit-campaign', 'hand-over-campaign', 'stop-sharing')
    and runner is distinct from team, 'not-allowed');
  case kind
    when 'leave-team' then
      delete from public.team_users t where t.team_id = team and t.user_id = p_actor_id;
    when 'edit-team' then
      return private.change_team(team, before, after);
    when 'members' then
      return private.change_members(p_actor_id, team, p_change -> 'members');
    when 'campaigns' then
      -- Extra sets have no end date: those that people add for themselves would outlive their role.
      perform private.refuse_if(exists (
        select from jsonb_to_recordset(p_change -> 'places') w ("userId" uuid, campaign text, before jsonb, after jsonb)
        join public.campaign_user_roles_team r
          on r.user_id = w."userId" and r.team_id = team and r.campaign_id = w.campaign
        where w."userId" = p_actor_id and r.ends_at is not null
          and not (w.before -> 'setIds') @> (w.after -> 'setIds')), 'more-than-own');
      return private.change_campaign_access(reached, team, p_change -> 'places');
    when 'create-campaign' then
      perform private.refuse_taken_campaign_name(team, campaign, after ->> 'name');
      insert into public.campaigns (id, name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet, created_by)
      select campaign, after ->> 'name', team, (after ->> 'signatureGoal')::int, (after ->> 'startsOn')::date,
        (after ->> 'endsOn')::date, t.lines_per_sheet, p_actor_id
      from public.teams t where t.id = team;
      insert into public.campaign_team (team_id, campaign_id) values (team, campaign);
    when 'edit-campaign' then
      return private.edit_campaign(team, campaign, before, after);
    when 'attach-campaign' then
      return private.attach_campaign(p_actor_id, reached, team, campaign);
    when 'detach-campaign', 'stop-sharing' then
      perform private.refuse_if(runner = leaving, 'runs-it');
      delete from public.campaign_team where team_id = leaving and campaign_id = campaign;
      perform private.refuse_if(not found, 'not-attached');
      -- Otherwise the members' roles and sets in it would keep it open to them (rule 5).
      delete from public.campaign_user_roles_team where team_id = leaving and campaign_id = campaign;
      delete from public.campaign_user_team_sets where team_id = leaving and campaign_id = campaign;
    when 'hand-over-campaign' then
      perform private.refuse_if(not exists (
        select from public.campaign_team t where t.team_id = p_change ->> 'to' and t.campaign_id = campaign), 'not-attached');
      perform private.check_search_profile(p_change ->> 'to',
        (select c.search_profile from public.campaigns c where c.id = campaign));
      update public.campaigns set team_id = p_change ->> 'to' where id = campaign;
    when 'role-sets' then
      perform private.refuse_if(not exists (
        select from public.roles r where r.id = (p_change ->> 'roleId')::uuid and r.team_id = team), 'gone');
      return private.change_sets('role_p_sets', jsonb_build_object('role_id', p_change ->> 'roleId'),
        'permission_set_id', before, after);
    when 'set-keys' then
      for set_change in select e from jsonb_array_elements(p_change -> 'sets') e loop
        perform private.refuse_if(not exists (
          select from public.permission_sets s where s.id = (set_change ->> 'setId')::uuid and s.team_id = team), 'gone');
        changed := private.change_sets('permission_set_keys',
          jsonb_build_object('permission_set_id', set_change ->> 'setId'), 'key',
          set_change -> 'before', set_change -> 'after') or changed;
      end loop;
      return changed;
    when 'team-sets' then
      return private.change_sets('team_p_sets', jsonb_build_object('team_id', team), 'permission_set_id', before, after);
    when 'campaign-sets' then
      return private.change_sets('campaign_team_sets', jsonb_build_object('team_id', team, 'campaign_id', campaign),
        'permission_set_id', before, after);
    when 'create-role', 'rename-role', 'delete-role' then
      return private.change_role(team, p_change);
    when 'create-set', 'edit-set', 'delete-set' then
      return private.change_set(team, p_change);
  end case;
  return true;
end $$;

-- ── Making a change, and its preview ───────────────────────────────────────────────────────────────────────────────

create function private.places_of_team(p_team_id text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', u.user_id, 'campaign_id', p.campaign_id, 'keys', p.keys)), '[]')
  from private.active_members u
  cross join lateral private.places(u.user_id) p
  where u.team_id = p_team_id and p.team_id = p_team_id
$$;

-- Who gains and loses what between two results of `places_of_team` (lib/team-access/access-change.ts).
create function private.effects(p_before jsonb, p_after jsonb) returns jsonb
language sql stable set search_path = ''
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

create function public.change_access(p_actor_id uuid, p_change jsonb, p_commit boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  team text := p_change ->> 'team';
  kind text := p_change ->> 'kind';
  affected text := case when kind = 'stop-sharing' then p_change ->> 'from' else team end;
  state_before jsonb;
  before jsonb;
  after jsonb;
  changed boolean;
  takes_over boolean := p_commit and coalesce((p_change ->> 'takeOver')::boolean, false);
  stopped_before uuid[];
  stopped uuid[];
  free uuid[] := '{}'; -- those that the actor takes over, or could
  invitations jsonb;
  refusal text;
begin
  if not private.lock_if_allowed(p_actor_id, team, kind) then
    return jsonb_build_object('outcome', case kind when 'leave-team' then 'gone' else 'not-allowed' end);
  end if;
  begin
    perform private.act_as(p_actor_id);
    state_before := private.read_state_before(p_actor_id, team, kind in ('team-sets', 'campaign-sets', 'set-keys'));
    if not p_commit then before := private.places_of_team(affected); end if;
    stopped_before := array(select private.stopped_invitations(team));
    changed := private.apply_change(p_actor_id, p_change);
    if not p_commit then after := private.places_of_team(affected); end if;
    -- The actor may open a campaign they create, and `attach_campaign` has its own check.
    perform private.refuse_forbidden_change(state_before, kind not in ('create-campaign', 'attach-campaign'));
    stopped := array(select s from private.stopped_invitations(team) s where s <> all (stopped_before));
    if takes_over or not p_commit then
      free := array(select unnest(stopped) except select private.stopped_invitations(team, p_actor_id));
    end if;
    if p_commit then
      update public.invitations set invited_by = p_actor_id where id = any (free);
      insert into public.audit_log (actor_id, actor_name, action, table_name, team_id, before, after)
      select p_actor_id, private.person_json(p_actor_id) ->> 'name', 'update', 'invitations', team, r.logged,
        r.logged || '{"stopped": true}'
      from public.invitations i cross join lateral (select private.logged_row(to_jsonb(i)) as logged) r
      where i.id = any (stopped) and i.id <> all (free);
    else
      invitations := (
        select coalesce(jsonb_agg(jsonb_build_object('email', i.email, 'invitedBy', coalesce(p.name, ''),
          'canTakeOver', i.id = any (free)) order by i.email), '[]')
        from public.invitations i left join public.profiles p on p.user_id = i.invited_by
        where i.id = any (stopped));
      raise exception 'undo' using errcode = 'SG002';
    end if;
  exception
    when sqlstate 'SG002' then null;
    when sqlstate 'SG001' then
      get stacked diagnostics refusal = constraint_name;
    when foreign_key_violation or check_violation then
      refusal := 'gone';
    when invalid_parameter_value then
      refusal := 'no-such-zone';
    when unique_violation then
      refusal := case kind when 'create-campaign' then 'id-taken' else 'name-taken' end;
  end;
  perform private.act_as(null);
  if refusal is not null then return jsonb_build_object('outcome', refusal); end if;
  return jsonb_build_object('outcome', case when changed then 'done' else 'unchanged' end)
    || case when takes_over then jsonb_build_object('takenOver', cardinality(free)) when p_commit then '{}'
      else jsonb_build_object('effects', private.effects(before, after), 'invitations', invitations) end;
end $$;

comment on function public.change_access is
  'Makes a change (lib/team-access/access-change.ts) for a verified person, completely or not at all: '
  '{"outcome": "done" | "unchanged" | why not, "takenOver"}. With "takeOver" the actor becomes the inviter of the invitations '
  'that the change stops, where they could have made them. Without p_commit it is rolled back, "effects" says whose access '
  'would differ, and "invitations" which open ones would stop.';
