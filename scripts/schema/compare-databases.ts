import type { PGlite } from "@electric-sql/pglite";
import { pgDump } from "@electric-sql/pglite-tools/pg_dump";

/**
 * What makes two databases different, a paragraph for each object: its heading, and the lines of its definition that one
 * of them has alone (`-` the first, `+` the second). Empty when they are the same. Rows count in the tables that the first
 * fills: they come with Signet.
 */
export async function compareDatabases(first: PGlite, second: PGlite): Promise<string[]> {
  const [one, other] = [await objectsOf(first), await objectsOf(second)];
  for (const heading of other.keys()) if (/^TABLE DATA/.test(heading) && !one.has(heading)) other.delete(heading);
  return [...new Set([...one.keys(), ...other.keys()])].sort().flatMap((heading) => {
    const [lines, others] = [one.get(heading) ?? [], other.get(heading) ?? []];
    if (lines.join("\n") === others.join("\n")) return [];
    const alone = [
      ...lines.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
      ...others.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`),
    ];
    return [[heading, ...(alone.length > 0 ? alone : ["The same lines in another order."])].join("\n")];
  });
}

const heading = /^-- (?:Data for )?Name: (.+); Type: ([A-Z ]+); Schema: (.+); Owner: .*\n--\n/;
const namedRow = / \(id, .*\) VALUES \(('[0-9a-f-]{36}'), (.*)\);$/gm;

// The lines of each object in pg_dump's text, which has all of them in an order of its own.
async function objectsOf(database: PGlite) {
  const file = await pgDump({ pg: database, args: ["--column-inserts"] });
  await database.exec("rollback; reset search_path"); // pg_dump leaves its session behind
  const text = (await file.text())
    .replace(/^SET default_.*\n/gm, "") // stands before the first table, whichever that is
    .replace(/^--\n-- PostgreSQL database dump complete[\s\S]*/m, "");
  // Ids are made at random: the other columns of the row stand for one.
  const rowOfId = new Map([...text.matchAll(namedRow)].map(([, id = "", row = ""]) => [id, `(${row})`]));
  const objects = new Map<string, string[]>();
  for (const part of text.split(/^--\n(?=-- (?:Data for )?Name: )/m).slice(1)) {
    const [whole = "", name = "", type = "", schema = ""] = heading.exec(part) ?? [];
    const lines = part.slice(whole.length).trim().split("\n");
    const key = `${type} ${schema === "-" ? "" : `${schema}.`}${name}`;
    if (type === "TABLE DATA") {
      const rows = lines.filter(Boolean).map((line) => line.replace(/'[0-9a-f-]{36}'/g, (id) => rowOfId.get(id) ?? id));
      if (rows.length > 0) objects.set(key, rows.sort());
    } else if (type !== "SEQUENCE SET") {
      // Grants stand in the order in which they were given.
      objects.set(key, type.endsWith("ACL") ? lines.sort() : lines);
    }
  }
  if (objects.size === 0) throw new Error("pg_dump told nothing.");
  return objects;
}
