import "server-only";
import { campaignIdSchema, type Place, teamIdSchema } from "@/lib/ids";
import { withRedis } from "@/lib/redis";

const seconds = 10;
const keyOf = (userId: string) => `refused-place:${userId}`;
const separator = "/"; // in no id

/** Keeps for 10 seconds which team or campaign was not open to a user, so that the page to which she is sent can say so. */
export async function keepRefusedPlace(userId: string, { team, campaign }: Place): Promise<void> {
  if (!teamIdSchema.safeParse(team).success || !campaignIdSchema.optional().safeParse(campaign).success) return;
  const place = [team, ...(campaign === undefined ? [] : [campaign])].join(separator);
  // While Redis is away she is sent without a word.
  await withRedis((redis) => redis.set(keyOf(userId), place, "EX", seconds)).catch(() => undefined);
}

/** The team or campaign that was refused to a user just now, or null. */
export async function readRefusedPlace(userId: string): Promise<Place | null> {
  const place = await withRedis((redis) => redis.get(keyOf(userId))).catch(() => null);
  const [team, campaign] = place?.split(separator) ?? [];
  return team === undefined ? null : { team, ...(campaign !== undefined && { campaign }) };
}
