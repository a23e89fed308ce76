import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { drainedKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import {
  anHourPasses,
  ask,
  carryOut,
  changeByAction,
  grantBySql,
  guarded,
  pendingNotes,
  read,
  readBoth,
  reset,
  revokeBySql,
  untilCached,
  world,
} from "./access.ts";

// A cached "yes" after a revoke is the worst that Signet can do. Here two production instances share one Redis and
// everything around them fails in turn.

describe("what is cached of access", () => {
  beforeEach(reset);

  describe("no read that starts after a revoke was acknowledged says yes", () => {
    test("a revoke by an action holds on both instances before it answers", async () => {
      for (const instance of [0, 1]) {
        expect(await changeByAction(instance, "suspended")).toBe(true);
        expect(await readBoth()).toEqual(["no", "no"]);
        expect(await changeByAction(1 - instance, "active")).toBe(true);
        expect(await readBoth()).toEqual(["yes", "yes"]);
        await untilCached();
      }
    });

    test("a slow read that began before a revoke leaves nothing behind", async () => {
      await ask(0, "/api/permissions/revalidate", "POST");
      const revoked = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      world.proxy.beforeAnswer = async (query) => {
        if (query.get("campaign_id") !== "clean-water") return;
        begun.resolve();
        await revoked.promise;
      };
      const slow = read(0);
      await begun.promise;
      world.proxy.beforeAnswer = undefined;
      expect(await changeByAction(1, "suspended")).toBe(true);
      revoked.resolve();
      await slow;
      for (let again = 0; again < 3; again++) expect(await readBoth()).toEqual(["no", "no"]);
    });

    test("with Redis away, a revoke between two reads of one render is seen by the second", async () => {
      await world.redis.stop();
      world.proxy.inTurn = true; // the layout and the page read at once
      let armed = true;
      world.proxy.beforeAnswer = async (query) => {
        if (!armed || query.get("campaign_id") !== "clean-water") return;
        armed = false;
        await revokeBySql();
      };
      expect(await read(0)).toBe("no");
      expect(armed).toBe(false);
    });

    test("a Redis restored from an old dump brings nothing back", async () => {
      await world.redis.saveDump();
      expect(await changeByAction(0, "suspended")).toBe(true);
      expect(await readBoth()).toEqual(["no", "no"]);
      await world.redis.restoreDump();
      // While the instances have not noticed, they ask; when they trust Redis again, its old epochs must not count.
      const until = Date.now() + 6_000;
      while (Date.now() < until) {
        expect(await readBoth()).toEqual(["no", "no"]);
        await wait(100);
      }
    });

    test("a flushed Redis and a restart with the cache folder kept bring nothing back", async () => {
      expect(await changeByAction(1, "suspended")).toBe(true);
      await world.redis.command("FLUSHALL");
      expect(await readBoth()).toEqual(["no", "no"]);
      await world.restart(0);
      expect(await readBoth()).toEqual(["no", "no"]);
    });

    test("a revoke by SQL is refused within 10 s on both instances, without any call from the application", async () => {
      await revokeBySql();
      const committed = Date.now();
      while ((await readBoth()).includes("yes")) {
        expect(Date.now() - committed).toBeLessThan(10_000);
        await wait(50);
      }
      expect(await readBoth()).toEqual(["no", "no"]);
    });

    test("when nobody carries changes out any more, nothing cached is believed 10 s after a revoke by SQL", async () => {
      world.stack.freezeFunctions();
      try {
        await revokeBySql();
        await wait(10_000);
        const answers = await readBoth();
        expect(answers).not.toContain("yes");
      } finally {
        world.stack.thawFunctions();
      }
      await expect.poll(() => Promise.all([read(0), read(1)])).toEqual(["no", "no"]);
    }, 60_000);

    test("when nobody else carries changes out, an instance does, and goes on serving what is cached", async () => {
      world.stack.freezeFunctions(); // so whatever is not cached is an error
      try {
        for (const instance of [0, 1]) {
          const readAfterLease = async () => {
            await world.redis.command("DEL", drainedKey, "permissions:draining");
            return read(instance);
          };
          await expect.poll(readAfterLease, { timeout: 15_000 }).toBe("yes");
        }
      } finally {
        world.stack.thawFunctions();
      }
    }, 60_000);
  });

  describe("a Redis that hangs", () => {
    test("carries out a late mark of an old drain when it is back, which must not count", async () => {
      world.redis.freeze();
      await wait(5_000); // a drain that finds nothing is sent, and waits in the socket
      await revokeBySql();
      await wait(12_000);
      world.redis.thaw();
      const until = Date.now() + 4_000;
      while (Date.now() < until) {
        expect(await readBoth()).toEqual(["no", "no"]);
        await wait(50);
      }
    }, 60_000);
  });

  describe("never after an hour without a recompute", () => {
    test("what no note has told is noticed in the foreground", async () => {
      await revokeBySql();
      await world.stack.rest("rpc/delete_permission_changes", "POST", { p_ids: await pendingNotes() });
      await anHourPasses();
      expect(await readBoth()).toEqual(["no", "no"]);
    });

    test("when the recompute fails, the request fails", async () => {
      await anHourPasses();
      world.proxy.down = true;
      expect(await readBoth()).toEqual(["error", "error"]);
      world.proxy.down = false;
      expect(await readBoth()).toEqual(["yes", "yes"]);
    });
  });

  describe("Redis away", () => {
    test.each(["killed", "frozen"])(
      "%s: pages are right at once, and the cache is used again within 5 s",
      async (how) => {
        if (how === "killed") await world.redis.stop();
        else world.redis.freeze();
        const refreshed = await ask(0, "/api/permissions/revalidate", "POST");
        expect([refreshed.status, refreshed.headers.get("retry-after")]).toEqual([503, "1"]);
        await revokeBySql();
        expect(await readBoth()).toEqual(["no", "no"]);
        await grantBySql();
        expect(await readBoth()).toEqual(["yes", "yes"]);
        if (how === "killed") await world.redis.start();
        else world.redis.thaw();
        const back = Date.now();
        await untilCached();
        expect(Date.now() - back).toBeLessThan(7_000);
      },
    );

    test("a change by an action is saved, says that it waits, and takes effect when Redis is back", async () => {
      await world.redis.stop();
      expect(await changeByAction(0, "suspended")).toBe(false);
      expect(await readBoth()).toEqual(["no", "no"]);
      await world.redis.start();
      await carryOut();
      expect(await readBoth()).toEqual(["no", "no"]);
    });
  });

  test("a burst of cold requests computes each snapshot once, pages and routes together", async () => {
    await ask(0, "/api/permissions/revalidate", "POST");
    const before = world.proxy.calls;
    const pages = Array.from({ length: 10 }, () => read(0));
    const route = "/api/permissions/fingerprint?team=riverside&campaign=clean-water";
    const routes = Array.from({ length: 10 }, async () => (await ask(0, route)).status);
    expect(new Set(await Promise.all(pages))).toEqual(new Set(["yes"]));
    expect(new Set(await Promise.all(routes))).toEqual(new Set([200]));
    expect(world.proxy.calls - before).toBe(2); // one for the team, one for the campaign
  });

  describe("entries are one user's and one place's", () => {
    test("no address, however written, is a neighbour's warm entry", async () => {
      const paths = [
        "/riverside,clean-water",
        "/riverside/campaign/clean-water,",
        "/riverside%2Cclean-water/campaign/x",
        "/__proto__",
        "/riverside/campaign/__proto__",
        "/constructor/campaign/clean-water",
        "/rivers%C3%ADde/campaign/clean-water",
        "/riverside%00/campaign/clean-water",
        "/RIVERSIDE/campaign/clean-water",
      ];
      for (const path of paths) {
        expect(await read(0)).toBe("yes");
        const response = await ask(0, path);
        expect([path, (await response.text()).includes("What you can do here")]).toEqual([path, false]);
        expect([307, 400, 404]).toContain(response.status);
      }
    });

    test("one person's warm entry is not another's", async () => {
      expect(await read(0)).toBe("yes");
      for (const email of ["outsider@demo.test", "suspended@demo.test", "hill@demo.test"]) {
        const { cookie } = await world.stack.signIn(email);
        const response = await fetch(`${world.url(0)}${guarded}`, { headers: { cookie }, redirect: "manual" });
        expect([email, response.status, response.headers.get("location")]).toEqual([email, 307, "/"]);
      }
    });
  });
});
