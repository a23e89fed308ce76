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
