/** Whom to ask: `Ask one of: Ada Moreno, Jun Park.` */
export function askOneOf(granters: string[]): string {
  if (granters.length === 0) return "Nobody in this team can grant it at the moment: ask whoever runs Signet for you.";
  return `Ask ${granters.length === 1 ? "" : "one of: "}${granters.slice(0, 5).join(", ")}.`;
}
