import { environmentNames, missingProxiesMessage, rateLimits, trustedProxies } from "../../lib/env.ts";
import { extraParams } from "../../lib/voters/voter-query.ts";
import { redisCluster } from "../../supabase/functions/_shared/redis-cluster.ts";
import { type Finding, isLocal, ok, warning, wrong } from "./finding.ts";

const keysPage = "Supabase has both keys under Project Settings, API Keys.";
const required = [
  "NEXT_PUBLIC_SUPABASE_URL",
  "NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY",
  "SUPABASE_SECRET_KEY",
  "REDIS_URL",
  "SITE_URL",
];

/** Checks that the variables of .env.example are set and well-formed. */
export async function checkVariables(): Promise<Finding[]> {
  const value = (name: string) => process.env[name] ?? "";
  const missing = required.filter((name) => value(name) === "");
  const problems = [
    ...missing.map((name) => wrong(`${name} is not set.`, `Set it in .env, as .env.example says.`)),
    ...checkAddress("NEXT_PUBLIC_SUPABASE_URL", value("NEXT_PUBLIC_SUPABASE_URL")),
    ...checkAddress("SITE_URL", value("SITE_URL")),
    ...checkKey("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", value("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY"), "publishable"),
    ...checkKey("SUPABASE_SECRET_KEY", value("SUPABASE_SECRET_KEY"), "secret"),
    ...checkRedisUrl(value("REDIS_URL")),
    ...checkNumbers(),
    ...checkSearchNames(),
  ];
  if (value("SUPABASE_SECRET_KEY").startsWith("eyJ") && Number(value("TRUSTED_PROXIES")) > 0) {
    const problem = "TRUSTED_PROXIES is set, but Supabase only accepts forwarded addresses with an sb_secret_… key.";
    problems.push(wrong(problem, `Set SUPABASE_SECRET_KEY to one. ${keysPage}`));
  }
  return [...(problems.length > 0 ? problems : [ok("set and well-formed")]), ...checkProxies(value("SITE_URL"))];
}

function checkProxies(siteUrl: string): Finding[] {
  const problem = missingProxiesMessage();
  return problem === null || !URL.canParse(siteUrl) || isLocal(siteUrl) ? [] : [warning(problem)];
}

function checkAddress(name: string, value: string): Finding[] {
  if (value === "") return [];
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    return [wrong(`${name} isn't a valid URL.`, "Write it as in .env.example.")];
  }
  const { protocol, origin, pathname, href } = new URL(value);
  if (pathname !== "/" || href !== `${origin}/`) {
    const expectedOrigin = name === "SITE_URL" ? origin : "https://<ref>.supabase.co";
    return [wrong(`${name} has more than an origin.`, `Set it to ${expectedOrigin}.`)];
  }
  if (protocol === "http:" && !isLocal(value)) {
    return [
      wrong(`${name} is http: others on the network can read what is sent there.`, "Set it to the address with https."),
    ];
  }
  return [];
}

const otherKind = { publishable: "secret", secret: "publishable" } as const;
const legacyRoles = { publishable: "anon", secret: "service_role" };

function checkKey(name: string, value: string, kind: "publishable" | "secret"): Finding[] {
  if (value === "" || /^sb_(publishable|secret)_[\w-]+$/.test(value)) {
    if (!value.startsWith(`sb_${otherKind[kind]}_`)) return [];
    const exposed = kind === "publishable" ? " Browsers receive it: if it was in use, revoke it." : "";
    return [wrong(`${name} is a ${otherKind[kind]} key.${exposed}`, `Set it to sb_${kind}_…. ${keysPage}`)];
  }
  const role = readKeyRole(value);
  if (role === legacyRoles[kind]) return [];
  const problem = role === undefined ? "isn't a Supabase key" : `is a legacy key for the role ${role}`;
  return [wrong(`${name} ${problem}.`, `Set it to sb_${kind}_…. ${keysPage}`)];
}

/** The role of a legacy key, which is a JWT. */
function readKeyRole(key: string): string | undefined {
  try {
    return JSON.parse(Buffer.from(key.split(".")[1] ?? "", "base64url").toString()).role;
  } catch {
    return undefined;
  }
}

function checkRedisUrl(value: string): Finding[] {
  try {
    if (value !== "") redisCluster(value);
    if (value === "" || /^rediss?:/.test(value)) return [];
  } catch {
    // reported below, without the URL: it can contain a password
  }
  const fix = "Write it as rediss://user:password@host:6379, or several hosts separated by commas.";
  return [wrong("REDIS_URL isn't a Redis address.", fix)];
}

function checkNumbers(): Finding[] {
  return [rateLimits, trustedProxies].flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return [wrong(problem, "Set them in .env to whole numbers, or remove them.")];
    }
  });
}

// lib/voters/search-profile.ts replaces a missing variable by the common one, so an incomplete set would send common
// credentials to another backend.
function checkSearchNames(): Finding[] {
  const fields = ["SEARCHSVC_URL_", "SEARCHSVC_API_EMAIL_", "SEARCHSVC_API_PASSWORD_"];
  const [urls = [], ...others] = fields.map(environmentNames);
  const partialProfiles = [...new Set([...urls, ...others.flat()])].flatMap((suffix) => {
    const missing = fields.map((field) => field + suffix).filter((name) => !process.env[name]);
    const fix = `Set ${missing.join(" and ")} too, or none of the three.`;
    return missing.length > 0
      ? [wrong(`The search ${suffix} is only partly set: ${missing.join(" and ")} is missing.`, fix)]
      : [];
  });
  const fieldProblems = environmentNames("SEARCHSVC_FIELDS_").flatMap((suffix) => {
    const name = `SEARCHSVC_FIELDS_${suffix}`;
    const unknown = (process.env[name] ?? "")
      .split(",")
      .map((field) => field.trim())
      .filter((field) => field !== "" && !extraParams.some((extra) => extra === field));
    return [
      ...(unknown.length > 0
        ? [wrong(`${name} has unknown fields: ${unknown.join(", ")}.`, `Known fields are ${extraParams.join(", ")}.`)]
        : []),
      ...(urls.includes(suffix)
        ? []
        : [wrong(`${name} is unused: SEARCHSVC_URL_${suffix} is not set.`, "Set the address too, or remove it.")]),
    ];
  });
  return [...partialProfiles, ...fieldProblems];
}
