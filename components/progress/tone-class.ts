import type { Outlook } from "@/components/progress/outlook-text";

/** The colour of a mark beside an outlook. */
export const toneClass: Record<Outlook["tone"], string> = {
  neutral: "bg-muted-foreground",
  done: "bg-success-mark",
  waiting: "bg-warning-mark",
  wrong: "bg-destructive",
};
