"use client";

import { useState } from "react";
import { paceDaysText } from "@/components/progress/pace-text";
import { ProgressChart } from "@/components/progress/progress-chart";
import { progressCurve } from "@/components/progress/progress-curve";
import { RegisterLink } from "@/components/progress/register-link";
import { useFormat } from "@/components/shell/format-provider";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignProgress } from "@/lib/progress/answers";

/**
 * Accepted signatures by day, cumulated, as a drawing and as a table; there are days with lines. `aDay` is the pace that
 * goes on.
 */
export function ProgressByDay({
  place,
  progress,
  aDay,
  linked,
}: {
  place: CampaignOfTeam;
  progress: CampaignProgress;
  aDay: number;
  linked: boolean;
}) {
  const { number, day, shortDay, timeZone } = useFormat();
  const [open, setOpen] = useState(false);
  const { days, accepted, goal, today, endsOn, archivedAt, own, keyed } = progress;
  const stopped = archivedAt !== null && { endsOn: null, aDay: 0 };
  const all = linked && own.keyed === keyed;
  const goalText = goal === null ? "" : `, of ${number(goal)}${endsOn ? ` by ${day(endsOn)}` : ""}`;
  let total = accepted - days.reduce((sum, one) => sum + one.accepted, 0);
  const rows = days.map((one) => {
    total += one.accepted;
    return { ...one, total };
  });
  return (
    <section aria-labelledby="by-day" className="flex min-w-0 flex-col gap-2">
      <h2 id="by-day" className="font-semibold">
        Accepted so far, day by day
      </h2>
      <div className="flex flex-col gap-3 rounded-md border px-4 py-4">
        <ProgressChart
          curve={progressCurve({ ...progress, aDay, ...stopped })}
          goal={goal}
          label={`Accepted signatures, cumulated by day: ${number(accepted)} by ${day(today)}${goalText}. The table below has each day.`}
          aheadIs={`at the pace of ${paceDaysText(progress, 28)}`}
        />
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="cursor-pointer text-muted-foreground text-sm">
            Numbers by the day on which lines were keyed, in {timeZone.replaceAll("_", " ")}
          </summary>
          {open && (
            <section
              aria-label="Numbers by day"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
              tabIndex={0}
              className="mt-2 max-h-72 overflow-y-auto rounded-md border"
            >
              <Table aria-label="Numbers by day">
                <thead className="sticky top-0 bg-background">
                  <tr>
                    <TableHead className="w-full">Day</TableHead>
                    <TableHead className="text-right">Keyed</TableHead>
                    <TableHead className="text-right">Accepted</TableHead>
                    <TableHead className="text-right">In all</TableHead>
                  </tr>
                </thead>
                <tbody>
                  {rows.toReversed().map((row) => (
                    <TableRow key={row.day}>
                      <TableCell className="whitespace-nowrap">
                        {all ? (
                          <RegisterLink place={place} show={{ keyedFrom: row.day, keyedTo: row.day }}>
                            {shortDay(row.day)}
                          </RegisterLink>
                        ) : (
                          shortDay(row.day)
                        )}
                      </TableCell>
                      <TableCell className="text-right">{number(row.keyed)}</TableCell>
                      <TableCell className="text-right">{number(row.accepted)}</TableCell>
                      <TableCell className="text-right">{number(row.total)}</TableCell>
                    </TableRow>
                  ))}
                </tbody>
              </Table>
            </section>
          )}
        </details>
      </div>
    </section>
  );
}
