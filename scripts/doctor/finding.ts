import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../supabase/functions/_shared/database.ts";

/** The result of a check. `fix` is the command or page that fixes a problem. */
export type Finding =
  | { state: "ok" | "warning" | "not checked"; message: string }
  | { state: "wrong"; message: string; fix: string };

export const ok = (message: string): Finding => ({ state: "ok", message });
export const warning = (message: string): Finding => ({ state: "warning", message });
export const notChecked = (message: string): Finding => ({ state: "not checked", message });
export const wrong = (message: string, fix: string): Finding => ({ state: "wrong", message, fix });

/** Checks one thing, and stops when the signal is aborted. */
export type Check = (signal: AbortSignal) => Promise<Finding[]>;

/** Thrown if something is missing that another check already reports. */
export class NotChecked extends Error {}

/** The value of an environment variable. Throws NotChecked if it isn't set. */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new NotChecked(`${name} is not set`);
  return value;
}

/** The origin of the URL in an environment variable. Throws NotChecked if it isn't a URL. */
export function requireOrigin(name: "NEXT_PUBLIC_SUPABASE_URL" | "SITE_URL"): string {
  const value = requireEnv(name);
  if (!URL.canParse(value)) throw new NotChecked(`${name} isn't a valid URL`);
  return new URL(value).origin;
}

/** The URL of the Supabase project. */
export const supabaseUrl = () => requireOrigin("NEXT_PUBLIC_SUPABASE_URL");

/** Whether a URL points to this machine. */
export function isLocal(url: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}

/** A client for the database and Auth, with the secret key. */
export function createAdminClient() {
  return createClient<Database>(supabaseUrl(), requireEnv("SUPABASE_SECRET_KEY"), {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

/** Why a request failed, in a few words. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timed out";
  if (error.cause instanceof Error) return failureReason(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
