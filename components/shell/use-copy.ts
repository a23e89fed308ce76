import { useState } from "react";

/** Copies a text. False if the browser refuses or the connection isn't secure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies a text. `copied` is null until the current text is copied, and false if the browser refuses or the connection isn't
 * secure.
 */
export function useCopy(text: string) {
  const [last, setLast] = useState<{ text: string; ok: boolean } | null>(null);
  const copy = async () => setLast({ text, ok: await copyText(text) });
  return { copied: last?.text === text ? last.ok : null, copy };
}
