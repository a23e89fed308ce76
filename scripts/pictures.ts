import { mkdirSync } from "node:fs";
import chromium from "@sparticuz/chromium";
import { type Page, chromium as playwright } from "playwright-core";
import { logProgress, readArguments, runScript } from "./cli.ts";
import { readDemoEnv } from "./local-stack/local-folder.ts";
import { sessionCookies } from "./local-stack/session-cookies.ts";

const usage = `npm run pictures

Takes screenshots of signature entry and of a campaign's overview in the running demo, light and dark, and saves them in
docs/pictures. CHROME_PATH is the browser to use; by default it's the one that npm installed.`;
readArguments(usage, {});

const campaign = "/riverside/campaign/clean-water";

async function showEntry(page: Page) {
  await page.goto(`${campaign}/signatures`, { waitUntil: "networkidle" });
  const sheetNumber = page.locator("input[name=sheet]");
  const lastName = page.locator("input[data-field=lastName]");
  await sheetNumber.or(lastName).waitFor();
  if (await sheetNumber.isVisible())
    await page
      .getByRole("button", { name: /^Resume sheet/ })
      .last()
      .click();
  await lastName.pressSequentially("garcia", { delay: 50 });
  await page.getByRole("option").first().waitFor();
}

async function showOverview(page: Page) {
  await page.goto(campaign, { waitUntil: "networkidle" });
}

const screens = [
  { name: "entry", email: "clerk@demo.test", show: showEntry },
  { name: "overview", email: "admin@demo.test", show: showOverview },
];

await runScript(async () => {
  const env = readDemoEnv();
  mkdirSync("docs/pictures", { recursive: true });
  const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath());
  const browser = await playwright.launch({ executablePath, args: ["--no-sandbox"] });
  for (const { name, email, show } of screens) {
    const cookies = await sessionCookies(env, email);
    for (const colorScheme of ["light", "dark"] as const) {
      const baseURL = env.SITE_URL ?? "";
      const viewport = { width: 1280, height: 800 };
      const context = await browser.newContext({ baseURL, viewport, colorScheme, reducedMotion: "reduce" });
      await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: baseURL, sameSite: "Lax" as const })));
      const page = await context.newPage();
      await show(page);
      await page.waitForTimeout(1_000); // until the last numbers are shown
      const path = `docs/pictures/${name}-${colorScheme}.png`;
      await page.screenshot({ path });
      logProgress(path);
      await context.close();
    }
  }
  await browser.close();
});
