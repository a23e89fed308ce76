import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Database, Keys } from "../../scripts/local-stack/open-database.ts";

const messageSchema = z.union([
  z.object({ port: z.int() }),
  z.object({ id: z.int(), rows: z.array(z.unknown()) }),
  z.object({ id: z.int(), problem: z.string() }),
]);

/** A database in a thread of its own, as the stack has it in a process: a slow statement on PGlite stops nothing else. */
export async function openDatabaseApart(options: {
  databaseUrl?: string | undefined;
  dump?: string | undefined;
  keys: Keys;
}): Promise<Omit<Database, "dump" | "mails">> {
  const worker = new Worker(new URL("./database-worker.ts", import.meta.url), { workerData: options });
  const listening = Promise.withResolvers<number>();
  const waiting = new Map<number, PromiseWithResolvers<unknown[]>>();
  worker.on("message", (given) => {
    const message = messageSchema.parse(given);
    if ("port" in message) return listening.resolve(message.port);
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if ("rows" in message) answer?.resolve(message.rows);
    else answer?.reject(new Error(message.problem));
  });
  worker.once("error", listening.reject);
  const port = await listening.promise;
  let asked = 0;
  return {
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`http://127.0.0.1:${port}${pathname}${search}`, request));
    },
    sql: async <Row>(query: string, parameters: unknown[] = []) => {
      const answer = Promise.withResolvers<unknown[]>();
      asked += 1;
      waiting.set(asked, answer);
      worker.postMessage({ id: asked, query, parameters });
      return (await answer.promise) as Row[];
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
