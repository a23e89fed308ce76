/**
 * Puts the caret back into the text field that has the focus, for a dialog that was closed: Chromium gives the focus back
 * without the caret where a field of the dialog had it, and what is typed then is lost.
 */
export function restoreCaret() {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement)) return;
  activeElement.blur();
  activeElement.focus();
}
