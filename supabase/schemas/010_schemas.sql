-- Schemas, extensions and default privileges. Only the application reads and changes the database, as `service_role`.
-- The API roles `anon` and `authenticated` have no privileges, and row-level security without policies denies them every row
-- too.

create schema if not exists extensions;
grant usage on schema extensions to service_role;
-- Create these before the default privileges below, which would revoke their functions.
create extension if not exists fuzzystrmatch with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

-- Helpers of functions and triggers. REST only shows `public`, so nothing here can be called over it.
create schema private;
grant usage on schema private to service_role;
comment on schema private is 'Access rules and trigger functions; not shown by REST.';

create schema voterfile;
grant usage on schema voterfile to service_role;
comment on schema voterfile is 'The voter file; only the search backend reads it.';

create schema reporting;
grant usage on schema reporting to service_role;
comment on schema reporting is 'Chart sources. Not shown by REST; each view has team_id and campaign_id.';

grant usage on schema public to service_role;

-- Supabase grants everything in `public` to its three API roles by default, and PostgreSQL lets everyone execute every
-- function. From here on people get nothing. `service_role` reads and writes the tables of `public`, reads chart sources, and
-- executes functions; other tables need a grant. tests/integration/permissions/privileges.test.ts lists all of it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;
alter default privileges in schema reporting grant select on tables to service_role;
alter default privileges in schema public, private, voterfile grant execute on functions to service_role;

-- ── Shared helpers ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Without `set search_path`, which would take longer than the function. Names after `return` are resolved once, here.
create function private.utc(p_at timestamptz) returns text
language sql stable
return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
comment on function private.utc is 'A timestamp as an ISO 8601 string in UTC.';

-- Sets who makes the next changes of this transaction, and why. A function that changes something for a user calls it first,
-- and resets it at the end with null.
create function private.act_as(p_actor_id uuid, p_reason text default null) returns void
language plpgsql set search_path = ''
as $$
begin
  perform set_config('signet.actor_id', coalesce(p_actor_id::text, ''), true),
    set_config('signet.reason', coalesce(p_reason, ''), true);
end $$;

create function private.actor() returns uuid
language sql stable
return nullif(current_setting('signet.actor_id', true), '')::uuid;
comment on function private.actor is 'The user making the change; null for changes by SQL and by the service role.';
