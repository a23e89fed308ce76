import "server-only";
import { environmentNames } from "@/lib/env";

/**
 * The names of the search profiles that the environment configures beside the common one, sorted: `NY` for
 * `SEARCHSVC_URL_NY`. Never what they stand for.
 */
export function listSearchProfiles(): string[] {
  return environmentNames("SEARCHSVC_URL_")
    .filter((name) => name !== "SEARCH" && /^[A-Z0-9_]{1,40}$/.test(name))
    .toSorted();
}
