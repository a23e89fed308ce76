import type { Verdict } from "@/lib/signatures/verdicts";

/** What a key says of itself in the browser. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "keyCode" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey" | "repeat" | "isComposing"
>;

/** What a key does while a field of the form has the focus. */
export type KeyEvent =
  | { type: "enter" | "undo" | "clear" | "sheet" }
  | { type: "move" | "turn"; by: 1 | -1 }
  | { type: "verdict"; verdict: Exclude<Verdict, "accepted"> };

/**
 * What can become of a line beside being accepted, with Ctrl, Shift and the digit of its place in this list. That chord
 * writes nothing and is free: Chrome, Edge, Firefox and Safari take Ctrl+Shift with letters, Windows with 0 (its next input
 * language); Alt with digits changes tabs on Linux and writes on macOS, Ctrl+Alt writes as AltGr does on Windows, Meta belongs
 * to the systems, Ctrl+Enter is macOS's context menu, and F keys are taken, or brightness and sound.
 */
export const verdictKeys = [
  { verdict: "duplicate", label: "Duplicate" },
  { verdict: "not-found", label: "Not found" },
  { verdict: "illegible", label: "Illegible" },
  { verdict: "not-registered", label: "Not registered" },
  { verdict: "out-of-district", label: "Out of district" },
  { verdict: "outside-dates", label: "Outside dates" },
  { verdict: "other", label: "Other…" },
  { verdict: "blank", label: "Blank line" },
] as const satisfies { verdict: Exclude<Verdict, "accepted">; label: string }[];

const plain: Record<string, KeyEvent> = {
  Enter: { type: "enter" },
  Escape: { type: "clear" },
  ArrowDown: { type: "move", by: 1 },
  ArrowUp: { type: "move", by: -1 },
  PageDown: { type: "turn", by: 1 },
  PageUp: { type: "turn", by: -1 },
};

/**
 * What a key press does, or null where it belongs to the field, the browser or the system. A key that is held down stores
 * nothing twice: only moving repeats. Digits go by `code`, which is the same key whatever Shift writes with it.
 */
export function keyEvent({
  key,
  code,
  keyCode,
  ctrlKey,
  shiftKey,
  altKey,
  metaKey,
  repeat,
  isComposing,
}: KeyPress): KeyEvent | null {
  // Safari's Enter that ends a composition says so by its old code alone.
  if (isComposing || keyCode === 229) return null;
  if (altKey || metaKey || ctrlKey !== shiftKey) return null;
  if (!ctrlKey) {
    const event = plain[key] ?? null;
    return repeat && event?.type !== "move" && event?.type !== "turn" ? null : event;
  }
  if (repeat) return null;
  if (key === "Enter") return { type: "undo" };
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  if (digit === "9") return { type: "sheet" };
  const verdict = digit && verdictKeys[Number(digit) - 1]?.verdict;
  return verdict ? { type: "verdict", verdict } : null;
}
