import { isSecretKey } from "../_shared/is-secret-key.ts";
import { RunLost } from "../_shared/rebuild-signers.ts";
import { respond } from "../_shared/respond.ts";
import { type SyncScope, type SyncSteps, syncSigners } from "../_shared/sync-signers.ts";

/**
 * POST /functions/v1/sync-signers, with the secret key: brings the sets of signers in line with the table of lines.
 * `{ campaignId }` builds one anew, `{ all: true }` each; `{}` or nothing those that are not known to be complete. Then
 * what changed outside of the application is carried out. 200 `{ campaigns: [{ campaignId, read, added, dropped }], notes }`;
 * 400, 401, 405; 503 when a step failed: the old sets stay, and what is left is done by the next call.
 */
export async function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: SyncSteps }) {
  if (request.method !== "POST") return respond(405, { error: "Use POST." }, { Allow: "POST" });
  if (!(await isSecretKey(request, secretKeys))) return respond(401, { error: "Send the secret key as `apikey`." });
  const scope = readScope(await request.text());
  if (typeof scope === "string") return respond(400, { error: scope });
  try {
    const result = await syncSigners(steps, scope);
    if (!result) return respond(400, { error: `There is no campaign ${scope.campaignId}.` });
    if (result.campaigns.length > 0) console.log(JSON.stringify({ event: "signers-synced", ...result }));
    return respond(200, result);
  } catch (cause) {
    console.error("sync-signers failed:", cause);
    const error =
      cause instanceof RunLost
        ? "Another run is building this set. Try again in a minute."
        : "The signers could not be synchronised now. What is left is done by the next call.";
    return respond(503, { error }, { "Retry-After": "5" });
  }
}

// What is asked for, or what is wrong with it.
function readScope(text: string): SyncScope | string {
  let body: unknown;
  try {
    body = text === "" ? {} : JSON.parse(text);
  } catch {
    return "Send JSON.";
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "Send a JSON object.";
  const { campaignId, all, ...rest }: Record<string, unknown> = { ...body };
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `There is no field ${unknown}.`;
  if (all !== undefined && all !== true) return "all must be true.";
  if (campaignId === undefined) return all === true ? { all } : {};
  if (all === true) return "Send campaignId or all.";
  if (typeof campaignId !== "string" || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(campaignId)) {
    return "campaignId must be 1 to 63 letters, digits, - or _, and begin with a letter or a digit.";
  }
  return { campaignId };
}
