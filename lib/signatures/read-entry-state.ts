import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { goalProjection } from "@/lib/signatures/goal-projection";
import { sheetSchema } from "@/lib/signatures/line-outcome";
import { pacePerHour, validityRate } from "@/lib/signatures/line-rates";
import { rejections, verdicts } from "@/lib/signatures/verdicts";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const text = z.string().nullable();
const count = z.int();

const keyedLineSchema = z.object({
  id: z.uuid(),
  verdict: z.enum(verdicts),
  voterId: text,
  firstName: text,
  lastName: text,
  city: text,
  county: text,
  zip: text,
  sheet: count.nullable(),
  line: count.nullable(),
  signedOn: text,
  note: text,
  enteredAt: z.string(),
  /** When it was undone, or null. */
  removedAt: text,
});

const stateSchema = z.object({
  /** When this was so, ISO 8601 in UTC. */
  at: z.string(),
  timeZone: z.string(),
  /** YYYY-MM-DD in the team's time zone. */
  today: z.iso.date(),
  goal: count.nullable(),
  startsOn: text,
  endsOn: text,
  /** Of all teams together. */
  campaign: z.object({ accepted: count }),
  team: z.object({ accepted: count, verdicts: z.partialRecord(z.enum(rejections), count) }),
  /** The clerk's own lines: of today, and of the last 60 minutes with the first of them. */
  mine: z.object({
    accepted: count,
    duplicates: count,
    rejected: count,
    lastHour: count,
    lastHourSince: text,
  }),
  /** Accepted lines of the campaign on each of the last days that have any, in the team's time zone. */
  days: z.array(z.object({ day: z.iso.date(), accepted: count })),
  /** The open ones, by number. */
  sheets: z.array(sheetSchema),
  /** The newest first. */
  lines: z.array(keyedLineSchema),
});

/** What the entry screen shows at first: counts, sheets and the clerk's last lines, with what follows from the counts. */
export type EntryState = z.infer<typeof stateSchema> & {
  /** The clerk's lines an hour, or null when she has none. */
  pace: number | null;
  /** The share of the team's lines that count, from 0 to 1, or null without lines. */
  validity: number | null;
  /** The day on which the goal is reached, or null; see goalProjection. */
  reachedOn: string | null;
};

/** Reads the entry screen's state for one clerk, in one call. Guard `signatures.enter` first. */
export async function readEntryState({
  actorId,
  teamId,
  campaignId,
  lines = 50,
}: {
  actorId: string;
  teamId: string;
  campaignId: string;
  /** How many of her last lines. */
  lines?: number;
}): Promise<EntryState> {
  const given = { p_actor_id: actorId, p_team_id: teamId, p_campaign_id: campaignId, p_lines: lines };
  const result = await createAdminClient().rpc("entry_state", given).abortSignal(AbortSignal.timeout(5_000));
  const state = stateSchema.nullable().parse(unwrap(result));
  if (!state) throw new AppError("not-found", "There is no such campaign.");
  const { goal, campaign, team, mine, days, today, at } = state;
  const rejected = Object.values(team.verdicts).reduce((sum, number) => sum + number, 0);
  return {
    ...state,
    pace: pacePerHour({ lines: mine.lastHour, since: mine.lastHourSince, at }),
    validity: validityRate({ accepted: team.accepted, rejected }),
    reachedOn: goalProjection({ goal, accepted: campaign.accepted, days, today }),
  };
}
