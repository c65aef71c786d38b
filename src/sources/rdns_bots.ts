import * as v from "valibot";
import { type Address, parseAddress, reversePointer } from "#address";
import { UpstreamError } from "#upstream";
import { CRAWLERS, type Crawler } from "./crawlers.ts";
import { hostName } from "./host_name.ts";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";

const MAX_NAMES = 8;

const AnswerSchema = v.object({
  reverse: v.variant("found", [
    v.object({ found: v.literal(true), records: v.array(v.string()) }),
    v.object({ found: v.literal(false) }),
  ]),
  /** Forward answers of the names that claim a crawler; null = not heard. */
  forwards: v.array(v.object({ name: v.string(), addresses: v.nullable(v.array(v.string())) })),
});

/**
 * Reverse names, and search engine crawlers among them: a name under a crawler's domain counts only when the
 * forward lookup of that name gives the address back. A name that is not confirmed proves nothing either way,
 * so the flag is never false here.
 */
export const rdnsBots = {
  id: "reverse_dns",
  name: "Reverse DNS",
  kind: "free",
  family: "reverse_dns",
  matters: [],
  weight: 0,
  versions: [4, 6],
  timeoutMs: 3500,
  asksAgain: true,
  ask: async (address, { upstream }, signal) => {
    const reverse = await upstream.ptr(reversePointer(address), signal);
    const claims = reverse.found ? readNames(reverse.records).filter((name) => findCrawler(name)) : [];
    const heard = await Promise.allSettled(
      claims.map((name) => (address.version === 4 ? upstream.a(name, signal) : upstream.aaaa(name, signal))),
    );
    const forwards = claims.map((name, index) => {
      const outcome = heard[index];
      if (outcome?.status !== "fulfilled") return { name, addresses: null };
      return { name, addresses: outcome.value.found ? outcome.value.records : [] };
    });
    return { reverse, forwards };
  },
  read: (answer, address) => {
    const { reverse, forwards } = readShape(AnswerSchema, answer);
    const names = reverse.found ? readNames(reverse.records) : [];
    if (names.length === 0) return undefined;
    const claims = forwards.filter(({ name }) => names.includes(name));
    const confirmed = claims.find(({ addresses }) => isAmong(address, addresses ?? []));
    const crawler = confirmed === undefined ? undefined : findCrawler(confirmed.name);
    if (crawler !== undefined) {
      return {
        flags: { isSearchEngineBot: true },
        authority: ["isSearchEngineBot"],
        reverse: { names, crawler: crawler.operator },
      };
    }
    if (claims.some(({ addresses }) => addresses === null)) {
      throw new UpstreamError("unavailable", "forward name not heard");
    }
    return { reverse: { names } };
  },
} as const satisfies Source;

/** Anybody can write anything into a reverse zone: what is no host name is left out. Sorted, at most eight. */
function readNames(records: readonly string[]): readonly string[] {
  return [...new Set(records.flatMap((record) => hostName(record) ?? []))]
    .sort(compareNames)
    .slice(0, MAX_NAMES);
}

/** Claims of a crawler first, so that a long list of other names does not push them out. */
function compareNames(a: string, b: string): number {
  const claims = Number(findCrawler(b) !== undefined) - Number(findCrawler(a) !== undefined);
  return claims === 0 ? Number(a > b) - Number(a < b) : claims;
}

function findCrawler(name: string): Crawler | undefined {
  const crawlers: readonly Crawler[] = CRAWLERS;
  return crawlers.find(
    ({ suffix, head = "" }) =>
      name.endsWith(suffix) && name.startsWith(head) && name.length > suffix.length + head.length,
  );
}

function isAmong(address: Address, texts: readonly string[]): boolean {
  return texts.some((text) => parseAddress(text)?.text === address.text);
}
