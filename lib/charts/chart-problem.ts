import { AppError } from "@/lib/errors";

/** A definition that cannot run. `part` is where it fails: `source`, `groupBy`, `metrics.0.column`, `filters.1.value` … */
export class ChartProblem extends AppError {
  readonly part: string;

  constructor(message: string, part: string) {
    super("unprocessable", message);
    this.name = "ChartProblem";
    this.part = part;
  }
}
