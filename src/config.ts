import * as v from "valibot";
import { type Address, type Prefix, parseAddress, parsePrefix } from "#address";
import { DAY_MS, LOG_LEVELS } from "#common";
import texts from "./config.json" with { type: "json" };

/** All problems of a configuration, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Cannot read configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

function number(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,10}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

function wholeNumber(min: number, max: number, fallback: number) {
  return v.optional(number(min, max), String(fallback));
}

/** Printable ASCII without spaces. */
function printable(
  min: number,
  max: number,
  message = `must be ${min} to ${max} printable ASCII characters`,
) {
  return v.optional(v.pipe(v.string(), v.regex(new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`), message)));
}

function flag(fallback: "0" | "1") {
  return v.optional(
    v.pipe(
      v.picklist(["0", "1"], "must be 0 or 1"),
      v.transform((text) => text === "1"),
    ),
    fallback,
  );
}

function list<Item>(parse: (text: string) => Item | undefined, expected: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.rawTransform<string, readonly Item[]>(({ dataset, addIssue, NEVER }) => {
        const items: Item[] = [];
        for (const part of dataset.value.split(",").map((text) => text.trim())) {
          if (part === "") continue;
          const item = parse(part);
          if (item === undefined) {
            addIssue({ message: `must be ${expected}: cannot read "${part}"` });
            return NEVER;
          }
          items.push(item);
        }
        return items;
      }),
    ),
    "",
  );
}

function webUrl(message: string, isAllowed: (url: URL) => boolean = () => true) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const url = URL.parse(dataset.value);
      if (
        url === null ||
        (url.protocol !== "http:" && url.protocol !== "https:") ||
        url.username !== "" ||
        url.password !== "" ||
        url.search !== "" ||
        url.hash !== "" ||
        !isAllowed(url)
      ) {
        addIssue({ message });
        return NEVER;
      }
      return url.href.replace(/\/+$/, "");
    }),
  );
}

const origin = webUrl(
  "must be an http(s) origin without path, query or credentials",
  (url) => url.pathname === "/",
);

/** Reads `ADDRESS:PORT`, IPv6 in brackets. A resolver must be an address, because no name can be resolved without one. */
function readServer(text: string): string | undefined {
  const match = /^(.+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  const address = parseAddress(match?.[1] ?? "");
  const isBracketed = text.startsWith("[");
  if (address === undefined || port < 1 || port > 65_535) return undefined;
  return isBracketed === (address.version === 6) ? text : undefined;
}

const databaseUrl = v.pipe(
  v.string(),
  v.regex(
    /^(?:file:.+|https?:\/\/.+|libsql:\/\/.+)$/,
    "must start with file:, http://, https:// or libsql://",
  ),
);

/** All variables except those of sources. */
export const ConfigSchema = v.object({
  LIMPID_HOST: v.optional(v.pipe(v.string(), v.nonEmpty("must not be empty")), "127.0.0.1"),
  LIMPID_PORT: wholeNumber(0, 65_535, 8080),
  LIMPID_BASE_URL: v.optional(origin),
  LIMPID_DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty("must not be empty")), "./data"),
  LIMPID_DATABASE_URL: v.optional(databaseUrl),
  LIMPID_DATABASE_TOKEN: v.optional(v.string()),
  LIMPID_MIRROR_OF: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:https?|libsql):\/\/[^\s/?#@]+\/?$/, "must be an http(s):// or libsql:// origin"),
      v.check((text) => URL.canParse(text), "must be an http(s):// or libsql:// origin"),
    ),
  ),
  LIMPID_SYNC_SECONDS: wholeNumber(1, 86_400, 60),
  LIMPID_PRIMARY_URL: v.optional(origin),
  LIMPID_TRUSTED_PROXIES: list<Prefix>(parsePrefix, "a list of addresses or prefixes"),
  LIMPID_EXEMPT_CLIENTS: list<Prefix>(parsePrefix, "a list of addresses or prefixes"),
  LIMPID_LIVE: flag("1"),
  LIMPID_FEEDS: flag("1"),
  LIMPID_DNS_SERVERS: list<string>(readServer, "a list of ADDRESS:PORT"),
  LIMPID_UPSTREAM_GATEWAY: v.optional(webUrl("must be an http(s) URL without query or credentials")),
  LIMPID_ALLOW_NONCOMMERCIAL: flag("0"),
  LIMPID_SOURCES_OFF: list<string>(
    (text) => (/^[a-z0-9_]+$/.test(text) ? text : undefined),
    "a list of source ids",
  ),
  LIMPID_CONTACT: printable(3, 200, "must be an e-mail address or URL"),
  LIMPID_SURVEY_MS: wholeNumber(100, 20_000, 4000),
  LIMPID_POOL: wholeNumber(1, 64, 24),
  LIMPID_STALE_DAYS: wholeNumber(1, 3650, 7),
  LIMPID_RETENTION_DAYS: v.optional(number(1, 36_500)),
  LIMPID_CACHE_ENTRIES: wholeNumber(1, 10_000_000, 20_000),
  LIMPID_CACHE_MB: v.optional(number(8, 1_000_000)),
  LIMPID_CACHE_SECONDS: wholeNumber(1, 86_400, 600),
  LIMPID_LOOKUPS_PER_MINUTE: wholeNumber(1, 1_000_000, 30),
  LIMPID_NEW_PER_MINUTE: wholeNumber(1, 1_000_000, 10),
  LIMPID_REFRESH_PER_MINUTE: wholeNumber(1, 1_000_000, 5),
  LIMPID_OPEN_PER_DAY: wholeNumber(0, 1_000_000, 5),
  LIMPID_OPEN_PER_MINUTE: wholeNumber(0, 1_000_000, 15),
  LIMPID_OPEN_DAILY_TOTAL: wholeNumber(0, 1_000_000_000, 500),
  LIMPID_SECRET: printable(16, 512),
  LIMPID_VERIFIER: v.optional(v.picklist(["altcha", "turnstile"], "must be altcha or turnstile"), "altcha"),
  LIMPID_TURNSTILE_SITE_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/, "must be 1 to 100 letters, digits, -, _ or .")),
  ),
  LIMPID_TURNSTILE_SECRET: printable(1, 512),
  LIMPID_CORRECTIONS: v.optional(v.string()),
  LIMPID_WATCH: v.optional(v.string()),
  LIMPID_WATCH_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => {
        const url = URL.parse(text);
        const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
        return isWeb && url?.username === "" && url.password === "";
      }, "must be an http(s) URL without credentials"),
    ),
  ),
  LIMPID_WATCH_SECRET: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "must be whsec_ and 24 to 64 bytes in base64"),
    ),
  ),
  LIMPID_WATCH_PRIVATE: flag("0"),
  LIMPID_IPV4_URL: v.optional(origin),
  LIMPID_IPV6_URL: v.optional(origin),
  LIMPID_SITEMAP_ADDRESSES: list<Address>(parseAddress, "a list of addresses"),
  LIMPID_METRICS_TOKEN: printable(16, 512),
  LIMPID_LOG: v.optional(v.picklist(LOG_LEVELS, "must be debug, info, warn or error"), "info"),
});

/** What each variable means, in `.env.example` and in the documents. */
export const CONFIG_TEXTS: Readonly<Record<keyof typeof ConfigSchema.entries, string>> = texts;

/** The variables that hold a secret and can also be set as `NAME_FILE`. */
const SECRETS = [
  "LIMPID_DATABASE_TOKEN",
  "LIMPID_SECRET",
  "LIMPID_TURNSTILE_SECRET",
  "LIMPID_METRICS_TOKEN",
  "LIMPID_WATCH_SECRET",
  "LIMPID_WATCH_URL",
] as const;

/** The service that verifies that a client is human. */
export type VerifierConfig =
  | { readonly kind: "altcha" }
  | { readonly kind: "turnstile"; readonly siteKey: string; readonly secret: string };

/** A read-only mirror: the libSQL server it copies, the period of updates, and the origin of the full service. */
export type MirrorConfig = Readonly<NonNullable<ReturnType<typeof readMirror>>>;

/** The configuration, read once at start. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/**
 * Reads the configuration from environment variables.
 * @throws {ConfigError} naming every variable that is wrong, with what it must be. Secrets are never quoted.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  context: {
    readonly sources: readonly { readonly id: string; readonly keyed: boolean }[];
    /** Reads the file of a secret; throws with a short reason. */
    readonly readSecret: (path: string) => string;
  },
): Config {
  const problems: string[] = [];
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith("LIMPID_") && value !== undefined && value !== "") values.set(name, value);
  }

  const secretNames = new Set<string>([
    ...SECRETS,
    ...context.sources
      .filter((source) => source.keyed)
      .map((source) => `LIMPID_${source.id.toUpperCase()}_KEY`),
  ]);
  for (const name of secretNames) {
    const path = values.get(`${name}_FILE`);
    if (path === undefined) continue;
    values.delete(`${name}_FILE`);
    if (values.has(name)) {
      problems.push(`${name}_FILE: cannot be set together with ${name}`);
      continue;
    }
    try {
      values.set(name, context.readSecret(path).trim());
    } catch (error) {
      problems.push(
        `${name}_FILE: cannot read "${path}": ${error instanceof Error ? error.message : "unreadable"}`,
      );
    }
  }

  const secrets = new Map<string, string>();
  const dailyBudgets = new Map<string, number>();
  for (const source of context.sources) {
    const stem = `LIMPID_${source.id.toUpperCase()}`;
    const key = values.get(`${stem}_KEY`);
    if (source.keyed && key !== undefined) {
      if (/^[\x21-\x7e]{1,512}$/.test(key)) secrets.set(source.id, key);
      else problems.push(`${stem}_KEY: must be 1 to 512 printable ASCII characters`);
      values.delete(`${stem}_KEY`);
    }
    const daily = values.get(`${stem}_DAILY`);
    if (daily !== undefined) {
      if (/^\d{1,9}$/.test(daily)) dailyBudgets.set(source.id, Number(daily));
      else problems.push(`${stem}_DAILY: must be a whole number: current value is "${daily}"`);
      values.delete(`${stem}_DAILY`);
    }
  }

  const known = new Set(Object.keys(ConfigSchema.entries));
  for (const name of [...values.keys()].sort()) {
    if (!known.has(name)) problems.push(`${name}: no such variable`);
  }

  const parsed = v.safeParse(ConfigSchema, Object.fromEntries(values));
  if (!parsed.success) {
    for (const issue of parsed.issues) {
      const name = String(issue.path?.[0]?.key ?? "configuration");
      const value = secretNames.has(name) ? "" : `: current value is "${hideCredentials(values.get(name))}"`;
      problems.push(`${name}: ${issue.message}${value}`);
    }
    throw new ConfigError(problems);
  }

  const { output } = parsed;
  const ids = new Set(context.sources.map((source) => source.id));
  for (const id of output.LIMPID_SOURCES_OFF) {
    if (!ids.has(id)) problems.push(`LIMPID_SOURCES_OFF: no source or zone "${id}"`);
  }
  for (const name of ["LIMPID_DATABASE_URL", "LIMPID_CORRECTIONS", "LIMPID_WATCH"]) {
    if (values.has("LIMPID_MIRROR_OF") && values.has(name))
      problems.push(`${name}: cannot be set together with LIMPID_MIRROR_OF`);
  }
  if (values.has("LIMPID_WATCH_URL") !== values.has("LIMPID_WATCH_SECRET"))
    problems.push("LIMPID_WATCH_URL: must be set together with LIMPID_WATCH_SECRET");
  problems.push(...checkFamilies(output));
  const verifier = readVerifier(output, problems);
  if (verifier === undefined || problems.length > 0) throw new ConfigError(problems);

  return toConfig(output, verifier, secrets, dailyBudgets);
}

/** `secrets`: keys by source id. `dailyBudgets` by source id, where the operator set one. */
function toConfig(
  value: v.InferOutput<typeof ConfigSchema>,
  verifier: VerifierConfig,
  secrets: ReadonlyMap<string, string>,
  dailyBudgets: ReadonlyMap<string, number>,
) {
  const { LIMPID_DATABASE_TOKEN: token, LIMPID_RETENTION_DAYS: days, LIMPID_CACHE_MB: cacheMb } = value;
  const { LIMPID_IPV4_URL: ipv4, LIMPID_IPV6_URL: ipv6 } = value;
  const url = value.LIMPID_DATABASE_URL ?? `file:${value.LIMPID_DATA_DIR.replace(/\/+$/, "")}/limpid.db`;
  return {
    host: value.LIMPID_HOST,
    port: value.LIMPID_PORT,
    baseUrl: value.LIMPID_BASE_URL,
    dataDirectory: value.LIMPID_DATA_DIR,
    database: token === undefined ? { url } : { url, token },
    /** Present: the process is a mirror of this primary; the token is the database's. */
    mirror: readMirror(value),
    trustedProxies: value.LIMPID_TRUSTED_PROXIES,
    exemptClients: value.LIMPID_EXEMPT_CLIENTS,
    live: value.LIMPID_LIVE,
    feeds: value.LIMPID_FEEDS,
    dnsServers: value.LIMPID_DNS_SERVERS,
    gateway: value.LIMPID_UPSTREAM_GATEWAY,
    allowNoncommercial: value.LIMPID_ALLOW_NONCOMMERCIAL,
    sourcesOff: new Set(value.LIMPID_SOURCES_OFF) as ReadonlySet<string>,
    contact: value.LIMPID_CONTACT,
    surveyMs: value.LIMPID_SURVEY_MS,
    pool: value.LIMPID_POOL,
    staleMs: value.LIMPID_STALE_DAYS * DAY_MS,
    /** Absent: reports are never deleted. */
    retentionMs: days === undefined ? undefined : days * DAY_MS,
    cacheEntries: value.LIMPID_CACHE_ENTRIES,
    /** Memory for reports and replies; absent: a share of the memory of the container or machine. */
    cacheBytes: cacheMb === undefined ? undefined : cacheMb * 1_048_576,
    cacheMs: value.LIMPID_CACHE_SECONDS * 1000,
    lookupsPerMinute: value.LIMPID_LOOKUPS_PER_MINUTE,
    newPerMinute: value.LIMPID_NEW_PER_MINUTE,
    refreshPerMinute: value.LIMPID_REFRESH_PER_MINUTE,
    openPerDay: value.LIMPID_OPEN_PER_DAY,
    openPerMinute: value.LIMPID_OPEN_PER_MINUTE,
    openDailyTotal: value.LIMPID_OPEN_DAILY_TOTAL,
    /** Absent: one is generated and kept in the data directory. */
    secret: value.LIMPID_SECRET,
    verifier,
    log: value.LIMPID_LOG,
    /** The file with the operator's corrections. */
    corrections: value.LIMPID_CORRECTIONS,
    /** The file with the addresses to watch. */
    watch: value.LIMPID_WATCH,
    /** The webhook of the watch. */
    webhook: readWebhook(value),
    /** Where pages ask for the visitor's addresses of both families. */
    families: ipv4 === undefined || ipv6 === undefined ? undefined : { ipv4, ipv6 },
    /** The addresses whose reports the sitemap lists. */
    sitemapAddresses: value.LIMPID_SITEMAP_ADDRESSES,
    /** Absent: only clients on this machine can read the metrics. */
    metricsToken: value.LIMPID_METRICS_TOKEN,
    secrets,
    dailyBudgets,
  };
}

/** Hides what may be a secret in a URL: the user and password before `@`, and everything after `?` or `#`. */
function hideCredentials(text = ""): string {
  return text.includes("@") || /^[a-z+]+:/i.test(text)
    ? text.replace(/^((?:[a-z+]+:\/\/)?).*@/is, "$1***@").replace(/([?#]).*$/s, "$1***")
    : text;
}

function readWebhook({
  LIMPID_WATCH_URL: url,
  LIMPID_WATCH_SECRET: secret,
  LIMPID_WATCH_PRIVATE: allowPrivate,
}: v.InferOutput<typeof ConfigSchema>) {
  return url === undefined || secret === undefined ? undefined : { url, secret, allowPrivate };
}

/**
 * The origins of both families belong together. A page over HTTPS cannot ask an origin without it, and a content security
 * policy cannot hold an IPv6 address (https://www.w3.org/TR/CSP3/#grammardef-host-part).
 */
function checkFamilies(value: v.InferOutput<typeof ConfigSchema>): readonly string[] {
  const [four, six] = ["LIMPID_IPV4_URL", "LIMPID_IPV6_URL"] as const;
  if (value[four] === undefined && value[six] === undefined) return [];
  if (value[four] === value[six]) return [`${six}: must be another origin than ${four}`];
  const isSecure = value.LIMPID_BASE_URL?.startsWith("https:") === true;
  return [four, six].flatMap((name) => {
    const url = value[name];
    if (url === undefined) return [`${name}: must be set together with ${name === four ? six : four}`];
    if (url.includes("["))
      return [`${name}: must have a name in place of the address: current value is "${url}"`];
    if (isSecure && !url.startsWith("https:"))
      return [`${name}: must start with https://, because LIMPID_BASE_URL does: current value is "${url}"`];
    return [];
  });
}

function readMirror(value: v.InferOutput<typeof ConfigSchema>) {
  const {
    LIMPID_MIRROR_OF: primary,
    LIMPID_DATABASE_TOKEN: token,
    LIMPID_PRIMARY_URL: primaryUrl,
    LIMPID_SYNC_SECONDS: seconds,
  } = value;
  if (primary === undefined) return undefined;
  return {
    primary: primary.replace(/\/$/, ""),
    periodMs: seconds * 1000,
    ...(token === undefined ? {} : { token }),
    ...(primaryUrl === undefined ? {} : { primaryUrl }),
  };
}

/** Reads the verifier. Turnstile needs both keys; keys of a verifier that is not chosen are ignored. */
function readVerifier(
  value: v.InferOutput<typeof ConfigSchema>,
  problems: string[],
): VerifierConfig | undefined {
  if (value.LIMPID_VERIFIER === "altcha") return { kind: "altcha" };
  const { LIMPID_TURNSTILE_SITE_KEY: siteKey, LIMPID_TURNSTILE_SECRET: secret } = value;
  if (siteKey !== undefined && secret !== undefined) return { kind: "turnstile", siteKey, secret };
  for (const name of ["LIMPID_TURNSTILE_SITE_KEY", "LIMPID_TURNSTILE_SECRET"] as const) {
    if (value[name] === undefined) problems.push(`${name}: must be set when LIMPID_VERIFIER is turnstile`);
  }
  return undefined;
}
