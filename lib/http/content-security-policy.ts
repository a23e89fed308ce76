import { isProduction } from "@/lib/env";

/**
 * What a page may load and run: scripts that bear the nonce, and what those load; all else from Signet alone. `style`
 * attributes are allowed, as drawings and bars have lengths and colours that are computed, and the server writes them.
 * Images may be data, as a drawing becomes one before it is saved as a PNG.
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
