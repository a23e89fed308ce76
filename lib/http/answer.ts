import "server-only";
import { AppError } from "@/lib/errors";

/**
 * Runs a route and turns what it throws into `{ error }` with the status of its code. An unknown error is logged once,
 * with its cause, and answered in general words.
 */
export async function answer(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (thrown) {
    const known =
      thrown instanceof AppError
        ? thrown
        : new AppError("internal", "Something went wrong on our side. Try again in a moment.", { cause: thrown });
    if (known.status >= 500) console.error(known.message, known.cause ?? "");
    const headers = new Headers({ "Cache-Control": "no-store" });
    if (known.retryAfter !== undefined) headers.set("Retry-After", String(known.retryAfter));
    const errorCode = known.backendStatus === undefined ? {} : { errorCode: known.backendStatus };
    return Response.json({ error: known.message, ...errorCode }, { status: known.status, headers });
  }
}

/** Answers the methods that a POST-only route does not have. */
export function onlyPost(): Response {
  return Response.json(
    { error: "This address takes POST requests only." },
    { status: 405, headers: { Allow: "POST" } },
  );
}
