/** A first and a last name, in lower case. */
export type Name = { first: string; last: string };

const rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

// Spellings that sound alike.
const soundAlikes = [
  "ph f",
  "f ph",
  "ck k",
  "k c",
  "c k",
  "ie y",
  "y ie",
  "y i",
  "i y",
  "ei ie",
  "s z",
  "z s",
  "ou u",
  "ee ea",
  "ea ee",
  "th t",
  "t th",
  "sch sh",
  "tz ts",
  "x ks",
  "qu kw",
  "ll l",
  "nn n",
  "tt t",
  "ss s",
  "rr r",
  "oe o",
  "ae e",
  "sen son",
  "son sen",
  "er ar",
  "ar er",
  "an en",
  "en an",
  "mac mc",
  "mc mac",
  "w v",
  "dg j",
  "j g",
  "ai ay",
  "ay ai",
  "gh g",
  "hn n",
  "o ou",
  "le el",
].map((pair) => pair.split(" "));

const kinds = [
  { share: 25, slip: neighbouringKey },
  { share: 15, slip: swap },
  { share: 20, slip: drop },
  { share: 10, slip: double },
  { share: 24, slip: soundAlike },
];
const exchangedShare = 0.06;
const lastNameShare = 0.7;

/**
 * A name with one mistake, as in typing and hearing: a neighboring key (25 %), two letters swapped (15 %), one dropped (20
 * %), one doubled (10 %), a spelling that sounds alike (24 %), or first and last name exchanged (6 %). Other mistakes than
 * an exchange are in the last name in 70 % of the cases. 90 % of the mistakes in a first letter are drawn again.
 */
export function misspell({ first, last }: Name, random: () => number): Name {
  if (random() < exchangedShare) return { first: last, last: first };
  const inLast = random() < lastNameShare;
  const name = inLast ? last : first;
  for (let tried = 0; tried < 100; tried++) {
    const spelled = pickKind(random)(name, random);
    if (spelled === undefined || spelled === name || spelled.length < 2) continue;
    if (spelled[0] !== name[0] && random() < 0.9) continue;
    return inLast ? { first, last: spelled } : { first: spelled, last };
  }
  return { first: last, last: first };
}

function pickKind(random: () => number) {
  let place = random() * kinds.reduce((sum, { share }) => sum + share, 0);
  for (const { share, slip } of kinds) {
    place -= share;
    if (place < 0) return slip;
  }
  return drop;
}

const pick = <T>(list: readonly T[], random: () => number) => list[Math.floor(random() * list.length)];
const placeIn = (name: string, random: () => number) => Math.floor(random() * name.length);

function neighbouringKey(name: string, random: () => number) {
  const place = placeIn(name, random);
  const row = rows.find((keys) => keys.includes(name[place] ?? " "));
  if (!row) return;
  const key = row.indexOf(name[place] ?? "");
  const other = pick(
    [row[key - 1], row[key + 1]].filter((letter) => letter !== undefined),
    random,
  );
  return name.slice(0, place) + other + name.slice(place + 1);
}

function swap(name: string, random: () => number) {
  const place = Math.floor(random() * (name.length - 1));
  return name.slice(0, place) + (name[place + 1] ?? "") + name[place] + name.slice(place + 2);
}

function drop(name: string, random: () => number) {
  const place = placeIn(name, random);
  return name.slice(0, place) + name.slice(place + 1);
}

function double(name: string, random: () => number) {
  const place = placeIn(name, random);
  return name.slice(0, place) + name[place] + name.slice(place);
}

function soundAlike(name: string, random: () => number) {
  const pair = pick(
    soundAlikes.filter(([from = ""]) => name.includes(from)),
    random,
  );
  if (!pair) return;
  const [from = "", to = ""] = pair;
  const places = [...name].flatMap((_, place) => (name.startsWith(from, place) ? [place] : []));
  const place = pick(places, random) ?? 0;
  return name.slice(0, place) + to + name.slice(place + from.length);
}
