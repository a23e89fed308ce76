const definitionPattern = /^create (?:or replace )?(?:view|function) ([a-z_]+\.[a-z_]+)/gim;
const changePattern =
  /^\s*(?:create|create or replace|alter|drop) (?:view|function) (?:if exists )?("?[a-z_]+"?\."?[a-z_]+"?)/gim;
const renewalPattern = /^\s*select private\.renew_all_permissions\(\);/im;

/** The views and functions of the text `rulesSql` that a migration changes without renewing cached permissions. */
export function findRulesChangedWithoutRenewal(rulesSql: string, migration: string): string[] {
  if (renewalPattern.test(migration)) return [];
  const names = new Set([...rulesSql.matchAll(definitionPattern)].map(([, name]) => name));
  const changed = [...migration.matchAll(changePattern)].map(([, name = ""]) => name.replaceAll('"', ""));
  return [...new Set(changed)].filter((name) => names.has(name));
}
