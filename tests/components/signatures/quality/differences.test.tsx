import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Differences } from "@/components/signatures/quality/differences";

afterEach(cleanup);

const [ada, bea] = ["6f2f2a1e-0d55-4a3b-9d3c-1c7a0a5b0001", "6f2f2a1e-0d55-4a3b-9d3c-1c7a0a5b0002"];
const entry = (id: string, name: string) => ({
  ...{ verdict: "illegible" as const, voterId: null, firstName: null, lastName: null, address: null },
  by: { id, name },
});
const difference = { id: "line", sheet: 12, line: 4, right: null, first: entry(ada, "Ada"), second: entry(bea, "Bea") };
const place = { team: "riverside", campaign: "clean-water" };
const settle = async () => ({ message: "", error: null });

it.each([
  ["a supervisor", bea, 2],
  ["the person who entered the line first", ada, 0],
])("offers to settle a difference: %s", (_, userId, buttons) => {
  render(<Differences place={place} userId={userId} differences={[difference]} settle={settle} />);
  expect(screen.queryAllByRole("button", { name: /is right$/ })).toHaveLength(buttons);
  expect(screen.queryByText(/^You entered this line, so another supervisor/) === null).toBe(buttons > 0);
});
