/** Headers that describe a body, which a 304 does not have. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"] as const;

/** Whether the client holds this body: `If-None-Match` has its tag, compared weakly, or `*` (RFC 9110, 13.1.2). */
export function isCurrent(ifNoneMatch: string | null, etag: string | null): boolean {
  if (ifNoneMatch === null || etag === null) return false;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}

/** The 304 for an answer with this head. */
export function notModified(head: Headers): Response {
  const response = new Response(null, { status: 304, headers: head });
  for (const name of BODY_HEADERS) response.headers.delete(name);
  return response;
}
