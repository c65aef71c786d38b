import { describe, expect, test } from "bun:test";
import { mergeEvidence, type Observation, type SourceRun } from "#evidence";

const VENDOR: Observation = { flags: { isVpn: true, isTor: true }, echoes: ["tor", "x4bnet"] };

describe("mergeFlags()", () => {
  test("counts a vendor that includes a list only when the list itself does not report", () => {
    expect(vpnOf(answered("vendor", VENDOR)).agreement).toBe(1);
    expect(vpnOf(answered("vendor", VENDOR), answered("x4bnet", { flags: { isVpn: true } }))).toMatchObject({
      yes: ["vendor", "x4bnet"],
      agreement: 1,
      exact: 1,
    });
    expect(vpnOf(answered("vendor", VENDOR), answered("x4bnet", { flags: { isVpn: false } })).agreement).toBe(
      1,
    );
    expect(vpnOf(answered("vendor", VENDOR), answered("other", { flags: { isVpn: true } })).agreement).toBe(
      2,
    );
  });

  test("counts an authority as two, even when vendors include its list", () => {
    const list = answered("tor", { flags: { isTor: true }, authority: ["isTor"] });
    const { isTor } = merge(list, answered("vendor", VENDOR), answered("second", VENDOR)).flags;
    expect(isTor).toMatchObject({ agreement: 2, exact: 2, authoritative: true });
    expect(merge(list).flags.isTor.agreement).toBe(2);
  });

  test("counts a vendor as exact when the list it includes knows only the /64", () => {
    const list = answered("x4bnet", { flags: { isVpn: true }, subnetFlags: ["isVpn"] });
    expect(vpnOf(list, answered("vendor", VENDOR))).toMatchObject({ agreement: 1, exact: 1 });
    expect(vpnOf(list)).toMatchObject({ agreement: 1, exact: 0 });
  });

  test("calls a corporate gateway a VPN only on the word of a VPN operator", () => {
    const gateway = answered("table", { asn: { asn: 62044, name: "Zscaler" } });
    const list = answered("x4bnet", { flags: { isVpn: true } });
    const operator = answered("operator", { flags: { isVpn: true }, authority: ["isVpn"] });
    expect(vpnOf(gateway, list).value).toBe(false);
    expect(vpnOf(gateway, list, operator)).toMatchObject({ value: true, yes: ["operator"] });
    expect(vpnOf(answered("table", { asn: { asn: 64496 } }), list).value).toBe(true);
  });
});

function answered(id: string, observation: Observation): SourceRun {
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
  };
}

function merge(...runs: readonly SourceRun[]) {
  return mergeEvidence({ address: "203.0.113.7", version: 4, surveyedAt: "2026-10-02T00:00:00Z", runs });
}

function vpnOf(...runs: readonly SourceRun[]) {
  return merge(...runs).flags.isVpn;
}
