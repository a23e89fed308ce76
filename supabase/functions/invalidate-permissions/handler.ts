import { type DrainSteps, drainSomeChanges } from "../_shared/drain-permission-changes.ts";
import { isSecretKey } from "../_shared/is-secret-key.ts";
import { respond } from "../_shared/respond.ts";

const mostNotes = 5_000; // of one call, which Supabase gives 2 s of CPU

/**
 * POST /functions/v1/invalidate-permissions, with the secret key: carries out what changed outside of the application, at
 * most 5 000 notes. 200 `{ users, left }`: how many users it was about, and whether the next call may have more to do; 401,
 * 405; 503 when a step failed: the notes that are left wait for the next call.
 */
export async function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: DrainSteps }) {
  if (request.method !== "POST") return respond(405, { error: "Use POST." }, { Allow: "POST" });
  if (!(await isSecretKey(request, secretKeys))) return respond(401, { error: "Send the secret key as `apikey`." });
  try {
    const { userIds: users, mayBeLeft } = await drainSomeChanges(steps, mostNotes);
    if (users.length > 0) console.log(JSON.stringify({ event: "permissions-invalidated", by: "schedule", users }));
    return respond(200, { users: users.length, left: mayBeLeft });
  } catch (cause) {
    console.error("invalidate-permissions failed:", cause);
    return respond(
      503,
      { error: "Permissions could not be invalidated now. What is left is done by the next call." },
      { "Retry-After": "5" },
    );
  }
}
