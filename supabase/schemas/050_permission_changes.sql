-- Pending changes: users whose permissions may have changed, stored in the transaction of any change. Draining them gives these
-- users new permission epochs, so that no older cached snapshot is read again.

create table public.permission_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  created_at timestamptz not null default now()
);
comment on table public.permission_changes is
  'No foreign keys, so that the changes of a deleted user stay. A change is deleted only after the user has a new epoch.';
alter table public.permission_changes enable row level security;
revoke all on public.permission_changes from service_role; -- only functions write and read them

-- One change of access at a time, until it commits.
create function private.lock_access() returns void
language sql set search_path = ''
as $$
  select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('permission_changes'))
$$;

-- Stores the users affected by the changed rows, in one statement. Arguments: the columns that matter, and the join from a
-- changed row `c` to principals `a` through the access rules: who a table's rows are for (`principal_sources`), and who has
-- the role or set (`assignments`). Each join only needs links nearer to the user than its own table, which exist even if the
-- changed row is gone. If several links change at once, the one nearest to the user still finds them.
-- Runs as its owner: no one else may store pending changes.
create function private.queue_permission_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  columns text := tg_argv[0];
  changed text := case tg_op
    when 'INSERT' then format('select %s from new_rows', columns)
    when 'DELETE' then format('select %s from old_rows', columns)
    else format('(select %1$s from old_rows except select %1$s from new_rows) union all '
      || '(select %1$s from new_rows except select %1$s from old_rows)', columns)
  end;
begin
  -- Two overlapping ones would each miss what the other hasn't committed.
  perform private.lock_access();
  execute format('insert into public.permission_changes (user_id) select distinct a.principal_id from (%s) c %s',
    changed, tg_argv[1]);
  return null;
end $$;

-- `truncate` names no rows: everyone who is a member, or was until an end that is due, may be affected.
create function private.queue_all_members() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_access();
  insert into public.permission_changes (user_id) select distinct t.user_id from public.team_users t where t.status = 'active';
  return null;
end $$;

-- Current and former members: the old rules may have granted them something the new ones don't know of.
create function private.renew_all_permissions() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_access();
  insert into public.permission_changes (user_id) select distinct t.user_id from public.team_users t;
end $$;
comment on function private.renew_all_permissions is
  'For a migration that changes the access rules: nothing cached under the old rules is read again.';

-- ── The watched tables ──────────────────────────────────────────────────────────────────────────────────────────────

-- A change of access waits for others to commit before it reads anything, so that nothing forbidden slips in between two. It
-- is the lock for storing pending changes, taken first, so that no one waits for it with rows locked.
create function private.lock_access_first() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_access();
  return null;
end $$;

do $do$
declare
  watched record;
begin
  for watched in select * from (values
    -- Also of those whose end is due: it becomes a change here.
    ('team_users', 'user_id, team_id, role_id, status, ends_at',
      $$join lateral (select c.user_id as principal_id where c.status = 'active') a on true$$),
    ('roles', 'id, scope',
      $$join private.principals a on a.is_active and a.role_id = c.id$$),
    ('team_p_sets', 'team_id, permission_set_id',
      $$join private.principal_sources a on a.in_force and a.source = 'team_p_sets' and a.team_id = c.team_id$$),
    ('role_p_sets', 'role_id, permission_set_id',
      $$join private.assignments a on a.in_force and a.source = 'role_p_sets' and a.role_id = c.role_id$$),
    ('permission_set_keys', 'permission_set_id, key',
      $$join private.assignments a on a.in_force and a.rule in (4, 7) and a.permission_set_id = c.permission_set_id$$),
    ('campaign_user_roles_team', 'user_id, team_id, campaign_id, role_id, ends_at',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_user_roles_team' $$
        || $$and a.principal_id = c.user_id and a.team_id = c.team_id$$),
    ('campaign_user_team_sets', 'user_id, team_id, campaign_id, permission_set_id',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_user_team_sets' $$
        || $$and a.principal_id = c.user_id and a.team_id = c.team_id$$),
    ('campaign_team', 'team_id, campaign_id',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_team' and a.team_id = c.team_id$$),
    ('campaign_team_sets', 'team_id, campaign_id, permission_set_id',
      $$join private.principal_sources a on a.in_force and a.source = 'campaign_team_sets' and a.team_id = c.team_id$$),
    -- Teams and campaigns are not in any snapshot, but in permission_places, which is cached with the snapshots.
    ('teams', 'id, name, time_zone, locale, second_factor_from',
      $$join private.principals a on a.is_active and a.team_id = c.id$$),
    ('campaigns', 'id, name, archived_at, team_id',
      $$join private.assignments a on a.in_force and a.rule = 5 and a.campaign_id = c.id$$)
  ) w (name, columns, leads_to) loop
    execute format('
      create trigger lock_access_first before insert or update or delete on public.%1$I
      for each statement execute function private.lock_access_first();
      create trigger queue_insert after insert on public.%1$I
      referencing new table as new_rows for each statement execute function private.queue_permission_changes(%2$L, %3$L);
      create trigger queue_update after update on public.%1$I
      referencing old table as old_rows new table as new_rows
      for each statement execute function private.queue_permission_changes(%2$L, %3$L);
      create trigger queue_delete after delete on public.%1$I
      referencing old table as old_rows for each statement execute function private.queue_permission_changes(%2$L, %3$L);
      create trigger queue_truncate before truncate on public.%1$I
      for each statement execute function private.queue_all_members()', watched.name, watched.columns, watched.leads_to);
  end loop;
end $do$;

-- ── Access that ends ───────────────────────────────────────────────────────────────────────────────────────────────

create function private.has_due_end() returns boolean
language sql stable
return exists (select from public.team_users t where t.status = 'active' and t.ends_at <= now())
  or exists (select from public.campaign_user_roles_team t where t.ends_at <= now());

create function private.has_permission_work() returns boolean
language sql stable
return exists (select from public.permission_changes) or private.has_due_end();
comment on function private.has_permission_work is 'Whether the schedule has pending changes, or access to end.';

-- The rules skip what is due. This makes it a change like any other, pending and logged, which has no actor.
create function private.end_due_access() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.has_due_end() then return; end if;
  perform private.lock_access();
  update public.team_users set status = 'suspended' where status = 'active' and ends_at <= now();
  delete from public.campaign_user_roles_team where ends_at <= now();
end $$;

-- ── The drain's two steps ──────────────────────────────────────────────────────────────────────────────────────────

create function public.pending_permission_changes(p_limit int) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.end_due_access();
  return (
    select jsonb_build_object('ids', coalesce(jsonb_agg(n.id), '[]'), 'userIds', coalesce(jsonb_agg(distinct n.user_id), '[]'),
      'endsInMs', (
        select floor(extract(epoch from min(e.ends_at) - clock_timestamp()) * 1000)
        from (
          select t.ends_at from public.team_users t where t.status = 'active'
          union all
          select t.ends_at from public.campaign_user_roles_team t
        ) e
        where e.ends_at > now() and e.ends_at < now() + interval '1 hour'))
    from (select c.id, c.user_id from public.permission_changes c order by c.id limit p_limit) n);
end $$;
comment on function public.pending_permission_changes is
  'Ends access that is due; then the oldest pending changes: their ids, the users they name, and "endsInMs": after how many '
  'milliseconds more access ends, null if not within an hour.';

-- By id, because a change with a smaller id can be committed later.
create function public.delete_permission_changes(p_ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.permission_changes where id = any (p_ids)
$$;
comment on function public.delete_permission_changes is 'Deletes pending changes whose users have new epochs.';
