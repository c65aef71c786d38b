import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRegistry } from "#metrics";
import { parseExposition, readValue } from "./parse_exposition.ts";

describe("createRegistry()", () => {
  test("writes every metric with its help and type, also without samples", () => {
    const { counter, histogram, gauge, write } = createRegistry();
    counter("a_total", "Counts\na \\ thing.", [["kind", ["one", "two"]]]).add(["two"]);
    histogram("b_seconds", "Took.", [["kind", ["one"]]], [0.5, 1]);
    gauge("c", "Is.", [], () => []);
    expect(write()).toBe(
      [
        "# HELP a_total Counts\\na \\\\ thing.",
        "# TYPE a_total counter",
        'a_total{kind="one"} 0',
        'a_total{kind="two"} 1',
        "# HELP b_seconds Took.",
        "# TYPE b_seconds histogram",
        'b_seconds_bucket{kind="one",le="0.5"} 0',
        'b_seconds_bucket{kind="one",le="1"} 0',
        'b_seconds_bucket{kind="one",le="+Inf"} 0',
        'b_seconds_sum{kind="one"} 0',
        'b_seconds_count{kind="one"} 0',
        "# HELP c Is.",
        "# TYPE c gauge",
        "",
      ].join("\n"),
    );
  });

  test("counts a measurement in every bucket whose bound it does not exceed", () => {
    const registry = createRegistry();
    const took = registry.histogram("took", "Took.", [], [1, 2, 4]);
    for (const measure of [0, 1, 1.5, 2, 3, 4, 5]) took.observe([], measure);
    const metrics = parseExposition(registry.write());
    expect(["1", "2", "4", "+Inf"].map((le) => readValue(metrics, "took_bucket", { le }))).toEqual([
      2, 4, 6, 7,
    ]);
    expect(readValue(metrics, "took_sum")).toBe(16.5);
    expect(readValue(metrics, "took_count")).toBe(7);
  });

  test("counts values outside a label's set as one value, so that the number of series is bounded", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: "binary" }))), (pairs) => {
        const registry = createRegistry();
        const labels = [
          ["a", ["x", 'y"\\\n']],
          ["b", ["z", "constructor"]],
        ] as const;
        const count = registry.counter("n_total", "N.", labels);
        const read = () => pairs.map(([a, b], at) => [[a, b], at] as const);
        registry.gauge("g", "G.", labels, read);
        for (const [a, b] of pairs) count.add([a, b]);
        const metrics = parseExposition(registry.write());
        const samples = metrics.get("n_total")?.samples ?? [];
        expect(samples.length).toBeLessThanOrEqual(9);
        expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(pairs.length);
        for (const { labels: own } of [...samples, ...(metrics.get("g")?.samples ?? [])]) {
          expect(["x", 'y"\\\n', "other"]).toContain(own.a ?? "");
          expect(["z", "constructor", "other"]).toContain(own.b ?? "");
        }
      }),
    );
  });

  test("uses a label's set as it is at the time of counting", () => {
    const registry = createRegistry();
    const routes = new Set(["/a"]);
    const count = registry.counter("n_total", "N.", [["route", routes]]);
    count.add(["/b"]);
    routes.add("/b");
    count.add(["/b"]);
    const metrics = parseExposition(registry.write());
    expect(readValue(metrics, "n_total", { route: "other" })).toBe(1);
    expect(readValue(metrics, "n_total", { route: "/b" })).toBe(1);
  });

  test("omits the samples of a gauge that throws, and writes all others", () => {
    const registry = createRegistry();
    registry.gauge("broken", "B.", [], () => {
      throw new Error("no");
    });
    registry.gauge("whole", "W.", [], () => [[[], Number.POSITIVE_INFINITY]]);
    const metrics = parseExposition(registry.write());
    expect(metrics.get("broken")?.samples).toEqual([]);
    expect(readValue(metrics, "whole")).toBe(Number.POSITIVE_INFINITY);
  });

  test.each(["A", "a-b", "a b", ""])("refuses the name %p, and any name twice", (name) => {
    const { gauge } = createRegistry();
    expect(() => gauge(name, "G.", [], () => [])).toThrow("Cannot register");
    gauge("g", "G.", [], () => []);
    expect(() => gauge("g", "G.", [], () => [])).toThrow("Cannot register");
    expect(() => gauge("h", "G.", [["le", []]], () => [])).toThrow("Cannot register");
  });
});
