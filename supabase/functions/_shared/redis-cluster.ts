/** The nodes that a REDIS_URL names, and the login for them and for the nodes that they name. */
export type RedisCluster = {
  nodes: { host: string; port: number }[];
  login: { username?: string; password?: string; tls?: Record<string, never> };
};

/**
 * The Redis Cluster that a URL names: several hosts separated by commas, `rediss://user:password@one:6379,two:6379`. A
 * comma after a single host makes it a cluster too. Null for the URL of one server. Throws for an invalid URL, without
 * repeating it, because it can contain a password.
 */
export function redisCluster(url: string): RedisCluster | null {
  const [, scheme, userinfo = "", hosts = ""] = /^(rediss?:\/\/)([^/]*@)?([^/?]*)/.exec(url) ?? [];
  if (!hosts.includes(",")) {
    if (URL.canParse(url) || !scheme) return null;
    throw new Error("REDIS_URL can't be read.");
  }
  const names = hosts.split(",").filter((name) => name !== "");
  const urls = names.map((name) => `redis://${userinfo}${name}`);
  const nodes = urls.flatMap((nodeUrl) => (URL.canParse(nodeUrl) ? [new URL(nodeUrl)] : []));
  const [first] = nodes;
  if (!first || nodes.length < urls.length) throw new Error("REDIS_URL can't be read.");

  const { username, password } = first;
  return {
    nodes: nodes.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ""), // of IPv6
      port: port === "" ? 6379 : Number(port),
    })),
    login: {
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(scheme === "rediss://" && { tls: {} }),
    },
  };
}

/** The options of ioredis for a cluster, with those for each node. */
export const clusterOptions = <Options extends { connectTimeout: number }>(
  { login }: RedisCluster,
  options: Options,
) => ({
  redisOptions: { ...options, ...login },
  clusterRetryStrategy: () => null,
  slotsRefreshTimeout: options.connectTimeout,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  maxRedirections: 3,
  // A certificate names the host, not its address.
  dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host),
});
