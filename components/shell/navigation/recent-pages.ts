import { readStored, writeStored } from "@/components/shell/storage";

const prefix = "signet:recent:";
const maxPages = 8;

/** The paths that a person opened on this device, latest first. */
export function recentPages(userId: string): string[] {
  const stored = readStored("localStorage", prefix + userId);
  return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
}

/** Remembers a path, which contains only ids. Without storage nothing is recent. */
export function rememberPage(userId: string, path: string) {
  const others = recentPages(userId).filter((other) => other !== path);
  writeStored("localStorage", prefix + userId, [path, ...others].slice(0, maxPages));
}

/** Forgets the paths of everyone. */
export function forgetPages() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is off.
  }
}
