import "server-only";
import { actorName, type DescribeEntry, listActivity } from "@/lib/activity/activity";
import type { AccessLogFilter, ActivityFilter } from "@/lib/activity/activity-filter";
import { listReads, type ReadEntry } from "@/lib/activity/reads";
import { type CsvPiece, csv } from "@/lib/format/csv";
import { toOffsetTime } from "@/lib/format/days";

/** Describes a read, and its filter. */
export type DescribeRead = (read: ReadEntry) => { what: string; filter: string[] };

/**
 * All activity that matches a filter, as CSV with a header row, newest first, with times as in the time zone. Guard with
 * `members.manage` first.
 */
export async function activityCsv(
  teamId: string,
  filter: ActivityFilter,
  { describe, timeZone }: { describe: DescribeEntry; timeZone: string },
  pageSize = 1_000,
): Promise<CsvPiece> {
  const rows = await allPages(filter.before, async (before) => {
    const { entries, next } = await listActivity(teamId, { ...filter, before }, describe, pageSize);
    return { page: entries, next };
  });
  const head = [timeHead(timeZone), "Person", "Change", "Details", "Campaign", "Affects"];
  const cells = rows.map((entry) => {
    const { what, changes } = describe(entry);
    const details = changes.map(({ label, before, after }) => `${label}: ${before} → ${after}`).join("; ");
    const row = entry.after ?? entry.before;
    const campaign = (entry.table === "campaigns" ? row?.name : row?.campaign_name) ?? entry.campaignId ?? "";
    const affects = entry.subject ?? (entry.table === "invitations" ? row?.email : null) ?? "";
    const time = toOffsetTime(entry.at, timeZone);
    return [time, actorName(entry), what, details, String(campaign), String(affects)];
  });
  return { text: csv([head, ...cells]), rowCount: cells.length };
}

/** All sign-ins, exports, and searches that match a filter, in the same form. */
export async function readsCsv(
  viewer: { actorId: string; teamId: string },
  filter: AccessLogFilter,
  { describe, timeZone }: { describe: DescribeRead; timeZone: string },
  pageSize = 1_000,
): Promise<CsvPiece> {
  const rows = await allPages(filter.before, async (before) => {
    const { reads, next } = await listReads(viewer, { ...filter, before }, pageSize);
    return { page: reads, next };
  });
  const cells = rows.map((read) => {
    const { what, filter } = describe(read);
    return [
      toOffsetTime(read.at, timeZone),
      read.actor ?? "A deleted account",
      what,
      filter.join("; "),
      read.campaign ?? "",
    ];
  });
  return {
    text: csv([[timeHead(timeZone), "Person", "Action", "Details", "Campaign"], ...cells]),
    rowCount: cells.length,
  };
}

const timeHead = (timeZone: string) => `Time (${timeZone})`;

async function allPages<Row>(
  from: number | undefined,
  read: (before: number | undefined) => Promise<{ page: Row[]; next: number | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let before = from;
  do {
    const { page, next } = await read(before);
    rows.push(...page);
    before = next ?? undefined;
  } while (before !== undefined);
  return rows;
}
