import "server-only";
import { cookies } from "next/headers";
import { isProduction } from "@/lib/env";
import type { Session } from "@/lib/permissions/get-session";
import { backendTokenSchema } from "@/lib/voter-search/search-backend";
import { searchProfile } from "@/lib/voter-search/search-profile";
import type { SearchCredentials, SearchParams } from "@/lib/voter-search/search-request-schema";
import { searchVoters } from "@/lib/voter-search/search-voters";

/**
 * What both search routes answer (interface.md 4.2 and 4.3): searches, and keeps the backend's token in the cookie that the
 * credentials name. Guard `voters.search` first.
 */
export async function answerSearch(
  { userId }: Session,
  { params, credentials }: { params: SearchParams; credentials: SearchCredentials },
) {
  const profile = await searchProfile(userId, credentials);
  const store = await cookies();
  return searchVoters(profile, params, {
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
