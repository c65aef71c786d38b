const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a browser sent this for a page of another site, which a name that was rebound to this server would be too
 * (MCP, transports: security). Programs send no Origin. A service on loopback is open to the pages of that machine.
 */
export function isForeignOrigin(origin: string | null, baseUrl: string): boolean {
  if (origin === null) return false;
  const own = new URL(baseUrl);
  if (origin === own.origin) return false;
  const other = URL.parse(origin);
  return !(LOOPBACK.has(own.hostname) && other !== null && LOOPBACK.has(other.hostname));
}
