// Loaded before the application by `node --import`: its parent moves the clock by sending `{ offset: <ms> }`.
const realNow = Date.now;
const realOrigin = performance.timeOrigin;
let offset = 0;
Date.now = () => realNow() + offset;
Object.defineProperty(performance, "timeOrigin", { get: () => realOrigin + offset });
process.on("message", (message) => {
  if (typeof message?.offset !== "number") return;
  offset = message.offset;
  process.send({ offset });
});
