import "server-only";
import { after } from "next/server";
import { logFailure } from "@/lib/log-event";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import type { Json } from "@/supabase/functions/_shared/database";

/** What is recorded when it is read: four files, and searches for voters. */
export const readKinds = ["register", "members", "activity", "records", "search"] as const;
export type ReadKind = (typeof readKinds)[number];

type Read = {
  kind: ReadKind;
  userId: string;
  /** The teams whose administrators see it. */
  teamIds: string[];
  campaignId?: string | undefined;
  /** What it was narrowed to, without credentials. */
  filter: Json;
  /** Lines of a file, or voters on a page. */
  rowCount: number;
  /** How many voters a search found in all. */
  matchCount?: number;
};

/**
 * Records an export or a search after the answer, which neither waits for it nor fails with it: what cannot be recorded is
 * logged. `read` is asked when the whole answer was sent, or the browser has left.
 */
export function recordRead(read: () => Read): void {
  after(async () => {
    const { kind, userId, teamIds, campaignId, filter, rowCount, matchCount } = read();
    try {
      const call = createAdminClient().rpc("record_read", {
        p_actor_id: userId,
        p_team_ids: teamIds,
        p_campaign_id: campaignId ?? null,
        p_kind: kind,
        p_filter: filter,
        p_row_count: rowCount,
        p_match_count: matchCount ?? null,
      });
      unwrap(await call);
    } catch (error) {
      logFailure("An export or a search was not recorded.", error, { user: userId, kind, rowCount });
    }
  });
}

/** Records a search that was answered, for the teams in which the person may search: it names none itself. */
export function recordSearch(
  { userId, teamIds }: { userId: string; teamIds: string[] },
  filter: Json,
  { hitsCount, totalHits }: { hitsCount: number; totalHits: number },
): void {
  recordRead(() => ({ kind: "search", userId, teamIds, filter, rowCount: hitsCount, matchCount: totalHits }));
}
