import { Figure, Figures } from "@/components/progress/figures";
import { estimateText } from "@/components/progress/number-text";
import { chanceText, outsideDatesText } from "@/components/progress/outlook-text";
import { useFormat } from "@/components/shell/format-provider";
import { Disclosure, Section } from "@/components/ui/section";
import type { Format } from "@/lib/format/format-of";
import type { CountyOutlook } from "@/lib/progress/county-outlook";
import type { AssessedProgress } from "@/lib/progress/forecast";
import type { OfficialOutlook } from "@/lib/progress/official-check";
import type { CampaignProgress, OfficialRule } from "@/lib/progress/responses";

/** How likely the sheets on hand pass the official check, and those that the forecast expects. */
export function OfficialCheck({
  progress,
  forecast,
  counties,
  check,
  outsideDates,
}: AssessedProgress & {
  check: OfficialOutlook;
  /** Valid lines signed outside the campaign's dates. */
  outsideDates: number;
}) {
  const format = useFormat();
  const { collected, duplicates, endsOn, today } = progress;
  const { rule, needed, now, atEnd } = check;
  const { number, count, percent, shortDay } = format;
  const onHand = forecast?.onHand.estimate ?? 0;
  const short = Math.ceil(needed - onHand);
  const isSample = rule.method !== "full";
  return (
    <Section id="official-check" title="Official check" className="gap-2">
      <Figures>
        <Figure
          label="Qualifies if turned in today"
          note={`${number(rule.required)} required${counties.length > 0 ? " and every county target" : ""}${rule.rejection > 0 ? `; about ${number(Math.round(now.counted))} would count` : ""}`}
        >
          {chanceText(now.qualifies, format)}
        </Figure>
        {isSample ? (
          <>
            <Figure label="Passes the sample">{chanceText(now.pass, format)}</Figure>
            <Figure label="Full count decides">{chanceText(now.fullCount, format)}</Figure>
            {rule.method === "sample" && <Figure label="Fails the sample">{chanceText(now.fail, format)}</Figure>}
          </>
        ) : (
          <Figure label="Fails">{chanceText(1 - now.qualifies, format)}</Figure>
        )}
      </Figures>
      {outsideDates > 0 && <p className="text-warning">{outsideDatesText(outsideDates, format)}</p>}
      {atEnd !== null && forecast?.final && endsOn !== null && (
        <p>
          With the {estimateText(forecast.final, format).estimate} valid signatures expected{" "}
          {today > endsOn ? "at the end" : `by ${shortDay(endsOn)}`}, the petition is{" "}
          <strong className="font-semibold">{chanceText(atEnd, format)} likely</strong> to pass the official check
          {counties.length > 0 && " and reach every county target"}.
        </p>
      )}
      {collected < rule.required && (
        <p className="text-warning">
          Only {count(collected, "signature")} received, fewer than the {number(rule.required)} required. A full count
          would fail.
        </p>
      )}
      <p>{moreText(check.more, progress, counties, format)}</p>
      {rule.margin > 0 && (
        <p>
          {short > 0
            ? `To reach your own target of ${number(needed)}, with the ${percent(rule.margin / 100)} safety margin, you need ${count(short, "more valid signature")}.`
            : `You've reached your own target of ${number(needed)}, with the ${percent(rule.margin / 100)} safety margin.`}
        </p>
      )}
      <Disclosure summary="How is this calculated?">
        <ul className="flex list-disc flex-col gap-1 pt-1 pl-5">
          <li>
            If you turned in all {count(collected, "signature")} today, about {number(Math.round(onHand))} would be
            valid
            {rule.rejection > 0 && `, and the office would reject ${percent(rule.rejection / 100)} of those`}.
            {rule.rejection > 0 &&
              duplicates > 0 &&
              " A voter who signed twice still counts if one of the lines remains, so you lose fewer than that."}
          </li>
          {isSample && <li>{ruleText(rule, percent)}</li>}
          {isSample && (
            <li>
              A sample rarely includes both signatures of a duplicate. Each pair it finds therefore counts (all
              signatures ÷ sample)² times.
            </li>
          )}
        </ul>
      </Disclosure>
    </Section>
  );
}

function moreText(
  more: OfficialOutlook["more"],
  { duplicates, entered }: CampaignProgress,
  counties: CountyOutlook[],
  { count, number }: Format,
): string {
  if (more === "too-few-lines") return "Enter more sheets to see how many signatures make you 95% likely to qualify.";
  if (more === "too-many-duplicates")
    return `At ${count(duplicates, "duplicate")} in ${count(entered, "line")}, no number of signatures makes you 95% likely to qualify.`;
  const isOpen = counties.some(({ short }) => short > 0);
  if (more.lines === 0)
    return `You have enough to be ${isOpen ? "" : "at least "}95% likely to qualify today${isOpen ? ", once every county target is reached" : ""}.`;
  const targets = isOpen ? " and reach every county target" : "";
  return `To be 95% likely to qualify, turn in ${count(more.valid, "more valid signature")} (about ${number(Number(more.lines.toPrecision(3)))} collected)${targets}.`;
}

function ruleText({ method, passPercent, failPercent }: OfficialRule, percent: (share: number) => string) {
  if (method === "washington") {
    return "The sample passes only if its invalid signatures and duplicates leave little doubt. Otherwise all signatures are checked. Source: WAC 434-379-010.";
  }
  const [pass, fail] = [percent((passPercent ?? 0) / 100), percent((failPercent ?? 0) / 100)];
  return `The sample is projected to all signatures. Above ${pass} of the required number it passes, below ${fail} it fails, and in between all signatures are checked.`;
}
