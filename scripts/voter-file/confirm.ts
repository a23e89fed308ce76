import { createInterface } from "node:readline/promises";

/** Asks a question at a terminal. Returns true only for `y` and `yes`, not for Ctrl-C, Ctrl-D or an empty line. */
export async function confirm(
  question: string,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const result = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^\s*y(es)?\s*$/i.test(result);
}
