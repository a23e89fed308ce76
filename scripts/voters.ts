// npm run voters -- FILE [--map field=COLUMN+COLUMN]…: loads a voter file in place of the one that is searched. Into the
// database at DATABASE_URL, which is Supabase's direct connection, else into that of the local stack, which must not run.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Refusal } from "./local-stack/report.ts";
import { run } from "./local-stack/run.ts";
import { localFolder } from "./local-stack/start-stack.ts";
import { loadVoters } from "./voter-file/load-voters.ts";
import { openTarget } from "./voter-file/open-target.ts";
import { inspectVoters, type ReadLine, readVoters } from "./voter-file/read-voters.ts";
import { showProgress } from "./voter-file/show-progress.ts";

const roomOfVoter = 400; // bytes with the indexes, as measured by `npm run bench -- search`

await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { map: { type: "string", multiple: true } },
  });
  const [path, ...more] = positionals;
  if (!path || more.length > 0) throw new Refusal("Name one file: npm run voters -- voters.csv");
  if (!existsSync(path)) throw new Refusal(`There is no file ${path}.`);

  const writing = await inspectVoters(path);
  const room = Math.ceil((writing.lines * roomOfVoter) / 1_000_000);
  console.log(
    `${path}: ${count(writing.lines)} lines. The database needs about ${count(room)} MB for them, ` +
      "beside what the voters from before take until they are replaced.",
  );
  const target = await openTarget({ databaseUrl: process.env.DATABASE_URL, folder: join(localFolder, "database") });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
  const refused = new Map<string, { count: number; lines: number[] }>();
  const progress = showProgress(writing.bytes);
  const taken = async function* (lines: AsyncIterable<ReadLine>) {
    for await (const read of lines) {
      if (stop.signal.aborted) throw new Refusal("Stopped. The voters are those from before.");
      progress(read.bytes);
      if ("values" in read) yield read.values;
      else refuse(read.refused, read.line);
    }
  };
  const refuse = (why: string, line: number) => {
    const of = refused.get(why) ?? { count: 0, lines: [] };
    refused.set(why, of);
    of.count += 1;
    if (of.lines.length < 10) of.lines.push(line);
  };
  const tell = () => {
    for (const [why, of] of refused) {
      const some = of.lines.map(count).join(", ");
      console.log(`Refused: ${count(of.count)} with ${why} (line ${some}${of.count > of.lines.length ? ", …" : ""})`);
    }
  };
  try {
    const loaded = await loadVoters(target, taken(readVoters(path, writing, values.map ?? [])), (voters, repeated) => {
      progress(writing.bytes);
      tell();
      if (repeated.count > 0) {
        const some = repeated.ids.join(", ");
        const more = repeated.count > repeated.ids.length ? ", …" : "";
        console.log(`Refused: ${count(repeated.count)} with a voter id that stood there before (${some}${more})`);
      }
      if (voters === 0) throw new Refusal("No line is a voter. The voters are those from before.");
      console.log("Making the indexes");
    });
    console.log(`${count(loaded)} voters are searched from now on.`);
  } finally {
    await target.close();
  }
});

function count(number: number) {
  return number.toLocaleString("en");
}
