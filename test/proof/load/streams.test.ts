import { expect, test } from "bun:test";
import { connect } from "bun";
import { arrange } from "./arrange.ts";
import { isCalm, lossOf, measureWorkMs, watchBystander } from "./bystander.ts";
import { hitMix } from "./mix.ts";
import { readState } from "./read_state.ts";

/** Watchers at once that one process has room for, and how many come. */
const ROOM = 256;
const WATCHERS = 320;
const LEAVERS = 60;
const ADDRESSES = 12;

/** Long enough that no survey ends while other requests still arrive. */
const DELAY_MS = 2500;
/** What the p99 of others may lose, in times of fixed work. The watchers arrive in one turn of the event loop. */
const LOSS_WORKS = 8_000;
const MOST_GROWTH_MB = 160;

interface Watcher {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly leave: () => void;
  /** The last event of the stream. */
  readonly text: Promise<string>;
}

/** The others are refused, a closed stream frees a place, and all get the end. */
test("there is room for 256 watchers of surveys and no more", async () => {
  const arrangement = await arrange({ known: 24, delayMs: () => DELAY_MS });
  const { service, known } = arrangement;
  const { pid } = service.process;
  try {
    const workMs = measureWorkMs();
    const before = readState(pid);
    const beganAt = Date.now();
    const bystanding = watchBystander(service.url, hitMix(known).slice(0, 1), 4.5);
    await Bun.sleep(1500);
    const startedAt = Date.now();
    const open = (n: number) => watch(service.url, `/api/progress?ip=8.100.1.${n % ADDRESSES}`);
    const watchers = await Promise.all(Array.from({ length: WATCHERS }, (_, n) => open(n)));
    const admitted = watchers.filter(({ status }) => status === 200);
    const refused = watchers.filter(({ status }) => status === 503);
    const grownMb = (readState(pid).rssKb - before.rssKb) / 1024;
    for (const watcher of admitted.slice(0, LEAVERS)) watcher.leave();
    await Bun.sleep(300);
    const newcomers = await Promise.all(Array.from({ length: LEAVERS }, (_, n) => open(n)));
    const texts = await Promise.all([...admitted.slice(LEAVERS), ...newcomers].map(({ text }) => text));
    const endedAt = Date.now();
    const bystander = await bystanding;
    const idle = bystander.between(beganAt + 700, startedAt);
    const beside = bystander.between(startedAt, endedAt);
    expect([admitted.length, refused.length]).toEqual([ROOM, WATCHERS - ROOM]);
    for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^[1-9]\d*$/);
    for (const { status } of newcomers) expect(status).toBe(200);
    for (const text of texts) expect(text).toContain("event: report\n");
    if (isCalm(idle, beside)) expect(lossOf(idle, beside)).toBeLessThanOrEqual(LOSS_WORKS * workMs);
    expect(grownMb).toBeLessThanOrEqual(MOST_GROWTH_MB);
    expect(service.log()).not.toContain("request_failed");
  } finally {
    await arrangement.close();
  }
}, 120_000);

/** Opens a stream over a connection of its own; resolves with its head. */
async function watch(url: string, path: string): Promise<Watcher> {
  const { hostname, port, host } = new URL(url);
  const head = Promise.withResolvers<string>();
  const text = Promise.withResolvers<string>();
  let got = "";
  const socket = await connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        got += chunk.toString();
        const end = got.indexOf("\r\n\r\n");
        if (end >= 0) head.resolve(got.slice(0, end));
      },
      close() {
        head.resolve(got);
        text.resolve(got);
      },
      error() {},
    },
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  const lines = await head.promise;
  return {
    status: Number(lines.slice(9, 12)),
    retryAfter: /\r\nretry-after: (\d+)/i.exec(lines)?.[1],
    leave: () => socket.terminate(),
    text: text.promise,
  };
}
