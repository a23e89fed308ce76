import { expect } from "vitest";
import { siteUrl } from "./demo.ts";

/** Requests a page without a browser: returns "opens", "is refused", or the path of its redirect. */
export async function pageOutcome(path: string, cookie: string): Promise<string> {
  const response = await fetch(`${siteUrl}${path}`, { headers: { cookie }, redirect: "manual" });
  if (response.status === 307) return new URL(response.headers.get("location") ?? "", siteUrl).pathname;
  expect([path, response.status]).toEqual([path, 200]);
  return /<h1[^>]*>You can&#x27;t /.test(await response.text()) ? "is refused" : "opens";
}
