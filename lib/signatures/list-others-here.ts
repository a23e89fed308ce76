import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { withRedis } from "@/lib/redis";
import type { Here } from "@/lib/signatures/answers";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";

const fresh = 25_000; // ms: who has a sheet open says so every 10 s
const kept = 30; // s, of a sheet that nobody has open any more

const seenSchema = z.object({ line: z.int(), at: z.number() });
const profilesSchema = z.array(z.object({ user_id: z.string(), name: z.string() }));

/**
 * Notes that a clerk has a sheet open, and at which line, and tells who else was there in the last 25 s, by line. Nobody
 * while Redis is away.
 */
export async function listOthersHere(
  at: CampaignOfTeam & { actorId: string; sheet: number; line: number },
): Promise<Here[]> {
  const lineOf = await noteAndRead(at).catch(() => new Map<string, number>());
  if (lineOf.size === 0) return [];
  const profiles = await createAdminClient()
    .from("profiles")
    .select("user_id, name")
    .in("user_id" satisfies Column<"profiles">, [...lineOf.keys()]);
  const nameOf = new Map(profilesSchema.parse(unwrap(profiles)).map(({ user_id, name }) => [user_id, name]));
  return [...lineOf]
    .map(([userId, line]) => ({ name: nameOf.get(userId) ?? null, line }))
    .sort((one, other) => one.line - other.line);
}

async function noteAndRead({ actorId, team, campaign, sheet, line }: Parameters<typeof listOthersHere>[0]) {
  const key = `signatures:here:${team}/${campaign}:${sheet}`;
  const now = Date.now();
  const own = JSON.stringify({ line, at: now });
  const answers = await withRedis((redis) =>
    redis.multi().hset(key, actorId, own).expire(key, kept).hgetall(key).exec(),
  );
  const found = z.record(z.string(), z.string()).parse(answers?.at(-1)?.at(1));
  const lineOf = new Map<string, number>();
  for (const [userId, text] of Object.entries(found)) {
    const seen = seenSchema.parse(JSON.parse(text));
    if (userId !== actorId && now - seen.at < fresh) lineOf.set(userId, seen.line);
  }
  return lineOf;
}
