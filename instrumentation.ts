/** Ends a server that cannot work before it serves anything: on a Node that is too old, and without its settings. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  (await import("@/lib/require-new-node")).requireNewNode();
  (await import("@/lib/require-settings")).requireSettings();
}
