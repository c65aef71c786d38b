import { type Address, parseAddress } from "#address";
import type { Observation } from "#evidence";
import { FEEDS } from "#feeds";
import { SOURCES, type Source } from "#sources";
import { UpstreamError } from "#upstream";
import { boundObservation } from "../../../src/sources/outcome.ts";
import { readSourceFixtures } from "../../sources/fixture.ts";
import { createMutator, type Mutator } from "./create_mutator.ts";
import { type Fuzzed, fuzzReader, isDeeplyFrozen } from "./fuzz_reader.ts";

const ADDRESSES = ["203.0.113.7", "2001:db8::7"].flatMap((text) => parseAddress(text) ?? []);
const ORIGIN = "64500 | 203.0.113.0/24 | US | arin | 2026-01-02";
const NAME = "64500 | US | arin | 2026-01-02 | EXAMPLE-AS - Example Hosting, US";
const CRAWLER = "crawl-203-0-113-7.googlebot.com";
const LISTS = new Set(FEEDS.map(({ id }) => id));

/** Every source that reads an answer from outside; downloaded lists are read elsewhere. */
export const READERS: readonly Source[] = SOURCES.filter(
  (source) => source.local !== true && !LISTS.has(source.id),
);

/** Good answers of a source as its reader gets them: whole HTTP answers, DNS records, or the results of several queries. */
export function goodAnswers({ id, hosts }: Source): readonly unknown[] {
  const fixtures = [...(readSourceFixtures().get(id)?.values() ?? [])];
  if (id === "team_cymru") return [{ origins: { found: true, records: [ORIGIN] }, name: NAME }];
  if (id === "reverse_dns") {
    const forwards = [{ name: CRAWLER, addresses: ["203.0.113.7"] }];
    return [{ reverse: { found: true, records: [CRAWLER, "host.example.com"] }, forwards }];
  }
  if (hosts === undefined) return [{ found: true, records: ["127.0.0.2", "127.0.0.10"] }, { found: false }];
  const recordings = fixtures.flatMap(({ http = [] }) => http.slice(-1));
  return recordings.map(({ status = 200, body, text, host }) => {
    const said = body ?? text ?? null;
    return id === "rdap"
      ? { covered: true, delegated: "203.0.113.0/24", status, host, body: said }
      : { status, body: said, url: `https://${host}/` };
  });
}

/** Three kinds: a good answer gone wrong, a good envelope around anything, anything. */
function makeAnswer(goods: readonly unknown[], at: Mutator): unknown {
  const kind = at.random();
  if (kind < 0.7) return at.mutate(at.pick(goods));
  if (kind < 0.85) return { ...envelopeOf(at.pick(goods)), body: at.json(), records: at.json(2) };
  return at.json();
}

function envelopeOf(good: unknown): object {
  return typeof good === "object" && good !== null ? good : {};
}

/** Feeds the reader of one source. @throws when it does anything but refuse, or say something bounded. */
export function fuzzSource(source: Source, runs: number, seed: number): Fuzzed {
  const at = createMutator(seed);
  const goods = goodAnswers(source);
  let address: Address | undefined;
  return fuzzReader({
    runs,
    make(turn) {
      address = ADDRESSES[source.versions.length > 1 && turn % 4 === 3 ? 1 : 0];
      return makeAnswer(goods, at);
    },
    read(answer) {
      if (address === undefined) throw new Error("Cannot read without an address");
      const observation: Observation | undefined = source.read(answer, address);
      return observation === undefined ? undefined : boundObservation(observation);
    },
    isRefusal: (error) => error instanceof UpstreamError && error.detail.length <= 200,
    check(made) {
      if (!isDeeplyFrozen(made)) throw new Error("Cannot accept an observation that can be changed");
      return JSON.stringify(made).length;
    },
  });
}
