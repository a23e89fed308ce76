import { afterEach, expect, test, vi } from "vitest";
import { rateLimits } from "../../../lib/env.ts";

// That each route refuses beyond its limit: routes.test.ts.

afterEach(() => void vi.unstubAllEnvs());

test("a minute of a person has as many requests as contract 8 says", () => {
  expect(rateLimits()).toMatchObject({ search: 600, charts: 60, revalidate: 60, duplicate: 6_000, searchLogin: 6 });
});

test.each([
  ["RATE_LIMIT_SEARCH", "search"],
  ["RATE_LIMIT_CHARTS", "charts"],
  ["RATE_LIMIT_REVALIDATE", "revalidate"],
] as const)("%s changes that limit, and no other", (name, kind) => {
  const before = rateLimits();
  vi.stubEnv(name, "7");
  expect(rateLimits()).toEqual({ ...before, [kind]: 7 });
});

test("a clerk's 20 lines a minute with 25 hits each pass every limit ten times over", () => {
  const limits = rateLimits();
  const [line, hits] = [20, 25];
  expect(limits.duplicate).toBeGreaterThanOrEqual(10 * line * hits);
  expect(Math.min(limits.duplicateBatch, limits.signed, limits.search)).toBeGreaterThan(10 * line);
  expect(Math.min(limits.entryState, limits.signatures)).toBeGreaterThan(10 * line);
  // A page of hits is asked for at once: more questions than searches are nobody's work.
  expect(Math.max(limits.duplicateBatch, limits.signed)).toBeLessThanOrEqual(2 * limits.search);
});
