import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { inPlainWords } from "@/lib/in-plain-words";

const maxBytes = 64 * 1024;

/**
 * The body of a JSON request, parsed. Throws AppError: 415 for another media type, 413 over 64 KiB. 400 is for malformed JSON,
 * a body that was cut off, and invalid fields; it names the first.
 */
export async function parseJsonBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const [type] = (request.headers.get("content-type") ?? "").split(";");
  if (type?.trim().toLowerCase() !== "application/json") {
    throw new AppError("unsupported-media-type", "Send JSON, with Content-Type: application/json.");
  }
  const body = await readBounded(request.body, maxBytes).catch((cause: unknown) => {
    throw new AppError("invalid", "The request was cut off. Send it again.", { cause }); // such as a search that typing aborted
  });
  if (!body) throw new AppError("too-large", "The request is larger than 64 KiB.");
  return parseFields(parse(body.toString("utf8")), schema);
}

/** The fields of a request, parsed. Throws AppError 400 that names the first invalid one, by its label if it has one. */
export function parseFields<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  labels: Record<string, string> = {},
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") || "The body";
  throw new AppError("invalid", `${labels[field] ?? field} ${issue?.message ?? "isn't valid"}.`);
}

/** Reads a body; null if it is larger. It is counted as it arrives, because Content-Length can be missing or wrong. */
export async function readBounded(body: Request["body"], maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return null; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid", "The body isn't valid JSON.", { cause });
  }
}
