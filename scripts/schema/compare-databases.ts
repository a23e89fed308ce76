import { readDatabaseObjects } from "./objects-of-database.ts";

/**
 * How two databases differ, a paragraph for each object: its heading, and the lines of its definition that only one of them
 * has (`-` the first, `+` the second). Empty if they are the same. Rows are compared in the tables that the first one fills,
 * which are built-in data.
 */
export async function compareDatabases(first: string, second: string): Promise<string[]> {
  const [one, other] = await Promise.all([readDatabaseObjects(first), readDatabaseObjects(second)]);
  for (const heading of other.keys()) if (heading.startsWith("rows of ") && !one.has(heading)) other.delete(heading);
  return [...new Set([...one.keys(), ...other.keys()])].sort().flatMap((heading) => {
    const [lines, others] = [one, other].map((objects) => objects.get(heading) ?? ["(missing)"]);
    if (!lines || !others || lines.join("\n") === others.join("\n")) return [];
    const alone = [
      ...lines.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
      ...others.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`),
    ];
    return [[heading, ...(alone.length > 0 ? alone : ["The same lines in another order."])].join("\n")];
  });
}
