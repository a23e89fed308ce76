import { describe, expect, test } from "vitest";
import { chartCsv } from "../../../lib/charts/chart-csv.ts";
import { csv } from "../../../lib/format/csv.ts";

describe("csv", () => {
  test("is RFC 4180: quoted texts, doubled quotes, CRLF, each row as long as the longest", () => {
    expect(csv([["a", 'say "hi"'], ["x,y\nz"], [1.5, true, null]])).toBe(
      '\uFEFF"a","say ""hi""",\r\n"x,y\nz",,\r\n1.5,true,\r\n',
    );
  });

  test.each(["=1+1", "+1", "-1", "@sum(a1)", " =1", "\ta", "\ra", "＝1", "＋1", "－1", "＠a", "|cmd", "%0A"])(
    "a text that begins like a formula gets an apostrophe: %j",
    (text) => {
      expect(csv([[text]])).toBe(`\uFEFF"'${text}"\r\n`);
    },
  );

  test.each(["\t", "\r", "\n"])("and another where %j could begin a new cell", (blank) => {
    expect(csv([[`${blank}=1`]])).toBe(`\uFEFF"'${blank}'=1"\r\n`);
  });

  test("numbers, also negative ones, and other texts are as they are", () => {
    expect(csv([[-1, "a=1", "", "1-2"]])).toBe('\uFEFF-1,"a=1","","1-2"\r\n');
  });
});

test("a chart's file has a head row, then its groups", () => {
  const text = chartCsv({
    display: null,
    types: [{ name: "county", label: "County", type: "text" }],
    data: {
      source: "signatures",
      groupBy: "county, tags",
      metrics: [
        { key: "n", aggregation: "count", label: "Lines" },
        { key: "a", aggregation: "avg", column: "line", segment: [{ column: "zip", operator: "eq", value: "98030" }] },
      ],
      rows: [
        { key: '-King|||["a"]', group: { county: "-King", tags: ["a"] }, values: { n: 2, a: -1.5 } },
        { key: "|||", group: { county: null, tags: null }, values: { n: 1, a: null } },
      ],
      recordCount: 3,
      groupCount: 2,
      generatedAt: "2026-11-21T10:00:00.000Z",
    },
  });
  expect(text.split("\r\n")).toEqual([
    '\uFEFF"County","tags","Lines","Average of line, 98030"',
    `"'-King","[""a""]",2,-1.5`,
    ",,1,",
    "",
  ]);
});

test("the first and the last day and moment are such, and no milliseconds", () => {
  const at = Date.UTC(2026, 10, 21, 10);
  const text = chartCsv({
    display: null,
    types: [
      { name: "day", label: "Day", type: "date" },
      { name: "entered_at", label: "Entered at", type: "time" },
    ],
    data: {
      source: "signatures",
      groupBy: "",
      metrics: [
        { key: "n", aggregation: "count", column: "day" },
        { key: "d", aggregation: "max", column: "day" },
        { key: "t", aggregation: "min", column: "entered_at" },
        { key: "none", aggregation: "min", column: "entered_at" },
      ],
      rows: [{ key: "", group: {}, values: { n: 2, d: Date.UTC(2026, 10, 21), t: at, none: null } }],
      recordCount: 2,
      groupCount: 1,
      generatedAt: "2026-11-21T10:00:00.000Z",
    },
  });
  expect(text.split("\r\n").at(-2)).toBe('2,"2026-11-21","2026-11-21T10:00:00.000Z",');
});

test("derived numbers and the rest are told as the chart shows them", () => {
  const rows = [5, 2, 1].map((n, at) => ({ key: `C${at}`, group: { county: `C${at}` }, values: { n, ok: at } }));
  const text = chartCsv({
    display: {
      derived: [{ key: "r", label: "Valid", kind: "rate", of: "ok", over: "n", format: "percent" }],
      hidden: ["ok"],
      top: { column: "county", count: 1 },
      goal: { value: 0.9 },
    },
    types: [],
    data: {
      ...{ source: "lines", groupBy: "county", rows, recordCount: 8, groupCount: 3, generatedAt: "2026-11-21" },
      metrics: [
        { key: "n", aggregation: "count" },
        { key: "ok", aggregation: "count" },
      ],
    },
  });
  expect(text.split("\r\n")).toEqual(['\uFEFF"county","Count","Valid"', '"C0",5,0', '"other (2)",3,1', ""]);
});
