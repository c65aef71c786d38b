import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { openFor, readAddress } from "#kit";
import { dbipCity } from "../../../src/feeds/lists/dbip_city.ts";
import { encodeMmdb, type TestNetwork, type TestRecord } from "../../datasets/encode_mmdb.ts";
import { openFeedSetup } from "../feed_setup.ts";
import { smallCity } from "../small_feeds.ts";

const HOST = "download.db-ip.com";
const MARCH = "/free/dbip-city-lite-2026-03.mmdb.gz";
const FEBRUARY = "/free/dbip-city-lite-2026-02.mmdb.gz";

const at = openFor("each", openFeedSetup);

function place(country: string, region?: string, city?: string): TestRecord {
  return {
    country: { iso_code: country },
    ...(region === undefined
      ? {}
      : { subdivisions: [{ names: { en: region } }, { names: { en: "Second" } }] }),
    ...(city === undefined ? {} : { city: { names: { de: "Anders", en: city } } }),
  };
}

/** The network of a prefix in the one tree for both versions: IPv4 is ::/96. */
function network(text: string, record: TestRecord): TestNetwork {
  const [ip = "", length = ""] = text.split("/");
  const { version, words } = readAddress(ip);
  const all = version === 4 ? [0, 0, 0, ...words] : words;
  const bits = all.map((word) => word.toString(2).padStart(32, "0")).join("");
  return { bits: bits.slice(0, Number(length) + (version === 4 ? 96 : 0)), country: "", record };
}

const NETWORKS = [
  network("8.8.4.0/24", place("AT", "Tyrol", "Innsbruck")),
  network("8.8.5.0/24", place("AT", "Tyrol", "Innsbruck")),
  network("8.8.6.0/24", place("AT", "Tyrol", "Hall\u0007\tin Tirol")),
  network("8.8.7.0/24", place("ZZ")),
  network("192.168.0.0/16", place("NO", "Home")),
  network("2600:9000::/32", place("US", "Ohio")),
  network("2600:9001::/32", place("US", "Ohio")),
  network("2600:9002:0:1::/65", place("SE")),
  network("2600:9002:0:1:8000::/65", place("FI")),
  network("2001:db8::/32", place("NO")),
];
const ALIAS = { bits: "0010000000000010", to: "0".repeat(96) };
const FILE = gzipSync(encodeMmdb(6, 28, NETWORKS, [ALIAS]));

const open = () => at.openTable(smallCity);
const download = ({ feeds }: ReturnType<typeof open>) => at.refresh(smallCity, feeds, { compiles: true });
const paths = () => at.gateway.calls.map((call) => call.path);

describe("dbipCity", () => {
  test("becomes a table of places, in the running process and after a restart", async () => {
    at.gateway.on(HOST, MARCH, { bytes: FILE });
    const own = open();
    expect(own.datasets.state("city").ready).toBe(false);
    expect(own.datasets.states().map(({ id }) => id)).not.toContain("city");
    expect(() => own.datasets.place(readAddress("8.8.4.4"))).toThrow("city.table");
    expect(await download(own)).toEqual({ id: "dbip_city", did: "updated", rows: 4 });
    for (const { datasets } of [own, open()]) {
      const find = (text: string) => datasets.place(readAddress(text));
      expect(find("8.8.3.255")).toBeUndefined();
      expect(find("8.8.4.0")).toEqual({ country: "AT", region: "Tyrol", city: "Innsbruck" });
      expect(find("8.8.5.255")).toBe(find("8.8.4.0"));
      expect(find("8.8.6.1")).toEqual({ country: "AT", region: "Tyrol", city: "Hall in Tirol" });
      expect(find("8.8.7.1")).toBeUndefined();
      expect(find("192.168.0.1")).toBeUndefined();
      expect(find("2600:9001:ffff::")).toEqual({ country: "US", region: "Ohio" });
      expect(find("2600:9002::")).toBeUndefined();
      expect(find("2600:9002:0:1:ffff::")).toEqual({ country: "SE" });
      expect(find("2001:db8::1")).toBeUndefined();
      expect(find("2002:808:404::1")).toBeUndefined();
      expect(datasets.state("city")).toMatchObject({ ready: true, date: "2026-03-01", rows: 4 });
      expect(datasets.states().map(({ id }) => id)).toContain("city");
    }
  });

  test("uses last month's file until this month's file exists", async () => {
    const own = open();
    expect(await download(own)).toMatchObject({ did: "failed", problem: "status: HTTP 404" });
    expect(paths()).toEqual([MARCH, FEBRUARY]);
    at.gateway.on(HOST, FEBRUARY, ({ headers }) =>
      headers.get("if-none-match") === '"two"'
        ? { status: 304 }
        : { bytes: FILE, headers: { etag: '"two"' } },
    );
    expect(await download(own)).toMatchObject({ did: "updated" });
    expect(own.datasets.state("city").date).toBe("2026-02-01");
    expect(await download(own)).toMatchObject({ did: "unchanged" });
    at.gateway.on(HOST, MARCH, { bytes: gzipSync(encodeMmdb(6, 28, NETWORKS.slice(1), [ALIAS])) });
    expect(await download(own)).toMatchObject({ did: "updated" });
    expect(own.datasets.state("city").date).toBe("2026-03-01");
    expect(own.datasets.place(readAddress("8.8.4.4"))).toBeUndefined();
  });

  test("requests no other month after a failure other than 404", async () => {
    at.gateway.on(HOST, MARCH, { status: 500 });
    expect(await download(open())).toMatchObject({ did: "failed", problem: "status: HTTP 500" });
    expect(paths()).toEqual([MARCH]);
  });

  test("finds last month's file in January", () => {
    const [file] = dbipCity.files;
    expect(file.urls(Date.UTC(2027, 0, 31, 23))).toEqual([
      "https://download.db-ip.com/free/dbip-city-lite-2027-01.mmdb.gz",
      "https://download.db-ip.com/free/dbip-city-lite-2026-12.mmdb.gz",
    ]);
    for (const url of file.urls(0)) expect(new URL(url).host).toBe(new URL(file.url).host);
  });

  const unpacked = encodeMmdb(6, 28, NETWORKS);
  const looped = new Uint8Array(unpacked);
  looped.set([0, 0, 0, 0, 0, 0, 0], 0);
  test.each<[string, Uint8Array]>([
    ["a file that is not gzip", unpacked],
    ["a file that is not a MaxMind DB", gzipSync("country,region,city\n".repeat(100))],
    ["a web page", gzipSync("<!doctype html><html></html>")],
    ["a file that was cut short", gzipSync(unpacked.subarray(0, unpacked.length - 300))],
    ["a tree that loops", gzipSync(looped)],
    ["a file for IPv4 only", gzipSync(encodeMmdb(4, 28, [{ bits: "00001000", country: "US" }]))],
    [
      "records of another format",
      gzipSync(
        encodeMmdb(
          6,
          28,
          NETWORKS.map(({ bits }) => ({ bits, country: "US" })),
        ),
      ),
    ],
    ["too few places", gzipSync(encodeMmdb(6, 28, NETWORKS.slice(0, 5)))],
    ["a file that unpacks to too many bytes", gzipSync(new Uint8Array(2_000_000))],
  ])("refuses %s, and the last good download stays", async (_, bytes) => {
    const own = open();
    at.gateway.on(HOST, MARCH, { bytes: FILE });
    await download(own);
    at.gateway.on(HOST, MARCH, { bytes });
    expect(await download(own)).toMatchObject({ did: "failed" });
    expect(own.datasets.place(readAddress("8.8.4.4"))?.city).toBe("Innsbruck");
  });
});
