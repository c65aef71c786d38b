import { describe, expect, test } from "bun:test";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import { readAddress } from "#kit";
import { SOURCES, type Source } from "#sources";
import { UpstreamError } from "#upstream";
import { boundObservation } from "../../../src/sources/outcome.ts";
import { readSourceFixtures } from "../../sources/fixture.ts";
import { listPlaces } from "../../sources/places.ts";

/** Values that are invalid where a text, a boolean or a count is expected. */
const DAMAGE = [{}, Number.POSITIVE_INFINITY, 1e21] as const;
/**
 * Fields that may be damaged without an error: an empty history has no attacks, the vendor may add kinds of attack, a
 * proxy's kinds are missing on free plans, an author without a name does not count, and IPinfo answers an empty object
 * about an address that is in no proxy service.
 */
const LENIENT = [
  /^proxycheck body\.[^.]+\.attack_history(?:\.\w+)?$/,
  /^ip2location_io body\.proxy$/,
  /^ipinfo_resproxy body\.resproxy\/IP$/,
  /^otx body\.pulse_info\.pulses\.\d+(?:\.author(?:\.username)?)?$/,
];
const FLAGS = ["isProxy", "isVpn", "isTor", "isHosting"] as const;

const sources = SOURCES.filter((source) => source.hosts !== undefined && source.id !== "rdap");

/** The accusations in an observation. */
function accusationsOf(observation: Observation | undefined): readonly string[] {
  const { flags, abuse, exposure } = observation ?? {};
  return [
    ...FLAGS.filter((flag) => flags?.[flag] === true),
    ...((abuse?.score ?? 0) > 0 ? ["score"] : []),
    ...((abuse?.reports ?? 0) > 0 ? ["reports"] : []),
    ...Object.keys(abuse?.attacks ?? {}).map((attack) => `attack ${attack}`),
    ...(exposure?.vulns ?? []),
  ];
}

/** Returns undefined when the answer is refused. */
function readAccusations(source: Source, answer: unknown, address: Address): readonly string[] | undefined {
  try {
    const observation = source.read(answer, address);
    return accusationsOf(observation === undefined ? undefined : boundObservation(observation));
  } catch (error) {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  }
}

describe("read, of an accusing answer with one value damaged", () => {
  const fixtures = readSourceFixtures();
  test.each(sources.map((source) => [source.id, source] as const))(
    "of %s refuses it or accuses as before",
    (id, source) => {
      const hit = fixtures.get(id)?.get("hit") ?? expect.unreachable();
      const address = readAddress(hit.address);
      const body = hit.http?.[0]?.body;
      const before = readAccusations(source, { status: 200, body }, address) ?? expect.unreachable();
      const silenced = listPlaces({ body }).flatMap(({ path, put }) =>
        DAMAGE.filter((damage) => {
          const now = readAccusations(source, { status: 200, ...(put(damage) as object) }, address);
          return now !== undefined && before.some((accusation) => !now.includes(accusation));
        }).map(() => `${id} ${path}`.replace(hit.address, "IP")),
      );
      expect(silenced.filter((place) => !LENIENT.some((lenient) => lenient.test(place)))).toEqual([]);
    },
  );
});
