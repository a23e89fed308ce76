import "server-only";
import { ownEnvironmentValue } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { profilePattern } from "@/lib/patterns";
import { processWide } from "@/lib/process-wide";
import { notSetUp, profileForbidden } from "@/lib/voters/messages";
import type { SearchCredentials } from "@/lib/voters/search-request";
import { searchesWithProfile } from "@/lib/voters/searches-with-profile";
import { type ExtraParam, extraParams } from "@/lib/voters/voter-query";

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

/** Where a campaign's voters are searched, with its search profile. */
export const searchSource = (profile: string | null) =>
  ({ path: "/api/essearch", credentials: searchCredentials(profile), extraParams: searchExtras(profile) }) as const;

const logged = processWide("unknown-search-fields", () => new Set<string>());

/**
 * The params that a profile's backend accepts in addition to contract 2.3, from `SEARCHSVC_FIELDS_<PROFILE>`. A profile
 * with its own address only uses its own setting, because it is another backend; a profile without one uses the common
 * address and the common setting. Unknown names are logged and ignored.
 */
export function searchExtras(profile: string | null): ExtraParam[] {
  const ending = profile !== null && ownEnvironmentValue(searchCredentials(profile).endpointKey) ? profile : "SEARCH";
  const setting = `SEARCHSVC_FIELDS_${ending}`;
  const names = (ownEnvironmentValue(setting) ?? "").split(",").map((name) => name.trim());
  const unknown = names.filter((name) => name !== "" && !extraParams.some((extra) => extra === name));
  if (unknown.length > 0 && !logged.has(`${setting}=${names}`)) {
    logged.add(`${setting}=${names}`);
    logFailure(`${setting} has unknown params: ${unknown.join(", ")}. Known: ${extraParams.join(", ")}.`);
  }
  return extraParams.filter((extra) => names.includes(extra));
}

/** A search's address, login, and extra params beyond the contract. Never leaves the server. */
export type SearchProfile = {
  cookieName: string;
  url: string;
  email: string;
  password: string;
  extraParams: readonly ExtraParam[];
};

const common = "SEARCH";
const fields = ["emailKey", "passwordKey", "endpointKey"] as const;
type Field = (typeof fields)[number];

/**
 * Resolves names to values at request time (contract 4.2, step 1), so that a backend only gets its own credentials and
 * tokens. Throws AppError: `invalid` for names that don't belong together, `forbidden` for a profile of
 * campaigns in which the user can't search, `internal` if values are missing.
 */
export async function searchProfile(userId: string, credentials: SearchCredentials): Promise<SearchProfile> {
  const ending = profileEnding(credentials);
  requireMatchingCookie(ending, credentials.name);
  if (ending !== common && !(await searchesWithProfile(userId, ending))) {
    throw new AppError(...profileForbidden);
  }
  const [email, password, url] = fields.map((field) => read(field, ending) ?? read(field, common));
  if (!email || !password || !url) {
    throw new AppError(...notSetUp);
  }
  return {
    cookieName: credentials.name,
    email,
    password,
    url: url.replace(/\/+$/, ""),
    extraParams: searchExtras(ending),
  };
}

const read = (field: Field, ending: string) => ownEnvironmentValue(searchCredentials(ending)[field]);
const isSet = (ending: string) => fields.some((field) => read(field, ending) !== undefined);

// The ending that all three names share; the common one if none of them is set.
function profileEnding(credentials: SearchCredentials): string {
  const named = fields.map((field) => {
    const ending = readEnding(field, credentials[field]);
    return { field, ending, hasValue: ending !== undefined && read(field, ending) !== undefined };
  });
  const set = named.find(({ hasValue }) => hasValue);
  if (set?.ending === undefined) return common;
  const other = named.find(({ ending, hasValue }) => ending !== set.ending && (hasValue || set.ending !== common));
  if (other) throw new AppError("invalid", `credentials.${other.field} must end as credentials.${set.field} does.`);
  return set.ending;
}

// Each field only accepts its own prefix, so that no request can send a secret to an address it chooses.
function readEnding(field: Field, name: string) {
  const prefix = searchCredentials("")[field];
  const ending = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return profilePattern.test(ending) ? ending : undefined;
}

// A cookie has the token of one backend, which no other may see.
function requireMatchingCookie(ending: string, name: string) {
  const own = searchCredentials(ending).name;
  if (name === own) return;
  if (ending !== common) throw new AppError("invalid", `credentials.name must be ${own}.`);
  const other = name.slice(searchCredentials("").name.length).toUpperCase();
  if (isSet(other)) throw new AppError("invalid", "credentials.name must not be that of another search profile.");
}
