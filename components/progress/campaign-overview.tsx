"use client";

import { type ReactNode, useEffect, useMemo, useState } from "react";
import { CampaignFigures } from "@/components/progress/campaign-figures";
import { FigureLink, GoalBar } from "@/components/progress/figures";
import { methodSentences } from "@/components/progress/method-text";
import { NeedsAttention } from "@/components/progress/needs-attention";
import {
  countyShortfallText,
  goalTooLowText,
  isReached,
  outlookQuestion,
  outlookText,
  outsideDatesText,
  toneClass,
  turnedInText,
} from "@/components/progress/outlook-text";
import { CampaignFirstStep, missingText } from "@/components/progress/overview/campaign-first-step";
import { CountyTargets } from "@/components/progress/overview/county-targets";
import { OfficialCheck } from "@/components/progress/overview/official-check";
import { findCountyProblem } from "@/components/progress/overview/problems";
import { RecentWork } from "@/components/progress/overview/recent-work";
import { SettingsHints } from "@/components/progress/overview/settings-hints";
import { ProgressByDay } from "@/components/progress/progress-by-day";
import { type CountsFreshness, useLiveProgress } from "@/components/progress/use-live-progress";
import { WorkLists } from "@/components/progress/work-lists";
import { GoalCount, useLiveCount } from "@/components/shell/campaign-count";
import { useFormat } from "@/components/shell/format-provider";
import { lazyLoad } from "@/components/ui/lazy-load";
import { TextLink } from "@/components/ui/link";
import { Disclosure } from "@/components/ui/section";
import { daysBetween } from "@/lib/format/days";
import type { CampaignOfTeam } from "@/lib/ids";
import { type AssessedProgress, assessProgress } from "@/lib/progress/forecast";
import { officialOutlook } from "@/lib/progress/official-check";
import { campaignTiming } from "@/lib/progress/pace";
import type { CampaignProgress, ProgressResponse } from "@/lib/progress/responses";
import { cn } from "@/lib/utils";

const WhatIf = lazyLoad(async () => (await import("@/components/progress/overview/what-if")).WhatIf);

/** The state of a campaign, kept up to date: its count, whether it will qualify, what needs attention, and who does what. */
export function CampaignOverview({
  place,
  initial,
  teamName,
  requests,
  failedCharts,
  canEnter,
  canEdit,
  children,
}: {
  place: CampaignOfTeam;
  initial: ProgressResponse;
  teamName: string;
  /** Open access requests; 0 for those who don't manage members. */
  requests: number;
  /** Names of charts that couldn't be computed; none for those who don't see charts. */
  failedCharts: string[];
  canEnter: boolean;
  canEdit: boolean;
  /** Below the numbers. */
  children?: ReactNode;
}) {
  const { progress, work, freshness } = useLiveProgress(place, initial);
  useLiveCount(progress);
  const format = useFormat();
  const isArchived = progress.archivedAt !== null;
  const outsideDates = work?.outsideDates ?? 0;
  const { assessed, check } = useMemo(() => {
    const known = assessProgress(progress);
    return { assessed: known, check: officialOutlook(known) };
  }, [progress]);
  return (
    <>
      <div className="flex flex-col gap-4">
        <Head progress={progress} freshness={freshness} />
        <OutlookPanel
          {...assessed}
          settings={canEdit && progress.entered > 0 ? `/${place.team}/campaign/${place.campaign}/settings` : null}
          perCirculator={work?.recent.linesPerCirculator ?? null}
          outsideDates={outsideDates}
        />
      </div>
      {progress.entered === 0 && (
        <CampaignFirstStep place={place} progress={progress} canEnter={canEnter} canEdit={canEdit} />
      )}
      <NeedsAttention
        place={place}
        progress={progress}
        counties={findCountyProblem(assessed, format)}
        work={isArchived ? null : work}
        requests={requests}
        failedCharts={failedCharts}
      />
      {progress.entered > 0 && (
        <ProgressByDay
          place={place}
          linked={work !== null}
          progress={progress}
          final={assessed.forecast?.final ?? null}
        />
      )}
      {progress.collected > 0 && <CampaignFigures place={place} linked={work !== null} {...assessed} />}
      {check && <OfficialCheck {...assessed} check={check} outsideDates={outsideDates} />}
      <CountyTargets place={place} linked={work !== null} canEdit={canEdit} {...assessed} />
      {canEdit && <SettingsHints place={place} progress={progress} />}
      {children}
      {work && progress.collected > 0 && !isArchived && (
        <RecentWork place={place} recent={work.recent} teamName={teamName} />
      )}
      {work && progress.collected > 0 && <WorkLists place={place} work={work} teamName={teamName} />}
    </>
  );
}

function Head({ progress, freshness }: { progress: CampaignProgress; freshness: CountsFreshness }) {
  const format = useFormat();
  const { number, day } = format;
  const { accepted, goal, startsOn, endsOn, archivedAt } = progress;
  const even = evenShare(progress);
  return (
    <section aria-label="Progress" className="flex flex-col gap-2">
      <div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 className="text-muted-foreground text-sm">Valid signatures</h2>
          <FreshnessText {...freshness} />
        </div>
        <GoalCount accepted={accepted} goal={goal} className="text-lg *:first:text-2xl" />
      </div>
      {goal !== null && <GoalBar share={accepted / goal} even={even} />}
      <p className="flex flex-wrap justify-between gap-x-6 text-muted-foreground">
        <span>
          <strong className="font-semibold text-foreground">
            {archivedAt === null ? campaignTiming(progress, format, new Date()) : "Archived"}
          </strong>
          {(startsOn ?? endsOn) && " · "}
          {startsOn && endsOn
            ? `${day(startsOn)} to ${day(endsOn)}`
            : startsOn
              ? `from ${day(startsOn)}`
              : endsOn && `through ${day(endsOn)}`}
        </span>
        {goal !== null && even !== null && (
          <span>
            <span aria-hidden className="mr-1.5 inline-block h-3 w-0.5 translate-y-0.5 rounded-md bg-foreground" />
            At an even pace: {number(Math.round(goal * even))} by today
          </span>
        )}
      </p>
    </section>
  );
}

// Null outside of the campaign's days, without them, and once the goal is reached.
function evenShare({ accepted, goal, startsOn, endsOn, today, archivedAt }: CampaignProgress) {
  if (archivedAt !== null || (goal !== null && accepted >= goal)) return null;
  if (startsOn === null || endsOn === null || today <= startsOn || today > endsOn) return null;
  return daysBetween(startsOn, today) / (daysBetween(startsOn, endsOn) + 1);
}

/** How old the numbers are, or why they aren't updated. */
export function FreshnessText({ at, failure }: CountsFreshness) {
  const { time } = useFormat();
  const [now, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const ageSeconds = at === null ? 0 : Math.max(0, Math.round((now - at) / 1000));
  const since = at === null ? "" : ` since ${time(new Date(at).toISOString())}`;
  return (
    <div className="min-h-5 min-w-32 text-right text-sm">
      <p role="status" className="text-warning">
        {failure !== null && `Not updated${since}. ${failure}`}
      </p>
      {failure === null && at !== null && (
        <p className="text-muted-foreground">Updated {ageSeconds < 2 ? "just now" : `${ageSeconds} s ago`}</p>
      )}
    </div>
  );
}

function OutlookPanel({
  settings,
  perCirculator,
  outsideDates,
  ...assessed
}: AssessedProgress & {
  /** The path of the settings, for people who can edit them. */
  settings: string | null;
  perCirculator: number | null;
  /** Valid lines signed outside the campaign's dates. */
  outsideDates: number;
}) {
  const format = useFormat();
  const [planning, setPlanning] = useState(false);
  const { tone, title, texts } = outlookText(assessed, format);
  const { archivedAt, goal, accepted, endsOn, today } = assessed.progress;
  const isOpen = archivedAt === null && goal !== null && !isReached(assessed);
  const methods = isOpen ? methodSentences(assessed, format) : [];
  const now = turnedInText(assessed, format);
  const tooLow = goalTooLowText(assessed.progress, format);
  const counties = countyShortfallText(assessed, format);
  const isStillCollecting = isOpen && accepted > 0 && endsOn !== null && today < endsOn;
  return (
    <section
      id="outlook"
      aria-labelledby="outlook-title"
      className="flex scroll-mt-16 overflow-hidden rounded-md border"
    >
      <span aria-hidden className={cn("w-1 shrink-0", toneClass[tone])} />
      <div className="flex min-w-0 flex-col gap-1 px-4 py-3">
        <h2 id="outlook-title" className="text-muted-foreground text-sm">
          {outlookQuestion(assessed, title)}
        </h2>
        <p className="font-semibold text-xl">{title}</p>
        {tooLow && (
          <p className="text-warning">
            {tooLow} {settings && <TextLink href={`${settings}#official-check`}>Change the goal</TextLink>}
          </p>
        )}
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {texts.length > 0 && outsideDates > 0 && (
          <p className="text-warning">{outsideDatesText(outsideDates, format)}</p>
        )}
        {settings !== null && archivedAt === null && (goal === null || endsOn === null) && (
          <p>
            <TextLink href={settings}>Set {missingText(assessed.progress)}</TextLink> to see whether it's on track.
          </p>
        )}
        {now && <p className="text-muted-foreground">{now}</p>}
        {counties && (
          <p>
            <FigureLink href="#county-targets">County targets</FigureLink>: {counties}
          </p>
        )}
        {isStillCollecting && (
          <details onToggle={() => setPlanning(true)}>
            <summary className="w-fit cursor-pointer text-muted-foreground text-sm hover:text-foreground pointer-coarse:py-3">
              What if?
            </summary>
            {planning && <WhatIf measured={assessed} perCirculator={perCirculator} />}
          </details>
        )}
        {methods.length > 0 && (
          <Disclosure summary="How is this calculated?">
            <ul className="flex list-disc flex-col gap-1 pt-1 pl-5">
              {methods.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Disclosure>
        )}
      </div>
    </section>
  );
}
