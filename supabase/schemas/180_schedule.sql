-- The state of the jobs of supabase/schedule.sql, for the operator.

-- Runs as its owner: no one else sees pending changes and runs. pg_cron is missing before the schedule is set up.
create function public.schedule_state() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  runs jsonb := '{}';
begin
  if to_regclass('cron.job_run_details') is not null then
    execute $query$
      select coalesce(jsonb_object_agg(j.jobname, jsonb_build_object(
        'active', j.active, 'ranAt', private.utc(d.start_time), 'status', d.status,
        'error', case when d.status = 'failed' then d.return_message end)), '{}')
      from cron.job j
      left join lateral (
        select r.* from cron.job_run_details r where r.jobid = j.jobid order by r.runid desc limit 1
      ) d on true
    $query$ into runs;
  end if;
  return jsonb_build_object(
    'oldestPending', jsonb_build_object(
      'permissions', (select extract(epoch from clock_timestamp() - c.created_at)
        from public.permission_changes c order by c.id limit 1),
      'signers', (select extract(epoch from clock_timestamp() - c.created_at)
        from public.signer_changes c order by c.id limit 1)),
    'jobs', (
      select jsonb_object_agg(name, coalesce(runs -> name, '"not scheduled"'))
      from unnest(array[
        'invalidate-permissions', 'sync-signers', 'look-at-signers', 'send-invitations', 'send-emails',
        'erase-personal-data', 'queue-digests', 'purge-read-log', 'purge-emails', 'purge-job-runs']) name));
end $$;
comment on function public.schedule_state is
  'Seconds that the oldest pending changes have waited, and the last run of each job: {"oldestPending": {"permissions", "signers"}, '
  '"jobs": {name: {"active", "ranAt", "status", "error"} | "not scheduled"}}.';
