import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sendRecovery } from "@/lib/auth/send-recovery";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ get: () => undefined, getAll: () => [], set: () => undefined }),
}));

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  for (const [name, value] of Object.entries(await database.serve())) vi.stubEnv(name, value);
});
afterAll(() => database.close());

it("asking for a new password takes as long for an address without an account", async () => {
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let round = 0; round < 9; round += 1) {
    await database.signUp(`known-${round}`);
    for (const kind of ["known", "unknown"] as const) {
      const begin = performance.now();
      await sendRecovery({ email: `${kind}-${round}@people.test`, next: "/" });
      times[kind].push(performance.now() - begin);
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const [known, unknown] = [median(times.known), median(times.unknown)];
  console.log(
    `A link for a new password: known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms (medians of 9).`,
  );
  expect(database.mails).toHaveLength(9);
  expect(Math.abs(known - unknown)).toBeLessThan(50);
});
