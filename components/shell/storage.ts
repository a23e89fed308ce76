type Storage = "localStorage" | "sessionStorage";

/** What the browser has stored under a key; null if nothing can be read. */
export function readStored(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value, or removes it if it is null. Does nothing if storage is off or full. */
export function writeStored(storage: Storage, key: string, value: object | string | null) {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // off or full
  }
}
