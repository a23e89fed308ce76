/**
 * True when a person reloaded the page in her browser. RSC headers are stripped before middleware sees them, so the
 * navigation's destination and the cache header decide alone; a form's POST carries `max-age=0` too, hence GET only.
 */
export function isHardReload(request: { method: string; headers: Headers }) {
  if (request.method !== "GET" || request.headers.get("sec-fetch-dest") !== "document") return false;
  return /(^|,)\s*(max-age=0|no-cache)\s*(,|$)/i.test(request.headers.get("cache-control") ?? "");
}
