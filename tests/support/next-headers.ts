/** A mock of `next/headers` for an action of a browser with these cookies, by their names. */
export const headersOf = (cookies: () => Map<string, string>, userAgent = "") => ({
  headers: async () => new Headers({ "user-agent": userAgent }),
  cookies: async () => ({
    get: (name: string) => (cookies().has(name) ? { name, value: cookies().get(name) } : undefined),
    getAll: () => [...cookies()].map(([name, value]) => ({ name, value })),
    set: (name: string, value: string, { maxAge }: { maxAge?: number } = {}) =>
      maxAge === 0 ? cookies().delete(name) : cookies().set(name, value),
    delete: (name: string) => cookies().delete(name),
  }),
});
