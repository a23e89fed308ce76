import type { SearchFields } from "@/lib/voters/voter-query";

/**
 * One way to read a text: the text of each field, and the words that no field takes. `way` names how first and last name
 * were separated, so that the next letter can be read in the same way.
 */
export type Reading = { fields: Partial<SearchFields>; way: string; unread: string };

const state =
  /^(a[klrz]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[at]|w[aivy])$/i;

/** Directions, as people write them, and as most voter files do, which follow the postal service. */
export const directions = readPairs(
  "north n,south s,east e,west w,northeast ne,northwest nw,southeast se,southwest sw",
);

const streetKinds = readPairs(
  "avenue ave,boulevard blvd,circle cir,court ct,drive dr,highway hwy,lane ln,loop loop,parkway pkwy,place pl,road rd," +
    "street st,terrace ter,trail trl,way way",
);

/** Words of streets, long and short. */
export const streetWords = [
  ...readPairs("saint st,mount mt,fort ft,first 1st,second 2nd,third 3rd,fourth 4th,fifth 5th,sixth 6th,seventh 7th"),
  ...readPairs("eighth 8th,ninth 9th,tenth 10th"),
  ["mlk", "martin luther king"],
  ...directions,
  ...streetKinds,
];

/** Whether a word is a comma: the words of a text include them. */
export function isComma(word: string) {
  return word === ",";
}

/** Whether a word says what kind of street it is, or its direction. */
export function isStreetKind(word = "") {
  return isAnyOf(directions, word) || isAnyOf(streetKinds, word);
}

/** Whether a word is the abbreviation of a state. */
export function isState(word = "") {
  return state.test(word) && !isStreetKind(word);
}

/** Whether a word is one of these, in either form. */
export function isAnyOf(forms: string[][], word = "") {
  return forms.some((pair) => pair.includes(word.toLowerCase().replace(/\.$/, "")));
}

function readPairs(text: string) {
  return text.split(",").map((pair) => pair.split(" "));
}

const generation = /^(jr|sr|ii|iii|iv|esq|md|phd)\.?$/i;
const title = /^(dr|mr|mrs|ms|miss|rev|prof)\.?$/i;
const initial = /^\p{L}\.?$/u;
const initials = /^[b-df-hj-np-tv-xz]{2}$/i;
const particle =
  /^(bin|d|da|das|de|dela?|della|den|der|des|di|dos|du|el|la|las|le|los|mac|mc|o|san|santa|st|van|vander|von|y)[.'’]?$/i;

/** Reads names, with a city or county before or after them unless `canHavePlace` is false; the likeliest reading first. */
export function readNames(parts: string[], canHavePlace = true): Reading[] {
  // A comma next to an address says nothing about names.
  const words = parts.slice(
    parts.findIndex((word) => !isComma(word)),
    parts.findLastIndex((word) => !isComma(word)) + 1,
  );
  const isTitle = (index: number) =>
    title.test(words[index] ?? "") && isComma(words[index - 1] ?? ",") && !isComma(words[index + 1] ?? ",");
  const named = words.filter((_, index) => !isTitle(index));
  const isSuffix = (word: string, index: number) => (index > 0 || /^jr/i.test(word)) && generation.test(word);
  const suffixes = named.filter(isSuffix);
  const names = named.filter((word, index) => !isSuffix(word, index));
  const and = names.findIndex((word, index) => index > 0 && index < names.length - 1 && /^(and|&)$/i.test(word));
  const read = (way: string, fields: Partial<SearchFields>, unread: string[] = []): Reading => ({
    fields,
    way,
    unread: [...unread, ...suffixes].filter(Boolean).join(" "),
  });
  const name = (way: string, first: string[], last: string[], middle: string[] = []) =>
    read(way, { firstName: first.join(" "), lastName: last.join(" ") }, middle);
  const withInitial = (way: string, first: string[], last: string[]): Reading[] => {
    const end = first.findLastIndex((word, index) => index === 0 || !initial.test(word)) + 1;
    const [only = ""] = first.length === 1 ? first : [];
    return [
      name(way, first, last),
      ...(initials.test(only) && !particle.test(only) ? [name(way, [...only], last)] : []), // `jd smith`
      ...(end < first.length ? [name(way, first.slice(0, end), last, first.slice(end))] : []), // some voter files have none
    ];
  };
  const readOthers = (some: string[], canHavePlace = true) =>
    readNames(some, canHavePlace).map(({ fields, way, unread }) => read(way, fields, [unread]));
  if (and !== -1) {
    // `chris and joan smith`: each of the two
    const readWithout = (from: number) =>
      readOthers(names.toSpliced(from, 2), canHavePlace).map((one) => ({
        ...one,
        unread: [...names.slice(from, from + 2), one.unread].filter(Boolean).join(" "),
      }));
    const second = readWithout(and - 1);
    return readWithout(and).flatMap((one, at) => [one, ...second.slice(at, at + 1)]);
  }
  const comma = names.findIndex(isComma);
  if (comma !== -1) {
    const last = names.slice(0, comma);
    const after = names.slice(comma + 1);
    const [first = "", ...middle] = after.filter((word) => !isComma(word));
    const groups = after
      .join(" ")
      .replace(/ (, )?\p{L}{2}$/u, "") // the state
      .split(" , ");
    const city = groups.pop() ?? "";
    const named = groups.length > 0 ? [...last, ",", ...groups.join(" ").split(" ")] : last; // `smith, ada, kent`
    return [
      ...withInitial("comma", [first, ...middle], last),
      ...[1, 2] // `smith, ada kent`
        .filter((words) => middle.length >= words && !after.some(isComma))
        .flatMap((words) =>
          withPlace(withInitial("", [first, ...middle.slice(0, -words)], last), middle.slice(-words).join(" "), "city"),
        ),
      ...(middle.length > 0 ? [name("comma", [first], last, middle)] : []),
      ...withPlace(readOthers(named).slice(0, 2), city, "city"), // `ada smith, kent`
      ...(after.length === 1 && first.length === 2 ? [read("city first", { city: last.join(" ") }, [first])] : []), // `kent, wa`
    ];
  }
  const count = names.length;
  const inPlace = (["city", "county"] as const).map((field) => read(`${field} first`, { [field]: names.join(" ") }));
  if (count === 0) return [name("", [], [])];
  if (count === 1) return [name("last", [], names), name("first", names, []), ...inPlace];

  // Places aren't tried here, because each word would multiply the time.
  const bothOrders = (from: number, to?: number) => {
    const some = names.slice(from, to);
    return canHavePlace && some.length > 0 ? readOthers(some, false).slice(0, some.length > 1 ? 2 : 1) : [];
  };
  const [firstWord = "", lastWord = ""] = [names[0], names.at(-1)];
  const stateAt = names.findLastIndex((word, at) => isState(word) && (at === count - 1 || !particle.test(word)));
  const beforeState = names.slice(0, Math.max(0, stateAt)).join(" ");
  const inState = // `kent wa`, `garcia kent wa`, `kent wa garcia`
    beforeState !== "" && canHavePlace
      ? readNames(names.toSpliced(stateAt, 1))
          .filter(({ fields: { city } }) => city && beforeState.endsWith(city))
          .toSorted((a, b) => Object.keys(a.fields).length - Object.keys(b.fields).length)
          .slice(0, 5)
          .map(({ way, fields, unread }) => read(way, fields, [unread, names[stateAt] ?? ""]))
      : [];
  const inTwoWordCity = withPlace(bothOrders(2), names.slice(0, 2).join(" "), "city first");
  const isParticle = (index: number) => particle.test(names[index] ?? "");
  let start = count - 1; // of a last name at the end
  while (start > 1 && isParticle(start - 1)) start -= 1;
  let end = 1; // of one at the beginning
  while (end < count - 1 && isParticle(end - 1)) end += 1;
  const whole = name("whole", [], names);
  const spoken = withInitial("first last", names.slice(0, start), names.slice(start));
  const listed = withInitial("last first", names.slice(end), names.slice(0, end));
  const hasTwoLast = count === 3 && start > 1 && end < 2;
  return [
    ...(isParticle(0) ? [whole] : spoken),
    // `john d smith`: a D can begin a last name too
    ...(count > 2 && initial.test(names[start] ?? "") ? withInitial("first last", names.slice(0, -1), [lastWord]) : []),
    ...(isParticle(0) ? [...listed, ...spoken] : listed),
    ...(count > 2 && initial.test(lastWord)
      ? withInitial("first last", [firstWord, lastWord], names.slice(1, -1)) // `ada smith m`
      : []),
    ...(count === 2 ? [whole, name("first", names, []), name("whole", [], names.toReversed())] : []), // `mary ann`
    ...(isStreetKind(names[1]) ? inTwoWordCity : []), // `federal way smith`
    ...(start > 1 ? [name("first, two last", [firstWord], names.slice(1))] : []),
    ...(end < count - 1 ? [name("two last, first", [lastWord], names.slice(0, -1))] : []),
    ...inState,
    ...withPlace(bothOrders(0, -1), lastWord, "city"), // `smith renton`
    ...withPlace(bothOrders(1), firstWord, "city first"), // `renton smith`, after these, as `mary` begins a city too
    ...(count === 3 && canHavePlace // `smith renton ada`
      ? withPlace(readOthers([firstWord, lastWord], false).slice(0, 2), names[1] ?? "", "city")
      : []),
    ...withPlace(bothOrders(0, -2), names.slice(-2).join(" "), "city"),
    ...inTwoWordCity,
    ...(count === 2 ? inPlace.slice(0, 1) : []), // `federal way`
    ...(count === 3 && start > 1 ? [name("first last", [names[1] ?? "", firstWord], [lastWord])] : []), // `jose angel garcia`
    ...(hasTwoLast ? [name("first, two last", [firstWord], names.slice(1).toReversed())] : []),
    ...(hasTwoLast ? [name("two last, first", [lastWord], names.slice(0, -1).toReversed())] : []),
    ...withPlace(bothOrders(1).slice(0, 1), firstWord, "county first", "county"), // `king smith`
    ...withPlace(bothOrders(0, -1), lastWord, "county", "county"),
    ...(start > 1 ? [name("first last", [firstWord], names.slice(start), names.slice(1, start))] : []),
    ...(start > 1 ? [name("first last", [firstWord], names.slice(1, start), names.slice(start))] : []), // of two last names
    ...(end < count - 1
      ? [name("last first", names.slice(end, end + 1), names.slice(0, end), names.slice(end + 1))]
      : []),
  ];
}

// The readings with words as their city or county. One that they had is unread.
function withPlace(readings: Reading[], place: string, way: string, field: "city" | "county" = "city"): Reading[] {
  return readings.map(({ fields, unread }) => ({
    fields: { ...fields, [field]: place },
    way,
    unread: [unread, fields[field]].filter(Boolean).join(" "),
  }));
}
