import * as v from "valibot";
import { reversePointer } from "#address";
import { readTsv } from "#tsv";
import { UpstreamError } from "#upstream";
import { DnsAnswerSchema, isSameAddress, parseAnswer } from "../read_answer.ts";
import { readHostName } from "../read_fields.ts";
import type { Source } from "../source.ts";
import table from "./crawlers.tsv" with { type: "text" };

/** Crawlers by operator: their reverse names end with `suffix` and start with `head`, which may be empty. */
export const CRAWLERS = readTsv(table, ["operator", "suffix", "head"]);

const MAX_NAMES = 8;

const AnswerSchema = v.object({
  reverse: DnsAnswerSchema,
  /** Forward answers of the names that claim to be a crawler; null = no answer. */
  forwards: v.array(v.object({ name: v.string(), addresses: v.nullable(v.array(v.string())) })),
});

/**
 * Reads reverse names and finds search engine crawlers among them. A name in a crawler's domain counts only when the
 * forward lookup of that name returns the address. A name that is not confirmed proves nothing, so the flag is never
 * false here.
 */
export const reverseDns = {
  id: "reverse_dns",
  name: "Reverse DNS",
  kind: "free",
  family: "reverse_dns",
  matters: [],
  weight: 0,
  versions: [4, 6],
  timeoutMs: 3500,
  sequential: true,
  ask: async (address, { upstream }, signal) => {
    const reverse = await upstream.ptr(reversePointer(address), signal);
    const claims = reverse.found ? readNames(reverse.records).filter((name) => findCrawler(name)) : [];
    const outcomes = await Promise.allSettled(
      claims.map((name) => (address.version === 4 ? upstream.a(name, signal) : upstream.aaaa(name, signal))),
    );
    const forwards = claims.map((name, index) => {
      const outcome = outcomes[index];
      if (outcome?.status !== "fulfilled") return { name, addresses: null };
      return { name, addresses: outcome.value.found ? outcome.value.records : [] };
    });
    return { reverse, forwards };
  },
  read: (answer, address) => {
    const { reverse, forwards } = parseAnswer(AnswerSchema, answer);
    const names = reverse.found ? readNames(reverse.records) : [];
    if (names.length === 0) return undefined;
    const claims = forwards.filter(({ name }) => names.includes(name));
    const confirmed = claims.find(({ addresses }) => addresses?.some((text) => isSameAddress(text, address)));
    const crawler = confirmed === undefined ? undefined : findCrawler(confirmed.name);
    if (crawler !== undefined) {
      return {
        flags: { isSearchEngineBot: true },
        authority: ["isSearchEngineBot"],
        reverse: { names, crawler: crawler.operator },
      };
    }
    if (claims.some(({ addresses }) => addresses === null)) {
      throw new UpstreamError("unavailable", "no answer on the forward name");
    }
    return { reverse: { names } };
  },
} as const satisfies Source;

/** Anybody can write anything into a reverse zone, so only valid host names are kept: sorted, at most eight. */
function readNames(records: readonly string[]): readonly string[] {
  return [...new Set(records.flatMap((record) => readHostName(record) ?? []))]
    .sort(compareNames)
    .slice(0, MAX_NAMES);
}

/** Names that claim to be a crawler come first, so that a long list of other names does not push them out. */
function compareNames(a: string, b: string): number {
  const claims = Number(findCrawler(b) !== undefined) - Number(findCrawler(a) !== undefined);
  return claims === 0 ? Number(a > b) - Number(a < b) : claims;
}

function findCrawler(name: string) {
  return CRAWLERS.find(
    ({ suffix, head }) =>
      name.endsWith(suffix) && name.startsWith(head) && name.length > suffix.length + head.length,
  );
}
