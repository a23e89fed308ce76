import type { AccessEffects } from "@/lib/team-access/access-change";

/** People whose access changes in the same way. */
export type EffectGroup = { names: string[]; places: AccessEffects[number]["places"] };

/** Effects with those people together for whom they are the same, in the order of their first. */
export function groupEffects(effects: AccessEffects): EffectGroup[] {
  const groups = new Map<string, EffectGroup>();
  for (const { name, places } of effects) {
    const key = JSON.stringify(places);
    const group = groups.get(key) ?? { names: [], places };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}
