import type { RefObject } from "react";
import { flushSync } from "react-dom";

/** Adds a row to a list, and gives the focus to its field with `data-row`, so that the very next key is for it. */
export function addAndFocus(list: RefObject<HTMLElement | null>, add: () => void) {
  flushSync(add);
  [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].at(-1)?.focus();
}
