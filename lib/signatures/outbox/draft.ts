import type { EntryDraft } from "@/lib/signatures/outbox/read-saved";

/** Saves the draft in this tab, and on this device where the clerk is, for a tab that is opened later. */
export function saveDraft(name: string, { texts, signedOn, sheet, line }: EntryDraft) {
  try {
    sessionStorage.setItem(name, JSON.stringify({ texts, signedOn, sheet, line }));
    if (sheet !== null) localStorage.setItem(name, JSON.stringify({ sheet, line }));
  } catch {
    // Storage is switched off or full: both last as long as the page.
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
