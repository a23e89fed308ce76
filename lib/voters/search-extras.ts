import "server-only";
import { ownEnvironmentValue } from "@/lib/env";
import { logFailure } from "@/lib/log-event";
import { processWide } from "@/lib/process-wide";
import { searchCredentials } from "@/lib/voters/search-credentials";
import { type ExtraParam, extraParams } from "@/lib/voters/voter-query";

const toldOf = processWide("unknown-search-fields", () => new Set<string>());

/**
 * The params that a profile's backend takes beside those of contract 2.3, as `SEARCHSVC_FIELDS_<PROFILE>` names them. The
 * setting goes with the address: a profile with one of its own has its own setting alone, for that is another backend; one
 * without has the common address, and what is taken there. A name that is unknown is logged and left out.
 */
export function searchExtras(profile: string | null): ExtraParam[] {
  const ending = profile !== null && ownEnvironmentValue(searchCredentials(profile).endpointKey) ? profile : "SEARCH";
  const setting = `SEARCHSVC_FIELDS_${ending}`;
  const names = (ownEnvironmentValue(setting) ?? "").split(",").map((name) => name.trim());
  const unknown = names.filter((name) => name !== "" && !extraParams.some((extra) => extra === name));
  if (unknown.length > 0 && !toldOf.has(`${setting}=${names}`)) {
    toldOf.add(`${setting}=${names}`);
    logFailure(`${setting} names what no search takes: ${unknown.join(", ")}. Known: ${extraParams.join(", ")}.`);
  }
  return extraParams.filter((extra) => names.includes(extra));
}
