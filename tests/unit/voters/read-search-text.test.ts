import { describe, expect, it } from "vitest";
import { readSearchText } from "../../../lib/voters/read-search-text.ts";
import { extraParams, type SearchFields, sameFields } from "../../../lib/voters/voter-query.ts";

type Fields = Partial<SearchFields>;

const long = "x".repeat(150);
const john = { firstName: "john", lastName: "smith" };
const mainSt = { houseNumber: "1204", street: "main st" };

describe("the likeliest reading of a text, and what it leaves out", () => {
  it.each<[text: string, fields: Fields, unread?: string]>([
    ["smi", { lastName: "smi" }],
    ["  smi  ", { lastName: "smi" }],
    ["John Smith", { firstName: "John", lastName: "Smith" }],
    ["john   smith ", { firstName: "john", lastName: "smith" }],
    ["smith j", { firstName: "smith", lastName: "j" }],
    ["Smith, John", { lastName: "Smith", firstName: "John" }],
    ["Smith ,John", { lastName: "Smith", firstName: "John" }],
    ["smith,", { lastName: "smith" }],
    [", john", { lastName: "john" }],
    ["Dr. Jessie Leslie Jr.", { firstName: "Jessie", lastName: "Leslie" }, "Jr."],
    ["leslie, mrs. jessie", { firstName: "jessie", lastName: "leslie" }],
    ["mary and john smith", { firstName: "mary", lastName: "smith" }, "and john"],
    ["dr", { lastName: "dr" }],
    ["smith, mary ann", { lastName: "smith", firstName: "mary ann" }],
    ["mary ann smith", { firstName: "mary ann", lastName: "smith" }],
    ["john a smith", { firstName: "john a", lastName: "smith" }],
    ["John A. B. Smith", { firstName: "John A. B.", lastName: "Smith" }],
    ["Smith, John A.", { firstName: "John A.", lastName: "Smith" }],
    ["smith, mary ann q", { firstName: "mary ann q", lastName: "smith" }],
    ["j smith", { firstName: "j", lastName: "smith" }],
    ["smith-jones", { lastName: "smith-jones" }],
    ["o'connor", { lastName: "o'connor" }],
    ["o connor", { lastName: "o connor" }],
    ["mary o connor", { firstName: "mary", lastName: "o connor" }],
    ["de la cruz", { lastName: "de la cruz" }],
    ["de la cruz, maria", { lastName: "de la cruz", firstName: "maria" }],
    ["maria de la cruz", { firstName: "maria", lastName: "de la cruz" }],
    ["jan van der berg", { firstName: "jan", lastName: "van der berg" }],
    ["José Núñez", { firstName: "José", lastName: "Núñez" }],
    ["john smith jr", { firstName: "john", lastName: "smith" }, "jr"],
    ["smith jr, john", { firstName: "john", lastName: "smith" }, "jr"],
    ["98030", { zip: "98030" }],
    ["98030-1234", { zip: "98030" }],
    ["john smith 98030", { firstName: "john", lastName: "smith", zip: "98030" }],
    ["zip 98030", { zip: "98030" }],
    ["smith king county", { lastName: "smith", county: "king" }],
    ["john smith King County 98030", { firstName: "john", lastName: "smith", county: "King", zip: "98030" }],
    ["king county", { county: "king" }],
    ["county", { lastName: "county" }],
    ["pierce county smith", { lastName: "smith", county: "pierce" }],
    ["1204 county rd", { houseNumber: "1204", street: "county rd" }],
    ["old county rd", { street: "old county rd" }],
    ["jr", {}, "jr"],
    ["jr smith", { lastName: "smith" }, "jr"],
    ["98030, smith", { lastName: "smith", zip: "98030" }],
    ["smith, john, 98030", { firstName: "john", lastName: "smith", zip: "98030" }],
    ["1204", { houseNumber: "1204" }],
    ["smith 1204", { lastName: "smith", houseNumber: "1204" }],
    ["smith 1204, john", { lastName: "smith", firstName: "john", houseNumber: "1204" }],
    ["1204, smith", { lastName: "smith", houseNumber: "1204" }],
    ["smith 1204 98030", { lastName: "smith", houseNumber: "1204", zip: "98030" }],
    ["12345 98030", { houseNumber: "12345", zip: "98030" }],
    ["1204b", { houseNumber: "1204b" }],
    ["37-12", { houseNumber: "37-12" }],
    ["12 1/2", { houseNumber: "12 1/2" }],
    ["1352 mill ave", { houseNumber: "1352", street: "mill ave" }],
    ["1352 Mill Ave 98030", { houseNumber: "1352", street: "Mill Ave", zip: "98030" }],
    ["1352 mill ave, Kent, WA 98030", { houseNumber: "1352", street: "mill ave", city: "Kent", zip: "98030" }, "WA"],
    ["1352 mill ave wa", { houseNumber: "1352", street: "mill ave" }, "wa"],
    ["1204 mill st, federal way wa", { houseNumber: "1204", street: "mill st", city: "federal way" }, "wa"],
    ["1352 mill ave ne", { houseNumber: "1352", street: "mill ave ne" }],
    ["12 1/2 oak st", { houseNumber: "12 1/2", street: "oak st" }],
    ["12345 main st", { houseNumber: "12345", street: "main st" }],
    ["320 112th ave ne", { houseNumber: "320", street: "112th ave ne" }],
    ["112th ave", { street: "112th ave" }],
    ["12345 112th ave ne", { houseNumber: "12345", street: "112th ave ne" }],
    ["12345 112 ave ne", { houseNumber: "12345", street: "112th ave ne" }],
    ["se 1 st", { street: "se 1st st" }],
    ["2 ave s", { street: "2nd ave s" }],
    ["smith se 113 st", { lastName: "smith", street: "se 113th st" }],
    ["smith 104 st helens ave", { lastName: "smith", houseNumber: "104", street: "st helens ave" }],
    ["main st", { street: "main st" }],
    ["Mill Ave. NE", { street: "Mill Ave. NE" }],
    ["mill ave 98030", { street: "mill ave", zip: "98030" }],
    ["ada lane", { firstName: "ada", lastName: "lane" }],
    ["SE 33rd st", { street: "SE 33rd st" }],
    ["smith southeast 33rd st", { lastName: "smith", street: "southeast 33rd st" }],
    [
      "John Smith, 1352 Mill Ave, Kent 98030",
      { firstName: "John", lastName: "Smith", houseNumber: "1352", street: "Mill Ave", city: "Kent", zip: "98030" },
    ],
    ["john smith, 98030", { firstName: "john", lastName: "smith", zip: "98030" }],
    ["1204,", { houseNumber: "1204" }],
    ["1204 oak st #4", { houseNumber: "1204", street: "oak st" }, "#4"],
    ["1204 oak st apt 4", { houseNumber: "1204", street: "oak st" }, "apt 4"],
    ["smith # 210", { lastName: "smith" }, "#210"],
    ["smith, john apt 210", john, "apt 210"],
    ["john smith 3/4/1962", john, "3/4/1962"],
    ["1204 oak st #4 kent", { houseNumber: "1204", street: "oak st kent" }, "#4"],
    ["1204 #4", { houseNumber: "1204" }, "#4"],
    ["1204 oak st apt #4", { houseNumber: "1204", street: "oak st" }, "apt #4"],
    ["1204 oak st apartment 4", { houseNumber: "1204", street: "oak st" }, "apartment 4"],
    ["smith, john, 1204 oak st", { lastName: "smith", firstName: "john", houseNumber: "1204", street: "oak st" }],
    ["smith 1204 oak st", { lastName: "smith", houseNumber: "1204", street: "oak st" }],
    ["WA0001234", { voterId: "WA0001234" }],
    ["8237462", { voterId: "8237462" }],
    ["#WA0001234", { voterId: "WA0001234" }],
    ["mr and mrs smith", { lastName: "smith" }],
    ["Mr. & Mrs. John Smith", { firstName: "John", lastName: "Smith" }],
    ["the smith family 98030", { lastName: "smith", zip: "98030" }],
    ["born 1984", { birthYear: "1984" }],
    ["smith born 1984", { lastName: "smith", birthYear: "1984" }],
    ["Smith, John b. 1984", { lastName: "Smith", firstName: "John", birthYear: "1984" }],
    ["smith age 1984 98030", { lastName: "smith", birthYear: "1984", zip: "98030" }],
    ["1204 oak st born in 1984", { houseNumber: "1204", street: "oak st", birthYear: "1984" }],
    ["john born 1204", { firstName: "john", lastName: "born", houseNumber: "1204" }],
    ["smith john born 3/4/1962", { firstName: "smith", lastName: "john" }, "3/4/1962"],
    ["J.R. Smith", { firstName: "J. R.", lastName: "Smith" }],
    ["wa 0001234", { voterId: "wa0001234" }],
    ["ID WA0001234", { voterId: "WA0001234" }],
    ["smith voter id: 0001234", { lastName: "smith", voterId: "0001234" }],
    ["smith WA-0001-234", { lastName: "smith", voterId: "WA-0001-234" }],
    [long, { lastName: long.slice(0, 100) }],
    [`${long} ${long}`, { firstName: long.slice(0, 100), lastName: long.slice(0, 100) }],
  ])("%s", (text, fields, unread = "") => {
    expect(readSearchText(text, extraParams)[0]).toMatchObject({ fields, unread });
    expect(Object.keys(readSearchText(text, extraParams)[0]?.fields ?? {})).toHaveLength(Object.keys(fields).length);
  });

  it.each(["", "   ", ",", " , ,", "'", "- ."])("“%s” has none", (text) => {
    expect(readSearchText(text, extraParams)).toEqual([]);
  });
});

describe("without street and voter ID in the backend, they are left out and reported", () => {
  it.each<[text: string, fields: Fields, unread: string]>([
    ["1352 mill ave", { houseNumber: "1352" }, "mill ave"],
    ["1352 mill ave, Kent", { houseNumber: "1352", city: "Kent" }, "mill ave"],
    ["john smith 1204 oak st", { firstName: "john", lastName: "smith", houseNumber: "1204" }, "oak st"],
    ["112th ave", {}, "112th ave"],
    ["WA0001234", {}, "WA0001234"],
    ["smith 8237462", { lastName: "smith" }, "8237462"],
    ["smith born 1984", { lastName: "smith" }, "1984"],
    ["1204 smith", { houseNumber: "1204", lastName: "smith" }, ""],
  ])("%s", (text, fields, unread) => {
    expect(readSearchText(text, [])[0]).toMatchObject({ fields, unread });
    expect(readSearchText(text, []).some((reading) => reading.fields.street || reading.fields.voterId)).toBe(false);
  });
});

describe("other readings of a text, for when the likeliest finds no one", () => {
  it.each<[text: string, fields: Fields]>([
    ["bob", { firstName: "bob" }],
    ["smith j r", { lastName: "smith", firstName: "j r" }],
    ["smith jd", { lastName: "smith", firstName: "j d" }],
    ["lopez garcia", { lastName: "garcia lopez" }],
    ["mlk jr way kent", { street: "martin luther king jr way", city: "kent" }],
    ["23 mlk way kent", { houseNumber: "23", street: "martin luther king", city: "kent" }],
    ["ramirez m l king jr way", { lastName: "ramirez", street: "martin luther king jr way" }],
    ["1204 st helens ave tacoma", { houseNumber: "1204", street: "saint helens ave", city: "tacoma" }],
    ["smith oak st", { lastName: "smith", street: "oak st" }],
    ["smith oak st kent", { lastName: "smith", street: "oak st", city: "kent" }],
    ["oak st smith", { lastName: "smith", street: "oak st" }],
    ["john smith oak st", { ...john, street: "oak st" }],
    ["smith john", { lastName: "smith", firstName: "john" }],
    ["Federal Way, WA", { city: "Federal Way" }],
    ["smith wa 98030", { lastName: "smith", zip: "98030" }],
    ["Kent, WA 98030", { city: "Kent", zip: "98030" }],
    ["smith jones", { lastName: "smith jones" }],
    ["de la cruz maria", { lastName: "de la cruz", firstName: "maria" }],
    ["le minh", { lastName: "le", firstName: "minh" }],
    ["van nguyen", { lastName: "nguyen", firstName: "van" }],
    ["john d smith", { lastName: "smith", firstName: "john" }],
    ["john a smith", john],
    ["Smith, John A.", { firstName: "John", lastName: "Smith" }],
    ["smith john q", { lastName: "smith", firstName: "john q" }],
    ["smith john q", { lastName: "smith", firstName: "john" }],
    ["ana garcia b", { lastName: "garcia", firstName: "ana b" }],
    ["smith j robert", { lastName: "smith", firstName: "j" }],
    ["maria lopez garcia", { firstName: "maria", lastName: "lopez garcia" }],
    ["lopez garcia maria", { firstName: "maria", lastName: "lopez garcia" }],
    ["1204 smith", { lastName: "smith", houseNumber: "1204" }],
    ["98030 smith", { lastName: "smith", zip: "98030" }],
    ["smith 12345", { lastName: "smith", houseNumber: "12345" }],
    ["12345", { houseNumber: "12345" }],
    ["1352 mill avenue", { houseNumber: "1352", street: "mill" }],
    ["1352 mill ave kent", { houseNumber: "1352", street: "mill ave" }],
    ["1352 mill ave kent", { houseNumber: "1352", street: "mill ave", city: "kent" }],
    ["1352 mill avenue mill creek", { houseNumber: "1352", street: "mill ave", city: "mill creek" }],
    ["john smith 1204 main st renton", { ...john, ...mainSt, city: "renton" }],
    ["john smith 1204 main street renton", { ...john, ...mainSt, city: "renton" }],
    ["john smith 1204 main st rentn", { ...john, ...mainSt }],
    ["smith john 1204 main street apt 5", { firstName: "john", lastName: "smith", ...mainSt }],
    ["1204 mary jane smith", { houseNumber: "1204", firstName: "mary", lastName: "jane smith" }],
    ["60 North Fourth Street", { houseNumber: "60", street: "n 4th st" }],
    ["60 n. 4th st.", { houseNumber: "60", street: "north fourth street" }],
    ["60 st paul st", { houseNumber: "60", street: "saint paul street" }],
    ["60 st. paul st", { houseNumber: "60", street: "saint paul st" }],
    ["60 saint paul st", { houseNumber: "60", street: "st paul st" }],
    ["mill ave", { street: "mill avenue" }],
    ["mary st", { firstName: "mary", lastName: "st" }],
    ["river", { street: "river" }],
    ["harbor lane", { street: "harbor lane" }],
    ["harbor lane", { street: "harbor ln" }],
    ["mill creek ter.", { street: "mill creek terrace" }],
    ["98042 cedar", { street: "cedar", zip: "98042" }],
    ["98042 112th ave", { street: "112th ave", zip: "98042" }],
    ["1204 oak mcdonald", { houseNumber: "1204", street: "oak", lastName: "mcdonald" }],
    ["651 208th ave s tacoma, wa 98402", { houseNumber: "651", street: "208th ave s", city: "tacoma", zip: "98402" }],
    ["1204 oak john mcdonald", { houseNumber: "1204", street: "oak", firstName: "john", lastName: "mcdonald" }],
    ["1204 oak st mcdonald", { houseNumber: "1204", street: "oak st", lastName: "mcdonald" }],
    ["1204 north oak mcdonald", { houseNumber: "1204", street: "n oak", lastName: "mcdonald" }],
    ["se 104 st auburn", { street: "se 104th st", city: "auburn" }],
    ["se 104 st auburn", { street: "se 104 st", city: "auburn" }],
    ["12 se 104th st", { houseNumber: "12", street: "se 104 st" }],
    ["98042-1234 cedar", { street: "cedar", zip: "98042" }],
    ["1204", { voterId: "1204" }],
    ["1981", { birthYear: "1981" }],
    ["98030", { voterId: "98030" }],
    ["WA123", { voterId: "WA123" }],
    ["tacoma mill st", { street: "mill st", city: "tacoma" }],
    ["everett river lane", { street: "river ln", city: "everett" }],
    ["federal way mill st", { street: "mill st", city: "federal way" }],
    ["1204 oak st #4 kent", { houseNumber: "1204", street: "oak st", city: "kent" }],
    ["33rd st tacoma", { street: "33rd st", city: "tacoma" }],
    ["martin luther king", { street: "martin luther king" }],
    ["st helens", { street: "saint helens" }],
    ["mary ann", { firstName: "mary ann" }],
    ["smith 980", { lastName: "smith", zip: "980" }],
    ["Auburn", { city: "Auburn" }],
    ["kitsap", { county: "kitsap" }],
    ["king garcia", { lastName: "garcia", county: "king" }],
    ["garcia king", { lastName: "garcia", county: "king" }],
    ["WA-0147819", { voterId: "WA0147819" }],
    ["pierce carol smith", { firstName: "carol", lastName: "smith", county: "pierce" }],
    ["835 33rd st se", { houseNumber: "835", street: "se 33rd st" }],
    ["835 se 33rd st", { houseNumber: "835", street: "33rd st se" }],
    ["835 33rd st southeast tacoma", { houseNumber: "835", street: "se 33rd st", city: "tacoma" }],
    ["federal way", { city: "federal way" }],
    ["Tacoma WA", { city: "Tacoma" }],
    ["federal way wa", { city: "federal way" }],
    ["garcia tacoma WA", { lastName: "garcia", city: "tacoma" }],
    ["kent wa garcia", { lastName: "garcia", city: "kent" }],
    ["mill creek wa ana garcia", { firstName: "ana", lastName: "garcia", city: "mill creek" }],
    ["1204 mill st tacoma wa", { houseNumber: "1204", street: "mill st", city: "tacoma" }],
    ["maria hernandez lopez", { firstName: "maria", lastName: "hernandez" }],
    ["marysville garcia", { lastName: "garcia", city: "marysville" }],
    ["burien garcia ana", { firstName: "ana", lastName: "garcia", city: "burien" }],
    ["marysville maria garcia", { firstName: "maria", lastName: "garcia", city: "marysville" }],
    ["mill creek garcia", { lastName: "garcia", city: "mill creek" }],
    ["garcia mill creek", { lastName: "garcia", city: "mill creek" }],
    ["jessie leslie, auburn", { firstName: "jessie", lastName: "leslie", city: "auburn" }],
    ["jessie leslie, federal way, WA", { firstName: "jessie", lastName: "leslie", city: "federal way" }],
    ["leslie, jessie, auburn wa", { firstName: "jessie", lastName: "leslie", city: "auburn" }],
    ["leslie, auburn", { lastName: "leslie", city: "auburn" }],
    ["smith renton", { lastName: "smith", city: "renton" }],
    ["john smith renton", { firstName: "john", lastName: "smith", city: "renton" }],
    ["smith 98056 renton", { lastName: "smith", city: "renton", zip: "98056" }],
  ])("%s", (text, fields) => {
    const [first, ...others] = readSearchText(text, extraParams).map((reading) => reading.fields);
    expect(others).toContainEqual(fields);
    expect(first).not.toEqual(fields);
  });

  it.each([
    ["Tacoma WA", { city: "Tacoma" }, "WA"],
    ["kent wa garcia", { lastName: "garcia", city: "kent" }, "wa"],
    ["mary & john smith", { firstName: "john", lastName: "smith" }, "mary &"],
    ["mary and john smith jr", { firstName: "john", lastName: "smith" }, "mary and jr"],
    ["smith, mary and john 98030", { firstName: "john", lastName: "smith", zip: "98030" }, "mary and"],
    ["jose angel garcia", { firstName: "angel jose", lastName: "garcia" }, ""],
    ["garcia jose e", { firstName: "jose e", lastName: "garcia" }, ""],
    ["1019 saint helens sophia", { houseNumber: "1019", street: "saint helens", firstName: "sophia" }, ""],
    ["adams 1949", { lastName: "adams", birthYear: "1949" }, ""],
    ["adams 1949", { lastName: "adams" }, "1949"],
    ["adams born 1949", { lastName: "adams" }, "1949"],
    ["maria hernandez lopez", { firstName: "maria", lastName: "lopez" }, "hernandez"],
    ["maria hernandez lopez", { firstName: "maria", lastName: "hernandez" }, "lopez"],
  ])("of “%s” as %j name the word that isn't searched: %s", (text, fields, unread) => {
    expect(readSearchText(text, extraParams).find((one) => sameFields(one.fields, fields))?.unread).toBe(unread);
  });

  it.each<[count: number, text: string, fields: Fields]>([
    [8, "tacoma smith alan", { firstName: "alan", lastName: "smith", city: "tacoma" }],
    [2, "tacoma 15 maple ln", { houseNumber: "15", street: "maple ln", city: "tacoma" }],
  ])("include the city first among the first %i of “%s”", (count, text, fields) => {
    const likeliest = readSearchText(text, extraParams).slice(0, count);
    expect(likeliest.map((reading) => reading.fields)).toContainEqual(fields);
  });

  it("are at most 24, without repetition", () => {
    for (const text of [
      "john smith 98030",
      "smith john q 1204 mill ave kent",
      "a b c d e f g 12345 h i j k",
      "a b c ".repeat(15),
    ]) {
      const readings = readSearchText(text, extraParams).map(({ fields }) => JSON.stringify(fields));
      expect(readings.length).toBeLessThanOrEqual(24);
      expect(new Set(readings).size).toBe(readings.length);
    }
  });

  it.each<[text: string, fields: Fields]>([
    ["maria garcia lopez", { firstName: "maria", lastName: "garcia lopez" }],
    ["garcia lopez maria", { firstName: "maria", lastName: "garcia lopez" }],
    ["carol smith pierce", { firstName: "carol", lastName: "smith", county: "pierce" }],
    ["lopez garcia angel", { firstName: "angel", lastName: "garcia lopez" }],
    ["angel lopez garcia", { firstName: "angel", lastName: "garcia lopez" }],
    ["ana garcia burien", { firstName: "ana", lastName: "garcia", city: "burien" }],
    ["garcia ana burien", { firstName: "ana", lastName: "garcia", city: "burien" }],
    ["garcia, ana burien", { firstName: "ana", lastName: "garcia", city: "burien" }],
    ["garcia, ana b burien", { firstName: "ana b", lastName: "garcia", city: "burien" }],
    ["garcia, ana mill creek", { firstName: "ana", lastName: "garcia", city: "mill creek" }],
    ["garcia federal way", { lastName: "garcia", city: "federal way" }],
    ["jones puyallup asa", { firstName: "asa", lastName: "jones", city: "puyallup" }],
    ["asa puyallup jones", { firstName: "asa", lastName: "jones", city: "puyallup" }],
    ["angel lopez auburn", { firstName: "angel", lastName: "lopez", city: "auburn" }],
    ["116th st burien", { street: "116th st", city: "burien" }],
    ["lin a k", { lastName: "lin", firstName: "a k" }],
    ["smith john 1962", { lastName: "smith", firstName: "john", houseNumber: "1962" }],
    ["1204 oak mcdonald", { houseNumber: "1204", street: "oak", lastName: "mcdonald" }],
    ["federal way garcia", { lastName: "garcia", city: "federal way" }],
  ])("of “%s” leave out a word only after %j", (text, fields) => {
    const readings = readSearchText(text, extraParams);
    const whole = readings.findIndex((reading) => sameFields(reading.fields, fields));
    expect(whole).toBeGreaterThan(-1);
    expect(readings.slice(0, whole).filter(({ unread }) => unread !== "")).toEqual([]);
  });

  it("keep the same way from one letter to the next", () => {
    const wayOf = (text: string, lastName: string) =>
      readSearchText(text, extraParams).find(({ fields }) => fields.lastName === lastName)?.way;
    expect(wayOf("smith j", "smith")).toBe(wayOf("smith john 98030", "smith"));
    expect(wayOf("smith j", "smith")).not.toBe(wayOf("smith j", "j"));
  });
});

it.each([
  "kenmore 2nd ave s smith",
  "cedar st 4 kent",
  "john smith sr kent",
  "jessie leslie jr kent",
  "leslie, jessie jr, kent",
  "garcia federal way 12 main st",
  "98031 cedar st 4 smith",
])("searches or names every word of “%s”", (text) => {
  const count = (texts: string[]) =>
    texts
      .join(" ")
      .split(/[\s,]+/)
      .filter(Boolean).length;
  const readings = readSearchText(text, ["street", "voterId"]);
  expect(readings.map(({ fields, unread }) => count([...Object.values(fields), unread]))).toEqual(
    readings.map(() => count([text])),
  );
});

it("drops no name for the county that is named", () => {
  for (const { fields } of readSearchText("pierce county smith", extraParams))
    expect(Object.values(fields)).toContain("smith");
});
