import "server-only";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";

/**
 * Refuses a request that a browser sends from another site: `Sec-Fetch-Site` decides when present, else `Origin`. A
 * client that sends neither is no browser, and passes. Throws AppError `forbidden`.
 */
export function requireSameOrigin(request: Request) {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const allowed =
    site === null ? origin === null || isOwnOrigin(origin, request) : ["same-origin", "none"].includes(site);
  if (!allowed)
    throw new AppError("forbidden", "This request came from another site. Open Signet itself and try again.");
}

function isOwnOrigin(origin: string, request: Request) {
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).host;
  return host === request.headers.get("host") || host === new URL(publicEnv().siteUrl).host;
}
