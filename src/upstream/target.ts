import { UpstreamError } from "./upstream_error.ts";

/**
 * Reads a URL we are about to ask: https, default port, no user, host on the list.
 * @throws {UpstreamError} kind `refused`
 */
export function parseTarget(text: string, base: URL | undefined, hosts: ReadonlySet<string>): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new UpstreamError("refused", "not a URL");
  if (url.protocol !== "https:") throw new UpstreamError("refused", "not https");
  if (url.username !== "" || url.password !== "") throw new UpstreamError("refused", "user in the URL");
  if (url.port !== "") throw new UpstreamError("refused", "port not allowed");
  if (!hosts.has(url.hostname)) throw new UpstreamError("refused", "host not allowed");
  url.hash = "";
  return url;
}

/**
 * Reads the address of an egress gateway: http or https, perhaps with a path, without query or user.
 * @throws {Error} when it is none
 */
export function parseGateway(text: string): string {
  const url = URL.parse(text);
  const isUsable =
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "";
  if (!isUsable)
    throw new Error(`Cannot use gateway "${text}": it must be an http or https URL without query`);
  return url.href.replace(/\/+$/, "");
}

/** Where the request really goes: `https://HOST/PATH?QUERY` itself, or `GATEWAY/HOST/PATH?QUERY`. */
export function routeThrough(gateway: string | undefined, target: URL): string {
  return gateway === undefined
    ? target.href
    : `${gateway}/${target.hostname}${target.pathname}${target.search}`;
}
