import { permissionKeys } from "@/lib/permissions/permission-keys";

const words: Record<string, string> = permissionKeys;
const order = Object.keys(permissionKeys);

/** A permission key in words. A team may have keys of its own, which have no words here. */
export function keyWords(key: string): string {
  return words[key] ?? key;
}

/** Keys as screens list them: by what they are about. */
export function inKeyOrder(keys: string[]): string[] {
  return keys.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}
