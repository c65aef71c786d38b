/** How we introduce ourselves to the world. */
export function userAgent(version: string, contact: string | undefined): string {
  return `limpid/${version}${contact === undefined ? "" : ` (+${contact})`}`;
}
