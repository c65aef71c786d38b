import { describe, expect, test } from "bun:test";
import type { AsKind } from "#report";
import { AS_ORIGINS, type AsKindVote, type AsOrigin, readOrigin } from "../../src/evidence/as_kinds.ts";
import { decideKind, findNetworkKind, findOriginFamily } from "../../src/evidence/network_kind.ts";
import NETWORKS from "../fixtures/evidence/networks.json";

const vote = (origin: AsOrigin, kind: AsKind): AsKindVote => ({ origin, kind });

describe("decideKind()", () => {
  test("follows our own table against all other origins together", () => {
    const others = Object.keys(AS_ORIGINS)
      .flatMap((origin) => readOrigin(origin) ?? [])
      .filter((origin) => origin !== "as_class");
    const votes = [...others.map((origin) => vote(origin, "hosting")), vote("as_class", "isp")];
    expect(decideKind(votes)).toMatchObject({ kind: "isp", use: "residential" });
  });

  test.each([
    ["openasn", "mobile", "x4bnet", "hosting", "mobile"],
    ["x4bnet", "hosting", "oxl_isp", "isp", "hosting"],
    ["oxl", "education", "oxl_isp", "isp", "education"],
    ["as_name", "isp", "oxl", "hosting", "residential"],
    ["x4bnet", "hosting", "as_name", "isp", "hosting"],
    ["bgp_tools_tags", "isp", "x4bnet", "hosting", "residential"],
    ["as_name", "business", "peeringdb", "isp", "business"],
  ] as const)("prefers %s (%s) to %s (%s)", (winner, kind, loser, other, use) => {
    const decided = decideKind([vote(loser, other), vote(winner, kind)]);
    expect(decided).toMatchObject({ kind, use });
    expect(decided.votes).toEqual([
      { origin: winner, kind, weight: AS_ORIGINS[winner].weight, agrees: true },
      { origin: loser, kind: other, weight: AS_ORIGINS[loser].weight, agrees: false },
    ]);
  });

  test("adds the weights of origins that agree on the use", () => {
    const name = vote("as_name", "hosting");
    expect(decideKind([name, vote("peeringdb", "isp")]).use).toBe("hosting");
    expect(decideKind([name, vote("peeringdb", "isp"), vote("as_metadata", "isp")]).use).toBe("residential");
  });

  test("counts an origin that names several kinds once for each use, and names the more specific kind", () => {
    const tags = decideKind([vote("bgp_tools_tags", "hosting"), vote("bgp_tools_tags", "vpn")]);
    expect(tags).toMatchObject({ kind: "vpn", use: "hosting" });
    const both = [...tags.votes, vote("as_name", "isp"), vote("peeringdb", "isp")];
    expect(decideKind(both).use).toBe("residential");
  });

  test("does not depend on the order of the votes, and knows nothing without votes", () => {
    const votes = [vote("oxl", "hosting"), vote("peeringdb", "education"), vote("as_metadata", "business")];
    expect(decideKind(votes.toReversed())).toEqual(decideKind(votes));
    expect(decideKind([])).toEqual({ use: "unknown", votes: [] });
  });
});

describe("findOriginFamily()", () => {
  test("counts AS numbers of X4BNet as its ranges, unless another list that ships says the same", () => {
    const alone = decideKind([vote("x4bnet", "hosting"), vote("oxl_isp", "isp")]);
    expect(findOriginFamily("x4bnet", alone)).toBe("x4bnet");
    const repeated = decideKind([vote("x4bnet", "hosting"), vote("oxl", "hosting")]);
    expect(findOriginFamily("x4bnet", repeated)).toBe("as_class");
    expect(findOriginFamily("peeringdb", repeated)).toBe("peeringdb");
  });
});

describe("findNetworkKind()", () => {
  test("does not read the name of a network in our own table", () => {
    const { kind, votes } = findNetworkKind({ asn: 24940, name: "Example University" }, []);
    expect(kind).toBe("hosting");
    expect(votes.map(({ origin }) => origin)).not.toContain("as_name");
    expect(findNetworkKind({ asn: 64500, name: "Example University" }, []).kind).toBe("education");
  });

  test.each(NETWORKS.kinds as [number, AsKind][])(
    "knows what AS%d is although other lists say something else",
    (asn, kind) => {
      expect(findNetworkKind({ asn, name: "Example" }, []).kind).toBe(kind);
    },
  );

  test("a carrier has a kind and no use, and no list gives it one", () => {
    const told = [vote("bgp_tools_tags", "hosting")];
    expect(findNetworkKind({ asn: 6939, name: "Hurricane Electric LLC" }, told)).toMatchObject({
      kind: "carrier",
      use: "unknown",
    });
  });
});
