import type { CampaignProgress } from "@/lib/progress/answers";
import { type Pace, pace } from "@/lib/progress/pace";
import { type Worth, worthOfPaper } from "@/lib/progress/worth-of-paper";

/** What was counted of a campaign, and what it tells: its pace, and the worth of its paper. */
export type ReckonedProgress = { progress: CampaignProgress; pace: Pace; worth: Worth | null };

export function reckonProgress(progress: CampaignProgress): ReckonedProgress {
  return { progress, pace: pace(progress), worth: worthOfPaper(progress) };
}
