import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inject } from "vitest";
import { z } from "zod";
import { stackApi } from "../../harness/stack-api.ts";
import { readEnv } from "../../scripts/local-stack/local-folder.ts";
import type { SentEmail } from "../../scripts/local-stack/mailbox.ts";

/** The data folder of the demo that these tests share. */
export const folder = inject("signet") ?? "";

const started = join(folder, "started");
for (const deadline = Date.now() + 180_000; !existsSync(started); await wait(100)) {
  if (Date.now() > deadline) throw new Error("The demo did not become ready.");
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

const api = stackApi(env);

/** Signs in over the API of Auth. */
export async function signInOverApi(email: string, password?: string) {
  const { access_token, user } = await api.signIn(email, password);
  return { token: access_token, userId: user.id };
}

/** A REST request with the secret key, as an operator sends it. */
export const restAsService = (path: string, { method, body }: { method: string; body?: unknown }) =>
  api.rest(path, method, body);

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** The rows of the running stack that match a REST path. */
export const rowsOf = async (path: string) => rowsSchema.parse(await restAsService(path, { method: "GET" }));

/** Processes permission changes made outside of the application, as the schedule does every few seconds. */
export const processPermissionChanges = () => callFunction("invalidate-permissions");

/** Updates the sets of signers after changes of lines outside of the application, as the schedule does. */
export const syncSigners = () => callFunction("sync-signers");

async function callFunction(name: string) {
  const status = await api.callFunction(name);
  if (status !== 200) throw new Error(`${name} answered ${status}`);
}

const mailsSchema = z.array(z.object({ to: z.string(), subject: z.string(), html: z.string(), sentAt: z.string() }));

/** The newest email to an address. */
export async function newestEmailTo(address: string): Promise<SentEmail | undefined> {
  const response = await fetch(`${supabaseUrl}/mail`, { headers: { accept: "application/json" } });
  return mailsSchema.parse(await response.json()).find(({ to }) => to === address);
}
