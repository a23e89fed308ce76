import { type Finding, NotChecked, ok, wrong } from "./finding.ts";
import { reasonOf, setting, supabase, supabaseAddress } from "./settings.ts";

const mostApart = 30_000; // ms that clocks may differ
const compare =
  "Compare NEXT_PUBLIC_SUPABASE_URL with the project's address; a project that was paused is restored in Supabase.";

/** Whether Auth and REST answer and take the keys, and whether this machine has the same time. */
export async function checkSupabase(signal: AbortSignal): Promise<Finding[]> {
  const address = supabaseAddress();
  const [auth, rest] = await Promise.all([checkAuth(address, signal), checkRest(address, signal)]);
  return [...auth, ...rest];
}

async function checkAuth(address: string, signal: AbortSignal): Promise<Finding[]> {
  const apikey = setting("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY");
  try {
    const { status, headers } = await fetch(`${address}/auth/v1/health`, { headers: { apikey }, signal });
    if (status === 401 || status === 403) {
      const mend = "Take the one under Project Settings, API Keys.";
      return [wrong("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY is not a key of this project.", mend)];
    }
    if (status !== 200) return [wrong(`Auth at ${address} answers ${status}.`, "Look at https://status.supabase.com.")];
    const apart = Date.now() - Date.parse(headers.get("date") ?? "");
    if (!(Math.abs(apart) > mostApart)) return [ok("Auth answers, the clocks agree")];
    const seconds = Math.round(Math.abs(apart) / 1000);
    const told = `The clock here is ${seconds} s ${apart > 0 ? "ahead of" : "behind"} Supabase's: sessions end at wrong times.`;
    return [wrong(told, "Let the machine follow a time server: timedatectl set-ntp true")];
  } catch (error) {
    return [wrong(`Auth at ${address} cannot be reached: ${reasonOf(error)}.`, compare)];
  }
}

async function checkRest(address: string, signal: AbortSignal): Promise<Finding[]> {
  const { status, error } = await supabase()
    .from("permission_keys")
    .select("key")
    .limit(1)
    .retry(false)
    .abortSignal(signal);
  if (!error) return [ok("REST takes the secret key")];
  if (status === 401 || status === 403) {
    return [
      wrong("SUPABASE_SECRET_KEY is not a secret key of this project.", "Take one under Project Settings, API Keys."),
    ];
  }
  if (status === 404) return [wrong("REST does not find the tables of Signet.", "npx supabase db push")];
  const reason = signal.aborted ? "no answer in time" : error.message;
  return [wrong(`REST at ${address} ${status === 0 ? "cannot be reached" : `answers ${status}`}: ${reason}.`, compare)];
}

type Answer<Data> = { data: Data; error: { code: string; message: string } | null; status: number };

/**
 * What a function of the database answered; undefined where there is no such function. Where nothing can be asked, which
 * checkSupabase says, nothing is checked.
 */
export function dataOf<Data>({ data, error, status }: Answer<Data>, signal: AbortSignal): Data | undefined {
  if (!error) return data;
  if (["PGRST202", "42883"].includes(error.code)) return undefined; // told by REST, and by the local stack
  if (signal.aborted) throw signal.reason;
  if (status === 0) throw new NotChecked("REST does not answer");
  if (status === 401 || status === 403) throw new NotChecked("REST does not take SUPABASE_SECRET_KEY");
  throw new Error(error.message);
}
