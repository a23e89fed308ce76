import { z } from "zod";
import { voterIdPattern } from "@/lib/patterns";

// Check constraints on public.teams and public.campaigns have the same rule.
const shortId = z
  .string("must be text")
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/,
    "must use only letters, numbers, hyphens, and underscores, 63 at most, and start with a letter or number",
  );

/** Names of top-level routes, which no team may have. */
export const reservedTeamIds = ["account", "api", "auth", "invitation", "login"];

/** A team id, as in addresses, cache keys and Redis keys. */
export const teamIdSchema = shortId.refine((id) => !reservedTeamIds.includes(id), "is the name of a page");

/** A campaign id, as in addresses, cache keys and Redis keys. */
export const campaignIdSchema = shortId.refine((id) => id !== "no-access", "is the name of a page");

/** A voter id, as the voter file writes it: 1 to 64 visible ASCII characters. */
export const voterIdSchema = z
  .string("must be text")
  .regex(voterIdPattern, "must be 1 to 64 letters, digits or symbols, without spaces or accents");

/** A JSON object by voter id, parsed as a Map. zod's records drop `__proto__`, which a voter id can be. */
export const byVoterId = <Value extends z.ZodType>(value: Value) =>
  z
    .custom<Record<string, z.input<Value>>>((json) => typeof json === "object" && json !== null)
    .transform((json) => new Map(Object.entries(json)))
    .pipe(z.map(z.string(), value));

/** A campaign of a team, as a query or form names it. */
export const placeSchema = z.object({ team: teamIdSchema, campaign: campaignIdSchema });

/** A team and campaign in the path of an address, where an impossible id is like a missing one. */
export const pathPlaceSchema = z.object({ team: z.string(), campaign: z.string() });

/** A team, or a campaign of a team, in the path of an address. */
export const pathTeamOrCampaignSchema = pathPlaceSchema.partial({ campaign: true });

/** A team, or a campaign of a team. */
export type Place = { team: string; campaign?: string | undefined };

/** A campaign of a team. */
export type CampaignOfTeam = { team: string; campaign: string };
