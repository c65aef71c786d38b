/**
 * What Sub-Store on Node.js gives to a script operator, as far as integrations/sub-store/limpid.js uses it: the names of
 * `createDynamicFunction`, `$.http` and `ApplyOperator`. Requests are real, also those through a proxy.
 * Public source: github.com/sub-store-org/Sub-Store, backend/src/core/proxy-utils/processors/index.js and
 * backend/src/vendor/open-api.js. Standard input: { script, settings, proxies, cache }; output: { proxies, log, cache }.
 */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { isIP } from "node:net";

const job = JSON.parse(readFileSync(0, "utf8"));
const log = [];

function send(method, { url, headers, body, proxy, timeout }) {
  const target = new URL(url);
  const { hostname, port } = proxy === undefined ? target : new URL(proxy);
  const path = proxy === undefined ? target.pathname + target.search : target.href;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      hostname,
      port,
      path,
      agent: false,
      headers: { host: target.host, ...headers },
    };
    const asked = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ statusCode: response.statusCode, headers: response.headers, body: text }),
      );
    });
    // Sub-Store rejects with a text here.
    asked.setTimeout(timeout, () => {
      reject(`${method} URL: ${url} exceeds the timeout ${timeout} ms`);
      asked.destroy();
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const substore = {
  http: { get: (options) => send("GET", options), post: (options) => send("POST", options) },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  info: (text) => log.push(String(text)),
  error: (text) => log.push(String(text)),
};
const proxyUtils = {
  produce: (proxies, platform, type) =>
    platform === "ClashMeta" && type === "internal"
      ? proxies.filter((proxy) => proxy.type !== "unsupported")
      : "",
  isIP: (text) => isIP(text) !== 0,
};
const kept = new Map(Object.entries(job.cache ?? {}));
const cache = {
  get: (id) => (kept.get(id)?.time > Date.now() ? kept.get(id).data : null),
  set: (id, data, ttl) => kept.set(id, { time: Date.now() + ttl, data }),
};

const create = new Function(
  "$arguments",
  "$substore",
  "lodash",
  "ProxyUtils",
  "scriptResourceCache",
  "flowUtils",
  "produceArtifact",
  `${readFileSync(job.script, "utf8")}\n return operator`,
);
const operator = create(job.settings, substore, {}, proxyUtils, cache, {}, () => undefined);
let proxies = JSON.parse(JSON.stringify(job.proxies));
try {
  proxies = await operator(proxies, "JSON", { source: {}, backend: "Node" });
} catch (error) {
  log.push(`Cannot apply operator: ${error}`);
}
console.log(JSON.stringify({ proxies, log, cache: Object.fromEntries(kept) }));
