import { fireEvent, render, screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { RecentWork } from "@/components/progress/overview/recent-work";
import { dayAfter } from "@/lib/format/days";

beforeAll(() => void vi.useFakeTimers({ now: Date.parse("2026-11-25T12:00:00Z"), toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

const on = (day: string, lines: number, accepted: number, duplicates = 0) => ({ day, lines, accepted, duplicates });
const id = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;
const clerk = (digit: number, name: string, ...days: ReturnType<typeof on>[]) => ({ userId: id(digit), name, days });
// Wednesday; nothing was entered on Monday.
const totals: Record<string, ReturnType<typeof on>> = {
  "2026-11-17": on("2026-11-17", 40, 30),
  "2026-11-24": on("2026-11-24", 30, 27, 2),
  "2026-11-25": on("2026-11-25", 5, 5),
};
const recent = {
  days: Array.from({ length: 10 }, (_, index) => dayAfter("2026-11-16", index)).map(
    (day) => totals[day] ?? on(day, 0, 0),
  ),
  clerks: {
    rows: [
      clerk(1, "Ada", on("2026-11-17", 40, 30)),
      clerk(2, "Bea", on("2026-11-24", 10, 7, 2), on("2026-11-25", 5, 5)),
      clerk(3, "Cy", on("2026-11-24", 20, 20)),
    ],
    rest: { count: 2 },
  },
  circulators: { rows: [{ circulator: "Ola", days: Object.values(totals) }], rest: { count: 0 } },
  linesPerCirculator: null,
};

const show = () => render(<RecentWork place={{ team: "north", campaign: "lakes" }} recent={recent} teamName="North" />);
const rows = (label: string) =>
  [...screen.getByRole("table", { name: label }).querySelectorAll("tbody tr")].map((row) =>
    // On a phone the name's cell has the validity rate.
    [...row.querySelectorAll("td")].map(({ textContent }) => textContent.replace(/Validity rate: .*/, "")).join(" "),
  );
const choose = (name: RegExp) => fireEvent.click(screen.getByRole("radio", { name }));
const sentence = () => screen.getByRole("status").textContent;

test("shows yesterday by clerk and circulator, also those who entered nothing", () => {
  show();
  expect(sentence()).toBe("Yesterday (Nov 24): 30 lines entered, 27 valid (90.0%), 2 duplicates.");
  expect(rows("By clerk")).toEqual(["Cy 20 20 100.0% 0", "Bea 10 7 70.0% 2 (20.0%)", "Ada 0 0 – 0"]);
  expect(rows("By circulator")).toEqual(["Ola 30 27 90.0% 2 (6.7%)"]);
  expect(screen.getByText("2 more")).toBeDefined();
  expect(screen.getByRole("link", { name: "Bea" }).getAttribute("href")).toBe(
    `/north/campaign/lakes/signatures/register?clerk=${id(2)}&enteredFrom=2026-11-24&enteredTo=2026-11-24&verdict=not-blank`,
  );
});

test("shows weeks and other days, also a day without lines", () => {
  show();
  expect(screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent)).toEqual([
    "Last Thursday0",
    "Last Friday0",
    "Last Saturday0",
    "Last Sunday0",
    "Monday0",
    "Yesterday30",
    "Today5",
    "This week35",
    "Last week40",
  ]);
  choose(/^This week/);
  expect(sentence()).toBe("This week (Nov 23–Nov 25): 35 lines entered, 32 valid (91.4%), 2 duplicates.");
  expect(rows("By clerk")).toEqual(["Cy 20 20 100.0% 0", "Bea 15 12 80.0% 2 (13.3%)", "Ada 0 0 – 0"]);
  choose(/^Monday/);
  expect(sentence()).toBe("Monday (Nov 23): nothing entered.");
});

test("sorts by any column, in both directions, with missing values last", () => {
  show();
  const by = (name: string) => {
    fireEvent.click(screen.getAllByRole("button", { name })[0] ?? document.body);
    const head = screen.getByRole("table", { name: "By clerk" }).querySelector("[aria-sort]");
    return [
      head?.getAttribute("aria-sort"),
      rows("By clerk")
        .map((row) => row.split(" ")[0])
        .join(" "),
    ];
  };
  expect(by("Clerk")).toEqual(["ascending", "Ada Bea Cy"]);
  expect(by("Clerk")).toEqual(["descending", "Cy Bea Ada"]);
  expect(by("Duplicates")).toEqual(["descending", "Bea Cy Ada"]);
  expect(by("Validity rate")).toEqual(["descending", "Cy Bea Ada"]);
  expect(by("Validity rate")).toEqual(["ascending", "Bea Cy Ada"]);
});
