const made = /^create (?:or replace )?(?:view|function) ([a-z_]+\.[a-z_]+)/gim;
const changed =
  /^\s*(?:create|create or replace|alter|drop) (?:view|function) (?:if exists )?("?[a-z_]+"?\."?[a-z_]+"?)/gim;
const renewed = /^\s*select private\.renew_all_permissions\(\);/im;

/** The views and functions of the text `rules` that a migration changes without dropping cached permissions. */
export function findCachedRules(rules: string, migration: string): string[] {
  if (renewed.test(migration)) return [];
  const names = new Set([...rules.matchAll(made)].map(([, name]) => name));
  const found = [...migration.matchAll(changed)].map(([, name = ""]) => name.replaceAll('"', ""));
  return [...new Set(found)].filter((name) => names.has(name));
}
