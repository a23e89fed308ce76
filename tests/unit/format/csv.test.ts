import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv, csvRow } from "@/lib/format/csv";

test("writes RFC 4180: quoted texts, doubled quotes, CRLF", () => {
  expect(csv([["a", 'say "hi"'], ["x,y\nz"], [1.5, true, null]])).toBe(
    '\uFEFF"a","say ""hi"""\r\n"x,y\nz"\r\n1.5,true,\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "＝1", "＋1", "－1", "＠a", "|cmd", "%0A", "\ta", "\ra"])(
  "puts an apostrophe before %j",
  (text) => expect(csvRow([text, "x"])).toBe(`"'${text}","x"\r\n`),
);

test.each([
  ["\t=1", `"'\t'=1"`],
  ["a;=1", `"a;'=1"`],
  ['a;"=1', `"a;""'=1"`],
  ["a; \u200b =1", `"a; \u200b '=1"`],
  ["=1;=2,=3", `"'=1;'=2,'=3"`],
  [";=-1", `";'=-1"`],
  ["a=1", '"a=1"'],
  ["", '""'],
])("writes %j as %j", (cell, written) => {
  expect(csvRow([cell, "x"])).toBe(`${written},"x"\r\n`);
});

test.each([
  "O'Connor, A.-M.",
  "12-14 Main St, Apt 3-B",
  "Smith-Jones",
  "12 - 14",
  "a, b; c | d",
  "line one\nline two",
  "50% of 3+4=7 @ noon",
  "ada+lists@example.org",
  "2026-11-21T10:00:00.000-05:00",
  '{"before":{"name":"A-B","n":-1}}',
])("writes %j as it is", (text) => {
  expect(csvRow([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
});

test("writes numbers without quotes", () => expect(csvRow([-1, 0.5, -1e21])).toBe("-1,0.5,-1e+21\r\n"));

// Whatever separator a spreadsheet uses, and whether it handles quotes or not.
describe("no cell begins with a formula in a file that is split by another rule", () => {
  const unseen = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}"]+/u;
  const formula = /^[=+\-@＝＋－＠|%]/;
  const piece = fc.constantFrom(
    ..."=+-@＝＋－＠|%,;\t\"'\n\r \u00a0\u3000\u200b\u200d\u2060\uFEFF\u00ad\u061c\u2028\u2029\u0085\v\f\0\u3164ab1.😀".split(
      /(?:)/u,
    ),
  );
  const file = fc.array(fc.array(fc.string({ unit: piece, maxLength: 12 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });

  test.each([",", ";", "\t", "|"])("%j", (separator) => {
    fc.assert(
      fc.property(file, (rows) => {
        const text = csv(rows);
        for (const sample of [
          ...cellsByQuotes(text, separator),
          ...text.split(/[\n\r\v\f\u0085\u2028\u2029]/).flatMap((line) => line.split(separator)),
        ]) {
          expect(sample.replace(unseen, "")).not.toMatch(formula);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

// Reads cells like a spreadsheet: a quote only opens at the start, and what follows the closing one belongs to the cell.
function cellsByQuotes(text: string, separator: string) {
  const cells = [""];
  let isQuoted = false;
  let hasBegun = false;
  for (let index = text.startsWith("\uFEFF") ? 1 : 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted && character === '"' && text.charAt(index + 1) === '"')
      cells.push(`${cells.pop()}${text.charAt(++index)}`);
    else if (isQuoted && character === '"') isQuoted = false;
    else if (!isQuoted && character === '"' && !hasBegun) isQuoted = hasBegun = true;
    else if (!isQuoted && (character === separator || character === "\n" || character === "\r")) {
      cells.push("");
      hasBegun = false;
    } else {
      cells.push(`${cells.pop()}${character}`);
      hasBegun = true;
    }
  }
  return cells;
}
