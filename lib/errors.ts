import { requestId } from "@/lib/log-event";

const statuses = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  conflict: 409,
  "too-large": 413,
  "unsupported-media-type": 415,
  unprocessable: 422,
  "too-many-requests": 429,
  internal: 500,
  "bad-gateway": 502,
  unavailable: 503,
  "gateway-timeout": 504,
} as const;

export type ErrorCode = keyof typeof statuses;

/**
 * An error whose message a person may read and act on. Everything else that is thrown is answered in general words and
 * logged once with its cause.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** What an error page shows of it. */
  readonly digest = requestId();

  /** Whole seconds after which the same request can succeed. */
  readonly retryAfter: number | undefined;

  /** The status that a foreign backend answered, told as `errorCode` (contract 2.4). */
  readonly backendStatus: number | undefined;

  /** Where in what was sent it fails: `source`, `groupBy`, `metrics.0.column`, `filters.1.value` … */
  readonly part: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfter?: number; backendStatus?: number; part?: string } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.backendStatus = options.backendStatus;
    this.part = options.part;
  }

  get status() {
    return statuses[this.code];
  }
}
