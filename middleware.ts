import type { NextRequest } from "next/server";
import { publicEnv } from "@/lib/env";
import { contentSecurityPolicy } from "@/lib/http/content-security-policy";
import { foreignRequest, isHardReload, isReadablePath, isSameOrigin } from "@/lib/http/request-guards";
import { logEvent } from "@/lib/log-event";
import { refreshSession } from "@/lib/supabase/middleware";

// Refreshes the session, drops the cached snapshot when a person reloads the page, and sets what the page can load and run.
// It doesn't decide access: every page, action and route does. Malformed paths are refused here, because Next.js fails
// on them.
export async function middleware(request: NextRequest) {
  const policy = contentSecurityPolicy(crypto.randomUUID());
  const response = await respond(request, policy);
  response.headers.set("Content-Security-Policy", policy);
  if (publicEnv().siteUrl.startsWith("https:")) response.headers.set("Strict-Transport-Security", "max-age=31536000");
  return response;
}

async function respond(request: NextRequest, policy: string) {
  if (!isReadablePath(request.nextUrl.pathname)) {
    return refused(400, "This URL isn't valid. Check the characters after each % in it, or go to Signet's home page.");
  }
  if (isForm(request) && !isSameOrigin(request)) return refused(403, foreignRequest);
  const { response, hasSession, cookieHeader } = await refreshSession(request, {
    "content-security-policy": policy, // Next.js takes the nonce of its scripts from it
  });
  if (hasSession && isHardReload(request))
    await revalidatePermissions(cookieHeader, request.headers.get("x-request-id") ?? "");
  return response;
}

// What Next.js treats as a server action: sent with JavaScript (`next-action`), or without.
const isForm = ({ method, headers }: NextRequest) =>
  method === "POST" &&
  (headers.has("next-action") || headers.get("content-type")?.startsWith("multipart/form-data") === true);

const refused = (status: number, error: string) =>
  Response.json({ error }, { status, headers: { "Cache-Control": "no-store" } });

// To the configured origin: the Host header belongs to the client. A failure leaves the snapshot as it was.
async function revalidatePermissions(cookieHeader: string, requestId: string) {
  try {
    await fetch(`${publicEnv().siteUrl}/api/permissions/revalidate`, {
      method: "POST",
      headers: { cookie: cookieHeader, "x-request-id": requestId },
      redirect: "manual",
      signal: AbortSignal.timeout(2_000),
    });
  } catch {
    logEvent("reload-revalidation-failed", { request: requestId });
  }
}

export const config = {
  matcher: ["/((?!_next/static/|_next/image|favicon\\.ico$|icon\\.svg$).*)"],
};
