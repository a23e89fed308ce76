/** The value for `npm run drill`, and the smaller one for `npm test`, in a `*.long.test.ts`. */
export const inDrill = <Value>(long: Value, { else: short }: { else: Value }): Value =>
  import.meta.env.MODE === "drill" ? long : short;
