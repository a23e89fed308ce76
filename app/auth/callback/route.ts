import type { NextRequest } from "next/server";
import { exchangeCode } from "@/lib/auth/exchange-code";
import { nextPath } from "@/lib/auth/next-path";

export const dynamic = "force-dynamic";

// GET /auth/callback: turn the code of an e-mailed link into a session, and go on to `next`.
export async function GET(request: NextRequest) {
  const { searchParams } = request.nextUrl;
  const next = nextPath(searchParams.get("next"));
  const code = searchParams.get("code");
  const outcome = code === null ? "link" : await exchangeCode(code);
  const failed = `/login?${new URLSearchParams({ problem: outcome, ...(next !== "/" && { next }) })}`;
  // The session cookies set on the way join this answer, so nobody may keep a copy of it.
  return new Response(null, {
    status: 307,
    headers: { Location: outcome === "signed-in" ? next : failed, "Cache-Control": "private, no-store" },
  });
}
