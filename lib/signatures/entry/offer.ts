import { sameLetters } from "@/lib/format/text";
import { type EntryForm, hasNames, type Sight } from "@/lib/signatures/entry/entry-form";
import { nextEmptyLine, type SheetLine } from "@/lib/signatures/entry/sheet-lines";
import type { SignedAt } from "@/lib/signatures/line";
import type { Voter } from "@/lib/voters/read-hit";

/** What Enter would do now. The screen says it before; nothing else is done. */
export type Offer =
  | { does: "accept"; voter: Voter; index: number }
  | { does: "duplicate"; voter: Voter; index: number; at: SignedAt | null }
  /** Marks a voter; a second Enter does what is offered then. */
  | { does: "mark"; voter: Voter; index: number }
  /** Keeps the line as it was typed, to be looked up later. */
  | { does: "keep" }
  /** Goes to an empty line. */
  | { does: "go"; line: number }
  /** Reports on the sheet and closes it. */
  | { does: "close" }
  | { does: "wait"; for: "voters" | "marks" }
  | { does: "nothing"; why: string };

const nothing = (why: string): Offer => ({ does: "nothing", why });

/** All who stand in the list, in its order. */
export const listed = ({ voters, similar }: Sight): Voter[] => [...voters, ...similar];

/**
 * Who of the listed is marked: by hand, as the only voter, or as the only one of exactly this name and house number. One who is
 * similar is never marked but by hand, and changes nothing of how the others are.
 */
export function markedIndex({ marked, texts }: EntryForm, sight: Sight): number | null {
  const byHand = marked === null ? -1 : listed(sight).indexOf(marked);
  if (byHand >= 0) return byHand;
  const { voters, total } = sight;
  if (total === 1 && voters.length === 1) return 0;
  if (total > voters.length || ![texts.lastName, texts.firstName, texts.houseNumber].every((text) => text.trim()))
    return null;
  const exact = voters.flatMap((voter, index) =>
    sameLetters(voter.lastName ?? "", texts.lastName.trim()) &&
    sameLetters(voter.firstName ?? "", texts.firstName.trim()) &&
    sameLetters(voter.houseNumber ?? "", texts.houseNumber.trim())
      ? [index]
      : [],
  );
  return exact.length === 1 ? (exact[0] ?? null) : null;
}

/** Why no line can be stored where the form is, or null. */
export function obstacle({ sheet, line, held }: EntryForm, { lines, count }: Sight): string | null {
  if (sheet === null) return "Start a sheet first: its number goes with each line.";
  if (held !== null) return "The line in the form is still being sent.";
  if (line === null) return `Sheet ${sheet} has no empty line left. Close it, or go to a line.`;
  const standing = lines.get(line);
  if (!standing) return null;
  const next = nextEmptyLine((one) => !lines.has(one), count, line);
  return `${standingText(standing)} ${next === null ? "No line is empty." : `Line ${next} is the next empty one.`}`;
}

const standingText = ({ line, name, words }: SheetLine) =>
  `Line ${line} is taken: ${[name, words].filter(Boolean).join(", ")}.`;

const nobodyText = ({ similar }: Sight) =>
  similar.length > 0
    ? "No voter is written exactly so. Mark one of the similar voters with ↓ or a click, or record the line as not found."
    : "No voter matches. Correct what is typed, or record the line as not found.";

/** What Enter does with this form in this sight. */
export function offer(form: EntryForm, sight: Sight): Offer {
  const typed = hasNames(form);
  if (!typed && form.sheet !== null && form.held === null) {
    if (form.line === null) return { does: "close" };
    if (sight.lines.has(form.line)) {
      const line = nextEmptyLine((one) => !sight.lines.has(one), sight.count, form.line);
      return line === null ? { does: "close" } : { does: "go", line };
    }
  }
  const problem = obstacle(form, sight);
  if (problem !== null) return nothing(problem);
  if (!typed) return nothing("Type the last name on the line.");
  if (sight.blind) return { does: "keep" };
  if (sight.searching) return { does: "wait", for: "voters" };
  const index = markedIndex(form, sight);
  const voter = index === null ? undefined : listed(sight)[index];
  if (index === null || !voter) {
    const [first] = sight.voters;
    return first ? { does: "mark", voter: first, index: 0 } : nothing(nobodyText(sight));
  }
  const mark = sight.marks.get(voter.voterId);
  if (!mark || (mark.state === "signed" && mark.asking)) return { does: "wait", for: "marks" };
  if (mark.state === "signed") return { does: "duplicate", voter, index, at: mark.at };
  return { does: "accept", voter, index };
}
