import { globSync, readFileSync } from "node:fs";

type SqlObject = { names: string[]; text: string };

const begin = /^(?=create |alter table |comment on |revoke |grant |insert )/m;
const named =
  /^(?:create (?:or replace )?(?:unique )?\w+|alter table|revoke .+? on(?: function| table)?|insert into) ([\w.]+)/;

/** The statements of the schemas, each with the names under which it is used: a trigger or an index is known by its table. */
function objectsOf(sql: string): SqlObject[] {
  return sql.split(begin).map((text) => {
    const table = /^create (?:trigger|index|unique index|constraint trigger)[^;]*? on ([\w.]+)/.exec(text)?.[1];
    const name = table ?? named.exec(text)?.[1] ?? "";
    return { names: name.includes(".") ? [name] : [], text };
  });
}

const escaped = (name: string) => name.replaceAll(".", "\\.");
const mentions = (text: string, name: string) => new RegExp(`\\b${escaped(name)}\\b`).test(text);

/** In TypeScript: `private.lock_access` in a statement, and "lock_access" as the argument of `rpc` or `from`. */
const usedBy = (name: string) => {
  const [, short = ""] = name.split(".");
  const pattern = new RegExp(`\\b${escaped(name)}\\b|["'\`]${short}["'\`]`);
  const all = globSync([
    "lib/**/*.{ts,tsx}",
    "supabase/functions/**/*.ts",
    "scripts/**/*.ts",
    "tests/{integration,support}/**/*.ts",
  ]);
  return all.filter((file) => !file.endsWith("_shared/database.ts") && pattern.test(readFileSync(file, "utf8")));
};

/**
 * What to hand to `vitest related` for a line of a schema: the files that name what the line is part of, then those that name
 * what in the database uses that, directly or not.
 */
export function findTestsOfSql(file: string, line: string): string[][] {
  const objects = globSync("supabase/schemas/*.sql").flatMap((path) => objectsOf(readFileSync(path, "utf8")));
  const own =
    objectsOf(readFileSync(file, "utf8")).find(({ text }) => `\n${text}\n`.includes(`\n${line}\n`))?.names ?? [];
  const names = new Set(own);
  for (const name of names) {
    for (const { text, names: users } of objects) if (mentions(text, name)) for (const user of users) names.add(user);
  }
  const ofRights = /^(revoke|grant|alter default) /.test(line)
    ? ["tests/integration/permissions/privileges.test.ts"]
    : [];
  const rounds = [own, [...names]].map((some) => [...new Set([...ofRights, ...some.flatMap(usedBy)])].sort());
  return rounds.filter((files, index) => files.length > (index ? (rounds[0]?.length ?? 0) : 0));
}
