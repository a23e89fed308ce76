import "server-only";
import { cookies } from "next/headers";
import { z } from "zod";
import { cookieOptions } from "@/lib/supabase/cookie-client";

const name = "signet_theme";
const maxAgeSeconds = 365 * 24 * 60 * 60;

/** Light, dark, or the setting of the system. */
export const themeSchema = z.enum(["system", "light", "dark"]);

/** The theme chosen in this browser. */
export async function readTheme() {
  return themeSchema.catch("system").parse((await cookies()).get(name)?.value);
}

/** Saves the theme in this browser for a year. */
export async function storeTheme(theme: z.output<typeof themeSchema>): Promise<void> {
  const store = await cookies();
  if (theme === "system") store.delete(name);
  else store.set(name, theme, { ...cookieOptions(), maxAge: maxAgeSeconds });
}
