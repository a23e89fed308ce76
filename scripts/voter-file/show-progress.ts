const barWidth = 40;

/**
 * Shows how much of a file has been read: as a bar on a terminal, otherwise as one line per tenth. Call the returned
 * function with the number of bytes read.
 */
export function showProgress(totalBytes: number): (readBytes: number) => void {
  let shownStep = -1;
  return (readBytes) => {
    const step = Math.floor((readBytes / totalBytes) * (process.stdout.isTTY ? 100 : 10));
    if (step === shownStep) return;
    shownStep = step;
    if (!process.stdout.isTTY) return console.log(`${step * 10} %`);
    const bar = "█".repeat(Math.round((step / 100) * barWidth)).padEnd(barWidth, "░");
    process.stdout.write(`\r${bar} ${String(step).padStart(3)} %${step === 100 ? "\n" : ""}`);
  };
}
