// The database in a process of its own, so that a long query stops nothing else. Ends with the supervisor.
import { serve } from "@hono/node-server";
import { z } from "zod";
import { addDemoData } from "./demo-data.ts";
import { lockFile } from "./lock-file.ts";
import { answerMail } from "./mailbox.ts";
import { openDatabase } from "./open-database.ts";
import { Refusal } from "./report.ts";

/** What the supervisor tells this process, as JSON in SIGNET_DATABASE. */
const settingsSchema = z.object({
  folder: z.string(),
  databaseUrl: z.string().optional(),
  siteUrl: z.string(),
  keys: z.object({ publishable: z.string(), secret: z.string(), jwtSecret: z.string(), searchPassword: z.string() }),
});
export type DatabaseSettings = z.infer<typeof settingsSchema>;

const { folder, databaseUrl, siteUrl, keys } = settingsSchema.parse(JSON.parse(process.env.SIGNET_DATABASE ?? ""));

// A supervisor that was killed leaves this process a moment behind; its successor waits for it.
if (!databaseUrl && !lockFile(`${folder}.lock`, 10_000)) throw new Error(`Another process uses ${folder}.`);
const location = databaseUrl ? { databaseUrl } : { folder };
const database = await openDatabase({ location, keys, siteUrl }).catch((error) => {
  if (error instanceof Refusal) process.send?.({ refusal: error.message });
  throw error;
});
await addDemoData(database, keys);
const answer = (request: Request) =>
  new URL(request.url).pathname === "/mail" ? answerMail(request, database.mails) : database.fetch(request);
const server = serve({ fetch: answer, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.({ port }));

let ending = false;
async function end() {
  if (ending) return;
  ending = true;
  server.close();
  await database.close();
  process.exit(0);
}
process.on("SIGTERM", () => void end());
process.on("disconnect", () => void end());
