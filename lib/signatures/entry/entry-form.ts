import type { Format } from "@/lib/format/format-of";
import type { KeyEvent } from "@/lib/signatures/entry/entry-keys";
import type { LinesByNumber } from "@/lib/signatures/entry/shown-lines";
import type { OutboxLine } from "@/lib/signatures/outbox/outbox";
import type { SignedMarks } from "@/lib/signatures/signed-mark";
import type { Verdict } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import { emptyFields, type SearchFields } from "@/lib/voters/voter-query";

/** The sheet, line and date that the form is for. */
export type LinePlace = {
  /** The number of the sheet, or null before one was started. */
  sheet: number | null;
  /** The current line, or null if the sheet has no empty one left. */
  line: number | null;
  /** YYYY-MM-DD, or empty. */
  signedOn: string;
};

/** The form of one line between two keys. */
export type EntryForm = LinePlace & {
  /** They have the voter ID of a line that is corrected, until something else is typed. */
  fields: SearchFields;
  /** The fields that this line is searched without; the next one has them again. */
  leftOut: Partial<SearchFields>;
  /** The voter that the clerk marked, as the search returned them. The same voter in a later search isn't marked. */
  marked: Voter | null;
  /**
   * What was just done, or why a key had no effect; after the text of `noMatch`, the screen says which near matches it has.
   * `asks` is the verdict that must be pressed again, before any other key.
   */
  message: { text: string; wrong?: boolean; noMatch?: true; asks?: Verdict | undefined } | null;
  /** Where to continue after lines that were put back into the form. */
  resumeAt: LinePlace | null;
  /** The id of a line that the browser couldn't save: it stays in the form until it is sent. */
  unsavedId: string | null;
  /** The id of the stored line that this one replaces: it stays until then. */
  replaces: string | null;
  /** A line beyond the end of the sheet that the clerk has confirmed. */
  confirmedLine: number | null;
  /** The Enter or verdict of the line in the form, while it waits for the search. */
  end: LineEnd | null;
  /** What was typed after the line in the form, before that was entered. The last one is still being typed. */
  ahead: readonly AheadLine[];
  /**
   * While a line waits with a question: how many keys came since, and whether the next line is being typed. `isSeen`: the clerk
   * has paused long enough to see it.
   */
  openQuestion: { keys: number; isSeen: boolean; isTyping: boolean } | null;
};

/** The key that ended a line. */
export type LineEnd = Extract<KeyEvent, { type: "enter" | "verdict" }>;

/** A line that waits for the one in the form; `end` is null until it is finished. */
export type AheadLine = { fields: SearchFields; end: LineEnd | null };

/** What the clerk sees besides the form. */
export type EntryContext = {
  /** Whether the voters are from before the last change of the fields. */
  isSearching: boolean;
  /** Whether no one can be looked up: the search failed, or there is no connection. */
  searchDown: boolean;
  voters: readonly Voter[];
  /** Near matches, listed below the voters. They can arrive any time after them. */
  similar: readonly Voter[];
  /** How many match, shown or not. */
  total: number;
  /** Which voters have signed; a missing one is still being checked. */
  marks: SignedMarks;
  /** The lines of the sheet, without the stored line that is corrected. */
  lines: LinesByNumber;
  /** The stored line that is corrected, as it is. */
  replaced: OutboxLine | null;
  /** Whether someone has closed the sheet since it was opened here. */
  isClosed: boolean;
  /** How many lines the sheet has. */
  lineCount: number;
  /** The clerk's last line on this sheet. */
  last: { id: string; sheet: number | null; line: number | null; name: string } | null;
  /** The days on which a signature can be: none after `today`, YYYY-MM-DD. */
  today: string;
  /** The campaign's dates, and the date that the sheet was collected, YYYY-MM-DD; null if unknown. */
  startsOn: string | null;
  endsOn: string | null;
  collectedOn: string | null;
  /** The campaign's districts; null if unknown. */
  districts: string | null;
  format: Format;
};

export const emptyForm: EntryForm = {
  sheet: null,
  line: 1,
  signedOn: "",
  fields: emptyFields,
  leftOut: {},
  marked: null,
  message: null,
  resumeAt: null,
  unsavedId: null,
  replaces: null,
  confirmedLine: null,
  end: null,
  ahead: [],
  openQuestion: null,
};

/** The fields that are new on each line; the others stay. */
export const lineFields = ["lastName", "firstName", "houseNumber"] as const;

export const emptyNames = { lastName: "", firstName: "", houseNumber: "", voterId: "" };

/** The fields of the next line. */
export const nextFields = ({ fields, leftOut }: Pick<EntryForm, "fields" | "leftOut">): SearchFields => ({
  ...fields,
  ...leftOut,
  ...emptyNames,
});

/** Whether anything is typed that identifies the signer. */
export const hasNames = ({ fields }: Pick<EntryForm, "fields">) =>
  fields.voterId !== "" || lineFields.some((field) => fields[field].trim() !== "");
