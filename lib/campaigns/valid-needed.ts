type Rule = { required: number; margin: number; rejection: number };

/** How many valid signatures leave the required ones with a margin, after the office has rejected its share; in percent. */
export function validNeeded({ required, margin, rejection }: Rule): number {
  return Math.ceil((required * (1 + margin / 100)) / (1 - rejection / 100) - 1e-9);
}

/** The valid signatures to aim for: the goal, or what the official check needs if that is more; null without a goal. */
export function validAim({ goal, official }: { goal: number | null; official: Rule | null }): number | null {
  return goal === null ? null : Math.max(goal, official ? validNeeded(official) : 0);
}
