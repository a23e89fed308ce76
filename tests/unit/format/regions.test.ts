import { describe, expect, test } from "vitest";
import { isLocale, isTimeZone, localeChoices, timeZoneChoices } from "@/lib/format/regions";

describe("locales", () => {
  test.each([
    ["en-US", true],
    ["es-419", true],
    ["zh-Hant-TW", true],
    ["en_US", false],
    ["EN-us", false],
    ["english", false],
    ["xx-XX", false],
    ["", false],
  ])("%j is valid: %s", (tag, known) => expect(isLocale(tag)).toBe(known));

  test("offer only valid locales, each with its own name, including the current one", () => {
    const choices = localeChoices("ak-GH");
    expect(choices.filter(({ id }) => !isLocale(id))).toEqual([]);
    expect(new Set(choices.map(({ name }) => name)).size).toBe(choices.length);
    expect(choices).toContainEqual({ id: "ak-GH", name: "Akan (Ghana)" });
    expect(choices).toContainEqual({ id: "en-US", name: "English (United States)" });
  });
});

describe("time zones", () => {
  test.each([
    ["UTC", true],
    ["America/Argentina/Buenos_Aires", true],
    ["Mars/Olympus", false],
    ["", false],
  ])("%j is valid: %s", (name, known) => expect(isTimeZone(name)).toBe(known));

  test("are grouped by part of the world, including UTC and the current one", () => {
    const zones = timeZoneChoices("US/Pacific");
    expect([...zones.keys()][0]).toBe("United States");
    expect(zones.get("United States")).toContainEqual({ id: "America/Denver", name: "Mountain Time (Denver)" });
    const ids = [...zones.values()].flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(zones.get("Asia")).toContainEqual({ id: "Asia/Kolkata", name: "Kolkata" });
    expect(ids).not.toContain("Asia/Calcutta");
    expect(zones.get("World")).toEqual([{ id: "UTC", name: "UTC" }]);
    expect(zones.get("US")).toEqual([{ id: "US/Pacific", name: "Pacific" }]);
    expect(zones.get("America")).toContainEqual({ id: "America/North_Dakota/Beulah", name: "North Dakota, Beulah" });
    expect(zones.get("Antarctica")).toContainEqual({ id: "Antarctica/DumontDUrville", name: "Dumont d'Urville" });
  });
});
