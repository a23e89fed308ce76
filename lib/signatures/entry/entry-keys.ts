import { capitalized } from "@/lib/format/text";
import { type Verdict, verdictWords } from "@/lib/signatures/verdicts";

/** A key press as the browser reports it. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "keyCode" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey" | "repeat" | "isComposing"
>;

/** What a key does while a field of the form has the focus. */
export type KeyEvent =
  | { type: "enter" }
  | { type: "clear" }
  | { type: "correct" | "redo" | "sheet" | "next-empty" }
  | { type: "move" | "turn"; by: 1 | -1 }
  | { type: "verdict"; verdict: Exclude<Verdict, "accepted"> };

const verdictsByKey = [
  "duplicate",
  "not-found",
  "illegible",
  "not-registered",
  "out-of-district",
  "outside-dates",
  "other",
  "blank",
  "wrong-address",
] as const;

/**
 * The other verdicts, each with the digit of its key, Ctrl+Shift+digit. Nothing else uses these keys, and they type no
 * character (docs/decisions/2026-11-21-queue-lines-in-browser.md). 9 is the sheet's. Windows can use 0, so the rarest verdict
 * has it.
 */
export const verdictKeys = verdictsByKey.map((verdict, index) => ({
  verdict,
  label: capitalized(verdictWords[verdict]),
  digit: "123456780".charAt(index),
}));

const plain: Record<string, KeyEvent> = {
  Enter: { type: "enter" },
  Escape: { type: "clear" },
  ArrowDown: { type: "move", by: 1 },
  ArrowUp: { type: "move", by: -1 },
  PageDown: { type: "turn", by: 1 },
  PageUp: { type: "turn", by: -1 },
};

/**
 * What a key press does, or null if it belongs to the field, the browser or the system. Only moving repeats while a key is
 * held down. Digits go by `code`, which stays the same whatever Shift writes.
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
  // Safari only reports the Enter that ends a composition by its old code.
  if (isComposing || keyCode === 229) return null;
  if (altKey || metaKey || ctrlKey !== shiftKey) return null;
  if (!ctrlKey) {
    const event = plain[key] ?? null;
    return repeat && event?.type !== "move" && event?.type !== "turn" ? null : event;
  }
  if (repeat) return null;
  if (key === "Enter") return { type: "correct" };
  if (key === "Backspace") return { type: "redo" };
  if (key === " ") return { type: "next-empty" };
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit === "9") return { type: "sheet" };
  const chosen = verdictKeys.find((one) => one.digit === digit);
  return chosen ? { type: "verdict", verdict: chosen.verdict } : null;
}

/** A key that matters only while a line waits with a question: Tab, and those that move the caret. */
export function questionKeyEvent({
  key,
  ctrlKey,
  shiftKey,
  altKey,
  metaKey,
}: KeyPress): { type: "tab" | "look" } | null {
  if (ctrlKey || altKey || metaKey) return null;
  if (key === "Tab") return { type: shiftKey ? "look" : "tab" };
  return ["ArrowLeft", "ArrowRight", "Home", "End"].includes(key) ? { type: "look" } : null;
}
