-- The history of lines after entry, written by a trigger in the transaction of each change, also of changes by SQL.

create table public.line_changes (
  id bigint generated always as identity primary key,
  line_id uuid not null,
  team_id text not null,
  campaign_id text not null,
  kind text not null check (kind in ('undone', 'removed', 'restored', 'moved')),
  at timestamptz not null default now(),
  actor_id uuid,
  reason text check (length(reason) <= 500),
  sheet_before int,
  line_before int,
  sheet_after int,
  line_after int
);
comment on table public.line_changes is
  'The history of lines after entry. No foreign keys: it outlives its line.';
comment on column public.line_changes.kind is
  '`undone` is the removal of a clerk''s own line without a reason; `removed` is any other removal.';
comment on column public.line_changes.actor_id is 'Null for a change by SQL.';
create index line_changes_line on public.line_changes (line_id, id);
create index line_changes_campaign on public.line_changes (campaign_id, id);
alter table public.line_changes enable row level security;
revoke insert, update, delete on public.line_changes from service_role;

-- Runs as its owner, since no one else may write the history.
create function private.record_line_history() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := private.actor();
  reason text := nullif(current_setting('signet.reason', true), '');
begin
  insert into public.line_changes (line_id, team_id, campaign_id, kind, actor_id, reason, sheet_before, line_before,
    sheet_after, line_after)
  select new.id, new.team_id, new.campaign_id, c.kind, actor,
    case when c.kind = 'removed' then new.removed_because else reason end, old.sheet, old.line, new.sheet, new.line
  from unnest(array[
    case when (old.sheet, old.line) is distinct from (new.sheet, new.line) then 'moved' end,
    case
      when (old.removed_at is null) = (new.removed_at is null) then null
      when new.removed_at is null then 'restored'
      when new.removed_because is null and actor = new.entered_by then 'undone'
      else 'removed'
    end]) c (kind)
  where c.kind is not null;
  return null;
end $$;
create trigger record_line_history after update on public.lines
for each row when ((old.sheet, old.line, old.removed_at is null)
  is distinct from (new.sheet, new.line, new.removed_at is null))
execute function private.record_line_history();

-- ── Changing lines ─────────────────────────────────────────────────────────────────────────────────────────────────

-- Locks a line for a change, or says why the person may not change it: their own lines take signatures.enter, others'
-- signatures.remove.
create function private.lock_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, out refusal jsonb, out stored public.lines
)
language plpgsql volatile set search_path = ''
as $$
declare
  may_enter boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter');
  may_remove boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove');
begin
  if not may_enter and not may_remove then
    refusal := '{"outcome": "not-allowed"}';
    return;
  end if;
  select * into stored from public.lines l
  where l.id = p_id and l.team_id = p_team_id and l.campaign_id = p_campaign_id for update;
  refusal := case
    when not found then '{"outcome": "not-found"}'
    when not (case when stored.entered_by is not distinct from p_actor_id then may_enter else may_remove end) then
      '{"outcome": "not-allowed"}'
  end;
end $$;

create function public.remove_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  reason text := nullif(trim(p_reason), '');
  locked_line record;
  stored public.lines;
  was_removed boolean;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  stored := locked_line.stored;
  was_removed := stored.removed_at is not null;
  if not was_removed then
    if reason is null and stored.entered_by is distinct from p_actor_id then
      return '{"outcome": "reason-missing"}';
    end if;
    perform private.act_as(p_actor_id, reason);
    update public.lines set removed_at = now(), removed_by = p_actor_id, removed_because = reason
    where id = p_id returning * into stored;
    perform private.act_as(null, null);
  end if;
  -- The line did not count, or its voter has been entered again since and stays in the set.
  if stored.verdict <> 'accepted' or was_removed and exists (select from public.lines l where l.campaign_id = p_campaign_id
    and l.voter_id = stored.voter_id and l.verdict = 'accepted' and l.removed_at is null)
  then
    return '{"outcome": "removed"}';
  end if;
  return jsonb_build_object(
    'outcome', 'removed', 'voterId', stored.voter_id, 'changeNumber', stored.change_number, 'unchanged', was_removed);
end $$;
comment on function public.remove_line is
  'Removes a line: one''s own with signatures.enter, others'' with signatures.remove and a reason. Returns { outcome: removed '
  '| not-allowed | not-found | reason-missing, voterId?, changeNumber?, unchanged? }, the last three for an accepted line whose '
  'voter has no other one.';

create function public.restore_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  locked_line record;
  stored public.lines;
  refusal jsonb;
  signed jsonb;
  was_active boolean;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  stored := locked_line.stored;
  was_active := stored.removed_at is null;
  -- A clerk cannot undo someone else's removal of their line.
  if not was_active and stored.removed_by is distinct from p_actor_id
    and not private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove')
  then
    return '{"outcome": "not-allowed"}';
  end if;
  while stored.removed_at is not null loop
    refusal := private.line_refusal(p_actor_id, p_team_id, p_campaign_id, stored.sheet, stored.line, stored.verdict,
      stored.signed_on);
    if refusal is not null then
      return refusal;
    end if;
    if stored.verdict = 'accepted' then
      signed := public.already_signed(p_team_id, p_campaign_id, array[stored.voter_id]) -> stored.voter_id;
      if signed is not null then
        return jsonb_build_object('outcome', 'duplicate', 'of', signed);
      end if;
    end if;
    begin
      perform private.act_as(p_actor_id, trim(p_reason));
      update public.lines set removed_at = null, removed_by = null, removed_because = null
      where id = p_id returning * into stored;
      perform private.act_as(null, null);
    exception when unique_violation then
      null; -- someone else took the place or the voter: check again
    end;
  end loop;
  perform private.ensure_sheet(p_actor_id, p_team_id, p_campaign_id, stored.sheet);
  return jsonb_build_object('outcome', 'restored', 'unchanged', was_active)
    || case when stored.verdict = 'accepted'
      then jsonb_build_object('voterId', stored.voter_id, 'changeNumber', stored.change_number) else '{}' end;
end $$;
comment on function public.restore_line is
  'Restores a line for a person who may remove it; if someone else removed it, only with signatures.remove. Returns { outcome: '
  'restored, unchanged, voterId?, changeNumber? }, the last two for an accepted line, `unchanged` if it was not removed; or changes '
  'nothing and returns { outcome: duplicate | line-taken | outside-dates | archived | not-allowed | not-found, of?, taken?, '
  'startsOn?, endsOn? } as record_line does.';

create function public.move_line(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_id uuid, p_sheet int, p_line int, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  locked_line record;
  stored public.lines;
  refusal jsonb;
begin
  locked_line := private.lock_line(p_actor_id, p_team_id, p_campaign_id, p_id);
  if locked_line.refusal is not null then
    return locked_line.refusal;
  end if;
  stored := locked_line.stored;
  if stored.removed_at is not null then
    return '{"outcome": "not-found"}';
  end if;
  while (stored.sheet, stored.line) is distinct from (p_sheet, p_line) loop
    refusal := private.line_refusal(p_actor_id, p_team_id, p_campaign_id, p_sheet, p_line, null, null);
    if refusal is not null then
      return refusal;
    end if;
    begin
      perform private.act_as(p_actor_id, trim(p_reason));
      update public.lines set sheet = p_sheet, line = p_line where id = p_id returning * into stored;
      perform private.act_as(null, null);
    exception when unique_violation then
      null; -- someone else took the place: check again
    end;
  end loop;
  perform private.ensure_sheet(p_actor_id, p_team_id, p_campaign_id, p_sheet);
  return '{"outcome": "moved"}';
end $$;
comment on function public.move_line is
  'Moves a line that is not removed to another place, for a person who may remove it; starts the sheet if needed. Returns '
  '{ outcome: moved | line-taken | archived | not-allowed | not-found, taken? }, `taken` as in record_line.';

create function public.renumber_sheet(
  p_actor_id uuid, p_team_id text, p_campaign_id text, p_from int, p_to int, p_reason text default null
) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  may_enter boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.enter');
  may_remove boolean := private.has_key(p_actor_id, p_team_id, p_campaign_id, 'signatures.remove');
  source public.sheets;
  target public.sheets;
  sheet_lines record;
  conflicts jsonb;
begin
  if not may_enter and not may_remove then
    return '{"outcome": "not-allowed"}';
  end if;
  if private.is_archived(p_campaign_id) then
    return '{"outcome": "archived"}';
  end if;
  perform private.lock_sheets(p_team_id, p_campaign_id);
  select * into source from public.sheets s
  where s.team_id = p_team_id and s.campaign_id = p_campaign_id and s.number = p_from;
  -- Locks all rows before it takes a place, to avoid deadlocks. Removed lines move too, so that they are restored where they
  -- belong.
  with locked as materialized (
    select l.id, l.removed_at is null as live, l.entered_by is not distinct from p_actor_id as own from public.lines l
    where l.team_id = p_team_id and l.campaign_id = p_campaign_id and l.sheet = p_from
    order by l.id for update
  )
  select array_agg(l.id) as ids, coalesce(bool_or(l.live), false) as any_live,
    coalesce(bool_and(case when l.own then may_enter else may_remove end) filter (where l.live), true) as may_all
  into sheet_lines from locked l;
  if source.id is null and (p_from = p_to or not sheet_lines.any_live) then
    return '{"outcome": "not-found"}';
  end if;
  if not sheet_lines.may_all then
    return '{"outcome": "not-allowed"}';
  end if;
  if p_from = p_to then
    return jsonb_build_object('outcome', 'renumbered', 'sheet', private.sheet_json(source, p_actor_id));
  end if;

  loop
    select jsonb_agg(jsonb_build_object('line', h.line, 'here', private.line_json(h, p_actor_id),
      'there', private.line_json(t, p_actor_id)) order by h.line) into conflicts
    from public.lines h
    join public.lines t on t.team_id = h.team_id and t.campaign_id = h.campaign_id and t.sheet = p_to and t.line = h.line
      and t.removed_at is null
    where h.id = any (sheet_lines.ids) and h.removed_at is null;
    if conflicts is not null then
      return jsonb_build_object('outcome', 'conflicts', 'conflicts', conflicts);
    end if;
    begin
      perform private.act_as(p_actor_id, trim(p_reason));
      update public.lines set sheet = p_to where id = any (sheet_lines.ids);
      perform private.act_as(null, null);
      exit;
    exception when unique_violation then
      null; -- someone entered a line there: check again
    end;
  end loop;

  -- A line that was entered on the old number since keeps that sheet.
  insert into public.sheets as s (team_id, campaign_id, number, circulator, collected_on, signature_count, opened_by,
    opened_at, closed_at)
  values (p_team_id, p_campaign_id, p_to, source.circulator, source.collected_on, source.signature_count,
    case when source.id is null then p_actor_id else source.opened_by end, coalesce(source.opened_at, now()),
    source.closed_at)
  on conflict (team_id, campaign_id, number) do update set circulator = coalesce(s.circulator, excluded.circulator),
    collected_on = coalesce(s.collected_on, excluded.collected_on),
    signature_count = coalesce(s.signature_count, excluded.signature_count)
  returning * into target;
  perform private.delete_empty_sheet(p_team_id, p_campaign_id, p_from);
  return jsonb_build_object('outcome', 'renumbered', 'sheet', private.sheet_json(target, p_actor_id));
end $$;
comment on function public.renumber_sheet is
  'Moves all lines of a sheet to another number, with its circulator, date and count, for a person who may move each of them. '
  'Returns { outcome: renumbered | conflicts | not-allowed | not-found | archived, sheet?, conflicts? }. With `conflicts`, the '
  'lines that both numbers have as { line, here, there }, nothing is moved.';
