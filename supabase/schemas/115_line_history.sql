-- The history of lines: what became of each after it was keyed, written by a trigger in the transaction of the change,
-- whoever makes it. That it was keyed is told by the line itself.

create table public.line_changes (
  id bigint generated always as identity primary key,
  line_id uuid not null,
  team_id text not null,
  campaign_id text not null,
  kind text not null check (kind in ('undone', 'removed', 'restored', 'moved')),
  at timestamptz not null default now(),
  actor_id uuid,
  because text check (length(because) <= 500),
  sheet_before int,
  line_before int,
  sheet_after int,
  line_after int
);
comment on table public.line_changes is
  'What became of lines after they were keyed. No foreign keys: the history stays when the line is gone.';
comment on column public.line_changes.kind is
  '`undone` is the removal of one''s own line without a reason; `removed` is any other one.';
comment on column public.line_changes.actor_id is 'Null for a change by SQL.';
create index line_changes_line on public.line_changes (line_id, id);
alter table public.line_changes enable row level security;
create policy "with signatures.view, or of one's own lines with signatures.enter" on public.line_changes
  for select to authenticated
  using ((team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.view') g)
    or exists (select from public.lines l where l.id = line_id and l.entered_by = (select auth.uid()))
      and (team_id, campaign_id) in (select g.team_id, g.campaign_id from private.granted('signatures.enter') g));
grant select on public.line_changes to authenticated, service_role;

-- Who makes the changes of lines that follow in this transaction, and why. A function that changes lines says so before,
-- and takes it back after: what else the transaction does is not hers.
create function private.act_as(p_actor_id uuid, p_because text) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform set_config('signet.actor_id', coalesce(p_actor_id::text, ''), true),
    set_config('signet.because', coalesce(p_because, ''), true);
end $$;
grant execute on function private.act_as to service_role;

-- Runs as its owner: nobody else may write the history.
create function private.keep_line_history() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := nullif(current_setting('signet.actor_id', true), '')::uuid;
  because text := nullif(current_setting('signet.because', true), '');
begin
  insert into public.line_changes (line_id, team_id, campaign_id, kind, actor_id, because, sheet_before, line_before,
    sheet_after, line_after)
  select new.id, new.team_id, new.campaign_id, c.kind, actor,
    case when c.kind = 'removed' then new.removed_because else because end, old.sheet, old.line, new.sheet, new.line
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
create trigger keep_line_history after update on public.lines
for each row when ((old.sheet, old.line, old.removed_at is null)
  is distinct from (new.sheet, new.line, new.removed_at is null))
execute function private.keep_line_history();
