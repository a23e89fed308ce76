import { expect, it, vi } from "vitest";
import { createTeam } from "@/lib/team-access/create-team";

const callSql = vi.hoisted(() => vi.fn());
vi.mock("@/lib/supabase/call-sql", () => ({ callSql }));

const ada = {
  userId: "00000000-0000-4000-8000-000000000001",
  email: "ada@people.test",
  sessionId: "",
  accessToken: "",
};
const create = (name: string) => createTeam(ada, { name, timeZone: "UTC" });

it("makes the id of a team from its name, in any alphabet, and reserves those of pages", async () => {
  expect(await create("Fair Rents!")).toBe("fair-rents");
  expect(await create("Чиста вода")).toMatch(/^team-[0-9a-f]{8}$/);
  await expect(create("Account")).rejects.toThrow("is reserved. Choose another");
  expect(callSql).toHaveBeenCalledTimes(2);
});
