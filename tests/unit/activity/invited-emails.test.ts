import { expect, test, vi } from "vitest";
import { listInvitedEmails } from "@/lib/activity/activity";

const query = vi.hoisted(() => ({
  select: () => query,
  eq: () => query,
  is: async () => ({ data: ["ned@a.test", "ada@a.test", "ned@a.test"].map((email) => ({ email })), error: null }),
}));
vi.mock("@/lib/supabase/admin", () => ({ createAdminClient: () => ({ from: () => query }) }));

test("lists everyone whose invitations weren't accepted once, by email", async () => {
  expect(await listInvitedEmails("north")).toEqual([
    { id: "ada@a.test", name: "ada@a.test (invited)" },
    { id: "ned@a.test", name: "ned@a.test (invited)" },
  ]);
});
