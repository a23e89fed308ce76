import { readDatabaseObjects } from "./objects-of-database.ts";

/**
 * How two databases differ, a paragraph for each object. Lines of its definition begin with `-` if only the first database has
 * them, with `+` if only the second does. Empty if they are the same. Rows are compared in the tables that the first one fills,
 * which are built-in data.
 */
export async function compareDatabases(first: string, second: string): Promise<string[]> {
  const [firstObjects, secondObjects] = await Promise.all([readDatabaseObjects(first), readDatabaseObjects(second)]);
  for (const heading of secondObjects.keys())
    if (heading.startsWith("rows of ") && !firstObjects.has(heading)) secondObjects.delete(heading);
  return [...new Set([...firstObjects.keys(), ...secondObjects.keys()])].sort().flatMap((heading) => {
    const [firstLines, secondLines] = [firstObjects, secondObjects].map(
      (objects) => objects.get(heading) ?? ["(missing)"],
    );
    if (!firstLines || !secondLines || firstLines.join("\n") === secondLines.join("\n")) return [];
    const differingLines = [
      ...firstLines.filter((line) => !secondLines.includes(line)).map((line) => `- ${line}`),
      ...secondLines.filter((line) => !firstLines.includes(line)).map((line) => `+ ${line}`),
    ];
    return [
      [heading, ...(differingLines.length > 0 ? differingLines : ["The same lines in another order."])].join("\n"),
    ];
  });
}
