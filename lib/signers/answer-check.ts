import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { answer } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { getSession } from "@/lib/permissions/get-session";
import { permissionPlaces } from "@/lib/permissions/permission-places";

/**
 * Answers both duplicate routes (interface.md 4.4): guards, parses the body, and sends what `check` finds to a user who
 * reaches the campaign through any of her teams. For the others nothing is checked.
 */
export function answerCheck<Body extends { campaignId: string }>(
  request: Request,
  schema: z.ZodType<Body>,
  check: (body: Body) => Promise<Record<string, unknown>>,
): Promise<Response> {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const body = await parseJsonBody(request, schema);
    const teams = await permissionPlaces(session);
    if (!teams.some(({ campaigns }) => campaigns.some(({ id }) => id === body.campaignId))) {
      throw new AppError("forbidden", "This campaign is not open to you. Ask an administrator of its team for access.");
    }
    return Response.json(await check(body), { headers: { "Cache-Control": "no-store" } });
  });
}
