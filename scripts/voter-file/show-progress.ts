const width = 40;

/**
 * Shows how much of a file has been read: as a bar on a terminal, otherwise as one line per tenth. Call the returned
 * function with the number of bytes read.
 */
export function showProgress(bytes: number): (read: number) => void {
  let shown = -1;
  return (read) => {
    const step = Math.floor((read / bytes) * (process.stdout.isTTY ? 100 : 10));
    if (step === shown) return;
    shown = step;
    if (!process.stdout.isTTY) return console.log(`${step * 10} %`);
    const bar = "█".repeat(Math.round((step / 100) * width)).padEnd(width, "░");
    process.stdout.write(`\r${bar} ${String(step).padStart(3)} %${step === 100 ? "\n" : ""}`);
  };
}
