import * as v from "valibot";
import { reversePointer } from "#address";
import { UpstreamError } from "#upstream";
import { isSameAddress, parseAnswer } from "../read_answer.ts";
import { readHostName } from "../read_fields.ts";
import type { Source } from "../source.ts";
import { DnsAnswerSchema } from "./zone_answers.ts";

/**
 * Crawlers of one operator. Their reverse names end with `suffix`. If other hosts use the domain too, they also start
 * with `head`.
 */
export interface Crawler {
  readonly operator: string;
  readonly suffix: string;
  readonly head?: string;
}

/**
 * Suffixes that search engines document for the reverse names of their crawlers. The leading dot excludes
 * `evilgooglebot.com`. Domains that customers or users share are left out (googleusercontent.com,
 * google-proxy-*.google.com). https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot,
 * https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26, https://support.apple.com/119829,
 * https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html,
 * https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/
 */
export const CRAWLERS = [
  { operator: "Google", suffix: ".googlebot.com" },
  { operator: "Google", suffix: ".google.com", head: "rate-limited-proxy-" },
  { operator: "Microsoft Bing", suffix: ".search.msn.com" },
  { operator: "Apple", suffix: ".applebot.apple.com" },
  { operator: "Yandex", suffix: ".yandex.ru" },
  { operator: "Yandex", suffix: ".yandex.net" },
  { operator: "Yandex", suffix: ".yandex.com" },
  { operator: "Baidu", suffix: ".crawl.baidu.com" },
  { operator: "Baidu", suffix: ".crawl.baidu.jp" },
  { operator: "Petal Search", suffix: ".petalsearch.com" },
  { operator: "Petal Search", suffix: ".aspiegel.com" },
  { operator: "Yahoo", suffix: ".crawl.yahoo.net" },
  { operator: "Seznam", suffix: ".seznam.cz", head: "fulltextrobot-" },
  { operator: "Naver", suffix: ".web.naver.com" },
  { operator: "Sogou", suffix: ".crawl.sogou.com" },
  { operator: "Mojeek", suffix: ".mojeek.com" },
] as const satisfies readonly Crawler[];

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
      throw new UpstreamError("unavailable", "forward name not heard");
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

function findCrawler(name: string): Crawler | undefined {
  const crawlers: readonly Crawler[] = CRAWLERS;
  return crawlers.find(
    ({ suffix, head = "" }) =>
      name.endsWith(suffix) && name.startsWith(head) && name.length > suffix.length + head.length,
  );
}
