import { equalIgnoringCase } from "@/lib/format/text";
import type { Voter } from "@/lib/voters/read-hit";

const namedUnit = /(?:#\s*|\b(?:apt|apartment|unit|ste|suite|lot|spc)\.?\s+#?\s*)([\p{L}\p{N}-]+)/iu;

/** Whether a voter lives in the unit that a text names: `apt 209`, `#209`. */
export function isInUnit({ unit }: Voter, text: string): boolean {
  const [, named] = namedUnit.exec(text) ?? [];
  return named !== undefined && unit !== undefined && equalIgnoringCase(unit.split(/[\s#]+/).at(-1) ?? "", named);
}
