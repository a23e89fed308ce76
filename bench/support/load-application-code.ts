// Lets Node load files of `lib`, which Next.js usually compiles. Import this first, then those files dynamically.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "server-only") return { url: "data:text/javascript,", shortCircuit: true };
    if (specifier.startsWith("@/")) {
      const file = new URL(`${specifier.slice(2)}.ts`, root);
      return { url: existsSync(fileURLToPath(file)) ? file.href : `${file.href}x`, shortCircuit: true };
    }
    return next(/^next\/[a-z-]+$/.test(specifier) ? `${specifier}.js` : specifier, context);
  },
});
