import { statSync } from "node:fs";
import { exitWithUsageError, readArguments, runScript, UserError } from "./cli.ts";
import { confirm } from "./voter-file/confirm.ts";
import { loadVoters } from "./voter-file/load-voters.ts";
import { fields } from "./voter-file/map-columns.ts";
import { openTarget } from "./voter-file/open-target.ts";
import { inspectVoters, previewVoters, type ReadLine, readVoters } from "./voter-file/read-voters.ts";
import { showProgress } from "./voter-file/show-progress.ts";

const usage = `npm run voters -- FILE [--map FIELD=COLUMN+COLUMN]… [--yes]

Replaces the searchable voters with those in FILE: in the database at DATABASE_URL (Supabase's direct connection),
otherwise in the local stack, which must not be running. The first line of FILE names the
columns. Values are separated by commas, semicolons, tabs or pipes. Before anything is replaced, you see which columns are
read and the first three voters, and confirm. Searches use the current voters until all new ones are loaded.

  --map FIELD=COLUMN  read a field from a column (--map lastName=NAME), from several (--map street=DIR+NAME) or from none
                      (--map unit=)
  --yes               replace without asking
  --help              print this

Fields: ${Object.keys(fields).join(", ")}. voterId and lastName are required.`;

const bytesPerVoter = 400; // with the indexes, as measured by `npm run bench -- search`
const delimiterWords = new Map(Object.entries({ ",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes" }));
const lastNameIndex = Object.keys(fields).indexOf("lastName");
const unchanged = "The current voters were kept.";

await runScript(async () => {
  const { values, positionals } = readArguments(usage, {
    allowPositionals: true,
    options: { map: { type: "string", multiple: true }, yes: { type: "boolean" } },
  });
  const [path, ...more] = positionals;
  if (!path || more.length > 0) exitWithUsageError(usage, "Give one file, for example: voters.csv");
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) exitWithUsageError(usage, `There is no file ${path}`);

  const format = await inspectVoters(path);
  const preview = await previewVoters(path, format, values.map ?? []);
  const megabytes = Math.ceil((format.lines * bytesPerVoter) / 1_000_000);
  console.log(`${path}: ${formatCount(format.lines)} lines, separated by ${delimiterWords.get(format.delimiter)}`);
  printPreview(preview);
  if (!values.yes && !process.stdin.isTTY) {
    throw new UserError(`Couldn't ask whether to replace the voters: add --yes to replace them. ${unchanged}`, 2);
  }

  const databaseUrl = process.env.DATABASE_URL;
  const target = await openTarget(databaseUrl);
  try {
    const [{ stored } = {}] = await target.sql("select count(*)::int as stored from voterfile.voters");
    const where = databaseUrl ? new URL(databaseUrl).host : "the local stack";
    console.log(`The database needs about ${formatCount(megabytes)} MB more until the current voters are replaced.`);
    const question = `Replace all ${formatCount(Number(stored))} voters in ${where}?`;
    if (!values.yes && !(await confirm(question, { input: process.stdin, output: process.stdout }))) {
      throw new UserError(`You didn't confirm. ${unchanged}`);
    }

    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
    const updateProgress = showProgress(format.bytes);
    const refusals = new Map<string, { count: number; lines: number[] }>();
    let lines = 0;
    let lastNameCount = 0;
    const acceptedVoters = async function* (file: AsyncIterable<ReadLine>) {
      for await (const read of file) {
        if (stop.signal.aborted) throw new UserError(`Stopped. ${unchanged}`);
        updateProgress(read.bytes);
        lines += 1;
        if ("refused" in read) {
          addRefusal(read.refused, read.line);
          continue;
        }
        if (read.values[lastNameIndex]) lastNameCount += 1;
        yield read.values;
      }
    };
    const addRefusal = (why: string, line: number) => {
      const refusal = refusals.get(why) ?? { count: 0, lines: [] };
      refusals.set(why, refusal);
      refusal.count += 1;
      if (refusal.lines.length < 10) refusal.lines.push(line);
    };
    const loaded = await loadVoters(target, acceptedVoters(readVoters(path, format, preview)), (repeated) => {
      updateProgress(format.bytes);
      for (const [why, refusal] of refusals) {
        const examples = refusal.lines.map(formatCount).join(", ");
        console.log(
          `Skipped: ${formatCount(refusal.count)} with ${why} (line ${examples}${refusal.count > refusal.lines.length ? ", …" : ""})`,
        );
      }
      if (repeated.count > 0) {
        const examples = repeated.ids.join(", ");
        const more = repeated.count > repeated.ids.length ? ", …" : "";
        console.log(
          `Skipped: ${formatCount(repeated.count)} with a voter id that an earlier line has (${examples}${more})`,
        );
      }
      if (lastNameCount <= lines / 2) {
        throw new UserError(
          `Only ${formatCount(lastNameCount)} of ${formatCount(lines)} lines are voters with a last name: the columns don't fit. ${unchanged}`,
        );
      }
      console.log("Making the indexes");
    });
    console.log(`Replaced. ${formatCount(loaded)} voters can be found now.`);
  } finally {
    await target.close();
  }
});

// Prints the mapping, one field per line, and three voters.
function printPreview({ mapping, samples }: Awaited<ReturnType<typeof previewVoters>>) {
  console.log("\nField        Column");
  for (const { field, names } of mapping.columns) console.log(`${field.padEnd(12)} ${names.join(" + ") || "–"}`);
  if (mapping.unused.length > 0) console.log(`Not used: ${mapping.unused.join(", ")}`);
  console.log("\nFirst voters:");
  for (const voter of samples) console.log(voter.map((value) => value ?? "–").join(" | "));
  console.log("");
}

function formatCount(number: number) {
  return number.toLocaleString("en");
}
