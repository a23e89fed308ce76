/** The params that some backends accept in addition to those of contract 2.3. */
export const extraParams = ["street", "voterId", "birthYear", "similar"] as const;

export type ExtraParam = (typeof extraParams)[number];

/**
 * The fields of a search, in their order on the screen. Each is a param of contract 2.3, or of `extraParams`: these
 * are shown if the backend accepts them.
 */
export const voterFields = {
  lastName: "Last name",
  firstName: "First name",
  houseNumber: "House number",
  street: "Street",
  zip: "ZIP code",
  city: "City",
  county: "County",
  birthYear: "Birth year",
  voterId: "Voter ID",
} as const;

export type VoterField = keyof typeof voterFields;

/** The text of each field, as typed. */
export type SearchFields = Record<VoterField, string>;

/** The columns that voters can be sorted by, in their order on the screen. */
export const sortableColumns = {
  lastName: "Last name",
  firstName: "First name",
  houseNumber: "House number",
  street: "Street",
  city: "City",
  zip: "ZIP code",
  county: "County",
} as const;

/** What else is shown of a voter, if the voter file has it. It can't be ordered by. */
export const extraFields = {
  birthYear: "Birth year",
  party: "Party",
  status: "Registration",
  district: "District",
  precinct: "Precinct",
} as const;

export type ExtraField = keyof typeof extraFields;

/** Why a voter is a near match, as backends write it, and in words. */
export const matchWords = {
  similar: "similar",
  "sounds like": "sounds alike",
  swapped: "names swapped",
  "short form": "nickname",
  "part of name": "part of the name",
  "part of id": "part of the voter ID",
  "similar city": "similar city",
  "similar street": "similar street",
  "another number": "different number",
  "another street": "different street",
  "another zip": "different ZIP code",
  "another city": "different city",
  "another county": "different county",
  "another address": "different address",
} as const;

export type VoterMatch = keyof typeof matchWords;

export type VoterColumn = keyof typeof sortableColumns;

export type VoterOrder = { column: VoterColumn; descending: boolean };

/** One page of one search: `from` counts the voters before it. `similar` asks for near matches instead. */
export type VoterQuery = { fields: SearchFields; order: VoterOrder; from: number; similar?: true };

/** Voters on a page. */
export const pageSize = 25;

/** How far a search backend pages and counts (contract 8). */
export const maxHits = 10_000;

/** Characters in a field (contract 8). */
export const maxTextLength = 100;

export const fieldNames = Object.keys(voterFields) as VoterField[];

export const emptyFields = Object.fromEntries(fieldNames.map((name) => [name, ""])) as SearchFields;

export const columnNames = Object.keys(sortableColumns) as VoterColumn[];

export const extraFieldNames = Object.keys(extraFields) as ExtraField[];

/** The cookie that remembers the separate fields, so that the server renders the page with them. */
export const fieldsCookie = "signet-voter-fields";

/** The fields that aren't blank, in their order on the screen. */
export function filledFields(fields: SearchFields): VoterField[] {
  return fieldNames.filter((field) => fields[field].trim() !== "");
}

/** Whether two searches have the same text in each field. */
export function sameFields(some: Partial<SearchFields>, others: Partial<SearchFields>): boolean {
  return fieldNames.every((field) => some[field] === others[field]);
}

/** The params of contract 2.3 for a query. */
export function searchParams({ fields, order, from, similar }: VoterQuery) {
  return {
    ...Object.fromEntries(filledFields(fields).map((field) => [field, fields[field].trim()])),
    order: `${order.descending ? "-" : ""}${order.column}`,
    queryFrom: from,
    querySize: pageSize,
    ...(similar && { similar }),
  };
}
