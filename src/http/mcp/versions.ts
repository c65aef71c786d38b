/** The stateless version of the protocol, in which every request stands alone. */
export const MODERN_VERSION = "2026-07-28";

/** The versions with a handshake that the SDK speaks; a test holds them against the SDK's own list. */
export const LEGACY_VERSIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

/** The header that names the version of a request. */
export const VERSION_HEADER = "mcp-protocol-version";
