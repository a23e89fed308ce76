// What `npm run schema` finds in two databases with one difference of each kind, and in two that are equal.
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { startTemporaryPostgres } from "../../../scripts/local-stack/postgres-server.ts";
import { buildDatabase, newProject } from "../../../scripts/schema/build-database.ts";
import { compareDatabases } from "../../../scripts/schema/compare-databases.ts";

const server = await startTemporaryPostgres(); // roles belong to a server
afterAll(() => server.stop());
await newProject(server);

let built = 0;
const build = (...texts: string[]) =>
  buildDatabase(
    server,
    `built_${++built}`,
    texts.map((text, index) => ({ name: `${index}.sql`, text })),
  );

// Each object is named after what will differ in it.
const tables = `
  new_column, type_of_column, default_of_column, null_in_column, collation_of_column, new_identity, option, checked, referring,
  new_unique, new_index, new_row_security, forced_row_security, new_policy, new_trigger, grants, grants_of_column,
  comment_of_column, comment_of_policy, new_rows`;
const made = `
  do $$ begin execute string_agg(format('create table %s (id int primary key, name text default ''x'')', name), ';')
    from unnest(string_to_array('${tables}', ',')) name; end $$;
  create table start_of_identity (id int generated always as identity);
  create table generated (a int, b int generated always as (a) stored);
  create table order_of_columns (a int, b int);
  alter table checked add constraint checked_id check (id > 1);
  alter table referring add constraint referring_id foreign key (id) references referring;
  create index new_index_name on new_index (name);
  alter table new_row_security enable row level security;
  create policy policy on new_policy for select to anon using (id > 1);
  create policy policy on comment_of_policy;
  create trigger trigger before update on new_trigger for each row execute function suppress_redundant_updates_trigger();
  revoke all on grants_of_column from anon;
  comment on column comment_of_column.name is 'Their name.';
  insert into new_rows values (1, 'one'), (2, 'two');

  create view new_view as select 1 as one;
  create view rights_of_view as select 1 as one;
  create function body() returns int language sql as 'select 1';
  create function setting() returns int language sql as 'select 1';
  create function rights() returns int language sql as 'select 1';
  create function grants() returns int language sql as 'select 1';
  create function owner() returns int language sql as 'select 1';
  create type enum as enum ('a', 'b');
  create type composite as (a int);
  create sequence sequence;
  create sequence cycling_sequence;
  create sequence grants_of_sequence;
  create schema default_privileges;
  alter default privileges in schema default_privileges grant select on tables to anon;
  create schema grants;
  create extension tcn with schema extensions`;
// Each with the headings of its differences.
const changes: [sql: string, ...headings: string[]][] = [
  ["alter table new_column add column born date", "table public.new_column"],
  ["alter table type_of_column alter name type varchar(9)", "table public.type_of_column"],
  ["alter table default_of_column alter name set default 'y'", "table public.default_of_column"],
  ["alter table null_in_column alter name set not null", "table public.null_in_column"],
  ['alter table collation_of_column alter name type text collate "C"', "table public.collation_of_column"],
  [
    "alter table new_identity alter id add generated always as identity",
    "sequence public.new_identity_id_seq",
    "table public.new_identity",
  ],
  ["alter table start_of_identity alter id set start 9", "sequence public.start_of_identity_id_seq"],
  ["alter table generated alter b drop expression", "table public.generated"],
  ["alter table order_of_columns drop a, add a int", "table public.order_of_columns"],
  ["alter table option set (fillfactor = 50)", "table public.option"],
  [
    "alter table checked drop constraint checked_id, add constraint checked_id check (id > 2)",
    "table constraint checked_id on public.checked",
  ],
  [
    `alter table referring drop constraint referring_id,
       add constraint referring_id foreign key (id) references referring on delete cascade`,
    "table constraint referring_id on public.referring",
  ],
  [
    "alter table new_unique add constraint new_unique_name unique (name)",
    "index public.new_unique_name",
    "table constraint new_unique_name on public.new_unique",
  ],
  [
    "drop index new_index_name; create index new_index_name on new_index (name) where id > 1",
    "index public.new_index_name",
  ],
  ["alter table new_row_security disable row level security", "table public.new_row_security"],
  ["alter table forced_row_security force row level security", "table public.forced_row_security"],
  ["alter policy policy on new_policy to authenticated using (true)", "policy policy on public.new_policy"],
  ["comment on policy policy on comment_of_policy is 'Why.'", "policy policy on public.comment_of_policy"],
  ["alter table new_trigger disable trigger trigger", "trigger trigger on public.new_trigger"],
  ["revoke delete on grants from anon", "table public.grants"],
  ["grant update (name) on grants_of_column to anon with grant option", "table column public.grants_of_column.name"],
  ["comment on column comment_of_column.name is 'Their full name.'", "table column public.comment_of_column.name"],
  ["update new_rows set name = 'zwei' where id = 2", "rows of public.new_rows"],
  ["create table new_table ()", "table public.new_table"],
  ["create or replace view new_view as select 2 as one", "view public.new_view"],
  ["alter view rights_of_view set (security_invoker = true)", "view public.rights_of_view"],
  ["create or replace function body() returns int language sql as 'select 2'", "function public.body()"],
  ["alter function setting() set search_path = public", "function public.setting()"],
  ["alter function rights() security definer", "function public.rights()"],
  ["revoke execute on function grants() from public", "function public.grants()"],
  [
    `grant create on schema public to anon;
     alter function owner() owner to anon;
     revoke create on schema public from anon`,
    "function public.owner()",
  ],
  ["alter type composite add attribute b int", "composite type public.composite"],
  ["alter sequence sequence increment 2", "sequence public.sequence"],
  ["alter sequence cycling_sequence cycle", "sequence public.cycling_sequence"],
  ["revoke update on sequence grants_of_sequence from anon", "sequence public.grants_of_sequence"],
  [
    "alter default privileges in schema default_privileges grant insert on tables to anon",
    "default acl for role postgres in schema default_privileges on tables",
  ],
  ["grant usage on schema grants to anon", "schema grants"],
  ["create cast (enum as int) with inout", "cast (public.enum AS integer)"],
  ["reset session authorization"],
  [
    "alter extension tcn set schema public",
    "extension tcn",
    "function extensions.triggered_change_notification()",
    "function public.triggered_change_notification()",
  ],
];

test("each kind of difference is reported under a heading that names the object, and nothing else", async () => {
  const result = await compareDatabases(await build(made), await build(made, changes.map(([sql]) => sql).join(";\n")));
  const headings = changes.flatMap(([, ...names]) => names);
  expect(result.map((paragraph) => paragraph.split("\n")[0]).sort()).toEqual(headings.sort());
  expect(result).toEqual(
    expect.arrayContaining([
      "table public.new_column\n+     born date",
      "table public.order_of_columns\nThe same lines in another order.",
      "policy policy on public.new_policy\n- to anon\n- using (id > 1)\n+ to authenticated\n+ using true",
      'rows of public.new_rows\n- {"id":2,"name":"two"}\n+ {"id":2,"name":"zwei"}',
      "cast (public.enum AS integer)\n- (missing)",
    ]),
  );
});

test("the order of grants, random ids, extra rows of the second and the next numbers of sequences aren't differences", async () => {
  const text = `
    create table public.sets (id uuid primary key default gen_random_uuid(), name text);
    create table public.in_sets (set_id uuid references public.sets, word text);
    create table public.log (number int generated always as identity, at timestamptz default now());
    insert into public.sets (name) values ('one'), ('two');
    insert into public.in_sets select id, name from public.sets;
    create view public.words as select word from public.in_sets;`;
  const database = await build(`${text} grant select (name) on public.sets to anon, authenticated`);
  const other = await build(
    `${text} alter table public.log add gone int; alter table public.log drop gone`,
    "grant select (name) on public.sets to authenticated; grant select (name) on public.sets to anon",
    "insert into public.log default values",
  );
  expect(await compareDatabases(database, other)).toEqual([]);
  const sql = postgres(other, { max: 1 });
  await sql`update public.in_sets set set_id = (select id from public.sets where name = 'two')`;
  await sql.end();
  expect(await compareDatabases(database, other)).toHaveLength(1);
});

test("the error names the file that fails", async () => {
  await expect(build("select 1", "create tabel x ()")).rejects.toThrow('1.sql: syntax error at or near "tabel"');
});
