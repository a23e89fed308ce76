import { environmentNames, rateLimits, trustedProxies, untoldProxies } from "../../lib/env.ts";
import { extraParams } from "../../lib/voters/voter-query.ts";
import { redisCluster } from "../../supabase/functions/_shared/redis-cluster.ts";
import { type Finding, ok, warning, wrong } from "./finding.ts";
import { isLocal } from "./settings.ts";

const keysPage = "Supabase has both keys under Project Settings, API Keys.";
const required = [
  "NEXT_PUBLIC_SUPABASE_URL",
  "NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY",
  "SUPABASE_SECRET_KEY",
  "REDIS_URL",
  "SITE_URL",
];

/** Whether the variables of .env.example are set, and of the kind that they must be. */
export async function checkVariables(): Promise<Finding[]> {
  const value = (name: string) => process.env[name] ?? "";
  const missing = required.filter((name) => value(name) === "");
  const wrongs = [
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
    const told = "TRUSTED_PROXIES is set, and Supabase believes a forwarded address of a sb_secret_… key alone.";
    wrongs.push(wrong(told, `Set SUPABASE_SECRET_KEY to one. ${keysPage}`));
  }
  return [...(wrongs.length > 0 ? wrongs : [ok("set and well-formed")]), ...checkProxies(value("SITE_URL"))];
}

function checkProxies(siteUrl: string): Finding[] {
  const told = untoldProxies();
  return told === null || !URL.canParse(siteUrl) || isLocal(siteUrl) ? [] : [warning(told)];
}

function checkAddress(name: string, value: string): Finding[] {
  if (value === "") return [];
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    return [wrong(`${name} is no address.`, "Write it as .env.example does.")];
  }
  const { protocol, origin, pathname, href } = new URL(value);
  if (pathname !== "/" || href !== `${origin}/`) {
    const alone = name === "SITE_URL" ? origin : "https://<ref>.supabase.co";
    return [wrong(`${name} has more than an origin.`, `Set it to ${alone}.`)];
  }
  if (protocol === "http:" && !isLocal(value)) {
    return [wrong(`${name} is http: what is sent there can be read on the way.`, "Set it to the address with https.")];
  }
  return [];
}

const otherKind = { publishable: "secret", secret: "publishable" } as const;
const roles = { publishable: "anon", secret: "service_role" };

function checkKey(name: string, value: string, kind: "publishable" | "secret"): Finding[] {
  if (value === "" || /^sb_(publishable|secret)_[\w-]+$/.test(value)) {
    if (!value.startsWith(`sb_${otherKind[kind]}_`)) return [];
    const exposed = kind === "publishable" ? " Browsers are given it: if it was in use, revoke it." : "";
    return [wrong(`${name} is a ${otherKind[kind]} key.${exposed}`, `Set it to sb_${kind}_…. ${keysPage}`)];
  }
  const role = roleOf(value);
  if (role === roles[kind]) return [];
  const told = role === undefined ? "is no key of Supabase" : `is a key of the old kind for the role ${role}`;
  return [wrong(`${name} ${told}.`, `Set it to sb_${kind}_…. ${keysPage}`)];
}

/** The role of a key of the old kind, which is a JWT. */
function roleOf(key: string): string | undefined {
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
    // told below, without repeating it: it can hold a password
  }
  const mend = "Write it as rediss://user:password@host:6379, or several hosts separated by commas.";
  return [wrong("REDIS_URL is no address of Redis.", mend)];
}

function checkNumbers(): Finding[] {
  return [rateLimits, trustedProxies].flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      return [wrong(told, "Set them in .env to whole numbers, or remove them.")];
    }
  });
}

// As lib/voters/search-profile.ts reads them: for one that is missing, the common one is sent to the other's address.
function checkSearchNames(): Finding[] {
  const fields = ["SEARCHSVC_URL_", "SEARCHSVC_API_EMAIL_", "SEARCHSVC_API_PASSWORD_"];
  const [urls = [], ...others] = fields.map(environmentNames);
  const partial = [...new Set([...urls, ...others.flat()])].flatMap((ending) => {
    const missing = fields.map((field) => field + ending).filter((name) => !process.env[name]);
    const mend = `Set ${missing.join(" and ")} too, or none of the three.`;
    return missing.length > 0
      ? [wrong(`The search ${ending} is set in part: ${missing.join(" and ")} is not.`, mend)]
      : [];
  });
  const unread = environmentNames("SEARCHSVC_FIELDS_").flatMap((ending) => {
    const name = `SEARCHSVC_FIELDS_${ending}`;
    const unknown = (process.env[name] ?? "")
      .split(",")
      .map((field) => field.trim())
      .filter((field) => field !== "" && !extraParams.some((extra) => extra === field));
    return [
      ...(unknown.length > 0
        ? [wrong(`${name} names what no search takes: ${unknown.join(", ")}.`, `Known are ${extraParams.join(", ")}.`)]
        : []),
      ...(urls.includes(ending)
        ? []
        : [wrong(`${name} is not read: SEARCHSVC_URL_${ending} is not set.`, "Set the address too, or remove it.")]),
    ];
  });
  return [...partial, ...unread];
}
