import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { demoPassword } from "../../scripts/demo-data/demo-data.ts";
import { siteUrl } from "./demo.ts";
import { connectToRedis } from "./epochs.ts";
import { sessionCookies } from "./session-cookies.ts";

/** Starts a real Chromium: that of CHROME_PATH, or the npm package. */
export async function startBrowser(): Promise<Browser> {
  // The package's own arguments switch off web security, and end the browser with its second context.
  const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath());
  return playwright.launch({ executablePath, args: ["--no-sandbox"] });
}

// The browser of a test file, from its first page on. A test's pages are closed after it.
let started: Promise<Browser> | undefined;
afterAll(async () => (await started)?.close());
afterEach(async ({ task }) => {
  if (task.concurrent) return; // others have theirs open
  for (const context of (await started)?.contexts() ?? []) await context.close();
});

// Violations of a page's Content-Security-Policy, which Chromium reports on the console.
const violations: string[] = [];
afterEach(() => expect(violations.splice(0)).toEqual([]));

export type PageOptions = {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  javaScriptEnabled?: boolean;
  /** A phone instead of a computer. */
  touch?: boolean;
};

/** A page in a new context, signed in as the person if one is named. Paths are relative to the running site. */
export async function openPage(
  email: string | null,
  { width = 1280, height = 800, colorScheme = "light", javaScriptEnabled = true, touch = false }: PageOptions = {},
) {
  started ??= startBrowser();
  const context = await (await started).newContext({
    baseURL: siteUrl,
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: "reduce",
  });
  context.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) violations.push(message.text());
  });
  if (email) {
    await forgetSearchLogins();
    const cookies = await sessionCookies(email);
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: siteUrl, sameSite: "Lax" as const })));
  }
  const page = await context.newPage();
  if (javaScriptEnabled) waitForReactIn(page);
  return page;
}

/** Fills in the sign-in form and sends it. */
export async function submitSignIn(page: Page, email: string, password = demoPassword) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

// Each context logs in to the search: tests open more browsers in a minute than the limit allows.
async function forgetSearchLogins() {
  const redis = connectToRedis();
  const counters = await redis.keys("rate:searchLogin:*");
  if (counters.length > 0) await redis.del(counters);
  redis.disconnect();
}

/** Makes `goto` and `reload` wait until React responds, because earlier key presses are lost. */
function waitForReactIn(page: Page) {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const isHydrated = () =>
    [...document.querySelectorAll("button, input:not([type=hidden]), select, textarea")].every((element) =>
      Object.keys(element).some((name) => name.startsWith("__reactProps$")),
    );
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    await page.waitForFunction(isHydrated);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await page.waitForFunction(isHydrated);
    return response;
  };
}
