import { createHash, timingSafeEqual } from "node:crypto";
import { bearerToken } from "./bearer-token.ts";

/** Whether the request carries one of the project's secret keys, as `apikey` or as a bearer token. */
export function isSecretKey(request: Request, secretKeys: string[]): boolean {
  const sentKey = request.headers.get("apikey") ?? bearerToken(request);
  if (!sentKey) return false; // the project could have an empty key
  return secretKeys.some((key) => timingSafeEqual(sha256(key), sha256(sentKey)));
}

function sha256(text: string) {
  return createHash("sha256").update(text).digest();
}
