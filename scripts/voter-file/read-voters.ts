import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import { voterIdPattern } from "../../lib/patterns.ts";
import { UserError } from "../cli.ts";
import { type Mapping, mapColumns } from "./map-columns.ts";

/** The format of a file, as inspectVoters finds it. `lines` includes the header. */
export type FileFormat = {
  encoding: "utf-8" | "latin1";
  delimiter: string;
  isQuoted: boolean;
  lines: number;
  bytes: number;
};

/** A voter's values in the order of `fields`, or why the line was refused; and how many bytes of the file have been read. */
export type ReadLine = { line: number; bytes: number } & ({ values: (string | null)[] } | { refused: string });

const parsedSchema = z.object({ info: z.object({ lines: z.number() }), record: z.array(z.string()) });

/** Reads a file once to find its format. Text that isn't UTF-8 is Latin-1. Throws a UserError for an empty file. */
export async function inspectVoters(path: string): Promise<FileFormat> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let encoding: FileFormat["encoding"] = "utf-8";
  let start = "";
  let lines = 0;
  let bytes = 0;
  for await (const chunk of chunksOf(path)) {
    bytes += chunk.length;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, newline + 1)) lines += 1;
    if (!start.includes("\n")) start += chunk.toString("latin1");
    if (encoding === "utf-8" && !isText(decoder, chunk)) encoding = "latin1";
  }
  if (encoding === "utf-8" && !isText(decoder)) encoding = "latin1";
  if (start.trim() === "") throw new UserError(`${path} is empty.`);
  const [header = ""] = start.split("\n");
  const [delimiter = ","] = [",", ";", "\t", "|"].toSorted((a, b) => header.split(b).length - header.split(a).length);
  // In files separated by tabs or pipes, a quotation mark is usually part of a name.
  const isQuoted = delimiter === "," || delimiter === ";" || /^\W*"/.test(header);
  return { encoding, delimiter, isQuoted, lines, bytes };
}

/**
 * Maps the columns named in the file's header, and reads its first three voters. Throws a UserError if they can't be mapped.
 */
export async function previewVoters(
  path: string,
  format: FileFormat,
  maps: string[],
): Promise<{ mapping: Mapping; width: number; samples: (string | null)[][] }> {
  let header: { mapping: Mapping; width: number } | undefined;
  const samples: (string | null)[][] = [];
  for await (const { record } of recordsOf(path, format)) {
    if (!header) {
      header = { mapping: mapColumns(record, maps), width: record.length };
      continue;
    }
    const values = header.mapping.read(record);
    if (!refusalReason(record, values, header.width)) samples.push(values);
    if (samples.length === 3) break;
  }
  if (!header) throw new UserError(`${path} is empty.`);
  return { ...header, samples };
}

/**
 * Reads the lines after the header one by one, without keeping them in memory. Throws a UserError if the file ends within
 * quotation marks.
 */
export async function* readVoters(
  path: string,
  format: FileFormat,
  { mapping, width }: { mapping: Mapping; width: number },
): AsyncGenerator<ReadLine> {
  let isHeader = true;
  for await (const { record, line, bytes } of recordsOf(path, format)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const values = mapping.read(record);
    const refused = refusalReason(record, values, width);
    yield { line, bytes, ...(refused ? { refused } : { values }) };
  }
}

async function* recordsOf(path: string, { encoding, delimiter, isQuoted }: FileFormat) {
  let bytes = 0;
  const decoded = async function* () {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of chunksOf(path)) {
      bytes += chunk.length;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  };
  const parser = parse({
    bom: true,
    delimiter,
    quote: isQuoted ? '"' : null,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
  });
  const source = Readable.from(decoded());
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const parsed of source.pipe(parser)) {
      const { info, record } = parsedSchema.parse(parsed);
      yield { line: info.lines, bytes, record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UserError(`${path} cannot be read: ${error.message}`);
    throw error;
  } finally {
    source.destroy();
  }
}

function refusalReason(record: string[], values: (string | null)[], width: number) {
  if (record.length !== width) return `not ${width} columns like the first line`;
  const [voterId] = values;
  if (!voterId) return "no voter ID";
  if (!voterIdPattern.test(voterId)) return "a voter ID that isn't 1 to 64 ASCII letters, digits or symbols";
  if (values.some((value) => value?.includes("\0"))) return "a character that can't be stored";
  return undefined;
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}

function isText(decoder: TextDecoder, chunk?: Buffer) {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}
