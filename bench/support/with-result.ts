const title = "# What `npm run bench -- --write` measured";

/**
 * The text of the results with the output of a benchmark, its day and machine. It replaces the benchmark's previous result.
 */
export function withResult(
  results: string,
  { name, day, machine, printed }: { name: string; day: string; machine: string; printed: string },
): string {
  const others = results.split(/^(?=## )/m).filter((part) => part.startsWith("## ") && !part.startsWith(`## ${name},`));
  const result = `## ${name}, ${day}\n\n\`\`\`\n${machine}\n\n${printed.trim()}\n\`\`\``;
  const sections = [...others, result].map((section) => section.trim()).sort();
  return `${[title, ...sections].join("\n\n")}\n`;
}
