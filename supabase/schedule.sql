-- The schedule of a Supabase project: extensions, secrets, jobs. Run it whole, as postgres, in the SQL editor or through
-- psql, after `supabase db push`; once more changes nothing. The first time, and to change one of them, put the settings
-- before it in the same run. They are arguments of a function since pg_stat_statements keeps the text of other statements:
--
--   select set_config('signet.project_url', 'https://<ref>.supabase.co', false);
--   select set_config('signet.secret_key', 'sb_secret_…', false);
--   select set_config('signet.read_log_days', '365', false);
--
-- The last one is optional: for how many days exports and searches are kept, 365 if it was never set.
--
-- Each job looks first whether there is something to do, so that nothing is called while nothing happens: 4 380 calls a
-- month (a look at the sets of signers every 10 minutes), of the 500 000 that come with a free project. While lines are
-- keyed that look is one a minute, at most 43 800 a month; and what changes is a call each 5 seconds until it is done.

begin;

create extension if not exists pg_cron with schema pg_catalog;
create extension if not exists pg_net with schema extensions;

do $$
declare
  setting record;
begin
  for setting in
    select n.name, s.id, rtrim(coalesce(current_setting('signet.' || n.name, true), ''), '/') as given, n.form, n.optional
    from (values
      ('project_url', '^https?://[^/[:space:]]+$', false),
      ('secret_key', '^(sb_secret_|eyJ)[^[:space:]]+$', false),
      ('read_log_days', '^[1-9][0-9]{0,4}$', true)
    ) n (name, form, optional)
    left join vault.secrets s on s.name = n.name
  loop
    if setting.given = '' then
      if setting.id is null and not setting.optional then
        raise exception 'Set signet.% first, as the head of this file shows.', setting.name;
      end if;
    elsif setting.given !~ setting.form then
      raise exception 'signet.% is not one: see the head of this file.', setting.name;
    elsif setting.id is null then
      perform vault.create_secret(setting.given, setting.name);
    else
      perform vault.update_secret(setting.id, setting.given);
    end if;
  end loop;
end $$;

select cron.schedule(job.function, job.schedule, format($job$
  select net.http_post(
    url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'project_url') || '/functions/v1/%s',
    headers := jsonb_build_object('content-type', 'application/json',
      'apikey', (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'secret_key')),
    timeout_milliseconds := 120000)
  where %s
$job$, coalesce(job.calls, job.function), job.condition))
from (values
  ('invalidate-permissions', null, '5 seconds', 'exists (select from public.permission_changes)'),
  ('sync-signers', null, '5 seconds', 'exists (select from public.signer_changes)'),
  -- Redis alone knows whether its sets are there still.
  ('look-at-signers', 'sync-signers', '* * * * *', 'extract(minute from now())::int % 10 = 0 or private.keys_lines()'),
  ('send-invitations', null, '30 seconds', 'private.has_mail_to_send()')
) job (function, calls, schedule, condition);

select cron.schedule('purge-read-log', '37 * * * *', $$
  select public.purge_read_log(
    (select s.decrypted_secret::int from vault.decrypted_secrets s where s.name = 'read_log_days'))
$$);

-- Each look is a row there.
select cron.schedule('purge-job-runs', '7 * * * *',
  $$delete from cron.job_run_details where end_time < now() - interval '1 day'$$);

commit;
