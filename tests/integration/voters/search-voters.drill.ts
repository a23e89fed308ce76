import { describe, expect, test } from "vitest";
import { z } from "zod";
import { addVoters } from "../../../scripts/demo-data/demo-data.ts";
import { makeVoters } from "../../../scripts/demo-data/voters.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const text = z.string().optional();
const hitSchema = z.strictObject({
  voterId: z.string(),
  firstName: text,
  middleName: text,
  lastName: text,
  houseNumber: text,
  street: text,
  unit: text,
  city: text,
  zip: text,
  county: text,
  party: text,
  status: text,
  district: text,
  precinct: text,
  birthYear: z.number().optional(),
});
const foundSchema = z.strictObject({ total: z.number(), relation: z.enum(["eq", "gte"]), hits: z.array(hitSchema) });
type Hit = z.infer<typeof hitSchema>;
type Params = Record<string, string | number>;

const database = await setUpTestDatabase();
const session = await setUpSqlSession(database);

async function search(params: Params) {
  const [row] = await session.sql<{ found: string }>("select public.search_voters($1::text::jsonb)::text as found", [
    JSON.stringify(params),
  ]);
  return foundSchema.parse(JSON.parse(row?.found ?? ""));
}

const ids = async (params: Params) => (await search(params)).hits.map(({ voterId }) => voterId);

// Runs with only these voters, and rolls them back.
async function withVoters<Result>(voters: Hit[], run: () => Promise<Result>) {
  return session.undone(async () => {
    await session.sql(
      `insert into voterfile.voters
         (voter_id, first_name, middle_name, last_name, house_number, street, unit, city, zip, county)
       select "voterId", "firstName", "middleName", "lastName", "houseNumber", street, unit, city, zip, county
       from jsonb_to_recordset($1::text::jsonb) as v (
         "voterId" text, "firstName" text, "middleName" text, "lastName" text, "houseNumber" text,
         street text, unit text, city text, zip text, county text)`,
      [JSON.stringify(voters)],
    );
    return run();
  });
}

const kent = { city: "Kent", zip: "98030", county: "King" };
const people: Hit[] = [
  { voterId: "A1", firstName: "José", lastName: "Núñez", houseNumber: "12", street: "Oak St", ...kent },
  { voterId: "A2", firstName: "Josefa", lastName: "NUNEZ", houseNumber: "12B", street: "Oak St", ...kent },
  { voterId: "A3", firstName: "Sean", lastName: "O'Brien", houseNumber: "120", ...kent, zip: "98031" },
  { voterId: "A4", firstName: "Łukasz", lastName: "Großmann", houseNumber: "9", city: "Kenmore", county: "King" },
  { voterId: "A5", firstName: "Thảo", lastName: "Nguyễn", city: "Cañon", zip: "99336", county: "Benton" },
  { voterId: "A6", firstName: "Đức", lastName: "Nguyen", city: "KENT", zip: "98030-1234", county: "king" },
  { voterId: "A7", firstName: "100%", lastName: "a_b", houseNumber: "1 1/2", city: "C:\\d" },
  { voterId: "A8", firstName: "1000", lastName: "axb", houseNumber: "1", city: "C:\\\\d" },
  { voterId: "A9" },
  { voterId: "a1", firstName: "  José Luis ", lastName: "de la Cruz", houseNumber: " 12 ", street: "Main St" },
];

describe("a hit", () => {
  test.each<[Params, string[]]>([
    [{ firstName: "jose" }, ["A1", "A2", "a1"]],
    [{ firstName: "JOSÉ" }, ["A1", "A2", "a1"]],
    [{ firstName: "Jose\u0301 l" }, ["a1"]],
    [{ firstName: " josé luis " }, ["a1"]],
    [{ firstName: "ose" }, []],
    [{ firstName: "luk" }, ["A4"]],
    [{ firstName: "Duc" }, ["A6"]],
    [{ firstName: "THAO" }, ["A5"]],
    [{ lastName: "nun" }, ["A1", "A2"]],
    [{ lastName: "NÚÑEZ" }, ["A1", "A2"]],
    [{ lastName: "nguyen" }, ["A5", "A6"]],
    [{ lastName: "grossm" }, ["A4"]],
    [{ lastName: "o'b" }, ["A3"]],
    [{ lastName: "O’Brien" }, ["A3"]],
    [{ lastName: "De La" }, ["a1"]],
    [{ lastName: "obrien" }, ["A3"]],
    [{ lastName: "o brien" }, ["A3"]],
    [{ lastName: "delacruz" }, ["a1"]],
    [{ lastName: "De-la Cruz" }, ["a1"]],
    [{ firstName: "joseluis" }, ["a1"]],
    [{ street: "oakst" }, ["A1", "A2"]],
    [{ street: "main" }, ["a1"]],
    [{ street: "St" }, []],
    [{ street: "oak", houseNumber: "12" }, ["A1"]],
    [{ voterId: "A3" }, ["A3"]],
    [{ voterId: " A3 " }, ["A3"]],
    [{ voterId: "A-3" }, ["A3"]],
    [{ voterId: "A" }, []],
    [{ voterId: "3" }, ["A3"]],
    [{ voterId: "a3" }, ["A3"]],
    [{ voterId: "A3", lastName: "nunez" }, []],
    [{ firstName: "jos", lastName: "n" }, ["A1", "A2"]],
    [{ houseNumber: "12" }, ["A1", "a1"]],
    [{ houseNumber: "12b" }, ["A2"]],
    [{ houseNumber: "1" }, ["A8"]],
    [{ zip: "980" }, ["A1", "A2", "A3", "A6"]],
    [{ zip: "98030" }, ["A1", "A2", "A6"]],
    [{ zip: "98030-1234" }, ["A6"]],
    [{ city: "kent" }, ["A1", "A2", "A3", "A6"]],
    [{ city: "ken" }, ["A1", "A2", "A3", "A4", "A6"]],
    [{ city: "canon" }, ["A5"]],
    [{ county: "KI" }, ["A1", "A2", "A3", "A4", "A6"]],
    [{ county: "king", zip: "98031", lastName: "o" }, ["A3"]],
    [{ county: "king", city: "kent", zip: "98030", houseNumber: "12", firstName: "j", lastName: "n" }, ["A1"]],
    [{ lastName: "%" }, []],
    [{ lastName: "_" }, []],
    [{ lastName: "a_" }, ["A7"]],
    [{ firstName: "100%" }, ["A7"]],
    [{ firstName: "100" }, ["A7", "A8"]],
    [{ city: "c:\\d" }, ["A7"]],
    [{ city: "c:\\\\" }, ["A8"]],
    [{ lastName: "\\" }, []],
    [{ lastName: "a' or true --" }, []],
    [{ lastName: "a$1%1$s" }, []],
  ])("%j finds %j", async (params, expected) => {
    const found = await withVoters(people, () => search({ ...params, order: "voterId" }));
    expect(found.hits.map(({ voterId }) => voterId)).toEqual(expected);
    expect(found).toMatchObject({ total: expected.length, relation: "eq" });
  });

  test.each(["WA0001234", "0001234", "wa0001234", "1234", "wa1234"])(
    "has the id that %s leaves out parts of",
    async (voterId) => {
      const voters = ["CA000000002", "WA0001233", "WA0001234", "WA00012341"].map((id) => ({ voterId: id }));
      expect(await withVoters(voters, () => ids({ voterId }))).toEqual(["WA0001234"]);
    },
  );

  const everyone = people.map(({ voterId }) => voterId);
  test.each<Params>([
    {},
    { firstName: "", lastName: "", houseNumber: "", zip: "", city: "", county: "", order: "" },
    { firstName: "  ", city: " " },
  ])("an empty search (%j) finds everyone", async (params) => {
    expect((await withVoters(people, () => ids(params))).toSorted()).toEqual(everyone);
  });

  test("has the fields of the file, without empty ones", async () => {
    const { hits } = await withVoters(people, () => search({ order: "voterId" }));
    expect(hits).toEqual(people);
    const whole = { ...people[0], voterId: "B1", middleName: "M", unit: "Apt 4" };
    expect((await withVoters([whole], () => search({}))).hits).toEqual([whole]);
  });
});

describe("the order", () => {
  const columnsOf: Record<string, string> = {
    "": "last_key",
    firstName: "first_key",
    middleName: "middle_key",
    lastName: "last_key",
    houseNumber: "house_value, house_key",
    street: "street_key",
    unit: "unit_key",
    city: "city_key",
    zip: "zip_key",
    county: "county_key",
    voterId: "voter_id",
  };
  const inOrder = (order: string) => {
    const direction = order.startsWith("-") ? "desc nulls last" : "asc";
    const columns = columnsOf[order.replace("-", "")]?.split(", ").map((column) => `${column} ${direction}`);
    return [...(columns ?? []), "last_key", "first_key", "house_value", "house_key", "voter_id"].join(", ");
  };

  // The values of each column in order; voters without one come last both ways.
  const columns: Record<string, [values: (string | undefined)[], stored: keyof Hit]> = {
    firstName: [["Ada", "Álvaro", "bea", "Łukasz", "Zoë"], "firstName"],
    middleName: [["A", "é", "F"], "middleName"],
    lastName: [["Ng", "Núñez", "nunezo", "O'Brien"], "lastName"],
    houseNumber: [["1", "1 1/2", "9", "10", "10B", "100", "North"], "houseNumber"],
    street: [["1st Ave", "Cañada Dr", "canal St", "Oak St"], "street"],
    unit: [["# 12", "Apt 1", "apt 2", "Unit B"], "unit"],
    city: [["Auburn", "burien", "Čapek", "Kent"], "city"],
    zip: [["98001", "98030", "98030-1", "99336"], "zip"],
    county: [["Benton", "king", "Pierce"], "county"],
  };

  test.each(Object.entries(columns))("sorts by %s in both directions, ties by id", async (order, [values, stored]) => {
    // Two of each value, with ids that run against the order of the values.
    const pair = values.flatMap((value, index) => [
      { voterId: `V${90 - index}b`, [stored]: value },
      { voterId: `V${90 - index}a`, [stored]: value },
    ]);
    const expected = (all: typeof values) => [...all.flatMap((value) => [value, value]), undefined];
    await withVoters([{ voterId: "V00" }, ...pair], async () => {
      for (const [name, all] of [
        [order, values],
        [`-${order}`, values.toReversed()],
      ] as const) {
        const { hits } = await search({ order: name, querySize: 100 });
        expect([name, hits.map((hit) => hit[stored])]).toEqual([name, expected(all)]);
        const ending = hits.slice(0, -1).map(({ voterId }) => voterId.at(-1));
        expect([name, ending]).toEqual([name, values.flatMap(() => ["a", "b"])]);
      }
    });
  });

  test("sorts by voterId in both directions, by characters", async () => {
    const voters = ["a", "B", "10", "9", "~", "!"].map((voterId) => ({ voterId }));
    await withVoters(voters, async () => {
      expect(await ids({ order: "voterId" })).toEqual(["!", "10", "9", "B", "a", "~"]);
      expect(await ids({ order: "-voterId" })).toEqual(["~", "a", "B", "9", "10", "!"]);
    });
  });

  // The ids run against all other columns.
  const namesakes: Hit[] = [
    { voterId: "9", lastName: "Abel", firstName: "Bo", city: "Kent" },
    { voterId: "8", lastName: "Kim", firstName: "Ada", houseNumber: "9", city: "Kent" },
    { voterId: "7", lastName: "kim", firstName: "ada", houseNumber: "10", city: "Kent" },
    { voterId: "6", lastName: "Kim", firstName: "Ada", houseNumber: "10B", city: "Kent" },
    { voterId: "5", lastName: "Kim", firstName: "Bo", houseNumber: "1", city: "Kent" },
    { voterId: "4", lastName: "Kim", firstName: "Bo", houseNumber: "1", city: "Kent" },
    { voterId: "3", lastName: "Kim", city: "Auburn" },
    { voterId: "2", firstName: "Ada", city: "Auburn" },
  ];
  test.each([
    ["", ["9", "8", "7", "6", "4", "5", "3", "2"]],
    ["lastName", ["9", "8", "7", "6", "4", "5", "3", "2"]],
    ["-lastName", ["8", "7", "6", "4", "5", "3", "9", "2"]],
    ["firstName", ["8", "7", "6", "2", "9", "4", "5", "3"]],
    ["-firstName", ["9", "4", "5", "8", "7", "6", "2", "3"]],
    ["city", ["3", "2", "9", "8", "7", "6", "4", "5"]],
    ["-city", ["9", "8", "7", "6", "4", "5", "3", "2"]],
    ["zip", ["9", "8", "7", "6", "4", "5", "3", "2"]],
  ])("%j breaks ties by last name, first name, house number and id, also across pages", async (order, expected) => {
    await withVoters(namesakes, async () => {
      expect(await ids({ order })).toEqual(expected);
      for (const [place, voterId] of expected.entries()) {
        expect(await ids({ order, queryFrom: place, querySize: 1 }), `from ${place}`).toEqual([voterId]);
      }
    });
  });

  test.each([
    [10_000, "eq"],
    [10_001, "gte"],
  ])("of %i voters is the one asked for if they are counted, otherwise by name", async (count, relationTo) => {
    // Every third of them lacks each column; the ids run against the order of insertion.
    const names = ["first_name", "middle_name", "last_name", "house_number", "street", "unit", "city", "zip", "county"];
    const value = (name: string, index: number) =>
      `case when n % 3 <> ${index % 3} then '${index + 1}' || chr(97 + (n * ${index + 7} / 11) % 23) || '${name}' end`;
    await session.undone(async () => {
      await session.sql(
        `insert into voterfile.voters (voter_id, ${names.join(", ")})
         select 'V' || (20000 - n), ${names.map(value).join(", ")} from generate_series(1, ${count}) n`,
      );
      await session.sql("analyze voterfile.voters");
      const fields = Object.keys(columnsOf);
      for (const order of [...fields, ...fields.filter(Boolean).map((field) => `-${field}`)]) {
        const byName = order.endsWith("firstName") ? "firstName" : "";
        const sorted = await session.sql<{ voter_id: string }>(
          `select voter_id from voterfile.voters order by ${inOrder(relationTo === "eq" ? order : byName)} limit 10000`,
        );
        for (const queryFrom of [0, 3_480, 9_900]) {
          const { hits, relation, total } = await search({ order, queryFrom, querySize: 100 });
          expect([order, total, relation, hits.map(({ voterId }) => voterId)]).toEqual([
            order,
            10_000,
            relationTo,
            sorted.slice(queryFrom, queryFrom + 100).map((row) => row.voter_id),
          ]);
        }
      }
    });
  });

  test("of a search by prefix is that of all voters found, in every script", async () => {
    const letters = ["a", "m", "7", "_", "ш", "и", "š", "王", "李", "ª", "😀"];
    const name = (n: number) => `${letters[n % 11]}${["", "a", "ш", "王"][n % 4]}${["", "r", "r"][n % 3]}`;
    const voters = Array.from({ length: 600 }, (_, n) => ({
      voterId: `V${1_000 - n}`,
      ...(n % 7 !== 0 && { firstName: name(n * 5) }),
      ...(n % 9 !== 0 && { lastName: name(n * 3 + 1).toUpperCase() }),
      city: n % 2 ? "Kent" : "Kenmore",
    }));
    await withVoters(voters, async () => {
      await session.sql("analyze voterfile.voters");
      const prefixes = [undefined, ...letters, "ma", "ша", "王王", "š王r"];
      for (const [index, firstName] of prefixes.entries()) {
        for (const lastName of [undefined, prefixes[(index * 7 + 1) % 16], prefixes[(index * 5 + 2) % 16]]) {
          for (const order of ["", "lastName", "-firstName", "city", "voterId"]) {
            const expected = await session.sql<{ voter_id: string }>(
              `select voter_id from voterfile.voters
               where ($1::text is null or first_key ^@ voterfile.search_key($1))
                 and ($2::text is null or last_key ^@ voterfile.search_key($2))
               order by ${inOrder(order)}`,
              [firstName ?? null, lastName ?? null],
            );
            const params = { ...(firstName && { firstName }), ...(lastName && { lastName }), order };
            const { total, hits } = await search({ ...params, querySize: 100 });
            expect([params, total, hits.map(({ voterId }) => voterId)]).toEqual([
              params,
              expected.length,
              expected.slice(0, 100).map((row) => row.voter_id),
            ]);
          }
        }
      }
    });
  });

  test.each(["height", "-height", "--city", "-", "City", "city,zip", "last_key", "city desc", " city", "voter_id"])(
    "by %s is refused",
    async (order) => {
      await expect(search({ order })).rejects.toMatchObject({
        code: "22023",
        message: "order must be the name of a field of a hit, with a leading - for descending.",
      });
    },
  );
});

describe("pages", () => {
  test("have 25 voters by default, and begin with the first", async () => {
    const voters = Array.from({ length: 30 }, (_, index) => ({ voterId: `V${39 - index}` }));
    await withVoters(voters, async () => {
      expect(await ids({ order: "voterId" })).toEqual(Array.from({ length: 25 }, (_, index) => `V${10 + index}`));
    });
  });

  test.each<[Params, RegExp]>([
    [{ querySize: 0 }, /^querySize must be 1 to 100\.$/],
    [{ querySize: 101 }, /^querySize/],
    [{ querySize: -1 }, /^querySize/],
    [{ queryFrom: -1 }, /^queryFrom must be 0 or more, and with querySize at most 10000\.$/],
    [{ queryFrom: 9_976 }, /^queryFrom/],
    [{ queryFrom: 9_901, querySize: 100 }, /^queryFrom/],
    [{ queryFrom: 2_147_483_647, querySize: 100 }, /^queryFrom/],
  ])("%j is refused", async (params, message) => {
    await expect(search(params)).rejects.toMatchObject({ code: "22023", message: expect.stringMatching(message) });
  });
});

test.each(["null", "[]", "1", "true", '"[]"'])("%s is refused, because it would find everyone", async (params) => {
  await expect(session.sql("select public.search_voters($1::text::jsonb)", [params])).rejects.toMatchObject({
    code: "22023",
    message: "The parameters must be an object.",
  });
});

describe("access", () => {
  test("the service role can search over REST", async () => {
    const search = (p_params: object) => database.rest("rpc/search_voters", { as: "service", body: { p_params } });
    expect(await search({})).toEqual({ status: 200, body: { total: 0, relation: "eq", hits: [] } });
    expect(await search({ order: "height" })).toMatchObject({ body: { code: "22023" } });
  });

  test("the service role can write, and the search keys follow", async () => {
    await withVoters(people, async () => {
      await session.sql("set local role service_role");
      await session.sql("insert into voterfile.voters (voter_id, last_name) values ('N1', 'Ñandú')");
      expect(await ids({ lastName: "nand" })).toEqual(["N1"]);
      await session.sql("update voterfile.voters set last_name = 'Über' where voter_id = 'N1'");
      expect(await ids({ lastName: "nand" })).toEqual([]);
      expect(await ids({ lastName: "ub" })).toEqual(["N1"]);
      await session.sql("delete from voterfile.voters where voter_id = 'N1'");
      expect(await ids({ lastName: "ub" })).toEqual([]);
    });
  });

  test.each(["", " ", "a b", "é", "x".repeat(65)])("a voter id %j is refused", async (voterId) => {
    await expect(withVoters([{ voterId }], async () => undefined)).rejects.toMatchObject({ code: "23514" });
  });
});

describe("the demo's voter file", () => {
  const voters = makeVoters(20_000);

  test("is the same each time, with unique ids", () => {
    expect(makeVoters(20_000)).toEqual(voters);
    expect(new Set(voters.map(({ voterId }) => voterId)).size).toBe(20_000);
    expect(voters.filter(({ voterId }) => !/^WA\d{7}$/.test(voterId))).toEqual([]);
  });

  test("is loaded once, and each voter is found by name and address", async () => {
    await addVoters(database);
    await addVoters(database);
    expect(await session.sql("select count(*)::int as voters from voterfile.voters")).toEqual([{ voters: 20_000 }]);
    for (const { voterId, ...voter } of voters.filter((_, index) => index % 200 === 0)) {
      const { firstName, lastName, houseNumber, city, zip, county } = voter;
      const { hits } = await search({ firstName, lastName, houseNumber, city, zip, county, querySize: 100 });
      expect(hits.map((hit) => hit.voterId)).toContain(voterId);
    }
  });
});
