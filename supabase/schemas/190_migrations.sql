-- Which migrations a database has, for the operator: REST does not show the schema in which the supabase CLI keeps them.

-- Runs as its owner: nobody else reads that schema, which is not there where the CLI did not make the database.
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
comment on function public.applied_migrations is 'The versions of the migrations that were applied; null where that is not kept.';
