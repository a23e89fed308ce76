import { z } from "zod";
import { demoPassword } from "../scripts/demo-data/demo-data.ts";

/** The API of the stack with these environment variables, for tests that act as the operator. */
export function stackApi(env: Record<string, string>) {
  const url = env.NEXT_PUBLIC_SUPABASE_URL ?? "";
  const headers = { apikey: env.SUPABASE_SECRET_KEY ?? "", "content-type": "application/json" };

  return {
    /** A REST request with the secret key. */
    async rest(path: string, method = "GET", body?: unknown): Promise<unknown> {
      const response = await fetch(`${url}/rest/v1/${path}`, {
        method,
        headers: { ...headers, prefer: "return=representation" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? null : JSON.parse(text);
    },

    /** Calls a scheduled edge function, and returns its status. */
    async callFunction(name: string) {
      const response = await fetch(`${url}/functions/v1/${name}`, { method: "POST", headers, body: "{}" });
      return response.status;
    },

    /** Signs in through Auth's API. */
    async signIn(email: string, password = demoPassword) {
      const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: "POST",
        headers: { ...headers, apikey: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "" },
        body: JSON.stringify({ email, password }),
      });
      return z
        .looseObject({ access_token: z.string(), user: z.looseObject({ id: z.uuid() }) })
        .parse(await response.json());
    },
  };
}
