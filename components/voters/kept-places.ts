/** City and county, which stay from one search to the next. */
export type KeptPlaces = { city: string; county: string };

const keyOf = (keptAs: string) => `signet:voters:${keptAs}`;

/** The city and county that this device keeps for a team or campaign; empty texts where it keeps none. */
export function readKeptPlaces(keptAs: string): KeptPlaces {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(keptAs)) ?? "null");
    return { city: textOf(kept, "city"), county: textOf(kept, "county") };
  } catch {
    return { city: "", county: "" };
  }
}

/** Keeps city and county on this device. Where the browser keeps nothing, they last as long as the page. */
export function keepPlaces(keptAs: string, { city, county }: KeptPlaces) {
  try {
    if (city.trim() === "" && county.trim() === "") localStorage.removeItem(keyOf(keptAs));
    else localStorage.setItem(keyOf(keptAs), JSON.stringify({ city, county }));
  } catch {
    // Storage is switched off or full.
  }
}

/** A text of what was kept, which may be anything; empty where there is none. */
export function textOf(kept: unknown, key: string) {
  if (typeof kept !== "object" || kept === null) return "";
  const text: unknown = Reflect.get(kept, key);
  return typeof text === "string" ? text.slice(0, 100) : "";
}
