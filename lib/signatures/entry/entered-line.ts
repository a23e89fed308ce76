import { capitalized } from "@/lib/format/text";
import { type EntryContext, type EntryForm, lineFields } from "@/lib/signatures/entry/entry-form";
import { nameText, placeText } from "@/lib/signatures/line-text";
import type { OutboxLine, TypedLine } from "@/lib/signatures/outbox/outbox";
import type { Rejection } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import { addressText, firstNames, listName } from "@/lib/voters/voter-text";

/** The place of a line. Call it only when nothing blocks the line. */
const storedPlace = ({ sheet, line, signedOn }: EntryForm) => ({
  sheet: sheet ?? 0,
  line: line ?? 0,
  signedOn: signedOn || null,
});

const noVoter = { voterId: null, firstName: null, lastName: null, address: null, city: null, county: null, zip: null };

// The verdicts of invalid lines that store a voter.
export const withVoter: ReadonlySet<Rejection | "blank"> = new Set([
  "duplicate",
  "out-of-district",
  "outside-dates",
  "other",
  "wrong-address",
]);

/** What a line stores of a voter; the first name with the middle name. */
export function storedVoter(voter: Voter) {
  const { voterId, lastName = null, city = null, county = null, zip = null } = voter;
  const names = { firstName: firstNames(voter) || null, lastName };
  return { voterId, ...names, address: addressText(voter) || null, city, county, zip };
}

export function acceptedLine(form: EntryForm, voter: Voter): OutboxLine {
  const stored = storedVoter(voter);
  return { kind: "line", verdict: "accepted", ...stored, name: nameText(stored), note: null, ...storedPlace(form) };
}

export function rejectedLine(
  form: EntryForm,
  verdict: Rejection | "blank",
  voter: Voter | null,
  note: string | null,
): OutboxLine {
  const name = (voter ? listName(voter) : typedName(form)) || null;
  const { lastName, firstName, houseNumber } = namesTyped(form);
  const typed = { lastName: lastName || null, firstName: firstName || null, address: houseNumber || null };
  const who = voter ? storedVoter(voter) : { ...noVoter, ...typed };
  const place = storedPlace(form);
  const signedOn = verdict === "blank" ? null : place.signedOn;
  return { kind: "line", verdict, ...who, name, note, ...place, signedOn };
}

export function typedLine(form: EntryForm): TypedLine {
  return { kind: "typed", ...namesTyped(form), ...storedPlace(form) };
}

const namesTyped = ({ fields: { lastName, firstName, houseNumber } }: EntryForm) => ({
  lastName: lastName.trim(),
  firstName: firstName.trim(),
  houseNumber: houseNumber.trim(),
});

export const typedName = ({ fields }: Pick<EntryForm, "fields">) =>
  lineFields
    .map((field) => fields[field].trim())
    .filter(Boolean)
    .join(", ");

/** The names of the voter of a line that has only their ID, once they are found. */
export function namesById({ fields }: Pick<EntryForm, "fields">, { voters }: Pick<EntryContext, "voters">) {
  if (fields.voterId === "" || lineFields.some((field) => fields[field] !== "")) return null;
  const {
    lastName = "",
    firstName = "",
    houseNumber = "",
  } = voters.find(({ voterId }) => voterId === fields.voterId) ?? {};
  return lastName || firstName ? { lastName, firstName, houseNumber } : null;
}

/** What to put back into the form, in order to look up or correct a line. */
export function toFormFields(change: OutboxLine | TypedLine) {
  const { sheet, line, signedOn, lastName, firstName } = change;
  const houseNumber = change.kind === "typed" ? change.houseNumber : (/^\d\S*/.exec(change.address ?? "")?.[0] ?? "");
  const voterId = (change.kind === "line" && change.voterId) || "";
  const fields = { lastName: lastName ?? "", firstName: firstName ?? "", houseNumber, voterId };
  return { sheet, line, signedOn: signedOn ?? "", fields };
}

/** Says which line is in the form again: `Correct sheet 12, line 3`. */
export const putBackText = ({ replaces, ...place }: Partial<Pick<EntryForm, "sheet" | "line" | "replaces">>) =>
  capitalized(`${replaces ? "correct " : ""}${placeText(place)}`);
