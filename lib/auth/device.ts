// The first match wins: Edge and Opera also say Chrome, and Chrome says Safari.
const browsers = { "Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const systems = {
  iPhone: "iPhone",
  iPad: "iPad",
  Android: "Android",
  Windows: "Windows",
  "Mac OS X": "Mac",
  CrOS: "ChromeOS",
  Linux: "Linux",
};

/** A device in words, by its user agent: `Chrome on Windows`. */
export function describeDevice(userAgent: string): string {
  const nameIn = (names: Record<string, string>) =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1] ?? null;
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "an unknown device";
}
