import { expect, test } from "vitest";
import { csvRow } from "@/lib/format/csv";

test.each([
  ["plain", '"plain"'],
  ['with "quotes", and commas', '"with ""quotes"", and commas"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  ["  =1", `"'  =1"`],
  ["\r=1", `"'\r=1"`],
  ["a=1", '"a=1"'],
  ["", '""'],
])("%j is written as %j", (cell, written) => {
  expect(csvRow([cell, "x"])).toBe(`${written},"x"\r\n`);
});
