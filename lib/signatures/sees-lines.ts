/** Whether who holds these keys of a campaign may see when, by whom and on which line somebody signed it. */
export function seesLines(keys: readonly string[]): boolean {
  return keys.includes("signatures.view") || keys.includes("signatures.enter");
}
