import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { byVoterId, type CampaignOfTeam } from "@/lib/ids";
import { missingCampaign } from "@/lib/permissions/messages";
import { withRedis } from "@/lib/redis";
import { type SignedAt, signedAtSchema } from "@/lib/signatures/line";
import { someoneElseSignedIn } from "@/lib/signatures/messages";
import { type EntryState, entryStateSchema, type PresentClerk } from "@/lib/signatures/responses";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

/** Reads the entry screen's state for one clerk, in one call. Guard `signatures.enter` first. */
export async function readEntryState({
  actorId,
  sheet = null,
  ...place
}: CampaignOfTeam & {
  actorId: string;
  /** A sheet to read with its lines. */
  sheet?: number | null;
}): Promise<EntryState> {
  const args = { p_actor_id: actorId, ...placeArgs(place), p_lines: 50, p_sheet: sheet };
  const state = await callSql("entry_state", args, entryStateSchema.nullable());
  if (!state) throw new AppError(...missingCampaign);
  return state;
}

/**
 * Which of the voters have a live line in the campaign. For another team's line, returns only `{ ownTeam: false }`.
 * Guard `signatures.view` or `signatures.enter` first.
 */
export function findSigned({
  voterIds,
  ...place
}: CampaignOfTeam & { voterIds: string[] }): Promise<Map<string, SignedAt>> {
  return callSql("already_signed", { ...placeArgs(place), p_voter_ids: voterIds }, byVoterId(signedAtSchema));
}

const presenceMaxAgeMs = 25_000; // clerks with an open sheet report it every 10 s
const presenceExpirySeconds = 30;

const seenSchema = z.object({ line: z.int(), at: z.number() });
const profilesSchema = z.array(z.object({ user_id: z.string(), name: z.string() }));

/** Saves which line of a sheet a clerk is at. Returns the other clerks of the last 25 s, none if Redis is unreachable. */
export async function listOthersHere(
  at: CampaignOfTeam & { actorId: string; sheet: number; line: number },
): Promise<PresentClerk[]> {
  const lineByUser = await savePresence(at).catch(() => new Map<string, number>());
  if (lineByUser.size === 0) return [];
  const profiles = await createAdminClient()
    .from("profiles")
    .select("user_id, name")
    .in("user_id" satisfies Column<"profiles">, [...lineByUser.keys()]);
  const nameByUser = new Map(profilesSchema.parse(unwrap(profiles)).map(({ user_id, name }) => [user_id, name]));
  return [...lineByUser]
    .map(([userId, line]) => ({ name: nameByUser.get(userId) ?? null, line }))
    .sort((one, other) => one.line - other.line);
}

async function savePresence({ actorId, team, campaign, sheet, line }: Parameters<typeof listOthersHere>[0]) {
  const key = `signatures:here:${team}/${campaign}:${sheet}`;
  const now = Date.now();
  const presence = JSON.stringify({ line, at: now });
  const replies = await withRedis((redis) =>
    redis.multi().hset(key, actorId, presence).expire(key, presenceExpirySeconds).hgetall(key).exec(),
  );
  const found = z.record(z.string(), z.string()).parse(replies?.at(-1)?.at(1));
  const lineByUser = new Map<string, number>();
  for (const [userId, text] of Object.entries(found)) {
    const seen = seenSchema.parse(JSON.parse(text));
    if (userId !== actorId && now - seen.at < presenceMaxAgeMs) lineByUser.set(userId, seen.line);
  }
  return lineByUser;
}

/** Throws AppError `unauthenticated` if someone other than the signed-in person made the changes. */
export function requireOwnChanges({ userId }: { userId: string }, clerk: string | undefined): void {
  if (clerk === undefined || clerk === userId) return;
  throw new AppError("unauthenticated", someoneElseSignedIn);
}

/** Whether these permissions allow seeing when, by which clerk and on which line a signature was entered. */
export function canSeeLines(keys: readonly string[]): boolean {
  return keys.includes("signatures.view") || keys.includes("signatures.enter");
}

/** The path of data entry; null without the permissions for it. */
export function entryPath({ team, campaign }: CampaignOfTeam, keys: readonly string[]): string | null {
  const isClerk = keys.includes("signatures.view") && keys.includes("signatures.enter");
  return isClerk ? `/${team}/campaign/${campaign}/signatures` : null;
}
