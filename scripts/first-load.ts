import { gzipSync } from "node:zlib";
import { readArguments, runScript, UserError } from "./cli.ts";
import { readDemoEnv } from "./local-stack/local-folder.ts";
import { cookieHeader, sessionCookies } from "./local-stack/session-cookies.ts";

const maxBytes = 200_000;
const pages = [
  "/login",
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

readArguments(
  `npm run first-load

Prints the gzipped size of the initial JavaScript of each page of the running demo. Ends with code 1 if a page loads over
200 KB.`,
  {},
);

await runScript(async () => {
  const env = readDemoEnv();
  const cookie = cookieHeader(await sessionCookies(env, "admin@demo.test"));
  for (const path of pages) {
    const bytes = await firstLoadBytes(`${env.SITE_URL}${path}`, cookie);
    console.log(`${(bytes / 1000).toFixed(1).padStart(7)} KB  ${path}`);
    if (bytes > maxBytes) process.exitCode = 1;
  }
});

/** The gzipped size of all scripts in the document, without those for browsers that don't support modules. */
async function firstLoadBytes(url: string, cookie: string) {
  const response = await fetch(url, { headers: { cookie }, redirect: "error" });
  if (!response.ok) throw new UserError(`${url} returned ${response.status}.`);
  const tags = (await response.text()).match(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  const sources = new Set(
    tags.filter((tag) => !/nomodule/i.test(tag)).map((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? ""),
  );
  const sizes = [...sources].map(async (source) => {
    const script = await fetch(new URL(source, url), { headers: { "accept-encoding": "identity" } });
    return gzipSync(Buffer.from(await script.arrayBuffer())).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
