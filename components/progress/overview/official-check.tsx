import { Figure, Figures } from "@/components/progress/figures";
import { estimateText } from "@/components/progress/number-text";
import { chanceText } from "@/components/progress/outlook-text";
import { useFormat } from "@/components/shell/format-provider";
import { Section } from "@/components/ui/section";
import type { AssessedProgress } from "@/lib/progress/forecast";
import type { OfficialOutlook } from "@/lib/progress/official-check";
import type { OfficialRule } from "@/lib/progress/responses";

/** How likely the sheets on hand pass the official check, and those that the forecast expects. */
export function OfficialCheck({
  progress: { collected, goal, endsOn },
  forecast,
  check: { rule, needed, now, more, atEnd },
}: AssessedProgress & { check: OfficialOutlook }) {
  const format = useFormat();
  const { number, count, percent, shortDay } = format;
  const onHand = forecast?.onHand.estimate ?? 0;
  const short = Math.ceil(needed - onHand);
  const isSample = rule.method !== "full";
  return (
    <Section id="official-check" title="Will it survive the official check?" className="gap-2">
      <Figures>
        <Figure label="Qualifies if turned in today" note={`${number(rule.required)} required`}>
          {chanceText(now.qualifies, format)}
        </Figure>
        {isSample ? (
          <>
            <Figure label="Passes the sample">{chanceText(now.pass, format)}</Figure>
            <Figure label="Full count decides">{chanceText(now.fullCount, format)}</Figure>
            <Figure label="Fails in the sample">{chanceText(now.fail, format)}</Figure>
          </>
        ) : (
          <Figure label="Fails">{chanceText(now.fail, format)}</Figure>
        )}
      </Figures>
      {atEnd !== null && forecast?.final && endsOn !== null && (
        <p>
          With the {estimateText(forecast.final, format).estimate} valid signatures expected by {shortDay(endsOn)},
          it&apos;s <strong className="font-semibold">{chanceText(atEnd, format)} likely</strong> to qualify.
        </p>
      )}
      {goal !== null && goal < needed && (
        <p className="text-warning">
          The goal of {number(goal)} is lower than the {number(needed)} valid signatures that leave enough after
          rejection and margin.
        </p>
      )}
      <p>
        {more === null
          ? "We can't say yet how many more signatures make it 95% likely: too few lines are entered, or too many are duplicates."
          : more.lines === 0
            ? "Enough to be at least 95% likely to qualify today."
            : `${count(more.valid, "more valid signature makes", "more valid signatures make")} it 95% likely: about ${number(more.lines)} more collected.`}
      </p>
      {rule.margin > 0 && (
        <p>
          {short > 0
            ? `${count(short, "more valid signature reaches", "more valid signatures reach")} the safety margin of ${percent(rule.margin / 100)}.`
            : `The safety margin of ${percent(rule.margin / 100)} is reached.`}
        </p>
      )}
      <details className="text-muted-foreground text-sm">
        <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
          How is this calculated?
        </summary>
        <ul className="flex list-disc flex-col gap-1 pt-1 pl-5">
          <li>
            If all {count(collected, "signature")} on hand were turned in today: about {number(Math.round(onHand))}{" "}
            valid ones, of which the office rejects {percent(rule.rejection / 100)}.
          </li>
          {isSample && <li>{ruleText(rule, percent)}</li>}
          {isSample && (
            <li>
              A sample rarely contains both lines of a duplicate, so each pair it does contain is scaled up by the
              square of the ratio.
            </li>
          )}
        </ul>
      </details>
    </Section>
  );
}

function ruleText({ method, passPercent, failPercent }: OfficialRule, percent: (share: number) => string) {
  if (method === "washington") {
    return "Washington's test passes a sample only if its invalid signatures and pairs leave little doubt. Otherwise all signatures are counted (WAC 434-379-010).";
  }
  const [pass, fail] = [percent((passPercent ?? 0) / 100), percent((failPercent ?? 0) / 100)];
  return `The sample is projected to all signatures. Above ${pass} of the required number it passes, below ${fail} it fails, and in between all signatures are counted.`;
}
