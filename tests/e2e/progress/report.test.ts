import { expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";

const path = "/riverside/campaign/clean-water/report";

test("the report prints on one page of either size, light, and without the navigation", async () => {
  const page = await openPage("admin@demo.test");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/riverside/campaign/clean-water");
  await page.getByRole("link", { name: "Report" }).click();
  await page.getByRole("heading", { level: 1, name: "Report" }).waitFor();
  // Makes the report as long as with the requirements of an official check and county targets.
  const method = page.getByRole("heading", { name: "Method" }).first();
  await method.evaluate(({ parentElement: part }) => part?.after(part.cloneNode(true)));
  const sentence = page.getByRole("region", { name: "Forecast" }).getByRole("paragraph").last();
  await sentence.evaluate((text) => text.after(...[1, 2, 3].map(() => text.cloneNode(true))));
  for (const format of ["Letter", "A4"]) {
    const pdf = (await page.pdf({ format, printBackground: true, preferCSSPageSize: true })).toString("latin1");
    expect([format, pdf.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([format, 1]);
  }
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(background).toBe("lab(100 0 0)");
  expect(await page.getByRole("navigation").or(page.getByRole("banner")).filter({ visible: true }).count()).toBe(0);
  for (const part of ["Total valid signatures", "Recently entered", "Circulators", "Data quality", "Method"]) {
    expect(await page.getByRole("heading", { name: part }).first().isVisible()).toBe(true);
  }
});

test("people without signatures.view get the report without circulators and error rates", async () => {
  const page = await openPage("canvasser@demo.test");
  await page.goto(path);
  await page.getByRole("heading", { name: "Data quality" }).waitFor();
  expect(await page.getByText(/second entry/).count()).toBe(0);
  expect(await page.getByRole("heading", { name: "Circulators" }).count()).toBe(0);
});
