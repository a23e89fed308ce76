import { z } from "npm:zod@4.6.7";
import { isSecretKey } from "../_shared/is-secret-key.ts";
import { respond } from "../_shared/respond.ts";
import { type SyncSteps, syncSigners } from "../_shared/sync-signers.ts";

const wrongId = "campaignId must be 1 to 63 letters, digits, - or _, and begin with a letter or a digit.";
const scopeSchema = z
  .strictObject(
    {
      campaignId: z
        .string(wrongId)
        .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/, wrongId)
        .optional(),
      asked: z.int("asked must be a number.").optional(),
      all: z.literal(true, "all must be true.").optional(),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys" ? `There is no field ${issue.keys[0]}.` : "Send a JSON object.",
    },
  )
  .refine(({ campaignId, all }) => campaignId === undefined || all === undefined, "Send campaignId or all.")
  .refine(
    ({ campaignId, asked }) => campaignId !== undefined || asked === undefined,
    "Send asked with its campaignId.",
  );

/**
 * POST /functions/v1/sync-signers, with the secret key: brings the sets of signers in line with the table of lines.
 * `{ campaignId }` has one built anew, `{ all: true }` each; `{}` or nothing those that are not known to be complete. Then
 * what changed outside of the application is carried out. One call does a bounded part: 200
 * `{ campaigns: [{ campaignId, read, added, dropped }], notes, left: { campaigns, notes }, asked? }` tells what it has done
 * and what is left, which calls with nothing go on with, or `{ campaignId, asked }` with that campaign alone; 400, 401, 405;
 * 503 when a step failed: what is left is done by the next call.
 */
export async function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: SyncSteps }) {
  if (request.method !== "POST") return respond(405, { error: "Use POST." }, { Allow: "POST" });
  if (!(await isSecretKey(request, secretKeys))) return respond(401, { error: "Send the secret key as `apikey`." });
  const body = readJson(await request.text());
  if (body === undefined) return respond(400, { error: "Send JSON." });
  const scope = scopeSchema.safeParse(body);
  if (!scope.success) return respond(400, { error: scope.error.issues[0]?.message });
  try {
    const result = await syncSigners(steps, scope.data);
    if (!result) return respond(400, { error: `There is no campaign ${scope.data.campaignId}.` });
    if (result.campaigns.length > 0) console.log(JSON.stringify({ event: "signers-synced", ...result }));
    return respond(200, result);
  } catch (cause) {
    console.error("sync-signers failed:", cause);
    const error = "The signers could not be synchronised now. What is left is done by the next call.";
    return respond(503, { error }, { "Retry-After": "5" });
  }
}

function readJson(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
