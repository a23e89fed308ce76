import type { EntryDraft } from "@/components/signatures/entry/read-draft";

/**
 * Keeps the draft in this tab, and on this device where the clerk is, for a tab that is opened later. Where the browser
 * keeps nothing, both last as long as the page.
 */
export function keepDraft(name: string, { texts, signedOn, sheet, line }: EntryDraft) {
  try {
    sessionStorage.setItem(name, JSON.stringify({ texts, signedOn, sheet, line }));
    if (sheet !== null) localStorage.setItem(name, JSON.stringify({ sheet, line }));
  } catch {
    // Storage is switched off or full.
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
