import { isProduction } from "@/lib/env";

/**
 * What a page can load and run: scripts with the nonce and what they load, and anything else only from Signet. `style`
 * attributes are allowed because drawings and bars have computed lengths and colors. Data images are allowed because a
 * drawing becomes one before it is saved as a PNG.
 */
export function contentSecurityPolicy(nonce: string): string {
  const inDevelopment = (source: string) => (isProduction() ? "" : ` ${source}`);
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${inDevelopment("'unsafe-eval'")}`,
    `style-src 'self'${inDevelopment("'unsafe-inline'")}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
