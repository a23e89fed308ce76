import { beforeEach, expect, test, vi } from "vitest";
import { isHardReload, requireSameOrigin } from "../../../lib/http/request-guards.ts";

beforeEach(() => void vi.stubEnv("SITE_URL", "https://signet.test"));

test.each([
  ["a client that sends neither header", {}, true],
  ["the site itself", { "sec-fetch-site": "same-origin" }, true],
  ["the address bar", { "sec-fetch-site": "none" }, true],
  ["another site", { "sec-fetch-site": "cross-site" }, false],
  ["a sibling of the site", { "sec-fetch-site": "same-site" }, false],
  ["another site that names our origin", { "sec-fetch-site": "cross-site", origin: "https://signet.test" }, false],
  ["the site behind a proxy that changed Origin", { "sec-fetch-site": "same-origin", origin: "https://x.test" }, true],
  ["an old browser on the configured host", { origin: "https://signet.test" }, true],
  ["an old browser on the request's own host", { origin: "http://internal:3000" }, true],
  ["an old browser on another host", { origin: "https://evil.test" }, false],
  ["an old browser on another port of the configured host", { origin: "https://signet.test:8443" }, false],
  ["an old browser on another port of the request's own host", { origin: "http://internal:3001" }, false],
  ["an opaque origin", { origin: "null" }, false],
  ["a nonsense origin", { origin: "signet.test" }, false],
])("requireSameOrigin: %s", (_name, headers, passes) => {
  const request = new Request("http://internal:3000/api/x", {
    method: "POST",
    headers: { host: "internal:3000", ...headers },
  });
  const check = () => requireSameOrigin(request);
  if (passes) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "forbidden", status: 403 }));
});

test.each([
  ["a reload", "GET", "document", "max-age=0", true],
  ["a reload that bypasses the cache", "GET", "document", "no-cache", true],
  ["a reload with other capitals", "GET", "document", "No-Cache, max-age=0", true],
  ["a plain click", "GET", "document", null, false],
  ["a client navigation", "GET", "empty", "no-cache", false],
  ["a form's POST", "POST", "document", "max-age=0", false],
  ["a cache that may store it", "GET", "document", "max-age=05", false],
  ["a program", "GET", null, "no-cache", false],
])("isHardReload: %s", (_name, method, destination, cacheControl, expected) => {
  const headers = new Headers();
  if (destination) headers.set("sec-fetch-dest", destination);
  if (cacheControl) headers.set("cache-control", cacheControl);
  expect(isHardReload({ method, headers })).toBe(expected);
});
