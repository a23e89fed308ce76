"use client";

import { useId, useState } from "react";
import { perDayText } from "@/components/progress/number-text";
import { outlookText, toneClass } from "@/components/progress/outlook-text";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { CampaignWork } from "@/lib/progress/answers";
import { type AssessedProgress, assessProgress, type Plan } from "@/lib/progress/forecast";
import { linesPerCirculator } from "@/lib/progress/recent-days";
import { cn } from "@/lib/utils";

/** The forecast if more or fewer signatures are collected a day from tomorrow, or more or fewer of them are valid. */
export function WhatIf({
  measured,
  recent,
}: {
  measured: AssessedProgress;
  /** Null for those who may not see the team's work. */
  recent: CampaignWork["recent"] | null;
}) {
  const format = useFormat();
  const [plan, setPlan] = useState<Plan>({});
  const [added, setAdded] = useState(0);
  const perCirculator = recent && linesPerCirculator(recent);
  const { progress, forecast: now } = measured;
  const assumed = {
    aDay: plan.aDay ?? now?.aDay ?? 0,
    validity: plan.validity ?? progress.accepted / progress.entered,
  };
  // Room for twice the pace and more than is needed, up to a round number.
  const wanted = Math.max(10, 2 * (now?.aDay ?? 0), 1.2 * (now?.neededADay ?? 0));
  const unit = 10 ** Math.floor(Math.log10(wanted));
  const max = Math.ceil(wanted / unit) * unit;
  const { title, says, tone } = outlookText(assessProgress(progress, plan), format);
  const before = outlookText(measured, format).title;
  const change = (changed: Plan) => setPlan({ ...plan, ...changed });
  return (
    <div className="flex flex-col gap-3 pt-2">
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        <Slider
          label="Signatures collected per day"
          value={Math.round(assumed.aDay * 10) / 10}
          max={max}
          step={max > 200 ? 10 : 1}
          change={(value) => change({ aDay: value })}
        />
        <Slider
          label="Validity rate in %"
          value={Math.round(assumed.validity * 1000) / 10}
          max={100}
          step={1}
          change={(value) => change({ validity: Math.max(1, value) / 100 })}
        />
      </div>
      <div role="status" className="flex min-h-16 gap-2">
        <span aria-hidden className={cn("mt-1.5 size-2 shrink-0 rounded-full", toneClass[tone])} />
        <p>
          {title !== before && `${before} changes to `}
          <strong className="font-semibold">{title}</strong>
          <span className="block text-muted-foreground">{says}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {perCirculator !== null && (
          <Button
            variant="outline"
            onClick={() => {
              setAdded(added + 1);
              change({ aDay: assumed.aDay + perCirculator });
            }}
          >
            Add a circulator (+{perDayText(perCirculator, format)} per day)
          </Button>
        )}
        <Button
          variant="outline"
          aria-disabled={plan.aDay === undefined && plan.validity === undefined}
          onClick={() => {
            setPlan({});
            setAdded(0);
          }}
        >
          Reset
        </Button>
        {added > 0 && <span className="text-muted-foreground text-sm">{format.count(added, "circulator")} added</span>}
      </div>
    </div>
  );
}

/** A slider with a field for its exact number. */
function Slider({
  label,
  value,
  max,
  step,
  change,
}: {
  label: string;
  value: number;
  max: number;
  step: number;
  change: (value: number) => void;
}) {
  const id = useId();
  const changeTo = (text: string) => change(Math.min(max, Math.max(0, Number(text) || 0)));
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <div className="flex items-center gap-3">
        <input
          id={id}
          type="range"
          min={0}
          max={max}
          step={step}
          value={value}
          onChange={(event) => changeTo(event.target.value)}
          className="h-8 min-w-0 flex-1 cursor-pointer accent-primary pointer-coarse:h-11"
        />
        <Input
          type="number"
          aria-label={`${label}, as a number`}
          min={0}
          max={max}
          step="any"
          value={value}
          onChange={(event) => changeTo(event.target.value)}
          className="w-24 text-right"
        />
      </div>
    </div>
  );
}
