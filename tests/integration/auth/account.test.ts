import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeEmail, changeName, changePassword, choosePassword, readName, requirePassword } from "@/lib/auth/account";
import { guessBudget } from "@/lib/auth/attempts";
import { getSession } from "@/lib/auth/get-session";
import { confirmLink, emailLinkSchema, sendRecovery } from "@/lib/auth/links";
import { signIn, signUp } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";
import { processWide } from "@/lib/process-wide";
import { linkOf } from "../../support/mail-link.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

// Accounts and the links that Auth sends, with the Auth of the local stack. Each browser is a map of its cookies.

const browsers = { desk: new Map<string, string>(), phone: new Map<string, string>() };
let cookies = browsers.desk;
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => cookies);
});
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined })); // the delay of answers is tested in tests/unit/auth

const database = await setUpTestDatabase();
const settings = await database.serve();
setUpEnv(settings);

it("starts no session by emailing a link to a new address, and ends none of an existing one", async () => {
  const sessionsOf = async (address: string) =>
    (
      await database.sql("select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1", [
        address,
      ])
    ).length;
  for (const address of ["Brand.New@people.test", email]) {
    expect((await database.client("service").auth.signInWithOtp({ email: address })).error).toBeNull();
  }
  expect([await sessionsOf("brand.new@people.test"), await sessionsOf(email)]).toEqual([0, 2]);
});

const forgetAttempts = () => processWide("attempts", () => new Map()).clear();
const password = "demo-password-1";
let email = "";
let people = 0;
beforeEach(async () => {
  people += 1;
  email = `p${people}@people.test`;
  cookies = browsers.desk;
  await signUp({ email, password, name: "Ada", next: "/" });
  cookies = browsers.phone;
  await signIn({ email, password });
  cookies = browsers.desk;
});
afterEach(() => {
  for (const browser of Object.values(browsers)) browser.clear();
  database.emails.length = 0;
  forgetAttempts();
});

const present = async () => {
  const session = await getSession();
  if (!session) throw new Error("No one is signed in.");
  return session;
};
async function isSignedInOn(browser: keyof typeof browsers) {
  cookies = browsers[browser];
  return (await getSession()) !== null;
}

it("a changed name is the one that others read", async () => {
  expect(await readName(await present())).toBe("Ada");
  await changeName(await present(), "Ada Moreno");
  expect(await readName(await present())).toBe("Ada Moreno");
});

it("metadata that a session writes at Auth doesn't change the name", async () => {
  const { accessToken } = await present();
  const { status } = await fetch(`${settings.NEXT_PUBLIC_SUPABASE_URL}/auth/v1/user`, {
    method: "PUT",
    headers: {
      apikey: settings.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY,
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ data: { name: "An administrator" } }),
  });
  expect([status, await readName(await present())]).toEqual([200, "Ada"]);
});

describe("changing the password", () => {
  it("requires the current one, and a wrong one counts as an attempt to sign in", async () => {
    await expect(requirePassword(await present(), password)).resolves.toBeUndefined();
    for (let attempt = 0; attempt <= guessBudget.freeFailures; attempt += 1) {
      await expect(requirePassword(await present(), "wrong")).rejects.toMatchObject({ code: "forbidden" });
    }
    await expect(requirePassword(await present(), password)).rejects.toMatchObject({ code: "too-many-requests" });
  });

  const sessions = async () => {
    const query = "select s.id from auth.sessions s join auth.users u on u.id = s.user_id where email = $1 order by 1";
    return (await database.sql<{ id: string }>(query, [email])).map(({ id }) => id);
  };
  const change = async (to: string, current = password) => changePassword(await present(), { current, password: to });

  it("leaves no session of the check behind, nor of a refused change", async () => {
    const before = await sessions();
    await requirePassword(await present(), password);
    await expect(change("another-password-2", "wrong")).rejects.toMatchObject({ code: "forbidden" });
    await expect(change(password)).rejects.toThrow("your current password");
    await expect(change(email.toUpperCase())).rejects.toMatchObject({ field: "password" });
    expect(await sessions()).toEqual(before);
    expect(await isSignedInOn("phone")).toBe(true);
  });

  it("replaces it and leaves only a new session", async () => {
    const before = await sessions();
    await change("another-password-2");
    expect(await isSignedInOn("phone")).toBe(false);
    expect(await isSignedInOn("desk")).toBe(true);
    const { sessionId } = await present();
    expect(await sessions()).toEqual([sessionId]);
    expect(before).not.toContain(sessionId);
    expect(database.emails).toMatchObject([{ to: email, subject: "Your Signet password was set or changed" }]);
    await expect(signIn({ email, password })).rejects.toMatchObject({ code: "unauthenticated" });
    await signIn({ email, password: "another-password-2" });
  });
});

async function linkForPassword(next = "/") {
  await sendRecovery({ email, next });
  return linkOf(database.emails[0]);
}

describe("a link for a new password", () => {
  const tooOld = /already used or has expired/;

  it("leads to a page of this site, and from there to the page they came from", async () => {
    const link = await linkForPassword("/riverside?page=2");
    expect(database.emails).toEqual([expect.objectContaining({ to: email, subject: "Set your Signet password" })]);
    expect(link).toMatchObject({
      origin: "http://localhost:3000",
      pathname: "/auth/confirm",
      fields: { type: "recovery", next: "http://localhost:3000/riverside?page=2" },
    });
  });

  it("works once, in any browser", async () => {
    const link = emailLinkSchema.parse((await linkForPassword()).fields);
    cookies = new Map();
    expect(await confirmLink(link)).toBe(true);
    expect(await getSession()).toMatchObject({ email });
    cookies = new Map();
    await expect(confirmLink(link)).rejects.toThrow(tooOld);
    expect(await getSession()).toBeNull();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "an hour",
      () => database.sql("update auth.users set recovery_sent_at = recovery_sent_at - interval '61 minutes'"),
    ],
    ["a newer link", async () => [forgetAttempts(), await linkForPassword()]],
  ])("expires after %s", async (_what, pass) => {
    const { fields } = await linkForPassword();
    cookies = new Map();
    await pass();
    await expect(confirmLink(emailLinkSchema.parse(fields))).rejects.toThrow(tooOld);
    expect(await getSession()).toBeNull();
  });

  it.each([
    ["with", () => email, 1],
    ["without", () => `unknown-${people}@people.test`, 0],
  ])("can be requested once a minute for an address %s an account, with the same answer", async (_, address, sent) => {
    await expect(sendRecovery({ email: address(), next: "/" })).resolves.toBeUndefined();
    await expect(sendRecovery({ email: address(), next: "/" })).rejects.toMatchObject({
      code: "too-many-requests",
      message: "Too many attempts. Try again in 60 seconds.",
    });
    expect(database.emails).toHaveLength(sent);
  });
});

describe("a password that was set before the address was confirmed", () => {
  // Auth stores a sign-up that it has asked to confirm, or an account made in its dashboard, in this way.
  const unconfirm = (sentAt: "now()" | "null") =>
    database.sql(`update auth.users set email_confirmed_at = null, confirmation_sent_at = ${sentAt} where email = $1`, [
      email,
    ]);
  const confirmByLink = async () => {
    const { fields } = await linkForPassword();
    expect(await confirmLink(emailLinkSchema.parse(fields))).toBe(true);
  };

  it("no longer works, and can be chosen again", async () => {
    await unconfirm("now()");
    await confirmByLink();
    await expect(signIn({ email, password })).rejects.toMatchObject({ code: "unauthenticated" });
    await choosePassword(password);
    await choosePassword(password);
    await signIn({ email, password });
  });

  it("still works if confirmation was never requested", async () => {
    await unconfirm("null");
    await confirmByLink();
    await signIn({ email, password });
  });
});

describe("changing the email address", () => {
  it("takes effect once its link is used, in any browser", async () => {
    const other = `new-${email}`;
    await changeEmail(await present(), other);
    expect(database.emails.map(({ to }) => to)).toEqual([other]);
    expect((await present()).email).toBe(email);
    const { pathname, fields } = linkOf(database.emails[0]);
    expect([pathname, fields.next]).toEqual(["/auth/confirm", "http://localhost:3000/account"]);
    cookies = new Map();
    expect(await confirmLink(emailLinkSchema.parse(fields))).toBe(true);
    expect((await present()).email).toBe(other);
    expect(database.emails).toHaveLength(2);
    expect(database.emails[0]).toMatchObject({ to: email, subject: "Your Signet email was changed" });
    expect(database.emails[0]?.html).toContain(`changed from ${email} to ${other}`);
    await expect(signIn({ email, password })).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("replaces the session of the browser in which the link is used, and no other", async () => {
    await changeEmail(await present(), `new-${email}`);
    const [before, phone] = [await present(), browsers.phone];
    const { fields } = linkOf(database.emails[0]);
    expect(await confirmLink(emailLinkSchema.parse(fields))).toBe(true);
    const { sessionId: own, userId } = await present();
    const open = await database.sql<{ id: string }>("select id from auth.sessions where user_id = $1", [userId]);
    cookies = phone;
    expect(open.map(({ id }) => id).toSorted()).toEqual([own, (await present()).sessionId].toSorted());
    expect(own).not.toBe(before.sessionId);
  });

  it("works even if the session that it replaces can't be ended", async () => {
    vi.spyOn(console, "error").mockImplementationOnce(() => undefined);
    await changeEmail(await present(), `new-${email}`);
    const { fields } = linkOf(database.emails[0]);
    await database.sql("alter function public.end_session rename to end_no_session");
    expect(await confirmLink(emailLinkSchema.parse(fields))).toBe(true);
    await database.sql("alter function public.end_no_session rename to end_session");
    expect((await present()).email).toBe(`new-${email}`);
  });

  it("to one that is taken gets the same answer, but no link and no effect", async () => {
    await database.signUp(`taken-${people}`);
    await expect(changeEmail(await present(), `taken-${people}@people.test`)).resolves.toBeUndefined();
    expect(database.emails).toEqual([]);
    expect((await present()).email).toBe(email);
  });

  it("is possible once a minute, for any address", async () => {
    await changeEmail(await present(), "one@people.test");
    await expect(changeEmail(await present(), "two@people.test")).rejects.toMatchObject({ code: "too-many-requests" });
  });
});

it.each([
  [true, { desk: false, phone: false }],
  [false, { desk: false, phone: true }],
])("signing out (everywhere: %s) leaves %j, and doesn't affect other people", async (everywhere, left) => {
  const other = await database.signUp(`stays-${people}`);
  await signOut({ everywhere });
  expect({ desk: await isSignedInOn("desk"), phone: await isSignedInOn("phone") }).toEqual(left);
  expect(await database.sql("select from auth.sessions where user_id = $1", [other.id])).toHaveLength(1);
});
