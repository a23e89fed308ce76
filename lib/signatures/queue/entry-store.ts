import type { CampaignOfTeam } from "@/lib/ids";
import type { Entry, What } from "@/lib/signatures/queue/entry";

/** What waits on this device, oldest first. Each entry has an item of its own, so that tabs cannot overwrite each other. */
export type EntryStore = {
  /** Loads what reads the entries of another page or tab; until then the store knows its own alone. */
  load: () => Promise<void>;
  /** The same array until something changes; for useSyncExternalStore. */
  entries: () => readonly Entry[];
  /** Reads again what other tabs may have changed. */
  reread: () => readonly Entry[];
  /** Adds one. `kept` is false when the browser keeps nothing: then it lasts as long as the page. */
  add: (what: What, id?: string) => { entry: Entry; kept: boolean };
  put: (entry: Entry) => void;
  remove: (id: string) => void;
  subscribe: (listener: () => void) => () => void;
};

const none: readonly Entry[] = [];

type ReadEntry = (kept: string, at: { id: string; order: number }) => Entry;

/** Whose entries and where: nobody else who uses the device sees or sends them. */
export const storeName = ({ userId, team, campaign }: CampaignOfTeam & { userId: string }) =>
  `${namePrefix(userId)}${team}/${campaign}`;
const namePrefix = (userId: string) => `signet:entries:${userId}:`;

const unsavedKeys = new Set<string>(); // of all stores of this page, for what the browser couldn't save

/** How many lines of a person, in any campaign, were not sent from this device, as far as the browser could save them or not. */
export function countUnsentLines(userId: string): UnsentLines {
  const prefix = namePrefix(userId);
  const isLine = ({ text }: { text: string }) => !/"kind":"(open|close)-sheet"/.test(text);
  return {
    saved: keptUnder(prefix).filter(isLine).length,
    unsaved: [...unsavedKeys].filter((key) => key.startsWith(prefix)).length,
  };
}

/** Lines that wait in this browser, and lines that it couldn't save. */
export type UnsentLines = { saved: number; unsaved: number };

/** Opens what the browser keeps under a name. On the server, and where the storage is switched off, it is empty. */
export function openEntryStore(name: string, readEntry: ReadEntry | null = null): EntryStore {
  const prefix = `${name}:`;
  const keyOf = ({ order, id }: Entry) => `${prefix}${order}:${id}`;
  const unkept = new Map<string, Entry>();
  const own = new Map<string, Entry>(); // by its text, as this page has written it
  let readKept = readEntry;
  const listeners = new Set<() => void>();
  let known: readonly Entry[] = none;
  let text = "";

  const read = () => {
    // The newer state of an entry that no longer fitted stands in `unkept`.
    const kept = keptUnder(prefix).flatMap(({ text, ...at }) => {
      if (unkept.has(at.id)) return [];
      return own.get(text) ?? readKept?.(text, at) ?? [];
    });
    const found = [...kept, ...unkept.values()].sort((a, b) => a.order - b.order);
    const now = JSON.stringify(found);
    if (now === text) return known;
    text = now;
    known = found;
    for (const listener of listeners) listener();
    return known;
  };

  const write = (entry: Entry) => {
    try {
      const text = JSON.stringify(entry);
      localStorage.setItem(keyOf(entry), text);
      own.set(text, entry);
      unkept.delete(entry.id);
      unsavedKeys.delete(keyOf(entry));
      return true;
    } catch {
      unkept.set(entry.id, entry);
      unsavedKeys.add(keyOf(entry));
      return false;
    }
  };

  return {
    load: async () => {
      // What reads them brings a schema library along: it comes after the page.
      readKept ??= (await import("@/lib/signatures/queue/read-entry")).readEntry;
      read();
    },
    entries: () => known,
    reread: read,
    add: (what, id = crypto.randomUUID()) => {
      const order = Math.max(Date.now(), ...read().map((entry) => entry.order + 1));
      const entry: Entry = { id, order, at: new Date().toISOString(), refused: null, what };
      const kept = write(entry);
      read();
      return { entry, kept };
    },
    put: (entry) => {
      // Not one that was removed meanwhile, by another tab or by the clerk.
      if (!read().some(({ id }) => id === entry.id)) return;
      write(entry);
      read();
    },
    remove: (id) => {
      for (const entry of read().filter((one) => one.id === id)) {
        unkept.delete(entry.id);
        unsavedKeys.delete(keyOf(entry));
        try {
          localStorage.removeItem(keyOf(entry));
        } catch {
          // Switched off: it was never in there.
        }
      }
      read();
    },
    subscribe: (listener) => {
      const onStorage = ({ key }: StorageEvent) => {
        if (key === null || key.startsWith(prefix)) read();
      };
      listeners.add(listener);
      window.addEventListener("storage", onStorage);
      return () => {
        listeners.delete(listener);
        window.removeEventListener("storage", onStorage);
      };
    },
  };
}

function keptUnder(prefix: string): { text: string; id: string; order: number }[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.flatMap((key) => {
      const [order = "", id = ""] = key.slice(prefix.length).split(":");
      const text = localStorage.getItem(key);
      return text === null ? [] : [{ text, id, order: Number(order) || 0 }];
    });
  } catch {
    return [];
  }
}
