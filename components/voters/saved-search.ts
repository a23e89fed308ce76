import { readStored, writeStored } from "@/components/shell/storage";
import type { Voter } from "@/lib/voters/read-hit";
import {
  columnNames,
  emptyFields,
  fieldNames,
  filledFields,
  maxHits,
  pageSize,
  type SearchFields,
  type VoterQuery,
} from "@/lib/voters/voter-query";

// Where the browser's storage is off or full, a search lasts as long as the page.

type TypedSearch = { box: string; fields: SearchFields };
export type SavedArea = { city: string; county: string };

const placesKey = (storageKey: string) => `signet:voters:${storageKey}`;

/** The city and county that this device saves for a team or campaign; empty where it saves none. */
export function readSavedArea(storageKey: string): SavedArea {
  const saved = readStored("localStorage", placesKey(storageKey));
  return { city: textOf(saved, "city"), county: textOf(saved, "county") };
}

export function saveArea(storageKey: string, { city, county }: SavedArea) {
  const isEmpty = city.trim() === "" && county.trim() === "";
  writeStored("localStorage", placesKey(storageKey), isEmpty ? null : { city, county });
}

function textOf(saved: unknown, key: string) {
  if (typeof saved !== "object" || saved === null) return "";
  const text: unknown = Reflect.get(saved, key);
  return typeof text === "string" ? text.slice(0, 100) : "";
}

/** A search with its place in the results. `readAs` is the position of the box's reading; `openId` the open voter's ID. */
export type SharedSearch = TypedSearch & Pick<VoterQuery, "order" | "from"> & { readAs: number; openId: string };

/**
 * A search as the fragment of an address (`#q=ada+smith`), so that Reload, Back and links lead to it. Browsers don't send
 * fragments, so no server or log gets a name.
 */
export function toUrlFragment({ box, fields, order, from, readAs, openId }: SharedSearch): string {
  if (box.trim() === "" && filledFields(fields).length === 0) return "";
  const parts = new URLSearchParams(filledFields(fields).map((name) => [name, fields[name].trim()]));
  if (box.trim() !== "") parts.set("q", box.trim());
  if (readAs > 0) parts.set("as", `${readAs}`);
  if (order.descending || order.column !== "lastName")
    parts.set("order", `${order.descending ? "-" : ""}${order.column}`);
  if (from > 0) parts.set("from", `${from}`);
  if (openId !== "") parts.set("open", openId);
  return `#${parts}`;
}

/** The URL fragment that makes the entry screen fill in a voter. */
export function fragmentOfNames({ lastName = "", firstName = "", houseNumber = "" }: Voter): string {
  return `#${new URLSearchParams({ lastName, firstName, houseNumber })}`;
}

/** The search in a fragment; null where there is none. What it doesn't know is ignored. */
export function readFragment(fragment: string): SharedSearch | null {
  const parts = new URLSearchParams(fragment.slice(1));
  const textAt = (name: string, maxLength: number) => (parts.get(name) ?? "").slice(0, maxLength);
  const numberAt = (name: string) => Number(/^\d{1,4}$/.exec(parts.get(name) ?? "")?.[0] ?? 0);
  const fields = { ...emptyFields };
  for (const name of fieldNames) fields[name] = textAt(name, 100);
  const box = textAt("q", 300);
  if (box === "" && filledFields(fields).length === 0) return null;
  const order = textAt("order", 20);
  const column = columnNames.find((name) => order === name || order === `-${name}`);
  const from = numberAt("from");
  return {
    box,
    fields,
    readAs: numberAt("as"),
    openId: textAt("open", 100),
    order: { column: column ?? "lastName", descending: column !== undefined && order.startsWith("-") },
    from: from % pageSize === 0 && from + pageSize <= maxHits ? from : 0,
  };
}

let passedText: string | null = null;

/** The event that notifies an open voters page of a passed text. */
export const searchPassedEvent = "signet:search-passed";

/** Passes a text to the voters page that is open or opens next. Not in the URL, where names would stay. */
export function passSearch(text: string) {
  passedText = text;
  window.dispatchEvent(new Event(searchPassedEvent));
}

/** Returns the passed text once; null when there is none. */
export function takePassedSearch(): string | null {
  queueMicrotask(() => {
    passedText = null; // not at once: in development React runs effects twice
  });
  return passedText;
}
