import type { CampaignOfTeam } from "@/lib/ids";
import type { Change, OutboxItem } from "@/lib/signatures/outbox/outbox";
import type { EntryDraft } from "@/lib/signatures/outbox/read-saved";

/** The outbox of this device, oldest item first. Each item has its own key, so that tabs can't overwrite each other. */
export type Outbox = {
  /** Loads what parses the items of earlier pages and other tabs; until then only this page's are known. */
  load: () => Promise<void>;
  /** Returns one array until something changes, as useSyncExternalStore needs. */
  items: () => readonly OutboxItem[];
  /** Reads again what other tabs may have changed. */
  reread: () => readonly OutboxItem[];
  /** Adds one. If the browser can't save it, it lasts as long as the page. */
  add: (change: Change, id?: string) => { item: OutboxItem; isSaved: boolean };
  update: (item: OutboxItem) => void;
  remove: (id: string) => void;
  subscribe: (listener: () => void) => () => void;
};

const none: readonly OutboxItem[] = [];

type ReadItem = (saved: string, position: { id: string; order: number }) => OutboxItem;

/** Named by person and place: no one else who uses the device sees or sends these items. */
export const outboxName = ({ userId, team, campaign }: CampaignOfTeam & { userId: string }) =>
  `${namePrefix(userId)}${team}/${campaign}`;
const namePrefix = (userId: string) => `signet:entries:${userId}:`;

const unsavedKeys = new Set<string>(); // of all outboxes of this page

/** Lines that aren't sent yet: saved in this browser, or lost with the page. */
export type UnsentLines = { saved: number; unsaved: number };

/** Counts a person's unsent lines on this device, in all campaigns. */
export function countUnsentLines(userId: string): UnsentLines {
  const prefix = namePrefix(userId);
  const isLine = ({ text }: { text: string }) => !/"kind":"(open|close)-sheet"/.test(text);
  return {
    saved: savedUnder(prefix).filter(isLine).length,
    unsaved: [...unsavedKeys].filter((key) => key.startsWith(prefix)).length,
  };
}

/** Opens an outbox. On the server, and if storage is switched off, it is empty. */
export function openOutbox(name: string, readItem: ReadItem | null = null): Outbox {
  const prefix = `${name}:`;
  const keyOf = ({ order, id }: OutboxItem) => `${prefix}${order}:${id}`;
  const unsaved = new Map<string, OutboxItem>();
  const own = new Map<string, OutboxItem>(); // by the text that this page has saved
  let parse = readItem;
  const listeners = new Set<() => void>();
  let known: readonly OutboxItem[] = none;
  let text = "";

  const read = () => {
    const saved = savedUnder(prefix).flatMap(({ text, ...position }) => {
      if (unsaved.has(position.id)) return []; // its newer state didn't fit into the storage
      return own.get(text) ?? parse?.(text, position) ?? [];
    });
    const items = [...saved, ...unsaved.values()].sort((a, b) => a.order - b.order);
    const now = JSON.stringify(items);
    if (now === text) return known;
    text = now;
    known = items;
    for (const listener of listeners) listener();
    return known;
  };

  const write = (item: OutboxItem) => {
    try {
      const text = JSON.stringify(item);
      localStorage.setItem(keyOf(item), text);
      own.set(text, item);
      unsaved.delete(item.id);
      unsavedKeys.delete(keyOf(item));
      return true;
    } catch {
      unsaved.set(item.id, item);
      unsavedKeys.add(keyOf(item));
      return false;
    }
  };

  return {
    load: async () => {
      parse ??= (await import("@/lib/signatures/outbox/read-saved")).readItem;
      read();
    },
    items: () => known,
    reread: read,
    add: (change, id = crypto.randomUUID()) => {
      const order = Math.max(Date.now(), ...read().map((item) => item.order + 1));
      const item: OutboxItem = { id, order, at: new Date().toISOString(), refused: null, change };
      const isSaved = write(item);
      read();
      return { item, isSaved };
    },
    update: (item) => {
      // Another tab, or the clerk, may have removed it.
      if (!read().some(({ id }) => id === item.id)) return;
      write(item);
      read();
    },
    remove: (id) => {
      for (const item of read().filter((candidate) => candidate.id === id)) {
        unsaved.delete(item.id);
        unsavedKeys.delete(keyOf(item));
        try {
          localStorage.removeItem(keyOf(item));
        } catch {
          // Storage is off, so the item was never stored.
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

function savedUnder(prefix: string): { text: string; id: string; order: number }[] {
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

/** Saves the draft in this tab, and the clerk's place on this device for tabs that are opened later. */
export function saveDraft(name: string, { fields, signedOn, sheet, line, ahead, resumeAt, replaces }: EntryDraft) {
  try {
    sessionStorage.setItem(name, JSON.stringify({ fields, signedOn, sheet, line, ahead, resumeAt, replaces }));
    if (sheet !== null) localStorage.setItem(name, JSON.stringify({ sheet, line }));
  } catch {
    // Storage is off or full: both last only as long as the page.
  }
}

/** Forgets where the clerk was: that sheet is closed. */
export function forgetPlace(name: string) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage is switched off.
  }
}
