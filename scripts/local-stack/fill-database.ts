// Fills a migrated database with the demo's data: its address and the stack's keys come as JSON in SIGNET_DATABASE.
import { z } from "zod";
import { addDemoData } from "./demo-data.ts";
import { openDatabase } from "./open-database.ts";

const keys = z.object({
  publishable: z.string(),
  secret: z.string(),
  jwtSecret: z.string(),
  searchPassword: z.string(),
});
const given = z.object({ url: z.string(), keys }).parse(JSON.parse(process.env.SIGNET_DATABASE ?? ""));
const database = await openDatabase(given);
await addDemoData(database, given.keys);
await database.close();
