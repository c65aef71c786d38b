import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, addressFromWords, isBogon, parsePrefixEnds } from "#address";
import { compileTable, openDatasets, RangeSet, ValuePool } from "#datasets";
import {
  type Compiler,
  createCompiler,
  type Feeds,
  openFeeds,
  openSnapshot,
  FEEDS as REAL_FEEDS,
  TABLE_FEEDS,
} from "#feeds";
import { createDraw, createTemporaryFolder, readAddress } from "#kit";
import { assess, createTableClassifier, judgeSurvey, type TableClassifier } from "#lookup";
import { readFactors } from "#report";
import { createTableSurvey, feedSource, NO_SETTINGS, SOURCES, type TableSurvey } from "#sources";
import { makeList, writeSnapshot } from "../../feeds/snapshot/small_snapshot.ts";
import { FEEDS } from "../../sources/feed_samples.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-03-05T00:00:00Z");
const SEED = join(import.meta.dir, "../../../seed");

const draw = createDraw();

/** Blocks with a rule of their own: special-purpose space, services, clouds and phones, and their neighbours. */
const KNOWN_BLOCKS = [
  ...["10.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.0.9/32", "192.88.99.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "1.1.1.1/32", "8.8.8.8/32", "132.145.0.0/16", "109.40.0.0/13", "31.64.0.0/11"],
  ...["2001:db8::/32", "2002::/16", "2001::/32", "fe80::/10", "2603:c000::/24", "2a01:4f8::/31"],
  ...["2606:4700:4700::1111/128", "64:ff9b::/96", "2400:6180::/32"],
];

/** Prefixes that overlap each other, most of them near the known blocks, so that all tables meet in few places. */
function drawPrefix(): string {
  if (draw(3) === 0) {
    const bits = 20 + draw(109);
    const start = [
      0x2a01,
      [0x4f8, 0x4fa, 0x9000][draw(3)] ?? 0,
      draw(4) << 14,
      draw(2) << 15,
      0,
      0,
      0,
      draw(4),
    ];
    return mask(start.map((group) => group.toString(16)).join(":"), bits);
  }
  const bits = 10 + draw(23);
  const [a, b] =
    [
      [109, 40],
      [132, 145],
      [31, 64],
      [8, 8],
      [45, draw(8)],
      [100, 64],
    ][draw(6)] ?? [];
  return mask(`${a}.${b}.${[0, 64, 128, 255][draw(4)]}.${draw(256)}`, bits);
}

function mask(text: string, bits: number): string {
  const { first } = parsePrefixEnds(`${text}/${bits}`) ?? expect.unreachable(text);
  return `${addressFromWords(first.length === 1 ? 4 : 6, first).text}/${bits}`;
}

const prefixes = new Set(KNOWN_BLOCKS);
function drawRows(count: number): readonly string[] {
  const drawn = [...new Set(Array.from({ length: count }, drawPrefix))];
  for (const prefix of drawn) prefixes.add(prefix);
  return drawn;
}

/** First and last address of each prefix, and the addresses before and after them. */
function listEdges(): readonly Address[] {
  const edges = new Map<string, Address>();
  for (const prefix of prefixes) {
    const { first, last } = parsePrefixEnds(prefix) ?? expect.unreachable(prefix);
    for (const words of [step(first, -1n), first, last, step(last, 1n)]) {
      const address = addressFromWords(words.length === 1 ? 4 : 6, words);
      edges.set(address.text, address);
    }
  }
  return [...edges.values()];
}

function step(words: readonly number[], by: bigint): readonly number[] {
  const size = BigInt(32 * words.length);
  const value = words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const next = BigInt.asUintN(Number(size), value + by);
  return words.map((_, at) => Number((next >> (size - 32n * BigInt(at + 1))) & 0xffff_ffffn));
}

function drawAddress(): Address {
  if (draw(2) === 0) return addressFromWords(4, [draw(2 ** 31) * 2 + draw(2)]);
  return addressFromWords(6, [0x2000_0000 + draw(2 ** 29), draw(2 ** 31) * 2, draw(2 ** 31), draw(2 ** 31)]);
}

/** Writes a table whose rows have one of the values. */
function writeTable(folder: string, id: string, date: string, valueTexts: readonly string[]): void {
  const values = new ValuePool();
  const [ipv4, ipv6] = [new RangeSet(4), new RangeSet(6)];
  for (const prefix of drawRows(40)) {
    const { first, last } = parsePrefixEnds(prefix) ?? expect.unreachable(prefix);
    (first.length === 1 ? ipv4 : ipv6).add(
      first,
      last,
      values.intern(valueTexts[draw(valueTexts.length)] ?? ""),
    );
  }
  writeFileSync(join(folder, `${id}.table`), compileTable({ id, origin: "ours", date, ipv4, ipv6, values }));
}

const NETWORKS = [
  "3209 Vodafone",
  "2856 EE",
  "24940 Hetzner",
  "15169 Google",
  "64496 Example Broadband",
  "15171 Net",
];

let folder: string;
let feeds: Feeds;
let compiler: Compiler;
let nowMs = START;
const now = () => nowMs;

/** Stores a new download of every list, with other rows each time. */
function download(ids: readonly string[]): void {
  for (const id of ids) {
    const { meanings = [], networks } = FEEDS.find((feed) => feed.id === id) ?? expect.unreachable(id);
    const rows = networks
      ? [
          "AS15169 hosting Example 2000-03-30",
          "AS15171 severe",
          "AS64496 mobile",
          `AS24940 ${draw(2) ? "vpn" : "isp"}`,
        ]
      : drawRows(30).map(
          (prefix) =>
            `${prefix} ${meanings[draw(meanings.length)]} ${["-", "Name"][draw(2)]} ${["-", "NO"][draw(2)]}`,
        );
    const text = rows.join("\n");
    const { name } = feeds.cache.put(id, 0, new TextEncoder().encode(text));
    const files = [{ index: 0, url: `https://lists.example/${id}`, name, bytes: text.length }];
    const good = {
      files,
      rows: rows.length,
      stripped: 0,
      date: "2026-03-01",
      fetchedAt: nowMs,
      checkedAt: nowMs,
    };
    feeds.cache.save(id, { good, failures: 0, dueAt: nowMs });
  }
}

/** All lists but two; the snapshot has one of these. */
const DOWNLOADED = FEEDS.map(({ id }) => id).filter((id) => id !== "tunnels" && id !== "proxies");

beforeAll(async () => {
  folder = createTemporaryFolder("limpid-classifier-");
  writeTable(folder, "asn", "2026-01-01", NETWORKS);
  writeTable(folder, "registration", "2026-01-01", ["DE", "US", "NO"]);
  writeTable(folder, "country", "2026-01-01", ["DE", "US", "FR"]);
  const { contents } = writeSnapshot(folder, [makeList("tunnels", "vpn", drawRows(30), { label: "Hidden" })]);
  feeds = openFeeds({
    directory: join(folder, "feeds"),
    feeds: FEEDS,
    snapshot: openSnapshot(folder, contents),
    now,
  });
  compiler = createCompiler({ registry: new URL("../../sources/feed_samples.ts", import.meta.url).href });
  download(DOWNLOADED);
  await feeds.rebuild(compiler);
});
afterAll(() => {
  compiler.close();
});

/** Opens the tables; with `everyList`, a survey asks every list, also those that have no entry. */
function openTables({ everyList = false } = {}): TableSurvey {
  const sources = [
    ...SOURCES.filter(({ id, local }) => local === true && !REAL_FEEDS.some((feed) => feed.id === id)),
    ...FEEDS.map((feed) => feedSource(feed)),
  ];
  const asked = everyList ? sources.map(({ list: _, ...source }) => source) : sources;
  return createTableSurvey(asked, {
    datasets: openDatasets({ directory: folder, feeds }),
    settings: { ...NO_SETTINGS, off: new Set() },
    now,
  });
}

/** Compares each answer with that of a survey of its own, in three orders, so that most answers are remembered. */
function expectSameAnswers(
  classifier: TableClassifier,
  tables: TableSurvey,
  addresses: readonly Address[],
): void {
  const expected = new Map(addresses.map((address) => [address.text, judgeSurvey(tables.survey(address))]));
  const shuffled = addresses.toSorted(() => draw(3) - 1);
  for (const order of [addresses, shuffled, addresses.toReversed()]) {
    for (const address of order) {
      const facts = expected.get(address.text);
      const found =
        order === shuffled ? classifier.classify(address) : classifier.classifyText(address.text)?.facts;
      if (!Bun.deepEquals(found, facts))
        expect({ ip: address.text, ...found }).toEqual({ ip: address.text, ...facts });
    }
  }
}

describe("createTableClassifier() answers like a survey", () => {
  test("at the edges of every range and at random addresses", () => {
    const tables = openTables({ everyList: true });
    const addresses = [...listEdges(), ...Array.from({ length: 300 }, drawAddress)];
    expect(addresses.length).toBeGreaterThan(1000);
    expect(addresses.filter((address) => !isBogon(address)).length).toBeGreaterThan(800);
    expectSameAnswers(createTableClassifier(openTables()), tables, addresses);
  });

  test("when its memory holds few addresses", () => {
    const tables = openTables();
    const limits = { facts: 8, addresses: 8 };
    expectSameAnswers(createTableClassifier(tables, { limits }), tables, listEdges());
  });

  test("as soon as the lists are replaced", async () => {
    const tables = openTables({ everyList: true });
    const classifier = createTableClassifier(openTables());
    expectSameAnswers(classifier, tables, listEdges().slice(0, 300));
    const before = tables.version();
    download(DOWNLOADED);
    await feeds.rebuild(compiler);
    expect(tables.version()).toBeGreaterThan(before);
    expectSameAnswers(classifier, tables, listEdges());
  });

  test("when lists and tables become old, and when the snapshot takes the place of a list", () => {
    const tables = openTables({ everyList: true });
    const classifier = createTableClassifier(openTables());
    const edges = listEdges();
    try {
      for (const days of [0, 1, 27, 28, 60, 200, 400]) {
        for (const ms of [0, 1, 1001]) {
          nowMs = START + days * DAY + ms;
          // Between two checks of the states, the answers may be a second old.
          if (ms !== 1) expectSameAnswers(classifier, tables, edges.slice(0, 400));
        }
      }
    } finally {
      nowMs = START;
    }
  });

  test("with the tables and lists that ship with the program", () => {
    const shipped = openFeeds({
      directory: join(folder, "none"),
      feeds: REAL_FEEDS,
      tables: TABLE_FEEDS,
      snapshot: openSnapshot(SEED),
      now,
    });
    const datasets = openDatasets({ directory: SEED, feeds: shipped });
    const tables = createTableSurvey(SOURCES, { datasets, settings: NO_SETTINGS, now });
    const addresses = [
      ...Array.from({ length: 300 }, drawAddress),
      ...KNOWN_BLOCKS.map((one) => readAddress(one.split("/")[0] ?? "")),
    ];
    expectSameAnswers(createTableClassifier(tables), tables, addresses);
  });
});

test("judgeSurvey() concludes what an assessment concludes", () => {
  const tables = openTables();
  for (const address of listEdges().slice(0, 200)) {
    const survey = tables.survey(address);
    const { coverage, range, geo, asn, flags, agreement, listings, scenarios, ...whole } = assess(survey);
    expect(judgeSurvey(survey)).toEqual({
      purity: whole.purity,
      band: whole.band,
      confidence: whole.confidence,
      usage: whole.usage,
      native: whole.native,
      flags,
      agreement,
      coverage: coverage?.total ?? expect.unreachable(),
      ...(geo?.country === undefined ? {} : { country: geo.country }),
      ...(asn?.asn === undefined ? {} : { asn: asn.asn }),
      ...(asn?.name === undefined ? {} : { asName: asn.name }),
      ...(asn?.kind === undefined ? {} : { asKind: asn.kind }),
      ...readFactors(whole.purity, whole.factors),
      low: range?.low ?? expect.unreachable(),
      ...(flags.isBogon ? { purpose: judgeSurvey(survey).purpose ?? expect.unreachable() } : {}),
      scenarios: scenarios.map(({ id, score, level }) => ({ id, score, level })),
      listed: listings.filter((one) => one.listed && !one.benign).length,
      unavailable: listings.filter((one) => one.unavailable).length,
      failed: whole.sources.filter(({ state }) => state === "failed").length,
    });
  }
});
