const prefix = "signet:recent:";
const most = 8;

/** The addresses that somebody opened last on this device, the last one first. */
export function recentPages(userId: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + userId) ?? "[]");
    return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** Keeps an address on this device, which holds ids alone. Where the browser keeps nothing, nothing is recent. */
export function rememberPage(userId: string, path: string) {
  const others = recentPages(userId).filter((other) => other !== path);
  try {
    localStorage.setItem(prefix + userId, JSON.stringify([path, ...others].slice(0, most)));
  } catch {
    // Storage is switched off or full.
  }
}

/** Forgets all of them, of whomever. */
export function forgetPages() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is switched off.
  }
}
