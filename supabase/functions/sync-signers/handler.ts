import { z } from "npm:zod@4.6.7";
import { handleJob } from "../_shared/handle-job.ts";
import { respond } from "../_shared/respond.ts";
import { shortId } from "../_shared/short-id.ts";
import { type SyncSteps, syncSigners } from "../_shared/sync-signers.ts";

const scopeSchema = z
  .strictObject(
    {
      campaignId: shortId("campaignId").optional(),
      requestNumber: z.int("requestNumber must be a number.").optional(),
      all: z.literal(true, "all must be true.").optional(),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys" ? `There is no field ${issue.keys[0]}.` : "Send a JSON object.",
    },
  )
  .refine(({ campaignId, all }) => campaignId === undefined || all === undefined, "Send campaignId or all.")
  .refine(
    ({ campaignId, requestNumber }) => campaignId !== undefined || requestNumber === undefined,
    "Send requestNumber with its campaignId.",
  );

/**
 * POST /functions/v1/sync-signers, with the secret key: brings the sets of signers in line with the table of lines. `{
 * campaignId }` rebuilds one set, `{ all: true }` all of them, `{}` or nothing those that may be incomplete. Then it applies
 * changes made outside of the application. One call does a limited part and returns 200 with what was done and what is left: `{
 * campaigns: [{ campaignId, read, added, dropped }], changes, left: { campaigns, changes }, requestNumber? }`. Calls with `{}`
 * continue it, or calls with `{ campaignId, requestNumber }` for that campaign only. Also 400, 401, 405, and 503 if a step
 * failed; the next call then continues.
 */
export function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: SyncSteps }) {
  const job = { name: "sync-signers", secretKeys, failure: "Couldn't sync all signers." };
  return handleJob(request, job, async () => {
    const body = readJson(await request.text());
    if (body === undefined) return respond(400, { error: "Send JSON." });
    const scope = scopeSchema.safeParse(body);
    if (!scope.success) return respond(400, { error: scope.error.issues[0]?.message });
    const result = await syncSigners(steps, scope.data);
    if (!result) return respond(400, { error: `There is no campaign ${scope.data.campaignId}.` });
    if (result.campaigns.length > 0) console.log(JSON.stringify({ event: "signers-synced", ...result }));
    return respond(200, result);
  });
}

function readJson(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
