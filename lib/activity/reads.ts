import "server-only";
import { after } from "next/server";
import { z } from "zod";
import type { AccessLogFilter } from "@/lib/activity/activity-filter";
import type { CsvPiece } from "@/lib/format/csv";
import type { Place } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { callSql } from "@/lib/supabase/call-sql";
import type { Json } from "@/supabase/functions/_shared/database";

/** What is recorded besides changes: exports, voter searches and sign-ins. */
const readKinds = ["register", "members", "activity", "records", "search", "sign-in"] as const;
type ReadKind = (typeof readKinds)[number];

type Read = {
  kind: ReadKind;
  userId: string;
  /** Teams whose administrators see it; null for those in which the person is active. */
  teamIds: string[] | null;
  campaignId?: string | undefined;
  /** Its filter, without credentials. */
  filter: Json;
  /** Rows of a file, or voters on a page. */
  rowCount: number;
  /** How many voters a search found. */
  matchCount?: number;
};

/** Records a sign-in, an export or a search after the response. A failure is logged and doesn't affect the response. */
function recordRead(read: () => Read): void {
  after(async () => {
    const { kind, userId, teamIds, campaignId, filter, rowCount, matchCount } = read();
    try {
      const args = {
        p_actor_id: userId,
        p_team_ids: teamIds,
        p_campaign_id: campaignId ?? null,
        p_kind: kind,
        p_filter: filter,
        p_row_count: rowCount,
        p_match_count: matchCount ?? null,
      };
      await callSql("record_read", args, z.unknown());
    } catch (error) {
      logFailure("A sign-in, an export or a search wasn't recorded.", error, { user: userId, kind, rowCount });
    }
  });
}

/** Records a search in every team where the person may search, because a search names no team. */
export function recordSearch(
  { userId, teamIds }: { userId: string; teamIds: string[] },
  filter: Json,
  { hitsCount, totalHits }: { hitsCount: number; totalHits: number },
): void {
  recordRead(() => ({ kind: "search", userId, teamIds, filter, rowCount: hitsCount, matchCount: totalHits }));
}

/** Records that a person signed in with a device, for the teams in which they are active. */
export function recordSignInFrom(userId: string, device: string): void {
  recordRead(() => ({ kind: "sign-in", userId, teamIds: null, filter: { device }, rowCount: 0 }));
}

const readSchema = z
  .object({
    id: z.number().int(),
    at: z.string(),
    actor_id: z.uuid(),
    actor_name: z.string().nullable(),
    campaign_name: z.string().nullable(),
    kind: z.enum(readKinds),
    filter: z.record(z.string(), z.unknown()),
    row_count: z.number().int(),
    match_count: z.number().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    /** ISO 8601. */
    at: row.at,
    actorId: row.actor_id,
    /** Name of the person at that time; null for an account that was deleted right after. */
    actor: row.actor_name,
    /** Name of the campaign at that time; null if it was of the whole team, or of none. */
    campaign: row.campaign_name,
    kind: row.kind,
    /** Its filter. A long part is cut off, as text. */
    filter: row.filter,
    /** Rows of a file, or voters on a page. */
    rowCount: row.row_count,
    /** How many voters a search found; null otherwise. */
    matchCount: row.match_count,
  }));
export type ReadEntry = z.infer<typeof readSchema>;

const kindsByFilter: Record<NonNullable<AccessLogFilter["kind"]>, ReadKind[]> = {
  "sign-ins": ["sign-in"],
  exports: readKinds.filter((kind) => kind !== "search" && kind !== "sign-in"),
  searches: ["search"],
};

/**
 * A page of a team's sign-ins, exports and searches, newest first. The database returns none without `members.manage` there.
 * `next` is the `before` of the next page.
 */
export async function listReads(
  { actorId, teamId }: { actorId: string; teamId: string },
  { kind, ...filter }: AccessLogFilter,
  pageSize = 100,
): Promise<{ reads: ReadEntry[]; next: number | null }> {
  const args = {
    p_actor_id: actorId,
    p_team_id: teamId,
    p_filter: { ...filter, ...(kind && { kinds: kindsByFilter[kind] }) },
    p_limit: pageSize + 1,
  };
  const rows = await callSql("team_reads", args, z.array(readSchema));
  const reads = rows.slice(0, pageSize);
  return { reads, next: rows.length > pageSize ? (reads.at(-1)?.id ?? null) : null };
}

const foldWindowMs = 60_000;

/** A read with the other searches of the same person within a minute. */
type FoldedRead = ReadEntry & { others: ReadEntry[] };

/**
 * Groups the searches of someone typing: a person's searches of one minute are listed under the last that found voters. After
 * that one, only other readings of the same words were tried. Newest first.
 */
export function foldReads(reads: ReadEntry[]): FoldedRead[] {
  const groups: [ReadEntry, ...ReadEntry[]][] = [];
  const lastSearches = new Map<string, [ReadEntry, ...ReadEntry[]]>();
  for (const read of reads) {
    const group = read.kind === "search" ? lastSearches.get(read.actorId) : undefined;
    if (group && Date.parse(group[0].at) - Date.parse(read.at) <= foldWindowMs) {
      group.push(read);
      continue;
    }
    const own: [ReadEntry] = [read];
    groups.push(own);
    if (read.kind === "search") lastSearches.set(read.actorId, own);
  }
  return groups.map((group) => {
    const shown = group.find(({ matchCount }) => matchCount) ?? group[0];
    return { ...shown, others: group.filter((other) => other !== shown) };
  });
}

/** A recorded export. */
type Export = { kind: Exclude<ReadKind, "search" | "sign-in">; userId: string; place: Place; filter: Json };

/**
 * The response with a CSV file; `name` has no extension. Pieces are computed as fast as the browser reads them. The export
 * is recorded when it ends, with the number of rows.
 */
export function exportResponse(csv: CsvPiece | AsyncIterable<CsvPiece>, name: string, exported: Export): Response {
  const file = `${name.replace(/[^\p{L}\p{N} ,_-]+/gu, " ").trim() || "signet"}.csv`;
  const encoder = new TextEncoder();
  let rowCount = 0;
  const pieces = (async function* () {
    for await (const piece of "text" in csv ? [csv] : csv) {
      rowCount += piece.rowCount;
      yield encoder.encode(piece.text);
    }
  })();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return()),
  });
  const response = new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
    },
  });
  const { place, ...read } = exported;
  recordRead(() => ({ ...read, teamIds: [place.team], campaignId: place.campaign, rowCount }));
  return response;
}
