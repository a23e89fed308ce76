type Storage = "localStorage" | "sessionStorage";

/** What the browser stores under a key; null where it stores nothing that can be read. */
export function readStored(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value, and with null removes it. Where storage is off or full, nothing happens. */
export function writeStored(storage: Storage, key: string, value: object | string | null) {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // off or full
  }
}
