import { expect, test } from "vitest";
import { z } from "zod";
import { type Refusals, RefusedOutcome, readOutcome } from "../../../lib/supabase/call-sql.ts";

const done = z.object({ outcome: z.literal("moved"), line: z.int() });
const refusals: Refusals = {
  "not-allowed": ["forbidden", "You may not."],
  taken: (response: unknown) => ["conflict", `Taken: ${JSON.stringify(response)}`],
};
const refusalOf = (response: unknown) => {
  try {
    return readOutcome(response, done, refusals);
  } catch (error) {
    return error;
  }
};

test("parses a successful answer", () => {
  expect(readOutcome({ outcome: "moved", line: 3, more: 1 }, done, refusals)).toEqual({ outcome: "moved", line: 3 });
});

test.each([
  [{ outcome: "not-allowed" }, { outcome: "not-allowed", code: "forbidden", message: "You may not." }],
  ["not-allowed", { outcome: "not-allowed", code: "forbidden", message: "You may not." }],
  [{ outcome: "taken" }, { outcome: "taken", code: "conflict", message: 'Taken: {"outcome":"taken"}' }],
])("turns an outcome of the table into its error: %j", (response, error) => {
  const thrown = refusalOf(response);
  expect(thrown).toBeInstanceOf(RefusedOutcome);
  expect(thrown).toMatchObject(error);
});

test.each([{ outcome: "moved" }, { outcome: "other" }, { outcome: "toString" }, {}, null, "moved"])(
  "rejects an answer that is neither success nor refusal: %j",
  (response) => expect(refusalOf(response)).toBeInstanceOf(z.ZodError),
);
