import { PostgrestError } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { ChartProblem, callInTime } from "../../../lib/charts/store/generate.ts";

const state = vi.hoisted(() => ({ result: {} }));
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => ({ rpc: () => ({ abortSignal: async () => state.result }) }),
}));

const returning = (data: unknown, code?: string) => {
  const error = code ? new PostgrestError({ message: "internal words", details: "", hint: "", code }) : null;
  state.result = { data, error };
  return callInTime("database_time", {}, z.unknown());
};
const message = "No such column.";
const refusedAt = (part: string) => ({ refused: { part, message } });

test("returns what the function returned", async () => expect(await returning({ rows: [] })).toEqual({ rows: [] }));

test("turns a refusal into a problem of its part and measure", async () => {
  const part = "metrics.0.column";
  await expect(returning(refusedAt(part))).rejects.toBeInstanceOf(ChartProblem);
  await expect(returning(refusedAt(part))).rejects.toMatchObject({ status: 422, field: part, message });
  const ofSecond = returning(refusedAt("metrics.1.segment.0.column"));
  await expect(ofSecond).rejects.toMatchObject({ message: `Measure 2: ${message}` });
});

const needed =
  "This chart uses columns that identify signers. You need the “See signatures” permission. Ask an administrator.";
test.each<[string, data: unknown, code: string | undefined, object]>([
  ["columns of signers", { refused: { needs: "signatures.view" } }, undefined, { status: 403, message: needed }],
  ["the database's own time limit", null, "57014", { status: 504 }],
  ["any other failure", null, "42501", { message: "Couldn't load the data. Try again in a moment." }],
])("describes %s without the database's words", async (_what, data, code, error) => {
  await expect(returning(data, code)).rejects.toMatchObject(error);
});
