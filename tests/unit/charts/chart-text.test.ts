import { readFileSync } from "node:fs";
import { describe, expect, it, test, vi } from "vitest";
import type { ColumnType, TimeUnit } from "@/lib/charts/definition/words";
import { axisGroupText, axisValueText, formatGroupValue, formatValue } from "@/lib/charts/display/chart-text";
import { formatOf } from "@/lib/format/format-of";

const losAngeles = formatOf({ locale: "en-US", timeZone: "America/Los_Angeles" });

test.each<[unknown, ColumnType, string]>([
  [null, "text", "not given"],
  ["", "text", "empty text"],
  ["null", "text", "null"],
  [" ", "text", " "],
  [true, "boolean", "yes"],
  [false, "boolean", "no"],
  [7, "number", "7"],
  [98030.5, "number", "98030.5"],
  [12345, "number", "12,345"],
  ["9007199254740993", "number", "9007199254740993"],
  ["2026-11-03", "date", "Nov 3, 2026"],
  ["2026-11-03", "text", "2026-11-03"],
  ["2026-11-03T07:30:00+00:00", "time", "Nov 2, 2026, 11:30 PM"],
  [["a", null, ""], "array", "a, not given, empty text"],
  [[], "array", "nothing"],
  [{ a: 1 }, "json", '{"a":1}'],
])("%j as %s reads %j", (value, type, text) => {
  expect(formatGroupValue(value, { type }, losAngeles)).toBe(text);
});

test.each<[string | number, TimeUnit, string, string]>([
  ["2026-09-21", "day", "Sep 21, 2026", "Sep 21"],
  ["2026-09-21", "week", "Week of Sep 21, 2026", "Sep 21"],
  ["2026-09-01", "month", "September 2026", "Sep 2026"],
  [1, "weekday", "Monday", "Monday"],
  [7, "weekday", "Sunday", "Sunday"],
  [0, "hour", "12 AM", "12 AM"],
  [19, "hour", "7 PM", "7 PM"],
])("%j as a %s reads %j, on an axis %j", (value, unit, text, onAxis) => {
  vi.setSystemTime("2026-12-01T12:00:00Z");
  const column = { type: typeof value === "number" ? "number" : "date", part: { of: "signed_on", unit } } as const;
  expect(formatGroupValue(value, column, losAngeles)).toBe(text);
  expect(axisGroupText(value, column, losAngeles)).toBe(onAxis);
  vi.useRealTimers();
});

test("omits this year from the dates of an axis", () => {
  vi.setSystemTime("2026-12-01T12:00:00Z");
  expect(axisGroupText("2026-11-03", { type: "date" }, losAngeles)).toBe("Nov 3");
  expect(axisGroupText("2025-11-03", { type: "date" }, losAngeles)).toBe("Nov 3, 2025");
  expect(axisGroupText(null, { type: "date" }, losAngeles)).toBe("not given");
  vi.useRealTimers();
});

test.each<[number | null, string]>([
  [null, "no value"],
  [11862, "11,862"],
])("the number %j reads %j", (value, text) => {
  expect(formatValue(value, losAngeles)).toBe(text);
});

test("shortens large numbers on an axis", () => {
  expect([9999, 12_000, 1_500_000].map((value) => axisValueText(value, losAngeles))).toEqual(["9,999", "12K", "1.5M"]);
});

// The palette of the style sheet, as seen with each kind of color vision (Machado and others, 2009).
describe("the colors of series", () => {
  const css = readFileSync("app/globals.css", "utf8");
  const visions = {
    "all colors": [1, 0, 0, 0, 1, 0, 0, 0, 1],
    "no red": [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    "no green": [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    "no blue": [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  };
  const names = ["1", "2", "3", "4", "5", "6", "other"].map((name) => `--chart-${name}`);

  // Matrices of OKLab, row by row: its cone responses from its coordinates, linear RGB from those, and back.
  const conesOfLab = [1, 0.3963377774, 0.2158037573, 1, -0.1055613458, -0.0638541728, 1, -0.0894841775, -1.291485548];
  const rgbOfCones = [
    4.0767416621, -3.3077115913, 0.2309699292, -1.2684380046, 2.6097574011, -0.3413193965, -0.0041960863, -0.7034186147,
    1.707614701,
  ];
  const conesOfRgb = [
    0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
    0.6299787005,
  ];
  const labOfCones = [
    0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662,
    -0.808675766,
  ];
  const times = (matrix: number[], color: number[]) =>
    [0, 3, 6].map((row) => color.reduce((sum, part, index) => sum + part * (matrix[row + index] ?? 0), 0));
  const clamped = (color: number[]) => color.map((part) => Math.min(1, Math.max(0, part)));
  const light = (color: number[]) =>
    clamped(color).reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

  describe.each([
    ["light", 1],
    ["dark", 2],
  ])("%s", (_scheme, place) => {
    const token = (name: string) => {
      const colors = new RegExp(`${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(css);
      const [l = 0, c = 0, h = 0] = (colors?.[place] ?? "").split(" ").map(Number);
      const cones = times(conesOfLab, [l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]);
      return times(
        rgbOfCones,
        cones.map((part) => part ** 3),
      );
    };

    it.each(names)("%s has a contrast of 3:1 to the background", (name) => {
      for (const background of ["--background", "--muted"]) {
        const [dark = 0, bright = 0] = [light(token(name)), light(token(background))].sort((a, b) => a - b);
        expect((bright + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(3);
      }
    });

    it.each(Object.entries(visions))("are distinguishable with %s", (_vision, matrix) => {
      const seen = names.map((name) =>
        times(labOfCones, times(conesOfRgb, clamped(times(matrix, token(name)))).map(Math.cbrt)),
      );
      const distances = seen.flatMap((a, index) =>
        seen.slice(0, index).map((b) => Math.hypot(...a.map((part, i) => part - (b[i] ?? 0)))),
      );
      expect(Math.min(...distances)).toBeGreaterThan(0.08); // in OKLab; an eye distinguishes about 0.02
    });
  });
});
