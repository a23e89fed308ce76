import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Axe finds nothing on the page as it is, and nothing of it is cut off at its side. */
export async function expectAxeClean(page: Page) {
  // What shows late is not to be read before it is there.
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".appear-late")].every((element) => getComputedStyle(element).opacity === "1"),
  );
  // Nor is a color on its way from light to dark.
  await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)));
  // Without frames, the legacy mode finds the same and needs no page of its own.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(content).toBeLessThanOrEqual(view ?? 0);
}

/** The same, light and dark, wide and on a phone; it is light and wide again after. */
export async function expectAxeCleanInAllLooks(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAxeClean(page);
    }
  }
}
