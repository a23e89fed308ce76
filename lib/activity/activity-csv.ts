import "server-only";
import type { ActivityFilter } from "@/lib/activity/activity-filter";
import { type ActivityEntry, listActivity } from "@/lib/activity/list-activity";
import { type CsvPiece, csvRow } from "@/lib/format/csv";

const head = ["id", "at", "actor", "action", "table", "campaign", "subject", "before", "after"];

/**
 * All of a team's activity that a filter lets through, as RFC 4180 text with a head row, newest first. No cell is taken for
 * a formula by a spreadsheet. Guard with `members.manage` first.
 */
export async function activityCsv(teamId: string, filter: ActivityFilter, pageSize = 1_000): Promise<CsvPiece> {
  const lines = [csvRow(head)];
  let before = filter.before;
  do {
    const { entries, next } = await listActivity(teamId, { ...filter, before }, pageSize);
    lines.push(...entries.map((entry) => csvRow(cellsOf(entry))));
    before = next ?? undefined;
  } while (before !== undefined);
  return { text: lines.join(""), rowCount: lines.length - 1 };
}

function cellsOf(entry: ActivityEntry) {
  return [
    String(entry.id),
    entry.at,
    entry.actor ?? entry.actorId ?? entry.databaseRole,
    entry.action,
    entry.table,
    entry.campaignId ?? "",
    entry.subject ?? entry.subjectId ?? "",
    entry.before === null ? "" : JSON.stringify(entry.before),
    entry.after === null ? "" : JSON.stringify(entry.after),
  ];
}
