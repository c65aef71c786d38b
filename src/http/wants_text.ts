/** Programs that print what they get, as they name themselves. */
const TERMINAL_CLIENTS =
  /^(?:curl|wget|httpie|xh|fetch libfetch|libfetch|go-http-client|ddclient|mikrotik|aria2|lwp::simple|python-requests|python-urllib|powershell|winhttp)\b/i;

/** Whether a caller of a page that also exists as plain text means the text (RFC 9110, 12.5.1). */
export function wantsText(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "";
  const page = qualityOf(accept, "text/html");
  const text = qualityOf(accept, "text/plain");
  if (page > 0 || text > 0) return text > page;
  return TERMINAL_CLIENTS.test(headers.get("user-agent") ?? "");
}

/** Whether a caller of what does not exist means a page: a browser names it, a program does not. */
export function wantsPage(headers: Headers): boolean {
  return qualityOf(headers.get("accept") ?? "", "text/html") > 0;
}

/** The weight an Accept header gives to exactly this media type; 0 when it does not name it. */
function qualityOf(accept: string, mediaType: string): number {
  for (const part of accept.split(",", 32)) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (name !== mediaType) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    return Number.isFinite(quality) ? quality : 0;
  }
  return 0;
}
