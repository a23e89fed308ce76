import { chanceTone, isAtRisk, namesText, toneWord, worstFirst } from "@/components/progress/outlook-text";
import { validNeeded } from "@/lib/campaigns/valid-needed";
import type { Format } from "@/lib/format/format-of";
import type { AssessedProgress } from "@/lib/progress/forecast";

/** A problem of a campaign: a text that links to its explanation, and the rest of its line. */
export type CampaignProblem = { link: string; text: string; at: "#county-targets" | "#official-check" };

/** What is wrong with the county targets and the goal of a running campaign. */
export function findProblems({ progress, forecast, counties }: AssessedProgress, format: Format): CampaignProblem[] {
  const { archivedAt, goal, official } = progress;
  if (archivedAt !== null || goal === null) return [];
  const needed = official && forecast ? validNeeded(official) : 0;
  const atRisk = worstFirst(counties).filter(isAtRisk);
  const words = new Set(atRisk.map(({ chance }) => toneWord[chanceTone(chance)].toLowerCase()));
  const found: (CampaignProblem | false)[] = [
    atRisk.length > 0 && {
      link: format.count(atRisk.length, "county target"),
      text: ` ${atRisk.length === 1 ? "is" : "are"} ${[...words].join(" or ")}: ${namesText(atRisk.map(({ county }) => county))}`,
      at: "#county-targets",
    },
    goal < needed && {
      link: `The goal of ${format.number(goal)} is too low`,
      text: `: the official check needs ${format.number(needed)} valid signatures`,
      at: "#official-check",
    },
  ];
  return found.filter((one) => one !== false);
}
