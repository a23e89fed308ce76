import { z } from "npm:zod@4.6.7";
import { bearerToken } from "../_shared/bearer-token.ts";
import { respond, respondToPreflight } from "../_shared/respond.ts";
import { shortId } from "../_shared/short-id.ts";

// The one value of a query parameter, or null.
const onceSchema = (name: string) =>
  z
    .array(shortId(name))
    .max(1, `Give ${name} once.`)
    .transform(([id]) => id ?? null);

const placeSchema = z
  .object({ team: onceSchema("team_id"), campaign: onceSchema("campaign_id") })
  .refine(({ team, campaign }) => campaign === null || team !== null, "campaign_id needs team_id.");

// The contract's PermissionsSnapshot (2.1).
const snapshotSchema = z.object({
  teamAccess: z.boolean(),
  campaignAccess: z.boolean().optional(),
  permissionKeys: z.array(z.string()),
});

type Result<Data> = { data: Data; error: { status?: number | undefined; message: string } | null };

/** Supabase: as the caller, and with the secret key. */
export type Dependencies = {
  getUser(token: string): Promise<Result<{ user: { id: string; app_metadata?: Record<string, unknown> } | null }>>;
  readSnapshot(place: { userId: string; team: string | null; campaign: string | null }): Promise<Result<unknown>>;
};

/**
 * GET /functions/v1/get-permissions-snapshot (contract 4.1): the caller's PermissionsSnapshot for a team and a campaign. Errors
 * are `{ error }`; a failed read is a 500, never fewer permissions.
 */
export async function handle(request: Request, { getUser, readSnapshot }: Dependencies): Promise<Response> {
  if (request.method === "OPTIONS") return respondToPreflight();
  if (request.method !== "GET") return respond(405, { error: "Use GET." }, { Allow: "GET, OPTIONS" });

  const token = bearerToken(request);
  if (!token) return respond(401, { error: "Send your access token as `Authorization: Bearer <token>`." });

  const query = new URL(request.url).searchParams;
  const place = placeSchema.safeParse({ team: query.getAll("team_id"), campaign: query.getAll("campaign_id") });
  if (!place.success) return respond(400, { error: place.error.issues[0]?.message });

  try {
    const { data, error } = await getUser(token);
    if (error && !(error.status && error.status < 500)) throw error;
    if (error || !data.user) return respond(401, { error: "This access token isn't valid. Sign in again." });
    if (data.user.app_metadata?.second_factor === true && assuranceLevel(token) !== "aal2")
      return respond(401, { error: "This sign-in still needs its second factor." });

    const snapshot = await readSnapshot({ userId: data.user.id, ...place.data });
    if (snapshot.error) throw snapshot.error;
    return respond(200, snapshotSchema.parse(snapshot.data));
  } catch (cause) {
    console.error("get-permissions-snapshot failed:", cause);
    return respond(500, { error: "Couldn't read your permissions. Try again in a moment." });
  }
}

// The assurance level of a token that Auth has verified.
function assuranceLevel(token: string): unknown {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return JSON.parse(atob(payload)).aal;
}
