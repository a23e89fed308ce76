import "server-only";
import { type ActivityEntry, listActivity } from "@/lib/activity/activity";
import type { ActivityFilter } from "@/lib/activity/activity-filter";
import { type CsvPiece, type CsvValue, csv } from "@/lib/format/csv";

/** An entry in plain words, and which values changed. */
export type Describe = (entry: ActivityEntry) => {
  what: string;
  changes: { label: string; before: string; after: string }[];
};

const head = ["id", "at", "actor", "what", "changes", "action", "table", "campaign", "subject", "before", "after"];

/** All activity that matches a filter, as CSV with a head row, in words and as stored, newest first. Guard with `members.manage` first. */
export async function activityCsv(
  teamId: string,
  filter: ActivityFilter,
  describe: Describe,
  pageSize = 1_000,
): Promise<CsvPiece> {
  const rows: CsvValue[][] = [];
  let before = filter.before;
  do {
    const { entries, next } = await listActivity(teamId, { ...filter, before }, pageSize);
    rows.push(...entries.map((entry) => cellsOf(entry, describe(entry))));
    before = next ?? undefined;
  } while (before !== undefined);
  return { text: csv([head, ...rows]), rowCount: rows.length };
}

function cellsOf(entry: ActivityEntry, { what, changes }: ReturnType<Describe>) {
  return [
    String(entry.id),
    entry.at,
    entry.actor ?? entry.actorId ?? entry.databaseRole,
    what,
    changes.map(({ label, before, after }) => `${label}: ${before} → ${after}`).join("; "),
    entry.action,
    entry.table,
    entry.campaignId ?? "",
    entry.subject ?? entry.subjectId ?? "",
    entry.before === null ? "" : JSON.stringify(entry.before),
    entry.after === null ? "" : JSON.stringify(entry.after),
  ];
}
