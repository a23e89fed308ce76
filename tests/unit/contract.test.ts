import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const contract = readFileSync("docs/contract.md", "utf8");
const rows = readFileSync("tests/contract.md", "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, number = "", begins = "", tests = ""] = /^\| (.+?) \| (.+?) \| (.*) \|$/.exec(line) ?? [];
    return { number, begins, tests };
  });

/** The sentences of the contract and the rows of its tables, each with the number under which it is cited. */
function sentences() {
  let number = "";
  const blocks = contract.replaceAll("*", "").split(/\n\n|\n(?=## |- \d|\d\. |\|)/);
  return blocks.flatMap((block) => {
    const line = block.replaceAll(/\s+/g, " ").trim();
    const [, section, part, step, text = ""] = /^(?:## (\d+)\.|(?:- )?(\d\.\d)|(\d)\.|\|)? ?(.*)$/.exec(line) ?? [];
    const [whole = ""] = number.split(" ");
    number = section ?? part ?? (step ? `${whole} ${whole === "4.1" ? "rule" : "step"} ${step}` : whole);
    if (section || number === "" || /^(-|caller |key |limit |status )/.test(text)) return [];
    return text
      .split(/(?<=\.\)?) (?=[A-Z`{\d])/)
      .filter((sentence) => /[.|]$/.test(sentence)) // no headings
      .map((sentence) => ({ number, sentence: sentence.replaceAll("`", "") }));
  });
}

test("lists for each sentence of the contract where it is tested", () => {
  const expected = sentences();
  expect(expected.length).toBeGreaterThan(70);
  const beginnings = expected.map(({ number, sentence }, index) => ({
    number,
    begins: sentence.slice(0, rows[index]?.begins.length || sentence.length),
  }));
  expect(rows.map(({ number, begins }) => ({ number, begins }))).toEqual(beginnings);
});

test.each(rows)("finds the tests of $number, $begins", ({ tests }) => {
  const cells = [...tests.matchAll(/`([^`]+)` "([^"]+(?:", "[^"]+)*)"/g)];
  expect(tests).toBe(cells.map(([cell]) => cell).join("; ") || "the name of a test");
  for (const [, file = "", titles = ""] of cells) {
    expect([file, existsSync(`tests/${file}`)]).toEqual([file, true]);
    const text = readFileSync(`tests/${file}`, "utf8");
    for (const title of titles.split('", "')) {
      const isThere = ['"', "`"].some((quote) => text.includes(quote + title + quote));
      expect([file, title, isThere]).toEqual([file, title, true]);
    }
  }
});
