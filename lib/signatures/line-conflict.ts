import { AppError } from "@/lib/errors";
import type { Taken } from "@/lib/signatures/messages";

/** A line or a sheet that its campaign does not take as it is, and why. */
export class LineConflict extends AppError {
  readonly why: "outside-dates" | "archived" | "id-taken";

  constructor(why: LineConflict["why"], message: string) {
    super("conflict", message);
    this.why = why;
  }
}

/** A line whose place on the sheet is taken, and by what. */
export class LineTaken extends AppError {
  readonly taken: Taken;

  constructor(taken: Taken, message: string) {
    super("conflict", message);
    this.taken = taken;
  }
}
