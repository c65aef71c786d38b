import { describe, expect, test } from "bun:test";
import { mergeEvidence, type Observation, type SourceRun } from "#evidence";
import { classifyReverseName } from "../../src/evidence/reverse_names.ts";

test.each([
  ["p5b0d7f3a.dip0.t-ipconnect.de", "residential"],
  ["198-51-100-7.dynamic.example.net", "residential"],
  ["198-51-100-7.dsl.static.example.net", "residential"],
  ["198-51-100-7.static.example.net", "business"],
  ["lte-198-51-100-7.example.net", "mobile"],
  ["ec2-198-51-100-7.compute-1.amazonaws.com", "hosting"],
  ["vps1234.example.net", "hosting"],
  ["srv7.example-hosting.com", "hosting"],
  ["mail.example.com", "infrastructure"],
  ["ae-3.cr1.fra.example.net", "infrastructure"],
  ["lab7.cs.example.edu", "education"],
  ["lab7.example.ac.uk", "education"],
  ["office.example.gov", "government"],
  ["www.example.com", undefined],
  ["host-198-51-100-7.example.com", undefined],
  ["localhost", undefined],
  ["-", undefined],
  ["a".repeat(70_000), undefined],
] as const)("%.60s is %s", (name, kind) => {
  expect(classifyReverseName(name)).toBe(kind);
});

describe("a reverse name in the evidence", () => {
  const said = (id: string, observation: Observation): SourceRun => ({
    ...{ id, name: id, kind: "free", family: id, matters: ["network"], weight: 1, local: false, ms: 1 },
    ...{ state: "answered", observation },
  });
  const merge = (name: string, ...others: readonly SourceRun[]) =>
    mergeEvidence({
      address: "81.2.69.10",
      version: 4,
      surveyedAt: "2026-01-01T00:00:00.000Z",
      runs: [said("reverse_dns", { reverse: { names: [name] } }), ...others],
    });
  const HOME = "home-7.dynamic.example.net";

  test("names a data centre where nobody says otherwise", () => {
    const { usage, flags } = merge("vps1234.example.net");
    expect(usage.type).toBe("hosting");
    expect(flags.isHosting).toMatchObject({ value: true, yes: ["reverse_dns"], agreement: 1 });
    expect(merge("vps1234.example.net", said("a", { usage: "residential" })).usage.type).toBe("residential");
  });

  test("never clears a flag or makes a home line alone, but confirms one", () => {
    expect(merge(HOME).usage.type).toBe("unknown");
    const server = said("a", { flags: { isHosting: true, isVpn: true } });
    expect(merge(HOME, server).flags).toMatchObject({ isHosting: { value: true }, isVpn: { value: true } });
    expect(merge(HOME, server, said("b", { usage: "business" })).flags.isHosting.value).toBe(true);
    expect(merge(HOME, said("a", { usage: "residential" })).usage.families).toContain("reverse_dns");
  });

  test("decides between two sources that disagree", () => {
    const [home, office] = [said("a", { usage: "residential" }), said("b", { usage: "business" })];
    expect(merge(HOME, home, office).usage.type).toBe("residential");
    expect(merge("198-51-100-7.business.example.net", home, office).usage.type).toBe("business");
  });
});
