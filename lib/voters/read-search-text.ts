import {
  directions,
  isAnyOf,
  isComma,
  isState,
  isStreetKind,
  type Reading,
  readNames,
  streetForms,
  withPlace,
} from "@/lib/voters/read-names";
import { type ExtraParam, fieldNames, maxTextLength, type SearchFields, sameFields } from "@/lib/voters/voter-query";

const maxReadings = 19; // each is a search, when those before it find no one

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
  const words = text
    .replaceAll(",", " , ")
    .replace(/\bzip (?=\d{5}\b)/i, "")
    .replace(/\b(voter )?id:? (?=\S*\d{4})/i, "")
    .replace(/^\s*([a-z]{2}) (?=\d{6,}\s*$)/i, "$1") // `WA 0001234`
    .replace(/# +/, "#")
    .split(/\s+/)
    .filter((word) => isComma(word) || /[\p{L}\p{N}]/u.test(word))
    .map(asOrdinal);
  const take = (at: number, count = 1) => (at === -1 ? "" : words.splice(at, count).join(" "));
  const unitAt = words.findIndex(
    (word, index) => /^#/.test(word) || (unit.test(word) && /^#?(\d.*|[a-z])$/i.test(words[index + 1] ?? "")),
  );
  const unitText = take(unitAt, words[unitAt]?.startsWith("#") ? 1 : 2);
  const dateText = take(words.findIndex((word) => /^\d{1,2}\/\d{1,2}\/\d{2,4}$/.test(word))); // such as a date of birth
  if (words.every(isComma)) return [];

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

  const withNumbers = (numbers: Partial<SearchFields>): Reading =>
    extraParams.includes("voterId")
      ? { fields: { ...numbers, voterId }, way: "", unread: "" }
      : { fields: numbers, way: "", unread: voterId };
  const numbers = withNumbers({ houseNumber: house, zip: zipText });
  // Five digits can be a house number too: `smith 12345`.
  const other = zipText !== "" && house === "" ? [withNumbers({ houseNumber: zipText })] : [];
  if (zipText === "" && /^\d{3,4}$/.test(house) && address.length === 0) other.push(withNumbers({ zip: house })); // `smith 980`

  const names = readNames(words);
  if (zipText !== "" && words.length === 2 && isState(words[1]))
    names.splice(1, 0, ...readNames(words.slice(0, 1)).map((one) => ({ ...one, unread: words[1] ?? "" }))); // `garcia wa 98499`
  const streets = readAddress(address, extraParams);
  const readings = cross(streets, cross(names, [numbers]));
  readings.splice(1, 0, ...cross(names.slice(0, 2), other));
  const zipNotHouse = beginsAddress ? [withNumbers({ zip: house.slice(0, 5) })] : [];
  if (extraParams.includes("street")) readings.splice(1, 0, ...cross(streets.slice(0, 1), zipNotHouse)); // `98042 cedar`
  if (isStreet(words) && !isStreet(address) && !words.some(isComma) && extraParams.includes("street")) {
    const withCity = address.length > 0 ? [...words, ",", ...address.filter((word) => !isComma(word))] : words;
    const asStreet = cross(readAddress(withCity, extraParams), [numbers]); // `cedar st 4 kent`
    readings.splice(1, 0, ...asStreet.filter(({ unread }) => unread === ""));
    for (const count of address.length > 0 ? [] : [2, 1])
      if (isStreet(words.slice(count))) {
        const rest = readAddress(words.slice(count), extraParams).filter(({ unread }) => unread === "");
        const inPlace = withPlace(rest, words.slice(0, count).join(" "), "", "city"); // `tacoma mill st`
        readings.splice(2, 0, ...cross(inPlace.slice(0, 2), [numbers]));
      }
    readings.push(...asStreet); // `garcia federal way` is rather a name and a city than a street without some of it
    readings.unshift(...asStreet.filter(({ unread }) => isSureStreet(words) && unread === ""));
  } else if (words.length > 0 && address.length === 0 && !words.some(isComma) && extraParams.includes("street")) {
    const named = readAddress(words, extraParams); // `martin luther king`, `st helens`
    const whole = named.filter(({ fields, unread }) => !fields.city && unread === "");
    readings.push(...cross(whole, [numbers]));
  }
  if (address.length > 0 && !isStreet(address) && words.length === 0) {
    // A number before a name: `1204 smith`, `98030 smith`.
    const named = cross(readNames(address), [...zipNotHouse, numbers]);
    readings.splice(extraParams.includes("street") ? readings.length : 0, 0, ...named);
  }
  for (const count of words.length === 0 && !isState(address.at(-1)) ? [2, 1] : [])
    if (!address.slice(-count).some(isStreetKind) && !address.some(isComma)) {
      const street = readAddress(address.slice(0, -count), extraParams); // `1204 oak smith`
      const whole = street.filter(({ fields, unread }) => fields.street && !fields.city && unread === "");
      const named = cross(readNames(address.slice(-count)).slice(0, count), [numbers]);
      readings.splice(2, 0, ...cross(whole.slice(0, 2), named));
    }
  if (voterId === "" && /\d\d$/.test(alone)) readings.splice(1, 0, { fields: { voterId: alone }, way: "", unread: "" }); // `WA123`
  const [first] = readings;
  if (first?.fields.voterId && /^[a-z]+[-.]\d+$/i.test(voterId))
    readings.splice(1, 0, { ...first, fields: { ...first.fields, voterId: voterId.replace(/[-.]/, "") } }); // `WA-0001234`
  return readings
    .filter(({ fields }) => county === "" || !fields.county) // its word would be neither searched nor named
    .map(({ fields, way, unread }) => ({
      fields: bounded({ ...fields, ...(county && { county }) }),
      way,
      unread: [unread, unitText, dateText].filter(Boolean).join(" "),
    }))
    .filter(({ fields }, index, all) => all.findIndex((one) => sameFields(one.fields, fields)) === index)
    .slice(0, maxReadings);
}

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
  return words.slice(1).some(isStreetKind) || words.some((word) => ordinal.test(word));
}

// `main st`, and with a direction `main st n`
function isSureStreet(words: string[]) {
  const kindAt = isAnyOf(directions, words.at(-1)) ? words.length - 2 : words.length - 1;
  return kindAt > 0 && sureStreetKind.test(words[kindAt] ?? "");
}

// The street, also with its words short or long, its number without an ending, its last words as the city, or left out one
// by one; and the city after a comma.
function readAddress(parts: string[], extraParams: readonly ExtraParam[]): Reading[] {
  const isBeforeState = isState(parts.at(-1)) && parts.findIndex(isComma) === parts.length - 2; // `208th Ave Tacoma, WA`
  const words = isBeforeState ? parts.filter((word) => !isComma(word)) : parts;
  const comma = words.findIndex(isComma);
  const street = comma === -1 ? [...words] : words.slice(0, comma);
  const place = comma === -1 ? [] : words.slice(comma).filter((word) => !isComma(word));
  const endsInState =
    comma === -1 ? street.length > 2 && isState(street.at(-1)) : place.length > 1 && place.at(-1)?.length === 2;
  const inState = (endsInState && (comma === -1 ? street : place).pop()) || "";
  const wordCount = extraParams.includes("street") ? street.length : 0;
  const upTo = (end: number, city: string[], words = street): Reading => ({
    fields: { street: words.slice(0, Math.max(0, end)).join(" "), city: city.join(" ") },
    way: "",
    unread: [...(city === place ? street.slice(Math.max(0, end)) : []), inState].filter(Boolean).join(" "),
  });
  if (wordCount === 0) return [upTo(0, place)];
  const [short, long] = [inForm(street, 0, 1), inForm(street, 1, 0)];
  const plain = short.map((word) => (ordinal.test(word) ? word.slice(0, -2) : word));
  const turned = (some: string[]) => {
    const [first = "", last = ""] = [some[0], some.at(-1)];
    if (isAnyOf(directions, last)) return [last, ...some.slice(0, -1)];
    return isAnyOf(directions, first) ? [...some.slice(1), first] : some;
  };
  const saint = /^st\.?$/i.test(street[0] ?? "")
    ? [upTo(wordCount, place, [...long.slice(0, 1), ...short.slice(1)])]
    : [];
  const isCity = (end: number) => end > 0 && comma === -1 && !isStreetKind(street[end]);
  const inCity = (end: number, words = short) => (isCity(end) ? [upTo(end, street.slice(end), words)] : []);
  const without = (end: number) => (end > 0 ? [upTo(end, place)] : []);
  const readings = [
    upTo(wordCount, place),
    ...inCity(wordCount - 1),
    upTo(wordCount, place, short),
    upTo(wordCount, place, plain), // `SE 104 St`
    ...inCity(wordCount - 1, plain),
    upTo(wordCount, place, turned(short)), // `33rd St SE` for SE 33rd St
    ...inCity(wordCount - 1, turned(short.slice(0, -1))),
    ...saint, // `Saint Helens Ave`
    ...without(wordCount - 1),
    upTo(wordCount, place, long),
    ...inCity(wordCount - 2),
    ...without(wordCount - 2),
  ];
  return readings.filter(({ fields }, index) => readings.findIndex((one) => sameFields(one.fields, fields)) === index);
}

// The words of a street in the other form of each. `St` is a saint before the name, and a street after it.
function inForm(words: string[], from: 0 | 1, to: 0 | 1): string[] {
  return words.map((word, index) => {
    const plain = word.toLowerCase().replace(/\.$/, "");
    const forms = streetForms.filter((pair) => pair[from] === plain);
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
