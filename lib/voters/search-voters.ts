import "server-only";
import { AppError } from "@/lib/errors";
import { askBackend, forgetToken, logInToBackend } from "@/lib/voters/search-backend";
import type { SearchProfile } from "@/lib/voters/search-profile";
import type { SearchParams } from "@/lib/voters/search-request-schema";

const timeout = 10_000; // ms, with login and retry

/** Where the backend's token is kept between searches: a cookie of the person who searches. */
export type TokenStore = { read(): string | undefined; keep(token: string): void; drop(): void };

/**
 * Searches (contract 4.2, steps 2 to 7): with the token of her cookie, else with that of the process or of a login.
 * One that the backend refuses is kept nowhere; after a 401 the search is tried once more. A 401 of the login itself is
 * not tried again. The backend is sent the params of the contract, and of the others those that it takes: one that knows
 * nobody similar is not asked for them, as it would answer the strict search once more. Throws AppError `bad-gateway` or
 * `gateway-timeout`.
 */
export async function searchVoters(profile: SearchProfile, params: SearchParams, tokens: TokenStore) {
  const { street, voterId, similar, ...common } = params;
  if (similar && !profile.extras.includes("similar")) return { persons: [], hitsCount: 0, totalHits: 0 };
  const taken = { ...common, ...Object.fromEntries(profile.extras.map((name) => [name, params[name]])) };
  const signal = AbortSignal.timeout(timeout);
  const logIn = async () => {
    const token = await inTime(logInToBackend(profile), signal);
    tokens.keep(token);
    return token;
  };
  const ask = async (token: string) => {
    try {
      return await askBackend(profile, token, taken, signal);
    } catch (error) {
      // Directus answers 403 to a token that it never gave, or gave before its secret changed: the next search logs in.
      const status = statusOf(error);
      if (status === 401 || status === 403) {
        tokens.drop();
        forgetToken(profile, token);
      }
      throw error;
    }
  };
  const token = tokens.read() ?? (await logIn());
  try {
    return await ask(token);
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
  }
  return ask(await logIn());
}

const statusOf = (error: unknown) => (error instanceof AppError ? error.backendStatus : undefined);

// The login goes on for the others who wait for it.
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const give = () => late.reject(new AppError("gateway-timeout", "The voter search took too long. Try again."));
  signal.addEventListener("abort", give, { once: true });
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}
