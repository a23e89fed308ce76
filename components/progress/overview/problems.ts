import { chanceTone, isAtRisk, namesText, toneWord, worstFirst } from "@/components/progress/outlook-text";
import type { Format } from "@/lib/format/format-of";
import type { AssessedProgress } from "@/lib/progress/forecast";

/** The county targets of a running campaign that are at risk: a text that links to them, and the rest of its line. */
export type CountyProblem = { link: string; text: string };

/** Null without a county at risk. */
export function findCountyProblem({ progress, counties }: AssessedProgress, format: Format): CountyProblem | null {
  const atRisk = worstFirst(counties).filter(isAtRisk);
  if (progress.archivedAt !== null || progress.goal === null || atRisk.length === 0) return null;
  const words = new Set(atRisk.map(({ chance }) => toneWord[chanceTone(chance)].toLowerCase()));
  return {
    link: format.count(atRisk.length, "county target"),
    text: ` ${atRisk.length === 1 ? "is" : "are"} ${[...words].join(" or ")}: ${namesText(atRisk.map(({ county }) => county))}`,
  };
}
