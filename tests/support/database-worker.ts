// The other side of database-apart.ts.
import { openAsBlob } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { serve } from "@hono/node-server";
import { z } from "zod";
import { openDatabase } from "../../scripts/local-stack/open-database.ts";

const { databaseUrl, dump, keys } = z
  .object({
    databaseUrl: z.string().optional(),
    dump: z.string().optional(),
    keys: z.object({ publishable: z.string(), secret: z.string(), jwtSecret: z.string() }),
  })
  .parse(workerData);

const location = databaseUrl ? { databaseUrl } : dump ? { copyOf: await openAsBlob(dump) } : "memory";
const database = await openDatabase({ location, keys });
const asked = z.object({ id: z.int(), query: z.string(), parameters: z.array(z.unknown()) });
parentPort?.on("message", async (message) => {
  const { id, query, parameters } = asked.parse(message);
  try {
    parentPort?.postMessage({ id, rows: await database.sql(query, parameters) });
  } catch (error) {
    parentPort?.postMessage({ id, problem: String(error) });
  }
});
serve({ fetch: database.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => parentPort?.postMessage({ port }));
