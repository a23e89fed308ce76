import { z } from "zod";
import { fields } from "./map-columns.ts";
import type { Target } from "./open-target.ts";

/** How many voters have an id that occurs earlier in the file, and the first ten of these ids. */
const repeatedSchema = z.object({ count: z.number(), ids: z.array(z.string()) });

/**
 * Loads voters into a second table, which replaces the searched one in one transaction. Until then, searches use the current
 * voters, and an interrupted load changes nothing. If an id occurs more than once, the first voter is used. `beforeSwap` is
 * called when all are loaded; if it throws, nothing is replaced. Returns the number of voters.
 */
export async function loadVoters(
  target: Target,
  voters: AsyncIterable<(string | null)[]>,
  beforeSwap: (repeated: z.infer<typeof repeatedSchema>) => void,
): Promise<number> {
  const indexes = await target.sql(
    `select indexdef as definition from pg_indexes
     where schemaname = 'voterfile' and tablename = 'voters' and indexname <> 'voters_pkey' order by indexname`,
  );
  await target.sql("set statement_timeout = 0"); // Supabase's two minutes are too short for an index of millions of voters
  await dropNextSchema(target);
  try {
    await target.sql("create schema voterfile_next");
    await target.sql("create table voterfile_next.voters (like voterfile.voters including all excluding indexes)");
    const lines = await copyAll(target, voters);
    const repeated = await dropRepeated(target);
    beforeSwap(repeated);
    await target.sql("alter table voterfile_next.voters add constraint voters_pkey primary key (voter_id)");
    for (const { definition } of indexes) {
      await target.sql(String(definition).replace(" ON voterfile.voters ", " ON voterfile_next.voters "));
    }
    await target.sql("vacuum analyze voterfile_next.voters");
    await swap(target);
    await target.sql("vacuum analyze voterfile.names");
    return lines - repeated.count;
  } finally {
    await dropNextSchema(target);
  }
}

const dropNextSchema = (target: Target) => target.sql("drop schema if exists voterfile_next cascade");

const batchCharacters = 4_000_000; // one statement loads them in a few seconds

async function copyAll(target: Target, voters: AsyncIterable<(string | null)[]>) {
  const statement = `copy voterfile_next.voters (${Object.values(fields).join(", ")}) from stdin`;
  let text = "";
  let loaded = 0;
  for await (const values of voters) {
    text += `${values.map(escapeForCopy).join("\t")}\n`;
    loaded += 1;
    if (text.length < batchCharacters) continue;
    await target.copy(statement, text);
    text = "";
  }
  if (text !== "") await target.copy(statement, text);
  const [{ stored } = {}] = await target.sql("select count(*)::int as stored from voterfile_next.voters");
  if (stored !== loaded) throw new Error(`The database refused ${loaded - Number(stored)} voters; its log says why.`);
  return loaded;
}

// Done in the database, because the ids of a large file don't fit in memory.
async function dropRepeated(target: Target) {
  const [row] = await target.sql(
    `with repeated as (
       delete from voterfile_next.voters v
       using (
         select voter_id, min(ctid) as first from voterfile_next.voters group by voter_id having count(*) > 1
       ) f
       where v.voter_id = f.voter_id and v.ctid <> f.first
       returning v.voter_id
     )
     select count(*)::int as count, array(select distinct voter_id from repeated order by voter_id limit 10) as ids
     from repeated`,
  );
  return repeatedSchema.parse(row);
}

const escapes = new Map([...Object.entries({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })]);

function escapeForCopy(value: string | null) {
  return value?.replace(/[\\\t\n\r]/g, (character) => escapes.get(character) ?? character) ?? "\\N";
}

// `like` doesn't copy these; supabase/schemas/100_voters.sql has the same.
async function swap(target: Target) {
  await target.sql("begin");
  try {
    await target.sql("select voterfile.refresh_names('voterfile_next.voters')");
    await target.sql("drop table voterfile.voters");
    await target.sql("alter table voterfile_next.voters set schema voterfile");
    await target.sql("alter table voterfile.voters enable row level security");
    await target.sql("grant select, insert, update, delete on voterfile.voters to service_role");
    await target.sql("commit");
  } catch (error) {
    await target.sql("rollback");
    throw error;
  }
}
