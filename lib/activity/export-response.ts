import "server-only";
import { type ReadKind, recordRead } from "@/lib/activity/record-read";
import type { CsvPiece } from "@/lib/format/csv";
import type { Place } from "@/lib/ids";
import type { Json } from "@/supabase/functions/_shared/database";

/** An export, as the read log keeps it: of what, where, by whom, and what it was narrowed to. */
type Export = { kind: Exclude<ReadKind, "search">; userId: string; place: Place; filter: Json };

/**
 * A CSV file to keep, named without its ending; one in pieces is read as fast as the browser takes it. It is recorded once it
 * has been sent, with the rows that were read for it until then.
 */
export function exportResponse(csv: CsvPiece | AsyncIterable<CsvPiece>, name: string, of: Export): Response {
  const file = `${name.replace(/[^\p{L}\p{N} _-]+/gu, " ").trim() || "signet"}.csv`;
  let rowCount = 0;
  const pieces = async function* () {
    for await (const piece of "text" in csv ? [csv] : csv) {
      rowCount += piece.rowCount;
      yield piece.text;
    }
  };
  const response = new Response(streamOf(pieces()), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
    },
  });
  const { place, ...read } = of;
  recordRead(() => ({ ...read, teamIds: [place.team], campaignId: place.campaign, rowCount }));
  return response;
}

function streamOf(pieces: AsyncIterable<string>) {
  const reading = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reading.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await reading.return?.();
    },
  });
}
