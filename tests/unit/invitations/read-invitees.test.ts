import { describe, expect, test } from "vitest";
import { correctName, readInvitees, withoutProblems } from "@/lib/invitations/read-invitees";

const choices = {
  roles: [
    { id: "m", name: "Member" },
    { id: "o", name: "Office" },
  ],
  campaignRoles: [
    { id: "c", name: "Canvasser" },
    { id: "k", name: "Signature clerk" },
  ],
  campaigns: [
    { id: "clean-water", name: "Clean water" },
    { id: "parks", name: "Parks, open" },
  ],
  roleId: "m",
  campaignIds: ["clean-water"],
  campaignRoleId: "c",
};
const all = { roleId: "m", campaigns: [{ id: "clean-water", roleId: "c" }] };
const emails = (text: string) => readInvitees(text, choices).invitees.map(({ email }) => email);
/** The people read, and what is wrong, each with its line. */
function read(text: string) {
  const { invitees, rows } = readInvitees(text, choices);
  const problems = rows.flatMap(({ line, problem }) => (problem === null ? [] : [`Line ${line}: ${problem}`]));
  return { invitees: invitees.map(({ line: _, ...invitee }) => invitee), problems };
}

test.each([
  ["commas and spaces", "a@x.test, b@x.test  c@x.test"],
  ["lines", "a@x.test\r\nb@x.test\n\nc@x.test\n"],
  ["semicolons and tabs", "a@x.test;b@x.test\tc@x.test"],
  ["one address twice", "a@x.test b@x.test A@X.test c@x.test"],
])("reads addresses separated by %s", (_what, text) => {
  expect(read(text)).toEqual({
    invitees: ["a@x.test", "b@x.test", "c@x.test"].map((email) => ({ email, name: null, ...all })),
    problems: [],
  });
});

test("reads names before addresses, but not what may be an address", () => {
  const { rows } = readInvitees("Ada B. Moreno a@x.test, Seán O'Dea-Ray b@x.test\nada.x.test c@x.test", choices);
  expect(rows.map(({ name, email, problem }) => [name, email, problem])).toEqual([
    ["Ada B. Moreno", "a@x.test", null],
    ["Seán O'Dea-Ray", "b@x.test", null],
    [null, "ada.x.test", "“ada.x.test” isn't an email address."],
    [null, "c@x.test", null],
  ]);
});

test.each([
  ["a@x.test\nBen Ruiz\tb@x.test\nc@x.test\tCy Fox\tOffice"],
  ["a@x.test\nBen Ruiz, b@x.test\nOffice, c@x.test, Cy Fox"],
  ["a@x.test\tAda\nBen Ruiz\tb@x.test\nCy Fox\tc@x.test\tOffice"],
])("reads on each line of a list without titles which cell is the address: %j", (text) => {
  const { invitees, problems } = read(text);
  expect(problems).toEqual([]);
  expect(invitees.slice(1)).toEqual([
    { email: "b@x.test", name: "Ben Ruiz", ...all },
    { email: "c@x.test", name: "Cy Fox", ...all, roleId: "o" },
  ]);
});

test("reads lines with another separator in a list without titles", () => {
  const { invitees, rows } = readInvitees("Tom Hill, tom@x.test\nann@x.test; lee@x.test\nKim Cho\tkim@x.test", choices);
  expect(rows.map(({ problem }) => problem)).toEqual([null, null, null, null]);
  expect(invitees.map(({ line, name, email }) => [line, name, email])).toEqual([
    [1, "Tom Hill", "tom@x.test"],
    [2, null, "ann@x.test"],
    [2, null, "lee@x.test"],
    [3, "Kim Cho", "kim@x.test"],
  ]);
});

test("reads names next to addresses", () => {
  const { invitees } = readInvitees('Ada Moreno <a@x.test>, "Jun Park" <b@x.test>, "O’Hara, Pat" <p@x.test>', choices);
  expect(invitees.map(({ name }) => name)).toEqual(["Ada Moreno", "Jun Park", "O’Hara, Pat"]);
});

describe("a table", () => {
  test("has columns in any order, roles and campaigns by name, and defaults for empty cells", () => {
    const text =
      'Role,E-mail,Campaign,Name,Campaign role\r\nOffice,a@x.test,"Parks, open",Ada,signature clerk\r\n,b@x.test,,"Jun ""J"" Park",\r\n';
    expect(read(text)).toEqual({
      invitees: [
        { email: "a@x.test", name: "Ada", roleId: "o", campaigns: [{ id: "parks", roleId: "k" }] },
        { email: "b@x.test", name: 'Jun "J" Park', ...all },
      ],
      problems: [],
    });
  });

  test.each([
    ["email", '"Ada Moreno" <a@x.test>'],
    ["name,email", '"Ada Moreno" <a@x.test>'],
    ["email,name", "Ada <a@x.test>,Ada Moreno"],
  ])("can have names before addresses, under %j", (titles, row) => {
    const named = [{ email: "a@x.test", name: "Ada Moreno", ...all }];
    expect(read(`${titles}\n${row}\n`)).toEqual({ invitees: named, problems: [] });
  });

  test.each([";", "\t"])("can have %j between its columns", (separator) => {
    const text = `\uFEFFemail${separator}name\na@x.test${separator}Ada\n`;
    expect(read(text).invitees).toEqual([{ email: "a@x.test", name: "Ada", ...all }]);
  });

  test("can name several campaigns in one cell", () => {
    const text = 'email,campaign\na@x.test,"clean-water | Parks, open | Clean water"';
    const { invitees } = readInvitees(text, choices);
    expect(invitees[0]?.campaigns.map(({ id }) => id)).toEqual(["clean-water", "parks"]);
    const tabs = readInvitees("a@x.test\tAda\tOffice\tClean water; Parks, open", choices);
    expect(tabs.invitees[0]?.campaigns.map(({ id }) => id)).toEqual(["clean-water", "parks"]);
  });

  test("finds roles and campaigns under titles it doesn't know, and names the columns it doesn't use", () => {
    const text =
      "First name;Last name;E-mail address;Team role;Kampagne;Rolle;Town\nAda;Moreno;a@x.test;Office;Clean water;Canvasser;Elm";
    const { invitees, unusedColumns } = readInvitees(text, choices);
    expect(invitees).toEqual([
      { line: 2, email: "a@x.test", name: "Ada Moreno", roleId: "o", campaigns: [{ id: "clean-water", roleId: "c" }] },
    ]);
    expect(unusedColumns).toEqual(["Town"]);
  });
});

test.each([
  "Ada Moreno, a@x.test, Office",
  "a@x.test\tAda Moreno\tOffice",
  "Ada;Moreno;555-1234;a@x.test;Ofice",
  "Full name,Mail,Position\nAda Moreno,a@x.test,Office",
])("a table without known titles is read by its cells: %j", (text) => {
  const { rows } = readInvitees(text, choices);
  expect([rows[0]?.name, rows[0]?.email]).toEqual(["Ada Moreno", "a@x.test"]);
});

test("campaigns and roles in them are found by their cells too, and a wrong role is a problem", () => {
  const text = 'Mia,m@x.test,Member,"clean-water|Parks, open",Canvasser\nAda,a@x.test,Ofice,Clean water,';
  expect(read(text)).toEqual({
    invitees: [
      {
        email: "m@x.test",
        name: "Mia",
        roleId: "m",
        campaigns: [
          { id: "clean-water", roleId: "c" },
          { id: "parks", roleId: "c" },
        ],
      },
    ],
    problems: ["Line 2: There's no role “Ofice”. Did you mean Office?"],
  });
});

test.each([
  ["noone", "Line 1: “noone” isn't an email address."],
  ["a@x", "Line 1: “a@x” isn't an email address."],
  ["email,role\na@x.test,Boss", "Line 2: There's no role “Boss”. Choose from: Member, Office."],
  ["email,role\na@x.test,Ofice", "Line 2: There's no role “Ofice”. Did you mean Office?"],
  ["email,role\nx,Boss", "Line 2: “x” isn't an email address. There's no role “Boss”. Choose from: Member, Office."],
  ["email,campaign\na@x.test,Mars", "Line 2: There's no campaign “Mars”. Choose from: Clean water, Parks, open."],
  [
    "email,campaign role\na@x.test,Boss",
    "Line 2: There's no campaign role “Boss”. Choose from: Canvasser, Signature clerk.",
  ],
  ["email,name\n,Ada", "Line 2: The email address is missing."],
  ["email,name\na@x.test, b@x.test", "Line 2: “b@x.test” isn't a name. Put each person on their own line."],
  ["email,name\nA@x.test; Ada", "Line 2: Separate the columns with commas, as in the header."],
  ["email;name\na@x.test, Ada", "Line 2: Separate the columns with semicolons, as in the header."],
  ["email\na@x.test,b@x.test", "Line 2: “b@x.test” is a second email on this line. Put each person on their own line."],
  [
    "email,campaign role\na@x.test,office",
    "Line 2: There's no campaign role “office”. It's a team role. Choose from: Canvasser, Signature clerk.",
  ],
])("says what can't be read: %j", (text, problem) => {
  expect(read(text)).toEqual({ invitees: [], problems: [problem] });
});

test("a campaign role without a campaign is a problem", () => {
  const { rows } = readInvitees("email,campaign role\na@x.test,canvasser", { ...choices, campaignIds: [] });
  expect(rows.map(({ problem }) => problem)).toEqual(["“canvasser” needs a campaign."]);
});

test("lines of one address add up to a role in each campaign, unless they name two roles in one", () => {
  const title = "email,campaign,campaign role\n";
  const [one, two] = ["a@x.test,Clean water,Canvasser\n", 'a@x.test,"Parks, open",Canvasser\n'];
  const both = read(`${title}${one}${two}${two}`);
  expect(both.problems).toEqual([]);
  expect(both.invitees.map(({ campaigns }) => campaigns.map(({ id }) => id))).toEqual([["clean-water", "parks"]]);
});

test("a misspelled name is corrected in the rows that have it, and nowhere else", () => {
  const text = "name,email,role\r\nOfice,a@x.test,Member\r\nOfice Ada,b@x.test, Ofice\r\nBo,c@x.test,Ofice";
  const { rows } = readInvitees(text, choices);
  expect(rows.flatMap(({ misspelled }) => misspelled)).toEqual(Array(2).fill({ wanted: "Ofice", meant: "Office" }));
  expect(correctName(text, rows, { wanted: "Ofice", meant: "Office" })).toBe(
    "name,email,role\r\nOfice,a@x.test,Member\r\nOfice Ada,b@x.test, Office\r\nBo,c@x.test,Office",
  );
});

test("says which lines have the same email", () => {
  const notes = (text: string) =>
    readInvitees(text, choices).rows.flatMap(({ line, repeats }) => (repeats ? [[line, repeats]] : []));
  expect(notes("email,role\na@x.test,Member\nb@x.test,\nA@X.test,")).toEqual([
    [4, "Lines 2 and 4 have the same email"],
  ]);
  expect(notes("a@x.test, A@x.test")).toEqual([[1, "Twice on this line"]]);
});

test("reads no one from blanks", () => {
  expect(emails(" \n ")).toEqual([]);
});

test("an address on two lines with different access is a problem of the second, and with the same access isn't", () => {
  expect(read("email,role\na@x.test,Office\nb@x.test,Office\nA@x.test,\nb@X.test,office")).toMatchObject({
    invitees: [{ email: "a@x.test" }, { email: "b@x.test" }],
    problems: ["Line 4: A@x.test is also on line 2, with another role."],
  });
});

test("leaves out lines with a problem, unless someone without one is on them", () => {
  const without = (text: string) => withoutProblems(text, readInvitees(text, choices).rows);
  expect(without("email,role\na@x.test,Office\nb,Office\nc@x.test,Boss\n")).toBe("email,role\na@x.test,Office\n");
  expect(without("a@x.test, b, c@x.test")).toBeNull();
});
