const title = "# What `npm run bench -- --write` measured";

/** The text of the results with what a bench printed, under the day and the machine, in the place of its last result. */
export function withResult(
  results: string,
  { name, day, machine, printed }: { name: string; day: string; machine: string; printed: string },
): string {
  const others = results.split(/^(?=## )/m).filter((part) => part.startsWith("## ") && !part.startsWith(`## ${name},`));
  const result = `## ${name}, ${day}\n\n\`\`\`\n${machine}\n\n${printed.trim()}\n\`\`\``;
  const sections = [...others, result].map((section) => section.trim()).sort();
  return `${[title, ...sections].join("\n\n")}\n`;
}
