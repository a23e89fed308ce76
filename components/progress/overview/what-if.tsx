"use client";

import { useId, useState } from "react";
import { estimateText, perDayText } from "@/components/progress/number-text";
import { chanceText, outlookText, toneClass } from "@/components/progress/outlook-text";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { describedBy } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { Format } from "@/lib/format/format-of";
import { commaAsPoint, pointsAsCommas, withoutPercentSign } from "@/lib/forms/read-number";
import { type AssessedProgress, assessProgress, type Plan } from "@/lib/progress/forecast";
import { chanceToQualify } from "@/lib/progress/official-check";
import { cn } from "@/lib/utils";

/** The forecast if more or fewer signatures are collected per day from tomorrow, or if more or fewer are valid. */
export function WhatIf({
  measured,
  perCirculator,
}: {
  measured: AssessedProgress;
  /** Lines a circulator brings a day; null if that is unknown, or for those who may not see the team's work. */
  perCirculator: number | null;
}) {
  const format = useFormat();
  const [plan, setPlan] = useState<Plan>({});
  const [added, setAdded] = useState(0);
  const [resets, setResets] = useState(0); // clears what is typed
  const { progress, forecast: now } = measured;
  const known = { aDay: now?.aDay ?? 0, validity: progress.accepted / progress.entered };
  const base = shownADay(known.aDay);
  const assumed = { aDay: plan.aDay ?? known.aDay, validity: plan.validity ?? known.validity };
  // Room for twice the pace and more than is needed or typed, up to a round number.
  const maximum = Math.max(10, 2 * (now?.aDay ?? 0), 1.2 * (now?.neededADay ?? now?.averageADay ?? 0), assumed.aDay);
  const unit = 10 ** Math.floor(Math.log10(maximum));
  const max = Math.ceil(maximum / unit) * unit;
  const planned = assessProgress(progress, plan);
  const { title, texts, tone } = outlookText(planned, format);
  const isChanged = plan.aDay !== undefined || plan.validity !== undefined;
  const { chance, final } = planned.forecast ?? {};
  const uncertainty =
    chance === null
      ? `The share of duplicates is still uncertain: ${final && estimateText(final, format).interval} valid signatures are possible. Enter more sheets first.`
      : now?.chance === null && `First estimate. It assumes a validity rate of ${format.rate(assumed.validity)}.`;
  const change = (changed: Plan) => setPlan({ ...plan, ...changed });
  return (
    <div className="flex flex-col gap-3 pt-2">
      <div key={resets} className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        <Slider
          label="Signatures collected per day"
          value={shownADay(assumed.aDay)}
          hint={`Starting tomorrow${plan.aDay !== undefined && base > 0 ? `; ${format.percent(Math.abs(plan.aDay / base - 1))} ${plan.aDay < base ? "below" : "above"} the current ${base}` : ""}.`}
          max={max}
          limits={[0, 100_000]}
          step={max > 200 ? 10 : 1}
          base={base || null}
          change={(value) => {
            setAdded(0);
            change({ aDay: shownADay(value) === base ? undefined : value });
          }}
        />
        <Slider
          label="Validity rate (%)"
          value={shownPercent(assumed.validity)}
          hint="Based on today's share of duplicates, which rises as you add lines."
          max={100}
          limits={[1, 100]}
          step={1}
          change={(value) => change({ validity: value === shownPercent(known.validity) ? undefined : value / 100 })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {perCirculator !== null && (
          <Button
            variant="outline"
            onClick={() => {
              setAdded(added + 1);
              change({ aDay: shownADay(assumed.aDay) + shownADay(perCirculator) });
            }}
          >
            Add a circulator (+{perDayText(perCirculator, format)} a day, the 7-day average)
          </Button>
        )}
        <Button
          variant="outline"
          aria-disabled={!isChanged}
          onClick={() => {
            setPlan({});
            setAdded(0);
            setResets(resets + 1);
          }}
        >
          Reset
        </Button>
        {added > 0 && <span className="text-muted-foreground text-sm">{format.count(added, "circulator")} added</span>}
      </div>
      <div role="status" className="flex gap-2">
        {isChanged ? (
          <>
            <span aria-hidden className={cn("mt-1.5 size-2 shrink-0 rounded-full", toneClass[tone])} />
            <p>
              <strong className="font-semibold">{title}</strong>
              {changeText(measured, planned, format)}
              <span className="block text-muted-foreground">{[uncertainty, ...texts].filter(Boolean).join(" ")}</span>
            </p>
          </>
        ) : (
          <p className="text-muted-foreground">Change a number to see the forecast.</p>
        )}
      </div>
    </div>
  );
}

// `, up from 10%`, or what the verdict is now. If it stays: how the chance of the goal changes, or nothing.
function changeText(measured: AssessedProgress, planned: AssessedProgress, format: Format) {
  const [before, after] = [measured, planned].map((progress) => ({
    title: outlookText(progress, format).title,
    chance: chanceToQualify(progress),
    ofGoal: progress.progress.official ? (progress.forecast?.chance ?? null) : null,
  }));
  if (!before || !after) return "";
  const change = (was: number, is: number) => `${was < is ? "up" : "down"} from ${chanceText(was, format)}`;
  if (before.title !== after.title) {
    if (before.chance === null || after.chance === null) return ` (now “${before.title}”)`;
    return `, ${change(before.chance, after.chance)}`;
  }
  if (before.ofGoal === null || after.ofGoal === null) return "";
  const isSame = chanceText(before.ofGoal, format) === chanceText(after.ofGoal, format);
  return isSame ? "" : ` (reaching the goal: ${change(before.ofGoal, after.ofGoal)})`;
}

// Where a field shows the measured value again, the unrounded one counts.
const shownADay = (aDay: number) => (aDay < 10 ? Math.round(aDay * 10) / 10 : Math.round(aDay));
const shownPercent = (share: number) => Math.round(share * 1000) / 10;

type Readable = {
  limits: [least: number, most: number];
  /** What a typed change such as `+20%` applies to; null where a percentage is the number itself. */
  base?: number | null;
};

function readTyped(
  typed: string,
  { limits: [least, most], base = null }: Readable,
  { number }: Format,
): { value: number; problem?: never } | { problem: string } {
  const text = typed.trim().replace(/^[−–]/, "-");
  const meant = base === null ? null : pointsAsCommas(text);
  if (meant !== null) return { problem: `Did you mean ${meant}?` };
  const read = Number(withoutPercentSign(text) || Number.NaN);
  const isChange = base !== null && text.endsWith("%");
  const value = isChange ? base * (1 + read / 100) : text.startsWith("+") ? Number.NaN : read;
  if (value >= least && value <= most) return { value };
  const withPoint = commaAsPoint(text);
  if (withPoint !== null) return { problem: `Use a decimal point: ${withPoint}.` };
  const change = base === null ? "" : ", or a change such as +20%";
  return { problem: `Enter a number from ${least} to ${number(most)}${change}.` };
}

/** A slider with a field for its exact number. A number beyond the limits changes nothing, and the field says so. */
function Slider({
  label,
  value,
  hint,
  max,
  step,
  change,
  ...readable
}: Readable & {
  label: string;
  value: number;
  hint: string;
  /** The slider's maximum. */
  max: number;
  step: number;
  change: (value: number) => void;
}) {
  const id = useId();
  const format = useFormat();
  const [typed, setTyped] = useState<string | null>(null); // until the field is left with a number
  const problem = typed === null ? undefined : readTyped(typed, readable, format).problem;
  const issue = problem && `${problem} The forecast uses ${format.number(value)} until then.`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <div className="flex items-center gap-3">
        <input
          id={id}
          type="range"
          min={readable.limits[0]}
          max={max}
          step={step}
          value={value}
          onChange={(event) => {
            setTyped(null);
            change(Number(event.target.value));
          }}
          className="h-8 min-w-0 flex-1 cursor-pointer accent-primary pointer-coarse:h-11"
        />
        <Input
          inputMode="decimal"
          aria-label={`${label}, as a number`}
          value={typed ?? value}
          onChange={({ target }) => {
            setTyped(target.value);
            const parsed = readTyped(target.value, readable, format);
            if (parsed.problem === undefined) change(parsed.value);
          }}
          onBlur={() => problem || setTyped(null)}
          className="w-24 text-right"
          {...describedBy(id, { issue, hint: true })}
        />
      </div>
      <p role="status" className="text-sm">
        <span id={`${id}-${issue ? "issue" : "hint"}`} className={issue ? "text-destructive" : "text-muted-foreground"}>
          {issue ?? hint}
        </span>
      </p>
    </div>
  );
}
