import "server-only";
import { teamIdSchema } from "@/lib/ids";
import { withRedis } from "@/lib/redis";

const seconds = 10;
const keyOf = (userId: string) => `refused-team:${userId}`;

/** Keeps for 10 seconds which team was not open to a user, so that `/`, where she is sent, can say so. */
export async function keepRefusedTeam(userId: string, team: string): Promise<void> {
  if (!teamIdSchema.safeParse(team).success) return;
  // While Redis is away she is sent without a word.
  await withRedis((redis) => redis.set(keyOf(userId), team, "EX", seconds)).catch(() => undefined);
}

/** The team that was refused to a user just now, or null. */
export async function readRefusedTeam(userId: string): Promise<string | null> {
  return withRedis((redis) => redis.get(keyOf(userId))).catch(() => null);
}
