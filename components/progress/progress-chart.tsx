"use client";

import { type PointerEvent, type ReactNode, useState } from "react";
import { type CurvePoint, type ProgressCurve, totalOn } from "@/components/progress/progress-curve";
import { useFormat } from "@/components/shell/format-provider";
import { dayAfter } from "@/lib/format/days";
import { cn } from "@/lib/utils";

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/**
 * The running total of valid signatures, the goal and the way to it. It is drawn on the server and fills its box without
 * being measured, so that nothing jumps.
 */
export function ProgressChart({ curve, goal, label }: { curve: ProgressCurve; goal: number | null; label: string }) {
  const format = useFormat();
  const [day, setDay] = useState<number | null>(null);
  const { accepted, needed, ahead, from, span, ticks, top } = curve;
  const now = accepted.at(-1) ?? { at: 0, total: 0 };
  const path = (points: CurvePoint[]) =>
    points
      .map((point, index) => `${index ? "L" : "M"}${((point.at / span) * 1000).toFixed(2)} ${y(point.total)}`)
      .join("");
  const y = (total: number) => (1000 - (total / top) * 1000).toFixed(2);

  const onPointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setDay(Math.min(now.at, Math.max(0, Math.round(((clientX - left) / width) * span))));
  };

  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-[2.75rem_minmax(0,1fr)]">
        <div aria-hidden className="relative h-56 print:h-28 text-muted-foreground text-xs">
          {ticks.map((tick) => (
            <span key={tick} className="absolute right-2 translate-y-1/2" style={{ bottom: percent(tick / top) }}>
              {format.compact(tick)}
            </span>
          ))}
        </div>
        <div
          className="relative h-56 touch-pan-y print:h-28"
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={() => setDay(null)}
        >
          <svg
            role="img"
            aria-label={label}
            viewBox="0 0 1000 1000"
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible fill-none *:[vector-effect:non-scaling-stroke]"
          >
            {ticks.map((tick) => (
              <path key={tick} d={`M0 ${y(tick)}H1000`} className={tick === 0 ? "stroke-input" : "stroke-border"} />
            ))}
            {goal !== null && <path d={`M0 ${y(goal)}H1000`} strokeWidth={1.5} className="stroke-foreground" />}
            <path
              d={`${path(accepted)}L${((now.at / span) * 1000).toFixed(2)} 1000L0 1000Z`}
              className="fill-primary opacity-10"
            />
            {needed && <path d={path(needed)} strokeWidth={2} strokeDasharray="5 4" className="stroke-warning" />}
            {ahead && <path d={`${path(ahead.band)}Z`} className="fill-primary opacity-15" />}
            {ahead && (
              <path
                d={path(ahead.line)}
                strokeWidth={2}
                strokeDasharray="1 4"
                className="stroke-primary"
                strokeLinecap="round"
              />
            )}
            <path d={path(accepted)} strokeWidth={2} strokeLinejoin="round" className="stroke-primary" />
          </svg>
          {goal !== null && (
            <span
              aria-hidden
              className="absolute left-0 pb-0.5 font-medium text-xs"
              style={{ bottom: percent(goal / top) }}
            >
              Goal {format.number(goal)}
            </span>
          )}
          <Mark at={now.at / span} total={now.total / top} />
          {day !== null && (
            <>
              <span aria-hidden className="absolute inset-y-0 w-px bg-input" style={{ left: percent(day / span) }} />
              <Mark at={day / span} total={totalOn(curve, day) / top} />
              <p
                className={cn(
                  "pointer-events-none absolute top-0 z-5 whitespace-nowrap rounded-md border bg-popover px-2.5 py-1.5 text-sm shadow-popover",
                  day / span > 0.5 ? "-translate-x-full -ml-2" : "ml-2",
                )}
                style={{ left: percent(day / span) }}
              >
                <strong className="font-semibold">{format.number(totalOn(curve, day))}</strong> valid by{" "}
                {format.shortDay(dayAfter(from, day))}
              </p>
            </>
          )}
        </div>
        <div aria-hidden className="relative col-start-2 h-6 pt-1.5 text-muted-foreground text-xs">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span
              key={share}
              className={cn(
                "absolute whitespace-nowrap",
                share === 1 ? "-translate-x-full" : share > 0 && "-translate-x-1/2",
                share % 0.5 > 0 && "max-md:hidden",
              )}
              style={{ left: percent(share) }}
            >
              {format.shortDay(dayAfter(from, Math.round(share * span)))}
            </span>
          ))}
        </div>
      </div>
      <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 pl-11 text-muted-foreground text-sm">
        <Key className="border-primary">Valid</Key>
        {needed && <Key className="border-warning border-dashed">Pace needed from today</Key>}
        {ahead && <Key className="border-primary border-dotted">Forecast (95% range)</Key>}
      </ul>
    </div>
  );
}

function Mark({ at, total }: { at: number; total: number }) {
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute size-2.5 -translate-x-1/2 translate-y-1/2 rounded-full border-2 border-background bg-primary"
      style={{ left: percent(at), bottom: percent(total) }}
    />
  );
}

function Key({ className, children }: { className: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      <span className={cn("w-4 border-t-2", className)} />
      {children}
    </li>
  );
}
