import { describe, expect, test } from "bun:test";
import { FLAGS, type Flag } from "#report";
import { type JudgedRow, measureAccuracy, shareOf } from "#scoring";

function row(truth: string, said: readonly Flag[], purity: number, rest: Partial<JudgedRow> = {}): JudgedRow {
  return {
    truth: truth.split(","),
    purity,
    usage: "unknown",
    flags: Object.fromEntries(FLAGS.map((flag) => [flag, said.includes(flag)])) as Record<Flag, boolean>, // one for each
    agreement: {},
    isListed: false,
    ...rest,
  };
}

describe("shareOf", () => {
  // Values of Wilson's score interval without continuity correction, as textbooks give them.
  test.each([
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [50, 100, 0.4038, 0.5962],
  ])("gives the interval of %i of %i", (hits, of, low, high) => {
    const share = shareOf(hits, of);
    expect(share.share).toBe(hits / of);
    expect(share.low).toBeCloseTo(low, 4);
    expect(share.high).toBeCloseTo(high, 4);
  });

  test("says nothing without rows", () => {
    expect(shareOf(0, 0)).toEqual({ hits: 0, of: 0, share: 0, low: 0, high: 0 });
  });
});

describe("measureAccuracy", () => {
  const rows = [
    row("vpn", ["isVpn"], 35, { agreement: { isVpn: 2 } }),
    row("vpn", [], 95),
    row("residential", ["isVpn"], 65, { usage: "residential", agreement: { isVpn: 1 } }),
    row("clean", [], 95, { usage: "hosting" }),
    row("listed", ["isVpn"], 5, { isListed: true, agreement: { isVpn: 5 } }),
  ];
  const accuracy = measureAccuracy(rows);
  const countsOf = (id: string) => {
    const found = [...accuracy.flags, ...accuracy.types].find((rate) => rate.id === id);
    return found && [found.recall, found.precision, found.alarms].map(({ hits, of }) => [hits, of]);
  };

  test("counts a flag only where the truth says yes or no", () => {
    expect(countsOf("vpn")).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(countsOf("listed")).toEqual([
      [1, 1],
      [1, 1],
      [0, 1],
    ]);
    expect(countsOf("residential")).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
  });

  test("does not say how often a flag is right in a set without true rows", () => {
    const alone = measureAccuracy([row("residential", ["isHosting"], 65)]);
    const hosting = alone.flags.find(({ id }) => id === "hosting");
    expect([hosting?.precision.of, hosting?.alarms.hits]).toEqual([0, 1]);
  });

  test("tells by band which share is bad, and by number of sources which share is true", () => {
    expect(accuracy.bands.map(({ band, bad }) => [band, bad.hits, bad.of])).toEqual([
      ["pristine", 1, 2],
      ["clean", 0, 0],
      ["neutral", 0, 1],
      ["suspicious", 1, 1],
      ["risky", 0, 0],
      ["dangerous", 1, 1],
    ]);
    expect(accuracy.agreement.map(({ right }) => [right.hits, right.of])).toEqual([
      [0, 1],
      [1, 1],
      [0, 0],
    ]);
  });

  test("computes the distance of the purity from what happened", () => {
    // 30 to 39: said 0.65, one bad; 90 to 100: said 0.1, one bad of two; 60 to 69: said 0.35; 0 to 9: said 0.95, bad.
    expect(accuracy.calibrationError).toBeCloseTo((0.35 + 0.9 + 0.35 + 0.05) / 5, 10);
    expect(measureAccuracy([]).calibrationError).toBe(0);
  });
});
