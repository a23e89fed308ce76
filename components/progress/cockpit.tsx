"use client";

import type { ReactNode } from "react";
import { FreshnessText } from "@/components/progress/freshness-text";
import { NeedsYou } from "@/components/progress/needs-you";
import { OutlookPanel } from "@/components/progress/outlook-panel";
import { ProgressByDay } from "@/components/progress/progress-by-day";
import { ProgressFigures } from "@/components/progress/progress-figures";
import { ProgressHead } from "@/components/progress/progress-head";
import { useLiveProgress } from "@/components/progress/use-live-progress";
import { WorkLists } from "@/components/progress/work-lists";
import { useTellCount } from "@/components/shell/campaign-count";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ProgressAnswer } from "@/lib/progress/answers";
import { reckonProgress } from "@/lib/progress/reckon-progress";

/** How a campaign is doing, kept up to date: how far, whether it will qualify, what waits, and who brings what. */
export function Cockpit({
  place,
  initial,
  teamName,
  requests,
  failedCharts,
  firstStep,
}: {
  place: CampaignOfTeam;
  initial: ProgressAnswer;
  teamName: string;
  /** Open requests for access to the campaign; 0 for those who do not manage members. */
  requests: number;
  /** Names of the charts that could not be computed; none for those who do not see charts. */
  failedCharts: string[];
  /** Stands in place of the curve while nothing is keyed: what to do first. */
  firstStep: ReactNode;
}) {
  const { progress, work, freshness } = useLiveProgress(place, initial);
  useTellCount(progress);
  const known = reckonProgress(progress);
  return (
    <>
      <div className="flex flex-col gap-4">
        <ProgressHead progress={progress}>
          <FreshnessText {...freshness} />
        </ProgressHead>
        <OutlookPanel {...known} />
      </div>
      {progress.onPaper > 0 && <ProgressFigures place={place} linked={work !== null} {...known} />}
      <div className="grid gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <NeedsYou place={place} progress={progress} work={work} requests={requests} failedCharts={failedCharts} />
        {progress.keyed === 0 ? (
          firstStep
        ) : (
          <ProgressByDay place={place} linked={work !== null} progress={progress} aDay={known.pace.last28 ?? 0} />
        )}
      </div>
      {work && progress.keyed > 0 && <WorkLists place={place} work={work} teamName={teamName} />}
    </>
  );
}
