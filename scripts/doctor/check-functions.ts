import { type Finding, ok, wrong } from "./finding.ts";
import { reasonOf, supabaseAddress } from "./settings.ts";

/** What each edge function says to a GET without a key, which causes nothing. */
export const refusals: Record<string, string> = {
  "get-permissions-snapshot": "Send your access token",
  "invalidate-permissions": "Use POST.",
  "search-backend": "There is no such path.",
  "send-invitations": "Use POST.",
  "sync-signers": "Use POST.",
};

/**
 * Whether each edge function answers in its own words: where the platform checks tokens before it (`verify_jwt`), it answers
 * in its place. It lets OPTIONS pass all the same, so that would tell nothing.
 */
export async function checkFunctions(signal: AbortSignal): Promise<Finding[]> {
  const address = supabaseAddress();
  const unreached = new Map<string, string>();
  const wrongs = await Promise.all(
    Object.entries(refusals).map(async ([name, own]) => {
      const deploy = `npx supabase functions deploy ${name}`;
      try {
        const response = await fetch(`${address}/functions/v1/${name}`, { signal });
        const text = await response.text();
        if (text.includes(own)) return [];
        if (response.status === 404) return [wrong(`${name} is not deployed.`, deploy)];
        if (response.status === 401) {
          const mend = `${deploy}, from this folder: supabase/config.toml turns it off.`;
          return [wrong(`${name} is not reached: Supabase checks tokens before it (verify_jwt is on).`, mend)];
        }
        return [wrong(`${name} does not start (${response.status}).`, `See its logs in Supabase; then ${deploy}`)];
      } catch (error) {
        unreached.set(name, reasonOf(error));
        return [];
      }
    }),
  );
  const found = wrongs.flat();
  if (unreached.size > 0) {
    const told = [...unreached].map(([name, reason]) => `${name} (${reason})`).join(", ");
    found.push(wrong(`Not reached: ${told}.`, "If Supabase answers else, see their logs there."));
  }
  return found.length > 0 ? found : [ok(`all ${Object.keys(refusals).length} answer`)];
}
