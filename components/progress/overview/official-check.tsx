import { useMemo } from "react";
import { Figure, Figures } from "@/components/progress/figures";
import { chanceText } from "@/components/progress/outlook-text";
import { useFormat } from "@/components/shell/format-provider";
import { Section } from "@/components/ui/section";
import { validNeeded } from "@/lib/campaigns/valid-needed";
import type { CampaignProgress, OfficialRule } from "@/lib/progress/answers";
import type { AssessedProgress } from "@/lib/progress/forecast";
import { checkOutcome, moreToQualify } from "@/lib/progress/official-check";
import { z95 } from "@/lib/progress/wilson-interval";

/** How likely the sheets on hand pass the official check; nothing until the settings say how it works. */
export function OfficialCheck({ progress, forecast }: AssessedProgress) {
  const { official } = progress;
  if (official === null || forecast === null) return null;
  return <Chances progress={progress} rule={official} onHand={forecast.onHand} />;
}

type OnHand = NonNullable<AssessedProgress["forecast"]>["onHand"];

function Chances({ progress, rule, onHand }: { progress: CampaignProgress; rule: OfficialRule; onHand: OnHand }) {
  const format = useFormat();
  const { number, count, percent } = format;
  const { collected, entered, duplicates } = progress;
  const { estimate, low, high } = onHand;
  const { outcome, more } = useMemo(() => {
    const petition = {
      ...{ lines: collected, valid: estimate, variance: ((high - low) / (2 * z95)) ** 2 },
      duplicates: duplicates * (collected / entered) ** 2,
    };
    return { outcome: checkOutcome(petition, rule), more: moreToQualify(petition, rule) };
  }, [collected, entered, duplicates, estimate, low, high, rule]);
  const short = validNeeded(rule) - estimate;
  const isSample = rule.method !== "full";
  const chance = chanceText(outcome.qualifies, format);
  return (
    <Section title="Will it survive the official check?" className="gap-2">
      <Figures>
        <Figure label="Qualifies in the end" note={`of ${number(rule.required)} required`}>
          {chance}
        </Figure>
        {isSample ? (
          <>
            <Figure label="Passes the sample">{chanceText(outcome.pass, format)}</Figure>
            <Figure label="Full count decides">{chanceText(outcome.fullCount, format)}</Figure>
            <Figure label="Fails in the sample">{chanceText(outcome.fail, format)}</Figure>
          </>
        ) : (
          <Figure label="Fails">{chanceText(outcome.fail, format)}</Figure>
        )}
      </Figures>
      <p>
        {more === null
          ? "At this rate of duplicates, no number of sheets makes it 95% likely."
          : more.lines === 0
            ? "Enough to be at least 95% likely to qualify today."
            : `${count(more.valid, "more valid signature makes", "more valid signatures make")} it 95% likely: about ${number(more.lines)} more collected.`}{" "}
        {rule.margin > 0 &&
          (short > 0
            ? `${count(short, "more valid signature reaches", "more valid signatures reach")} the safety margin of ${percent(rule.margin / 100)}.`
            : `The safety margin of ${percent(rule.margin / 100)} is reached.`)}
      </p>
      <details className="text-muted-foreground text-sm">
        <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
          How is this worked out?
        </summary>
        <ul className="flex list-disc flex-col gap-1 pt-1 pl-5">
          <li>
            If all {count(collected, "signature")} on hand were turned in today: about {number(estimate)} valid ones, of
            which the office rejects {percent(rule.rejection / 100)}.
          </li>
          {isSample && <li>{ruleText(rule, percent)}</li>}
          {isSample && (
            <li>
              Both lines of a duplicate are rarely in the sample, so each pair found there counts with the square.
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
