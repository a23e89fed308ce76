import "server-only";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The refusal of a request that another site caused. */
export const foreignRequest = "This request came from another site. Open Signet and try again.";

/** Refuses a request of another site. Throws AppError `forbidden`. */
export function requireSameOrigin(request: Request): void {
  if (!isSameOrigin(request)) throw new AppError("forbidden", foreignRequest);
}

/**
 * False for a request that a browser sends from another site: `Sec-Fetch-Site` decides when present, otherwise `Origin`. A
 * client that sends neither isn't a browser.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (site !== null) return ["same-origin", "none"].includes(site);
  return origin === null || isOwnOrigin(origin, request);
}

/** Whether a percent-encoded path is UTF-8 without U+0000. Nothing has any other path. */
export function isReadablePath(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

function isOwnOrigin(origin: string, request: Request) {
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).host;
  return host === request.headers.get("host") || host === new URL(publicEnv().siteUrl).host;
}

/**
 * True when a person reloaded the page in the browser. RSC headers are removed before middleware sees them, so the
 * navigation's destination and the cache header decide; GET only, because a form's POST has `max-age=0` too.
 */
export function isHardReload(request: { method: string; headers: Headers }) {
  if (request.method !== "GET" || request.headers.get("sec-fetch-dest") !== "document") return false;
  return /(^|,)\s*(max-age=0|no-cache)\s*(,|$)/i.test(request.headers.get("cache-control") ?? "");
}
