import { useCallback, useState } from "react";
import { useQuery } from "@/components/shell/use-query";
import { useSearchRetry } from "@/components/voters/use-search-retry";
import { equalIgnoringCase } from "@/lib/format/text";
import { type ApiResult, callApi, unwrapBody } from "@/lib/http/call-api";
import type { Voter } from "@/lib/voters/read-hit";
import type { Reading } from "@/lib/voters/read-names";
import type { VoterPage } from "@/lib/voters/responses";
import type { SearchCredentials } from "@/lib/voters/search-request";
import {
  type ExtraParam,
  emptyFields,
  filledFields,
  pageSize,
  type SearchFields,
  searchParams,
  type VoterQuery,
} from "@/lib/voters/voter-query";
import { firstPage, wantsNearMatches } from "@/lib/voters/voter-text";

const retryDelayMs = 300;
const typingDelayMs = 40; // less than the fastest typist takes between two letters
export const thinkingDelayMs = 250; // without a keystroke before less likely readings are tried
const readingsAtOnce = 6; // browsers send no more
const readingsTimeoutMs = 4_000; // then near matches, or that there is no one, are shown

/** The route, the names of contract 2.3, and the params that its backend accepts beyond the contract's. */
export type VoterSource = {
  path: "/api/essearch" | "/api/essearch-common";
  credentials?: SearchCredentials;
  extraParams: readonly ExtraParam[];
};

/** Less likely readings of the same text, the likeliest first, read once the first finds no one. */
type OtherReadings = () => readonly SearchFields[] | Promise<readonly SearchFields[]>;

/** Readings with cities that are spelled similarly, read once all others find no one. */
type Respelled = (signal: AbortSignal) => Promise<readonly SearchFields[]>;

type Readings = { others: OtherReadings; respelled?: Respelled | undefined };
type SearchRequest = Readings & { id: number; query: VoterQuery; delayMs: number };

/** A search's answer; if it found no one, with the other readings, and whether there was no time to try them all. */
export type Found = {
  id: number;
  query: VoterQuery;
  response: ApiResult<VoterPage>;
  others?: readonly SearchFields[];
  isPartial?: boolean;
};

let lastId = 0;

/**
 * The search while someone types. `ask` sends a query, after a pause when it was typed, and aborts the previous one. `others`
 * are tried for four seconds if it finds no one. A failed search is repeated, also by `again`; `onBack` runs when one works
 * again. While `isSearching`, `found` belongs to an earlier query. After that `query`
 * has the fields that found someone.
 */
export function useVoterSearch(source: VoterSource, { onBack }: { onBack?: () => void } = {}) {
  const [request, setRequest] = useState<SearchRequest>({
    id: 0,
    query: firstPage(emptyFields),
    others: () => [],
    delayMs: 0,
  });
  const isEmpty = filledFields(request.query.fields).length === 0;
  const { data: found = null } = useQuery<Found | null>({
    queryKey: ["voters", request.id],
    queryFn: ({ signal }) => findFirst(source, request, signal),
    initialData: isEmpty ? null : undefined, // so that a cleared search doesn't come back with the next letter
    placeholderData: (before) => before,
    staleTime: "static",
  });

  const ask = useCallback(
    (
      query: VoterQuery,
      { typed = false, others = () => [], respelled }: Partial<Readings> & { typed?: boolean } = {},
    ) => {
      lastId += 1;
      setRequest({ id: lastId, query, others, respelled, delayMs: typed ? typingDelayMs : 0 });
    },
    [],
  );

  const again = () => ask(request.query, request);
  const page = found && "body" in found.response ? found.response.body : null;
  const failure = found && "error" in found.response ? found.response : null;
  useSearchRetry({ failure, isFound: page !== null, search: again, onBack });

  const isAnswered = found?.id === request.id;
  return {
    /** Different for each query, even a repeated one. */
    requestId: request.id,
    query: isAnswered ? found.query : request.query,
    ask,
    again,
    found,
    page,
    failure,
    isSearching: !isEmpty && !isAnswered,
  };
}

// If no reading finds anyone, the first result counts.
async function findFirst(source: VoterSource, request: SearchRequest, signal: AbortSignal): Promise<Found> {
  const { id, query, others, respelled, delayMs } = request;
  const end = new AbortController();
  const ask = async (query: VoterQuery, delayMs: number): Promise<Found> => ({
    id,
    query,
    response: await fetchVoters(source, query, { signal: AbortSignal.any([signal, end.signal]), delayMs }),
  });
  const first = await ask(query, delayMs);
  if (!isNoOne(first)) return first;
  const readings = await others();
  setTimeout(() => end.abort(), readingsTimeoutMs);
  const findAny = async (readings: readonly SearchFields[]): Promise<Found | undefined> => {
    for (let from = 0, to = 1; from < readings.length && !end.signal.aborted; from = to, to += readingsAtOnce) {
      const pauseMs = from === 1 && delayMs > 0 ? thinkingDelayMs : 0;
      const answers = await Promise.all(readings.slice(from, to).map((fields) => ask({ ...query, fields }, pauseMs)));
      const found = answers.find((one) => "body" in one.response && !isNoOne(one));
      if (found) return found;
      const failed = answers.find(({ response }) => "error" in response);
      if (failed && !end.signal.aborted) return { ...failed, query }; // the others weren't tried
    }
    return undefined;
  };
  const found = (await findAny(readings)) ?? (await findAny((await respelled?.(end.signal)) ?? []));
  return found ?? { ...first, others: readings, isPartial: end.signal.aborted };
}

/** Whether a search found no one. */
export const isNoOne = ({ response }: Found) => "body" in response && response.body.totalHits === 0;

const manyNearMatches = 3; // of the likelier reading are enough
const none: readonly Voter[] = [];
const noReadings: readonly Reading[] = [];

/**
 * Near matches, asked for when a search found few, after a pause of `delayMs`, and the fields they are near to. Nothing is asked
 * while `moved`: the typed text has changed. `voters` is the same array for the same response, and empty after a failure.
 */
export function useNearMatches(source: VoterSource, found: Found | null, moved: boolean, delayMs = 0) {
  const exact = found && "body" in found.response ? found.response.body : null;
  const readings = found && exact ? nearReadings(source, found, exact) : [];
  const isWanted = readings.length > 0;
  const { data, isPending } = useQuery({
    queryKey: ["near matches", found?.id, found?.query.fields],
    queryFn: async ({ signal }) => {
      const asked = readings.map(async (query) => {
        const page = await unwrapBody(fetchVoters(source, query, { signal, delayMs }));
        const isSameCity = query.fields.city === found?.query.fields.city;
        const voters = page.voters.filter(
          ({ voterId, match = "similar" }) =>
            !exact?.voters.some((voter) => voter.voterId === voterId) && (isSameCity || !match.startsWith("another ")),
        );
        return { voters, fields: query.fields, count: Math.min(voters.length, manyNearMatches) };
      });
      const [own, ...others] = await Promise.all(asked);
      return own && own.count > 0 ? own : (others.toSorted((a, b) => b.count - a.count)[0] ?? null);
    },
    enabled: isWanted,
    subscribed: !moved, // otherwise the request is aborted
    gcTime: 60_000, // what is shown stays until then
    staleTime: "static",
  });
  return {
    voters: (isWanted && data?.voters) || none,
    fields: (isWanted && data?.fields) || (found?.query.fields ?? emptyFields),
    isSearching: isWanted && isPending && !moved,
  };
}

// If no one was found, the names may be in the other order (`smtih john`), one was read as a street (`912 smtih`), or the last
// word is a city (`smyth kent`, `smyth kent ada`).
function nearReadings({ extraParams }: VoterSource, { query, others = [] }: Found, exact: VoterPage) {
  const { lastName, zip, city } = query.fields;
  const renamed = others.filter(
    (other) =>
      other.lastName && (!lastName || (other.firstName && other.lastName !== lastName && (!zip || other.zip === zip))),
  );
  const inCity = others
    .filter((other) => other.lastName && other.city && other.city !== city)
    .filter((other, at, all) => all.findIndex((one) => one.city === other.city) === at)
    .slice(0, 3);
  return [...new Set([query.fields, ...renamed.slice(0, 2), ...inCity])]
    .map((fields) => ({ ...query, fields, similar: true as const }))
    .filter((one) => wantsNearMatches(extraParams, one, exact));
}

const maxOtherReadings = 10; // each is a search

/**
 * Those of `others` that find someone else too, asked for after a pause when a search found someone; none otherwise, because
 * then all have been tried. Nothing is asked while `moved`.
 */
export function useOtherReadings(
  source: VoterSource,
  found: Found | null,
  others: readonly { reading: Reading; fields: SearchFields }[],
  moved: boolean,
) {
  const page = found && "body" in found.response ? found.response.body : null;
  // A street called like the first name of someone who was found isn't meant.
  const { firstName } = found?.query.fields ?? emptyFields;
  const meant = others.filter(({ fields }) => !firstName || !fields.street || fields.firstName || fields.lastName);
  const isWanted = page !== null && page.totalHits > 0 && meant.length > 0;
  const { data } = useQuery({
    queryKey: ["other readings", found?.id],
    queryFn: async ({ signal }) => {
      const resultOf = ({ voters, totalHits }: VoterPage) => `${totalHits} ${voters[0]?.voterId}`;
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(readingsTimeoutMs)]); // a slow one doesn't hold back others
      const options = { signal: inTime, delayMs: thinkingDelayMs, size: 1 };
      const asked = meant.slice(0, maxOtherReadings).map(async ({ reading, fields }) => {
        const response = await fetchVoters(source, firstPage(fields), options);
        return "body" in response && response.body.totalHits > 0 ? [{ reading, result: resultOf(response.body) }] : [];
      });
      const results = (await Promise.all(asked)).flat();
      return results
        .filter(({ result }, at) => results.findIndex((one) => one.result === result) === at)
        .filter(({ result }) => page && result !== resultOf(page))
        .map(({ reading }) => reading);
    },
    enabled: isWanted,
    subscribed: !moved, // otherwise the requests are aborted
    staleTime: "static",
  });
  return (isWanted && !moved && data) || noReadings;
}

const idTimeoutMs = 5_000; // a correction waits for it
const maxHousehold = 100; // of the address, before those in other units are left out

/** The others at the voter's house number, street and unit; none if the voter's address isn't known. */
export function useHousehold(source: VoterSource, voter: Voter) {
  const { houseNumber = "", street = "", zip = "", city = "" } = voter;
  const isComplete = houseNumber !== "" && street !== "";
  const { data, isPending, isError, isFetching, refetch } = useQuery({
    queryKey: ["household", voter.voterId],
    queryFn: ({ signal }) => {
      const fields = { ...emptyFields, houseNumber, street, city, zip: zip.slice(0, 5) };
      return unwrapBody(fetchVoters(source, firstPage(fields), { signal, size: maxHousehold }));
    },
    enabled: isComplete,
  });
  const isSame = (field: "houseNumber" | "street" | "unit", other: Voter) =>
    equalIgnoringCase(voter[field] ?? "", other[field] ?? "");
  const others = (data?.voters ?? none).filter(
    (other) =>
      other.voterId !== voter.voterId &&
      isSame("houseNumber", other) &&
      isSame("street", other) &&
      isSame("unit", other),
  );
  return {
    others,
    isPending: isComplete && (isPending || isFetching),
    isError: isError && !isFetching,
    isPartial: (data?.totalHits ?? 0) > maxHousehold,
    again: () => void refetch(),
  };
}

/** The voter with exactly this ID: null if the voter file has none, undefined if the search can't say. */
export async function findVoterById(
  source: VoterSource,
  voterId: string,
  signal = AbortSignal.timeout(idTimeoutMs),
): Promise<Voter | null | undefined> {
  if (!source.extraParams.includes("voterId")) return undefined;
  const response = await fetchVoters(source, firstPage({ ...emptyFields, voterId }), { signal });
  if (!("body" in response)) return undefined;
  return response.body.voters.find((voter) => voter.voterId === voterId) ?? null;
}

/** Asks for one page, twice if the server fails. With POST: names in the address would get into logs and the history. */
export async function fetchVoters(
  { path, credentials }: VoterSource,
  query: VoterQuery,
  { signal, delayMs = 0, size = pageSize }: { signal: AbortSignal; delayMs?: number; size?: number },
): Promise<ApiResult<VoterPage>> {
  const options = {
    body: { params: { ...searchParams(query), querySize: size }, credentials },
    schema: async () => (await import("@/lib/voters/responses")).voterPage,
    signal,
    unreachableMessage: "Couldn't search voters. Check your connection and try again.",
  };
  const first = await callApi(path, { ...options, delayMs });
  // A busy database can take too long once; the second search reads from memory.
  return "error" in first && (first.status === 502 || first.status === 503)
    ? callApi(path, { ...options, delayMs: retryDelayMs })
    : first;
}
