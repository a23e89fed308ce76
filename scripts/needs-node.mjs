// Runs before each script. Older versions of Node can't run TypeScript, and their error doesn't say so.
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error(
    "This needs Node 24. Run `npm ci` (without --ignore-scripts), which installs it, and start scripts with `npm run`.",
  );
  process.exit(1);
}
