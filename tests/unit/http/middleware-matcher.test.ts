import { expect, test } from "vitest";
import { config } from "../../../middleware.ts";

const runsOn = (path: string) => config.matcher.some((matcher) => new RegExp(`^${matcher}$`).test(path));

test.each(["/", "/riverside/members", "/favicon-ico/x", "/icon_svg", "/icon-svg-team", "/api/essearch", "/_next/data"])(
  "the session is refreshed on %s",
  (path) => expect(runsOn(path)).toBe(true),
);

test.each(["/favicon.ico", "/icon.svg", "/_next/static/chunks/a.js", "/_next/image"])("not on %s", (path) =>
  expect(runsOn(path)).toBe(false),
);
