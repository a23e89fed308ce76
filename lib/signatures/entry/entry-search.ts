import { type EntryForm, hasNames } from "@/lib/signatures/entry/entry-form";
import { readSearchText } from "@/lib/voters/read-search-text";
import { fieldNames, noTexts } from "@/lib/voters/voter-query";

const order = { column: "lastName", descending: false } as const;

/** City, county and zip only narrow a search. Alone they don't start one, or an empty line would list a whole town. */
export const searchOf = (form: EntryForm) => ({ texts: hasNames(form) ? form.texts : noTexts, order, from: 0 });

/** Other readings of a whole name, or a number with it, in the field of the last name. */
export const othersOf = ({ texts }: EntryForm) =>
  /\S[\s,]+\S/.test(texts.lastName)
    ? readSearchText(texts.lastName, [])
        .filter((reading) =>
          fieldNames.every((field) => field === "lastName" || !(reading.texts[field] && texts[field])),
        )
        .map((reading) => ({ ...texts, lastName: "", ...reading.texts }))
        .slice(0, 2)
    : [];
