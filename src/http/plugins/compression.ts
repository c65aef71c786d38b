/** Whether a client accepts gzip: `gzip`, `x-gzip` or `*` with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false;
  // What browsers and curl send.
  if (header.startsWith("gzip,") || header === "gzip") return true;
  let any = false;
  for (const part of header.split(",", 32)) {
    const [coding = "", weight = ""] = part.split(";").map((text) => text.trim().toLowerCase());
    const isWanted = !/^q=0(?:\.0{0,3})?$/.test(weight);
    if (coding === "gzip" || coding === "x-gzip") return isWanted;
    if (coding === "*") any = isWanted;
  }
  return any;
}
