// What `npm run schema` sees: two databases that differ in one thing of each kind, and two that are the same.
import { expect, test } from "vitest";
import { buildDatabase, newProject } from "../../../scripts/schema/build-database.ts";
import { compareDatabases } from "../../../scripts/schema/compare-databases.ts";

const project = await newProject();

// Each change is planted in an object of its own, which `makes` has made before.
type Plant = { what: string; makes: string; change: string; told: string };
const table = (name: string) => `create table public.${name} (id int primary key, name text default 'x')`;
const plants: Plant[] = [
  {
    what: "a column",
    makes: table("t01"),
    change: "alter table public.t01 add column born date",
    told: "TABLE public.t01\n-     name text DEFAULT 'x'::text\n+     name text DEFAULT 'x'::text,\n+     born date",
  },
  {
    what: "the type of a column",
    makes: table("t02"),
    change: "alter table public.t02 alter column name type varchar(9)",
    told: "TABLE public.t02\n-     name text DEFAULT 'x'::text\n+     name character varying(9) DEFAULT 'x'::text",
  },
  {
    what: "a default",
    makes: table("t03"),
    change: "alter table public.t03 alter column name set default 'y'",
    told: "TABLE public.t03\n-     name text DEFAULT 'x'::text\n+     name text DEFAULT 'y'::text",
  },
  {
    what: "a column that may not be null",
    makes: table("t04"),
    change: "alter table public.t04 alter column name set not null",
    told: "TABLE public.t04\n-     name text DEFAULT 'x'::text\n+     name text DEFAULT 'x'::text NOT NULL",
  },
  {
    what: "the order of columns",
    makes: `${table("t05")}; alter table public.t05 add column a int, add column b int, add column c int`,
    change:
      "alter table public.t05 drop column a, drop column b, add column b int, add column a int; " +
      "alter table public.t05 drop column c, add column c int",
    told: "TABLE public.t05\nThe same lines in another order.",
  },
  {
    what: "a check constraint",
    makes: table("t06"),
    change: "alter table public.t06 add constraint t06_name check (name <> '')",
    told: "TABLE public.t06\n-     name text DEFAULT 'x'::text\n+     name text DEFAULT 'x'::text,\n+     CONSTRAINT t06_name CHECK ((name <> ''::text))",
  },
  {
    what: "a foreign key",
    makes: `${table("t07")}; alter table public.t07 add constraint t07_self foreign key (id) references public.t07`,
    change:
      "alter table public.t07 drop constraint t07_self, add constraint t07_self foreign key (id) references public.t07 on delete cascade",
    told: "FK CONSTRAINT public.t07 t07_self\n-     ADD CONSTRAINT t07_self FOREIGN KEY (id) REFERENCES public.t07(id);\n+     ADD CONSTRAINT t07_self FOREIGN KEY (id) REFERENCES public.t07(id) ON DELETE CASCADE;",
  },
  {
    what: "a unique constraint",
    makes: table("t08"),
    change: "alter table public.t08 add constraint t08_name unique (name)",
    told: "CONSTRAINT public.t08 t08_name\n+ ALTER TABLE ONLY public.t08\n+     ADD CONSTRAINT t08_name UNIQUE (name);",
  },
  {
    what: "an index",
    makes: `${table("t09")}; create index t09_name on public.t09 (name)`,
    change: "drop index public.t09_name; create index t09_name on public.t09 (name) where id > 1",
    told: "INDEX public.t09_name\n- CREATE INDEX t09_name ON public.t09 USING btree (name);\n+ CREATE INDEX t09_name ON public.t09 USING btree (name) WHERE (id > 1);",
  },
  {
    what: "row-level security that is off",
    makes: `${table("t10")}; alter table public.t10 enable row level security`,
    change: "alter table public.t10 disable row level security",
    told: "ROW SECURITY public.t10\n- ALTER TABLE public.t10 ENABLE ROW LEVEL SECURITY;",
  },
  {
    what: "a policy",
    makes: `${table("t11")}; create policy readers on public.t11 for select to anon using (id > 1)`,
    change: "alter policy readers on public.t11 using (true)",
    told: "POLICY public.t11 readers\n- CREATE POLICY readers ON public.t11 FOR SELECT TO anon USING ((id > 1));\n+ CREATE POLICY readers ON public.t11 FOR SELECT TO anon USING (true);",
  },
  {
    what: "a trigger",
    makes: `${table("t12")}; create trigger on_change before update on public.t12 for each row execute function suppress_redundant_updates_trigger()`,
    change: "alter table public.t12 disable trigger on_change",
    told: "TRIGGER public.t12 on_change\n+ \n+ ALTER TABLE public.t12 DISABLE TRIGGER on_change;",
  },
  {
    what: "a grant on a table",
    makes: table("t13"),
    change: "revoke delete on public.t13 from anon",
    told: "ACL public.TABLE t13\n- GRANT ALL ON TABLE public.t13 TO anon;\n+ GRANT SELECT,INSERT,REFERENCES,TRIGGER,TRUNCATE,MAINTAIN,UPDATE ON TABLE public.t13 TO anon;",
  },
  {
    what: "a grant on a column",
    makes: `${table("t14")}; revoke all on public.t14 from anon`,
    change: "grant update (name) on public.t14 to anon",
    told: "ACL public.COLUMN t14.name\n+ GRANT UPDATE(name) ON TABLE public.t14 TO anon;",
  },
  {
    what: "a comment",
    makes: `${table("t15")}; comment on column public.t15.name is 'What she is called.'`,
    change: "comment on column public.t15.name is 'What he is called.'",
    told: "COMMENT public.COLUMN t15.name\n- COMMENT ON COLUMN public.t15.name IS 'What she is called.';\n+ COMMENT ON COLUMN public.t15.name IS 'What he is called.';",
  },
  {
    what: "a row that comes with Signet",
    makes: `${table("t16")}; insert into public.t16 values (1, 'one'), (2, 'two')`,
    change: "update public.t16 set name = 'zwei' where id = 2",
    told: "TABLE DATA public.t16\n- INSERT INTO public.t16 (id, name) VALUES (2, 'two');\n+ INSERT INTO public.t16 (id, name) VALUES (2, 'zwei');",
  },
  {
    what: "the body of a function",
    makes: "create function public.f01() returns int language sql as 'select 1'",
    change: "create or replace function public.f01() returns int language sql as 'select 2'",
    told: "FUNCTION public.f01()\n-     AS $$select 1$$;\n+     AS $$select 2$$;",
  },
  {
    what: "a setting of a function",
    makes: "create function public.f02() returns int language sql set search_path = '' as 'select 1'",
    change: "alter function public.f02() set search_path = public",
    told: "FUNCTION public.f02()\n-     SET search_path TO ''\n+     SET search_path TO 'public'",
  },
  {
    what: "whose rights a function has",
    makes: "create function public.f03() returns int language sql as 'select 1'",
    change: "alter function public.f03() security definer",
    told: "FUNCTION public.f03()\n-     LANGUAGE sql\n+     LANGUAGE sql SECURITY DEFINER",
  },
  {
    what: "a grant on a function",
    makes: "create function public.f04() returns int language sql as 'select 1'",
    change: "revoke execute on function public.f04() from public",
    told: "ACL public.FUNCTION f04()\n+ REVOKE ALL ON FUNCTION public.f04() FROM PUBLIC;",
  },
  {
    what: "the owner of a function",
    makes: "create function public.f05() returns int language sql as 'select 1'",
    change:
      "grant create on schema public to anon; alter function public.f05() owner to anon; revoke create on schema public from anon",
    told: "FUNCTION public.f05()\n- ALTER FUNCTION public.f05() OWNER TO postgres;\n+ ALTER FUNCTION public.f05() OWNER TO anon;",
  },
  {
    what: "a view",
    makes: "create view public.v01 as select 1 as one",
    change: "create or replace view public.v01 as select 2 as one",
    told: "VIEW public.v01\n-  SELECT 1 AS one;\n+  SELECT 2 AS one;",
  },
  {
    what: "whose rights a view has",
    makes: "create view public.v02 as select 1 as one",
    change: "alter view public.v02 set (security_invoker = true)",
    told: "VIEW public.v02\n- CREATE VIEW public.v02 AS\n+ CREATE VIEW public.v02 WITH (security_invoker='true') AS",
  },
  {
    what: "default privileges",
    makes: "create schema s01",
    change: "alter default privileges in schema s01 grant select on tables to anon",
    told: "DEFAULT ACL s01.DEFAULT PRIVILEGES FOR TABLES\n+ ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA s01 GRANT SELECT ON TABLES TO anon;",
  },
  {
    what: "a grant on a schema",
    makes: "create schema s02",
    change: "grant usage on schema s02 to anon",
    told: "ACL SCHEMA s02\n+ GRANT USAGE ON SCHEMA s02 TO anon;",
  },
  {
    what: "an extension",
    makes: "select 1",
    change: "create extension unaccent with schema extensions",
    told: "EXTENSION unaccent\n+ CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA extensions;",
  },
];

const made = { name: "made.sql", text: plants.map(({ makes }) => makes).join(";\n") };
const changed = { name: "changed.sql", text: plants.map(({ change }) => change).join(";\n") };
const found = await compareDatabases(
  await buildDatabase(project, [made]),
  await buildDatabase(project, [made, changed]),
);

test.each(plants)("$what is seen", ({ told }) => {
  expect(found).toContain(told);
});

test("nothing else is, but what the new owner and the extension bring along", () => {
  expect(found.filter((paragraph) => !plants.some(({ told }) => told === paragraph))).toEqual([
    "ACL public.FUNCTION f05()\n- GRANT ALL ON FUNCTION public.f05() TO anon;",
    "COMMENT EXTENSION unaccent\n+ COMMENT ON EXTENSION unaccent IS 'text search dictionary that removes accents';",
  ]);
});

test("grants in another order, ids made at random, what only the second stores and where numbers go on are no difference", async () => {
  const text = `
    create table public.sets (id uuid primary key default gen_random_uuid(), name text);
    create table public.in_sets (set_id uuid references public.sets, word text);
    create table public.log (number int generated always as identity, at timestamptz default now());
    insert into public.sets (name) values ('one'), ('two');
    insert into public.in_sets select id, name from public.sets;`;
  const [one, other] = await Promise.all([
    buildDatabase(project, [
      { name: "one.sql", text: `${text} grant select (name) on public.sets to anon, authenticated` },
    ]),
    buildDatabase(project, [
      { name: "other.sql", text },
      {
        name: "grants.sql",
        text: "grant select (name) on public.sets to authenticated; grant select (name) on public.sets to anon",
      },
      { name: "log.sql", text: "insert into public.log default values" },
    ]),
  ]);
  expect(await compareDatabases(one, other)).toEqual([]);
  await other.exec("update public.in_sets set set_id = (select id from public.sets where name = 'two')");
  expect(await compareDatabases(one, other)).toHaveLength(1);
});

test("a file that fails is named", async () => {
  await expect(buildDatabase(project, [{ name: "wrong.sql", text: "create tabel x ()" }])).rejects.toThrow(
    'wrong.sql: syntax error at or near "tabel"',
  );
});
