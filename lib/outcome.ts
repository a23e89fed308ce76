import type { z } from "zod";
import { AppError, type ErrorCode } from "@/lib/errors";

type Refusal = readonly [code: ErrorCode, message: string];

/** The error for each outcome with which SQL refuses a change: its code and message, or a function of the whole answer. */
export type Refusals = Readonly<Record<string, Refusal | ((answer: unknown) => Refusal)>>;

/** A change that the database refused, with the name of the outcome. */
export class RefusedOutcome extends AppError {
  readonly outcome: string;

  constructor(outcome: string, [code, message]: Refusal) {
    super(code, message);
    this.outcome = outcome;
  }
}

/**
 * Parses what a SQL function answered, `{ outcome, … }` or the outcome alone, with the schema of its success. Throws
 * RefusedOutcome if the outcome is in `refusals`; then nothing has changed.
 */
export function readOutcome<Schema extends z.ZodType>(
  answer: unknown,
  schema: Schema,
  refusals: Refusals,
): z.output<Schema> {
  const outcome = typeof answer === "object" && answer !== null && "outcome" in answer ? answer.outcome : answer;
  if (typeof outcome === "string" && Object.hasOwn(refusals, outcome)) {
    const refusal = refusals[outcome];
    if (refusal) throw new RefusedOutcome(outcome, typeof refusal === "function" ? refusal(answer) : refusal);
  }
  return schema.parse(answer);
}
