import "./support/load-application-code.ts";

// Measures how accurate forecasts of random campaigns are, with a fixed seed.
const { calibration } = await import("./support/calibration.ts");
const { rows, covered, brier, naive } = calibration({ campaignCount: process.env.BENCH_SMALL ? 100 : 2_000, seed: 1 });
console.log("| called about | campaigns | mean | qualified |\n|---|---|---|---|");
for (const { called, count, mean, qualified } of rows.filter(({ count }) => count > 0)) {
  const text = (share: number) => `${(share * 100).toFixed(0)} %`;
  console.log(`| ${text(called)} | ${count} | ${text(mean)} | ${text(qualified)} |`);
}
for (const [kind, share] of Object.entries(covered)) console.log(`95 % band, ${kind}: ${(share * 100).toFixed(1)} %`);
console.log(`Brier score: ${brier.toFixed(4)}, naive pace ${naive.toFixed(4)}`);
