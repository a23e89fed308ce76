-- For `npm run doctor`: REST doesn't expose the schema in which the CLI lists migrations.

-- Security definer, because no other role can read that schema. Returns null if the CLI didn't create the database.
create function public.applied_migrations() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  versions text[];
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select array_agg(version::text order by version) from supabase_migrations.schema_migrations' into versions;
  end if;
  return versions;
end $$;
comment on function public.applied_migrations is 'The versions of the migrations that were applied; null if they aren''t listed.';
