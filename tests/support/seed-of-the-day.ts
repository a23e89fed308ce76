/** The seed of random worlds, the same for a day so that a failure repeats. RANDOM_SEED=20261124 uses another day. */
export const seedOfTheDay = Number(
  process.env.RANDOM_SEED ?? new Date().toISOString().slice(0, 10).replaceAll("-", ""),
);
console.log(`RANDOM_SEED=${seedOfTheDay}`);
