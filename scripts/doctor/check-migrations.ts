import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { dataOf } from "./check-supabase.ts";
import { type Finding, notChecked, ok, wrong } from "./finding.ts";
import { supabase } from "./settings.ts";

const folder = resolve(import.meta.dirname, "../../supabase/migrations");

/** Whether the database has the migrations of this version, and no others. */
export async function checkMigrations(signal: AbortSignal): Promise<Finding[]> {
  const applied = dataOf(await supabase().rpc("applied_migrations").abortSignal(signal), signal);
  if (applied === undefined) {
    return [
      wrong("The database is older than this version: it cannot say which migrations it has.", "npx supabase db push"),
    ];
  }
  if (applied === null) return [notChecked("the database keeps no record of them, as the supabase CLI would")];
  const here = readdirSync(folder).flatMap((name) => /^(\d+)_.*\.sql$/.exec(name)?.[1] ?? []);
  const missing = here.filter((version) => !applied.includes(version));
  const unknown = applied.filter((version) => !here.includes(version));
  return [
    missing.length > 0
      ? wrong(`The database lacks ${missing.length} of ${here.length}: ${missing.join(", ")}.`, "npx supabase db push")
      : ok("all applied"),
    ...(unknown.length > 0
      ? [
          wrong(
            `The database has others than this version: ${unknown.join(", ")}.`,
            "Run the version that brought them.",
          ),
        ]
      : []),
  ];
}
