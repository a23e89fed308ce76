import { z } from "zod";
import { environmentNames } from "../../lib/env.ts";
import { type Finding, failureReason, notChecked, ok, wrong } from "./finding.ts";

const loginSchema = z.object({ data: z.object({ access_token: z.string() }) });
const responseSchema = z.union([
  z.object({ hits: z.object({ hits: z.array(z.unknown()) }) }).transform(({ hits }) => hits.hits),
  z.object({ hits: z.array(z.unknown()) }).transform(({ hits }) => hits),
]);

/** Checks that each configured search accepts its login and responds to a search (contract 2.3, 4.2). */
export async function checkSearch(signal: AbortSignal): Promise<Finding[]> {
  const suffixes = environmentNames("SEARCHSVC_URL_");
  if (suffixes.length === 0) return [notChecked("SEARCHSVC_URL_SEARCH is not set: no one can search voters")];
  return Promise.all(suffixes.map((suffix) => checkProfile(suffix, signal)));
}

async function checkProfile(suffix: string, signal: AbortSignal): Promise<Finding> {
  const setting = (field: string) =>
    process.env[`SEARCHSVC_${field}_${suffix}`] || process.env[`SEARCHSVC_${field}_SEARCH`];
  const url = setting("URL")?.replace(/\/+$/, "");
  const [email, password] = [setting("API_EMAIL"), setting("API_PASSWORD")];
  if (!url || !email || !password) return notChecked(`the search ${suffix} is only partly set`);
  const post = async (path: string, body: unknown, headers = {}) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal,
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
  const fix = `Compare SEARCHSVC_URL_${suffix} with the backend's address; of the edge function search-backend see the logs in Supabase.`;
  try {
    const login = await post("/auth/login", { email, password, mode: "json" });
    if ([400, 401, 403].includes(login.status)) {
      return wrong(
        `The search ${suffix} refuses the login (${login.status}).`,
        `Compare SEARCHSVC_API_EMAIL_${suffix} and SEARCHSVC_API_PASSWORD_${suffix} with its account; the one of search-backend is in Supabase Auth, named by: npx supabase secrets set SEARCH_BACKEND_EMAIL=${email} SEARCH_BACKEND_PASSWORD_SHA256=<SHA-256 of its password in hex>`,
      );
    }
    const token = loginSchema.safeParse(login.body).data?.data.access_token;
    if (login.status !== 200 || !token)
      return wrong(`The search ${suffix} doesn't accept logins (${login.status}).`, fix);
    const params = { lastName: "Smith", queryFrom: 0, querySize: 1 };
    const response = await post("/essearch/validation", params, { Authorization: `Bearer ${token}` });
    const hits = responseSchema.safeParse(response.body).data;
    if (response.status !== 200 || !hits)
      return wrong(`The search ${suffix} accepts the login but doesn't search (${response.status}).`, fix);
    return ok(`${suffix} answers${hits.length === 0 ? " (no one is named Smith)" : ""}`);
  } catch (error) {
    return wrong(`The search ${suffix} can't be reached: ${failureReason(error)}.`, fix);
  }
}
