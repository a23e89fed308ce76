import { PostgrestError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { ChartProblem } from "../../../lib/charts/chart-problem.ts";
import { runInTime } from "../../../lib/charts/run-in-time.ts";

const answering = (answer: { data: unknown; error: PostgrestError | null }) => ({ abortSignal: async () => answer });
const failing = (code: string) =>
  answering({ data: null, error: new PostgrestError({ message: "internal words", details: "", hint: "", code }) });

test("gives the answer", async () => {
  expect(await runInTime(answering({ data: { rows: [] }, error: null }))).toEqual({ rows: [] });
});

test("a refusal is a problem of its part", async () => {
  const refused = { part: "metrics.0.column", message: "No such column." };
  const run = runInTime(answering({ data: { refused }, error: null }));
  await expect(run).rejects.toBeInstanceOf(ChartProblem);
  await expect(run).rejects.toMatchObject({ status: 422, part: refused.part, message: refused.message });
  const ofSecond = runInTime(
    answering({ data: { refused: { ...refused, part: "metrics.1.segment.0.column" } }, error: null }),
  );
  await expect(ofSecond).rejects.toMatchObject({ message: "Measure 2: No such column." });
});

test("what tells who signed is a 403 that names the permission", async () => {
  const run = runInTime(answering({ data: { refused: { needs: "signatures.view" } }, error: null }));
  await expect(run).rejects.toMatchObject({
    status: 403,
    message:
      "This chart uses columns that identify signers. You need the permission “See signatures”. Ask an administrator of the team for it.",
  });
});

test("the database's own time limit is a 504 as well", async () => {
  await expect(runInTime(failing("57014"))).rejects.toMatchObject({ status: 504 });
});

test("any other failure is no answer, told without its words", async () => {
  await expect(runInTime(failing("42501"))).rejects.toMatchObject({
    status: 503,
    message: "The data could not be read. Try again in a moment.",
  });
});
