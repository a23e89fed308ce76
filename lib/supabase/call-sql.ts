import "server-only";
import type { PostgrestError } from "@supabase/supabase-js";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import type { Database } from "@/supabase/functions/_shared/database";

export type SqlFunctions = Database["public"]["Functions"];

/** A schema of zod or zod/mini. */
export type Schema<Parsed> = { parse(value: unknown): Parsed };

type Options = {
  refusals?: Refusals;
  /** Replaces the timeout of 4 s. */
  signal?: AbortSignal;
  /** The error to throw when the call fails, if it isn't the usual one. */
  errorOf?: (error: PostgrestError) => AppError | null;
};

/**
 * What a SQL function returns, parsed. It is called with the secret key: use a guard first. Throws AppError `unavailable`
 * when the call fails, and RefusedOutcome if its outcome is in `refusals`; then nothing has changed.
 */
export async function callSql<Name extends keyof SqlFunctions, Parsed>(
  name: Name,
  args: SqlFunctions[Name]["Args"],
  schema: Schema<Parsed>,
  { refusals = {}, signal, errorOf }: Options = {},
): Promise<Parsed> {
  const call = createAdminClient().rpc<keyof SqlFunctions, SqlFunctions[Name]["Args"]>(name, args);
  const result = await (signal ? call.abortSignal(signal) : call);
  const error = result.error && errorOf?.(result.error);
  if (error) throw error;
  return readOutcome(unwrap(result), schema, refusals);
}

/** A place as the arguments of a SQL function. */
export const placeArgs = ({ team, campaign }: Place) => ({ p_team_id: team, p_campaign_id: campaign ?? null });

type Refusal = readonly [code: ErrorCode, message: string, reason?: string];

/**
 * The error for each outcome with which SQL refuses a change: its code, message and reason, or a function of all that it
 * returned.
 */
export type Refusals = Readonly<Record<string, Refusal | ((returned: unknown) => Refusal)>>;

/** A change that the database refused, with the name of the outcome. */
export class RefusedOutcome extends AppError {
  readonly outcome: string;

  constructor(outcome: string, [code, message, reason]: Refusal) {
    super(code, message, reason === undefined ? {} : { reason });
    this.outcome = outcome;
  }
}

/** Parses what a SQL function returned, `{ outcome, … }` or the outcome alone. Throws RefusedOutcome if `refusals` has the outcome. */
export function readOutcome<Parsed>(returned: unknown, schema: Schema<Parsed>, refusals: Refusals): Parsed {
  const outcome =
    typeof returned === "object" && returned !== null && "outcome" in returned ? returned.outcome : returned;
  if (typeof outcome === "string" && Object.hasOwn(refusals, outcome)) {
    const refusal = refusals[outcome];
    if (refusal) throw new RefusedOutcome(outcome, typeof refusal === "function" ? refusal(returned) : refusal);
  }
  return schema.parse(returned);
}
