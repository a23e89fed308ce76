import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { confirmLink, emailLinkSchema } from "@/lib/auth/confirm-link";
import { sendRecovery } from "@/lib/auth/send-recovery";
import { processWide } from "@/lib/process-wide";
import { linkOf } from "../../support/mail-link.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

// The links that Auth sends, as the local stack's own Auth writes and verifies them.

const cookies = new Map<string, string>();
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => cookies);
});
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined })); // the time is tried in a drill

let database: TestDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await openTestDatabase();
  settings = await database.serve();
});
afterAll(() => database.close());
beforeEach(() => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterEach(() => {
  cookies.clear();
  database.mails.length = 0;
  processWide("attempts", () => new Map()).clear();
  vi.unstubAllEnvs();
});

const tooOld = /used already or is too old/;
const sessionCookie = () => [...cookies.keys()].filter((name) => name.includes("auth-token"));
const linkSentTo = async (email: string, next = "/") => {
  await sendRecovery({ email, next });
  return linkOf(database.mails[0]);
};

describe("a link for a new password", () => {
  beforeAll(() => database.signUp("ada"));
  const ada = "ada@people.test";

  it("leads to a page of this site, and from there on to where she was", async () => {
    const link = await linkSentTo(ada, "/riverside?page=2");
    expect(database.mails).toEqual([expect.objectContaining({ to: ada, subject: "Choose a new password" })]);
    expect(link).toMatchObject({
      origin: "http://localhost:3000",
      pathname: "/auth/confirm",
      fields: { type: "recovery", next: "http://localhost:3000/riverside?page=2" },
    });
  });

  it("works once, in any browser", async () => {
    const { fields } = await linkSentTo(ada);
    cookies.clear();
    expect(await confirmLink(emailLinkSchema.parse(fields))).toBe(true);
    expect(sessionCookie()).toHaveLength(1);
    cookies.clear();
    await expect(confirmLink(emailLinkSchema.parse(fields))).rejects.toThrow(tooOld);
    expect(sessionCookie()).toEqual([]);
  });

  it("is too old after an hour", async () => {
    const { fields } = await linkSentTo(ada);
    await database.sql("update auth.users set recovery_sent_at = recovery_sent_at - interval '61 minutes'");
    await expect(confirmLink(emailLinkSchema.parse(fields))).rejects.toThrow(tooOld);
    expect(sessionCookie()).toEqual([]);
  });

  it("takes the place of the one before", async () => {
    const { fields: first } = await linkSentTo(ada);
    processWide("attempts", () => new Map()).clear();
    await linkSentTo(ada);
    await expect(confirmLink(emailLinkSchema.parse(first))).rejects.toThrow(tooOld);
  });

  it("is not sent to an address without an account, which nobody is told", async () => {
    expect(await sendRecovery({ email: "nobody@people.test", next: "/" })).toBeUndefined();
    expect(database.mails).toEqual([]);
  });

  it.each([ada, "nobody@people.test"])(
    "is sent once a minute, whether there is an account or not: %s",
    async (email) => {
      await sendRecovery({ email, next: "/" });
      await expect(sendRecovery({ email, next: "/" })).rejects.toMatchObject({
        code: "too-many-requests",
        message: "Too many attempts. Try again in 60 seconds.",
      });
      expect(database.mails.length).toBe(email === ada ? 1 : 0);
    },
  );
});
