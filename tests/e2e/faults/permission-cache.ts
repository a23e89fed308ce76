import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { drainedKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import {
  anHourPasses,
  changeByAction,
  grantBySql,
  guarded,
  pendingChanges,
  processChanges,
  read,
  readBoth,
  reset,
  revokeBySql,
  sendRequest,
  untilCached,
  world,
} from "./access.ts";

// A cached "yes" after a revoke is the worst failure of Signet. Here two production instances share one Redis, and everything
// around them fails in turn.

describe("cached access", () => {
  beforeEach(reset);

  describe("no read that starts after an acknowledged revoke says yes", () => {
    test("a revoke by an action applies on both instances before it answers", async () => {
      for (const instance of [0, 1]) {
        expect(await changeByAction(instance, "suspended")).toBe(true);
        expect(await readBoth()).toEqual(["no", "no"]);
        expect(await changeByAction(1 - instance, "active")).toBe(true);
        expect(await readBoth()).toEqual(["yes", "yes"]);
        await untilCached();
      }
    });

    test("a slow read that began before a revoke caches nothing", async () => {
      await sendRequest(0, "/api/permissions/revalidate", "POST");
      const revoked = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      world.proxy.beforeResponse = async (query) => {
        if (query.get("campaign_id") !== "clean-water") return;
        begun.resolve();
        await revoked.promise;
      };
      const slow = read(0);
      await begun.promise;
      world.proxy.beforeResponse = undefined;
      expect(await changeByAction(1, "suspended")).toBe(true);
      revoked.resolve();
      await slow;
      for (let again = 0; again < 3; again++) expect(await readBoth()).toEqual(["no", "no"]);
    });

    test("without Redis, the second read of a render sees a revoke after the first", async () => {
      await world.redis.stop();
      world.proxy.forwardsOneAtATime = true; // the layout and the page read at once
      let armed = true;
      world.proxy.beforeResponse = async (query) => {
        if (!armed || query.get("campaign_id") !== "clean-water") return;
        armed = false;
        await revokeBySql();
      };
      expect(await read(0)).toBe("no");
      expect(armed).toBe(false);
    });

    test("a revoke by SQL applies within 10 s on both instances, without a call from the application", async () => {
      await revokeBySql();
      const committed = Date.now();
      while ((await readBoth()).includes("yes")) {
        expect(Date.now() - committed).toBeLessThan(10_000);
        await wait(50);
      }
      expect(await readBoth()).toEqual(["no", "no"]);
    });

    test("10 s after a revoke by SQL no cached access is used, even if no one processes changes", async () => {
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

    test("an instance processes changes if no one else does, and keeps using its cache", async () => {
      world.stack.freezeFunctions(); // so that reads past the cache fail
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
    test("runs a late mark of an old drain when it is back, which must not count", async () => {
      world.redis.freeze();
      await wait(5_000); // the mark of a drain without pending changes waits in the socket
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
    test("a change that isn't pending is noticed in the foreground", async () => {
      await revokeBySql();
      await world.stack.rest("rpc/delete_permission_changes", "POST", { p_ids: await pendingChanges() });
      await anHourPasses();
      expect(await readBoth()).toEqual(["no", "no"]);
    });
  });

  describe("without Redis", () => {
    test.each(["killed", "frozen"])(
      "%s: pages are correct at once, and the cache is used again within 5 s",
      async (how) => {
        if (how === "killed") await world.redis.stop();
        else world.redis.freeze();
        const refreshed = await sendRequest(0, "/api/permissions/revalidate", "POST");
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

    test("a change by an action is saved, says that it is pending, and takes effect when Redis is back", async () => {
      await world.redis.stop();
      expect(await changeByAction(0, "suspended")).toBe(false);
      expect(await readBoth()).toEqual(["no", "no"]);
      await world.redis.start();
      await processChanges();
      expect(await readBoth()).toEqual(["no", "no"]);
    });
  });

  test("a burst of cold requests computes each snapshot once, pages and routes together", async () => {
    await sendRequest(0, "/api/permissions/revalidate", "POST");
    const before = world.proxy.calls;
    const pages = Array.from({ length: 10 }, () => read(0));
    const route = "/api/permissions/fingerprint?team=riverside&campaign=clean-water";
    const routes = Array.from({ length: 10 }, async () => (await sendRequest(0, route)).status);
    expect(new Set(await Promise.all(pages))).toEqual(new Set(["yes"]));
    expect(new Set(await Promise.all(routes))).toEqual(new Set([200]));
    expect(world.proxy.calls - before).toBe(2); // one for the team, one for the campaign
  });

  describe("an entry belongs to one user and one place", () => {
    test("no spelling of an address gets the entry of another place", async () => {
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
        const response = await sendRequest(0, path);
        expect([path, (await response.text()).includes("Your permissions")]).toEqual([path, false]);
        expect([307, 400, 404]).toContain(response.status);
      }
    });

    test("no one gets the entry of another person", async () => {
      expect(await read(0)).toBe("yes");
      for (const email of ["outsider@demo.test", "suspended@demo.test", "hill@demo.test"]) {
        const { cookie } = await world.stack.signIn(email);
        const response = await fetch(`${world.url(0)}${guarded}`, { headers: { cookie }, redirect: "manual" });
        expect([email, response.status, response.headers.get("location")]).toEqual([email, 307, "/"]);
      }
    });
  });
});
