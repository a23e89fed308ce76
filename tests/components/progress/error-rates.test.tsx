import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ErrorRates } from "@/components/progress/error-rates";
import { formatOf } from "@/lib/format/format-of";

afterEach(cleanup);

it.each([
  [true, "No error rates yet. Draw a sample, then let another clerk enter its lines again."],
  [false, "No error rates yet. A supervisor draws a sample, then another clerk enters its lines again."],
])("says who draws the first sample (the reader: %s)", (mayDraw, text) => {
  render(<ErrorRates check={{ drawn: 0, waiting: 0, rates: [] }} mayDraw={mayDraw} format={formatOf()} />);
  expect(screen.getByText(text)).toBeTruthy();
});
