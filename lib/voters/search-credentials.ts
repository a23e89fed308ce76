import type { SearchCredentials } from "@/lib/voters/search-request-schema";

/** The names of a campaign's search profile (`NY`), or the common ones where it has none. */
export function searchCredentials(profile: string | null): SearchCredentials {
  const ending = profile ?? "SEARCH";
  return {
    name: `searchsvc_token_${ending.toLowerCase()}`,
    emailKey: `SEARCHSVC_API_EMAIL_${ending}`,
    endpointKey: `SEARCHSVC_URL_${ending}`,
    passwordKey: `SEARCHSVC_API_PASSWORD_${ending}`,
  };
}
