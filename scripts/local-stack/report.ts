const startedAt = Date.now();

/** Prints one line of progress with the seconds since the start. */
export function report(message: string) {
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${message}`);
}

/** A problem that the person at the terminal can solve; printed without a stack. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
