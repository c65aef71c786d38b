import { createHmac } from "node:crypto";
import { type Address, isBogon, parseAddress } from "#address";
import { DAY_MS, MINUTE_MS } from "#common";
import type { WatchEvent, WatchRepository } from "#store";

/** Where events are sent, and the key that signs them. */
export interface Webhook {
  readonly url: string;
  readonly key: Uint8Array;
  /** Addresses of this machine and of private networks are accepted. */
  readonly allowPrivate: boolean;
}

/** What sending needs: the addresses of a name, and one POST that returns the status or throws. */
export interface WebhookPorts {
  readonly resolve: (name: string) => Promise<readonly Address[]>;
  readonly post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
  readonly now: () => number;
}

/** The delays of Standard Webhooks, then once a day until the event is sent. */
const RETRY_MS = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  120 * MINUTE_MS,
  300 * MINUTE_MS,
  600 * MINUTE_MS,
  DAY_MS,
];

/** Events of one round. */
const AT_ONCE = 20;

/**
 * Reads a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Undefined for any other text.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function readWebhookSecret(text: string): Uint8Array | undefined {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  const key = base64 === undefined ? undefined : Buffer.from(base64, "base64");
  return key !== undefined && key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** Signs a message; `seconds` is the time of the attempt. */
export function signEvent(key: Uint8Array, id: string, seconds: number, body: string): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}

/**
 * Sends one event. Returns undefined when the receiver took it, otherwise why not, without the URL: it may contain a key.
 * A receiver at a private address is refused unless it is allowed.
 */
export async function sendEvent(
  { id, body }: Pick<WatchEvent, "id" | "body">,
  { url, key, allowPrivate }: Webhook,
  { resolve, post, now }: WebhookPorts,
): Promise<string | undefined> {
  try {
    if (!allowPrivate) {
      const host = new URL(url).hostname;
      const literal = parseAddress(host);
      const addresses = literal === undefined ? await resolve(host) : [literal];
      if (addresses.length === 0) return "its name has no address";
      if (addresses.some(isBogon)) return "its address is not public";
    }
    const seconds = Math.floor(now() / 1000);
    const status = await post(
      url,
      {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": `${seconds}`,
        "webhook-signature": signEvent(key, id, seconds, body),
      },
      body,
    );
    return status >= 200 && status < 300 ? undefined : `it answers ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The event of `limpid watch test`. */
export function makeTestEvent(now: number): WatchEvent {
  const body = JSON.stringify({
    type: "watch.test",
    timestamp: new Date(now).toISOString(),
    data: { message: "limpid can reach this webhook" },
  });
  return { id: `evt_test_${now.toString(36)}`, address: "", at: now, body };
}

/** Creates what sends the events that wait. An attempt is counted before it is made, so a process that ends meanwhile repeats it later. */
export function createDelivery(options: {
  readonly repository: Pick<WatchRepository, "readWaiting" | "attempt" | "markSent">;
  readonly send: (event: WatchEvent) => Promise<string | undefined>;
  readonly now: () => number;
  readonly onAttempt: (problem: string | undefined, attempts: number) => void;
}) {
  const { repository, send, now, onAttempt } = options;
  /** Events that were sent when the database could not be written. They only have to be marked. */
  const unmarked = new Set<string>();
  return {
    /** Sends the events whose attempt is due. The first failure ends the round, because the receiver is probably down. */
    async run(): Promise<void> {
      for (const event of await repository.readWaiting(now(), AT_ONCE)) {
        if (!unmarked.has(event.id)) {
          const delay = RETRY_MS[Math.min(event.attempts, RETRY_MS.length - 1)] ?? DAY_MS;
          if (!(await repository.attempt(event, now() + delay))) continue;
          const problem = await send(event);
          onAttempt(problem, event.attempts + 1);
          if (problem !== undefined) return;
          unmarked.add(event.id);
        }
        await repository.markSent(event.id);
        unmarked.delete(event.id);
      }
    },
  };
}
