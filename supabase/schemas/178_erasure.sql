-- Erasing the personal data of archived campaigns, after the number of days that the team that runs one has set. Its
-- administrators are warned 14 days before. Lines stay, with their verdicts, sheets, clerks, days and counties, so that all
-- counts stay.

create table private.erasures (
  campaign_id text primary key references public.campaigns (id) on delete cascade,
  through bigint not null default 0
);
comment on table private.erasures is 'Campaigns that are being erased, and the stored_number through which their lines are done.';
alter table private.erasures enable row level security;

-- A warning no longer counts once its campaign was restored, or the period was removed or extended.
create function private.warn_of_erasures() returns void
language plpgsql set search_path = ''
as $$
declare
  warned record;
begin
  update public.campaigns c set erase_at = null
  from public.teams t
  where t.id = c.team_id and c.erase_at is not null and c.erased_at is null
    and coalesce(c.archived_at + make_interval(days => t.erase_after_days) > c.erase_at, true);
  for warned in
    update public.campaigns c
    set erase_at = greatest(c.archived_at + make_interval(days => t.erase_after_days), now() + interval '14 days')
    from public.teams t
    where t.id = c.team_id and c.erase_at is null and c.erased_at is null
      and c.archived_at + make_interval(days => t.erase_after_days) <= now() + interval '14 days'
    returning c.id, c.erase_at
  loop
    perform private.queue_email(m.user_id, m.team_id, 'erasure', warned.id || ' ' || warned.erase_at::date)
    from public.campaign_team a join private.active_members m on m.team_id = a.team_id and m.is_team_admin
    where a.campaign_id = warned.id;
  end loop;
end $$;

create function public.erase_personal_data(p_limit int default 2000) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  campaign text;
  done int;
  last bigint;
begin
  perform private.warn_of_erasures();
  with begun as (
    update public.campaigns set erased_at = now()
    where erased_at is null and archived_at is not null and erase_at <= now() returning id
  )
  insert into private.erasures (campaign_id) select b.id from begun b;
  select e.campaign_id, e.through into campaign, last from private.erasures e order by e.campaign_id limit 1
  for update skip locked;
  if campaign is null then return null; end if;

  with part as materialized (
    select l.id, l.stored_number from public.lines l where l.campaign_id = campaign and l.stored_number > last
    order by l.stored_number limit p_limit
  ),
  erased as (
    update public.lines l set voter_id = case when l.verdict = 'accepted' then 'erased-' || l.stored_number end,
      first_name = null, last_name = null, address = null, city = null, zip = null, note = null, removed_because = null
    from part p where l.id = p.id
  )
  select count(*), max(p.stored_number) into done, last from part p;
  update private.erasures e set through = coalesce(last, e.through) where e.campaign_id = campaign;
  if done = p_limit then return campaign; end if;

  perform set_config('signet.erasing', 'on', true); -- the log is append-only otherwise
  update public.audit_log a set before = a.before - e.columns, after = a.after - e.columns
  from (select '{first_name,last_name,voter_id,reason}'::text[] as columns) e
  where a.id in (select b.id from public.audit_log b where b.campaign_id = campaign and b.table_name = 'lines'
    and (b.before ?| e.columns or b.after ?| e.columns) limit p_limit);
  get diagnostics done = row_count;
  perform set_config('signet.erasing', '', true);
  if done = p_limit then return campaign; end if;

  update public.line_changes set reason = null where campaign_id = campaign and reason is not null;
  update public.quality_lines set voter_id = case when verdict = 'accepted' then 'erased' end, first_name = null,
    last_name = null, address = null, note = null
  where campaign_id = campaign;
  delete from public.read_log where campaign_id = campaign;
  update public.charts c set data = null, generated_at = null
  where c.data is not null and (c.campaign_id = campaign or c.campaign_id is null and c.team_id in (
      select a.team_id from public.campaign_team a where a.campaign_id = campaign))
    and private.chart_identifies((select u.names from private.unrestricted_columns u where u.source = c.source),
      c.group_by, c.metrics, c.filters);
  perform public.request_signer_rebuilds(array[campaign]); -- which finds no signers
  delete from private.erasures where campaign_id = campaign;
  return campaign;
end $$;
comment on function public.erase_personal_data is
  'Warns of erasures, and erases a part of one that is due: p_limit lines. Returns the campaign; null if none is due. Call it '
  'every minute.';
