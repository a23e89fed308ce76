import { useState } from "react";

/**
 * Copies a text. `copied` is null until the current text is copied, and false if the browser refuses or the connection isn't
 * secure.
 */
export function useCopy(text: string) {
  const [last, setLast] = useState<{ text: string; ok: boolean } | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setLast({ text, ok: true });
    } catch {
      setLast({ text, ok: false });
    }
  };
  return { copied: last?.text === text ? last.ok : null, copy };
}
