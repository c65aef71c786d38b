import { describe, expect, test } from "bun:test";
import { mergeEvidence, type Observation, type SourceRun } from "#evidence";

function answered(id: string, observation: Observation): SourceRun {
  return {
    id,
    name: id,
    kind: "free",
    family: id,
    matters: [],
    weight: 1,
    local: false,
    state: "answered",
    ms: 1,
    observation,
  };
}

const merge = (...runs: readonly SourceRun[]) =>
  mergeEvidence({ address: "81.2.69.142", version: 4, surveyedAt: "", runs });
const cogent = answered("table", { asn: { asn: 174, name: "Cogent Communications" } });
const registry = (fields: Observation["registry"] & object) => answered("rdap", { registry: fields });

describe("space of a carrier", () => {
  test("that is registered in another country is hosting, by one family", () => {
    const { usage, flags } = merge(cogent, registry({ country: "SC" }));
    expect(usage).toMatchObject({ type: "hosting", reasons: ["leased_space"], kind: "carrier" });
    expect(flags.isHosting).toMatchObject({ value: true, yes: ["leased_space"], agreement: 1 });
  });

  test("that is registered to another holder at home is hosting too", () => {
    expect(merge(cogent, registry({ country: "US", org: "Example Ltd" })).usage.type).toBe("hosting");
    expect(merge(cogent, registry({ country: "US", org: "PSINet, by Cogent" })).usage.type).toBe("unknown");
    expect(merge(cogent, registry({ country: "US" })).usage.type).toBe("unknown");
    expect(merge(cogent).usage.type).toBe("unknown");
  });

  test("is not hosting where the holder's name or a source shows another use", () => {
    expect(merge(cogent, registry({ country: "FR", org: "Banque Example" })).flags.isHosting.value).toBe(
      false,
    );
    const said = answered("vendor", { usage: "business" });
    expect(merge(cogent, registry({ country: "SC" }), said).flags.isHosting.value).toBe(false);
    const denied = answered("vendor", { flags: { isHosting: false } });
    expect(merge(cogent, registry({ country: "SC" }), denied).usage.type).toBe("unknown");
    const confirmed = answered("vendor", { flags: { isHosting: true } });
    expect(merge(cogent, registry({ country: "SC" }), confirmed).flags.isHosting.agreement).toBe(2);
  });

  test("of a network that is no carrier, and of AS5511, is not judged by its registration", () => {
    for (const asn of [4134, 5511, 64500]) {
      const network = answered("table", { asn: { asn, name: "Example" } });
      expect(merge(network, registry({ country: "SC" })).flags.isHosting.value).toBe(false);
    }
  });
});
