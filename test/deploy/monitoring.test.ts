import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { findFreePort, findProgram, setUp, setUpService } from "#kit";
import { PROJECT, readDocument } from "../docs/list_documents.ts";
import ALERTS from "../fixtures/deploy/alerts.json";
import { type ParsedMetric, parseExposition } from "../metrics/parse_exposition.ts";

const RULES = join(PROJECT, "deploy/monitoring/limpid_alerts.yaml");
const DASHBOARD = join(PROJECT, "deploy/monitoring/limpid_dashboard.json");
const promtool = findProgram("promtool");
const prometheus = findProgram("prometheus");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = Bun.YAML.parse(readFileSync(RULES, "utf8")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly datasource: { readonly uid: string };
  }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: unknown }[];
  };
  readonly panels: readonly Panel[];
}
const dashboard = JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== "row");

/** Expressions of the dashboard with a value for each variable, as Grafana sends them. */
const shown = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ refId, expr }) => ({
    name: `${title} ${refId}`,
    expr: expr
      .replaceAll("$__rate_interval", "5m")
      .replaceAll("$job", "limpid")
      .replaceAll("$instance", ".*"),
  })),
);
const expressions = [...rules.map(({ alert, expr }) => ({ name: alert, expr })), ...shown];

const setup = setUp("all");
const service = setUpService({}, setup);
let folder: string;
let metrics: ReadonlyMap<string, ParsedMetric>;
let exposition: string;

beforeAll(async () => {
  folder = setup.makeFolder();
  expect((await fetch(`${service.url}/api/lookup?ip=8.8.4.77`)).status).toBe(200);
  exposition = await (await fetch(`${service.url}/metrics`)).text();
  metrics = parseExposition(exposition);
});

/** Names of metrics in an expression, without the endings of a histogram. */
function metricsOf(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:limpid|process)_\w+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ""),
  );
}

describe("the alert rules and the dashboard", () => {
  test("use only metrics that a running service shows", () => {
    const used = expressions.flatMap(({ name, expr }) => metricsOf(expr).map((metric) => ({ name, metric })));
    expect(used.filter(({ metric }) => !metrics.has(metric))).toEqual([]);
    expect(used.length).toBeGreaterThan(40);
  });

  test("compare labels with values that the service has", () => {
    const document = readDocument("docs/operators/metrics.md").prose;
    const wrong: string[] = [];
    for (const { name, expr } of expressions) {
      for (const [, metric = "", matchers = ""] of expr.matchAll(/\b((?:limpid|process)_\w+)\{([^}]*)\}/g)) {
        for (const [, label = "", value = ""] of matchers.matchAll(/(\w+)!?=~?"([^"]*)"/g)) {
          if (label === "job" || label === "instance") continue;
          const row = new RegExp(`^\\| \`${metric.replace(/_bucket$/, "")}\` .*\`${label}\``, "m");
          if (!row.test(document)) wrong.push(`${name}: ${metric} has no label ${label}`);
          const values = (metrics.get(metric)?.samples ?? []).map(({ labels }) => labels[label]);
          if (!values.includes(value) && !KNOWN_VALUES.includes(value))
            wrong.push(`${name}: ${label}=${value}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("have a severity, a summary and a runbook of two lines at most", () => {
    for (const { alert, labels, annotations, ...rule } of rules) {
      expect(["page", "ticket"], alert).toContain(labels.severity);
      expect(rule.for, alert).toMatch(/^\d+[mh]$/);
      expect(annotations.summary.length, alert).toBeGreaterThan(20);
      expect(annotations.runbook.length, alert).toBeGreaterThan(40);
      expect(annotations.runbook.length, alert).toBeLessThan(260);
    }
    const { prose } = readDocument("docs/operators/monitoring.md");
    const documented = [...prose.matchAll(/^\| `(Limpid\w+)` \| (page|ticket) \|/gm)].map(
      ([, alert, severity]) => `${alert} ${severity}`,
    );
    expect(documented.toSorted()).toEqual(
      rules.map(({ alert, labels }) => `${alert} ${labels.severity}`).toSorted(),
    );
  });

  test("form a dashboard that Grafana can import: unique ids, no overlap, one data source variable", () => {
    expect(dashboard.uid).toMatch(/^[\w-]{1,40}$/);
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(dashboard).not.toHaveProperty("id");
    const { list } = dashboard.templating;
    expect(list.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["job", "query"],
      ["instance", "query"],
    ]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = new Set<string>();
    for (const { title, gridPos, type } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      expect(["row", "stat", "timeseries", "bargauge"]).toContain(type);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells.has(`${x} ${y}`), title).toBe(false);
          cells.add(`${x} ${y}`);
        }
    }
    for (const { title, description = "", datasource, targets = [] } of panels) {
      expect(description, title).not.toBe("");
      expect(targets.length, title).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      for (const uid of [datasource?.uid, ...targets.map((target) => target.datasource.uid)])
        expect(uid, title).toBe("$" + "{datasource}");
    }
  });
});

/** Values of labels that a service shows only after such an event. */
const KNOWN_VALUES = ["city", "500", "overloaded", "failed", "skipped"];

/**
 * Series of a service without a fault, for which no alert fires; and for each alert those for which it does, with the time
 * at which it must. All series run at one value a minute.
 */
const HEALTHY: Series = ALERTS.healthy;
const FIRING: Readonly<Record<string, Series>> = ALERTS.firing;
type Series = Readonly<Record<string, string>>;

/** The series of one instance, as a test file of promtool has them. */
function seriesOf(values: Series) {
  const add = 'job="limpid",instance="one:8080"';
  return Object.entries(values).map(([series, numbers]) => ({
    series: series.endsWith("}") ? series.replace("}", `,${add}}`) : `${series}{${add}}`,
    values: numbers,
  }));
}

function runPromtool(...args: readonly string[]): { readonly code: number; readonly text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([promtool ?? "", ...args]);
  return { code: exitCode, text: `${stdout}${stderr}` };
}

/** promtool cannot count alerts of unknown labels, so each rule becomes a test of `ALERTS`. */
function writeTest(name: string, values: Series, minutes: number, fires: readonly string[]) {
  const file = join(folder, `${name}.yaml`);
  const samples = (alert: string) => (fires.includes(alert) ? [{ labels: "{}", value: 1 }] : []);
  const content = {
    rule_files: [RULES],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: seriesOf(values),
        promql_expr_test: rules.map(({ alert }) => ({
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
          eval_time: `${minutes}m`,
          exp_samples: samples(alert),
        })),
      },
    ],
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe.skipIf(promtool === undefined)("promtool", () => {
  test("accepts the rules", () => {
    const { code, text } = runPromtool("check", "rules", RULES);
    expect(code, text).toBe(0);
    expect(text).toContain(`${rules.length} rules found`);
  });

  test("accepts /metrics", () => {
    const { exitCode, stderr } = Bun.spawnSync([promtool ?? "", "check", "metrics"], {
      stdin: Buffer.from(exposition),
    });
    expect(exitCode, String(stderr)).toBe(0);
  });

  test("sees no alert for a healthy service", () => {
    const { code, text } = runPromtool("test", "rules", writeTest("healthy", HEALTHY, 490, []));
    expect(code, text).toBe(0);
  });

  test.each(Object.entries(FIRING))("sees %s fire, and nothing else", (alert, values) => {
    const lengths = Object.values(values).map((numbers) => Number(/x(\d+)$/.exec(numbers)?.[1]));
    const file = writeTest(alert, values, Math.min(...lengths) - 1, [alert]);
    const { code, text } = runPromtool("test", "rules", file);
    expect(code, text).toBe(0);
  });

  test("has a test for each alert", () => {
    expect(Object.keys(FIRING).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });
});

describe.skipIf(prometheus === undefined)("a real Prometheus that scrapes limpid", () => {
  let child: Subprocess;
  let url: string;

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const file = join(folder, "prometheus.yml");
    const block = readDocument("docs/operators/monitoring.md").blocks.find(
      ({ info }) => info === "prometheus",
    );
    const config = (block?.code ?? "")
      .replace("127.0.0.1:8080", new URL(service.url).host)
      .replace("/etc/prometheus/limpid_alerts.yaml", RULES);
    writeFileSync(file, `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${config}`);
    child = Bun.spawn(
      [
        prometheus ?? "",
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, "tsdb")}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=error",
      ],
      { env: {}, stdout: "ignore", stderr: "ignore" },
    );
    for (let tries = 0; tries < 200; tries += 1) {
      const samples = await query('count({job="limpid"})').catch(() => []);
      if (samples.length > 0) return;
      if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
      await Bun.sleep(100);
    }
    throw new Error("Prometheus has no sample of limpid");
  });
  afterAll(async () => {
    child?.kill();
    await child?.exited;
  });

  async function query(expr: string): Promise<readonly { readonly value: readonly [number, string] }[]> {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const answer = (await response.json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
    };
    if (answer.status !== "success") throw new Error(`Cannot query ${expr}: ${answer.error}`);
    return answer.data.result;
  }

  test("loads every rule, and evaluates it without an error", async () => {
    const read = async () => {
      const response = await fetch(`${url}/api/v1/rules`);
      const answer = (await response.json()) as {
        readonly data: { readonly groups: readonly { readonly rules: readonly Record<string, string>[] }[] };
      };
      return answer.data.groups.flatMap((group) => group.rules);
    };
    let loaded = await read();
    for (let tries = 0; tries < 100 && loaded.some(({ health }) => health === "unknown"); tries += 1) {
      await Bun.sleep(100);
      loaded = await read();
    }
    expect(loaded.map(({ name, health }) => [name, health])).toEqual(rules.map(({ alert }) => [alert, "ok"]));
    expect(loaded.filter(({ state }) => state === "firing")).toEqual([]);
  });

  test("answers every expression of the dashboard", async () => {
    // Rates need two samples.
    await Bun.sleep(1500);
    expect((await fetch(`${service.url}/api/lookup?ip=8.8.4.78`)).status).toBe(200);
    const empty: string[] = [];
    for (const { name, expr } of shown) if ((await query(expr)).length === 0) empty.push(name);
    // A mirror's delay, failures and refusals: this service has none.
    expect(empty).toEqual([
      "Refusals A",
      "Sources that fail A",
      "Database failures and unsaved surveys A",
      "Delay of a mirror A",
    ]);
  });
});
