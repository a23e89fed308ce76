import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Expects that axe finds nothing on the page, and that nothing is cut off at its side. */
export async function expectAxeClean(page: Page) {
  // Waits for content that appears late.
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".appear-late")].every((element) => getComputedStyle(element).opacity === "1"),
  );
  // Colors change between light and dark in a transition.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
  // On pages without frames, the legacy mode finds the same and needs no extra page.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect(content).toBeLessThanOrEqual(view ?? 0);
}

/** The same, light and dark, wide and on a phone; ends light and wide. */
export async function expectAxeCleanInAllLooks(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAxeClean(page);
    }
  }
}
