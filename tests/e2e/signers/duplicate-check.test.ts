import { afterAll, beforeAll, expect, test } from "vitest";
import { hiddenFieldsOf } from "../../../harness/member-form.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { openPage } from "../../support/browser.ts";
import { siteUrl, syncSigners } from "../../support/demo.ts";
import { insertLine } from "../../support/entry-screen.ts";
import { connectToRedis } from "../../support/epochs.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const own = await createOwnTeam({
  admin: { team: "Administrator" },
  clerk: { team: "Field team", campaign: "Signature clerk" },
});
const { admin, clerk } = own.people;
const set = signersKey(own.campaign);
const redis = connectToRedis();

beforeAll(async () => {
  for (const line of [1, 2, 3]) {
    await insertLine(own, { sheet: 1, line, verdict: "accepted", voter_id: `V-${line}` });
  }
  await syncSigners();
});
afterAll(async () => {
  redis.disconnect();
});

test("an administrator rebuilds the duplicate check by keyboard and sees what differed", async () => {
  const page = await openPage(admin.email);
  await page.goto(own.path);
  const check = page.getByRole("region", { name: "Duplicate check" });
  await check.getByText(/^3 signers, last updated \w/).waitFor();
  await redis.srem(set, "V-1");
  await redis.sadd(set, "stranger", "another");
  await check.getByRole("button", { name: "Rebuild duplicate check" }).focus();
  await page.keyboard.press("Enter");
  await check.getByText("3 lines checked: 1 missing signer added, 2 signers without a valid line removed.").waitFor();
  expect(await redis.smismember(set, "V-1", "stranger", "another")).toEqual([1, 0, 0]);
  await check.getByText(/^3 signers, last updated \w/).waitFor();
  await expectAxeClean(page);
});

test("people who can't remove others' lines don't see the button, and calling the action directly is refused", async () => {
  const page = await openPage(clerk.email);
  await page.goto(own.path);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await page.getByText("Duplicate check").count()).toBe(0);

  const address = siteUrl + own.path;
  const html = await (await fetch(address, { headers: { cookie: await cookieOf(admin.email) } })).text();
  const form = html.match(/<form\b.*?<\/form>/gs)?.find((form) => form.includes("Rebuild")) ?? "";
  const body = new FormData();
  for (const [name, value] of hiddenFieldsOf(form)) body.append(name, value);
  expect([...body.keys()]).toEqual(expect.arrayContaining(["team", "campaign"]));
  await redis.sadd(set, "stranger");
  for (const email of [clerk.email, "hill@demo.test", null]) {
    const headers = { cookie: await cookieOf(email), origin: siteUrl };
    const response = await fetch(address, { method: "POST", headers, body, redirect: "manual" });
    expect([email, await response.text()]).toEqual([email, expect.not.stringContaining("Rebuilt")]);
    expect([email, await redis.sismember(set, "stranger")]).toEqual([email, 1]);
  }
});
