import "server-only";
import { cookies } from "next/headers";
import type { z } from "zod";
import { isProduction } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { answer } from "@/lib/http/answer";
import { parseJsonBody } from "@/lib/http/parse-json-body";
import { requireSameOrigin } from "@/lib/http/request-guards";
import { requireRate } from "@/lib/http/require-rate";
import { getSession } from "@/lib/permissions/get-session";
import { permissionPlaces } from "@/lib/permissions/permission-places";
import { backendTokenSchema } from "@/lib/voter-search/search-backend";
import { searchProfile } from "@/lib/voter-search/search-profile";
import type { SearchCredentials, SearchParams } from "@/lib/voter-search/search-request-schema";
import { searchVoters } from "@/lib/voter-search/search-voters";

/**
 * Answers both search routes (interface.md 4.2 and 4.3): guards, parses the body, searches and keeps the backend's token
 * in the cookie that the credentials name.
 */
export function answerSearch<Body extends { params: SearchParams }>(
  request: Request,
  schema: z.ZodType<Body>,
  credentialsOf: (body: Body) => SearchCredentials,
): Promise<Response> {
  return answer(async () => {
    requireSameOrigin(request);
    const session = await getSession();
    if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
    const teams = await permissionPlaces(session);
    const places = teams.flatMap((team) => [team, ...team.campaigns]);
    if (!places.some(({ permissionKeys }) => permissionKeys.includes("voters.search"))) {
      throw new AppError(
        "forbidden",
        'This needs "Search voters" (voters.search). Ask an administrator of your team for it.',
      );
    }
    await requireRate("search", session.userId);
    const body = await parseJsonBody(request, schema);
    const profile = searchProfile(credentialsOf(body));
    const store = await cookies();
    const found = await searchVoters(profile, body.params, {
      read: () => backendTokenSchema.safeParse(store.get(profile.cookieName)?.value).data,
      keep: (token) =>
        void store.set(profile.cookieName, token, {
          httpOnly: true,
          maxAge: 3600,
          secure: isProduction(),
          sameSite: "strict",
          path: "/",
        }),
      drop: () => void store.delete(profile.cookieName),
    });
    return Response.json(found, { headers: { "Cache-Control": "no-store" } });
  });
}
