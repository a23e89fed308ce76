/**
 * One value per process. Next.js loads modules twice, for pages and for routes, so a module's own variable exists twice.
 */
export function processWide<Value>(name: string, create: () => Value): Value {
  const key = Symbol.for(`signet.${name}`);
  const store = globalThis as unknown as Record<symbol, Value | undefined>;
  store[key] ??= create();
  return store[key];
}
