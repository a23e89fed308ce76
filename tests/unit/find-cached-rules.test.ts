import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findRulesChangedWithoutRenewal } from "../../scripts/schema/find-cached-rules.ts";

const schemas = resolve(import.meta.dirname, "../../supabase/schemas");
const rules = readFileSync(resolve(schemas, "040_permission_rules.sql"), "utf8");

test.each([
  [
    "a view that is replaced",
    "create or replace view private.principal_sources as select 1",
    ["private.principal_sources"],
  ],
  ["a function that is created again", "drop function if exists private.grant_rows(int);", ["private.grant_rows"]],
  [
    "the names in quotes and capitals of a dump",
    'CREATE OR REPLACE FUNCTION "public"."permissions_snapshot"() RETURNS jsonb',
    ["public.permissions_snapshot"],
  ],
  ["what isn't a rule", "create function public.other() returns int language sql return 1;", []],
  ["a rule that is used", "create function public.other() returns int language sql return private.has_key();", []],
  [
    "a rule, with a renewal of the cache",
    "create or replace view private.principal_sources as select 1;\nselect private.renew_all_permissions();",
    [],
  ],
  [
    "a rule, with the renewal in a comment",
    "-- select private.renew_all_permissions();\nalter view private.principals rename to others;",
    ["private.principals"],
  ],
])("finds in a migration %s", (_, migration, expected) => {
  expect(findRulesChangedWithoutRenewal(rules, migration)).toEqual(expected);
});

test("knows all rules of the schema", () => {
  expect(findRulesChangedWithoutRenewal(rules, rules)).toEqual(
    [...rules.matchAll(/^create (?:view|function) ([^ (]+)/gm)].map(([, name]) => name),
  );
});
