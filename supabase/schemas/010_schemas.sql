-- Schemas, extensions and default privileges: what is not granted by name is not granted.

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
-- Before the default privileges below, which would keep their functions from everybody.
create extension if not exists fuzzystrmatch with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

-- Helpers of policies and triggers. REST shows `public` alone, so nothing here can be called over it.
create schema private;
grant usage on schema private to authenticated, service_role;
comment on schema private is 'Access rules and trigger functions; not shown by REST.';

create schema voterfile;
grant usage on schema voterfile to service_role;
comment on schema voterfile is 'Voters as the register has them; read by the search backend alone.';

create schema reporting;
grant usage on schema reporting to service_role;
comment on schema reporting is 'Chart sources. Not shown by REST; each view has team_id and campaign_id.';

grant usage on schema public to anon, authenticated, service_role;

-- Supabase grants everything in `public` to its three API roles by default, and PostgreSQL lets everybody execute every
-- function. From here on nobody but its owner reads a table or executes a function, in any schema, until a line grants it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
alter default privileges in schema reporting grant select on tables to service_role;

-- ── Helpers of several features ─────────────────────────────────────────────────────────────────────────────────────

-- A function with `return` needs no `set search_path`, which would cost more than it does: its names are read here, once.
create function private.utc(p_at timestamptz) returns text
language sql stable
return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
comment on function private.utc is 'A time as JSON has it: ISO 8601 in UTC.';
grant execute on function private.utc to service_role;

create function private.refuse_half_sign_in() returns uuid
language plpgsql stable set search_path = ''
as $$
begin
  raise insufficient_privilege using message = 'Show the second factor first: it is half a sign-in without.';
end $$;

-- The signed-in user: what all rules ask, and never `auth.uid()`. Half a sign-in reads no more than a stranger, and changes
-- nothing. Whether an account has a second factor is what lib/auth/second-factor.ts keeps with it, so that the token tells;
-- `aal` is what was shown.
create function private.me() returns uuid
language sql stable
return case
  when auth.jwt() #>> '{app_metadata,second_factor}' = 'true' and auth.jwt() ->> 'aal' is distinct from 'aal2'
    then private.refuse_half_sign_in()
  else auth.uid()
end;
comment on function private.me is 'The signed-in user; an error for half a sign-in.';
grant execute on function private.refuse_half_sign_in, private.me to authenticated, service_role;
