import { expect, it, vi } from "vitest";
import { readShownName } from "@/lib/auth/account";

const single = vi.hoisted(() => vi.fn());
vi.mock("@/lib/supabase/admin", () => ({
  createAdminClient: () => ({ from: () => ({ select: () => ({ eq: () => ({ single }) }) }) }),
}));

const person = (userId: string) => ({ userId, email: `${userId}@people.test`, sessionId: "s", accessToken: "t" });

it("shows the name as it was last read while the database is unreachable, and an email before that", async () => {
  single.mockResolvedValueOnce({ data: { name: "Ada Moreno" }, error: null });
  expect(await readShownName(person("ada"))).toBe("Ada Moreno");
  single.mockRejectedValue(new Error("The database is unreachable."));
  expect(await readShownName(person("ada"))).toBe("Ada Moreno");
  expect(await readShownName(person("jun"))).toBe("jun@people.test");
});
