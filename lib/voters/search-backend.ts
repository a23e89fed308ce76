import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { enforceRateLimit } from "@/lib/http/enforce-rate-limit";
import { readBounded } from "@/lib/http/parse-json-body";
import { failedWith, invalidResponse, searchTookTooLong } from "@/lib/voters/messages";
import type { SearchProfile } from "@/lib/voters/search-profile";
import type { SearchParams } from "@/lib/voters/search-request";

// TypeScript doesn't have these types yet; every supported Node has the functions.
declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Parses JSON with all digits of large numbers: an id rounded to 53 bits would be another voter's. */
function parseKeepingDigits(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined ? JSON.rawJSON(source) : value,
  );
}

const loginTimeoutMs = 10_000;
const maxResponseBytes = 5 * 1024 * 1024;

/** A token of the backend, of characters that a header can contain. */
export const backendTokenSchema = z.string().regex(/^[\x21-\x7E]{1,4000}$/);
const loginSchema = z.object({ data: z.object({ access_token: backendTokenSchema }) });

const totalSchema = z.union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)]);
const answerSchema = z.union([
  z
    .object({
      hits: z.object({ hits: z.array(z.unknown()), total: totalSchema.optional() }),
      total: totalSchema.optional(),
    })
    .transform(({ hits, total }) => ({ persons: hits.hits, totalHits: hits.total ?? total })),
  z
    .object({ hits: z.array(z.unknown()), total: totalSchema.optional() })
    .transform(({ hits, total }) => ({ persons: hits, totalHits: total })),
]);

const unreadableResponse = (cause?: string) => new AppError(...invalidResponse, { cause });

// A word for the log: the whole error can quote the backend's address, a token, or voters.
function failureKind(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.name : failureKind(error.cause);
}

/**
 * Asks the backend for hits with a token (contract 4.2, steps 4 and 6). Throws AppError `bad-gateway`, with the backend's
 * status if it returned one, or `gateway-timeout`.
 */
export async function requestHits(profile: SearchProfile, token: string, params: SearchParams, signal: AbortSignal) {
  const body = await post(`${profile.url}/essearch/validation`, params, signal, { Authorization: `Bearer ${token}` });
  const answer = answerSchema.safeParse(body);
  if (!answer.success || answer.data.totalHits === undefined) throw unreadableResponse();
  return { persons: answer.data.persons, hitsCount: answer.data.persons.length, totalHits: answer.data.totalHits };
}

/**
 * A token of a new login in JSON mode (contract 4.2, step 3). Throws AppError `too-many-requests` beyond 6 logins of this
 * person in a minute, otherwise as `requestHits` does.
 */
export async function logInToBackend(userId: string, { url, email, password }: SearchProfile): Promise<string> {
  await enforceRateLimit("searchLogin", userId);
  const credentials = { email, password, mode: "json" };
  const answer = loginSchema.safeParse(
    await post(`${url}/auth/login`, credentials, AbortSignal.timeout(loginTimeoutMs)),
  );
  if (!answer.success) throw unreadableResponse();
  return answer.data.data.access_token;
}

async function post(url: string, body: unknown, signal: AbortSignal, headers: Record<string, string> = {}) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual", // a redirect must not send the token elsewhere
      cache: "no-store",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new AppError(...failedWith(response.status), { backendStatus: response.status });
    }
    const bytes = await readBounded(response.body, maxResponseBytes);
    if (!bytes) throw unreadableResponse();
    return parseKeepingDigits(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (signal.aborted) throw new AppError(...searchTookTooLong);
    throw unreadableResponse(failureKind(cause));
  }
}
