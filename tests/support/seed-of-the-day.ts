/** What random worlds grow from: the same for a day, so that a failure comes again. RANDOM_SEED=20261124 has them of another day. */
export const seedOfTheDay = Number(
  process.env.RANDOM_SEED ?? new Date().toISOString().slice(0, 10).replaceAll("-", ""),
);
console.log(`RANDOM_SEED=${seedOfTheDay}`);
