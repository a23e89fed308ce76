import { z } from "zod";

// Values are read by name at run time: a `NEXT_PUBLIC_…` written out would be frozen into the build.
function readEnvironment<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const values = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, process.env[name] || undefined]));
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`Environment variables are missing or wrong (see .env.example). ${problems.join("; ")}`);
}

const siteUrl = z.url("must be the address under which people reach Signet");
const publicSchema = z.object({
  NEXT_PUBLIC_SUPABASE_URL: z.url(),
  NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: z.string().min(1),
  // A guess would break links in emails, and over http cookies would not be Secure.
  SITE_URL: isProduction() ? siteUrl : siteUrl.default("http://localhost:3000"),
});

/** What middleware and pages need to reach Supabase as the signed-in user. Throws when a value is missing. */
export function publicEnv() {
  const values = readEnvironment(publicSchema);
  return {
    supabaseUrl: values.NEXT_PUBLIC_SUPABASE_URL.replace(/\/+$/, ""),
    publishableKey: values.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY,
    /** Origin under which browsers and the application itself reach Signet. */
    siteUrl: new URL(values.SITE_URL).origin,
  };
}

/** The administrative key of Supabase: server only, reads everything. Throws when it is missing. */
export function supabaseSecretKey() {
  return readEnvironment(z.object({ SUPABASE_SECRET_KEY: z.string().min(1) })).SUPABASE_SECRET_KEY;
}

/** Where Redis is. Throws when it is missing. */
export function redisUrl() {
  return readEnvironment(z.object({ REDIS_URL: z.string().min(1) })).REDIS_URL;
}

const perMinute = (fallback: number) => z.coerce.number().int().positive().default(fallback);

/**
 * Requests per user and minute, by kind. Limits without a setting are ten times what the fastest clerk and their open pages
 * make: 20 lines of a few searches with 25 hits each.
 */
export function rateLimits() {
  const values = readEnvironment(
    z.object({
      RATE_LIMIT_SEARCH: perMinute(600),
      RATE_LIMIT_CHARTS: perMinute(60),
      RATE_LIMIT_PREVIEW: perMinute(300),
      RATE_LIMIT_REVALIDATE: perMinute(60),
    }),
  );
  return {
    search: values.RATE_LIMIT_SEARCH,
    searchLogin: 6,
    charts: values.RATE_LIMIT_CHARTS,
    preview: values.RATE_LIMIT_PREVIEW,
    revalidate: values.RATE_LIMIT_REVALIDATE,
    fingerprint: 300,
    go: 300,
    duplicate: 6_000,
    duplicateBatch: 1_200,
    signed: 1_200,
    signatures: 600,
    entryState: 600,
    progress: 600,
    signerProgress: 600,
    activityExport: 60,
    membersExport: 60,
    registerExport: 60,
    accessPreview: 300,
    accessRequest: 60,
    invitation: 60,
  };
}

/** Whether anyone who signs in may create teams. */
export function allowsNewTeams() {
  return (
    readEnvironment(z.object({ ALLOW_NEW_TEAMS: z.enum(["true", "false"]).default("false") })).ALLOW_NEW_TEAMS ===
    "true"
  );
}

/** What to do about TRUSTED_PROXIES when it isn't set; null when it is. */
export function missingProxiesMessage(): string | null {
  if (ownEnvironmentValue("TRUSTED_PROXIES") !== undefined) return null;
  return "TRUSTED_PROXIES is not set: failed sign-ins through a proxy are limited for the whole proxy, or not at all. Set it to the number of proxies in front of Signet, 0 for none.";
}

/** How many proxies in front of Signet may add their client to `X-Forwarded-For`; 0 if it isn't set. */
export function trustedProxies() {
  return readEnvironment(z.object({ TRUSTED_PROXIES: z.coerce.number().int().nonnegative().default(0) }))
    .TRUSTED_PROXIES;
}

/** The value of a variable. Only an own property counts, so `constructor` isn't a variable. */
export function ownEnvironmentValue(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] || undefined : undefined;
}

/** The names of the set variables with a prefix, without it. */
export function environmentNames(prefix: string): string[] {
  return Object.keys(process.env).flatMap((name) =>
    name.startsWith(prefix) && process.env[name] ? [name.slice(prefix.length)] : [],
  );
}

/** True in a production build: the search's cookies are then only sent over HTTPS, and `SITE_URL` has no default. */
export function isProduction() {
  return process.env.NODE_ENV === "production";
}
