import type { Refusals } from "@/lib/supabase/call-sql";

export const missingChart = ["not-found", "This chart no longer exists. Reload the dashboard."] as const;
export const missingSuggestion = "This suggestion no longer exists. Reload the page.";
export const invalidChartId = "This isn't a chart ID.";
export const tookTooLong = ["gateway-timeout", "This chart took longer than 15 seconds. Add a filter."] as const;

/** The builder then asks which of the two charts to keep. */
export const changedByOther = "Someone else changed this chart, so yours isn't saved yet.";

/** For a text, which has no such question. */
export const textChanged = [
  "conflict",
  "Someone else changed this text, so yours isn't saved. Copy yours, close this, and edit theirs.",
] as const;

export const dashboardRenamed = (name: string) =>
  ["conflict", `Someone else renamed this dashboard to “${name}.” Close this, then rename it again.`] as const;

/** Why a change of a dashboard is refused. */
export const chartRefusals = {
  "not-allowed": ["forbidden", "You no longer have permission to change charts here. Reload the page."],
  "not-found": missingChart,
  changed: ["conflict", changedByOther],
  "no-dashboard": ["not-found", "This dashboard no longer exists. Open another one."],
  "name-taken": ["conflict", "There's already a dashboard with this name. Choose another name."],
  "too-many": ["conflict", "You can have up to 20 dashboards besides the main one. Delete one first."],
  full: ["conflict", "This dashboard is full: it can have 100 charts. Delete one first."],
} satisfies Refusals;

/** Why a chart's numbers aren't stored. */
export const generateRefusals = {
  "not-found": missingChart,
  changed: ["conflict", "This chart changed while it was being refreshed. Refresh it again."],
  late: tookTooLong,
} satisfies Refusals;
