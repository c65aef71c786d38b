import * as v from "valibot";
import { type Address, isWithin, parsePrefix } from "#address";
import { UpstreamError } from "#upstream";
import { RDAP_BASES } from "./rdap_registries.ts";
import { readShape } from "./read_shape.ts";

/** RFC 9224 section 3: pairs of blocks and base URLs. */
const BootstrapSchema = v.object({
  services: v.pipe(v.array(v.tuple([v.array(v.string()), v.array(v.string())])), v.minLength(1)),
});

/**
 * The base URL, with a slash at the end, of the registry that IANA's bootstrap file names for the address: longest
 * matching block, https only. `undefined` = the address is in no registry's space.
 * @throws {UpstreamError} kind `shape` for anything but a bootstrap file, `unavailable` when the service named
 * is none of the five registries'.
 */
export function findRdapBase(bootstrap: unknown, address: Address): string | undefined {
  const { services } = readShape(BootstrapSchema, bootstrap);
  let urls: readonly string[] | undefined;
  let longest = -1;
  for (const [blocks, candidates] of services) {
    for (const block of blocks) {
      const prefix = parsePrefix(block);
      if (prefix === undefined || prefix.bits <= longest || !isWithin(address, prefix)) continue;
      urls = candidates;
      longest = prefix.bits;
    }
  }
  if (urls === undefined) return undefined;
  const base = urls.map((url) => URL.parse(url)).find((url) => url !== null && isRegistry(url));
  if (base === undefined || base === null) throw new UpstreamError("unavailable", "no known RDAP service");
  return `${base.origin}${base.pathname.replace(/\/*$/, "/")}`;
}

function isRegistry(url: URL): boolean {
  return url.protocol === "https:" && url.port === "" && Object.hasOwn(RDAP_BASES, url.hostname);
}
