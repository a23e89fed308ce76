// The checks of Supabase's database advisors that the schemas must pass (https://supabase.github.io/splinter), as queries:
// each row is a finding.

/** One check: its query, its allowed findings with reasons, and SQL that plants a finding in an object named `planted`. */
export type Advisor = { check: string; query: string; allowed: Record<string, string>; plant: string };

const ours = "('pg_catalog', 'information_schema', 'pg_toast', 'auth', 'extensions', 'supabase_migrations')";
const ofExtension = (oid: string) => `exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`;
const functions = `pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname not in ${ours} and not ${ofExtension("p.oid")}`;

export const advisors: Advisor[] = [
  {
    // A body parsed when the function was created (`return …`) has no names to resolve.
    check: "functions that use the caller's search_path",
    query: `select n.nspname || '.' || p.proname as found from ${functions} and p.prosqlbody is null
      and not exists (select from unnest(p.proconfig) setting where setting like 'search\\_path=%')`,
    allowed: {
      "private.grant_rows": "becomes part of the views that read it, planned with them; all its names are qualified",
      "public.permission_grants": "planned with its caller, which has an empty one; all its names are qualified",
      "voterfile.search_key": "called for each row of a voter file; all its names are qualified or built in",
      "private.chart_number": "called for each value of a chart; all its names are qualified or built in",
    },
    plant: "create function public.planted() returns int language sql as 'select 1'",
  },
  {
    check: "security definer functions that users can execute",
    query: `select distinct n.nspname || '.' || p.proname as found from ${functions} and p.prosecdef
      and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))`,
    allowed: {},
    plant: `create function public.planted() returns int language sql security definer as 'select 1';
      grant execute on function public.planted to authenticated`,
  },
  {
    check: "tables without row-level security",
    query: `select n.nspname || '.' || c.relname as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname not in ${ours} and c.relkind in ('r', 'p') and not c.relrowsecurity`,
    allowed: {},
    plant: "create table public.planted ()",
  },
  {
    check: "foreign keys without an index that begins with their columns",
    query: `select k.conrelid::regclass || '.' || k.conname as found
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and n.nspname not in ${ours} and not exists (
        select from pg_index i where i.indrelid = k.conrelid and i.indisvalid
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
      )`,
    allowed: {},
    plant: `create table public.planted (
      a text, b text, primary key (b, a), foreign key (a) references public.teams (id))`,
  },
  {
    check: "indexes that are the same as another one",
    query: `select schemaname || '.' || tablename as found from pg_indexes where schemaname not in ${ours}
      group by schemaname, tablename, replace(indexdef, ' INDEX ' || indexname || ' ', '') having count(*) > 1`,
    allowed: {},
    plant: `create table public.planted (a int); create index on public.planted (a); create index on public.planted (a)`,
  },
  {
    check: "views that API roles read with the privileges of another role",
    query: `select n.nspname || '.' || c.relname as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('v', 'm') and n.nspname not in ${ours}
        and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false)
        and (n.nspname = 'public' or exists (select from unnest(array['anon', 'authenticated']) role
          where has_schema_privilege(role, n.oid, 'usage') and has_table_privilege(role, c.oid, 'select')))`,
    allowed: {},
    plant: "create view public.planted as select 1 as one",
  },
];
