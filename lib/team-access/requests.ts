import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { requireUser } from "@/lib/auth/require-user";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";
import { type Column, unwrap } from "@/lib/supabase/unwrap";
import { requestRefusals } from "@/lib/team-access/messages";

const outcomeSchema = z.object({ outcome: z.enum(["asked", "already-asked", "already-granted"]) });

/**
 * Asks a team's administrators for a key, on the page with this path. Each person has one open request per place and key:
 * "already-asked" if it exists, "already-granted" if they have the key. It doesn't reveal whether the campaign exists. Throws
 * AppError `not-found` unless they are an active member of the team.
 */
export async function askForAccess(
  { userId }: Session,
  place: Place,
  key: PermissionKey,
  { page, reason }: { page: string | null; reason: string | null },
): Promise<"asked" | "already-asked" | "already-granted"> {
  const args = { p_actor_id: userId, ...placeArgs(place), p_key: key, p_page: page, p_reason: reason };
  return (await callSql("ask_for_access", args, outcomeSchema, { refusals: requestRefusals })).outcome;
}

const declinedSchema = z.object({ outcome: z.literal("done") });

/**
 * Declines an access request; the person sees the `answer`. Guard with `members.manage` first. Throws AppError `conflict`
 * if it is no longer open.
 */
export async function declineAccessRequest(
  { userId }: Session,
  { team, id, answer }: { team: string; id: string; answer: string | null },
): Promise<void> {
  const args = { p_actor_id: userId, p_team_id: team, p_id: id, p_answer: answer };
  await callSql("decline_access_request", args, declinedSchema, { refusals: requestRefusals });
}

const accessRequestsSchema = z.array(
  z.object({
    id: z.uuid(),
    userId: z.uuid(),
    name: z.string(),
    /** Null for the team itself. */
    campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
    key: z.string(),
    /** Path of the page where they asked, if known. */
    page: z.string().nullable(),
    /** What they gave as the reason, if anything. */
    reason: z.string().nullable(),
    askedAt: z.string(),
    /** They already have it: the request can be declined. */
    granted: z.boolean(),
  }),
);
export type AccessRequest = z.infer<typeof accessRequestsSchema>[number];

/** The open requests of a team, oldest first. Guard with `members.manage` first. */
export async function listAccessRequests(teamId: string): Promise<AccessRequest[]> {
  return callSql("open_access_requests", { p_team_id: teamId }, accessRequestsSchema);
}

const ownRequestsSchema = z.array(
  z
    .object({
      campaign_id: z.string().nullable(),
      unknown_campaign_id: z.string().nullable(),
      key: z.string(),
      page: z.string().nullable(),
      asked_at: z.string(),
      closed_at: z.string().nullable(),
      /** Why it was declined, if they said so. */
      answer: z.string().nullable(),
      granted: z.boolean(),
    })
    .transform(({ unknown_campaign_id, ...request }) => ({
      ...request,
      /** The campaign that they named; it may not exist. */
      campaign_id: request.campaign_id ?? unknown_campaign_id,
    })),
);
export type OwnRequest = z.infer<typeof ownRequestsSchema>[number];

/** The open and answered requests of the signed-in user in a team, newest first. */
export async function listOwnRequests(teamId: string): Promise<OwnRequest[]> {
  const { userId } = await requireUser();
  const result = await createAdminClient()
    .from("access_requests")
    .select("campaign_id, unknown_campaign_id, key, page, asked_at, closed_at, answer, granted")
    .eq("user_id", userId)
    .eq("team_id", teamId)
    .order("asked_at" satisfies Column<"access_requests">, { ascending: false })
    .limit(50);
  return ownRequestsSchema.parse(unwrap(result));
}
