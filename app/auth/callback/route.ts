import { z } from "zod";
import { recordSignIn } from "@/lib/activity/sign-ins";
import { exchangeCode } from "@/lib/auth/links";
import { nextPath } from "@/lib/auth/next-path";
import { route } from "@/lib/http/route";

// GET /auth/callback: turn the code of an emailed link into a session, and go to `next`.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "GET",
  guard: "everyone",
  fromAnySite: true,
  params: z.object({ code: z.string().optional(), next: z.string().optional() }),
  run: async ({ params: { code, next: requested } }) => {
    const next = nextPath(requested);
    const outcome = code === undefined ? "link" : await exchangeCode(code);
    if (outcome === "signed-in") await recordSignIn();
    const failed = `/login?${new URLSearchParams({ problem: outcome, ...(next !== "/" && { next }) })}`;
    // The response carries the new session cookies, so no cache may store it.
    const headers = { Location: outcome === "signed-in" ? next : failed, "Cache-Control": "private, no-store" };
    return new Response(null, { status: 307, headers });
  },
});
