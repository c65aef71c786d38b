import { describe, expect, test } from "bun:test";
import { startsOfBlocks } from "#datasets";
import type { TableFacts } from "#lookup";
import { FLAGS } from "#report";
import {
  collectExport,
  createJudge,
  type ExportPolicy,
  isExported,
  readExportArguments,
} from "../../../src/cli/export/export.ts";

const VPN = makeFacts({ agreement: { isVpn: 1 } });

function makeFacts(changes: Partial<TableFacts> = {}): TableFacts {
  const set = changes.agreement ?? {};
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, set[flag] !== undefined]));
  return {
    purity: 50,
    accused: 50,
    coverage: 0.3,
    low: 40,
    band: "neutral",
    confidence: "low",
    usage: "hosting",
    native: "unknown",
    flags: flags as TableFacts["flags"],
    agreement: {},
    isShared: false,
    scenarios: [{ id: "ai", score: 50, level: "fair" }],
    listed: 0,
    unavailable: 0,
    failed: 0,
    asn: 64500,
    country: "LT",
    ...changes,
  };
}

const policy = (...args: readonly string[]): ExportPolicy =>
  readExportArguments(["--deny", "vpn,tor", ...args]);

describe("readExportArguments", () => {
  test("reads a policy; a denied word is not spared by default", () => {
    expect(
      readExportArguments(["--deny", "vpn, mobile", "--as", "AS64500,64501", "--country", "lt"]),
    ).toEqual({
      deny: ["vpn", "mobile"],
      spare: ["crawler", "cdn", "satellite", "shared"],
      minSources: 1,
      asns: new Set([64500, 64501]),
      countries: new Set(["LT"]),
      format: "cidr",
      maxShare: 10,
    });
  });
});

describe("isExported", () => {
  test("counts the sources of the denied words", () => {
    expect(isExported(VPN, policy())).toBe(true);
    expect(isExported(VPN, policy("--min-sources", "2"))).toBe(false);
    expect(isExported(makeFacts({ agreement: { isVpn: 1, isTor: 2 } }), policy("--min-sources", "2"))).toBe(
      true,
    );
    expect(isExported(makeFacts(), policy())).toBe(false);
  });

  test("never exports what is spared, public infrastructure, or another network or country", () => {
    expect(isExported({ ...VPN, asKind: "cdn" }, policy())).toBe(false);
    expect(isExported({ ...VPN, asKind: "satellite" }, policy())).toBe(false);
    expect(isExported({ ...VPN, asKind: "satellite" }, policy("--spare", "cdn"))).toBe(true);
    expect(isExported({ ...VPN, usage: "mobile" }, policy())).toBe(false);
    const unused = { ...VPN, scenarios: [{ id: "ai", score: null, level: "not_applicable" }] as const };
    expect(isExported(unused, policy("--spare", "relay"))).toBe(false);
    expect(isExported(VPN, policy("--as", "64501"))).toBe(false);
    expect(isExported(VPN, policy("--country", "TH"))).toBe(false);
    expect(isExported(VPN, policy("--country", "TH,LT", "--as", "64500"))).toBe(true);
  });
});

test("createJudge() exports only what is denied with the lists that must not be passed on, and without them", () => {
  const clean = makeFacts();
  const judge = (all: TableFacts, published: TableFacts) =>
    createJudge(
      policy(),
      { classify: () => all },
      { classify: () => published },
    )({ text: "81.2.69.1", version: 4, words: [0] }).isDenied;
  expect(judge(VPN, VPN)).toBe(true);
  expect(judge(VPN, clean)).toBe(false);
  expect(judge(clean, VPN)).toBe(false);
});

test("collectExport() refuses an AS without a network, and more than the share of announced addresses", () => {
  const whole = (version: 4 | 6) => {
    const width = version === 4 ? 1 : 4;
    const half = Array.from({ length: width }, (_, w) => (w === 0 ? 0x8000_0000 : 0));
    return [startsOfBlocks(version, [{ first: Array(width).fill(0), last: half }])];
  };
  const ports = {
    starts: whole,
    judge: ({ words }: { readonly words: readonly number[] }) => ({ facts: VPN, isDenied: words[0] === 0 }),
  };
  const given = { asns: new Set<number>(), maxShare: 50 };
  expect(() => collectExport({ ...given, asns: new Set([64501]) }, ports)).toThrow(
    "Cannot export AS64501: no network of the tables has this number",
  );
  expect(() => collectExport({ ...given, maxShare: 49 }, ports)).toThrow(
    "Cannot export: it covers 51 % of the announced IPv4 addresses, more than --max-share 49; nothing was written",
  );
  expect(collectExport({ asns: new Set([64500]), maxShare: 51 }, ports)).toHaveLength(2);
});
