import { goalTooLowText, needsOfLines, outlookText } from "@/components/progress/outlook-text";
import { findCountyProblem } from "@/components/progress/overview/problems";
import type { Format } from "@/lib/format/format-of";
import { assessProgress } from "@/lib/progress/forecast";
import type { TeamProgress } from "@/lib/progress/read-progress";

/**
 * What a daily email says of a campaign besides yesterday's counts: whether it will qualify, what is wrong with the county
 * targets and the goal, and what needs attention.
 */
export function digestSentences({ progress, ...known }: TeamProgress, canSeeLines: boolean, format: Format): string[] {
  const assessed = assessProgress(progress);
  const { title, texts } = outlookText(assessed, format);
  const tooLow = goalTooLowText(progress, format);
  const counties = findCountyProblem(assessed, format);
  const problems = canSeeLines ? needsOfLines(known, format) : [];
  return [
    [`${title}.`, ...texts].join(" "),
    ...(tooLow ? [tooLow] : []),
    ...(counties ? [`${counties.link}${counties.text}.`] : []),
    ...(problems.length > 0 ? [`Needs attention: ${problems.join(", ")}.`] : []),
  ];
}
