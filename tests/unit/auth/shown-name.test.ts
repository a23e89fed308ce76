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

it("waits longer for the first name, which the email would replace, than for one that it knows", async () => {
  const answerIn = (delayMs: number, name: string) =>
    single.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return { data: { name }, error: null };
    });
  vi.useFakeTimers();
  const shownName = async (who: string) => {
    const shown = readShownName(person(who));
    await vi.runAllTimersAsync();
    return shown;
  };
  answerIn(2_100, "Hal Late");
  expect(await shownName("hal")).toBe("hal@people.test");
  answerIn(1_900, "Mia One");
  expect(await shownName("mia")).toBe("Mia One");
  answerIn(600, "Mia Two");
  expect(await shownName("mia")).toBe("Mia One");
  vi.useRealTimers();
});
