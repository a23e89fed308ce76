import "server-only";
import { type RegisterPageAsked, readRegisterPage } from "@/lib/signatures/read-register-page";
import type { RegisterView } from "@/lib/signatures/register-filter";
import type { RegisterLine } from "@/lib/signatures/register-line";

export type ListedLines = { lines: RegisterLine[]; earlier: boolean; later: boolean };

/**
 * A page of a team's lines that a filter lets through, behind or before a line, else the first. `earlier` and `later` tell
 * whether there are pages on its sides. Where no page stands behind or before that line, it is the first one. Guard
 * `signatures.view` first.
 */
export async function listRegisterLines({
  before,
  after,
  ...asked
}: RegisterPageAsked & Pick<RegisterView, "before" | "after">): Promise<ListedLines> {
  if (before !== undefined) {
    const { lines, more } = await readRegisterPage(asked, { id: before, back: true });
    if (more) return { lines, earlier: true, later: true }; // else the first page, which is then a full one
  } else if (after !== undefined) {
    const { lines, more } = await readRegisterPage(asked, { id: after });
    if (lines.length > 0) return { lines, earlier: true, later: more };
  }
  const { lines, more } = await readRegisterPage(asked, null);
  return { lines, earlier: false, later: more };
}
