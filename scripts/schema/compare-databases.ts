import { objectsOfDatabase } from "./objects-of-database.ts";

/**
 * What makes two databases different, a paragraph for each object: its heading, and the lines of its definition that one
 * of them has alone (`-` the first, `+` the second). Empty when they are the same. Rows count in the tables that the first
 * fills: they come with Signet.
 */
export async function compareDatabases(first: string, second: string): Promise<string[]> {
  const [one, other] = await Promise.all([objectsOfDatabase(first), objectsOfDatabase(second)]);
  for (const heading of other.keys()) if (heading.startsWith("rows of ") && !one.has(heading)) other.delete(heading);
  return [...new Set([...one.keys(), ...other.keys()])].sort().flatMap((heading) => {
    const [lines, others] = [one, other].map((objects) => objects.get(heading) ?? ["(not there)"]);
    if (!lines || !others || lines.join("\n") === others.join("\n")) return [];
    const alone = [
      ...lines.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
      ...others.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`),
    ];
    return [[heading, ...(alone.length > 0 ? alone : ["The same lines in another order."])].join("\n")];
  });
}
