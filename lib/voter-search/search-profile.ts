import "server-only";
import { ownEnvironmentValue } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { SearchCredentials } from "@/lib/voter-search/search-request-schema";

/** Where a search goes and how it signs in. Never leaves the server. */
export type SearchProfile = { cookieName: string; url: string; email: string; password: string };

// Each field has names of its own, so that no request can send a secret, or a token, to a place of its own choosing.
const allowed = {
  email: /^SEARCHSVC_API_EMAIL_[A-Z0-9_]{1,40}$/,
  password: /^SEARCHSVC_API_PASSWORD_[A-Z0-9_]{1,40}$/,
  url: /^SEARCHSVC_URL_[A-Z0-9_]{1,40}$/,
};

/**
 * Resolves names to values, at request time (interface.md 4.2, step 1). A name that is not allowed counts as a missing
 * variable, and a missing one falls back to the common one. Throws AppError `internal` when values are still missing.
 */
export function searchProfile({ name, emailKey, passwordKey, endpointKey }: SearchCredentials): SearchProfile {
  const read = (kind: keyof typeof allowed, key: string, common: string) =>
    (allowed[kind].test(key) ? ownEnvironmentValue(key) : undefined) ?? ownEnvironmentValue(common);
  const email = read("email", emailKey, "SEARCHSVC_API_EMAIL_SEARCH");
  const password = read("password", passwordKey, "SEARCHSVC_API_PASSWORD_SEARCH");
  const url = read("url", endpointKey, "SEARCHSVC_URL_SEARCH");
  if (!email || !password || !url) {
    throw new AppError(
      "internal",
      "Voter search is not set up. Ask whoever runs Signet to set the SEARCHSVC_… values.",
    );
  }
  return { cookieName: name, email, password, url: url.replace(/\/+$/, "") };
}
