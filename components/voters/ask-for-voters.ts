import { searchParams, type VoterQuery } from "@/components/voters/voter-query";
import type { Voter } from "@/lib/voters/read-hit";
import type { SearchCredentials } from "@/lib/voters/search-request-schema";

/** Which route answers, and the names that it is given (contract 2.3). */
export type VoterSource = {
  path: "/api/essearch" | "/api/essearch-common";
  credentials?: SearchCredentials;
};

/** A page of voters. `unreadable` counts the hits without a voter id, which cannot be shown. */
export type VoterPage = { voters: Voter[]; unreadable: number; hitsCount: number; totalHits: number };

/** Why there is no page: a sentence to show, and after how many seconds it is worth to ask again. */
export type SearchFailure = { error: string; retryAfter: number | null };

const unreached: SearchFailure = {
  error: "The voter search could not be reached. Check your connection and try again.",
  retryAfter: null,
};
const longest = 30_000; // ms; the route itself gives up earlier, after a login, a call and a retry

/** Asks for one page. It never throws; an answer to an aborted question is a failure to be ignored. */
export async function askForVoters(
  source: VoterSource,
  query: VoterQuery,
  signal: AbortSignal,
): Promise<VoterPage | SearchFailure> {
  try {
    // In the body, not in the address: names of people would end up in logs and in the browser's history.
    const asking = fetch(source.path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ params: searchParams(query), credentials: source.credentials }),
      cache: "no-store",
      signal: AbortSignal.any([signal, AbortSignal.timeout(longest)]),
    });
    // What reads the hits brings a schema library along: it comes while the first answer is on its way, not before the page.
    const [response, { readHit }] = await Promise.all([asking, import("@/lib/voters/read-hit")]);
    const body: unknown = await response.json();
    return (response.ok ? readPage(body, readHit) : readFailure(body, response)) ?? unreached;
  } catch {
    return unreached;
  }
}

function readPage(body: unknown, readHit: (hit: unknown) => Voter | null): VoterPage | null {
  if (typeof body !== "object" || body === null) return null;
  if (!("persons" in body && Array.isArray(body.persons))) return null;
  if (!("totalHits" in body && typeof body.totalHits === "number")) return null;
  const voters = body.persons.map((hit: unknown) => readHit(hit)).filter((voter) => voter !== null);
  return {
    voters,
    unreadable: body.persons.length - voters.length,
    hitsCount: body.persons.length,
    totalHits: body.totalHits,
  };
}

function readFailure(body: unknown, { headers }: Response): SearchFailure | null {
  if (typeof body !== "object" || body === null) return null;
  if (!("error" in body && typeof body.error === "string")) return null;
  const seconds = Number(headers.get("Retry-After"));
  return { error: body.error, retryAfter: Number.isInteger(seconds) && seconds > 0 ? seconds : null };
}
