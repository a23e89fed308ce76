import { expect, test } from "vitest";
import { redisCluster } from "../../supabase/functions/_shared/redis-cluster.ts";

test.each([
  ["redis://one:7000,two:7001", ["one:7000", "two:7001"], {}],
  ["redis://one,two:7001,10.0.0.3", ["one:6379", "two:7001", "10.0.0.3:6379"], {}],
  ["redis://one:7000,", ["one:7000"], {}],
  ["redis://[::1]:7000,[fe80::2]", ["::1:7000", "fe80::2:6379"], {}],
  ["rediss://one:7000,two:7001/", ["one:7000", "two:7001"], { tls: {} }],
  ["redis://:p%40ss@one,two", ["one:6379", "two:6379"], { password: "p@ss" }],
  ["rediss://ann:a,b%2F@one,two", ["one:6379", "two:6379"], { username: "ann", password: "a,b/", tls: {} }],
])("%s is a cluster", (url, nodes, login) => {
  expect(redisCluster(url)).toEqual({
    nodes: nodes.map((node) => ({ host: node.replace(/:\d+$/, ""), port: Number(/\d+$/.exec(node)?.[0]) })),
    login,
  });
});

test.each(["redis://one:7000", "rediss://ann:a,b@one:7000/1", "redis://one?family=6", "/tmp/redis.sock", "one:6379"])(
  "%s is one server",
  (url) => {
    expect(redisCluster(url)).toBeNull();
  },
);

test.each(["redis://:secret@one:x", "redis://:secret@one:7000,two:x", "redis://:secret@,"])(
  "%s is neither, and isn't repeated in the error",
  (url) => {
    expect(() => redisCluster(url)).toThrow(new Error("REDIS_URL can't be read."));
  },
);
