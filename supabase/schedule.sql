-- The schedule of a Supabase project: extensions, secrets, jobs. Run the whole file as postgres, in the SQL editor or with
-- psql, after `supabase db push`. You can safely run it again. The first time, and to change a setting, put the settings before
-- it in the same run. They are arguments of a function because pg_stat_statements stores the text of other statements:
--
--   select set_config('signet.project_url', 'https://<ref>.supabase.co', false);
--   select set_config('signet.secret_key', 'sb_secret_…', false);
--   select set_config('signet.read_log_days', '365', false);
--
-- The last one is optional: after how many days the log of sign-ins, exports, and searches is deleted, by default 365.
--
-- Each job first checks whether there is something to do. An idle Signet makes 5,110 of the 500,000 calls a month that a free
-- project has: 4,380 check the sets of signers every 10 minutes, 730 ask every hour whether emails can be sent. While lines are
-- entered, the sets are checked every minute, at most 43,800 times a month. While changes are pending, there is a call every 5
-- seconds.

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
        raise exception 'Set signet.% first, as shown at the top of this file.', setting.name;
      end if;
    elsif setting.given !~ setting.form then
      raise exception 'signet.% isn''t valid: see the top of this file.', setting.name;
    elsif setting.id is null then
      perform vault.create_secret(setting.given, setting.name);
    else
      perform vault.update_secret(setting.id, setting.given);
    end if;
  end loop;
end $$;

select cron.schedule(job.name, job.schedule, format($job$
  select net.http_post(
    url := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'project_url') || '/functions/v1/%s',
    headers := jsonb_build_object('content-type', 'application/json',
      'apikey', (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'secret_key')),
    timeout_milliseconds := 120000)
  where %s
$job$, job.function, job.condition))
from (values
  ('invalidate-permissions', '5 seconds', 'invalidate-permissions', 'private.has_permission_work()'),
  ('sync-signers', '5 seconds', 'sync-signers', 'exists (select from public.signer_changes)'),
  -- Only Redis knows whether it still has its sets.
  ('look-at-signers', '* * * * *', 'sync-signers', 'extract(minute from now())::int % 10 = 0 or private.has_recent_entry()'),
  ('send-invitations', '30 seconds', 'send-invitations', 'private.has_mail_to_send()'),
  ('send-emails', '30 seconds', 'send-emails', 'private.has_email_to_send()')
) job (name, schedule, function, condition);

select cron.schedule('purge-read-log', '37 * * * *', $$
  select public.purge_read_log(
    (select s.decrypted_secret::int from vault.decrypted_secrets s where s.name = 'read_log_days'))
$$);

select cron.schedule('erase-personal-data', '* * * * *', 'select public.erase_personal_data()');

select cron.schedule('queue-digests', '3 * * * *', 'select public.queue_digests()');

select cron.schedule('purge-emails', '17 * * * *', 'select public.purge_emails()');

-- Each run adds a row there.
select cron.schedule('purge-job-runs', '7 * * * *',
  $$delete from cron.job_run_details where end_time < now() - interval '1 day'$$);

commit;
