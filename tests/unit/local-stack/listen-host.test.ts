import { expect, test } from "vitest";
import { listenHost } from "../../../scripts/local-stack/build.ts";

test.each([
  [undefined, "127.0.0.1"],
  ["", "127.0.0.1"],
  ["the-machine", "127.0.0.1"], // as containers set it
  ["0.0.0.0", "0.0.0.0"],
  ["192.168.1.5", "192.168.1.5"],
])("with HOSTNAME=%j the demo listens on %s", (HOSTNAME, host) => {
  expect(listenHost({ ...process.env, HOSTNAME }, "the-machine")).toBe(host);
});
