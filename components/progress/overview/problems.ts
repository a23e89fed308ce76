import { chanceText, isAtRisk, namesText, worstFirst } from "@/components/progress/outlook-text";
import type { Format } from "@/lib/format/format-of";
import { type AssessedProgress, likely } from "@/lib/progress/forecast";
import type { OfficialOutlook } from "@/lib/progress/official-check";

/** A problem of a campaign: a text that links to its explanation, and the rest of its line. */
export type CampaignProblem = { link: string; text: string; at: "#county-targets" | "#official-check" };

/** What the county targets and the official check find wrong with a running campaign. */
export function findProblems(
  known: AssessedProgress,
  check: OfficialOutlook | null,
  format: Format,
): CampaignProblem[] {
  const { archivedAt, goal, endsOn, today } = known.progress;
  const isOver = endsOn !== null && today > endsOn;
  if (archivedAt !== null || goal === null) return [];
  const atRisk = worstFirst(known.counties)
    .filter(isAtRisk)
    .map(({ county }) => county);
  const found: (CampaignProblem | false | null)[] = [
    atRisk.length > 0 && {
      link: format.count(atRisk.length, "county target"),
      text: ` ${atRisk.length === 1 ? "is" : "are"} at risk: ${namesText(atRisk)}`,
      at: "#county-targets",
    },
    check !== null &&
      check.atEnd !== null &&
      check.atEnd < likely && {
        link: "Official check",
        text: `: ${chanceText(check.atEnd, format)} likely to pass${isOver ? "" : " with the sheets still to come"}`,
        at: "#official-check",
      },
    check !== null &&
      goal < check.needed && {
        link: `The goal of ${format.number(goal)} is too low`,
        text: `: the official check needs ${format.number(check.needed)} valid signatures`,
        at: "#official-check",
      },
  ];
  return found.filter((one) => one !== false && one !== null);
}
