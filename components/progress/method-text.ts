import { spanText } from "@/components/progress/number-text";
import type { Format } from "@/lib/format/format-of";
import type { AssessedProgress } from "@/lib/progress/forecast";

/** What every forecast assumes, a sentence each. */
export const assumptions = [
  "The forecast assumes that lines not entered yet have the same validity rate.",
  "Duplicates grow faster than lines: twice as many lines mean about four times as many duplicates.",
  "The final number is 95% likely to be in the range shown, which allows for the ups and downs so far.",
  "We assume 1 campaign in 4 gets a late rush. The range allows for it; the expected number doesn't.",
];

/** The pace that the forecast extends, and how many lines it expects on sheets that haven't arrived. */
export function extendedPaceText({ progress, forecast }: AssessedProgress, format: Format) {
  const span = forecast?.span;
  const pace =
    span?.days === 1
      ? `pace of ${format.shortDay(span.from)}`
      : `average pace of collection${span ? ` ${spanText(span, progress.today, format)}` : ""}`;
  const late = Number(Math.round(forecast?.lateLines ?? 0).toPrecision(2));
  const ofLate =
    late > 0
      ? `, and includes about ${format.count(late, "signature")} already collected on sheets that haven't arrived yet`
      : "";
  return `The forecast adds new sheets at the ${pace}${ofLate}.`;
}

/** How long the latest sheets take to arrive; null without a lag. */
export const lagText = ({ lagDays }: AssessedProgress["progress"], { count }: Format) =>
  lagDays > 0 ? `9 of 10 sheets arrive within ${count(lagDays, "day")} of collection` : null;

/** How the forecast is worked out, a sentence each. */
export function methodSentences(known: AssessedProgress, format: Format): string[] {
  const { progress, forecast } = known;
  if (!forecast) return [];
  const { today, checked } = progress;
  const { number, count } = format;
  const lag = lagText(progress, format);
  return [
    progress.endsOn !== null && today <= progress.endsOn && extendedPaceText(known, format),
    lag && `${lag}, so the pace leaves out the last few days.`,
    checked.lines > 0 &&
      `The quality check found ${checked.errors === 0 ? "no errors" : count(checked.errors, "error")} in ${count(checked.lines, "line")}. The range allows for entry errors.`,
    ...assumptions,
    forecast.designEffect > 1.05 &&
      `Validity varies from sheet to sheet ${number(Math.round(forecast.designEffect * 10) / 10)} times as much as you'd expect by chance.`,
  ].filter((sentence) => typeof sentence === "string");
}
