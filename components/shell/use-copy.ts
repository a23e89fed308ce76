import { useState } from "react";

/** Copies a text. `copied` is null before, and false where the browser doesn't allow it or the connection isn't secure. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return { copied, copy };
}
