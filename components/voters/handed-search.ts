let handed: string | null = null;

/** Told to the window when a text was handed over, for a page of voters that is open already. */
export const searchHanded = "signet:search-handed";

/**
 * Hands a text to the page of voters that is opened next, or is open: by neither the address nor the device, for it can be
 * somebody's name.
 */
export function handSearch(text: string) {
  handed = text;
  window.dispatchEvent(new Event(searchHanded));
}

/** The text that was handed over, once; null when there is none. */
export function takeHandedSearch(): string | null {
  queueMicrotask(() => {
    handed = null; // not at once: in development an effect that takes it runs twice
  });
  return handed;
}
