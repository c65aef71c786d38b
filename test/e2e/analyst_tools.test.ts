import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, findProgram, readToEnd, setUp, setUpService } from "#kit";
import { PROJECT } from "../docs/list_documents.ts";

/**
 * Runs the scripts below integrations/ with a real Python against a real limpid. IntelOwl, MISP and Cortex are in no
 * package registry of Debian or npm: each script is called as its framework calls it, IntelOwl's with a base class of
 * four lines in place of its own.
 */
const ROOT = join(PROJECT, "integrations");
const CORTEX = join(ROOT, "cortex/Limpid/limpid.py");
const MISP = join(ROOT, "misp/expansion/limpid.py");
const INTELOWL = join(ROOT, "intelowl/limpid.py");
const python = findProgram("python3");

const CLEAN = "79.192.10.98";
const HOSTING = "8.8.4.77";
const BAD = "8.8.4.66";

const folder = createTemporaryFolder("limpid-analyst-");
const setup = setUp("all");
const service = setUpService({}, setup);
const tables = setUpService({ LIMPID_LIVE: "0" }, setup);
const strict = setUpService({ LIMPID_EXEMPT_CLIENTS: "", LIMPID_LOOKUPS_PER_MINUTE: "1" }, setup);

beforeAll(() => {
  writeIntelOwl(join(folder, "intelowl"));
  const { gateway, dns } = setup.upstreams;
  gateway.on("api.ip2location.io", /8\.8\.4\.66/, () => ({
    json: { ip: BAD, country_code: "US", asn: "64500", as: "Example Net", is_proxy: true },
  }));
  gateway.on("api.blocklist.de", /8\.8\.4\.66/, () => ({ json: { attacks: 900, reports: 90 } }));
  dns.on(/^66\.4\.8\.8\.(?:zen\.spamhaus\.org|dnsbl\.dronebl\.org|bl\.spamcop\.net)$/, "A", ["127.0.0.2"]);
});

/** The four names of IntelOwl that the analyzer uses, and a start that handles errors as Plugin.start does. */
function writeIntelOwl(root: string): void {
  const modules = join(root, "api_app/analyzers_manager");
  mkdirSync(join(modules, "observable_analyzers"), { recursive: true });
  for (const at of [join(root, "api_app"), modules, join(modules, "observable_analyzers")])
    writeFileSync(join(at, "__init__.py"), "");
  writeFileSync(join(modules, "exceptions.py"), "class AnalyzerRunException(Exception):\n    pass\n");
  writeFileSync(join(modules, "classes.py"), "class ObservableAnalyzer:\n    observable_name: str\n");
  cpSync(INTELOWL, join(modules, "observable_analyzers/limpid.py"));
  cpSync(join(import.meta.dir, "start_intelowl.py"), join(root, "start.py"));
}

async function runPython(args: readonly string[], input: string, cwd = folder) {
  return readToEnd(
    Bun.spawn([python ?? "", "-W", "error", ...args], {
      cwd,
      env: { PATH: Bun.env.PATH ?? "", HOME: folder, PYTHONDONTWRITEBYTECODE: "1" },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
}

/** What one script says of one value: its verdict, or why there is none. */
interface Said {
  readonly verdict?: string;
  readonly error?: string;
  readonly output: unknown;
}
type Settings = Readonly<Record<string, unknown>>;

interface CortexOutput {
  readonly success: boolean;
  readonly errorMessage?: string;
  readonly summary?: { readonly taxonomies: readonly Readonly<Record<string, string>>[] };
  readonly full?: { readonly verdict: string };
}

async function askCortex(value: unknown, config: Settings, job: Settings = {}): Promise<Said> {
  const input = JSON.stringify({ dataType: "ip", data: value, tlp: 2, pap: 2, config, ...job });
  const { out, err, code } = await runPython([CORTEX, join(folder, "no-job")], input);
  expect(err).toBe("");
  const output = JSON.parse(out) as CortexOutput;
  expect(code).toBe(output.success ? 0 : 1);
  return {
    output,
    ...(output.full === undefined ? {} : { verdict: output.full.verdict }),
    ...(output.errorMessage === undefined ? {} : { error: output.errorMessage }),
  };
}

interface MispAttribute {
  readonly type: string;
  readonly category: string;
  readonly value: string;
}
interface MispAnswer {
  readonly error?: string;
  readonly results?: { readonly Attribute: readonly MispAttribute[] };
}

async function callMisp(query: string): Promise<readonly [Settings, Settings, MispAnswer]> {
  const { out, err } = await runPython([join(import.meta.dir, "call_misp.py"), MISP], query);
  expect(err).toBe("");
  return JSON.parse(out) as readonly [Settings, Settings, MispAnswer];
}

async function askMisp(value: unknown, config: Settings, type = "ip-src"): Promise<Said> {
  const attribute = { type, value, uuid: "d5a4c2c0-0000-4000-8000-000000000001" };
  const [, , answer] = await callMisp(JSON.stringify({ module: "limpid", attribute, config }));
  const summary = answer.results?.Attribute[0]?.value;
  return {
    output: answer,
    ...(answer.error === undefined ? {} : { error: answer.error }),
    ...(summary === undefined ? {} : { verdict: /^limpid: (\w+)/.exec(summary)?.[1] ?? "" }),
  };
}

async function askIntelOwl(value: unknown, parameters: Settings): Promise<Said> {
  const cwd = join(folder, "intelowl");
  const { out, err } = await runPython(["start.py"], JSON.stringify({ observable: value, parameters }), cwd);
  expect(err).toBe("");
  const output = JSON.parse(out) as {
    readonly report?: { readonly verdict: string };
    readonly errors?: readonly string[];
  };
  return {
    output,
    ...(output.report === undefined ? {} : { verdict: output.report.verdict }),
    ...(output.errors === undefined ? {} : { error: output.errors.join() }),
  };
}

const TOOLS = [
  ["Cortex", askCortex],
  ["MISP", askMisp],
  ["IntelOwl", askIntelOwl],
] as const;

describe.skipIf(python === undefined).each(TOOLS)("%s", (_, ask) => {
  test("tells a verdict from a report, and never that an address is clean", async () => {
    const url = service.url;
    expect(await ask(CLEAN, { url })).toMatchObject({ verdict: "info" });
    expect(await ask(HOSTING, { url: `${url}/` })).toMatchObject({ verdict: "info" });
    const bad = await ask(BAD, { url });
    expect(["suspicious", "malicious"]).toContain(bad.verdict ?? "");
    for (const address of [CLEAN, BAD]) {
      const text = JSON.stringify((await ask(address, { url })).output);
      expect(text).not.toMatch(/"level": ?"safe"|not-malicious|trusted/);
    }
  });

  test("takes the forms of one address", async () => {
    const url = service.url;
    for (const value of [` ${HOSTING} `, `::ffff:${HOSTING}`, "2001:4860:4860:0:0:0:0:8844"])
      expect(await ask(value, { url }), value).toMatchObject({ verdict: expect.any(String) });
  });

  test("says unknown where the evidence is not enough", async () => {
    expect(await ask(HOSTING, { url: tables.url })).toMatchObject({ verdict: "unknown" });
  });

  test("refuses what is no public address", async () => {
    for (const [value, reason] of [
      ["example.org", "not an IP address: example.org"],
      ["10.1.2.3", "not a public address"],
    ]) {
      const said = await ask(value, { url: service.url });
      expect(said.verdict).toBeUndefined();
      expect(said.error).toContain(reason);
    }
  });

  test("has no verdict for a page of HTML", async () => {
    const other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("<html>sign in</html>"),
    });
    const said = await ask(HOSTING, { url: `http://127.0.0.1:${other.port}` });
    await other.stop(true);
    expect(said.verdict).toBeUndefined();
    expect(said.error).toContain("is not from limpid");
  });

  test("has no verdict when limpid is away or refuses", async () => {
    const away = await ask(HOSTING, { url: "http://127.0.0.1:9" });
    expect(away).toMatchObject({ error: expect.stringContaining("limpid does not answer") });
    await fetch(`${strict.url}/api/lookup?ip=${CLEAN}`);
    const limited = await ask(HOSTING, { url: strict.url });
    expect(limited.error).toContain("status 429: rate_limited");
    expect(limited.error).toMatch(/retry after \d+ seconds$/);
    expect(await ask(HOSTING, { url: "file:///etc/passwd" })).toMatchObject({
      error: expect.stringContaining("does not start with http"),
    });
    for (const said of [away, limited]) expect(said.verdict).toBeUndefined();
  });
});

/** A test below proves that all scripts have the same part. */
describe.skipIf(python === undefined)("the part that asks limpid, run by Cortex's script,", () => {
  const ask = askCortex;

  test.each([
    ["example.org", "not an IP address"],
    ["8.8.4.77/24", "not an IP address"],
    ["fe80::1%eth0", "not an IP address"],
    ["", "not an IP address"],
    ["1.2.3\u0000\u001b[31m", "not an IP address"],
    ["&ip=8.8.4.77#", "not an IP address"],
    ["10.1.2.3", "not a public address"],
    ["127.0.0.1", "not a public address"],
  ])("refuses %j", async (value, reason) => {
    const said = await ask(value, { url: service.url });
    expect(said.verdict).toBeUndefined();
    expect(said.error).toContain(reason);
    expect(said.error ?? "").not.toMatch(/[\u0000-\u001f]/);
  });

  test("has no verdict for an answer that is not a report", async () => {
    const report = {
      ip: HOSTING,
      usageType: "hosting",
      flags: Object.fromEntries(
        ["isProxy", "isVpn", "isTor", "isRelay", "isHosting", "isSearchEngineBot", "isBogon"].map((flag) => [
          flag,
          false,
        ]),
      ),
      risk: { purity: 99, level: "pristine", confidence: "high" },
    };
    const json = (change: object) => Response.json({ ...report, ...change });
    const answers: readonly [string, () => Response][] = [
      ["HTML", () => new Response("<html>sign in</html>", { headers: { "content-type": "text/html" } })],
      ["HTML with 503", () => new Response("<html>", { status: 503 })],
      [
        "a redirect",
        () =>
          new Response("", { status: 302, headers: { location: `${service.url}/api/lookup?ip=${HOSTING}` } }),
      ],
      ["no content", () => new Response(null, { status: 204 })],
      ["deep JSON", () => new Response("[".repeat(100_000))],
      ["a list", () => Response.json([report])],
      ["a long answer", () => json({ more: "x".repeat(300_000) })],
      ["another address", () => json({ ip: CLEAN })],
      ["no address", () => json({ ip: null })],
      ["true as purity", () => json({ risk: { ...report.risk, purity: true } })],
      ["101 as purity", () => json({ risk: { ...report.risk, purity: 101 } })],
      ["a level of no list", () => json({ risk: { ...report.risk, level: "safe" } })],
      ["a list as level", () => json({ risk: { ...report.risk, level: [] } })],
      ["no confidence", () => json({ risk: { purity: 99, level: "pristine" } })],
      ["no flags", () => json({ flags: {} })],
      ["no end", () => new Response(drip())],
    ];
    let answer: () => Response = () => json({});
    const hostile = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer() });
    try {
      const settings = { url: `http://127.0.0.1:${hostile.port}`, timeout_seconds: 1 };
      expect(await ask(HOSTING, settings)).toMatchObject({ verdict: "info" });
      for (const [what, next] of answers) {
        answer = next;
        const said = await ask(HOSTING, settings);
        expect(said.verdict, what).toBeUndefined();
        expect(said.error, what).toBeString();
      }
    } finally {
      await hostile.stop(true);
    }
  });
});

describe.skipIf(python === undefined)("an answer whose headers never end", () => {
  test("stops after the timeout", async () => {
    const timers = new Set<Timer>();
    const endless = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: {
        open(socket) {
          socket.write("HTTP/1.1 200 OK\r\nX-Long: ");
          timers.add(setInterval(() => socket.write("x"), 100));
        },
        data() {},
      },
    });
    const from = performance.now();
    const said = await askCortex(HOSTING, { url: `http://127.0.0.1:${endless.port}`, timeout_seconds: 1 });
    for (const timer of timers) clearInterval(timer);
    endless.stop(true);
    expect(said.error).toContain("within 1 seconds");
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});

/** One byte every 100 ms, without an end. */
function drip(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(100);
      controller.enqueue(new TextEncoder().encode(" "));
    },
  });
}

describe.skipIf(python === undefined)("the Cortex analyzer", () => {
  test("reads a job folder and writes its output there", async () => {
    const job = mkdtempSync(join(folder, "job-"));
    mkdirSync(join(job, "input"));
    const input = {
      dataType: "ip",
      data: BAD,
      tlp: 0,
      config: { url: service.url, check_tlp: true, max_tlp: 2 },
    };
    writeFileSync(join(job, "input/input.json"), JSON.stringify(input));
    expect(await runPython([CORTEX, job], "")).toMatchObject({ out: "", err: "", code: 0 });
    const output = JSON.parse(readFileSync(join(job, "output/output.json"), "utf8")) as CortexOutput;
    expect(Object.keys(output)).toEqual(["success", "summary", "artifacts", "operations", "full"]);
    const taxonomies = output.summary?.taxonomies ?? [];
    for (const taxonomy of taxonomies) {
      expect(Object.keys(taxonomy)).toEqual(["level", "namespace", "predicate", "value"]);
      expect(["info", "suspicious", "malicious"]).toContain(taxonomy.level ?? "");
    }
    expect(taxonomies.map(({ predicate }) => predicate)).toEqual(["purity", "type", "confidence", "flags"]);
    expect(taxonomies[0]?.value).toMatch(/^\d+\/100$/);
  });

  test("shows no number where the evidence is not enough", async () => {
    const { output } = await askCortex(HOSTING, { url: tables.url });
    expect((output as CortexOutput).summary?.taxonomies[0]).toEqual({
      level: "info",
      namespace: "limpid",
      predicate: "purity",
      value: "unknown",
    });
  });

  test("sends nothing whose TLP or PAP is too high, or no number", async () => {
    const before = setup.upstreams.queryCount();
    const config = { url: service.url, check_tlp: true, max_tlp: 2, check_pap: true, max_pap: 2 };
    for (const [job, error] of [
      [{ tlp: 3 }, "TLP is higher than allowed"],
      [{ pap: 3 }, "PAP is higher than allowed"],
      [{ tlp: "RED" }, "TLP is not a number"],
      [{ dataType: "domain" }, "takes the data type ip, not domain"],
    ] as const)
      expect(await askCortex("8.8.4.99", config, job)).toMatchObject({
        error: expect.stringContaining(error),
      });
    expect(setup.upstreams.queryCount()).toBe(before);
    expect(await askCortex(HOSTING, { ...config, check_tlp: false }, { tlp: 3 })).toMatchObject({
      verdict: "info",
    });
  });

  test.each(["", "[]", "{", "null"])("refuses the job %j", async (input) => {
    const { out, code } = await runPython([CORTEX, join(folder, "no-job")], input);
    expect(JSON.parse(out)).toMatchObject({
      success: false,
      errorMessage: expect.stringContaining("no job"),
    });
    expect(code).toBe(1);
  });

  test("has the items of its service file", () => {
    const file = join(ROOT, "cortex/Limpid/Limpid.json");
    const descriptor = JSON.parse(readFileSync(file, "utf8")) as {
      readonly command: string;
      readonly configurationItems: readonly Readonly<Record<string, unknown>>[];
    };
    expect(Object.keys(descriptor).toSorted().join(" ")).toBe(
      "author baseConfig command config configurationItems dataTypeList description license name url version",
    );
    expect(join(ROOT, "cortex", descriptor.command)).toBe(CORTEX);
    const script = readFileSync(CORTEX, "utf8");
    for (const item of descriptor.configurationItems) {
      expect(Object.keys(item)).toEqual(["name", "description", "type", "multi", "required", "defaultValue"]);
      expect(["string", "number", "boolean"]).toContain(item.type as string);
      expect(script).toContain(`config.get("${item.name}")`);
    }
  });
});

describe.skipIf(python === undefined)("the MISP module", () => {
  /** Types by category, of the attributes that this module writes: describeTypes.json of PyMISP. */
  const CATEGORIES: Readonly<Record<string, string>> = {
    text: "Other",
    AS: "Network activity",
    link: "External analysis",
  };

  test("describes itself, and returns attributes of the standard format", async () => {
    const attribute = {
      type: "ip-dst|port",
      value: `${BAD}|443`,
      uuid: "d5a4c2c0-0000-4000-8000-000000000001",
    };
    const query = JSON.stringify({
      module: "limpid",
      attribute,
      config: { url: service.url, timeout_seconds: "20" },
    });
    const [introspection, version, answer] = await callMisp(query);
    expect(introspection).toEqual({
      input: ["ip-src", "ip-dst", "ip-src|port", "ip-dst|port"],
      output: ["text", "AS", "link"],
      format: "misp_standard",
    });
    expect(version).toMatchObject({
      "module-type": ["expansion", "hover"],
      config: ["url", "timeout_seconds"],
    });
    const attributes = answer.results?.Attribute ?? [];
    expect(attributes.map(({ type }) => type)).toEqual(["text", "AS", "link"]);
    for (const { type, category } of attributes) expect(category).toBe(CATEGORIES[type] ?? "");
    expect(attributes[0]?.value).toMatch(
      /^limpid: (?:suspicious|malicious), purity \d+ of 100 \(\w+\), hosting, flags: /,
    );
    expect(attributes[1]?.value).toBe("AS64500");
    expect(attributes[2]?.value).toBe(`${service.url}/en/ip/${BAD}`);
    expect(attributes).toEqual(
      attributes.map((one) =>
        expect.objectContaining({ ...one, to_ids: false, comment: expect.any(String) }),
      ),
    );
  });

  test.each([
    "",
    "[]",
    "{}",
    '{"attribute":"8.8.4.77"}',
    '{"attribute":{"type":"ip-src"}}',
    '{"ip-src":"8.8.4.77"}',
  ])("refuses the query %j", async (query) => {
    const [, , answer] = await callMisp(query);
    expect(answer).toEqual({ error: expect.stringContaining("attribute") });
  });

  test("refuses other types of attributes", async () => {
    const config = { url: service.url };
    expect(await askMisp("example.org", config, "domain")).toMatchObject({
      error: "Unsupported attribute type.",
    });
    expect(await askMisp(8, config)).toMatchObject({ error: "Unsupported attribute type." });
  });
});

describe.skipIf(python === undefined)("the scripts", () => {
  const scripts = [CORTEX, MISP, INTELOWL];

  test("have one text for the part that asks limpid, because each is installed alone", () => {
    const parts = scripts.map((path) => {
      const text = readFileSync(path, "utf8");
      return text.slice(text.indexOf("# --- The same"), text.indexOf("# --- End of the same part"));
    });
    expect(parts[0]?.length).toBeGreaterThan(1000);
    expect(new Set(parts).size).toBe(1);
  });

  test("compile without a warning", async () => {
    const code =
      "import pathlib, sys\nfor at in sys.argv[1:]: compile(pathlib.Path(at).read_bytes(), at, 'exec')";
    expect(await runPython(["-c", code, ...scripts], "")).toMatchObject({ out: "", err: "", code: 0 });
  });

  test("are the only Python files, and each has a README", () => {
    const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" });
    expect(
      files
        .filter((name) => name.endsWith(".py"))
        .map((name) => join(ROOT, name))
        .toSorted(),
    ).toEqual(scripts.toSorted());
    for (const name of ["cortex", "intelowl", "misp", "sub-store"])
      expect(files).toContain(`${name}/README.md`);
  });
});
