import { type Answer, askSignet } from "@/lib/http/ask-signet";
import type { VoterPage } from "@/lib/voters/answers";
import type { SearchCredentials } from "@/lib/voters/search-request";
import { type ExtraParam, searchParams, type VoterQuery } from "@/lib/voters/voter-query";

/** Which route answers, the names that it is given (contract 2.3), and what can be asked beside the contract's params. */
export type VoterSource = {
  path: "/api/essearch" | "/api/essearch-common";
  credentials?: SearchCredentials;
  extras: readonly ExtraParam[];
};

/** Asks for one page: in the body, for in the address names of people would end up in logs and in the browser's history. */
export function askForVoters(
  { path, credentials }: VoterSource,
  query: VoterQuery,
  { signal, delayMs }: { signal: AbortSignal; delayMs?: number },
): Promise<Answer<VoterPage>> {
  return askSignet(path, {
    body: { params: searchParams(query), credentials },
    schema: async () => (await import("@/lib/voters/answers")).voterPage,
    signal,
    delayMs,
    unreached: "The voter search could not be reached. Check your connection and try again.",
  });
}
