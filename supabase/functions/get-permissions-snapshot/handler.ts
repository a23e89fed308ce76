import { respond, respondToPreflight } from "../_shared/respond.ts";

const shortId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

type Answer<Data> = { data: Data; error: { status?: number | undefined; message: string } | null };

/** What the function needs of Supabase: one client for the caller, one past every policy. */
export type Dependencies = {
  getUser(token: string): Promise<Answer<{ user: { id: string } | null }>>;
  readSnapshot(place: { userId: string; teamId: string | null; campaignId: string | null }): Promise<Answer<unknown>>;
};

/**
 * GET /functions/v1/get-permissions-snapshot (interface.md 4.1): the caller's PermissionsSnapshot for a team and a
 * campaign. 400, 401, 405 and 500 as `{ error }`; a failed read is a 500, never a smaller answer.
 */
export async function handle(request: Request, { getUser, readSnapshot }: Dependencies): Promise<Response> {
  if (request.method === "OPTIONS") return respondToPreflight();
  if (request.method !== "GET") return respond(405, { error: "Use GET." }, { Allow: "GET, OPTIONS" });

  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) return respond(401, { error: "Send your access token as `Authorization: Bearer <token>`." });

  const place = readPlace(new URL(request.url).searchParams);
  if ("error" in place) return respond(400, place);

  try {
    const { data, error } = await getUser(token);
    if (error && !(error.status && error.status < 500)) throw error;
    if (error || !data.user) return respond(401, { error: "This access token is not valid. Sign in again." });

    const snapshot = await readSnapshot({ userId: data.user.id, ...place });
    if (snapshot.error) throw snapshot.error;
    if (!isSnapshot(snapshot.data)) throw new Error("The database gave no snapshot.");
    return respond(200, snapshot.data);
  } catch (cause) {
    console.error("get-permissions-snapshot failed:", cause);
    return respond(500, { error: "Your permissions could not be read. Try again in a moment." });
  }
}

function isSnapshot(data: unknown) {
  return typeof data === "object" && data !== null && "teamAccess" in data && "permissionKeys" in data;
}

function readPlace(query: URLSearchParams) {
  for (const name of ["team_id", "campaign_id"]) {
    const values = query.getAll(name);
    if (values.length > 1) return { error: `Give ${name} once.` };
    if (values[0] !== undefined && !shortId.test(values[0])) {
      return { error: `${name} must be 1 to 63 letters, digits, - or _, and begin with a letter or a digit.` };
    }
  }
  const teamId = query.get("team_id");
  const campaignId = query.get("campaign_id");
  if (campaignId !== null && teamId === null) return { error: "campaign_id needs team_id." };
  return { teamId, campaignId };
}
