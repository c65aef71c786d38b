import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A recorded HTTP request and its answer. If `path` has no query, the query of the request is ignored. */
export interface HttpRecording {
  readonly host: string;
  readonly path: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
}

/** A recorded DNS query and its answer: records, or a code. Without either the name does not exist. */
export interface DnsRecording {
  readonly name: string;
  readonly type: "A" | "AAAA" | "TXT" | "PTR";
  readonly records?: readonly string[];
  readonly rcode?: "NXDOMAIN" | "NODATA" | "SERVFAIL" | "REFUSED" | "TIMEOUT";
}

/** A table with one range; `value` is in the format of the table's file. A table that is not recorded has no file. */
export interface TableRecording {
  readonly first: string;
  readonly last: string;
  readonly value: string;
  readonly date: string;
  readonly isDamaged?: boolean;
}

/** The expected run. `observation` is compared exactly; absent means that the run must have none. */
export interface Expectation {
  readonly state: "answered" | "empty" | "failed" | "skipped";
  readonly error?: string;
  readonly detail?: string;
  readonly skipped?: string;
  readonly observation?: unknown;
}

/** One recorded exchange with a source, and the expected run. */
export interface Fixture {
  readonly about: string;
  readonly address: string;
  readonly secret?: string;
  readonly http?: readonly HttpRecording[];
  readonly dns?: readonly DnsRecording[];
  readonly tables?: Readonly<Partial<Record<"asn" | "registration" | "country" | "city", TableRecording>>>;
  readonly expect: Expectation;
}

/** All recorded cases of one DNS list. */
export interface ZoneFixture {
  readonly zone: string;
  readonly selfTest: Readonly<
    Partial<Record<"4" | "6", { readonly listed: string; readonly clear: string }>>
  >;
  readonly secret?: string;
  readonly cases: Readonly<Record<string, Omit<Fixture, "about"> & { readonly about?: string }>>;
}

const FIXTURES = join(import.meta.dir, "../fixtures");

/** Fixtures of HTTP, DNS and table sources: source id → case name → fixture. */
export function readSourceFixtures(): Map<string, Map<string, Fixture>> {
  const root = join(FIXTURES, "sources");
  return new Map(
    readdirSync(root).map((file) => [
      file.replace(/\.json$/, ""),
      new Map(Object.entries(readJson<Record<string, Fixture>>(join(root, file)))),
    ]),
  );
}

/** Fixtures of DNS lists by zone id. */
export function readZoneFixtures(): Map<string, ZoneFixture> {
  const root = join(FIXTURES, "zones");
  return new Map(
    readdirSync(root).map((file) => [file.replace(/\.json$/, ""), readJson<ZoneFixture>(join(root, file))]),
  );
}

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(path, "utf8"));
}
