import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { allowsNewTeams } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { defaultRegion } from "@/lib/format/format-of";
import { teamIdSchema } from "@/lib/ids";
import { idFromName } from "@/lib/patterns";
import { callSql, type Refusals } from "@/lib/supabase/call-sql";
import { type TeamSettings, teamSettingsSchema } from "@/lib/team-access/access-change";

/** A new team. Its id is made from its name. */
export const newTeamSchema = teamSettingsSchema.pick({ name: true, timeZone: true });

const refusals: Refusals = {
  unconfirmed: ["forbidden", "Confirm your email first: open the link we sent you."],
  "team-taken": ["conflict", "There's already a team with a name like this. Choose another name."],
  unusable: ["conflict", "This name can't be used. Choose another name."],
  "too-many-teams": [
    "conflict",
    "You already administer 20 teams, which is the limit. Ask the person who runs this server to create this one.",
  ],
};

/** Throws AppError `forbidden` unless the operator lets people create teams. */
export function requireNewTeamsAllowed(): void {
  if (!allowsNewTeams()) {
    throw new AppError("forbidden", "Creating teams is turned off on this server. Ask the person who runs it.");
  }
}

/** Creates a team that the person administers, and returns its id. Throws AppError `conflict`. */
export async function createTeam(
  { userId }: Session,
  { name, timeZone }: Pick<TeamSettings, "name" | "timeZone">,
): Promise<string> {
  // A name in another alphabet leaves nothing for an id.
  const { data: id } = teamIdSchema.safeParse(idFromName(name) || `team-${crypto.randomUUID().slice(0, 8)}`);
  if (id === undefined) throw new AppError("conflict", "is reserved. Choose another", { field: "name" });
  const args = { p_actor_id: userId, p_id: id, p_name: name, p_time_zone: timeZone, p_locale: defaultRegion.locale };
  await callSql("create_team", args, z.object({ outcome: z.literal("done") }), { refusals });
  return id;
}
