/** A first and a last name, in lower case. */
export type Name = { first: string; last: string };

const keyboardRows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

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
  { share: 25, mistake: neighboringKey },
  { share: 15, mistake: swap },
  { share: 20, mistake: drop },
  { share: 10, mistake: double },
  { share: 24, mistake: soundAlike },
];
const exchangedShare = 0.06;
const lastNameShare = 0.7;

/**
 * A name with one mistake, as in typing and hearing. 25 % have a neighboring key, 24 % a spelling that sounds alike. 20 % have
 * a letter dropped, 15 % two letters swapped, 10 % one doubled. In 6 %, first and last name are exchanged. Other mistakes than
 * an exchange are in the last name in 70 % of the cases. 90 % of the mistakes in a first letter are drawn again.
 */
export function misspell({ first, last }: Name, random: () => number): Name {
  if (random() < exchangedShare) return { first: last, last: first };
  const inLast = random() < lastNameShare;
  const name = inLast ? last : first;
  for (let attempt = 0; attempt < 100; attempt++) {
    const spelled = pickKind(random)(name, random);
    if (spelled === undefined || spelled === name || spelled.length < 2) continue;
    if (spelled[0] !== name[0] && random() < 0.9) continue;
    return inLast ? { first, last: spelled } : { first: spelled, last };
  }
  return { first: last, last: first };
}

function pickKind(random: () => number) {
  let remaining = random() * kinds.reduce((sum, { share }) => sum + share, 0);
  for (const { share, mistake } of kinds) {
    remaining -= share;
    if (remaining < 0) return mistake;
  }
  return drop;
}

const pick = <T>(list: readonly T[], random: () => number) => list[Math.floor(random() * list.length)];
const randomIndex = (name: string, random: () => number) => Math.floor(random() * name.length);

function neighboringKey(name: string, random: () => number) {
  const index = randomIndex(name, random);
  const keyboardRow = keyboardRows.find((keys) => keys.includes(name[index] ?? " "));
  if (!keyboardRow) return;
  const key = keyboardRow.indexOf(name[index] ?? "");
  const neighbor = pick(
    [keyboardRow[key - 1], keyboardRow[key + 1]].filter((letter) => letter !== undefined),
    random,
  );
  return name.slice(0, index) + neighbor + name.slice(index + 1);
}

function swap(name: string, random: () => number) {
  const index = Math.floor(random() * (name.length - 1));
  return name.slice(0, index) + (name[index + 1] ?? "") + name[index] + name.slice(index + 2);
}

function drop(name: string, random: () => number) {
  const index = randomIndex(name, random);
  return name.slice(0, index) + name.slice(index + 1);
}

function double(name: string, random: () => number) {
  const index = randomIndex(name, random);
  return name.slice(0, index) + name[index] + name.slice(index);
}

function soundAlike(name: string, random: () => number) {
  const pair = pick(
    soundAlikes.filter(([from = ""]) => name.includes(from)),
    random,
  );
  if (!pair) return;
  const [from = "", to = ""] = pair;
  const indexes = [...name].flatMap((_, index) => (name.startsWith(from, index) ? [index] : []));
  const index = pick(indexes, random) ?? 0;
  return name.slice(0, index) + to + name.slice(index + from.length);
}
