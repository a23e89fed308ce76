// Before a script, a test or a check: an older Node cannot read TypeScript, and says nothing of why.
if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error("This needs Node 24. `npm ci` (without --ignore-scripts) brings it along; start through `npm run`.");
  process.exit(1);
}
