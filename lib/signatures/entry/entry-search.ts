import { type EntryForm, hasNames } from "@/lib/signatures/entry/entry-form";
import { readSearchText } from "@/lib/voters/read-search-text";
import { emptyFields, fieldNames, type SearchFields } from "@/lib/voters/voter-query";

const order = { column: "lastName", descending: false } as const;

/** City, county and zip only narrow a search. Alone they don't start one, or an empty line would list a whole town. */
export const searchOf = (form: EntryForm) => ({ fields: hasNames(form) ? form.fields : emptyFields, order, from: 0 });

/** Other readings of a whole name, or a number with it, in the field of the last name; and the first name without an initial. */
export const othersOf = ({ fields }: EntryForm) => {
  const [, firstName] = /^\s*(\S.*?)(?:\s+\p{L}\.?)+\s*$/u.exec(fields.firstName) ?? [];
  return [...(firstName ? [{ ...fields, firstName }] : []), ...ofWholeName(fields)];
};

const ofWholeName = (fields: SearchFields) =>
  /\S[\s,]+\S/.test(fields.lastName)
    ? readSearchText(fields.lastName, [])
        .filter((reading) =>
          fieldNames.every((field) => field === "lastName" || !(reading.fields[field] && fields[field])),
        )
        .map((reading) => ({ ...fields, lastName: "", ...reading.fields }))
        .slice(0, 2)
    : [];
