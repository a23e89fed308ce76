import "server-only";
import { cookies } from "next/headers";
import type { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { isProduction } from "@/lib/env";
import type { searchAnswer } from "@/lib/voters/answers";
import { backendTokenSchema } from "@/lib/voters/search-backend";
import { searchProfile } from "@/lib/voters/search-profile";
import type { SearchCredentials, SearchParams } from "@/lib/voters/search-request-schema";
import { searchVoters } from "@/lib/voters/search-voters";

/**
 * What both search routes answer (contract 4.2 and 4.3): searches, and keeps the backend's token in the cookie that the
 * credentials name, and nowhere else. Guard `voters.search` first: it alone decides whether a token is of any use here.
 */
export async function answerSearch(
  { userId }: Session,
  { params, credentials }: { params: SearchParams; credentials: SearchCredentials },
): Promise<z.input<typeof searchAnswer>> {
  const profile = await searchProfile(userId, credentials);
  const store = await cookies();
  return searchVoters(userId, profile, params, {
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
}
