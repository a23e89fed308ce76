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

it("waits half a second for the name, and shows it once it was read", async () => {
  single.mockImplementationOnce(async () => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    return { data: { name: "Mia One" }, error: null };
  });
  single.mockReturnValue(new Promise(() => undefined)); // never
  vi.useFakeTimers();
  for (const shown of ["mia@people.test", "Mia One"]) {
    const name = readShownName(person("mia"));
    await vi.advanceTimersByTimeAsync(500);
    expect(await name).toBe(shown);
    await vi.advanceTimersByTimeAsync(100);
  }
  vi.useRealTimers();
});
