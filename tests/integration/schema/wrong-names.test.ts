// Names that the database doesn't have don't compile: `npm run check` fails if one of these lines has no error. Sending them
// shows that each would have failed at runtime.
import { expect, test } from "vitest";
import type { Column } from "@/lib/supabase/unwrap";
import { unwrap } from "@/lib/supabase/unwrap";
import { setUpTestDatabase } from "../../support/test-database.ts";

const database = await setUpTestDatabase();
const admin = database.client("service");

const teams = () => admin.from("teams").select("id");

const user = { p_user_id: "00000000-0000-4000-8000-000000000001" };

const wrong: [what: string, ask: () => Promise<unknown>][] = [
  // @ts-expect-error
  ["a table", async () => await admin.from("nothing").select()],
  // @ts-expect-error
  ["a selected column", async () => unwrap(await admin.from("teams").select("id, nothing"))],
  // @ts-expect-error
  ["a column of another table", async () => unwrap(await admin.from("team_users").select("roles(nothing)"))],
  // @ts-expect-error
  ["columns in a text built at runtime", async () => unwrap(await admin.from("teams").select("nothing".trim()))],
  // @ts-expect-error
  ["a column of a filter", async () => await teams().eq("nothing", 1)],
  // @ts-expect-error
  ["a column of an order", async () => await teams().order("nothing" satisfies Column<"teams">)],
  // @ts-expect-error
  ["a written column", async () => await admin.from("profiles").update({ nothing: 1 }).eq("name", "Ada")],
  // @ts-expect-error
  ["a function", async () => await admin.rpc("nothing")],
  // @ts-expect-error
  ["an argument", async () => await admin.rpc("team_roles", { p_nothing: "north" })],
  // @ts-expect-error
  ["an argument that has a default", async () => await admin.rpc("permission_grants", { ...user, p_nothing: 1 })],
  // @ts-expect-error
  ["an argument of another type", async () => await admin.rpc("delete_permission_changes", { p_ids: "all" })],
];

test.each(wrong)("a wrong name fails: %s", async (_, ask) => {
  const failed = await ask().then(
    (response) => response !== null && typeof response === "object" && "error" in response && response.error !== null,
    () => true,
  );
  expect(failed).toBe(true);
});
