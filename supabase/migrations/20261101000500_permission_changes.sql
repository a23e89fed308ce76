-- Notes of whose permissions may have changed, written in the transaction of the change, whoever makes it. Draining them
-- gives those users new permission epochs, so that no cached snapshot of before is read again.

create table public.permission_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  created_at timestamptz not null default now()
);
comment on table public.permission_changes is
  'No foreign keys: a deleted user''s note must stay. A note is deleted only after the user''s epoch is new.';
alter table public.permission_changes enable row level security;

-- Notes the users that the changed rows lead to, in one statement however many they are. Arguments: the columns that
-- matter, and the join that leads from a changed row `c` to users `a`. Each join needs only links nearer to the user
-- than its own table; where several links change at once, the one nearest to the user still finds her.
-- Runs as its owner: nobody else may write notes.
create function private.note_permission_changes() returns trigger
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
  -- One change at a time, until it is committed: of two that overlap, each would miss what the other has not committed.
  perform pg_advisory_xact_lock(hashtext('permission_changes'));
  execute format('insert into public.permission_changes (user_id) select distinct a.user_id from (%s) c %s',
    changed, tg_argv[1]);
  return null;
end $$;
revoke execute on function private.note_permission_changes() from public, anon, authenticated;

-- `truncate` names no rows: everyone who is a member may be affected.
create function private.note_everyone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtext('permission_changes'));
  insert into public.permission_changes (user_id) select distinct m.user_id from private.active_members m;
  return null;
end $$;
revoke execute on function private.note_everyone() from public, anon, authenticated;

create view private.role_holders as
select m.role_id, m.user_id
from private.active_members m
where not m.is_team_admin
union all
select c.role_id, m.user_id
from public.campaign_user_roles_team c
join private.active_members m on m.user_id = c.user_id and m.team_id = c.team_id
where not m.is_team_admin;
comment on view private.role_holders is 'Whom the bundles of a role reach: in the team (rule 4) or in a campaign (rule 7).';

create view private.set_holders as
select b.permission_set_id, m.user_id
from public.team_p_sets b
join private.active_members m on m.team_id = b.team_id and m.is_team_admin
union all
select b.permission_set_id, h.user_id
from public.role_p_sets b
join private.role_holders h on h.role_id = b.role_id
union all
select b.permission_set_id, m.user_id
from public.campaign_team_sets b
join private.active_members m on m.team_id = b.team_id and m.is_team_admin
union all
select b.permission_set_id, m.user_id
from public.campaign_user_team_sets b
join private.active_members m on m.user_id = b.user_id and m.team_id = b.team_id and not m.is_team_admin;
comment on view private.set_holders is 'Whom the keys of a permission set reach (rules 4 and 7).';

do $$
declare
  watched record;
begin
  for watched in
    select * from (values
      -- table, columns that matter, the way from a changed row to the users
      ('team_users', 'user_id, team_id, role_id, status',
        'join lateral (select c.user_id where c.status = ''active'') a on true'),
      ('roles', 'id, scope',
        'join private.active_members a on a.role_id = c.id'),
      ('team_p_sets', 'team_id, permission_set_id',
        'join private.active_members a on a.team_id = c.team_id and a.is_team_admin'),
      ('role_p_sets', 'role_id, permission_set_id',
        'join private.role_holders a on a.role_id = c.role_id'),
      ('permission_set_keys', 'permission_set_id, key',
        'join private.set_holders a on a.permission_set_id = c.permission_set_id'),
      ('campaign_user_roles_team', 'user_id, team_id, campaign_id, role_id',
        'join private.active_members a on a.user_id = c.user_id and a.team_id = c.team_id'),
      ('campaign_user_team_sets', 'user_id, team_id, campaign_id, permission_set_id',
        'join private.active_members a on a.user_id = c.user_id and a.team_id = c.team_id'),
      ('campaign_team', 'team_id, campaign_id',
        'join private.active_members a on a.team_id = c.team_id and a.is_team_admin'),
      ('campaign_team_sets', 'team_id, campaign_id, permission_set_id',
        'join private.active_members a on a.team_id = c.team_id and a.is_team_admin'),
      -- Not in any snapshot, but in permission_places, which is cached with the snapshots.
      ('teams', 'id, name, time_zone',
        'join private.active_members a on a.team_id = c.id'),
      ('campaigns', 'id, name, archived_at',
        'join private.grants a on a.campaign_id = c.id and a.rule = 5')
    ) as w (table_name, columns, way)
  loop
    execute format('create trigger note_insert after insert on public.%I referencing new table as new_rows '
      'for each statement execute function private.note_permission_changes(%L, %L)',
      watched.table_name, watched.columns, watched.way);
    execute format('create trigger note_update after update on public.%I referencing old table as old_rows '
      'new table as new_rows for each statement execute function private.note_permission_changes(%L, %L)',
      watched.table_name, watched.columns, watched.way);
    execute format('create trigger note_delete after delete on public.%I referencing old table as old_rows '
      'for each statement execute function private.note_permission_changes(%L, %L)',
      watched.table_name, watched.columns, watched.way);
    execute format('create trigger note_truncate before truncate on public.%I '
      'for each statement execute function private.note_everyone()', watched.table_name);
  end loop;
end $$;

-- ── The drain's two steps ──────────────────────────────────────────────────────────────────────────────────────────

create function public.pending_permission_changes(p_limit int) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('ids', coalesce(jsonb_agg(n.id), '[]'), 'userIds', coalesce(jsonb_agg(distinct n.user_id), '[]'))
  from (select c.id, c.user_id from public.permission_changes c order by c.id limit p_limit) n
$$;
comment on function public.pending_permission_changes is 'The oldest notes: their ids, and the users they name.';
revoke execute on function public.pending_permission_changes from public, anon, authenticated;
grant execute on function public.pending_permission_changes to service_role;

-- By id and not "up to": a note with a smaller number can be committed later.
create function public.delete_permission_changes(p_ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.permission_changes where id = any (p_ids)
$$;
comment on function public.delete_permission_changes is 'Deletes notes whose users have new epochs.';
revoke execute on function public.delete_permission_changes from public, anon, authenticated;
grant execute on function public.delete_permission_changes to service_role;
