/** How often a random trial of `*.random.test.ts` is made: `few` in `npm test`, `many` in `npm run drill`. */
export const rounds = (few: number, many: number) => (import.meta.env.MODE === "drill" ? many : few);
