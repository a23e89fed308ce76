import type { Format } from "@/lib/format/format-of";
import type { LinesByNumber } from "@/lib/signatures/entry/sheet-lines";
import type { SignedMarks } from "@/lib/signatures/signed-mark";
import type { Voter } from "@/lib/voters/read-hit";
import { noTexts, type VoterTexts } from "@/lib/voters/voter-query";

/** A sentence over the voters: what was just done, or why a key did nothing. */
type Said = { text: string; wrong?: boolean };

/** Where on paper the form is. */
export type PaperPlace = {
  /** The number of the sheet, or null before one was started. */
  sheet: number | null;
  /** The line at hand, or null when the sheet has none left. */
  line: number | null;
  /** YYYY-MM-DD, or empty. */
  signedOn: string;
};

/** The form of one line, as it stands between two keys. */
export type EntryForm = PaperPlace & {
  texts: VoterTexts;
  /** Whom the clerk marked herself, as she was found then: who is found again is another choice. */
  marked: Voter | null;
  said: Said | null;
  /** Where it goes on after lines that were put back into it. */
  goesOn: PaperPlace | null;
  /** The line that the browser could not keep: it stays in the form until Signet has it. */
  held: string | null;
};

/** What the clerk has before her eyes beside the form. */
export type Sight = {
  /** Whether the voters are not yet those of the texts. */
  searching: boolean;
  /** Whether nobody can be looked up: the search failed, or there is no connection. */
  blind: boolean;
  voters: readonly Voter[];
  /** Those whom the search misses and who may be meant, below the others: they can come any time after them. */
  similar: readonly Voter[];
  /** How many match, shown or not. */
  total: number;
  /** Who of the voters has signed; one that is not in it is still being checked. */
  marks: SignedMarks;
  lines: LinesByNumber;
  /** How many lines the sheet has. */
  count: number;
  /** The clerk's last line on this sheet: another one is out of her sight, and taken back where it stands. */
  last: { id: string; sheet: number | null; line: number | null; name: string } | null;
  format: Format;
};

export const emptyForm: EntryForm = {
  ...{ sheet: null, line: 1, signedOn: "", texts: noTexts },
  ...{ marked: null, said: null, goesOn: null, held: null },
};

/** The fields that are new with each line; the others stay. */
export const lineFields = ["lastName", "firstName", "houseNumber"] as const;

export const noNames = { lastName: "", firstName: "", houseNumber: "" };

/** Whether something is typed that tells who stands on the line. */
export const hasNames = ({ texts }: Pick<EntryForm, "texts">) => lineFields.some((field) => texts[field].trim() !== "");
