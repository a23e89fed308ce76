import { localePattern } from "@/lib/patterns";

// The locales that teams are likely to choose. Any other that Intl knows can be stored too.
const usualLocales =
  "en-US en-CA en-GB en-AU en-NZ en-IE en-IN es-US es-MX es-ES es-419 fr-CA fr-FR fr-BE fr-CH de-DE de-AT de-CH it-IT it-CH nl-NL nl-BE pt-BR pt-PT da-DK sv-SE nb-NO fi-FI is-IS pl-PL cs-CZ sk-SK sl-SI hr-HR hu-HU ro-RO bg-BG el-GR et-EE lv-LV lt-LT uk-UA tr-TR ja-JP ko-KR zh-Hant-TW zh-Hans-CN vi-VN fil-PH".split(
    " ",
  );

// Where most campaigns are. People there know their time zone by its name, not by a city.
const namedZones: Record<string, string> = {
  "America/New_York": "Eastern Time",
  "America/Chicago": "Central Time",
  "America/Denver": "Mountain Time",
  "America/Phoenix": "Arizona",
  "America/Los_Angeles": "Pacific Time",
  "America/Anchorage": "Alaska",
  "Pacific/Honolulu": "Hawaii",
};

// Intl lists these cities by their former names.
const formerCities = "Calcutta Godthab Katmandu Kiev Rangoon Saigon".split(" ");
const currentCities = "Kolkata Nuuk Kathmandu Kyiv Yangon Ho_Chi_Minh".split(" ");

type Choice = { id: string; name: string };

/** Whether Intl knows a time zone. It also accepts offsets and short forms such as `PST`, which PostgreSQL refuses. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Whether Intl supports a locale: language, script and region of BCP 47, as `public.teams` requires. */
export function isLocale(tag: string): boolean {
  return localePattern.test(tag) && Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
}

/** The time zones to choose from, including the current one: those of the United States, then others by part of the world. */
export function timeZoneChoices(current: string): Map<string, Choice[]> {
  const known = Intl.supportedValuesOf("timeZone").map((id) =>
    id.replace(/[^/]+$/, (city) => currentCities[formerCities.indexOf(city)] ?? city),
  );
  const ids = [...new Set(["UTC", current, ...known])].sort();
  const named = Object.entries(namedZones).map(([id, name]) => ({ id, name: `${name} (${zonePlace(id)})` }));
  const others = ids.filter((id) => !(id in namedZones));
  const byPart = Map.groupBy(others, (id) => (id.includes("/") ? id.slice(0, id.indexOf("/")) : "World"));
  return new Map([
    ["United States", named],
    ...[...byPart].map(([part, ids]) => [part, ids.map((id) => ({ id, name: zonePlace(id) }))] as const),
  ]);
}

/** The place that a time zone is named after: `New York`, `Indiana, Knox`. */
export function zonePlace(id: string): string {
  const place = id.slice(id.indexOf("/") + 1).replaceAll("/", ", ");
  return place
    .replaceAll("_", " ")
    .replace(/^St (?=[A-Z])/, "St. ")
    .replace("DumontDUrville", "Dumont d'Urville");
}

const languages = new Intl.DisplayNames("en-US", { type: "language", languageDisplay: "standard" });

/** `English (United States)` */
export const localeName = (id: string): string => languages.of(id) ?? id;

/** The locales to choose from, including the current one, by name. */
export function localeChoices(current: string): Choice[] {
  return [...new Set([current, ...usualLocales])]
    .map((id) => ({ id, name: localeName(id) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
