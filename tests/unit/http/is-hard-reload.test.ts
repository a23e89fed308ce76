import { expect, test } from "vitest";
import { isHardReload } from "../../../lib/http/request-guards.ts";

test.each([
  ["a reload", "GET", "document", "max-age=0", true],
  ["a reload that bypasses the cache", "GET", "document", "no-cache", true],
  ["a reload with other capitals", "GET", "document", "No-Cache, max-age=0", true],
  ["a plain click", "GET", "document", null, false],
  ["a client navigation", "GET", "empty", "no-cache", false],
  ["a form's POST", "POST", "document", "max-age=0", false],
  ["a cache that may store it", "GET", "document", "max-age=05", false],
  ["a program", "GET", null, "no-cache", false],
])("%s", (_name, method, destination, cacheControl, expected) => {
  const headers = new Headers();
  if (destination) headers.set("sec-fetch-dest", destination);
  if (cacheControl) headers.set("cache-control", cacheControl);
  expect(isHardReload({ method, headers })).toBe(expected);
});
