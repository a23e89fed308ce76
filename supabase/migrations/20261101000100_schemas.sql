-- Schemas and default privileges: what is not granted by name is not granted.

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;

-- Helpers of policies and triggers. REST shows `public` alone, so nothing here can be called over it.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;
comment on schema private is 'Access rules and trigger functions; not shown by REST.';

grant usage on schema public to anon, authenticated, service_role;

-- Supabase grants everything in `public` to its three API roles by default. Signet grants table by table.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
