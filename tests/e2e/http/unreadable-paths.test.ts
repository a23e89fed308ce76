import { describe, expect, test } from "vitest";
import { siteUrl } from "../../support/demo.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// Next.js decodes path parameters, and fails on what it can't decode.

const error = "This URL isn't valid. Check the characters after each % in it, or go to Signet's home page.";

describe.each(["GET", "POST"])("%s", (method) => {
  test.each([
    "/%ff?x=1",
    "/%00",
    "/api/charts/%ff",
    "/%ff/activity/csv",
    "/riverside/campaign/%00/dashboard",
    "/icon.svg%ff",
  ])("%s is 400, signed in or not", async (path) => {
    for (const cookie of ["", await cookieOf("admin")]) {
      const response = await fetch(siteUrl + path, { method, headers: { cookie }, redirect: "manual" });
      expect([response.status, await response.json()]).toEqual([400, { error }]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });
});

test("an address with non-ASCII letters is valid", async () => {
  expect((await fetch(`${siteUrl}/%c3%a9`, { redirect: "manual" })).headers.get("location")).toMatch(/^\/login\?/);
});
