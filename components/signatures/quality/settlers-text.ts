import { joinWithOr } from "@/lib/format/text";

/** Someone who can draw samples and settle differences. */
export type Settler = { userId: string; name: string };

/** Who to ask, `Ada Moreno or Pat Nine`: the people who can settle differences, except these. */
export function settlersText(settlers: Settler[], except: (string | undefined)[] = []): string {
  const names = settlers.filter(({ userId, name }) => name && !except.includes(userId)).map(({ name }) => name);
  return joinWithOr(names.slice(0, 5)) || "someone else who can correct lines";
}
