/** Whether a path as it was sent, percent-encoded, is UTF-8 of whole characters without U+0000: only then it names anything. */
export function isReadablePath(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}
