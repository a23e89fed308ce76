import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";

const outcomeSchema = z.enum(["done", "not-allowed", "not-found", "changed", "full"]);

/** Throws AppError with the reason when a change of charts was not made. Nothing has changed then. */
export function requireDone(outcome: unknown): void {
  switch (outcomeSchema.parse(outcome)) {
    case "done":
      return;
    case "not-allowed":
      throw new AppError("forbidden", "You may not change charts here any more. Reload the page; nothing was changed.");
    case "not-found":
      throw new AppError("not-found", "This chart is not there any more. Reload the page to see which charts are.");
    case "changed":
      throw new AppError(
        "conflict",
        "Somebody else has changed this chart meanwhile. Reload the page to see it as it is; nothing of yours was saved.",
      );
    case "full":
      throw new AppError(
        "conflict",
        "A dashboard has room for 100 charts, and this one is full. Delete a chart first.",
      );
  }
}
