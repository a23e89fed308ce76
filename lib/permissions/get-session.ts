import "server-only";
import { cache } from "react";
import { z } from "zod";
import { createSessionClient } from "@/lib/supabase/server";
import { verifiedClaims } from "@/lib/supabase/verified-claims";

const claimsSchema = z.object({ sub: z.uuid(), email: z.string().default("") });

/** A verified user with the access token that proved it. */
export type Session = { userId: string; email: string; accessToken: string };

/**
 * The session of the request's cookies, or null when nobody is signed in. The token's signature is verified: locally
 * where Auth signs with an asymmetric key, else by asking Auth. Throws when Auth cannot be asked.
 */
export const getSession = cache(async (): Promise<Session | null> => {
  const supabase = await createSessionClient();
  const accessToken = (await supabase.auth.getSession()).data.session?.access_token;
  if (!accessToken) return null;
  const claims = claimsSchema.safeParse(await verifiedClaims(supabase, accessToken));
  return claims.success ? { userId: claims.data.sub, email: claims.data.email, accessToken } : null;
});
