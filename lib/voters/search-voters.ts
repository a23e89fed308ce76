import "server-only";
import { cookies } from "next/headers";
import type { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { isProduction } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import type { searchAnswer } from "@/lib/voters/answers";
import { tookTooLong } from "@/lib/voters/messages";
import { askBackend, backendTokenSchema, logInToBackend } from "@/lib/voters/search-backend";
import { type SearchProfile, searchProfile } from "@/lib/voters/search-profile";
import type { SearchCredentials, SearchParams } from "@/lib/voters/search-request";

const timeoutMs = 10_000; // with login and retry

/** Where the backend's token is kept between searches: a cookie of the person who searches. */
type TokenCookie = { read(): string | undefined; keep(token: string): void; drop(): void };

/**
 * Searches (contract 4.2, steps 2 to 7): with the token of the person's cookie, else with that of a login. After a 401 the
 * cookie is dropped, and the search is tried once more with a new login; a 401 of a login, or of that second try, is an
 * error. The backend is sent the params of the contract, and of the others those that it takes: one without near matches
 * isn't asked for them, as it would answer the exact search again. Throws AppError `bad-gateway`, `gateway-timeout`, or
 * `too-many-requests` when the person has caused too many logins.
 */
async function searchVoters(userId: string, profile: SearchProfile, params: SearchParams, cookie: TokenCookie) {
  const { street, voterId, similar, ...common } = params;
  if (similar && !profile.extras.includes("similar")) return { persons: [], hitsCount: 0, totalHits: 0 };
  const taken = { ...common, ...Object.fromEntries(profile.extras.map((name) => [name, params[name]])) };
  const signal = AbortSignal.timeout(timeoutMs);
  return sharingLogin(userId, profile, async (shared) => {
    const logIn = async () => {
      const token = await inTime(shared.logIn(), signal);
      cookie.keep(token);
      return token;
    };
    const ask = async (token: string) => {
      try {
        return await askBackend(profile, token, taken, signal);
      } catch (error) {
        // Directus answers 403 to a token that it never gave, or gave before its secret changed: the next search logs in.
        const status = statusOf(error);
        if (status === 401 || status === 403) {
          cookie.drop();
          shared.forget(token);
        }
        throw error;
      }
    };
    const token = cookie.read() ?? (await logIn());
    try {
      return await ask(token);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
    }
    return ask(await logIn());
  });
}

type SharedLogin = { searches: number; token?: string | undefined; login?: Promise<string> | undefined };
const running = processWide("running-searches", () => new Map<string, SharedLogin>());

/**
 * Runs a search with a login that only searches of the same person and profile share, while they run: nothing outlives
 * them. While someone types, each search aborts the one before, whose cookie then never arrives; otherwise every letter
 * would be a login.
 */
async function sharingLogin<Result>(
  userId: string,
  profile: SearchProfile,
  run: (shared: { logIn(): Promise<string>; forget(token: string): void }) => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify([userId, profile.url, profile.email, profile.password]);
  const shared: SharedLogin = running.get(key) ?? { searches: 0 };
  running.set(key, shared);
  shared.searches += 1;
  const logIn = async () => {
    try {
      shared.token = await logInToBackend(userId, profile);
      return shared.token;
    } catch (error) {
      shared.login = undefined;
      throw error;
    }
  };
  try {
    return await run({
      logIn: () => {
        shared.login ??= logIn();
        return shared.login;
      },
      // Another token, which may be newer, stays.
      forget: (token) => {
        if (shared.token === token) shared.token = shared.login = undefined;
      },
    });
  } finally {
    shared.searches -= 1;
    if (shared.searches === 0) running.delete(key);
  }
}

const statusOf = (error: unknown) => (error instanceof AppError ? error.backendStatus : undefined);

// The login goes on for the others who wait for it.
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const give = () => late.reject(new AppError(...tookTooLong));
  signal.addEventListener("abort", give, { once: true });
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/**
 * What both search routes answer (contract 4.2 and 4.3): searches, and keeps the backend's token in the cookie that the
 * credentials name, and nowhere else. Guard `voters.search` first: it alone decides whether a token is of any use here.
 */
export async function answerSearch(
  { userId }: Session,
  { params, credentials }: { params: SearchParams; credentials: SearchCredentials },
): Promise<z.input<typeof searchAnswer>> {
  const profile = await searchProfile(userId, credentials);
  const store = await cookies();
  return searchVoters(userId, profile, params, {
    read: () => backendTokenSchema.safeParse(store.get(profile.cookieName)?.value).data,
    keep: (token) =>
      void store.set(profile.cookieName, token, {
        httpOnly: true,
        maxAge: 3600,
        secure: isProduction(),
        sameSite: "strict",
        path: "/",
      }),
    drop: () => void store.delete(profile.cookieName),
  });
}
