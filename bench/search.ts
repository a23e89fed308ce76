// Measures searching 2 million voters with names from the American census, the time that the route adds, and how often near
// matches include a voter whose name is misspelled.
import { z } from "zod";
import { median, quantile } from "../harness/measure.ts";
import { atEnd, runBench, sized } from "../harness/run-bench.ts";
import { censusNames, type NameShare } from "../scripts/demo-data/census-names.ts";
import { seededRandom } from "../scripts/demo-data/seeded-random.ts";
import { type Database, openDatabase } from "../scripts/local-stack/open-database.ts";
import { startTemporaryPostgres } from "../scripts/local-stack/postgres-server.ts";
import { misspell } from "./support/misspell.ts";
import { randomKeys } from "./support/random-keys.ts";
import { measureSearchProxy } from "./support/search-proxy.ts";

const runs = sized(15, 1);
const addedVoters = sized(10_000, 100);
const misspelledCount = sized(2_000, 20);
const voterCount = sized(2_000_000, 2_000);
const slotCount = sized(1_000_000, 10_000);

type Params = Record<string, string | number>;

const searches: [string, Params][] = [
  ["nothing but the first page", {}],
  ["lastName of one letter", { lastName: "s" }],
  ["lastName of three letters", { lastName: "mar" }],
  ["a whole lastName", { lastName: "martinez" }],
  ["lastName and firstName", { lastName: "mar", firstName: "an" }],
  ["firstName alone", { firstName: "mar" }],
  ["zip and lastName", { zip: "98042", lastName: "mar" }],
  ["a part of a zip and lastName", { zip: "980", lastName: "mar" }],
  ["zip alone", { zip: "98042" }],
  ["houseNumber alone", { houseNumber: "1201" }],
  ["houseNumber and one letter", { houseNumber: "1201", lastName: "m" }],
  ["city and one letter", { city: "Kent 7", lastName: "m" }],
  ["city alone", { city: "Kent 7" }],
  ["county and lastName", { county: "King 3", lastName: "mar" }],
  ["county alone", { county: "King 3" }],
  ["firstName in a city", { city: "Kent 7", firstName: "an" }],
  ["no one", { lastName: "zzz", firstName: "q" }],
  ["the last page that can be reached", { lastName: "m", queryFrom: 9_975 }],
  ["voterId", { voterId: "WA00001234" }],
  ["street alone", { street: "Oak 12" }],
  ["houseNumber and street", { houseNumber: "1201", street: "oak" }],
  ["three letters, by city", { lastName: "mar", order: "city" }],
  ["three letters, by lastName", { lastName: "mar", order: "lastName" }],
  ["three letters, by -lastName", { lastName: "mar", order: "-lastName" }],
  ["three letters, by firstName", { lastName: "mar", order: "firstName" }],
  ["three letters, by -firstName", { lastName: "mar", order: "-firstName" }],
  ["three letters in a city, by -street", { lastName: "mar", city: "Kent 7", order: "-street" }],
  ["three letters anywhere, by -street", { lastName: "mar", order: "-street" }],
  ["zip, by houseNumber", { zip: "98042", order: "houseNumber" }],
  ["city, by zip", { city: "Kent 7", order: "zip" }],
  ["city, by -county", { city: "Kent 7", order: "-county" }],
  ["county, by -zip", { county: "King 3", order: "-zip" }],
];

const deep = { queryFrom: 9_900, querySize: 100 };
const columns = "firstName middleName lastName houseNumber street unit city zip county voterId".split(" ");
const orders = columns.flatMap((column) => [column, `-${column}`]).slice(0, sized(20, 2));
// Each case in all these orders; the slowest is printed.
const searchesInEachOrder: typeof searches = [
  ["everyone", {}],
  ["everyone, from 9 900", deep],
  ["lastName of one letter", { lastName: "m" }],
  ["lastName of one letter, from 9 900", { lastName: "m", ...deep }],
  ["firstName of one letter", { firstName: "a" }],
  ["firstName of one letter, from 9 900", { firstName: "a", ...deep }],
  ["both of one letter, from 9 900", { lastName: "m", firstName: "a", ...deep }],
  ["lastName of two letters, from 9 900", { lastName: "ma", ...deep }],
  ["lastName of three letters, from 9 900", { lastName: "mar", ...deep }],
  ["county, from 9 900", { county: "King 3", ...deep }],
  ["county and one letter, from 9 900", { county: "King 3", lastName: "m", ...deep }],
  ["city, from 9 900", { city: "Kent 7", ...deep }],
  ["city and one letter, from 9 900", { city: "Kent 7", firstName: "a", ...deep }],
  // Places that exist together, and the most common names.
  ["zip and county", { zip: "980", county: "King 3" }],
  ["zip and county, from 9 900", { zip: "980", county: "King 3", ...deep }],
  ["zip, county and one letter", { zip: "980", county: "King 3", firstName: "a" }],
  ["zip, county and one letter, from 9 900", { zip: "980", county: "King 3", firstName: "a", ...deep }],
  ["county, city and one letter", { county: "King 3", city: "Kent", lastName: "m" }],
  ["county, city and one letter, from 9 900", { county: "King 3", city: "Kent", lastName: "m", ...deep }],
  ["county, city and another letter", { county: "King 1", city: "Kent 1", firstName: "a" }],
  ["county, city and another letter, from 9 900", { county: "King 1", city: "Kent 1", firstName: "a", ...deep }],
  ["county and both of one letter, from 9 900", { county: "King 1", lastName: "m", firstName: "a", ...deep }],
  ["many zips", { zip: "982" }],
  ["many zips, from 9 900", { zip: "982", ...deep }],
];

// The search texts while someone types a last name letter by letter, alone and with a first name, a zip or a place.
const typedSearches: typeof searches = [
  "smith",
  "garcia",
  "nguyen",
  "oconnor",
  "hernandez",
  "lee",
  "zimmerman",
].flatMap((name) =>
  Array.from({ length: name.length }, (_, index) => name.slice(0, index + 1)).flatMap((lastName): typeof searches => [
    [`typing ${lastName}`, { lastName }],
    [`typing ${lastName}, with firstName`, { lastName, firstName: "mar" }],
    [`typing ${lastName}, with zip`, { lastName, zip: "98042" }],
    [`typing ${lastName}, with city`, { lastName, city: "kent 7" }],
  ]),
);

await runBench(async () => {
  await measureSearchProxy();
  const sharedBuffers = "1GB"; // as on a server with 4 GB, such as Supabase's Medium
  const server = await startTemporaryPostgres({ options: { shared_buffers: sharedBuffers } });
  atEnd(server.stop);
  const database = await openDatabase({ url: server.url, keys: randomKeys() });
  const startedAt = performance.now();
  await fill(database);
  const filled = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `\n${voterCount.toLocaleString("en")} voters, ${sharedBuffers} of shared buffers (filled in ${filled} s), ` +
      `${runs} interleaved runs`,
  );
  await measureIndexes(database);
  await measureExact(database);
  await measureNear(database);
  await database.close();
});

async function measureExact(database: Database) {
  const all: { name: string; params: Params }[] = [
    ...[...searches, ...typedSearches].map(([name, params]) => ({ name, params })),
    ...searchesInEachOrder.flatMap(([name, params]) =>
      orders.map((order) => ({ name: `${name}, in`, params: { ...params, order } })),
    ),
  ];
  const measured = all.map((search) => ({ ...search, times: [] as number[], answer: "" }));
  for (let round = -1; round < runs; round++) {
    for (const search of measured) {
      const startedAt = performance.now();
      const { total, relation, hits } = await find(database, "search_voters", search.params);
      if (round >= 0) search.times.push(performance.now() - startedAt); // the first one reads from disk
      search.answer = `${hits.length} of ${total}${relation === "gte" ? " or more" : ""}`;
    }
  }
  for (const [name, group] of Map.groupBy(measured, (search) => search.name)) {
    const [slowest] = group.toSorted((a, b) => median(b.times) - median(a.times));
    if (!slowest || name.startsWith("typing")) continue;
    const differs = group.find((search) => search.answer !== slowest.answer);
    if (differs) throw new Error(`${name}: ${slowest.answer} in one order, ${differs.answer} in another.`);
    const { times, params, answer } = slowest;
    const shown = [median(times), Math.max(...times)].map(formatMs);
    const what = group.length > 1 ? `${name} ${params.order}` : name;
    console.log(`  ${what.padEnd(52)} median${shown[0]}, worst${shown[1]}   ${answer}`);
  }
  const medians = (chosen: typeof measured) => chosen.map(({ times }) => median(times));
  const firstPages = medians(measured.filter(({ params }) => !params.queryFrom));
  const deepPages = medians(measured.filter(({ params }) => Number(params.queryFrom) > 1_000));
  console.log(
    `  medians of ${firstPages.length} first pages: p95${formatMs(quantile(firstPages, 0.95))}, the slowest${formatMs(Math.max(...firstPages))}`,
  );
  console.log(`  medians of ${deepPages.length} pages beyond 1,000: the slowest${formatMs(Math.max(...deepPages))}`);
}

function formatMs(time: number) {
  return `${time.toFixed(1).padStart(7)} ms`;
}

// Voters whose names `misspell` has changed. One half was used to tune the search, the other wasn't. The near matches don't
// repeat the exact matches.
async function measureNear(database: Database) {
  const random = seededRandom(1_352);
  const ids = Array.from({ length: misspelledCount }, () => voterId(1 + Math.floor(random() * voterCount)));
  const chosenVoters = await database.sql<{ id: string; first: string; last: string; house: string; luck: number }>(
    `select v.voter_id as id, v.first_key as first, v.last_key as last, v.house_number as house, least(1, 10.0 / (
       select count(*) from voterfile.voters o where o.last_key = v.last_key and o.first_key = v.first_key))::float as luck
     from voterfile.voters v where v.voter_id = any($1::text[]) order by v.voter_id`,
    [ids],
  );
  const misspelled = chosenVoters.map(({ id, house, luck, ...name }) => ({
    id,
    house,
    luck,
    ...misspell(name, random),
  }));
  const variants: [string, (params: Params) => Promise<string[]>][] = [
    ["strict", (params) => findIds(database, "search_voters", params)],
    ["forgiving", (params) => findIds(database, "similar_voters", params)],
    ["plain pg_trgm similarity", (params) => findByTrigrams(database, params)],
  ];
  for (const half of ["used to tune", "held out"]) {
    const names = misspelled.filter((_, index) => index % 2 === (half === "held out" ? 1 : 0));
    for (const withHouse of [true, false]) {
      const foundBefore = new Set<string>();
      for (const [variant, run] of variants) {
        const times: number[] = [];
        let found = 0;
        for (const { id, house, first, last } of names) {
          const params = { firstName: first, lastName: last, ...(withHouse && { houseNumber: house }) };
          const startedAt = performance.now();
          const isFound = (await run(params)).slice(0, 10).includes(id);
          times.push(performance.now() - startedAt);
          if (variant === "strict" && isFound) foundBefore.add(id);
          if (isFound || (variant === "forgiving" && foundBefore.has(id))) found += 1;
        }
        const what = `${variant}, ${withHouse ? "with house number" : "names alone"} (${half})`;
        console.log(
          `  ${what.padEnd(58)}${formatPercent(found / names.length)} among the first ten, p95${formatMs(quantile(times, 0.95))}`,
        );
      }
    }
    const bestPossible = names.reduce((sum, name) => sum + name.luck, 0) / names.length;
    console.log(
      `  ${`the best possible by names alone, because of namesakes (${half})`.padEnd(58)}${formatPercent(bestPossible)}`,
    );
  }
}

function formatPercent(share: number) {
  return `${(share * 100).toFixed(1).padStart(5)} %`;
}

async function findIds(database: Database, name: "search_voters" | "similar_voters", params: Params) {
  return (await find(database, name, params)).hits;
}

// The time of the extension alone, on the same distinct names.
async function findByTrigrams(database: Database, { firstName, lastName, houseNumber }: Params) {
  const rows = await database.sql<{ id: string }>(
    `select v.voter_id as id
     from voterfile.names l
     join voterfile.voters v on v.last_key = l.key
     join voterfile.names f on f.key = v.first_key
     where l.is_last and not f.is_last and l.key operator(extensions.%) $1 and f.key operator(extensions.%) $2
       and ($3::text is null or v.house_number = $3)
     order by extensions.similarity(l.key, $1) + extensions.similarity(f.key, $2) desc, v.voter_id limit 10`,
    [lastName, firstName, houseNumber ?? null],
  );
  return rows.map(({ id }) => id);
}

// The size of the indexes, and the time they add when voters are added.
async function measureIndexes(database: Database) {
  const [sizes] = await database.sql<{ voters: string; indexes: string; names: string }>(
    `select pg_size_pretty(pg_table_size('voterfile.voters')) as voters,
       pg_size_pretty(pg_indexes_size('voterfile.voters')) as indexes,
       pg_size_pretty(pg_total_relation_size('voterfile.names')) as names`,
  );
  const startedAt = performance.now();
  await insertVoters(database, { first: 50_000_000, count: addedVoters });
  const durationMs = performance.now() - startedAt;
  await database.sql("delete from voterfile.voters where voter_id >= 'WA50000000'");
  await database.sql("vacuum analyze voterfile.voters");
  console.log(
    `  the table ${sizes?.voters}, its indexes ${sizes?.indexes}, the names ${sizes?.names}; ` +
      `${addedVoters} more voters in ${durationMs.toFixed(0)} ms`,
  );
}

async function find(database: Database, variant: "search_voters" | "similar_voters", params: Params) {
  const [row] = await database.sql<{ answer: string }>(
    `select jsonb_set(a, '{hits}', jsonb_path_query_array(a, '$.hits[*].voterId'))::text as answer
     from public.${variant}($1::text::jsonb) a`,
    [JSON.stringify(params)],
  );
  return z
    .object({ total: z.number(), relation: z.enum(["eq", "gte"]), hits: z.array(z.string()) })
    .parse(JSON.parse(row?.answer ?? ""));
}

// The indexes are created afterwards, as with any large import.
async function fill(database: Database) {
  const indexes = await database.sql<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'voterfile' and tablename = 'voters' and indexname <> 'voters_pkey'`,
  );
  for (const { name } of indexes) await database.sql(`drop index voterfile.${name}`);
  await database.sql("alter table voterfile.voters drop constraint voters_pkey");
  const { first, last } = censusNames();
  await insertSlots(database, "first_slots", first);
  await insertSlots(database, "last_slots", last);
  await insertVoters(database, { first: 1, count: voterCount });
  await database.sql("alter table voterfile.voters add constraint voters_pkey primary key (voter_id)");
  for (const { definition } of indexes) await database.sql(definition);
  await database.sql("select voterfile.refresh_names()");
  await database.sql("vacuum analyze voterfile.voters, voterfile.names");
}

// Each name fills its share of a million slots, so a random slot is a name with the right probability.
async function insertSlots(database: Database, table: string, names: NameShare[]) {
  let end = 0;
  const ranges = names.map(({ name, share }) => {
    const start = end;
    end += share * slotCount;
    return { name, from: Math.ceil(start), to: Math.ceil(end) - 1 };
  });
  await database.sql(
    `create unlogged table ${table} as select slot, r.name
     from jsonb_to_recordset($1::text::jsonb) r (name text, "from" int, "to" int), generate_series(r."from", r."to") slot`,
    [JSON.stringify(ranges)],
  );
  await database.sql(`alter table ${table} add primary key (slot)`);
  await database.sql(`analyze ${table}`);
}

function voterId(number: number) {
  return `WA${String(number).padStart(8, "0")}`;
}

// Any number of voters: 2 percent have a double name; 60 cities of 6 zips each, in 12 counties.
async function insertVoters(database: Database, { first, count }: { first: number; count: number }) {
  await database.sql(
    `insert into voterfile.voters
       (voter_id, first_name, middle_name, last_name, house_number, street, unit, city, zip, county)
     select 'WA' || lpad(n.n::text, 8, '0'), f.name,
       case when random() < 0.6 then chr(65 + floor(random() * 26)::int) end,
       l.name || coalesce('-' || other.name, ''),
       (1 + floor(power(random(), 2) * 14000))::text,
       (array['Oak','Pine','Cedar','Maple','Lake','Hill','River','Main','Park','Mill'])[1 + floor(random() * 10)]
         || ' ' || (1 + floor(random() * 250)) || (array[' St',' Ave',' Way',' Ln'])[1 + floor(random() * 4)],
       case when random() < 0.2 then 'Apt ' || (1 + floor(random() * 400)) end,
       'Kent ' || n.city, (98000 + n.city * 6 + floor(random() * 6))::text, 'King ' || n.city % 12
     from (
       select n, floor(power(random(), 1.5) * 60)::int as city, floor(random() * ${slotCount})::int as first_slot,
         floor(random() * ${slotCount})::int as last_slot,
         case when random() < 0.02 then floor(random() * ${slotCount})::int end as other_slot
       from generate_series(${first}, ${first + count - 1}) n
     ) n
     join first_slots f on f.slot = n.first_slot
     join last_slots l on l.slot = n.last_slot
     left join last_slots other on other.slot = n.other_slot`,
  );
}
