import "server-only";

/** A CSV file to keep, named without its ending; one in pieces is read as fast as the browser takes it. */
export function csvResponse(text: string | AsyncIterable<string>, name: string): Response {
  const file = `${name.replace(/[^\p{L}\p{N} _-]+/gu, " ").trim() || "signet"}.csv`;
  return new Response(typeof text === "string" ? text : streamOf(text), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
    },
  });
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
