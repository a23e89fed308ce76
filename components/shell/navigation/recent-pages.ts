const prefix = "signet:recent:";
const maxPages = 8;

/** The paths that a person opened on this device, latest first. */
export function recentPages(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(prefix + userId) ?? "[]");
    return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** Remembers a path, which contains only ids. Without storage nothing is recent. */
export function rememberPage(userId: string, path: string) {
  const others = recentPages(userId).filter((other) => other !== path);
  try {
    localStorage.setItem(prefix + userId, JSON.stringify([path, ...others].slice(0, maxPages)));
  } catch {
    // Storage is off or full.
  }
}

/** Forgets all paths, of every person. */
export function forgetPages() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is off.
  }
}
