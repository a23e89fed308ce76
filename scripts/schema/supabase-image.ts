/**
 * A new Supabase project before the first migration, as far as migrations depend on it. Run it as the
 * superuser `supabase_admin` in the database that `postgres` is to own. Migrations run as `postgres`, who owns that
 * database and isn't a superuser; what it creates in `public` is granted to the three API roles by default.
 */
export const supabaseImage = `
  create role postgres login createdb createrole replication bypassrls;
  alter role postgres set search_path = "$user", public, extensions;
  do $$ begin execute format('alter database %I owner to postgres', current_database()); end $$;
  create role anon;
  create role authenticated;
  create role service_role bypassrls;
  alter role anon set statement_timeout = '3s';
  alter role authenticated set statement_timeout = '8s';
  create role authenticator login noinherit;
  grant anon, authenticated, service_role to authenticator;
  grant anon, authenticated, service_role to postgres with admin option;
  grant usage on schema public to postgres, anon, authenticated, service_role;

  create schema extensions authorization postgres;
  grant usage on schema extensions to anon, authenticated, service_role;

  create role supabase_auth_admin login noinherit;
  alter role supabase_auth_admin set search_path = auth;
  create schema auth;
  grant all on schema auth to supabase_auth_admin;
  grant usage on schema auth to postgres, anon, authenticated, service_role;
  create table auth.users (
    id uuid primary key, email text, encrypted_password text, email_confirmed_at timestamptz,
    confirmation_sent_at timestamptz, raw_user_meta_data jsonb, raw_app_meta_data jsonb
  );
  alter table auth.users owner to supabase_auth_admin;
  grant all on auth.users to postgres;
  create function auth.uid() returns uuid language sql stable as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;

  create function auth.jwt() returns jsonb language sql stable as $$
    select nullif(current_setting('request.jwt.claims', true), '')::jsonb
  $$;

  alter default privileges for role postgres, supabase_admin in schema public
    grant all on tables to postgres, anon, authenticated, service_role;
  alter default privileges for role postgres, supabase_admin in schema public
    grant all on functions to postgres, anon, authenticated, service_role;
  alter default privileges for role postgres, supabase_admin in schema public
    grant all on sequences to postgres, anon, authenticated, service_role;
`;
