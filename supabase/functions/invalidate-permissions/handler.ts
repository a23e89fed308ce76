import { type DrainSteps, drainSomeChanges } from "../_shared/drain-permission-changes.ts";
import { handleJob } from "../_shared/handle-job.ts";
import { respond } from "../_shared/respond.ts";

const maxChanges = 5_000; // per call, for which Supabase allows 2 s of CPU

/**
 * POST /functions/v1/invalidate-permissions, with the secret key: processes up to 5,000 pending changes. Returns 200 `{ users,
 * left }`: how many users were affected, and whether more changes may be pending. Also 401, 405, and 503 if a step failed; the
 * next call then continues.
 */
export function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: DrainSteps }) {
  const job = { name: "invalidate-permissions", secretKeys, failure: "Couldn't invalidate permissions." };
  return handleJob(request, job, async () => {
    const { userIds: users, mayHaveMore } = await drainSomeChanges(steps, maxChanges);
    if (users.length > 0) console.log(JSON.stringify({ event: "permissions-invalidated", by: "schedule", users }));
    return respond(200, { users: users.length, left: mayHaveMore });
  });
}
