import { censusNames, type NameShare } from "./census-names.ts";
import { seededRandom } from "./seeded-random.ts";

/** An invented voter of the demo's voter file. */
export type Voter = {
  voterId: string;
  firstName: string;
  middleName: string | null;
  lastName: string;
  houseNumber: string;
  street: string;
  unit: string | null;
  city: string;
  zip: string;
  county: string;
  birthYear: number;
  party: string | null;
  status: "Active" | "Inactive";
  district: string;
  precinct: string;
};

// Names that occur together, each with its share of the households. Most come from the census, which has no accents and too
// few names of other origins than English, Spanish and Vietnamese.
const americanShare = 68;
const origins = [
  {
    share: 14,
    isInCensus: true,
    first:
      "María José Juan Ana Luis Carmen Carlos Rosa Miguel Sofía Jesús Lucía Andrés Elena Ángel Inés Óscar Mónica " +
      "Joaquín Belén Rubén Martín Raúl Teresa Iván Noemí",
    last:
      "García Hernández Martínez López González Rodríguez Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Reyes " +
      "Morales Cruz Ortiz Gutiérrez Chávez Ramos Ruiz Vargas Castillo Mendoza Núñez Muñoz Peña Ibáñez Zúñiga Acuña " +
      "Quiñones Moreno Delgado Vega",
  },
  {
    share: 4,
    isInCensus: true,
    first: "Minh Linh Tuấn Hương Anh Thảo Đức Hạnh Quang Hoa Huy Trang Khánh Ngọc Phúc Yến",
    last: "Nguyễn Trần Lê Phạm Huỳnh Hoàng Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý",
  },
  {
    share: 4,
    first: "Wei Mei Jun Yan Ming Xiu Hao Lin Min-jun Ji-woo Hye-jin Sung Hiroshi Yuki Kenji Aiko Hana Takeshi",
    last: "Wang Li Zhang Chen Liu Lin Wu Huang Kim Lee Park Choi Kang Yoon Tanaka Sato Suzuki Yamamoto Itō Lü",
  },
  {
    share: 4,
    first:
      "Lars Ingrid Erik Astrid Bjørn Sigrid Søren Åsa Jürgen Käthe Björn Łukasz Małgorzata Paweł Agnieszka Jiří Zdeněk " +
      "Ivana Oleksandr Olena François Éloïse Zoë Renée Siobhán Fergus",
    last:
      "Hansen Olsen Larsen Lindqvist Åkesson Østergaard Sørensen Bergström Müller Schäfer Größmann Kowalski Wiśniewski " +
      "Wójcik Łukaszewicz Dvořák Novák Černý Šimić Petrenko Shevchenko Lefèvre Dubois Popescu Ștefănescu " +
      "Ó'Súilleabháin O'Connor Smith-Jones",
  },
  {
    share: 3,
    first: "Amit Priya Raj Anjali Arjun Deepa Gurpreet Harjit Omar Fatima Ali Layla Yusuf Amina Hassan Noor",
    last: "Singh Patel Sharma Kaur Gill Reddy Iyer Khan Ahmed Hussain Ali Haddad Rahman Nasser Farah Chaudhry",
  },
  {
    share: 3,
    first: "Kwame Ama Abebe Selam Tesfaye Hirut Chidi Ngozi Malik Zuri Kofi Adaeze Leilani Keoni Sione Mele",
    last: "Osei Mensah Tesfaye Bekele Okafor Adeyemi Mohamed Abdi Warsame Diallo Kamau Kealoha Kahale Tuiasosopo Fonoti",
  },
];
const doubleNameShare = 0.03; // of the households

const cities = [
  { share: 12, city: "Kent", county: "King", district: "33", zips: ["98030", "98031", "98032", "98042"] },
  { share: 10, city: "Renton", county: "King", district: "11", zips: ["98055", "98056", "98057"] },
  { share: 9, city: "Auburn", county: "King", district: "31", zips: ["98001", "98002", "98092"] },
  { share: 8, city: "Burien", county: "King", district: "34", zips: ["98146", "98166"] },
  { share: 6, city: "Kenmore", county: "King", district: "46", zips: ["98028"] },
  { share: 10, city: "Tacoma", county: "Pierce", district: "27", zips: ["98402", "98404", "98405", "98408"] },
  { share: 5, city: "Puyallup", county: "Pierce", district: "25", zips: ["98371", "98373"] },
  { share: 4, city: "Lakewood", county: "Pierce", district: "28", zips: ["98498", "98499"] },
  { share: 8, city: "Everett", county: "Snohomish", district: "38", zips: ["98201", "98203", "98208"] },
  { share: 5, city: "Lynnwood", county: "Snohomish", district: "32", zips: ["98036", "98037"] },
  { share: 3, city: "Marysville", county: "Snohomish", district: "39", zips: ["98270"] },
  { share: 6, city: "Olympia", county: "Thurston", district: "22", zips: ["98501", "98502", "98506"] },
  { share: 3, city: "Lacey", county: "Thurston", district: "22", zips: ["98503"] },
  { share: 4, city: "Bremerton", county: "Kitsap", district: "26", zips: ["98310", "98312"] },
  { share: 2, city: "Poulsbo", county: "Kitsap", district: "23", zips: ["98370"] },
  { share: 5, city: "Kennewick", county: "Benton", district: "8", zips: ["99336", "99337"] },
];

const streetNames =
  "Oak Maple Cedar Pine Alder Hemlock Birch Spruce Willow Cherry Lake River Harbor Meadow Orchard Prairie Summit Canyon " +
  "Lincoln Jefferson Madison Monroe Pacific Cascade Olympic Rainier Sunset Mill Church School";
const numberedStreets = ["1st", "2nd", "3rd", "4th", "12th", "33rd", "56th", "104th", "116th", "208th", "240th"];
const streets = [
  ...streetNames.split(" ").flatMap((name) => ["St", "Ave", "Ln"].map((kind) => `${name} ${kind}`)),
  ...numberedStreets.flatMap((name) => [`${name} Ave S`, `SE ${name} St`, `${name} Pl NE`]),
  "Martin Luther King Jr Way",
  "Saint Helens Ave",
  "Cañada Dr",
];

/**
 * Makes invented people in households, the same list each time. Names are as common as in reality, so some people share a
 * name, even in one city or home.
 */
export function makeVoters(count: number): Voter[] {
  const random = seededRandom(20_261_101);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  };
  const originsByShare = byShare(namesOfOrigins());
  const citiesByShare = byShare(cities);

  const voters: Omit<Voter, "voterId">[] = [];
  const registrationRandom = seededRandom(20_261_124); // separate, so that these fields don't affect the names
  const registrationInteger = (min: number, count: number) => min + Math.floor(registrationRandom() * count);
  while (voters.length < count) {
    const origin = pick(originsByShare);
    const location = pick(citiesByShare);
    const number = 1 + Math.floor(random() ** 2 * 3_200);
    const home = {
      houseNumber: random() < 0.01 ? `${number} 1/2` : random() < 0.02 ? `${number}${pick(["A", "B"])}` : `${number}`,
      street: pick(streets),
      unit:
        random() < 0.24
          ? pick([`Apt ${1 + below(40)}`, `Unit ${pick(["A", "B", "C", "D"])}`, `# ${101 + below(220)}`])
          : null,
      city: location.city,
      zip: pick(location.zips),
      county: location.county,
      district: location.district,
      precinct: `${location.city} ${location.district}-${registrationInteger(1, 60)}`,
    };
    const firstYear = registrationInteger(1938, 62);
    const lastName = origin.last(random());
    const familyName = random() < doubleNameShare ? `${lastName}-${origin.last(random())}` : lastName;
    const seniorFirstName = origin.first(random());
    const householdSize = Math.min(pick([1, 1, 2, 2, 2, 3, 3, 4, 5]), count - voters.length);
    for (let person = 0; person < householdSize; person++) {
      const ownOrigin = random() < 0.9 ? origin : pick(originsByShare);
      const isJunior = person === 2 && random() < 0.15;
      voters.push({
        firstName: person === 0 || isJunior ? seniorFirstName : ownOrigin.first(random()),
        middleName:
          random() < 0.3 ? null : random() < 0.6 ? String.fromCharCode(65 + below(26)) : ownOrigin.first(random()),
        lastName: person === 0 || random() < 0.82 ? familyName : ownOrigin.last(random()),
        ...home,
        birthYear: Math.min(
          2008,
          person < 2 ? firstYear + registrationInteger(0, 7) : firstYear + registrationInteger(20, 16),
        ),
        party:
          [null, "Democratic", "Democratic", "Republican", "Republican", "Independent"][registrationInteger(0, 6)] ??
          null,
        status: registrationRandom() < 0.05 ? "Inactive" : "Active",
      });
    }
  }

  // Ids don't reveal who lives together.
  const ids = voters.map((_, index) => 10_000 + index * 17 + below(17));
  for (let last = ids.length - 1; last > 0; last--) {
    const swapped = below(last + 1);
    [ids[last], ids[swapped]] = [ids[swapped] ?? 0, ids[last] ?? 0];
  }
  return voters.map((voter, index) => ({ voterId: `WA${String(ids[index]).padStart(7, "0")}`, ...voter }));
}

function byShare<T extends { share: number }>(list: T[]): T[] {
  return list.flatMap((item) => Array.from({ length: item.share }, () => item));
}

// The functions that draw a first and a last name of each origin.
function namesOfOrigins() {
  const census = censusNames();
  const drawListed = (names: string, known: NameShare[]) => {
    const shares = new Map(known.map(({ name, share }) => [name.toLowerCase(), share]));
    const lowestShare = known.at(-1)?.share ?? 1;
    return nameSampler(
      names.split(" ").map((name) => ({ name, share: shares.get(withoutDiacritics(name)) ?? lowestShare })),
    );
  };
  return [
    { share: americanShare, first: nameSampler(census.first), last: nameSampler(census.last.map(spell)) },
    ...origins.map(({ share, isInCensus, first, last }) => ({
      share,
      first: drawListed(first, isInCensus ? census.first : []),
      last: drawListed(last, isInCensus ? census.last : []),
    })),
  ];
}

// Draws each name as often as its share of the list.
function nameSampler(names: NameShare[]): (chance: number) => string {
  let sum = 0;
  const cumulativeShares = names.map(({ share }) => (sum += share));
  return (chance) => {
    let [from, to] = [0, names.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((cumulativeShares[middle] ?? 0) > chance * sum) to = middle;
      else from = middle + 1;
    }
    return names[from]?.name ?? "";
  };
}

// The census writes Oconnor, Mcdonald and Delacruz.
const fusedNames: [RegExp, string][] = [
  [
    /^O(?=(brien|connell|connor|donnell|grady|hara|keefe|leary|malley|neal|neill?|reilly|rourke|shea|sullivan|toole)$)/,
    "O'",
  ],
  [/^Mc(?=[a-z]{2})/, "Mc"],
  [/^Dela(?=(cruz|fuente|garza|paz|rosa|torre)$)/, "De La "],
  [/^De(?=(jesus|leon|luna)$)/, "De "],
];

function spell({ name, share }: NameShare): NameShare {
  for (const [start, spelling] of fusedNames) {
    const ending = name.replace(start, "");
    if (ending !== name) return { name: `${spelling}${ending[0]?.toUpperCase()}${ending.slice(1)}`, share };
  }
  return { name, share };
}

function withoutDiacritics(name: string) {
  return name
    .normalize("NFD")
    .replaceAll("Đ", "D")
    .replaceAll(/[^A-Za-z]/g, "")
    .toLowerCase();
}
