import { expect, test, vi } from "vitest";
import { rateLimits } from "../../../lib/env.ts";

// The refusal beyond each limit: routes.test.ts.

test("allows a person per minute as many requests as contract 8 says", () => {
  expect(rateLimits()).toMatchObject({ search: 600, charts: 60, revalidate: 60, duplicate: 6_000, searchLogin: 6 });
});

test.each([
  ["RATE_LIMIT_SEARCH", "search"],
  ["RATE_LIMIT_CHARTS", "charts"],
  ["RATE_LIMIT_REVALIDATE", "revalidate"],
] as const)("%s changes only that limit", (name, kind) => {
  const before = rateLimits();
  vi.stubEnv(name, "7");
  expect(rateLimits()).toEqual({ ...before, [kind]: 7 });
});

test("allows ten times what a clerk's 20 lines a minute with 25 hits each need", () => {
  const limits = rateLimits();
  const [line, hits] = [20, 25];
  expect(limits.duplicate).toBeGreaterThanOrEqual(10 * line * hits);
  expect(Math.min(limits.duplicateBatch, limits.signed, limits.search)).toBeGreaterThan(10 * line);
  expect(Math.min(limits.entryState, limits.signatures)).toBeGreaterThan(10 * line);
  // A page of hits is checked in one request, so no one needs many more checks than searches.
  expect(Math.max(limits.duplicateBatch, limits.signed)).toBeLessThanOrEqual(2 * limits.search);
});
