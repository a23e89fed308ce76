import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { startBrowser } from "../../support/browser.ts";
import { siteUrl } from "../../support/demo.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// The headers of each answer. browser.ts checks in every test that no page violates its policy.

const cookie = await cookieOf("admin");

const named: Record<string, string> = {
  "[team]": "riverside",
  "[campaign]": "clean-water",
  "[chart]": "new",
  "[id]": "00000000-0000-4000-8000-000000000001",
  "[user]": "unknown",
  "[token]": "nothing",
  "[...rest]": "there/is/nothing",
};
const addressOf = (file: string) =>
  `/${file.replace(/^app\/|\/?(page\.tsx|route\.ts)$/g, "")}`.replace(/\[[^\]]+\]/g, (name) => named[name] ?? name);
const pages = globSync("app/**/page.tsx").map(addressOf);
const routes = globSync("app/**/route.ts").map(addressOf);

const ofAll = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};
const policyWith = (nonce: string) =>
  "default-src 'none'; " +
  `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'; ` +
  "style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const location = new URL(response.headers.get("location") ?? url, url);
  // Next.js redirects requests for parts of a page to an address with a cache key.
  return location.searchParams.has("_rsc") && location.href !== url ? answerOf(location.href, init) : response;
}

// Also with a policy in the request, and for the parts of a page: on one page and one route of each kind.
const inEachWay = ["/login", "/riverside/members", "/riverside/campaign/clean-water/signatures", "/api/health", "/%ff"];

test.each([...pages, ...routes, "/%ff", "/.well-known/security.txt"])("%s", async (path) => {
  const requests: RequestInit[] = [{ headers: { cookie } }];
  if (inEachWay.includes(path)) requests.push({ headers: { "content-security-policy": policyWith("mine") } });
  if (inEachWay.includes(path) && pages.includes(path)) requests.push({ headers: { cookie, rsc: "1" } });
  const nonces = requests.map(async (init) => {
    const response = await answerOf(siteUrl + path, init);
    const headers = Object.fromEntries(response.headers);
    const [, nonce = ""] = /'nonce-([\w-]{36})'/.exec(headers["content-security-policy"] ?? "") ?? [];
    expect(headers).toMatchObject({ ...ofAll, "content-security-policy": policyWith(nonce) });
    expect(headers["cache-control"]).toContain("no-store");
    const page = headers["content-type"]?.startsWith("text/html")
      ? await response.text()
      : await response.body?.cancel();
    for (const script of page?.match(/<script\b[^>]*/g) ?? []) expect(script).toContain(`nonce="${nonce}"`);
    return nonce;
  });
  expect(new Set(await Promise.all(nonces)).size).toBe(requests.length);
});

test("static files can be cached, and have the same headers", async () => {
  const page = await (await fetch(`${siteUrl}/login`)).text();
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(page)?.[1] ?? "";
  for (const [path, cacheControl] of [
    [script, "immutable"],
    ["/icon.svg", "public"],
  ] as const) {
    const response = await fetch(siteUrl + path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([
      200,
      expect.stringContaining(cacheControl),
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject(ofAll);
  }
});

test("markup injected into a page runs no script and loads nothing from elsewhere", async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on("console", (message) => {
      const [, directive] = /Content Security Policy directive:? ['"]([a-z-]+)/.exec(message.text()) ?? [];
      if (directive) refused.push(directive);
    });
    const injected =
      "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><script src='https://evil.test/x.js'></script>" +
      "<style>body { display: none }</style><iframe src='/login'></iframe><base href='https://evil.test/'>" +
      "<img src='https://evil.test/x.png'>";
    await page.route("**/login", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace("<main", `${injected}<main`) });
    });
    await page.goto(`${siteUrl}/login`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    const directives = ["base-uri", "default-src", "img-src", "script-src", "style-src"];
    expect([...new Set(refused)].sort()).toEqual(directives);
  } finally {
    await browser.close();
  }
});
