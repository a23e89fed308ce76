import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inject } from "vitest";
import { z } from "zod";
import { demoPassword } from "../../scripts/demo-data/demo-data.ts";
import { readEnv } from "../../scripts/local-stack/local-folder.ts";
import type { Mail } from "../../scripts/local-stack/mailbox.ts";

/** Where the demo that these tests share keeps its data. */
export const folder = inject("signet") ?? "";

const started = join(folder, "started");
for (const deadline = Date.now() + 180_000; !existsSync(started); await wait(100)) {
  if (Date.now() > deadline) throw new Error("The demo does not get ready.");
}
const problem = readFileSync(started, "utf8");
if (problem) throw new Error(problem);

/** The demo's environment, as in `.local/env`. */
export const env = readEnv(folder);

/** A value of the running stack's environment. */
export function setting(name: string): string {
  const value = env[name];
  if (value === undefined) throw new Error(`${name} is not in the stack's environment.`);
  return value;
}

export const siteUrl = setting("SITE_URL");
export const supabaseUrl = setting("NEXT_PUBLIC_SUPABASE_URL");
export const publishableKey = setting("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY");

const signedInSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  user: z.object({ id: z.uuid() }),
});

/** Signs a demo person in over Auth, as a client of the API would. */
export async function signInOverApi(email: string, password = demoPassword) {
  const response = await fetch(`${supabaseUrl}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { access_token, user } = signedInSchema.parse(await response.json());
  return { token: access_token, userId: user.id };
}

/** A REST request with the secret key, as an operator would make it outside of the application. */
export async function restAsService(path: string, init: { method: string; body?: unknown }): Promise<unknown> {
  const response = await fetch(`${supabaseUrl}/rest/v1/${path}`, {
    method: init.method,
    headers: {
      apikey: setting("SUPABASE_SECRET_KEY"),
      "content-type": "application/json",
      prefer: "return=representation",
    },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${init.method} ${path}: ${response.status} ${text}`);
  const answer: unknown = text === "" ? null : JSON.parse(text);
  return answer;
}

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** The running stack's rows that match a REST path, read past every policy. */
export const rowsOf = async (path: string) => rowsSchema.parse(await restAsService(path, { method: "GET" }));

/** Carries out what was changed outside of the application, as the schedule does every few seconds. */
export const carryOutChanges = () => callFunction("invalidate-permissions");

/** Lets the sets of signers follow lines that were changed outside of the application, as the schedule does. */
export const syncSigners = () => callFunction("sync-signers");

async function callFunction(name: string) {
  const headers = { apikey: setting("SUPABASE_SECRET_KEY"), "content-type": "application/json" };
  const response = await fetch(`${supabaseUrl}/functions/v1/${name}`, { method: "POST", headers, body: "{}" });
  if (!response.ok) throw new Error(`${name} answered ${response.status}`);
}

const mailsSchema = z.array(z.object({ to: z.string(), subject: z.string(), html: z.string(), sentAt: z.string() }));

/** The newest e-mail to an address that the stack has sent. */
export async function newestMailTo(address: string): Promise<Mail | undefined> {
  const response = await fetch(`${supabaseUrl}/mail`, { headers: { accept: "application/json" } });
  return mailsSchema.parse(await response.json()).find(({ to }) => to === address);
}
