import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { requireUser } from "@/lib/auth/require-user";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

const askedSchema = z.object({ outcome: z.enum(["asked", "asked-already", "held", "no-place"]) });

/**
 * Asks the administrators of a team for a key, on the page with this path: they see it in the activity. One request is open
 * for each person, place and key: "asked-already" when there is one. "held" when they hold it. Throws AppError `not-found`
 * for a team that they are not an active member of, and for a campaign that the team does not have.
 */
export async function askForAccess(
  { userId }: Session,
  { team, campaign }: Place,
  key: PermissionKey,
  page: string | null,
): Promise<"asked" | "asked-already" | "held"> {
  const result = await createAdminClient().rpc("ask_for_access", {
    p_actor_id: userId,
    p_team_id: team,
    p_campaign_id: campaign ?? null,
    p_key: key,
    p_page: page,
  });
  const { outcome } = askedSchema.parse(unwrap(result));
  if (outcome === "no-place") throw new AppError("not-found", "This team or campaign is not there for you to ask for.");
  return outcome;
}

const closedRequestSchema = z.object({ outcome: z.enum(["done", "not-open", "not-allowed"]) });

/** Declines a request for access. Guard with `members.manage` first. Throws AppError `conflict` when it is not open any more. */
export async function closeAccessRequest(
  { userId }: Session,
  { team, id }: { team: string; id: string },
): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  const { outcome } = closedRequestSchema.parse(unwrap(await createAdminClient().rpc("close_access_request", asked)));
  if (outcome === "not-allowed") throw new AppError("conflict", "You no longer have permission to answer requests.");
  if (outcome === "not-open") {
    throw new AppError("conflict", "This request is not open any more. Reload the page to see those that are.");
  }
}

const accessRequestsSchema = z.array(
  z.object({
    id: z.uuid(),
    userId: z.uuid(),
    name: z.string(),
    /** Null for the team itself. */
    campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
    key: z.string(),
    /** Path of the page on which it was asked, where that is known. */
    page: z.string().nullable(),
    askedAt: z.string(),
    /** She holds it by now: what is left is to close the request. */
    held: z.boolean(),
  }),
);
export type AccessRequest = z.infer<typeof accessRequestsSchema>[number];

/** What members of a team have asked for and nobody has closed, oldest first. Guard with `members.manage` first. */
export async function listAccessRequests(teamId: string): Promise<AccessRequest[]> {
  return accessRequestsSchema.parse(
    unwrap(await createAdminClient().rpc("open_access_requests", { p_team_id: teamId })),
  );
}

const ownRequestsSchema = z.array(
  z.object({
    campaign_id: z.string().nullable(),
    key: z.string(),
    page: z.string().nullable(),
    asked_at: z.string(),
    closed_at: z.string().nullable(),
    granted: z.boolean(),
  }),
);
export type OwnRequest = z.infer<typeof ownRequestsSchema>[number];

/** What the signed-in user has asked for in a team, the newest first: open ones, and answered ones. */
export async function listOwnRequests(teamId: string): Promise<OwnRequest[]> {
  const { userId } = await requireUser();
  const result = await createAdminClient()
    .from("access_requests")
    .select("campaign_id, key, page, asked_at, closed_at, granted")
    .eq("user_id", userId)
    .eq("team_id", teamId)
    .order("asked_at" satisfies Column<"access_requests">, { ascending: false })
    .limit(50);
  return ownRequestsSchema.parse(unwrap(result));
}
