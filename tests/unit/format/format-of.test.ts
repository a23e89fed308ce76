import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { dayIn } from "@/lib/format/days";
import { formatOf } from "@/lib/format/format-of";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const timestamp = "2026-09-23T02:18:00.000Z";
const american = formatOf({ locale: "en-US", timeZone: "America/Los_Angeles" });
const german = formatOf({ locale: "de-DE", timeZone: "Europe/Berlin" });
const french = formatOf({ locale: "fr-FR", timeZone: "UTC" });

describe("numbers", () => {
  test.each([
    [0, "0", "0"],
    [50_000, "50,000", "50.000"],
    [1_234_567, "1,234,567", "1.234.567"],
    [-1_234.5, "−1,234.5", "−1.234,5"],
    [12.345_678, "12.35", "12,35"],
    [0.000_123_456, "0.000123", "0,000123"],
    [0.999_9, "1", "1"],
  ])("writes %j as %s in America and %s in Germany", (value, inAmerica, inGermany) => {
    expect(american.number(value)).toBe(inAmerica);
    expect(german.number(value)).toBe(inGermany);
  });

  test("use the same non-breaking space between thousands in each version of Intl", () => {
    expect(french.number(50_000)).toBe("50\u00a0000");
  });

  test("have a short form", () => {
    expect([12_000, 1_500_000].map(american.compact)).toEqual(["12K", "1.5M"]);
    expect(german.compact(1_500_000)).toBe("1,5\u00a0Mio.");
  });

  test("round shares down, so that only all is 100%", () => {
    expect([0, 0.237, 0.9999, 1, 1.5].map(american.percent)).toEqual(["0%", "23.7%", "99.9%", "100%", "150%"]);
    expect([0.94, 0.9999, 1].map(american.rate)).toEqual(["94.0%", "99.9%", "100.0%"]);
    expect(german.percent(0.237)).toBe("23,7\u00a0%");
  });

  test("have a plural in counts", () => {
    const counts = [1, 2, 0, 1200].map((value) => american.count(value, "group"));
    expect(counts).toEqual(["1 group", "2 groups", "0 groups", "1,200 groups"]);
    expect(german.count(3, "series", "series")).toBe("3 series");
  });
});

describe("days and times", () => {
  test("use the team's time zone and locale", () => {
    const texts = ({ day, time, dateTime }: typeof american) => [day(timestamp), time(timestamp), dateTime(timestamp)];
    expect(texts(american)).toEqual(["Sep 22, 2026", "7:18 PM", "Sep 22, 2026, 7:18 PM"]);
    expect(texts(german)).toEqual(["23.09.2026", "04:18", "23.09.2026, 04:18"]);
  });

  test("use a plain space, whichever a version of Intl writes", () => {
    const real = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format") ?? {};
    const narrow = { ...real, get: () => () => "7:18\u202fPM" };
    onTestFinished(() => void Object.defineProperty(Intl.DateTimeFormat.prototype, "format", real));
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", narrow);
    expect(formatOf({ locale: "en-US", timeZone: "America/Denver" }).time(timestamp)).toBe("7:18 PM");
  });

  test("show a date without a time the same in each time zone", () => {
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
      expect(formatOf({ locale: "en-US", timeZone }).day("2026-09-22")).toBe("Sep 22, 2026");
  });

  test("omit only this year, in the team's time zone and in the short form", () => {
    vi.setSystemTime("2027-01-01T07:59:00Z");
    expect(american.shortDay("2026-09-22")).toBe("Sep 22");
    expect(american.shortDay(timestamp)).toBe("Sep 22");
    expect(american.shortDay("2027-01-01T08:00:00Z")).toBe("Jan 1, 2027");
    expect(german.shortDay("2026-09-22")).toBe("22.09.2026");
    vi.setSystemTime("2027-01-01T08:00:00Z");
    expect(american.shortDay("2026-09-22")).toBe("Sep 22, 2026");
  });

  test.each([
    ["2026-11-01T06:59:00Z", "2026-10-31"],
    ["2026-11-01T07:00:00Z", "2026-11-01"],
    [new Date("2026-11-02T07:59:00Z"), "2026-11-01"],
  ])("put %s on %s in Los Angeles", (moment, day) => {
    expect(dayIn("America/Los_Angeles", moment)).toBe(day);
  });
});

test("lists words", () => {
  for (const format of [american, french]) expect(format.list(["“A”", "“B”", "“C”"])).toBe("“A”, “B”, and “C”");
  expect(american.list(["“A”"])).toBe("“A”");
});

describe("the locale", () => {
  test("is en-US, with the time zone UTC, without a team", () => {
    expect(formatOf()).toBe(formatOf({ locale: "en-US", timeZone: "UTC" }));
    expect(formatOf().dateTime(timestamp)).toBe("Sep 23, 2026, 2:18 AM");
  });

  test.each(["qq", "zzz-Zzzz-999", "xx-YY", "und"])("%s, which Intl doesn't know, is replaced by en-US", (locale) => {
    expect(formatOf({ locale, timeZone: "Europe/Berlin" })).toBe(
      formatOf({ locale: "en-US", timeZone: "Europe/Berlin" }),
    );
  });

  test("is given to Intl once for each region", () => {
    const region = { locale: "nl-NL", timeZone: "Europe/Amsterdam" };
    const first = formatOf(region);
    const texts = () => [first.number(1), first.shortDay("2020-09-22"), first.day(timestamp)];
    const before = texts();
    const numbers = vi.spyOn(Intl, "NumberFormat");
    const dates = vi.spyOn(Intl, "DateTimeFormat");
    expect(formatOf({ ...region })).toBe(first);
    expect(texts()).toEqual(before);
    expect([numbers.mock.calls, dates.mock.calls]).toEqual([[], []]);
  });
});

test("has as many decimals as are asked for, except in counts of things", () => {
  const exact = formatOf({ locale: "en-US", timeZone: "UTC" }, 2);
  const written = [exact.number(3), exact.percent(0.99996), exact.difference(2), exact.relativeChange(0.5)];
  expect(written).toEqual(["3.00", "99.99%", "+2.00", "+50.00%"]);
  expect([exact.whole(12_500), exact.count(3, "line")]).toEqual(["12,500", "3 lines"]);
  expect(formatOf({ locale: "en-US", timeZone: "UTC" }, 0).percent(0.666)).toBe("67%");
});

test("names the zone UTC as such", () => {
  expect([french.zoneName, american.zoneName]).toEqual(["UTC", "Pacific Time"]);
});
