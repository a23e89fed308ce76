import { readStored, writeStored } from "@/components/shell/storage";
import { fieldNames, noTexts, type VoterTexts } from "@/lib/voters/voter-query";

// Where the browser's storage is off or full, a search lasts as long as the page.

export type SavedSearch = { box: string; fields: VoterTexts };
export type SavedPlaces = { city: string; county: string };

const placesKey = (savedAs: string) => `signet:voters:${savedAs}`;
const searchKey = (savedAs: string) => `signet:search:${savedAs}`;

/** The city and county that this device saves for a team or campaign; empty where it saves none. */
export function readPlaces(savedAs: string): SavedPlaces {
  const saved = readStored("localStorage", placesKey(savedAs));
  return { city: textOf(saved, "city"), county: textOf(saved, "county") };
}

export function savePlaces(savedAs: string, { city, county }: SavedPlaces) {
  const isEmpty = city.trim() === "" && county.trim() === "";
  writeStored("localStorage", placesKey(savedAs), isEmpty ? null : { city, county });
}

/** Saves a search in this tab while someone signs in again. */
export function saveSearch(savedAs: string, { box, fields }: SavedSearch) {
  writeStored("sessionStorage", searchKey(savedAs), { box, ...fields });
}

/** Returns and removes the saved search; null where there is none. */
export function takeSearch(savedAs: string): SavedSearch | null {
  const saved = readStored("sessionStorage", searchKey(savedAs));
  if (saved === null) return null;
  writeStored("sessionStorage", searchKey(savedAs), null);
  const fields = Object.fromEntries(fieldNames.map((name) => [name, textOf(saved, name)]));
  return { box: textOf(saved, "box"), fields: { ...noTexts, ...fields } };
}

function textOf(saved: unknown, key: string) {
  if (typeof saved !== "object" || saved === null) return "";
  const text: unknown = Reflect.get(saved, key);
  return typeof text === "string" ? text.slice(0, 100) : "";
}

let handed: string | null = null;

/** The event by which a voters page that is already open learns of a text. */
export const searchHanded = "signet:search-handed";

/** Passes a text to the voters page that is open or opens next. Not in the address, where names would stay. */
export function handSearch(text: string) {
  handed = text;
  window.dispatchEvent(new Event(searchHanded));
}

/** Returns the passed text once; null when there is none. */
export function takeHandedSearch(): string | null {
  queueMicrotask(() => {
    handed = null; // not at once: in development React runs effects twice
  });
  return handed;
}
