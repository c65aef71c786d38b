/** Headers that describe a body, which a 304 does not have. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"] as const;

/**
 * Whether the client holds this body: `If-None-Match` has its tag, compared weakly, or `*` (RFC 9110, 13.1.2). Without
 * that header, `If-Modified-Since` is not before `Last-Modified` (13.1.3); an invalid date is ignored. With `isOwn`, the
 * answer is about the caller: a date is not compared, because an earlier answer can be about another address.
 */
export function isCurrent(request: Headers, answer: Headers, isOwn = false): boolean {
  const etag = answer.get("etag");
  const ifNoneMatch = request.get("if-none-match");
  if (ifNoneMatch === null) return !isOwn && isUnmodified(request, answer);
  if (etag === null) return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || withoutWeakness(tag) === withoutWeakness(etag);
  });
}

function withoutWeakness(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}

/** A date of HTTP in the form that every sender must use (RFC 9110, 5.6.7). `Date.parse` alone reads much more. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function isUnmodified(request: Headers, answer: Headers): boolean {
  const since = request.get("if-modified-since");
  const modified = answer.get("last-modified");
  if (since === null || modified === null || !HTTP_DATE.test(since)) return false;
  return Date.parse(modified) <= Date.parse(since);
}

/** The 304 for an answer with this head. */
export function notModified(head: Headers): Response {
  const response = new Response(null, { status: 304, headers: head });
  for (const name of BODY_HEADERS) response.headers.delete(name);
  return response;
}
