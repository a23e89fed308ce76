import type { ReactNode } from "react";
import { CampaignFigures } from "@/components/progress/campaign-figures";
import { GoalBar } from "@/components/progress/figures";
import { assumptions, extendedPaceText, lagText } from "@/components/progress/method-text";
import { rateText, shareText, trendText } from "@/components/progress/number-text";
import {
  chanceText,
  isReached,
  namesText,
  needText,
  outlookText,
  outsideDatesText,
  toneClass,
  turnedInText,
  worstFirst,
} from "@/components/progress/outlook-text";
import { ProgressChart } from "@/components/progress/progress-chart";
import { curveOf } from "@/components/progress/progress-curve";
import { GoalCount } from "@/components/shell/campaign-count";
import { Table, TableCell, TableHead } from "@/components/ui/table";
import { validNeeded } from "@/lib/campaigns/valid-needed";
import { checkMethodText } from "@/lib/check-method-text";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { type AssessedProgress, assessProgress } from "@/lib/progress/forecast";
import { type OfficialOutlook, officialOutlook } from "@/lib/progress/official-check";
import { campaignTiming } from "@/lib/progress/pace";
import { type Period, recentPeriods, sumTallies } from "@/lib/progress/recent-days";
import type { CampaignProgress, CampaignWork, OfficialRule } from "@/lib/progress/responses";
import type { QualityCheck } from "@/lib/signatures/quality";
import { cn } from "@/lib/utils";

type Circulators = CampaignWork["circulators"];

/**
 * How a campaign is doing, all of its teams together, for people without an account: one printed page. Of an archived one, what
 * was reached.
 */
export function CampaignReport({
  place,
  name,
  teamName,
  progress,
  circulators,
  outsideDates,
  quality,
  format,
}: {
  place: CampaignOfTeam;
  name: string;
  teamName: string;
  progress: CampaignProgress;
  /** Circulators of the reader's team. Like `quality`, null for people who can't see them. */
  circulators: Circulators | null;
  /** Valid lines signed outside the campaign's dates. */
  outsideDates: number;
  quality: QualityCheck | null;
  format: Format;
}) {
  const { number, day } = format;
  const assessed = assessProgress(progress);
  const { tone, title, texts } = outlookText(assessed, format);
  const { accepted, entered, goal, today, archivedAt } = progress;
  const now = turnedInText(assessed, format);
  const requirements = requirementSentences(assessed, format);
  const sentences = qualitySentences(progress, quality, format);
  const isArchived = archivedAt !== null;
  const curve = curveOf(progress, assessed.forecast?.final ?? null, format.timeZone);
  const hasChance = goal !== null && !isReached(assessed);
  return (
    <article className="flex max-w-4xl flex-col gap-5 px-4 py-6 md:px-6 print:max-w-none print:gap-3 print:p-0 print:[page:report] print:[zoom:0.75]">
      <p className="text-muted-foreground print:hidden">
        {entered === 0 && !isArchived
          ? "Its numbers appear once the first line is entered."
          : "This report prints on one page. To send it, choose “Save as PDF” when printing."}
      </p>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 className="wrap-anywhere font-semibold text-2xl">{name}</h2>
        <p className="text-muted-foreground">
          Progress report · {teamName} · {day(today)}
        </p>
      </header>
      <section aria-label="Forecast" className="flex overflow-hidden rounded-md border">
        <span aria-hidden className={cn("w-1 shrink-0", toneClass[tone])} />
        <div className="flex min-w-0 flex-1 flex-col gap-1 px-4 py-3">
          <p className="font-semibold text-xl">{title}</p>
          {texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {texts.length > 0 && outsideDates > 0 && <p>{outsideDatesText(outsideDates, format)}</p>}
          {now && <p>{now}</p>}
        </div>
      </section>
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <GoalCount accepted={accepted} goal={goal} className="text-lg" />
          {!isArchived && <span>{campaignTiming(progress, format, new Date())}</span>}
        </div>
        {goal !== null && <GoalBar share={accepted / goal} />}
      </div>
      {entered > 0 && (
        <Part title="Total valid signatures" note={trendText(progress, format)}>
          {/* The goal's label is above the chart. */}
          <div className="pt-2">
            <ProgressChart
              curve={curve}
              goal={goal}
              label={`Running total of valid signatures: ${number(accepted)} by ${day(today)}.`}
            />
          </div>
        </Part>
      )}
      {progress.collected > 0 && <CampaignFigures place={place} linked={false} {...assessed} />}
      <div className="grid gap-5 empty:hidden lg:grid-cols-2 print:grid-cols-2 print:gap-4">
        {entered > 0 && !isArchived && (
          <Part title="Recently entered">
            <RecentTable progress={progress} format={format} />
          </Part>
        )}
        {circulators && circulators.rows.length > 0 && (
          <Part title="Circulators" note={progress.teams > 1 ? `of ${teamName}` : null}>
            <TallyTable label="Circulators" head="Name" rows={circulatorRows(circulators, format)} format={format} />
          </Part>
        )}
        {requirements.length > 0 && (
          <Part title="Requirements">
            <ul className="list-disc pl-5">
              {requirements.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Part>
        )}
        {sentences.length > 0 && (
          <Part title="Data quality">
            <p>{sentences.join(" ")}</p>
          </Part>
        )}
      </div>
      {assessed.forecast && !isArchived && (hasChance || curve.ahead) && (
        <Part title="Method">
          <p>{[...(curve.ahead ? [extendedPaceText(assessed, format)] : []), ...assumptions].join(" ")}</p>
        </Part>
      )}
    </article>
  );
}

function Part({ title, note, children }: { title: string; note?: string | null; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h3 className="font-semibold">{title}</h3>
        {note && <p className="text-muted-foreground text-sm">{note}</p>}
      </div>
      {children}
    </section>
  );
}

function RecentTable({ progress: { today, days }, format }: { progress: CampaignProgress; format: Format }) {
  const { yesterday, thisWeek, lastWeek } = recentPeriods(today);
  const lines = days.map((day) => ({ ...day, lines: day.entered, duplicates: 0 }));
  const row = (name: string, period: Period) => {
    const from = format.shortDay(period.from);
    return {
      name,
      note:
        period.from === period.to
          ? from
          : period.to === today
            ? `since ${from}`
            : `${from} to ${format.shortDay(period.to)}`,
      ...sumTallies(lines, period),
    };
  };
  const rows = [row("Yesterday", yesterday), row("This week", thisWeek), row("Last week", lastWeek)];
  return <TallyTable label="Recently entered" head="Period" rows={rows} format={format} />;
}

const maxCirculators = 5;

// Those with the most lines, and all others together.
function circulatorRows({ rows, rest }: Circulators, { count }: Format) {
  const others = [...rows.slice(maxCirculators), rest];
  const add = (key: "lines" | "accepted") => others.reduce((sum, row) => sum + row[key], 0);
  const name = count(others.length - 1 + rest.count, "other");
  return [
    ...rows.slice(0, maxCirculators).map((row) => ({ ...row, name: row.circulator ?? "No circulator" })),
    ...(add("lines") > 0 ? [{ name, lines: add("lines"), accepted: add("accepted") }] : []),
  ];
}

function TallyTable({
  label,
  head,
  rows,
  format,
}: {
  label: string;
  /** The heading of the column of names. */
  head: string;
  rows: { name: string; note?: string; lines: number; accepted: number }[];
  format: Format;
}) {
  return (
    <div className="rounded-md border">
      <Table aria-label={label} className="print:[&_td]:py-1">
        <thead>
          <tr>
            <TableHead>{head}</TableHead>
            <TableHead className="text-right">Entered</TableHead>
            <TableHead className="text-right">Valid</TableHead>
            <TableHead className="text-right">Validity rate</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, note, ...tally }) => (
            <tr key={name} className="border-b last:border-b-0">
              <TableCell className="wrap-anywhere">
                {name} {note && <span className="text-muted-foreground max-sm:block sm:whitespace-nowrap">{note}</span>}
              </TableCell>
              <TableCell className="text-right">{format.number(tally.lines)}</TableCell>
              <TableCell className="text-right">{format.number(tally.accepted)}</TableCell>
              <TableCell className="text-right">{rateText(tally, format)?.rate ?? "–"}</TableCell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function requirementSentences(assessed: AssessedProgress, format: Format) {
  const { number, count } = format;
  const { counties, progress } = assessed;
  const { goal, official: rule, archivedAt } = progress;
  const reached = counties.filter(({ short }) => short === 0).length;
  const furthest = worstFirst(counties)
    .filter(({ short }) => short > 0)
    .map(({ county, accepted, target, short }) => {
      return `${county} (${number(accepted)} of ${number(target)}, ${number(short)} short)`;
    });
  return [
    rule && archivedAt === null && `The law requires ${count(rule.required, "valid signature")}.`,
    rule && archivedAt === null && checkText(rule, officialOutlook(assessed), format),
    rule && archivedAt === null && ![rule.required, goal].includes(validNeeded(rule)) && needText(rule, format),
    counties.length > 0 && `${number(reached)} of ${count(counties.length, "county target")} reached.`,
    furthest.length > 0 && `Least likely to be reached: ${namesText(furthest)}.`,
  ].filter((sentence) => typeof sentence === "string");
}

function checkText({ method }: OfficialRule, check: OfficialOutlook | null, format: Format) {
  const words = checkMethodText(method);
  if (check === null) return `The office checks: ${words}.`;
  const sample = method === "full" ? "" : `${chanceText(check.now.pass, format)} likely to pass the sample and `;
  return `Official check: ${words}. If turned in today, the petition is ${sample}${chanceText(check.now.qualifies, format)} likely to qualify.`;
}

function qualitySentences(progress: CampaignProgress, quality: QualityCheck | null, format: Format) {
  const { entered, archivedAt } = progress;
  const { count, rate } = format;
  const lag = lagText(progress, format);
  const checked = quality?.rates.find(({ of }) => of === "campaign");
  const errors = checked && shareText(checked.errors, checked.checked, format);
  return [
    entered > 0 && `${rate(progress.duplicates / entered)} of entered lines are duplicates.`,
    lag && archivedAt === null && `${lag}.`,
    errors &&
      `A second entry of ${count(checked.checked, "line")} found ${checked.errors === 0 ? "no errors" : `errors in ${errors.rate} of them`} (95% range ${errors.interval}).`,
  ].filter(Boolean);
}
