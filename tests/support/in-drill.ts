/** What a `*.long.test.ts` does less of in `npm test` than in `npm run drill`. */
export const inDrill = <Value>(long: Value, { else: short }: { else: Value }): Value =>
  import.meta.env.MODE === "drill" ? long : short;
