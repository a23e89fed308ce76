import { Figure, FigureLink, Figures, GoalBar } from "@/components/progress/figures";
import { perDayText, rateText, spanText, weekChangeText } from "@/components/progress/number-text";
import {
  goalTooLowText,
  isNotStarted,
  noGoal,
  noLastDay,
  outlookText,
  toneClass,
  toneWord,
} from "@/components/progress/outlook-text";
import { findCountyProblem } from "@/components/progress/overview/problems";
import { GoalCount } from "@/components/shell/campaign-count";
import { RowLink } from "@/components/shell/list-parts";
import { workPage } from "@/components/shell/navigation/entries";
import { Link } from "@/components/ui/link";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Format } from "@/lib/format/format-of";
import { compareTexts } from "@/lib/format/text";
import { type AssessedProgress, assessProgress } from "@/lib/progress/forecast";
import { chanceToQualify } from "@/lib/progress/official-check";
import { campaignTiming, computePace } from "@/lib/progress/pace";
import type { CampaignProgress } from "@/lib/progress/responses";
import { cn } from "@/lib/utils";

const unset: Record<string, string> = { [noGoal]: "without a goal", [noLastDay]: "without a last day" };

/** The running campaigns of a team together, how many have ended, and how many people ask for access. */
export function TeamTotals({
  teamId,
  format,
  campaigns,
  requests,
}: {
  teamId: string;
  format: Format;
  /** Those that the reader may see. */
  campaigns: CampaignProgress[];
  /** Null for those who don't manage members. */
  requests: number | null;
}) {
  const { number, count } = format;
  const open = campaigns.filter(({ endsOn, today }) => endsOn === null || today <= endsOn);
  const started = open.filter((campaign) => !isNotStarted(campaign));
  const assessed = started.map((campaign) => assessProgress(campaign));
  const [ahead, ended] = [open.length - started.length, campaigns.length - open.length];
  const today = campaigns[0]?.today ?? "";
  const byDay = open.flatMap(({ days }) => days).sort((a, b) => (a.day < b.day ? -1 : 1));
  const week = computePace({ today, days: byDay });
  const outlooks = assessed
    .map((progress) => outlookText(progress, format))
    .map(({ tone, title }) => unset[title] ?? toneWord[tone]);
  const having = (outlook: string) => outlooks.filter((other) => other === outlook).length;
  const others = [toneWord.warning, toneWord.danger, toneWord.neutral, ...Object.values(unset)].flatMap((outlook) =>
    having(outlook) === 0 ? [] : [`${number(having(outlook))} ${outlook.toLowerCase()}`],
  );
  const running = [
    `in ${count(started.length, "active campaign")}`,
    ahead > 0 && `${number(ahead)} not started`,
    ended > 0 && `${number(ended)} ended`,
  ];
  return (
    <section aria-label="All active campaigns">
      <Figures>
        <Figure label="Valid signatures" note={running.filter(Boolean).join(", ")}>
          {number(open.reduce((sum, { accepted }) => sum + accepted, 0))}
        </Figure>
        <Figure
          label="Valid signatures entered per day"
          note={[week.span && spanText(week.span, today, format), weekChangeText(week, format)]
            .filter(Boolean)
            .join(", ")}
        >
          {week.last7 !== null && perDayText(week.last7, format)}
        </Figure>
        <Figure label="On track to qualify" note={others.join(", ")}>
          {started.length > 0 && `${number(having(toneWord.success))} of ${number(started.length)}`}
        </Figure>
        {requests !== null && (
          <Figure label="Access requests" note="waiting">
            <FigureLink href={requests === 0 ? null : `/${teamId}/activity`} quiet>
              {number(requests)}
            </FigureLink>
          </Figure>
        )}
      </Figures>
    </section>
  );
}

/** A campaign of the team page, without progress for those who may not see it; `needs` is what needs attention. */
type CampaignRow = {
  id: string;
  name: string;
  permissionKeys: string[];
  progress: CampaignProgress | null;
  needs: string[];
};

const sorts = {
  name: (a: CampaignRow, b: CampaignRow) => compareTexts(a.name, b.name),
  valid: (a: CampaignRow, b: CampaignRow) => (b.progress?.accepted ?? -1) - (a.progress?.accepted ?? -1),
  end: (a: CampaignRow, b: CampaignRow) => compareTexts(lastDay(a), lastDay(b)),
};
const lastDay = ({ progress }: CampaignRow) => progress?.endsOn ?? "9999";

/**
 * A team's campaigns, the least likely to qualify first, or by `sort`. On a narrow screen, the numbers are below the name. Each
 * leads to the page where the reader works.
 */
export function CampaignTable({
  teamId,
  format,
  campaigns,
  label,
  sort,
}: {
  teamId: string;
  format: Format;
  campaigns: CampaignRow[];
  label: string;
  /** The sort in the URL; without it, headers don't sort the list. */
  sort?: string | string[] | undefined;
}) {
  const sorted = (Object.keys(sorts) as (keyof typeof sorts)[]).find((name) => name === sort);
  const sortHead = (name: keyof typeof sorts, text: string) =>
    sort === undefined ? (
      text
    ) : (
      <Link
        href={sorted === name ? `/${teamId}` : `/${teamId}?sort=${name}`}
        scroll={false}
        className="-mx-1 inline-flex items-center gap-1 rounded-md px-1 hover:text-foreground pointer-coarse:h-11"
      >
        {text}
        {sorted === name && <span aria-hidden>{name === "valid" ? "↓" : "↑"}</span>}
      </Link>
    );
  const order = (name: keyof typeof sorts) =>
    sorted === name ? ({ "aria-sort": name === "valid" ? "descending" : "ascending" } as const) : {};
  const head = "h-auto whitespace-normal py-1.5 text-right align-bottom";
  const numeric = "whitespace-nowrap py-2.5 text-right max-lg:hidden";
  const isRunning = campaigns.some(({ progress }) => progress?.archivedAt === null);
  const none = <span className="text-muted-foreground">–</span>;
  return (
    <div className="overflow-hidden rounded-md border">
      <Table aria-label={label}>
        <thead>
          <tr>
            <TableHead className={cn(head, "w-[30%] text-left")} {...order("name")}>
              {sortHead("name", "Campaign")}
            </TableHead>
            <TableHead className={cn(head, "w-[24%] text-left max-lg:hidden")} {...order("valid")}>
              {sortHead("valid", "Valid signatures")}
            </TableHead>
            {isRunning && (
              <>
                <TableHead className={cn(head, "w-[12%] max-lg:hidden")}>Collected per day</TableHead>
                <TableHead
                  className={cn(head, "w-[13%] min-w-32 max-lg:hidden")}
                  title="To be 90% likely to reach the goal and every county target"
                >
                  Needed per day
                </TableHead>
              </>
            )}
            <TableHead className={cn(head, "w-[8%] max-lg:hidden")}>Validity rate</TableHead>
            <TableHead className={cn(head, "w-[13%] max-lg:hidden")} {...order("end")}>
              {isRunning ? sortHead("end", "Days left") : "Archived on"}
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {inOrder(campaigns, sorted).map(({ id, name, permissionKeys, assessed, needs }) => {
            const labels = assessed && rowLabels(assessed, format);
            return (
              <TableRow key={id} className="relative align-top">
                <TableCell className="py-2.5">
                  {/* The link covers its row. */}
                  <RowLink href={`/${teamId}/campaign/${id}${workPage(permissionKeys)}`} className="wrap-anywhere">
                    {name}
                  </RowLink>
                  {labels && (
                    <>
                      <p className="flex items-baseline gap-1.5 text-muted-foreground text-sm">
                        <span
                          aria-hidden
                          className={cn("size-1.5 shrink-0 -translate-y-0.5 rounded-full", toneClass[labels.tone])}
                        />
                        <span>{labels.title}</span>
                      </p>
                      <div className="flex flex-col gap-1 py-1 lg:hidden">
                        {labels.count}
                        {labels.short.map((text) => (
                          <p key={text} className="text-muted-foreground text-sm">
                            {text}
                          </p>
                        ))}
                      </div>
                    </>
                  )}
                  {[...(labels?.warnings ?? []), needs.join(" · ")].filter(Boolean).map((text) => (
                    <p key={text} className="text-sm text-warning">
                      {text}
                    </p>
                  ))}
                </TableCell>
                <TableCell className="py-2.5 max-lg:hidden">{labels?.count ?? none}</TableCell>
                {isRunning && (
                  <>
                    <TableCell className={numeric}>
                      {labels?.aDay ?? none}
                      {labels?.span && <p className="text-muted-foreground text-sm">{labels.span}</p>}
                    </TableCell>
                    <TableCell className={numeric}>
                      {labels?.needed ?? none}
                      {labels?.unsureNeed && (
                        <p className="whitespace-normal text-muted-foreground text-sm">{labels.unsureNeed}</p>
                      )}
                    </TableCell>
                  </>
                )}
                <TableCell className={numeric}>{labels?.rate ?? none}</TableCell>
                <TableCell className={cn(numeric, "text-muted-foreground")}>{labels?.timing ?? none}</TableCell>
              </TableRow>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

// Campaigns without a forecast are last, in their order, and then those that have ended.
function inOrder(campaigns: CampaignRow[], sorted: keyof typeof sorts | undefined) {
  const rows = (sorted ? campaigns.toSorted(sorts[sorted]) : campaigns).map(({ progress, ...row }) => {
    const assessed = progress && assessProgress(progress);
    const chance = progress?.archivedAt === null && assessed ? chanceToQualify(assessed) : null;
    const isOver = progress?.endsOn != null && progress.today > progress.endsOn;
    const problem = isOver ? 3 : (chance ?? 2) - (row.needs.length > 0 ? 0.001 : 0);
    return { ...row, assessed, problem };
  });
  return sorted ? rows : rows.toSorted((a, b) => a.problem - b.problem);
}

function rowLabels(assessed: AssessedProgress, format: Format) {
  const { accepted, entered, goal, archivedAt, endsOn, today } = assessed.progress;
  const { forecast } = assessed;
  const { span, averageADay, leastADay, isNeverEnough } = forecast ?? {};
  const { tone, title } = outlookText(assessed, format);
  const counties = findCountyProblem(assessed, format);
  const rate = rateText({ accepted, lines: entered }, format)?.rate;
  const isOver = archivedAt !== null || (endsOn !== null && today > endsOn);
  const aDay = forecast?.aDay == null || isOver ? null : perDayText(forecast.aDay, format);
  // The overview gives the same advice.
  const [neededADay, note] = isNeverEnough
    ? [null, "no pace is enough"]
    : averageADay == null
      ? [leastADay, leastADay == null ? "no valid signatures entered yet" : "if there are no more duplicates"]
      : forecast?.neededADay == null
        ? [averageADay, "at least"]
        : [forecast.neededADay, forecast.isGoalOnly && "for the goal alone"];
  const needed = neededADay == null || isOver ? null : perDayText(neededADay, format, Math.ceil);
  const unsureNeed = aDay !== null && goal !== null && endsOn !== null && today < endsOn && note;
  const need = neededADay ? `needs ${needed} a day ${unsureNeed || "to be 90% likely"}` : null;
  const isFirstDay = !isOver && entered > 0 && aDay === null;
  const days = aDay !== null && span ? spanText(span, today, format) : isFirstDay && "known from tomorrow";
  const timing = archivedAt === null ? campaignTiming(assessed.progress, format, new Date()) : format.day(archivedAt);
  const paceText = aDay
    ? [`${aDay} collected per day ${days}`, need ?? (needed === null && unsureNeed)].filter(Boolean).join("; ")
    : isFirstDay && `Signatures per day ${days}`;
  return {
    tone,
    title,
    warnings: [goalTooLowText(assessed.progress, format), counties && counties.link + counties.text],
    rate,
    aDay,
    span: days,
    needed,
    unsureNeed,
    timing,
    short: [...(paceText ? [paceText] : []), [rate && `${rate} valid`, timing].filter(Boolean).join(" · ")],
    count: (
      <div className="flex flex-col gap-1.5">
        <GoalCount accepted={accepted} goal={goal} />
        {goal !== null && <GoalBar share={accepted / goal} />}
      </div>
    ),
  };
}
