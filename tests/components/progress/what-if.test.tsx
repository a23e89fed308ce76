import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { outlookText } from "@/components/progress/outlook-text";
import { WhatIf } from "@/components/progress/overview/what-if";
import { formatOf } from "@/lib/format/format-of";
import { assessProgress, type Plan } from "@/lib/progress/forecast";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

const progress = campaignCounts(steady(60, 100), { accepted: 5_400, goal: 9_000, endsOn: "2026-12-22" });
const unchanged = "Change a number to see the forecast.";
const outlookOf = (plan: Plan) => {
  const [before, after] = [{}, plan].map((planned) => outlookText(assessProgress(progress, planned), formatOf()));
  if (before?.title === after?.title) return `${after?.title}${after?.texts.join(" ")}`;
  return `${after?.title}, up from ${before?.title.match(/(?:under )?\d+%/)?.[0]}${after?.texts.join(" ")}`;
};
const shown = () => screen.getAllByRole("status").at(-1)?.textContent;
const press = (name: RegExp) => fireEvent.click(screen.getByRole("button", { name }));

test("changes the forecast with pace and validity, and back", () => {
  render(<WhatIf measured={assessProgress(progress)} perCirculator={null} />);
  expect(shown()).toBe(unchanged);
  fireEvent.change(screen.getByRole("slider", { name: "Signatures collected per day" }), { target: { value: "150" } });
  expect(shown()).toBe(outlookOf({ aDay: 150 }));
  expect(screen.getByText("Starting tomorrow; 50% above the current 100.")).toBeDefined();
  fireEvent.change(screen.getByRole("textbox", { name: "Validity rate (%), as a number" }), {
    target: { value: "95%" },
  });
  expect(shown()).toBe(outlookOf({ aDay: 150, validity: 0.95 }));
  expect(new Set([outlookOf({}), outlookOf({ aDay: 150 }), outlookOf({ aDay: 150, validity: 0.95 })]).size).toBe(3);
  press(/Reset/);
  expect(shown()).toBe(unchanged);
  expect(screen.queryByRole("button", { name: /circulator/ })).toBeNull();
});

test("the shown numbers, typed again, are the measured ones, not rounded ones", () => {
  const third = { ...progress, accepted: 4_000, goal: 8_000 }; // 66.666… %
  render(<WhatIf measured={assessProgress(third)} perCirculator={12} />);
  for (const box of screen.getAllByRole<HTMLInputElement>("textbox")) {
    const { value } = box;
    fireEvent.change(box, { target: { value: "90" } });
    fireEvent.change(box, { target: { value } });
  }
  expect(shown()).toBe(unchanged);
  expect(screen.getByRole("button", { name: "Reset" }).getAttribute("aria-disabled")).toBe("true");
  press(/Add a circulator/);
  fireEvent.change(screen.getByRole("slider", { name: "Signatures collected per day" }), { target: { value: "50" } });
  expect(screen.queryByText(/circulators? added/)).toBeNull();
});

test("says the change that was typed, not one of a rounded pace", () => {
  render(
    <WhatIf
      measured={assessProgress(campaignCounts(steady(60, 253), { goal: 20_000, endsOn: "2026-12-22" }))}
      perCirculator={null}
    />,
  );
  const box = screen.getByRole("textbox", { name: "Signatures collected per day, as a number" });
  fireEvent.change(box, { target: { value: "-20%" } });
  screen.getByText("Starting tomorrow; 20% below the current 253.");
});

test("a number above the slider's range widens it, and one that can't be is refused in words and changes nothing", () => {
  render(<WhatIf measured={assessProgress(progress)} perCirculator={null} />);
  const slider = () => screen.getByRole<HTMLInputElement>("slider", { name: "Signatures collected per day" });
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name: `${name}, as a number` }), { target: { value } });
  expect(Number(slider().max)).toBeLessThan(1_250);
  type("Signatures collected per day", "1,250");
  expect([slider().value, Number(slider().max) >= 1_250]).toEqual(["1250", true]);
  expect(shown()).toBe(outlookOf({ aDay: 1_250 }));
  type("Validity rate (%)", "120");
  expect(screen.getByText("Enter a number from 1 to 100. The forecast uses 90 until then.")).toBeDefined();
  expect(shown()).toBe(outlookOf({ aDay: 1_250 }));
  for (const wrong of ["-5", "abc", ""]) {
    type("Signatures collected per day", wrong);
    expect(shown()).toBe(outlookOf({ aDay: 1_250 }));
  }
  // What is wrong stays when the field is left, until it's typed again, moved or reset.
  const boxes = screen.getAllByRole<HTMLInputElement>("textbox");
  for (const box of boxes) fireEvent.blur(box);
  expect(boxes.map(({ value }) => value)).toEqual(["", "120"]);
  fireEvent.change(slider(), { target: { value: "150" } });
  expect(boxes[0]?.value).toBe("150");
  press(/Reset/);
  expect(screen.queryByText(/until then/)).toBeNull();
});

test("reads a change in percent of the present pace, and says what was probably meant", () => {
  render(<WhatIf measured={assessProgress(progress)} perCirculator={null} />);
  const type = (name: string, value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name: `${name}, as a number` }), { target: { value } });
  const pace = "Signatures collected per day";
  for (const [typed, aDay] of [
    ["+20%", 120],
    ["-50%", 50],
    ["−50%", 50],
    ["–50%", 50],
    ["20 %", 120],
  ] as const) {
    type(pace, typed);
    expect(shown()).toBe(outlookOf({ aDay }).replace("up", aDay < 100 ? "down" : "up"));
  }
  for (const [name, typed, problem] of [
    [pace, "3.000", "Did you mean 3,000?"],
    [pace, "+20", "Enter a number from 0 to 100,000, or a change such as +20%."],
    ["Validity rate (%)", "93,6", "Use a decimal point: 93.6."],
  ] as const) {
    type(name, typed);
    expect(screen.getByText(new RegExp(problem.replace(/[+?]/g, "\\$&")))).toBeDefined();
  }
});

test("the pace that reaches 90 % is said, and makes it as likely", () => {
  render(<WhatIf measured={assessProgress(progress)} perCirculator={null} />);
  const [, needed = ""] =
    /To be 90% likely to reach the goal, collect (\d+) a day starting tomorrow/.exec(outlookOf({})) ?? [];
  fireEvent.change(screen.getByRole("textbox", { name: "Signatures collected per day, as a number" }), {
    target: { value: needed },
  });
  expect(shown()).toMatch(/On track: 9[0-2]% likely/);
});

test("tries the first estimate while it's too early, and says which validity that assumes", () => {
  const early = campaignCounts(steady(3, 100), { accepted: 270, goal: 5_000, endsOn: "2026-12-22" });
  const { title, texts } = outlookText(assessProgress(early), formatOf());
  const [, needed = ""] = /First estimate: .* collect (\d+) a day/.exec(texts.join(" ")) ?? [];
  expect(title).toBe("Too early to tell");
  render(<WhatIf measured={assessProgress(early)} perCirculator={null} />);
  fireEvent.change(screen.getByRole("textbox", { name: "Signatures collected per day, as a number" }), {
    target: { value: needed },
  });
  expect(shown()).toMatch(
    /^On track: 9[0-2]% likely to qualify.*First estimate\. It assumes a validity rate of 90\.0%\. About/,
  );
});

test("says why a plan has no chance, and what is possible, also where the present pace had one", () => {
  const facts = { accepted: 287, duplicates: 3, goal: 60_000, endsOn: "2026-12-22" };
  render(<WhatIf measured={assessProgress(campaignCounts(steady(3, 100), facts))} perCirculator={null} />);
  fireEvent.change(screen.getByRole("textbox", { name: "Signatures collected per day, as a number" }), {
    target: { value: "3,000" },
  });
  expect(shown()).toMatch(
    /^Too early to tell \(now “Behind: under 1% likely to qualify”\)The share of duplicates is still uncertain: 287–120,000 valid signatures are possible\. Enter more sheets first\. Goal/,
  );
});

test("adds to the shown pace what the button says", () => {
  const third = { ...progress, collectedDays: progress.collectedDays.map((day) => ({ ...day, lines: 100.4 })) };
  render(<WhatIf measured={assessProgress(third)} perCirculator={12.4} />);
  press(/Add a circulator \(\+12 a day, the 7-day average\)/);
  expect(screen.getAllByRole<HTMLInputElement>("textbox")[0]?.value).toBe("112");
});

test("adds circulators at the pace of those of the last week", () => {
  render(<WhatIf measured={assessProgress(progress)} perCirculator={12} />);
  press(/Add a circulator \(\+12 a day, the 7-day average\)/);
  press(/Add a circulator/);
  expect(shown()).toBe(outlookOf({ aDay: 124 }));
  expect(screen.getByText("2 circulators added")).toBeDefined();
});

test("says how likely the plan passes the official check", () => {
  const official = {
    required: 8_000,
    margin: 0,
    rejection: 5,
    ...fullCount,
  };
  render(<WhatIf measured={assessProgress({ ...progress, official })} perCirculator={null} />);
  fireEvent.change(screen.getByRole("slider", { name: "Signatures collected per day" }), { target: { value: "120" } });
  expect(shown()).toMatch(/^On track: 95% likely to qualify, up from \d+%/);
});

test("says how the chance of the goal changes where the official check is certain", () => {
  const official = { required: 1_000, margin: 0, rejection: 5, ...fullCount };
  render(<WhatIf measured={assessProgress({ ...progress, official })} perCirculator={null} />);
  fireEvent.change(screen.getByRole("slider", { name: "Signatures collected per day" }), { target: { value: "130" } });
  expect(shown()).toMatch(/^On track: over 99% likely to qualify \(reaching the goal: up from \d+%\)/);
});
