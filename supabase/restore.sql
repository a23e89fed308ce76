-- Empties a project that `npx supabase db push` has brought up to date, for the data of a backup that comes after it:
--   psql "$DATABASE_URL" --single-transaction --set ON_ERROR_STOP=1 --file supabase/restore.sql --file data.sql \
--     --command 'select private.recount()'
-- Without triggers and foreign keys, as the data was checked when it was first written.
set session_replication_role = replica;
do $$
begin
  execute (
    select 'truncate ' || string_agg(c.oid::regclass::text, ', ') from pg_class c
    where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private', 'voterfile')
  );
end $$;
