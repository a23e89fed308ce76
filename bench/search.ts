// What a search costs: what the route adds over the backend, and the voter file itself, on 20 000 voters in PGlite and on
// 2 million in PostgreSQL.
import { z } from "zod";
import { type Database, openDatabase } from "../scripts/local-stack/open-database.ts";
import { startPostgres } from "../tests/support/postgres-server.ts";
import { median } from "./support/numbers.ts";
import { randomKeys } from "./support/random-keys.ts";
import { atEnd, runBench, sized } from "./support/run-bench.ts";
import { measureSearchProxy } from "./support/search-proxy.ts";

const runs = sized(15, 1);
const added = sized(10_000, 100);
const target = 50; // ms

const searches: [string, Record<string, string | number>][] = [
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
  ["nobody", { lastName: "zzz", firstName: "q" }],
  ["the last page that can be reached", { lastName: "m", queryFrom: 9_975 }],
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
// On PostgreSQL, each in all these orders; shown is the slowest.
const inEachOrder: typeof searches = [
  ["everybody", {}],
  ["everybody, from 9 900", deep],
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
  // Places that go together, and names on top.
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

await runBench(async () => {
  await measureSearchProxy();
  await measure("PGlite", sized(20_000, 1_000));
  const sharedBuffers = "1GB"; // as a server of 4 GB has them, Supabase's Medium among them
  const server = await startPostgres({ sharedBuffers });
  if (!server) return console.log("PostgreSQL is not measured: this machine has none of version 15 or newer.");
  atEnd(server.stop);
  await measure(`${server.version} with ${sharedBuffers} of shared buffers`, sized(2_000_000, 2_000), server.url);
});

async function measure(engine: string, voters: number, databaseUrl?: string) {
  const database = await openDatabase({ location: databaseUrl ? { databaseUrl } : "memory", keys: randomKeys() });
  const beganAt = performance.now();
  await fill(database, voters);
  const filled = ((performance.now() - beganAt) / 1000).toFixed(0);
  console.log(`\n${engine}, ${voters.toLocaleString("en")} voters (filled in ${filled} s), ${runs} interleaved runs`);
  await measureIndexes(database);

  const each = databaseUrl ? inEachOrder : [];
  const all = [
    ...searches.map(([name, params]) => ({ name, params })),
    ...each.flatMap(([name, params]) => orders.map((order) => ({ name: `${name}, in`, params: { ...params, order } }))),
  ];
  const measured = all.map((search) => ({ ...search, times: [] as number[], answer: "" }));
  for (let round = -1; round < runs; round++) {
    for (const search of measured) {
      const startedAt = performance.now();
      const { total, relation, hits } = await find(database, search.params);
      if (round >= 0) search.times.push(performance.now() - startedAt); // the first one reads from disk
      search.answer = `${hits} of ${total}${relation === "gte" ? " or more" : ""}`;
    }
  }
  for (const [name, group] of Map.groupBy(measured, (search) => search.name)) {
    const [slowest] = group.toSorted((one, other) => median(other.times) - median(one.times));
    if (!slowest) continue;
    const differs = group.find((search) => search.answer !== slowest.answer);
    if (differs) throw new Error(`${name}: ${slowest.answer} in one order, ${differs.answer} in another.`);
    const { times, params, answer } = slowest;
    const shown = [median(times), Math.max(...times)].map((time) => time.toFixed(1).padStart(7));
    const slow = group.filter((search) => median(search.times) > target).length;
    const expected = slow > 0 ? `   ${slow} of ${group.length} over the expected ${target} ms` : "";
    const what = group.length > 1 ? `${name} ${params.order}` : name;
    console.log(`  ${what.padEnd(52)} median${shown[0]} ms, worst${shown[1]} ms   ${answer}${expected}`);
  }
  await database.close();
}

// What the indexes take: room, and time when voters are added.
async function measureIndexes(database: Database) {
  const [sizes] = await database.sql<{ voters: string; indexes: string }>(
    `select pg_size_pretty(pg_table_size('voterfile.voters')) as voters,
       pg_size_pretty(pg_indexes_size('voterfile.voters')) as indexes`,
  );
  const startedAt = performance.now();
  await insertVoters(database, { first: 50_000_000, count: added });
  const took = performance.now() - startedAt;
  await database.sql("delete from voterfile.voters where voter_id >= 'WA50000000'");
  await database.sql("vacuum analyze voterfile.voters");
  console.log(
    `  the table ${sizes?.voters}, its indexes ${sizes?.indexes}; ${added} more voters in ${took.toFixed(0)} ms`,
  );
}

async function find(database: Database, params: Record<string, string | number>) {
  const [row] = await database.sql<{ answer: string }>(
    "select jsonb_set(a, '{hits}', to_jsonb(jsonb_array_length(a -> 'hits')))::text as answer " +
      "from public.search_voters($1::text::jsonb) a",
    [JSON.stringify(params)],
  );
  return z
    .object({ total: z.number(), relation: z.enum(["eq", "gte"]), hits: z.number() })
    .parse(JSON.parse(row?.answer ?? ""));
}

// Names of any number of voters: some are common, most are rare; 60 cities of 10 zips each, in 12 counties. The indexes
// are made afterwards, as with any large import.
async function fill(database: Database, voters: number) {
  const indexes = await database.sql<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'voterfile' and indexname <> 'voters_pkey'`,
  );
  for (const { name } of indexes) await database.sql(`drop index voterfile.${name}`);
  await insertVoters(database, { first: 1, count: voters });
  for (const { definition } of indexes) await database.sql(definition);
  await database.sql("vacuum analyze voterfile.voters");
}

async function insertVoters(database: Database, { first, count }: { first: number; count: number }) {
  await database.sql(
    `insert into voterfile.voters
       (voter_id, first_name, middle_name, last_name, house_number, street, unit, city, zip, county)
     select 'WA' || lpad(n::text, 8, '0'),
       (array['Maria','Anna','James','Andrew','Linda','Mark','Wei','Ana','Marcus','Olga','Priya','Sean'])
         [1 + floor(random() * 12)] || (array['','','','','a','ne','el','ie','lyn','o','ette','is'])[1 + floor(random() * 12)],
       case when random() < 0.6 then chr(65 + floor(random() * 26)::int) end,
       case when random() < 0.15
         then (array['Smith','Martinez','Nguyen','Johnson','Garcia','Brown','Kim','Lee','Marsh','Osei','Núñez','Silva',
           'Miller','Davis','Wilson','Moore','Anderson','Thomas','Jackson','White'])[1 + floor(power(random(), 1.5) * 20)]
         else (array['Al','Ber','Cor','Dan','Ek','Fer','Gor','Hal','Iv','Jan','Kol','Lan','Mar','Mor','Nor','Ol','Per',
             'Ros','San','Ste','Tor','Ul','Van','Wal','Yo','Zel'])[1 + floor(random() * 26)]
           || (array['b','d','f','g','k','l','m','n','r','s','t','v','z'])[1 + floor(random() * 13)]
           || (array['ac','ado','en','er','ez','ic','in','is','man','o','ov','sen','son','ton','wa','y'])[1 + floor(random() * 16)]
       end,
       (1 + floor(power(random(), 2) * 14000))::text,
       (array['Oak','Pine','Cedar','Maple','Lake','Hill','River','Main','Park','Mill'])[1 + floor(random() * 10)]
         || ' ' || (1 + floor(random() * 250)) || (array[' St',' Ave',' Way',' Ln'])[1 + floor(random() * 4)],
       case when random() < 0.2 then 'Apt ' || (1 + floor(random() * 400)) end,
       'Kent ' || city, (98000 + city * 6 + floor(random() * 6))::text, 'King ' || city % 12
     from (select n, floor(power(random(), 1.5) * 60)::int as city from generate_series(${first}, ${first + count - 1}) n) n`,
  );
}
