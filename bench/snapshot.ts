// Measures the permission snapshot: one statement compared with reading table by table, and cached compared with computed.
import "./support/load-application-code.ts";
import "next/dist/server/node-environment-baseline.js";
import { tmpdir } from "node:os";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createIncrementalCache } from "next/dist/export/helpers/create-incremental-cache.js";
import { z } from "zod";
import { runBench } from "../harness/run-bench.ts";
import { adminOf, type Stack, startedStack } from "../harness/started-stack.ts";
import { demoPassword } from "../scripts/demo-data/demo-data.ts";
import type { Database } from "../supabase/functions/_shared/database.ts";
import { compare } from "./support/compare.ts";
import { readTableByTable } from "./support/snapshot-table-by-table.ts";
import { addWorld, memberId } from "./support/snapshot-world.ts";

const clientOptions = { auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false } };

await runBench(async () => {
  const stack = await startedStack();
  await compareOneStatement(stack);
  await compareCachedRead(stack);
});

async function compareOneStatement(stack: Stack) {
  await addWorld(stack.DATABASE_URL);
  const supabase = adminOf(stack);
  for (const [person, user, campaign] of [
    ["an administrator", memberId(1), "campaign-2-6"],
    ["a member", memberId(41), "campaign-2-6"],
  ] as const) {
    const place = { user, team: "team-2", campaign };
    await compare(`Snapshot of ${person}`, [
      { name: "one statement", run: () => readInOneStatement(supabase, place) },
      { name: "table by table, at once if possible", run: () => readTableByTable(supabase, place, "at once") },
      {
        name: "table by table, one after another",
        run: () => readTableByTable(supabase, place, "one after another"),
        expectedRatio: 4,
      },
    ]);
  }
}

async function readInOneStatement(supabase: SupabaseClient, place: { user: string; team: string; campaign: string }) {
  const { data, error } = await supabase.rpc("permissions_snapshot", {
    p_user_id: place.user,
    p_team_id: place.team,
    p_campaign_id: place.campaign,
  });
  if (error) throw error;
  return z.unknown().parse(data);
}

// The application's own code with Next.js's own cache. Outside of a request React's cache is empty, so each read asks Redis
// for the epoch.
async function compareCachedRead(stack: Stack) {
  Object.assign(process.env, stack);
  await createIncrementalCache({
    dir: tmpdir(),
    distDir: tmpdir(),
    cacheMaxMemorySize: 50 * 1024 * 1024,
    flushToDisk: false,
  });
  const { routePermissions } = await import("../lib/permissions/route-permissions.ts");
  const { NEXT_PUBLIC_SUPABASE_URL: url, NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: key } = stack;
  const { data, error } = await createClient<Database>(url, key, clientOptions).auth.signInWithPassword({
    email: "clerk@demo.test",
    password: demoPassword,
  });
  if (error) throw error;
  const { access_token: accessToken } = data.session;
  const session = { userId: data.user.id, email: "clerk@demo.test", sessionId: "", accessToken };
  const place = { team: "riverside", campaign: "clean-water" };
  const invoke = async () => {
    const snapshot = await createClient<Database>(url, key, clientOptions).functions.invoke(
      `get-permissions-snapshot?team_id=${place.team}&campaign_id=${place.campaign}`,
      { method: "GET", headers: { Authorization: `Bearer ${session.accessToken}` }, timeout: 5_000 },
    );
    if (snapshot.error) throw snapshot.error;
    return z.unknown().parse(snapshot.data);
  };
  await compare("Snapshot as a page gets it, on Redis and Deno", [
    { name: "the cached read", run: () => routePermissions(session, place) },
    { name: "the call of the edge function", run: invoke, expectedRatio: 20 },
  ]);
}
