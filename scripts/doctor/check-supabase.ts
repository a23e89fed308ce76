import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import {
  createAdminClient,
  type Finding,
  failureReason,
  NotChecked,
  notChecked,
  ok,
  requireEnv,
  supabaseUrl,
  wrong,
} from "./finding.ts";

const maxClockSkewMs = 30_000;
const compareUrlFix =
  "Compare NEXT_PUBLIC_SUPABASE_URL with the project's address. If the project was paused, restore it in Supabase.";

/** Checks that Auth and REST respond and accept the keys, and that this machine's clock agrees. */
export async function checkSupabase(signal: AbortSignal): Promise<Finding[]> {
  const address = supabaseUrl();
  const [auth, rest] = await Promise.all([checkAuth(address, signal), checkRest(address, signal)]);
  return [...auth, ...rest];
}

async function checkAuth(address: string, signal: AbortSignal): Promise<Finding[]> {
  const apikey = requireEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY");
  try {
    const { status, headers } = await fetch(`${address}/auth/v1/health`, { headers: { apikey }, signal });
    if (status === 401 || status === 403) {
      const fix = "Take the one under Project Settings, API Keys.";
      return [wrong("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY is not a key of this project.", fix)];
    }
    if (status !== 200) return [wrong(`Auth at ${address} answers ${status}.`, "Look at https://status.supabase.com.")];
    const clockSkewMs = Date.now() - Date.parse(headers.get("date") ?? "");
    if (!(Math.abs(clockSkewMs) > maxClockSkewMs)) return [ok("Auth answers, the clocks agree")];
    const seconds = Math.round(Math.abs(clockSkewMs) / 1000);
    const problem = `The clock here is ${seconds} s ${clockSkewMs > 0 ? "ahead of" : "behind"} Supabase's: sessions end at the wrong time.`;
    return [wrong(problem, "Let the machine follow a time server: timedatectl set-ntp true")];
  } catch (error) {
    return [wrong(`Auth at ${address} can't be reached: ${failureReason(error)}.`, compareUrlFix)];
  }
}

async function checkRest(address: string, signal: AbortSignal): Promise<Finding[]> {
  const { status, error } = await createAdminClient()
    .from("permission_keys")
    .select("key")
    .limit(1)
    .retry(false)
    .abortSignal(signal);
  if (!error) return [ok("REST accepts the secret key")];
  if (status === 401 || status === 403) {
    return [
      wrong("SUPABASE_SECRET_KEY is not a secret key of this project.", "Take one under Project Settings, API Keys."),
    ];
  }
  if (status === 404) return [wrong("REST does not find the tables of Signet.", "npx supabase db push")];
  const reason = signal.aborted ? "timed out" : error.message;
  return [
    wrong(`REST at ${address} ${status === 0 ? "can't be reached" : `answers ${status}`}: ${reason}.`, compareUrlFix),
  ];
}

type RpcResult<Data> = { data: Data; error: { code: string; message: string } | null; status: number };

/**
 * The result of a database function; undefined if the function doesn't exist. Throws NotChecked if REST can't be reached,
 * which checkSupabase reports.
 */
export function resultData<Data>({ data, error, status }: RpcResult<Data>, signal: AbortSignal): Data | undefined {
  if (!error) return data;
  if (["PGRST202", "42883"].includes(error.code)) return undefined; // the codes of REST and of the local stack
  if (signal.aborted) throw signal.reason;
  if (status === 0) throw new NotChecked("REST doesn't respond");
  if (status === 401 || status === 403) throw new NotChecked("REST doesn't accept SUPABASE_SECRET_KEY");
  throw new Error(error.message);
}

const migrationsFolder = resolve(import.meta.dirname, "../../supabase/migrations");

/** Checks that the database has exactly the migrations of this version. */
export async function checkMigrations(signal: AbortSignal): Promise<Finding[]> {
  const applied = resultData(await createAdminClient().rpc("applied_migrations").abortSignal(signal), signal);
  if (applied === undefined) {
    return [wrong("The database is older than this version.", "npx supabase db push")];
  }
  if (applied === null) return [notChecked("the database has no record of them, which the supabase CLI would keep")];
  const localVersions = readdirSync(migrationsFolder).flatMap((name) => /^(\d+)_.*\.sql$/.exec(name)?.[1] ?? []);
  const missing = localVersions.filter((version) => !applied.includes(version));
  const unknown = applied.filter((version) => !localVersions.includes(version));
  return [
    missing.length > 0
      ? wrong(
          `The database lacks ${missing.length} of ${localVersions.length}: ${missing.join(", ")}.`,
          "npx supabase db push",
        )
      : ok("all applied"),
    ...(unknown.length > 0
      ? [
          wrong(
            `The database has migrations that this version doesn't: ${unknown.join(", ")}.`,
            "Run the version that they belong to.",
          ),
        ]
      : []),
  ];
}

/** Checks that the counts shown on screens match the lines. */
export async function checkCounts(signal: AbortSignal): Promise<Finding[]> {
  const wrongCounts = resultData(await createAdminClient().rpc("wrong_counts").abortSignal(signal), signal);
  if (wrongCounts === undefined) return [wrong("The database is older than this version.", "npx supabase db push")];
  const campaigns = z.array(z.string()).parse(wrongCounts);
  if (campaigns.length === 0) return [ok("as many as there are lines")];
  return [
    wrong(`Not those of the lines: ${campaigns.join(", ")}.`, 'psql "$DATABASE_URL" -c "select private.recount()"'),
  ];
}

/** How each edge function refuses a GET without a key, which has no effect. */
export const refusals: Record<string, string> = {
  "get-permissions-snapshot": "Send your access token",
  "invalidate-permissions": "Use POST.",
  "search-backend": "There is no such path.",
  "send-emails": "Use POST.",
  "send-invitations": "Use POST.",
  "sync-signers": "Use POST.",
};

/**
 * Checks that each edge function responds with its own text. If Supabase checks tokens first (`verify_jwt`), it responds
 * instead, but not to OPTIONS.
 */
export async function checkFunctions(signal: AbortSignal): Promise<Finding[]> {
  const address = supabaseUrl();
  const unreached = new Map<string, string>();
  const problems = await Promise.all(
    Object.entries(refusals).map(async ([name, refusal]) => {
      const deploy = `npx supabase functions deploy ${name}`;
      try {
        const response = await fetch(`${address}/functions/v1/${name}`, { signal });
        const text = await response.text();
        if (text.includes(refusal)) return [];
        if (response.status === 404) return [wrong(`${name} is not deployed.`, deploy)];
        if (response.status === 401) {
          const fix = `${deploy}, from this folder: supabase/config.toml turns it off.`;
          return [wrong(`${name} is not reached: Supabase checks tokens first (verify_jwt is on).`, fix)];
        }
        return [wrong(`${name} does not start (${response.status}).`, `See its logs in Supabase; then ${deploy}`)];
      } catch (error) {
        unreached.set(name, failureReason(error));
        return [];
      }
    }),
  );
  const found = problems.flat();
  if (unreached.size > 0) {
    const problem = [...unreached].map(([name, reason]) => `${name} (${reason})`).join(", ");
    found.push(wrong(`Not reached: ${problem}.`, "If the rest of Supabase answers, see their logs there."));
  }
  return found.length > 0 ? found : [ok(`all ${Object.keys(refusals).length} answer`)];
}
