// npm run first-load: gzipped JavaScript that each page of the running demo loads first. Fails over 200 KB.
import { gzipSync } from "node:zlib";
import { readEnv } from "./local-stack/read-env.ts";
import { Refusal } from "./local-stack/report.ts";
import { run } from "./local-stack/run.ts";
import { cookieHeader, sessionCookies } from "./local-stack/session-cookies.ts";
import { localFolder } from "./local-stack/start-stack.ts";

const limit = 200_000; // bytes
const pages = [
  "/login",
  "/",
  "/riverside",
  "/riverside/members",
  "/riverside/roles",
  "/riverside/activity",
  "/riverside/voters",
  "/riverside/campaign/clean-water/voters",
  "/riverside/campaign/clean-water/signatures",
  "/riverside/campaign/clean-water",
  "/riverside/campaign/clean-water/dashboard",
  "/riverside/campaign/clean-water/dashboard/charts/new",
  "/riverside/campaign/no-access",
];

await run(async () => {
  const env = envOfDemo();
  const cookies = await sessionCookies({
    supabaseUrl: env.NEXT_PUBLIC_SUPABASE_URL ?? "",
    publishableKey: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "",
    email: "admin@demo.test",
  });
  const cookie = cookieHeader(cookies);
  for (const path of pages) {
    const bytes = await firstLoadBytes(`${env.SITE_URL}${path}`, cookie);
    console.log(`${(bytes / 1000).toFixed(1).padStart(7)} KB  ${path}`);
    if (bytes > limit) process.exitCode = 1;
  }
});

/** The gzipped bytes of all scripts that the document names, without those for browsers that know no modules. */
async function firstLoadBytes(url: string, cookie: string) {
  const answer = await fetch(url, { headers: { cookie }, redirect: "error" });
  if (!answer.ok) throw new Refusal(`${url} answered ${answer.status}.`);
  const tags = (await answer.text()).match(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  const sources = new Set(
    tags.filter((tag) => !/nomodule/i.test(tag)).map((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? ""),
  );
  const sizes = [...sources].map(async (source) => {
    const script = await fetch(new URL(source, url), { headers: { "accept-encoding": "identity" } });
    return gzipSync(Buffer.from(await script.arrayBuffer())).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function envOfDemo() {
  try {
    return readEnv(localFolder);
  } catch {
    throw new Refusal("Start the demo first: npm run demo");
  }
}
