/** The words of limpid's reports, in Chinese and English. */
const TYPES = {
  residential: ["家宽", "residential"],
  business: ["企业", "business"],
  hosting: ["机房", "hosting"],
  mobile: ["移动网络", "mobile"],
  education: ["教育网", "education"],
  government: ["政府", "government"],
  unknown: ["未知", "unknown"],
};
const NATIVES = {
  native: ["原生", "native"],
  broadcast: ["广播", "broadcast"],
  unknown: ["未知", "unknown"],
};
const FLAGS = {
  isProxy: ["代理", "proxy"],
  isVpn: ["VPN", "VPN"],
  isTor: ["Tor", "Tor"],
  isRelay: ["隐私中继", "relay"],
};
const RESTRICTED = ["受限", "restricted"];

/** Levels of purity that accuse, and the confidences with enough evidence for a score. */
const ACCUSED = ["suspicious", "risky", "dangerous"];
const CONFIDENT = ["medium", "high"];

/** Codes of refusals that concern every exit, and those that concern one client: this one, if it asks itself. */
const REFUSALS = {
  all: ["open_rate_limited", "overloaded"],
  client: ["rate_limited", "verification_required"],
};

/**
 * A script operator of Sub-Store: names each node by the type and the score of its exit, such as "HK 01 · 家宽 92".
 * It needs Sub-Store on Node.js and http-meta. README.md beside this file describes the parameters.
 *
 * 1. http-meta starts the nodes. Through each node, `/api/myip` tells the address of its exit. This costs no lookup.
 * 2. Each exit is looked up once, however many nodes use it. Its answer is kept for a day.
 *
 * A node that does not answer keeps its name. A score that rests on too little evidence is shown as "?".
 * Interface of script operators: https://github.com/sub-store-org/Sub-Store/blob/master/scripts/demo.js
 * Interface of http-meta: https://github.com/xream/http-meta
 */
// biome-ignore lint/correctness/noUnusedVariables: Sub-Store calls the function of this name.
async function operator(proxies = []) {
  const $ = $substore;
  const settings = readSettings($arguments ?? {});
  const nodes = listNodes(proxies);
  /** Set when limpid refuses in a way that also concerns the exits that follow. */
  let refusal;
  if (nodes.length === 0) return proxies;

  const meta = await startNodes(nodes);
  try {
    await $.wait(settings.startDelayMs);
    const exits = new Map();
    await forEach(nodes, async ({ index }, at) => {
      const address = await findExit(meta.proxies[at]);
      if (!exits.has(address)) exits.set(address, { address, proxy: meta.proxies[at], index, users: [] });
      exits.get(address).users.push(index);
    });
    await forEach([...exits.values()], async ({ address, proxy, users }) => {
      const report = await findReport(address, proxy);
      for (const user of users) rename(proxies[user], report);
    });
  } finally {
    await stopNodes(meta.pid);
  }
  return proxies;

  function readSettings(given) {
    const url = new URL(String(given.url ?? "http://127.0.0.1:8080"));
    if (!["http:", "https:"].includes(url.protocol))
      throw new Error(`limpid: "url" is not a web address: ${url}`);
    const choose = (name, values) => {
      const value = String(given[name] ?? values[0]);
      if (!values.includes(value)) throw new Error(`limpid: "${name}" is one of ${values.join(", ")}`);
      return value;
    };
    const count = (name, ordinary, least, most) => {
      const value = Number(given[name] ?? ordinary);
      if (!(value >= least && value <= most))
        throw new Error(`limpid: "${name}" is a number from ${least} to ${most}`);
      return value;
    };
    const scheme = choose("http_meta_protocol", ["http", "https"]);
    const host = String(given.http_meta_host ?? "127.0.0.1");
    return {
      base: url.origin + url.pathname.replace(/\/+$/, ""),
      language: choose("lang", ["zh", "en"]),
      scenario: choose("scenario", ["", "ai", "social", "streaming", "gaming", "ecommerce", "email"]),
      isDirect: ["true", "1"].includes(String(given.direct ?? "")),
      format: String(given.format ?? "{name} · {type} {score}"),
      concurrency: count("concurrency", 5, 1, 50),
      timeoutMs: count("timeout", 10_000, 100, 60_000),
      cacheHours: count("cache", 24, 0, 720),
      host,
      metaUrl: `${scheme}://${host}:${count("http_meta_port", 9876, 1, 65_535)}`,
      authorization: String(given.http_meta_authorization ?? ""),
      startDelayMs: count("http_meta_start_delay", 3000, 0, 60_000),
      nodeTimeoutMs: count("http_meta_proxy_timeout", 10_000, 100, 600_000),
    };
  }

  /** The nodes that the core behind http-meta supports, and their places in the list of all nodes. */
  function listNodes(all) {
    return all.flatMap((proxy, index) => {
      try {
        const [node] = ProxyUtils.produce([{ ...proxy }], "ClashMeta", "internal") ?? [];
        return node ? [{ node, index }] : [];
      } catch (error) {
        $.error(`limpid: ${proxy.name}: ${error.message ?? error}`);
        return [];
      }
    });
  }

  async function startNodes(all) {
    const { ports, pid } = await askMeta("start", {
      proxies: all.map(({ node }) => node),
      // The core ends by itself if this script ends before it stops the core.
      timeout: settings.startDelayMs + all.length * settings.nodeTimeoutMs,
    });
    if (!pid || !Array.isArray(ports) || ports.length < all.length)
      throw new Error("limpid: http-meta did not start the nodes");
    return { pid, proxies: ports.map((port) => `http://${settings.host}:${Number(port)}`) };
  }

  async function stopNodes(pid) {
    try {
      await askMeta("stop", { pid: [pid] });
    } catch (error) {
      $.error(`limpid: cannot stop http-meta: ${error.message ?? error}`);
    }
  }

  async function askMeta(path, body) {
    const response = await $.http.post({
      url: `${settings.metaUrl}/${path}`,
      headers: { "Content-Type": "application/json", Authorization: settings.authorization },
      body: JSON.stringify(body),
      timeout: settings.timeoutMs,
    });
    return readJson(response);
  }

  async function findExit(proxy) {
    const { ip } = await ask("/api/myip", proxy);
    if (!ProxyUtils.isIP(ip)) throw new Error("limpid did not tell the address of the exit");
    return ip;
  }

  async function findReport(address, proxy) {
    const key = (ip) => `limpid:${settings.base}:${settings.scenario}:${ip}`;
    const kept = settings.cacheHours > 0 ? scriptResourceCache.get(key(address)) : undefined;
    if (kept) return kept;
    if (refusal !== undefined) throw new Error(`not asked, because limpid refuses: ${refusal}`);
    const subject = settings.isDirect ? encodeURIComponent(address) : "me";
    const fields = settings.scenario === "" ? "" : ",scenarios";
    const path = `/ip/${subject}.json?fields=usageType,nativeType,flags,geo,risk${fields}`;
    const report = summarize(await ask(path, settings.isDirect ? undefined : proxy));
    // An answer about another address, of a node that changes its exit, is kept for neither.
    if (settings.cacheHours > 0 && report.score !== undefined && report.ip === address)
      scriptResourceCache.set(key(address), report, settings.cacheHours * 3_600_000);
    return report;
  }

  async function ask(path, proxy) {
    const response = await $.http.get({
      url: settings.base + path,
      headers: { Accept: "application/json", "User-Agent": "limpid-sub-store" },
      timeout: settings.timeoutMs,
      ...(proxy === undefined ? {} : { proxy }),
    });
    return readJson(response);
  }

  function readJson(response) {
    const status = Number(response.statusCode ?? response.status);
    const text = String(response.body ?? "");
    let body;
    try {
      body = text.length > 65_536 ? undefined : JSON.parse(text);
    } catch {
      // A page of another program, such as the sign-in page of a network.
    }
    const isObject = typeof body === "object" && body !== null;
    if (status === 200 && isObject) return body;
    const code = isObject && /^[a-z_]{1,40}$/.test(body.code) ? body.code : "";
    if (REFUSALS.all.includes(code) || (settings.isDirect && REFUSALS.client.includes(code))) refusal = code;
    throw new Error(`answer ${status} ${code}`.trim());
  }

  /** Only numbers and words of closed lists leave a report, because a node without HTTPS can change an answer. */
  function summarize({ ip, usageType, nativeType, flags, geo, risk, scenarios }) {
    const { purity, level, confidence } = risk ?? {};
    const isScore = (value) => Number.isInteger(value) && value >= 0 && value <= 100;
    const isReport = ProxyUtils.isIP(ip) && Object.hasOwn(TYPES, usageType) && isScore(purity);
    if (!isReport || typeof flags?.isBogon !== "boolean")
      throw new Error("the answer is not a report of limpid");
    // Too little evidence is not a score, but an accusation stands.
    const isKnown = !flags.isBogon && (CONFIDENT.includes(confidence) || ACCUSED.includes(level));
    const chosen = (Array.isArray(scenarios) ? scenarios : []).find(({ id }) => id === settings.scenario);
    const score = settings.scenario === "" ? purity : chosen?.score;
    return {
      ip,
      type: usageType,
      native: Object.hasOwn(NATIVES, nativeType) ? nativeType : "unknown",
      country: /^[A-Z]{2}$/.test(geo?.country) ? geo.country : "",
      flags: Object.keys(FLAGS).filter((flag) => flags[flag] === true),
      ...(isKnown && chosen?.level === "restricted" ? { score: "restricted" } : {}),
      ...(isKnown && isScore(score) ? { score } : {}),
    };
  }

  function rename(proxy, report) {
    const word = ([chinese, english]) => (settings.language === "zh" ? chinese : english);
    // A node that went through this script before, in a collection for example, starts from its first name.
    const name = proxy._limpid?.name ?? proxy.name;
    const values = new Map([
      ["name", name],
      ["type", word(TYPES[report.type])],
      ["score", report.score === "restricted" ? word(RESTRICTED) : String(report.score ?? "?")],
      ["native", word(NATIVES[report.native])],
      ["flags", report.flags.map((flag) => word(FLAGS[flag])).join("/")],
      ["country", report.country],
    ]);
    proxy.name = settings.format.replaceAll(/\{(\w+)\}/g, (whole, key) => values.get(key) ?? whole).trim();
    proxy._limpid = { ...report, name };
  }

  /** Runs a task for each item, some at a time. A failed task is logged with the name of its node. */
  async function forEach(items, task) {
    let next = 0;
    const work = async () => {
      while (next < items.length) {
        const at = next++;
        try {
          await task(items[at], at);
        } catch (error) {
          $.error(`limpid: ${proxies[items[at].index].name}: ${error.message ?? error}`);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(settings.concurrency, items.length) }, work));
  }
}
