import Link from "next/link";
import { GoalBar } from "@/components/progress/goal-bar";
import { outlookText } from "@/components/progress/outlook-text";
import { perDayText } from "@/components/progress/pace-text";
import { rateText } from "@/components/progress/rate-text";
import { toneClass } from "@/components/progress/tone-class";
import { GoalCount } from "@/components/shell/goal-count";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { campaignTiming } from "@/lib/campaigns/campaign-timing";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import { reckonProgress } from "@/lib/progress/reckon-progress";
import { cn } from "@/lib/utils";

/** A campaign of the team page. Its progress is missing for those who may not see it; `needs` is what waits for somebody. */
type CampaignRow = { id: string; name: string; progress: CampaignProgress | null; needs: string[] };

/** Campaigns of a team, one a row: how far, how fast, how much of it valid, how long. On a phone all of it under the name. */
export function CampaignTable({
  teamId,
  format,
  campaigns,
  label,
}: {
  teamId: string;
  format: Format;
  campaigns: CampaignRow[];
  label: string;
}) {
  return (
    <div className="overflow-hidden rounded-md border">
      <Table aria-label={label}>
        <thead>
          <tr>
            <TableHead className="w-2/5">Campaign, and will it qualify?</TableHead>
            <TableHead className="w-2/5 max-md:hidden">Accepted</TableHead>
            <TableHead className="text-right max-md:hidden">A day, last 7 days</TableHead>
            <TableHead className="text-right max-md:hidden">Valid</TableHead>
            <TableHead className="text-right max-md:hidden">Time</TableHead>
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ id, name, progress, needs }) => {
            const texts = progress && textsOf(progress, format);
            return (
              <TableRow key={id} className="relative align-top">
                <TableCell className="py-2.5">
                  {/* The link covers its row. */}
                  <Link
                    href={`/${teamId}/campaign/${id}`}
                    prefetch={false}
                    className="wrap-anywhere font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
                  >
                    {name}
                  </Link>
                  {texts && (
                    <>
                      <div className="flex flex-col gap-1 py-1 md:hidden">
                        {texts.count}
                        <p className="text-muted-foreground text-sm">{texts.short}</p>
                      </div>
                      <p className="flex items-baseline gap-1.5 text-muted-foreground text-sm">
                        <span
                          aria-hidden
                          className={cn("size-1.5 shrink-0 -translate-y-0.5 rounded-full", texts.tone)}
                        />
                        <span>{texts.outlook}</span>
                      </p>
                    </>
                  )}
                  {needs.length > 0 && <p className="text-sm text-warning">{needs.join(" · ")}</p>}
                </TableCell>
                <TableCell className="py-2.5 max-md:hidden">{texts?.count ?? <None />}</TableCell>
                <TableCell className="whitespace-nowrap py-2.5 text-right max-md:hidden">
                  {texts?.aDay ?? <None />}
                  {texts?.needed && <p className="text-muted-foreground text-sm">needs {texts.needed}</p>}
                </TableCell>
                <TableCell className="whitespace-nowrap py-2.5 text-right max-md:hidden">
                  {texts?.rate ?? <None />}
                </TableCell>
                <TableCell className="whitespace-nowrap py-2.5 text-right text-muted-foreground max-md:hidden">
                  {texts?.timing ?? <None />}
                </TableCell>
              </TableRow>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

function textsOf(progress: CampaignProgress, format: Format) {
  const { accepted, keyed, goal, archivedAt, startsOn, today } = progress;
  const reckoned = reckonProgress(progress);
  const going = reckoned.pace;
  const { tone, title } = outlookText(reckoned, format);
  const rate = rateText({ accepted, lines: keyed }, format)?.rate;
  const aDay = going.last28 === null ? null : perDayText(going.last28, format);
  const begun = startsOn === null || today >= startsOn;
  const needed = going.needed === null || !begun ? null : perDayText(going.needed, format, Math.ceil);
  const timing = archivedAt === null ? campaignTiming(progress, format, new Date()) : format.day(archivedAt);
  const paceText = aDay && (needed ? `${aDay} a day, needs ${needed}` : `${aDay} a day`);
  return {
    ...{ rate, aDay, needed, timing, outlook: title, tone: toneClass[tone] },
    short: [paceText, rate && `${rate} valid`, timing].filter(Boolean).join(" · "),
    count: (
      <div className="flex flex-col gap-1.5">
        <GoalCount accepted={accepted} goal={goal} />
        {goal !== null && <GoalBar share={accepted / goal} />}
      </div>
    ),
  };
}

function None() {
  return <span className="text-muted-foreground">–</span>;
}
