import { typedName } from "@/lib/signatures/entry/entered-line";
import type { EntryForm } from "@/lib/signatures/entry/entry-form";
import { type ExtraParam, emptyFields, fieldNames, type SearchFields } from "@/lib/voters/voter-query";

const order = { column: "lastName", descending: false } as const;

type Params = readonly ExtraParam[];

const searchedById = ({ fields }: EntryForm, params: Params) => fields.voterId !== "" && params.includes("voterId");

/**
 * By the ID of the voter, if the search takes it. City, county and zip only narrow a search. Alone they don't start one, or
 * an empty line would list a whole town.
 */
export function searchQuery(form: EntryForm, params: Params) {
  const { voterId } = form.fields;
  const byName = typedName(form) === "" ? emptyFields : { ...form.fields, voterId: "" };
  return { fields: searchedById(form, params) ? { ...emptyFields, voterId } : byName, order, from: 0 };
}

/**
 * What to search for if no one is found. If no one has the ID, it searches by name. Otherwise it reads a whole name in the
 * last-name field in other ways, and leaves out an initial.
 */
export const alternativeReadings = async (form: EntryForm, params: Params): Promise<SearchFields[]> => {
  const fields = { ...form.fields, voterId: "" };
  if (searchedById(form, params)) return typedName(form) === "" ? [] : [fields];
  const [, firstName] = /^\s*(\S.*?)(?:\s+\p{L}\.?)+\s*$/u.exec(fields.firstName) ?? [];
  return [...(firstName ? [{ ...fields, firstName }] : []), ...(await wholeNameReadings(fields))];
};

/** Other readings of a whole name, or a number with it, in the field of the last name. Cities and counties have their own. */
export async function wholeNameReadings(fields: SearchFields): Promise<SearchFields[]> {
  if (!/\S[\s,]+\S/.test(fields.lastName)) return [];
  const { readSearchText } = await import("@/lib/voters/read-search-text"); // not in data entry's first load
  return readSearchText(fields.lastName, [])
    .filter(({ fields: read }) => !read.city && !read.county)
    .filter(({ fields: read }) => fieldNames.every((field) => field === "lastName" || !(read[field] && fields[field])))
    .map(({ fields: read }) => ({ ...fields, lastName: "", ...read }))
    .slice(0, 4);
}
