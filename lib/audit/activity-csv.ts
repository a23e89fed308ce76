import "server-only";
import type { ActivityFilter } from "@/lib/audit/activity-filter";

/**
 * All of a team's activity that a filter lets through, as RFC 4180 text with a head row, newest first. No cell is taken for
 * a formula by a spreadsheet. Guard with `members.manage` first.
 */
export async function activityCsv(team: { id: string; timeZone: string }, filter: ActivityFilter): Promise<string> {
  throw new Error([team, filter].join());
}
