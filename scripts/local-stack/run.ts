import { Refusal } from "./report.ts";

/** Runs a script's body; a problem that the person at the terminal can solve is printed as one sentence. */
export async function run(body: () => Promise<void>): Promise<void> {
  try {
    await body();
    process.exit(process.exitCode);
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exit(error instanceof Refusal ? error.exitCode : 1);
  }
}
