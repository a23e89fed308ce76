import { AppError } from "@/lib/errors";

/** A definition that cannot run. `part` is where it fails: `source`, `groupBy`, `metrics.0.column`, `filters.1.value` … */
export class ChartProblem extends AppError {
  readonly part: string;

  constructor(message: string, part: string) {
    // What is wrong with a filter says nothing of the measure that it belongs to.
    const measure = /^metrics\.(\d+)\.segment/.exec(part)?.[1];
    super("unprocessable", measure === undefined ? message : `Measure ${Number(measure) + 1}: ${message}`);
    this.name = "ChartProblem";
    this.part = part;
  }
}
