import { dayIn } from "@/lib/format/days";

/** A team's locale, a BCP 47 tag, and its time zone, an IANA name. */
export type Region = { locale: string; timeZone: string };

/** A `day` is YYYY-MM-DD, or an ISO 8601 time, whose day in the zone it is. Each function works without its object. */
export type Format = ReturnType<typeof makeFormat>;

/** The region of texts without a team, and of new teams. */
export const defaultRegion: Region = { locale: "en-US", timeZone: "UTC" };
const formats = new Map<string, Format>();

/**
 * How numbers, days and times are written for a team; the same object for the same region. Without a team, and for a locale
 * that Intl doesn't know, as in en-US. `decimals`: how many numbers, shares and changes have.
 */
export function formatOf({ locale, timeZone }: Region = defaultRegion, decimals?: number): Format {
  const [supportedLocale = defaultRegion.locale] = Intl.DateTimeFormat.supportedLocalesOf(locale);
  const key = `${supportedLocale} ${timeZone} ${decimals}`;
  const format = formats.get(key) ?? makeFormat(supportedLocale, timeZone, decimals);
  formats.set(key, format);
  return format;
}

function makeFormat(locale: string, timeZone: string, decimals?: number) {
  const numbers = (options: Intl.NumberFormatOptions) => {
    const { format } = new Intl.NumberFormat(locale, options);
    return (value: number) => spacedBy("\u00a0", format(value)).replace("-", "−");
  };
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(locale, options);
    return (timestamp: string) => spacedBy(" ", format(new Date(timestamp)));
  };
  const month = dates({ month: "long", year: "numeric", timeZone: "UTC" });
  const shortMonth = dates({ month: "short", year: "numeric", timeZone: "UTC" });
  const weekday = dates({ weekday: "long", timeZone: "UTC" });
  const hour = dates({ hour: "numeric", timeZone: "UTC" });
  const dayWithoutYear = dates({ month: "short", day: "numeric", timeZone: "UTC" });
  const dayWithYear = dates({ dateStyle: "medium", timeZone: "UTC" });
  const dayOf = (day: string) => (/^\d{4}-\d\d-\d\d$/.test(day) ? day : dayIn(timeZone, day));

  const fixedDecimals = decimals !== undefined && { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const whole = numbers({ maximumFractionDigits: 2, maximumSignificantDigits: 3, roundingPriority: "morePrecision" });
  const percent = numbers({ style: "percent", maximumFractionDigits: 1, ...fixedDecimals });
  const rate = numbers({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, ...fixedDecimals });
  const almostAll = 1 - 10 ** -((decimals ?? 1) + 2);
  return {
    locale,
    timeZone,
    /** `Pacific Time` */
    zoneName: zoneName(timeZone),
    /** `50,000`; at most two decimals, three digits below one. */
    number: fixedDecimals ? numbers(fixedDecimals) : whole,
    /** `number` without fixed decimals, for counts and names. */
    whole,
    /** Where there is little room: `12K`, `1.5M`. */
    compact: numbers({ notation: "compact", maximumFractionDigits: 1 }),
    /** A share from 0 to 1: `66.7%`. Only 1 is `100%`. */
    percent: (share: number) => percent(share < 1 ? Math.min(share, almostAll) : share),
    /** A measured share from 0 to 1, with one decimal: `94.0%`. Only 1 is `100.0%`. */
    rate: (share: number) => rate(share < 1 ? Math.min(share, almostAll) : share),
    /** A difference, with its sign: `+12`, `−3`. */
    difference: numbers({ maximumFractionDigits: 2, signDisplay: "exceptZero", ...fixedDecimals }),
    /** `difference` without fixed decimals, for counts. */
    wholeDifference: numbers({ maximumFractionDigits: 2, signDisplay: "exceptZero" }),
    /** A difference as a share of what there was: `+12.5%`. */
    relativeChange: numbers({
      style: "percent",
      maximumFractionDigits: 1,
      signDisplay: "exceptZero",
      ...fixedDecimals,
    }),
    /** How many of something: `1 line`, `1,200 lines`. */
    count: (value: number, singular: string, plural = `${singular}s`) =>
      `${whole(value)} ${value === 1 ? singular : plural}`,
    /** `Sep 22, 2026` */
    day: (day: string) => dayWithYear(dayOf(day)),
    /** `Sep 22` in this year, otherwise as `day`. */
    shortDay: (day: string) => {
      const isoDay = dayOf(day);
      return isoDay.slice(0, 4) === dayIn(timeZone, new Date()).slice(0, 4)
        ? dayWithoutYear(isoDay)
        : dayWithYear(isoDay);
    },
    /** `Week of Sep 21, 2026`, by its first day. */
    week: (day: string) => `Week of ${dayWithYear(day)}`,
    /** `September 2026`, by its first day. */
    month,
    shortMonth,
    /** `Monday` for 1, `Sunday` for 7. */
    weekday: (number: number) => weekday(`2024-01-0${number}`),
    /** `7 PM` for 19. */
    hour: (number: number) => hour(`2024-01-01T${String(number).padStart(2, "0")}:00Z`),
    /** `7:18 PM` */
    time: dates({ timeStyle: "short", timeZone }),
    /** `Sep 22, 2026, 7:18 PM` */
    dateTime: dates({ dateStyle: "medium", timeStyle: "short", timeZone }),
    /** `Ada, Bea, and Cy`, like all text in English. */
    list: (words: string[]) => new Intl.ListFormat("en-US").format(words),
  };
}

function zoneName(timeZone: string) {
  if (timeZone === "UTC") return timeZone; // Intl says GMT+00:00
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longGeneric" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

// Intl's choice among the many spaces differs by version, and so between server and browser.
const spacedBy = (space: string, text: string) => text.replace(/\s/g, space);
