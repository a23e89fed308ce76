import { globSync, readFileSync } from "node:fs";

type SqlObject = { names: string[]; text: string };

const statementStart = /^(?=create |alter table |comment on |revoke |grant |insert )/m;
const namePattern =
  /^(?:create (?:or replace )?(?:unique )?\w+|alter table|revoke .+? on(?: function| table)?|insert into) ([\w.]+)/;

/** The statements of the schemas with the names that refer to them; a trigger or an index is referred to by its table. */
function listObjects(sql: string): SqlObject[] {
  return sql.split(statementStart).map((text) => {
    const table = /^create (?:trigger|index|unique index|constraint trigger)[^;]*? on ([\w.]+)/.exec(text)?.[1];
    const name = table ?? namePattern.exec(text)?.[1] ?? "";
    return { names: name.includes(".") ? [name] : [], text };
  });
}

const escaped = (name: string) => name.replaceAll(".", "\\.");
const mentions = (text: string, name: string) => new RegExp(`\\b${escaped(name)}\\b`).test(text);

/** The TypeScript files that use a database object: in a statement, or as the argument of `rpc` or `from`. */
const filesUsing = (name: string) => {
  const [, short = ""] = name.split(".");
  const pattern = new RegExp(`\\b${escaped(name)}\\b|["'\`]${short}["'\`]`);
  const files = globSync([
    "lib/**/*.{ts,tsx}",
    "supabase/functions/**/*.ts",
    "scripts/**/*.ts",
    "tests/{integration,support}/**/*.ts",
  ]);
  return files.filter((file) => !file.endsWith("_shared/database.ts") && pattern.test(readFileSync(file, "utf8")));
};

/** The files to pass to `vitest related` for a line of a schema: those that name its object, or one that uses it. */
export function findTestsOfSql(file: string, line: string): string[] {
  const objects = globSync("supabase/schemas/*.sql").flatMap((path) => listObjects(readFileSync(path, "utf8")));
  const changed = listObjects(readFileSync(file, "utf8")).find(({ text }) => `\n${text}\n`.includes(`\n${line}\n`));
  const names = new Set(changed?.names);
  for (const name of names) {
    for (const { text, names: dependentNames } of objects)
      if (mentions(text, name)) for (const dependent of dependentNames) names.add(dependent);
  }
  const privilegeTests = /^(revoke|grant|alter default) /.test(line)
    ? ["tests/integration/permissions/privileges.test.ts"]
    : [];
  return [...new Set([...privilegeTests, ...[...names].flatMap(filesUsing)])].sort();
}
