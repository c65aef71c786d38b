/** Where every request is a lookup, or spends what people need. */
const CLOSED = [
  "/api/",
  "/cli/",
  "/gate/",
  "/mcp",
  "/compare?",
  "/en/compare?",
  "/*?refresh=",
  "/*&refresh=",
];

/**
 * `robots.txt` (RFC 9309): pages and stored reports may be read, the interface for programs may not, and nobody may
 * make the service ask its sources anew.
 */
export function writeRobots(origin: string): string {
  return [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}
