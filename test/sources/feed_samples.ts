import type { ListMeaning } from "#datasets";
import type { Feed } from "#feeds";

const HOUR = 3_600_000;

/** A feed whose lines are `prefix meaning label country city`, or `AS… class name date`; `-` stands for nothing. */
function sample(id: string, rest: Partial<Feed> & Pick<Feed, "meanings">): Feed {
  return {
    id,
    name: `The ${id}`,
    family: `${id} family`,
    licence: "ours",
    homepage: "https://lists.example/",
    files: [{ url: `https://lists.example/${id}`, maxBytes: 65_536 }],
    cadenceMs: HOUR,
    minRows: 1,
    maxRows: 100,
    parse(content, sink) {
      for (const line of content.lines()) {
        const [subject = "", first = "", second = "-", country = "-", city = "-"] = line.split(" ");
        if (subject.startsWith("AS")) {
          sink.network(subject, {
            ...(first === "severe" ? { meaning: "severe" } : { asClass: first as "hosting" }),
            ...(second === "-" ? {} : { name: second }),
            ...(country === "-" ? {} : { registered: country }),
          });
          continue;
        }
        sink.prefix(subject, {
          meaning: first as ListMeaning,
          ...(second === "-" ? {} : { label: second }),
          ...(country === "-" ? {} : { place: { country, ...(city === "-" ? {} : { city }) } }),
        });
      }
      return { date: "2026-03-01" };
    },
    ...rest,
  };
}

export const FEEDS: readonly Feed[] = [
  sample("exits", { meanings: ["tor_exit"], authority: true, complete: [4], weight: 0.25 }),
  sample("egress", { meanings: ["relay"], authority: true, complete: [4, 6] }),
  sample("tunnels", { meanings: ["vpn"] }),
  sample("proxies", { meanings: ["proxy"] }),
  sample("clouds", { meanings: ["hosting", "cdn"], authority: true }),
  sample("crawlers", { meanings: ["search_bot", "user_fetcher"], authority: true }),
  sample("fetchers", { meanings: ["user_fetcher"], authority: true, yieldsTo: ["crawlers"] }),
  sample("attackers", { meanings: ["abuse", "severe"], noncommercial: true }),
  sample("classes", { meanings: [], networks: true, needsContact: true }),
  sample("places", { meanings: ["satellite", "anycast", "tor_relay"] }),
];

/** The downloaded text of each feed. */
export const DOWNLOADS: Readonly<Record<string, string>> = {
  exits: "9.9.9.1 tor_exit\n8.8.8.0/24 tor_exit\n2620:fe::1 tor_exit\n",
  egress: "9.9.10.0/24 relay Egress NO Oslo\n",
  tunnels: "9.9.10.0/24 vpn Hidden\n9.9.11.0/24 vpn\n9.9.17.0/24 vpn Hidden\n",
  proxies: "9.9.12.9 proxy\n9.9.18.0/24 proxy\n9.9.19.0/24 proxy\n",
  clouds: "8.8.8.0/24 hosting Cloud\n9.9.0.0/16 hosting Cloud\n9.9.19.0/24 cdn Edge\n",
  crawlers: "9.9.12.0/24 search_bot Spider\n9.9.13.0/24 user_fetcher Fetcher\n",
  fetchers: "9.9.12.0/25 user_fetcher Fetcher\n9.9.18.0/24 user_fetcher Fetcher\n",
  attackers: "8.8.8.8 abuse ssh\n9.9.9.1 abuse ssh\n9.9.9.1 severe SBL1\n",
  classes:
    "AS15169 hosting Example 2000-03-30\nAS15170 mobile\nAS15171 severe\nAS15172 carrier\nAS15173 vpn\n",
  places: "9.9.14.0/24 satellite - SE\n9.9.15.0/24 anycast\n9.9.16.0/24 tor_relay\n",
};
