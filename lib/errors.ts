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
 * An error whose message people can read and act on. Anything else that is thrown is logged once with its cause, and people
 * see a general message.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The request id; Next.js shows `digest` on error pages. */
  readonly digest = requestId();

  /** Whole seconds after which the same request can succeed. */
  readonly retryAfterSeconds: number | undefined;

  /** The status of an external backend, sent as `errorCode` (contract 2.4). */
  readonly backendStatus: number | undefined;

  /** The field of the request that caused the error: `source`, `groupBy`, `metrics.0.column`, `filters.1.value` … */
  readonly field: string | undefined;

  /** What went wrong, for code that decides by it: `link-over` or `last-to-leave`. */
  readonly reason: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number;
      backendStatus?: number;
      field?: string;
      reason?: string;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.backendStatus = options.backendStatus;
    this.field = options.field;
    this.reason = options.reason;
  }

  get status() {
    return statuses[this.code];
  }
}
