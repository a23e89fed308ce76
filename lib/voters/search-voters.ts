import "server-only";
import { cookies } from "next/headers";
import type { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { isProduction } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { searchTookTooLong } from "@/lib/voters/messages";
import type { searchResponseSchema } from "@/lib/voters/responses";
import { backendTokenSchema, logInToBackend, requestHits } from "@/lib/voters/search-backend";
import { type SearchProfile, searchProfile } from "@/lib/voters/search-profile";
import type { SearchCredentials, SearchParams } from "@/lib/voters/search-request";

const timeoutMs = 10_000; // with login and retry

/**
 * Searches for both search routes (contract 4.2, steps 2 to 7, and 4.3). It uses the token in the person's cookie. Without one
 * it logs in, and stores the token only in that cookie. A 401 deletes the cookie and is tried once more with a new login; a 401
 * of a login or the second try is an error. The backend only gets params of the contract and extra ones it accepts: without
 * near matches it would repeat the exact search. Guard `voters.search` first. Throws AppError `bad-gateway`, `gateway-timeout`,
 * or `too-many-requests` when the person has caused too many logins.
 */
export async function searchVoters(
  { userId }: Session,
  { params, credentials }: { params: SearchParams; credentials: SearchCredentials },
): Promise<z.input<typeof searchResponseSchema>> {
  const profile = await searchProfile(userId, credentials);
  const cookieStore = await cookies();
  const { street, voterId, birthYear, similar, ...common } = params;
  if (similar && !profile.extraParams.includes("similar")) return { persons: [], hitsCount: 0, totalHits: 0 };
  const accepted = { ...common, ...Object.fromEntries(profile.extraParams.map((name) => [name, params[name]])) };
  const signal = AbortSignal.timeout(timeoutMs);
  return sharingLogin(userId, profile, async (shared) => {
    const logIn = async () => {
      const token = await untilAborted(shared.logIn(), signal);
      cookieStore.set(profile.cookieName, token, {
        httpOnly: true,
        maxAge: 3600,
        secure: isProduction(),
        sameSite: "strict",
        path: "/",
      });
      return token;
    };
    const search = async (token: string) => {
      try {
        return await requestHits(profile, token, accepted, signal);
      } catch (error) {
        // Directus returns 403 for a token from before its secret changed: the next search logs in.
        const status = statusOf(error);
        if (status === 401 || status === 403) {
          cookieStore.delete(profile.cookieName);
          shared.forget(token);
        }
        throw error;
      }
    };
    const saved = backendTokenSchema.safeParse(cookieStore.get(profile.cookieName)?.value).data;
    const token = saved ?? (await logIn());
    try {
      return await search(token);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
    }
    return search(await logIn());
  });
}

type SharedLogin = { searches: number; token?: string | undefined; login?: Promise<string> | undefined };
const sharedLogins = processWide("running-searches", () => new Map<string, SharedLogin>());

/**
 * Runs a search with a login that the person's simultaneous searches share. While someone types, each search aborts the
 * previous one, so its cookie never arrives. Without sharing, each letter would cost a login.
 */
async function sharingLogin<Result>(
  userId: string,
  profile: SearchProfile,
  run: (shared: { logIn(): Promise<string>; forget(token: string): void }) => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify([userId, profile.url, profile.email, profile.password]);
  const shared: SharedLogin = sharedLogins.get(key) ?? { searches: 0 };
  sharedLogins.set(key, shared);
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
      // A different token may be newer.
      forget: (token) => {
        if (shared.token === token) shared.token = shared.login = undefined;
      },
    });
  } finally {
    shared.searches -= 1;
    if (shared.searches === 0) sharedLogins.delete(key);
  }
}

const statusOf = (error: unknown) => (error instanceof AppError ? error.backendStatus : undefined);

// The login continues for others who wait for it.
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const timeout = Promise.withResolvers<never>();
  const reject = () => timeout.reject(new AppError(...searchTookTooLong));
  signal.addEventListener("abort", reject, { once: true });
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    signal.removeEventListener("abort", reject);
  }
}
