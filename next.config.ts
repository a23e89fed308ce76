import type { NextConfig } from "next";
import { PHASE_PRODUCTION_BUILD } from "next/constants.js";
import { requireNode } from "./lib/server/require-node.ts";

const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=()" },
];

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: import.meta.dirname,
  generateBuildId: () => process.env.BUILD_ID || null,
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true }, // `npm run check` checks them, tests and scripts too
  // Every new permission epoch would leave a file behind; in memory, a restart starts empty.
  experimental: { isrFlushToDisk: false },
  headers: () => Promise.resolve([{ source: "/:path*", headers: securityHeaders }]),
};

export default function settings(phase: string): NextConfig {
  if (phase === PHASE_PRODUCTION_BUILD) requireNode(); // a server does so in instrumentation.ts
  return config;
}
