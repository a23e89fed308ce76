import { isSecretKey } from "./is-secret-key.ts";
import { respond } from "./respond.ts";

/**
 * Handles a scheduled call: POST with the secret key. Responds 401, 405, or with what `run` returns; 503 if it throws, and
 * the next call continues.
 */
export async function handleJob(
  request: Request,
  { name, secretKeys, failure }: { name: string; secretKeys: string[]; failure: string },
  run: () => Promise<Response>,
): Promise<Response> {
  if (request.method !== "POST") return respond(405, { error: "Use POST." }, { Allow: "POST" });
  if (!isSecretKey(request, secretKeys)) return respond(401, { error: "Send the secret key as `apikey`." });
  try {
    return await run();
  } catch (cause) {
    console.error(`${name} failed:`, cause);
    return respond(503, { error: `${failure} The next call continues.` }, { "Retry-After": "5" });
  }
}
