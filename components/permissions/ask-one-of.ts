const list = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Whom to ask: `Ask Ada Moreno or Jun Park.` */
export function askOneOf(granters: string[]): string {
  if (granters.length === 0) return "Nobody in this team can grant it at the moment: ask whoever runs Signet for you.";
  const shown = granters.slice(0, 5);
  return granters.length === 1 ? `Ask ${list.format(shown)}.` : `Ask one of: ${shown.join(", ")}.`;
}
