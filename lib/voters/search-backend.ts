import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { parseKeepingDigits } from "@/lib/voters/parse-keeping-digits";
import type { SearchProfile } from "@/lib/voters/search-profile";
import type { SearchParams } from "@/lib/voters/search-request-schema";

const loginTimeout = 10_000; // ms
const largest = 5 * 1024 * 1024; // bytes of an answer
const lifetime = 3_600_000; // ms of a token, where the backend tells none (contract 8)
const spare = 15_000; // ms before a token expires in which it is given to no search any more

/** A token of the backend: what a header can carry. */
export const backendTokenSchema = z.string().regex(/^[\x21-\x7E]{1,4000}$/);
const loginSchema = z.object({
  data: z.object({ access_token: backendTokenSchema, expires: z.number().optional().catch(undefined) }),
});

const total = z.union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)]);
const answerSchema = z.union([
  z
    .object({ hits: z.object({ hits: z.array(z.unknown()), total: total.optional() }), total: total.optional() })
    .transform(({ hits, total }) => ({ persons: hits.hits, totalHits: hits.total ?? total })),
  z
    .object({ hits: z.array(z.unknown()), total: total.optional() })
    .transform(({ hits, total }) => ({ persons: hits, totalHits: total })),
]);

const nonsense = (cause?: string) =>
  new AppError("bad-gateway", "The voter search answered nothing that can be read. Try again in a moment.", { cause });

// For the log, in a word: the whole error can quote the backend's address, a token, or voters.
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.name : kindOf(error.cause);
}

/** Asks the backend for hits with a token (contract 4.2, steps 4 and 6). Throws AppError `bad-gateway`,
 * with the backend's status where it answered one, or `gateway-timeout`. */
export async function askBackend(profile: SearchProfile, token: string, params: SearchParams, signal: AbortSignal) {
  const body = await post(`${profile.url}/essearch/validation`, params, signal, { Authorization: `Bearer ${token}` });
  const answer = answerSchema.safeParse(body);
  if (!answer.success || answer.data.totalHits === undefined) throw nonsense();
  return { persons: answer.data.persons, hitsCount: answer.data.persons.length, totalHits: answer.data.totalHits };
}

const logins = processWide("search-logins", () => new Map<string, Promise<string>>());
const tokens = processWide("search-tokens", () => new Map<string, { token: string; until: number }>());

// By what decides whose token it is: any cookie may hold it.
const keyOf = ({ url, email, password }: SearchProfile) => JSON.stringify([url, email, password]);

/**
 * A token of the backend: the one that this process keeps, else of a new login in JSON mode (contract 4.2, step 3).
 * All who search with one profile share both, until shortly before the token expires.
 */
export async function logInToBackend(profile: SearchProfile): Promise<string> {
  const key = keyOf(profile);
  const kept = tokens.get(key);
  if (kept && Date.now() < kept.until) return kept.token;
  const login = logins.get(key) ?? logIn(profile, key).finally(() => logins.delete(key));
  logins.set(key, login);
  return login;
}

/** Keeps a token no longer that the backend has refused. Another one, which may be newer, stays. */
export function forgetToken(profile: SearchProfile, token: string): void {
  const key = keyOf(profile);
  if (tokens.get(key)?.token === token) tokens.delete(key);
}

async function logIn({ url, email, password }: SearchProfile, key: string) {
  const answer = loginSchema.safeParse(
    await post(`${url}/auth/login`, { email, password, mode: "json" }, AbortSignal.timeout(loginTimeout)),
  );
  if (!answer.success) throw nonsense();
  const { access_token: token, expires = lifetime } = answer.data.data;
  tokens.set(key, { token, until: Date.now() + expires - spare });
  return token;
}

async function post(url: string, body: unknown, signal: AbortSignal, headers: Record<string, string> = {}) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual", // a token must not follow to another place
      cache: "no-store",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new AppError(
        "bad-gateway",
        `The voter search answered an error (${response.status}). Try again in a moment.`,
        {
          backendStatus: response.status,
        },
      );
    }
    return parseKeepingDigits(await readBounded(response));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (signal.aborted) throw new AppError("gateway-timeout", "The voter search took too long. Try again.");
    throw nonsense(kindOf(cause));
  }
}

async function readBounded(response: Response) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largest) throw nonsense(); // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
