import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../supabase/functions/_shared/database.ts";

/** A finding of a check: part of a sentence. For a problem, a sentence and the command or place that fixes it. */
export type Finding =
  | { state: "ok" | "warning" | "not checked"; problem: string }
  | { state: "wrong"; problem: string; fix: string };

export const ok = (problem: string): Finding => ({ state: "ok", problem });
export const warning = (problem: string): Finding => ({ state: "warning", problem });
export const notChecked = (problem: string): Finding => ({ state: "not checked", problem });
export const wrong = (problem: string, fix: string): Finding => ({ state: "wrong", problem, fix });

/** A check looks at one thing and stops when the signal is aborted. */
export type Check = (signal: AbortSignal) => Promise<Finding[]>;

/** Thrown if something is missing that another check reports. */
export class NotChecked extends Error {}

/** The value of a variable that the check cannot do without. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new NotChecked(`${name} is not set`);
  return value;
}

/** The origin that a variable names. */
export function origin(name: "NEXT_PUBLIC_SUPABASE_URL" | "SITE_URL"): string {
  const value = setting(name);
  if (!URL.canParse(value)) throw new NotChecked(`${name} isn't a valid URL`);
  return new URL(value).origin;
}

/** Where Supabase is. */
export const supabaseAddress = () => origin("NEXT_PUBLIC_SUPABASE_URL");

/** Whether an address is that of this machine. */
export function isLocal(address: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname);
}

/** The database and Auth with the secret key. */
export function supabase() {
  return createClient<Database>(supabaseAddress(), setting("SUPABASE_SECRET_KEY"), {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

/** Why there was no answer, in some words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timed out";
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
