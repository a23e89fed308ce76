import { NextRequest } from "next/server";
import { expect, test, vi } from "vitest";
import { config, middleware } from "../../../middleware.ts";

const runsOn = (path: string) => config.matcher.some((matcher) => new RegExp(`^${matcher}$`).test(path));

test.each(["/", "/riverside/members", "/favicon-ico/x", "/icon_svg", "/icon-svg-team", "/api/essearch", "/_next/data"])(
  "refreshes the session on %s",
  (path) => expect(runsOn(path)).toBe(true),
);

test.each(["/favicon.ico", "/icon.svg", "/_next/static/chunks/a.js", "/_next/image"])(
  "doesn't refresh it on %s",
  (path) => expect(runsOn(path)).toBe(false),
);

test.each([
  ["https://signet.test", "max-age=31536000"],
  ["http://signet.test", null],
])("asks browsers of %s to stay on https: %s", async (siteUrl, header) => {
  vi.stubEnv("SITE_URL", siteUrl);
  for (const path of ["/login", "/%ff"]) {
    const { headers } = await middleware(new NextRequest(`${siteUrl}${path}`));
    expect(headers.get("strict-transport-security")).toBe(header);
  }
});
