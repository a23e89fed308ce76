import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const hitSchema = z.looseObject({ voterId: z.string(), match: z.string().optional() });
const foundSchema = z.strictObject({ total: z.number(), relation: z.literal("eq"), hits: z.array(hitSchema) });
type Found = z.infer<typeof foundSchema>;
type Params = Record<string, string | number>;

const kent = { city: "Kent", zip: "98030", county: "King", houseNumber: "12", street: "Oak St" };
const renton = { city: "Renton", zip: "98055", county: "King", houseNumber: "9", street: "Mill Ave" };
const people = [
  { voterId: "smith", firstName: "John", lastName: "Smith", ...kent },
  { voterId: "smith-9", firstName: "John", lastName: "Smith", ...renton },
  { voterId: "smyth", firstName: "Jon", lastName: "Smyth", ...kent },
  { voterId: "hernandez", firstName: "María", lastName: "Hernández", ...kent },
  { voterId: "oconnor", firstName: "Sean", lastName: "O'Connor", ...kent },
  { voterId: "robert", firstName: "Robert", lastName: "Jones", ...kent },
  { voterId: "bob", firstName: "Bob", lastName: "Jones", ...renton },
  { voterId: "double", firstName: "Ann", lastName: "Smith-Jones", ...kent },
  { voterId: "nguyen", firstName: "Đức", lastName: "Nguyễn", ...kent },
  { voterId: "linh", firstName: "Linh", middleName: "Bảo", lastName: "Tran", ...kent },
  { voterId: "linh-a", firstName: "Linh", middleName: "A", lastName: "Tran", ...kent },
  {
    voterId: "kathryn",
    firstName: "Kathryn",
    lastName: "Zabriskie",
    birthYear: 1943,
    ...renton,
    houseNumber: "292 1/2",
  },
  { voterId: "taylor", firstName: "Kim", lastName: "Taylor", ...kent },
  { voterId: "nameless", ...kent },
  { voterId: "robert-se", ...kent, houseNumber: "7", street: "SE 12th St" },
];

const database = await setUpTestDatabase();
const session = await setUpSqlSession(database);
beforeAll(async () => {
  await database.sql(
    `insert into voterfile.voters
       (voter_id, first_name, middle_name, last_name, house_number, street, city, zip, county, birth_year)
     select "voterId", "firstName", "middleName", "lastName", "houseNumber", street, city, zip, county, "birthYear"
     from jsonb_to_recordset($1::text::jsonb) as v (
       "voterId" text, "firstName" text, "middleName" text, "lastName" text, "houseNumber" text,
       street text, city text, zip text, county text, "birthYear" int)`,
    [JSON.stringify(people)],
  );
  await database.sql("select voterfile.refresh_names()");
});

async function ask(name: "search_voters" | "similar_voters", params: Params) {
  const { body } = await database.rest(`rpc/${name}`, { as: "service", body: { p_params: params } });
  return foundSchema.parse(body);
}
/** Asks in SQL with more voters, which are rolled back. */
const similarWith = (insert: string, ask: (similar: (params: Params) => Promise<Found>) => Promise<void>) =>
  session.undone(async () => {
    await session.sql(`insert into voterfile.voters ${insert}`);
    await session.sql("select voterfile.refresh_names()");
    await ask(async (params) => {
      const query = "select public.similar_voters($1::text::jsonb)::text as found";
      const [row] = await session.sql<{ found: string }>(query, [JSON.stringify(params)]);
      return foundSchema.parse(JSON.parse(row?.found ?? ""));
    });
  });
const similar = async (params: Params) =>
  (await ask("similar_voters", params)).hits.map(({ voterId, match }) => [voterId, match]);

test.each(["linh b", "Linh B.", "linh bao", "LINHBAO"])("%s has this first and middle name", async (firstName) => {
  const { hits } = await ask("search_voters", { firstName, lastName: "tran" });
  expect(hits.map(({ voterId }) => voterId)).toEqual(firstName.includes(" ") ? ["linh"] : []);
});

test.each<[Params, string[]]>([
  [{ firstName: "l b", lastName: "tran" }, ["linh"]], // two initials
  [{ firstName: "l. bao", lastName: "tran" }, ["linh"]],
  [{ firstName: "li b", lastName: "tran" }, []],
  [{ street: "12th st" }, ["robert-se"]], // without its direction
  [{ street: "se 12th" }, ["robert-se"]],
  [{ street: "st" }, []],
  [{ lastName: "zabriskie", birthYear: "1943" }, ["kathryn"]],
  [{ lastName: "zabriskie", birthYear: "194" }, []],
  [{ street: "mill", houseNumber: "292" }, ["kathryn"]],
])("%j finds %j exactly", async (params, expected) => {
  const { hits } = await ask("search_voters", params);
  expect(hits.map(({ voterId }) => voterId)).toEqual(expected);
});

describe("the voter who is meant is found, with the reason", () => {
  test.each<[Params, ...[string, string][]]>([
    [{ lastName: "smtih" }, ["smith-9", "similar"], ["smith", "similar"]],
    [{ lastName: "smitth", houseNumber: "12" }, ["smith", "sounds like"]],
    [{ lastName: "hernandes" }, ["hernandez", "sounds like"]],
    [{ lastName: "ernandez" }, ["hernandez", "similar"]],
    [{ lastName: "zabriskie", firstName: "catherine" }, ["kathryn", "sounds like"]],
    [{ lastName: "hermand" }, ["hernandez", "similar"]],
    [{ lastName: "oconor" }, ["oconnor", "sounds like"]],
    [{ lastName: "o'xonnor" }, ["oconnor", "similar"]],
    [{ lastName: "smiht jones" }, ["double", "similar"]],
    [{ lastName: "nguyan" }, ["nguyen", "sounds like"]],
    [{ lastName: "jones", firstName: "bobby" }, ["robert", "short form"]],
    [{ lastName: "jones", firstName: "bob" }, ["robert", "short form"]],
    [{ lastName: "jones", firstName: "robert" }, ["bob", "short form"]],
    [{ lastName: "john", firstName: "smith" }, ["smith-9", "swapped"], ["smith", "swapped"]],
    [{ lastName: "kim", firstName: "taylor" }, ["taylor", "swapped"]],
    [{ lastName: "jones", firstName: "ann" }, ["double", "part of name"]],
    [{ lastName: "ann", firstName: "jones" }, ["double", "part of name"]],
    [{ lastName: "garcia taylor", firstName: "kim", houseNumber: "12" }, ["taylor", "part of name"]],
    [{ lastName: "Jones-Smith" }, ["double", "part of name"]],
    [{ lastName: "jones smith", firstName: "ann" }, ["double", "part of name"]],
    [{ lastName: "Smith-Taylor", firstName: "john" }, ["smith-9", "part of name"], ["smith", "part of name"]],
    [{ lastName: "smith", firstName: "jhon", houseNumber: "12" }, ["smith", "similar"], ["smyth", "sounds like"]],
    [{ firstName: "shean" }, ["oconnor", "similar"]],
    [{ lastName: "zzzzz" }],
    [{ lastName: "", firstName: " " }],
    [{ city: "Kent" }],
  ])("%j finds %j", async (params, ...expected) => {
    const found = await similar(params);
    expect(found.slice(0, expected.length || 1)).toEqual(expected);
  });

  test("nearest first, each once", async () => {
    const found = await similar({ lastName: "smithe", firstName: "jon" });
    expect(found.map(([id]) => id).slice(0, 3)).toEqual(["smyth", "smith-9", "smith"]);
    expect(new Set(found.map(([id]) => id)).size).toBe(found.length);
  });

  test("with the fields of any hit", async () => {
    const { hits } = await ask("similar_voters", { lastName: "hernandes" });
    const [voter] = people.filter(({ voterId }) => voterId === "hernandez");
    expect(hits).toEqual([{ ...voter, match: "sounds like" }]);
  });
});

describe("without a name", () => {
  test.each<[Params, ...[string, string][]]>([
    [{ city: "Rentno" }, ["smith-9", "similar city"]],
    [{ city: "rentn" }, ["smith-9", "similar city"]],
    [{ city: "Kent" }],
    [{ city: "ken" }],
    [{ street: "mlil ave" }, ["smith-9", "similar street"]],
    [{ street: "12th st" }, ["robert-se", "similar street"]],
    [{ houseNumber: "7", street: "12th st" }, ["robert-se", "similar street"]],
    [{ street: "Mill", city: "Rentno" }, ["smith-9", "similar city"]],
    [{ voterId: "smit" }, ["smith", "part of id"], ["smith-9", "part of id"]],
    [{ voterId: "smith" }, ["smith-9", "part of id"]],
    [{ voterId: "smi" }],
    [{ houseNumber: "9", street: "Mlil Ave" }, ["bob", "similar street"], ["smith-9", "similar street"]],
    [{ houseNumber: "9", street: "mill", city: "kent" }],
    [{ houseNumber: "9", street: "Mlil Ave", city: "kent" }],
    [{ houseNumber: "9", street: "Elm St" }],
    [{ houseNumber: "9A", street: "Mill Ave" }, ["bob", "another number"], ["smith-9", "another number"]],
    [{ houseNumber: "9A", street: "Mill Ave", zip: "98030" }],
    [{ houseNumber: "10", street: "Mill Ave" }],
  ])("%j finds %j", async (params, ...expected) => {
    const found = await similar(params);
    expect(found.toSorted()).toEqual(expected);
  });

  test("the beginning of an ID is found without its letters, at most 25", () =>
    similarWith(
      "(voter_id, last_name) select 'WA-' || 100000 + n, 'Numbered' from generate_series(1, 60) n",
      async (similar) => {
        const { hits } = await similar({ voterId: "10000" });
        expect(hits.map(({ voterId }) => voterId)).toEqual(Array.from({ length: 9 }, (_, at) => `WA-10000${at + 1}`));
        expect((await similar({ voterId: "wa-10" })).total).toBe(25);
      },
    ));
});

test.each<Params>([
  { lastName: "smi" },
  { lastName: "smith" },
  { lastName: "smith", firstName: "john" },
  { lastName: "jones", firstName: "bob" },
  { lastName: "nguyen" },
])("%j: voters of the exact search aren't repeated", async (params) => {
  const strict = (await ask("search_voters", params)).hits.map(({ voterId }) => voterId);
  expect(strict.length).toBeGreaterThan(0);
  for (const [voterId] of await similar(params)) expect(strict).not.toContain(voterId);
});

test.each<[string, Params, string[]]>([
  ["house number", { houseNumber: "9" }, ["smith-9"]],
  ["part of a house number", { houseNumber: "1" }, []],
  ["zip", { zip: "9803" }, ["smith"]],
  ["city", { city: "renton" }, ["smith-9"]],
  ["another city", { city: "rentom" }, []],
  ["county", { county: "king" }, ["smith-9", "smith"]],
  ["street", { street: "mill" }, ["smith-9"]],
])("the %s narrows the result, and must match exactly", async (_what, place, expected) => {
  const found = await similar({ lastName: "smtih", ...place });
  expect(found.map(([voterId]) => voterId).filter((voterId) => voterId?.startsWith("smith"))).toEqual(expected);
});

describe("a right name at a wrong place finds voters elsewhere, with what differs", () => {
  test.each<[Params, ...[string, string][]]>([
    [{ lastName: "taylor", houseNumber: "21" }, ["taylor", "another number"]],
    [{ lastName: "Taylor", firstName: "k", zip: "98031" }, ["taylor", "another zip"]],
    [{ lastName: "taylor", city: "Renton" }, ["taylor", "another city"]],
    [{ lastName: "taylor", county: "Pierce" }, ["taylor", "another county"]],
    [{ lastName: "taylor", houseNumber: "12", street: "Mill" }, ["taylor", "another street"]],
    [{ lastName: "taylor", city: "Renton", zip: "98055" }, ["taylor", "another address"]],
    [{ lastName: "kim", firstName: "taylor", zip: "98031" }, ["taylor", "another zip"]],
    [{ lastName: "hernandez", zip: "98031" }, ["hernandez", "another zip"]],
    [{ lastName: "smith", firstName: "john", zip: "98056" }, ["smith-9", "another zip"], ["smith", "another zip"]],
    [{ lastName: "smith", zip: "98056", city: "ken" }, ["smith", "another zip"], ["smith-9", "another address"]],
  ])("%j finds %j", async (params, ...expected) => {
    expect(await similar(params)).toEqual(expected);
  });

  test.each<Params>([
    { lastName: "taylo", zip: "98031" }, // still typing
    { firstName: "kim", zip: "98031" },
    { lastName: "taylor", zip: "98030" },
    { lastName: "kim", firstName: "taylor", zip: "98030" },
  ])("%j finds no one elsewhere", async (params) => {
    for (const [, match] of await similar(params)) expect(match).not.toMatch(/another/);
  });

  test("at most ten of them, after all others, nearest numbers first", async () => {
    const zimmermans = `(voter_id, first_name, last_name, house_number, city)
      select 'E' || n, 'Ann', 'Zimmerman', n, 'Kent' from generate_series(1200, 1260) n
      union all select 'K' || n, 'Ann', 'Zimerman', 99, 'Kent' from generate_series(1, 60) n`;
    await similarWith(zimmermans, async (ask) => {
      const { hits } = await ask({ lastName: "zimmerman", houseNumber: "99", city: "kent" });
      expect(hits.map(({ match }) => match)).toEqual([
        ...Array.from({ length: 15 }, () => "sounds like"),
        ...Array.from({ length: 10 }, () => "another number"),
      ]);
      expect(hits.slice(15, 17).map(({ voterId }) => voterId)).toEqual(["E1209", "E1219"]);
    });
  });

  test.each([
    ["920", "920-B"],
    ["920 1/2", "920"],
    ["920b", "920"],
  ])("%s finds %s before all others", async (typed, number) => {
    const voters = `(voter_id, first_name, last_name, house_number) values ('V0', 'Ann', 'Zimerman', '${typed}'),
      ('V1', 'Ann', 'Zimmerman', '112A'), ('V2', 'Bea', 'Zimmerman', '921'), ('V3', 'Cy', 'Zimmerman', '${number}')`;
    await similarWith(voters, async (ask) => {
      const { hits } = await ask({ lastName: "zimmerman", houseNumber: typed });
      expect(hits.map(({ voterId }) => voterId)).toEqual(["V3", "V0", "V2", "V1"]);
      expect(hits[0]?.match).toBe("another number");
    });
  });
});

test("at most 25 are returned, for any querySize", () =>
  similarWith("(voter_id, last_name) select 'V' || n, 'Zimmerman' from generate_series(1, 60) n", async (ask) => {
    expect(await ask({ lastName: "zimmermann", querySize: 100 })).toMatchObject({ total: 25, hits: { length: 25 } });
  }));

test("new names are known after the names are refreshed, and old ones are forgotten", () =>
  similarWith("(voter_id) values ('V0')", async (ask) => {
    const names = () => session.sql("select from voterfile.names where key = 'quackenbush'");
    await session.sql("insert into voterfile.voters (voter_id, last_name) values ('V1', 'Quackenbush')");
    expect(await ask({ lastName: "quakenbush" })).toMatchObject({ total: 0 });
    await session.sql("select voterfile.refresh_names()");
    expect(await ask({ lastName: "quakenbush" })).toMatchObject({ total: 1 });
    expect(await names()).toHaveLength(1);
    await session.sql("delete from voterfile.voters where voter_id = 'V1'");
    await session.sql("select voterfile.refresh_names()");
    expect(await names()).toEqual([]);
  }));

test("a name of any length and script is accepted", async () => {
  for (const lastName of ["x".repeat(100), "王", "шевченко", "😀".repeat(50), "a", "%_\\'\"", "'"]) {
    await ask("similar_voters", { lastName, firstName: lastName });
  }
  await similarWith("(voter_id, last_name) values ('V1', repeat('ab', 400))", async () => undefined);
});
