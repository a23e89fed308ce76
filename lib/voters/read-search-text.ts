import {
  directions,
  isAnyOf,
  isComma,
  isState,
  isStreetKind,
  type Reading,
  readNames,
  streetWords,
} from "@/lib/voters/read-names";
import { type ExtraParam, fieldNames, maxTextLength, type SearchFields, sameFields } from "@/lib/voters/voter-query";

const maxReadings = 24; // each is a search, when those before it find no one
const maxWhole = 18; // before those that leave out words

const year = /^(19[2-9]\d|200\d)$/;
const born = /\b(?:born(?: in)?|b\.|dob|yob|age):? *(19[2-9]\d|200\d)\b/i;
const zip = /^\d{5}(-\d{4})?$/;
const houseNumber = /^\d{1,5}(-?[a-z]|-\d{1,4})?$/i;
const fraction = /^\d\/\d$/;
const ordinal = /^\d+(st|nd|rd|th)$/i;
const unit = /^(apt|apartment|unit|ste|suite|lot|spc)\.?$/i;
// Nearly no one has such a last name, so these end a street: `main st`. Others do, as Lane, Way and Court.
const sureStreetKind =
  /^(ave|avenue|blvd|boulevard|cir|ct|dr|drive|highway|hwy|ln|parkway|pkwy|pl|rd|road|st|street|ter|trl)\.?$/i;
/**
 * Reads what was typed into one field: names, house number and street, zip and voter ID, in any order. A comma follows the
 * last name, or separates street and city; without one the last word is the last name. The first reading is the likeliest;
 * the others are tried when it finds no one. Street and voter ID are read where `extraParams` has them. A text without words has
 * no reading.
 */
export function readSearchText(text: string, extraParams: readonly ExtraParam[]): Reading[] {
  const [bornText = "", birthYear = ""] = born.exec(text) ?? [];
  const words = text
    .replaceAll(",", " , ")
    .replace(/\bzip (?=\d{5}\b)/i, "")
    .replace(/\b(voter )?id:? (?=\S*\d{4})|#(?=\S*\d{5})/i, "")
    .replace(bornText, "")
    .replace(/\b(born|dob):? (?=\d+\/)/i, "")
    .replace(/\b(mr|mrs|ms|miss|dr)\.? ((and|&) )?(?=(mr|mrs|ms|miss|dr)\b)/gi, "")
    .replace(/\b(the )?(\S+) family\b/i, "$2")
    .replace(/\b(m\.? ?l\.? king|dr\.? martin luther king)\b/i, "mlk")
    .replace(/\b(\p{L})\.(?=\p{L}\.)/gu, "$1. ") // `J.R. Smith`
    .replace(/^\s*([a-z]{2}) (?=\d{6,}\s*$)/i, "$1") // `WA 0001234`
    .replace(/# +/, "#")
    .split(/\s+/)
    .filter(
      (word, at, all) => isComma(word) || /[\p{L}\p{N}]/u.test(word) || (word === "&" && all[at - 1] && all[at + 1]),
    )
    .map(asOrdinal);
  const take = (at: number, count = 1) => (at === -1 ? "" : words.splice(at, count).join(" "));
  const unitAt = words.findIndex(
    (word, index) => /^#/.test(word) || (unit.test(word) && /^#?(\d.*|[a-z])$/i.test(words[index + 1] ?? "")),
  );
  const unitText = take(unitAt, words[unitAt]?.startsWith("#") ? 1 : 2); // isn't searched: voters in it are shown first
  const dateText = take(words.findIndex((word) => /^\d{1,2}\/\d{1,2}\/\d{2,4}$/.test(word))); // such as a date of birth
  if (birthYear === "" && words.every(isComma)) return [];

  const [alone = ""] = words.length === 1 && extraParams.includes("voterId") ? words : [];
  const voterId = take(words.findIndex(isVoterId));
  const lastZip = words.findLastIndex((word) => zip.test(word));
  const beginsAddress = lastZip === 0 && [/^\p{L}/u, ordinal].some((begin) => begin.test(words[1] ?? "")); // `12345 Main St`
  const zipText = beginsAddress ? "" : take(lastZip).slice(0, 5);
  const countyAt = words.findIndex(
    (word, at) => at > 0 && /^county$/i.test(word) && (at === words.length - 1 || (at === 1 && isName(words))),
  );
  const [county = ""] = countyAt === -1 ? [] : take(countyAt - 1, 2).split(" ");
  const houseAt = words.findIndex((word) => houseNumber.test(word));
  const house = take(houseAt, fraction.test(words[houseAt + 1] ?? "") ? 2 : 1);
  const ordinalAt = words.findIndex((word) => ordinal.test(word));
  const streetAt = houseAt !== -1 ? houseAt : isAnyOf(directions, words[ordinalAt - 1]) ? ordinalAt - 1 : ordinalAt;
  const address = streetAt === -1 || isComma(words[streetAt] ?? ",") ? [] : words.splice(streetAt);

  const sure = Object.entries({ voterId, birthYear });
  const isTaken = ([field]: [string, string]) => extraParams.some((taken) => taken === field);
  const withNumbers = (numbers: Partial<SearchFields>): Reading => ({
    fields: { ...Object.fromEntries(sure.filter(isTaken)), ...numbers },
    way: "",
    unread: sure
      .flatMap((one) => (isTaken(one) ? [] : one[1]))
      .filter(Boolean)
      .join(" "),
  });
  const numbers = withNumbers({ houseNumber: house, zip: zipText });
  // Five digits can be a house number too: `smith 12345`.
  const other = zipText !== "" && house === "" ? [withNumbers({ houseNumber: zipText })] : [];
  if (zipText === "" && /^\d{3,4}$/.test(house) && address.length === 0) other.push(withNumbers({ zip: house })); // `smith 980`

  if (year.test(house) && address.length === 0) {
    if (extraParams.includes("birthYear")) other.unshift(withNumbers({ zip: zipText, birthYear: house }));
    if (words.length > 0) other.push({ ...withNumbers({ zip: zipText }), unread: house });
  } else if (birthYear !== "" && words.length > 0) {
    other.push({ ...withNumbers({ houseNumber: house, zip: zipText, birthYear: "" }), unread: birthYear }); // it may be unknown
  }

  const names = readNames(words).filter(({ unread }, at) => at === 0 || unread === "" || !isSureStreet(words));
  if (words.length === 1 && address.length > 0) names.splice(1, 0, ...names.splice(2, 1)); // `tacoma 15 maple ln`
  if (zipText !== "" && words.length === 2 && isState(words[1]))
    names.splice(1, 0, ...readNames(words.slice(0, 1)).map((one) => ({ ...one, unread: words[1] ?? "" }))); // `garcia wa 98499`
  const streets = readAddress(address, extraParams);
  const readings = cross(streets, cross(names, [numbers]));
  readings.splice(1, 0, ...cross(names.slice(0, 2), other));
  const zipNotHouse = beginsAddress ? [withNumbers({ zip: house.slice(0, 5) })] : [];
  if (extraParams.includes("street")) readings.splice(1, 0, ...cross(streets.slice(0, 1), zipNotHouse)); // `98042 cedar`
  const wholeStreets = (street: string[]) =>
    readAddress(street, extraParams).filter(({ fields, unread }) => fields.street && unread === "");
  const named = (street: string[], names: Reading[]) =>
    readings.splice(2, 0, ...cross(wholeStreets(street).slice(0, 3), cross(names, [numbers])));
  if (isStreet(words) && !isStreet(address) && !words.some(isComma) && extraParams.includes("street")) {
    const withCity = address.length > 0 ? [...words, ",", ...address.filter((word) => !isComma(word))] : words;
    const asStreet = cross(readAddress(withCity, extraParams), [numbers]); // `cedar st 4 kent`
    readings.splice(1, 0, ...asStreet);
    for (const count of address.length > 0 ? [] : [2, 1])
      if (isStreet(words.slice(count))) {
        const [first = [], second = []] = readNames(words.slice(0, count)).map((one) => [one]);
        const city = { fields: { city: words.slice(0, count).join(" ") }, way: "", unread: "" };
        named(words.slice(count), [...first, city, ...second]); // `smith mill st`, `tacoma mill st`
      }
    readings.unshift(...asStreet.filter(({ unread }) => isSureStreet(words) && unread === ""));
  } else if (words.length > 0 && address.length === 0 && !words.some(isComma)) {
    const inNoCity = wholeStreets(words).filter(({ fields }) => !fields.city);
    readings.push(...cross(inNoCity, [numbers])); // `martin luther king`, `st helens`
  }
  if (address.length > 0 && !isStreet(address) && words.length === 0) {
    // A number before a name: `1204 smith`, `98030 smith`.
    const numbered = cross(readNames(address), [...zipNotHouse, numbers]);
    readings.splice(extraParams.includes("street") ? readings.length : 0, 0, ...numbered);
  }
  const only = words.length === 0 ? address : address.length === 0 && isStreet(words) ? words : [];
  for (const count of isState(only.at(-1)) ? [] : [2, 1])
    if (!only.slice(-count).some((word) => isStreetKind(word) || isComma(word)))
      named(only.slice(0, -count), readNames(only.slice(-count)).slice(0, 2)); // `1204 oak smith`, `mill st smith`
  if (voterId === "" && /\d\d$/.test(alone)) readings.splice(1, 0, { fields: { voterId: alone }, way: "", unread: "" }); // `WA123`
  const [first] = readings;
  if (first?.fields.voterId && /^[a-z]+[-.]\d+$/i.test(voterId))
    readings.splice(1, 0, { ...first, fields: { ...first.fields, voterId: voterId.replace(/[-.]/, "") } }); // `WA-0001234`
  const dropped = ({ unread }: Reading) => Math.max(0, countWords(unread) - countWords(first?.unread));
  const distinct = readings
    .toSorted((a, b) => dropped(a) - dropped(b))
    .filter(({ fields }) => county === "" || !fields.county) // its word would be neither searched nor named
    .map((one) => ({ ...one, fields: bounded({ ...one.fields, ...(county && { county }) }) }))
    .filter(({ fields }, index, all) => all.findIndex((one) => sameFields(one.fields, fields)) === index);
  const whole = distinct.filter((one) => dropped(one) === 0);
  return [...whole.slice(0, maxWhole), ...distinct.slice(whole.length), ...whole.slice(maxWhole)]
    .slice(0, maxReadings)
    .map((one) => ({ ...one, unread: [one.unread, unitText, dateText].filter(Boolean).join(" ") }));
}

const countWords = (text = "") => text.split(" ").filter(Boolean).length;

// `se 104 st`, `12345 104 ave se`: without its ending, the number of a street would be read as that of a house.
function asOrdinal(word: string, at: number, words: string[]) {
  const [before, after, next] = [words[at - 1] ?? "", words[at + 1], words[at + 2]];
  const isNumbered = isStreetKind(after) && !isAnyOf(directions, after) && /^\d{1,3}$/.test(word);
  if (!isNumbered || (![before, next].some((one) => isAnyOf(directions, one)) && !houseNumber.test(before)))
    return word;
  const ending = /1\d$/.test(word) ? undefined : ["", "st", "nd", "rd"][Number(word.at(-1))];
  return `${word}${ending || "th"}`;
}

// `pierce county smith`, but not `1204 county road`
function isName([first = "", , third]: string[]) {
  return /^\p{L}/u.test(first) && !isStreetKind(third);
}

function isVoterId(word: string) {
  return /(\d\D*){4}/.test(word) && ![zip, houseNumber, ordinal].some((known) => known.test(word));
}

function isStreet(words: string[]) {
  const isInitial = /^[nesw]\.?$/i.test(words.at(-1) ?? ""); // `mcdonald walter e`
  return words.slice(1, isInitial ? -1 : undefined).some(isStreetKind) || words.some((word) => ordinal.test(word));
}

// `main st`, and with a direction `main st n`
function isSureStreet(words: string[]) {
  const kindAt = isAnyOf(directions, words.at(-1)) ? words.length - 2 : words.length - 1;
  return kindAt > 0 && sureStreetKind.test(words[kindAt] ?? "");
}

// The street in each form, its last words as the city, or left out; and the city after a comma.
function readAddress(parts: string[], extraParams: readonly ExtraParam[]): Reading[] {
  const isBeforeState = isState(parts.at(-1)) && parts.findIndex(isComma) === parts.length - 2; // `208th Ave Tacoma, WA`
  const words = isBeforeState ? parts.filter((word) => !isComma(word)) : parts;
  const comma = words.findIndex(isComma);
  const street = comma === -1 ? [...words] : words.slice(0, comma);
  const place = comma === -1 ? [] : words.slice(comma).filter((word) => !isComma(word));
  const endsInState =
    comma === -1 ? street.length > 2 && isState(street.at(-1)) : place.length > 1 && place.at(-1)?.length === 2;
  const inState = (endsInState && (comma === -1 ? street : place).pop()) || "";
  const read = (words: string[], city: string[], dropped: string[] = []): Reading => ({
    fields: { street: words.join(" "), city: city.join(" ") },
    way: "",
    unread: [...dropped, inState].filter(Boolean).join(" "),
  });
  if (street.length === 0 || !extraParams.includes("street")) return [read([], place, street)];
  const all = street.length;
  const ends = comma === -1 ? [all - 1, all - 2].filter((end) => end > 0 && !isStreetKind(street[end])) : [];
  const afterKind = ends.filter((end) => end > 1 && isStreetKind(street[end - 1]));
  const readings = [
    read(street, place),
    ...[...afterKind, all, ...ends].flatMap((end) =>
      streetForms(street.slice(0, end)).map((words) => read(words, end === all ? place : street.slice(end))),
    ),
    // `1204 oak st kent` for Oak Ave
    ...afterKind.map((end) =>
      read(inForm(street.slice(0, end - 1), 0, 1), street.slice(end), street.slice(end - 1, end)),
    ),
    ...[all - 1, all - 2]
      .filter((end) => end > 0)
      .map((end) => read(inForm(street.slice(0, end), 0, 1), place, street.slice(end))),
  ];
  return readings.filter(({ fields }, index) => readings.findIndex((one) => sameFields(one.fields, fields)) === index);
}

// The street as typed, then in other forms: short words (as in most voter files), a number without its ending (`SE 104 St`),
// the direction at its other end, a saint, and long words.
function streetForms(words: string[]): string[][] {
  const short = inForm(words, 0, 1);
  const [first = "", last = ""] = [short[0], short.at(-1)];
  const turned = isAnyOf(directions, last)
    ? [last, ...short.slice(0, -1)]
    : isAnyOf(directions, first)
      ? [...short.slice(1), first]
      : short;
  const saint = /^st\.?$/i.test(first) ? ["saint", ...short.slice(1)] : short;
  const plain = short.map((word) => (ordinal.test(word) ? word.slice(0, -2) : word));
  return [words, short, plain, turned, saint, inForm(words, 1, 0)];
}

// The words of a street in the other form of each. `St` is a saint before the name, and a street after it.
function inForm(words: string[], from: 0 | 1, to: 0 | 1): string[] {
  return words.map((word, index) => {
    const plain = word.toLowerCase().replace(/\.$/, "");
    const forms = streetWords.filter((pair) => pair[from] === plain);
    return forms.at(index === 0 ? 0 : -1)?.[to] ?? word;
  });
}

// Every combination, the likeliest first. Words of a field that both have are unread.
function cross(some: Reading[], others: Reading[]): Reading[] {
  const pairs = some.flatMap((one, at) => others.map((other, place) => ({ one, other, unlikely: at + place })));
  return pairs
    .toSorted((a, b) => a.unlikely - b.unlikely)
    .map(({ one, other }) => ({
      fields: { ...one.fields, ...other.fields },
      way: one.way + other.way,
      unread: [other.unread, one.unread, ...overwritten(one.fields, other.fields)].filter(Boolean).join(" "),
    }));
}

function overwritten(fields: Partial<SearchFields>, by: Partial<SearchFields>): string[] {
  return fieldNames.flatMap((field) =>
    by[field] === undefined || by[field] === fields[field] ? [] : (fields[field] ?? []),
  );
}

function bounded(fields: Partial<SearchFields>): Partial<SearchFields> {
  const filled = Object.entries(fields).filter(([, text]) => text !== "");
  return Object.fromEntries(filled.map(([field, text]) => [field, text.slice(0, maxTextLength)]));
}
