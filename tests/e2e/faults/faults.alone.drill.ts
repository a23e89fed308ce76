// One stack and one pair of production instances for all of these, one after another: each leaves them working. Those that
// move the clock come last.
import { afterAll } from "vitest";
import { world } from "./access.ts";
import "./everything-fails.ts";
import "./permission-cache.ts";
import "./random-faults.ts";

afterAll(() => world.stop(), 60_000);
