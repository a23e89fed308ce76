import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { demoPassword } from "../../../scripts/demo-data/demo-data.ts";
import { openPage, submitSignIn } from "../../support/browser.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const { people } = await createOwnTeam({ clerk: { team: "Field team" } });
const clerkEmail = people.clerk.email;
const tooOften = /Too many attempts\. Try again in \d+ seconds?\./;

async function signIn(page: Page) {
  await page.goto("/login");
  await submitSignIn(page, clerkEmail);
  await signedIn(page);
}
const signedIn = (page: Page) => page.getByRole("heading", { level: 1, name: "Your teams" }).waitFor();

test("repeated failures of a stranger slow down an address, but not in a browser that signed in before", async () => {
  const clerk = await openPage(null);
  await signIn(clerk);
  await clerk.context().clearCookies({ name: /^sb-/ });

  const stranger = await openPage(null);
  await stranger.goto("/login");
  const alert = stranger.getByRole("alert").filter({ hasText: /\. / }).first();
  const attempt = async (password: string) => {
    const answered = stranger.waitForResponse((response) => response.request().method() === "POST");
    await submitSignIn(stranger, clerkEmail, password);
    await answered;
    return alert.textContent();
  };
  expect(await attempt("a guess")).toContain("Wrong email or password");
  // On a slow machine the wait can end before the next attempt; it grows with each failure.
  await expect.poll(() => attempt("a guess"), { timeout: 40_000 }).toMatch(tooOften);
  const refusal = (await attempt(demoPassword)) ?? "";
  expect(refusal).toMatch(tooOften);
  expect(await stranger.context().cookies()).toEqual([]);

  await signIn(clerk);

  // The address is never locked: after the named seconds the right password works everywhere.
  await stranger.waitForTimeout(1_000 * Number(/\d+/.exec(refusal)));
  await submitSignIn(stranger, clerkEmail);
  await signedIn(stranger);
});
