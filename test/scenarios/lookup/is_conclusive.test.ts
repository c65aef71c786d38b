import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Listing, mergeEvidence, type Observation, type SourceRun } from "#evidence";
import { isConclusive } from "#lookup";

const ADDRESS = "81.2.69.10";

function answered(id: string, observation: Observation, rest: Partial<SourceRun> = {}): SourceRun {
  return {
    id,
    name: id,
    kind: "free",
    family: id,
    matters: ["anonymity"],
    weight: 1,
    local: false,
    state: "answered",
    ms: 1,
    observation,
    ...rest,
  };
}

function silent(id: string, rest: Partial<SourceRun> = {}): SourceRun {
  const { observation: _, ...run } = answered(id, {}, rest);
  return { ...run, state: "failed", error: "timeout", ...rest };
}

function isConclusiveAfter(runs: readonly SourceRun[], address = ADDRESS): boolean {
  return isConclusive(mergeEvidence({ address, version: 4, surveyedAt: "2026-11-01T12:00:00.000Z", runs }));
}

function listed(rest: Partial<Listing> = {}): Observation {
  return {
    listings: [{ zone: "z", label: "Z", listed: true, codes: [], meanings: ["abuse"], ...rest }],
  };
}

const DENIES = answered("denies", { flags: { isVpn: false, isProxy: false } });
/** Two sources report a household line, and one of them checks for VPNs; ten sources in all. */
const HOUSEHOLD: readonly SourceRun[] = [
  answered("a", { usage: "residential", flags: { isVpn: false } }),
  answered("b", { usage: "residential" }),
  ...Array.from({ length: 8 }, (_, n) => answered(`list_${n}`, { listings: [] }, { matters: ["lists"] })),
];

describe("isConclusive()", () => {
  test("holds for special-purpose space", () => {
    expect(isConclusiveAfter([], "192.168.1.1")).toBe(true);
  });

  test.each<[string, readonly SourceRun[]]>([
    [
      "a public resolver",
      [answered("a", { infrastructure: { role: "public_dns_resolver", operator: "X" } })],
    ],
    ["a verified crawler", [answered("a", { reverse: { names: ["x"], crawler: "Bot" } })]],
    ["an authority's Tor exit", [answered("tor", { flags: { isTor: true }, authority: ["isTor"] })]],
    ["an authority's relay", [answered("r", { flags: { isRelay: true }, authority: ["isRelay"] })]],
    ["two families' VPN", ["a", "b"].map((id) => answered(id, { flags: { isVpn: true } }))],
    ["two families' proxy", ["a", "b"].map((id) => answered(id, { flags: { isProxy: true } }))],
    ["a hijacked netblock", [answered("a", listed({ meanings: ["severe"], authoritative: true }))]],
    ["a botnet controller", [answered("a", listed({ meanings: ["botnet"], authoritative: true }))]],
    [
      "hosting on which somebody looked for a VPN",
      [DENIES, ...["a", "b"].map((id) => answered(id, { flags: { isHosting: true } }))],
    ],
    ["an ordinary line of which all was heard", HOUSEHOLD],
    ["an ordinary line of which nearly all was heard", [...HOUSEHOLD, silent("s")]],
    ["an ordinary line on a policy list", [...HOUSEHOLD, answered("p", listed({ meanings: ["policy"] }))]],
    [
      "an ordinary line with an open port",
      [...HOUSEHOLD, answered("e", { exposure: { observed: true, ports: [443], vulns: [] } })],
    ],
  ])("holds for %s", (_, runs) => {
    expect(isConclusiveAfter(runs)).toBe(true);
  });

  test.each<[string, readonly SourceRun[]]>([
    ["nobody heard", []],
    ["one voice for a VPN", [answered("a", { flags: { isVpn: true } }), DENIES]],
    [
      "one family told twice",
      ["a", "b"].map((id) => answered(id, { flags: { isVpn: true } }, { family: "f" })),
    ],
    ["an authority's no", [answered("tor", { flags: { isTor: false }, authority: ["isTor"] })]],
    ["hosting nobody looked behind", ["a", "b"].map((id) => answered(id, { flags: { isHosting: true } }))],
    [
      "hosting with one voice for a proxy",
      [
        DENIES,
        answered("c", { flags: { isProxy: true } }),
        ...["a", "b"].map((id) => answered(id, { flags: { isHosting: true } })),
      ],
    ],
    ["one voice for hosting", [...HOUSEHOLD, answered("h", { flags: { isHosting: true } })]],
    ["an ordinary abuse listing", [...HOUSEHOLD, answered("l", listed())]],
    ["a listing that is severe on nobody's authority", [answered("a", listed({ meanings: ["severe"] }))]],
    ["a report of abuse", [...HOUSEHOLD, answered("x", { abuse: { reports: 1 } })]],
    ["a score of abuse", [...HOUSEHOLD, answered("x", { abuse: { score: 1 } })]],
    ["an attack", [...HOUSEHOLD, answered("x", { abuse: { attacks: { login: 1 } } })]],
    [
      "a vulnerability",
      [...HOUSEHOLD, answered("x", { exposure: { observed: true, ports: [], vulns: ["CVE-1"] } })],
    ],
    ["too much unheard", [...HOUSEHOLD, silent("s"), silent("t")]],
    ["a matter unheard", [...HOUSEHOLD, silent("s", { matters: ["abuse"] })]],
    ["a use on one voice", HOUSEHOLD.slice(0, 1)],
    ["a use nobody knows", HOUSEHOLD.map((run) => answered(run.id, { flags: { isVpn: false } }))],
    ["nobody who looked for a VPN", HOUSEHOLD.slice(1).concat(answered("c", { usage: "residential" }))],
    ["tables alone", HOUSEHOLD.map((run) => ({ ...run, local: true }))],
  ])("does not hold for %s", (_, runs) => {
    expect(isConclusiveAfter(runs)).toBe(false);
  });

  test("a failure instead of an answer never settles an ordinary line", () => {
    fc.assert(
      fc.property(fc.subarray(HOUSEHOLD.map((run) => run.id)), (lost) => {
        const runs = HOUSEHOLD.map((run) =>
          lost.includes(run.id) ? silent(run.id, { matters: run.matters }) : run,
        );
        expect(isConclusiveAfter(runs)).toBe(
          lost.length === 0 || (lost.length === 1 && !["a", "b"].includes(lost[0] ?? "")),
        );
      }),
    );
  });
});
