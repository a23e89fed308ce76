import { AppError } from "@/lib/errors";

/** A definition that cannot run, with the `part` where it fails. */
export class ChartProblem extends AppError {
  constructor(message: string, part: string) {
    // What is wrong with a filter says nothing of the measure that it belongs to.
    const measure = /^metrics\.(\d+)\.segment/.exec(part)?.[1];
    super("unprocessable", measure === undefined ? message : `Measure ${Number(measure) + 1}: ${message}`, { part });
    this.name = "ChartProblem";
  }
}
