import { type Address, parseAddress } from "#address";
import { MINUTE_MS } from "#common";
import type { Config } from "#config";
import { parseSurvey } from "#evidence";
import { assess } from "#lookup";
import type { Metrics } from "#metrics";
import { postMessage, type UpstreamSession } from "#upstream";
import {
  createDelivery,
  createWatcher,
  parseWatchList,
  readWebhookSecret,
  sendEvent,
  type Webhook,
  type WebhookPorts,
} from "#watch";
import { EXIT, ExitError } from "./exit_codes.ts";
import type { AppContext } from "./files.ts";
import { openOperatorFile } from "./operator_file.ts";
import { OPERATOR, type Service } from "./service.ts";
import { repeat } from "./timers.ts";

const RESOLVE_MS = 5000;

type WatchService = Pick<Service, "lookup" | "store" | "openSession" | "corrections">;

/**
 * Returns the webhook of the configuration.
 * @throws {ExitError} when its secret is none.
 */
export function readWebhook({ webhook }: Pick<Config, "webhook">): Webhook | undefined {
  if (webhook === undefined) return undefined;
  const { url, secret, allowPrivate } = webhook;
  const key = readWebhookSecret(secret);
  if (key === undefined)
    throw new ExitError(
      EXIT.config,
      "Cannot use LIMPID_WATCH_SECRET: it must be whsec_ and 24 to 64 bytes in base64",
    );
  return { url, key, allowPrivate };
}

export function openWebhookPorts(
  { openSession }: Pick<Service, "openSession">,
  { gateway }: Pick<Config, "gateway">,
  now: () => number,
): WebhookPorts {
  return {
    resolve: (name) => resolveName(name, openSession),
    post: (url, headers, body) => postMessage(url, headers, body, gateway),
    now,
  };
}

/**
 * Opens the list of watched addresses. Undefined when nothing is watched.
 * @throws {ExitError} when the list or the secret of the webhook is wrong.
 */
export function openWatch(
  config: Config,
  service: WatchService,
  { now, log, metrics }: Pick<AppContext, "now" | "log"> & { readonly metrics: Metrics },
) {
  if (config.watch === undefined) return undefined;
  const { store, lookup, openSession, corrections } = service;
  const file = openOperatorFile(
    { path: config.watch, name: "watch list", parse: parseWatchList },
    { now, onProblem: (message) => log("warn", "watch_list_refused", { message }) },
  );
  const webhook = readWebhook(config);
  const stopping = new AbortController();
  let origin = "";
  let waiting = 0;
  const watcher = createWatcher({
    entries: file.read,
    resolve: (name) => resolveName(name, openSession, [stopping.signal]),
    async survey(address) {
      const startedAt = now();
      const request = { address, refresh: true, isThrifty: true, client: OPERATOR };
      const { kind } = await lookup(request, stopping.signal);
      const json = kind === "answer" ? await store.findSurvey(address.text) : undefined;
      const survey = json === undefined ? undefined : parseSurvey(json);
      // A refresh that lost its best sources leaves the stored survey as it was.
      return survey !== undefined && Date.parse(survey.surveyedAt) >= startedAt ? survey : undefined;
    },
    assess: (survey) => assess(survey, corrections),
    repository: store.watches,
    hasWebhook: webhook !== undefined,
    async deliver() {
      if (!stopping.signal.aborted) await delivery?.run();
      waiting = await store.watches.countWaiting();
    },
    reportUrl: (address) => `${origin}/ip/${address}`,
    now,
    log,
    onChange: metrics.changed,
  });
  const ports = openWebhookPorts(service, config, now);
  const delivery =
    webhook === undefined
      ? undefined
      : createDelivery({
          repository: store.watches,
          send: (event) => sendEvent(event, webhook, ports),
          now,
          onAttempt(problem, attempts) {
            metrics.delivered(problem === undefined ? "sent" : "failed");
            if (problem !== undefined) log("warn", "webhook_failed", { problem, attempts });
          },
        });
  metrics.attach({ watch: () => ({ addresses: watcher.targets().size, waiting }) });

  let running: Promise<void> | undefined;
  const turn = () => {
    running ??= watcher.tick().finally(() => {
      running = undefined;
    });
  };
  let end = () => {};
  return {
    /** Starts to survey and to send. `baseUrl` is the public origin of links to reports. */
    start(baseUrl: string): void {
      origin = baseUrl;
      turn();
      end = repeat(MINUTE_MS, turn);
    },
    /** Ends after the survey or message under way. */
    async stop(): Promise<void> {
      end();
      stopping.abort();
      await running;
    },
  };
}

/** Resolves a name by the DNS servers of the configuration, to both families. */
async function resolveName(
  name: string,
  openSession: (signal: AbortSignal) => UpstreamSession,
  stopping: readonly AbortSignal[] = [],
): Promise<readonly Address[]> {
  const { signal } = new AbortController();
  const session = openSession(AbortSignal.any([...stopping, AbortSignal.timeout(RESOLVE_MS)]));
  try {
    const answers = await Promise.all([session.a(name, signal), session.aaaa(name, signal)]);
    return answers.flatMap((answer) =>
      answer.found ? answer.records.flatMap((record) => parseAddress(record) ?? []) : [],
    );
  } finally {
    session.close();
  }
}
