/** Whose crawlers have names that end like this; `head` is asked where others share the domain. */
export interface Crawler {
  readonly operator: string;
  readonly suffix: string;
  readonly head?: string;
}

/**
 * Suffixes that operators of search engines promise for their crawlers' reverse names, with the leading dot:
 * the boundary of a label is part of the promise. Domains in which customers or users may live are left out
 * (googleusercontent.com, google-proxy-*.google.com).
 * https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot,
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
