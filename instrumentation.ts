/** Ends a server on a Node that Signet cannot run on, before anything of it is loaded: later it would fail in silence. */
export async function register() {
  if (process.env.NEXT_RUNTIME === "nodejs") (await import("@/lib/require-new-node")).requireNewNode();
}
