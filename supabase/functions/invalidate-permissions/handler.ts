import { type DrainSteps, drainSomeChanges } from "../_shared/drain-permission-changes.ts";
import { isSecretKey } from "../_shared/is-secret-key.ts";
import { respond } from "../_shared/respond.ts";

const maxNotes = 5_000; // per call, for which Supabase allows 2 s of CPU

/**
 * POST /functions/v1/invalidate-permissions, with the secret key: carries out changes made outside of the application, at
 * most 5,000 notes. 200 `{ users, left }`: how many users were affected, and whether the next call may have more to do; 401,
 * 405; 503 when a step failed: the next call continues.
 */
export async function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: DrainSteps }) {
  if (request.method !== "POST") return respond(405, { error: "Use POST." }, { Allow: "POST" });
  if (!(await isSecretKey(request, secretKeys))) return respond(401, { error: "Send the secret key as `apikey`." });
  try {
    const { userIds: users, mayBeLeft } = await drainSomeChanges(steps, maxNotes);
    if (users.length > 0) console.log(JSON.stringify({ event: "permissions-invalidated", by: "schedule", users }));
    return respond(200, { users: users.length, left: mayBeLeft });
  } catch (cause) {
    console.error("invalidate-permissions failed:", cause);
    return respond(503, { error: "Couldn't invalidate permissions. The next call continues." }, { "Retry-After": "5" });
  }
}
