/**
 * A load generator over raw connections: `bun test/proof/load/generate_load.ts` reads a {@link LoadPlan} from stdin
 * and prints a {@link LoadResult}. Requests do not wait for answers: each is timed from its planned time, so a stalled
 * server is measured with all requests that it delays.
 */
import { connect, type Socket } from "bun";
import type { KindResult, LoadKind, LoadPlan, LoadResult, Spread } from "./load_plan.ts";

/** How often arrivals are checked; their times are exact. */
const TICK_MS = 1;

/** How often overdue answers are checked. */
const PATIENCE_TICK_MS = 50;

/** A connection that was refused is tried again after this. */
const RECONNECT_MS = 100;

interface Request {
  readonly kind: Tally;
  readonly dueAt: number;
  readonly sentAt: number;
}

interface Lane {
  socket: Socket<Lane> | undefined;
  request: Request | undefined;
  /** The received part of the answer, until its head is complete. */
  head: Buffer | undefined;
  status: number;
  retryAfter: boolean;
  /** Bytes of body still to come; -1 = in chunks. */
  left: number;
  tail: string;
  closes: boolean;
}

/** What is counted of one kind. */
interface Tally {
  readonly kind: LoadKind;
  turn: number;
  asked: number;
  good: number;
  refused: number;
  mute: number;
  broken: number;
  gaveUp: number;
  readonly wrong: Record<string, number>;
  readonly ms: number[];
  readonly refusedMs: number[];
}

async function generate(plan: LoadPlan): Promise<LoadResult> {
  const target = new URL(plan.url);
  const tallies = plan.mix.map(openTally);
  const weights = plan.mix.reduce((sum, kind) => sum + kind.weight, 0);
  const trace: [number, number, string][] = [];
  const lanes: Lane[] = Array.from({ length: plan.connections }, () => ({
    socket: undefined,
    request: undefined,
    head: undefined,
    status: 0,
    retryAfter: false,
    left: 0,
    tail: "",
    closes: false,
  }));
  const free: Lane[] = [];
  const { perSecond, patienceMs } = plan;
  let fresh = plan.freshFrom ?? 0;
  let client = 0;
  let startedAt = 0;
  /** Arrivals that were sent or have given up. */
  let taken = 0;
  let isOver = false;

  function pick(turn: number): Tally {
    // Spread evenly whatever the weights: a multiplicative hash of the turn (Knuth).
    let at = ((Math.imul(turn + 1, 0x9e3779b1) >>> 0) / 2 ** 32) * weights;
    for (const tally of tallies) {
      at -= tally.kind.weight;
      if (at < 0) return tally;
    }
    return tallies[0] as Tally;
  }

  function write({ kind, turn }: Tally): string {
    let path = kind.paths[turn % kind.paths.length] ?? "/";
    if (path.includes("{fresh}")) {
      path = path.replace("{fresh}", `8.${64 + ((fresh >>> 16) & 63)}.${(fresh >>> 8) & 255}.${fresh & 255}`);
      fresh += 1;
    }
    let text = `${kind.method ?? "GET"} ${path} HTTP/1.1\r\nhost: ${target.host}\r\n`;
    for (const [name, value] of Object.entries(kind.headers ?? {})) text += `${name}: ${value}\r\n`;
    if (kind.clients !== undefined) {
      const at = client % kind.clients;
      client += 1;
      text += `x-forwarded-for: 10.${(at >>> 16) & 255}.${(at >>> 8) & 255}.${at & 255}\r\n`;
    }
    if (kind.body !== undefined) text += `content-length: ${Buffer.byteLength(kind.body)}\r\n`;
    return `${text}\r\n${kind.body ?? ""}`;
  }

  function ask(lane: Lane, dueAt: number): void {
    const tally = pick(taken);
    taken += 1;
    const text = write(tally);
    tally.turn += 1;
    tally.asked += 1;
    const request: Request = { kind: tally, dueAt, sentAt: performance.now() };
    lane.request = request;
    lane.head = undefined;
    lane.socket?.write(text);
    const { leaveMs } = tally.kind;
    if (leaveMs !== undefined) {
      setTimeout(() => {
        if (lane.request !== request) return;
        lane.request = undefined;
        lane.socket?.terminate();
      }, leaveMs);
    }
  }

  function next(lane: Lane): void {
    if (isOver) {
      lane.socket?.end();
      return;
    }
    const now = performance.now();
    const dueAt = startedAt + (taken / perSecond) * 1000;
    if (dueAt <= now) ask(lane, dueAt);
    else free.push(lane);
  }

  function answer(lane: Lane): void {
    const { request } = lane;
    lane.request = undefined;
    lane.head = undefined;
    if (request !== undefined) count(request, lane.status, lane.retryAfter);
    if (lane.closes) lane.socket?.end();
    else next(lane);
  }

  function count({ kind: tally, dueAt }: Request, status: number, retryAfter: boolean): void {
    const now = performance.now();
    if (tally.kind.statuses.includes(status)) {
      tally.good += 1;
      tally.ms.push(now - dueAt);
      if (plan.trace === true)
        trace.push([Math.round(performance.timeOrigin + dueAt), now - dueAt, tally.kind.name]);
    } else if (status === 429 || status === 503) {
      tally.refused += 1;
      tally.refusedMs.push(now - dueAt);
      if (!retryAfter) tally.mute += 1;
    } else tally.wrong[status] = (tally.wrong[status] ?? 0) + 1;
  }

  function receive(lane: Lane, chunk: Buffer): void {
    let body = chunk;
    if (lane.head !== undefined || lane.left === 0) {
      const got = lane.head === undefined ? chunk : Buffer.concat([lane.head, chunk]);
      const end = got.indexOf("\r\n\r\n");
      if (end < 0) {
        lane.head = Buffer.from(got);
        return;
      }
      const head = got.subarray(0, end + 2).toString("latin1");
      lane.head = undefined;
      lane.status = Number(head.slice(9, 12));
      lane.retryAfter = /\r\nretry-after: \d+\r\n/i.test(head);
      lane.closes = /\r\nconnection: close\r\n/i.test(head);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length !== undefined) lane.left = Number(length);
      else lane.left = /\r\ntransfer-encoding: chunked/i.test(head) ? -1 : 0;
      lane.tail = "";
      body = got.subarray(end + 4);
      if (lane.left === 0) {
        answer(lane);
        return;
      }
    }
    if (lane.left < 0) {
      lane.tail = (lane.tail + body.toString("latin1")).slice(-7);
      if (!lane.tail.endsWith("0\r\n\r\n")) return;
      lane.left = 0;
      answer(lane);
      return;
    }
    lane.left -= body.length;
    if (lane.left <= 0) {
      lane.left = 0;
      answer(lane);
    }
  }

  function lose(lane: Lane, socket: Socket<Lane>): void {
    // A connection can report this twice, when the lane has a new one.
    if (lane.socket !== socket) return;
    lane.socket = undefined;
    if (lane.request !== undefined) lane.request.kind.broken += 1;
    lane.request = undefined;
    lane.left = 0;
    lane.head = undefined;
    const at = free.indexOf(lane);
    if (at >= 0) free.splice(at, 1);
    if (!isOver) void open(lane);
  }

  async function open(lane: Lane): Promise<void> {
    try {
      await connect<Lane>({
        hostname: target.hostname,
        port: Number(target.port),
        data: lane,
        socket: {
          open(socket) {
            lane.socket = socket;
            if (startedAt > 0) next(lane);
          },
          data: (socket, chunk) => receive(socket.data, chunk),
          close: (socket) => lose(socket.data, socket),
          error: (socket) => lose(socket.data, socket),
        },
      });
    } catch {
      await Bun.sleep(RECONNECT_MS);
      if (!isOver) await open(lane);
    }
  }

  function giveUp(): void {
    const now = performance.now();
    for (const lane of lanes) {
      const { request } = lane;
      if (request === undefined || now - request.sentAt < patienceMs) continue;
      request.kind.gaveUp += 1;
      lane.request = undefined;
      lane.socket?.terminate();
    }
  }

  await Promise.all(lanes.map(open));
  startedAt = performance.now();
  const endAt = startedAt + plan.seconds * 1000;
  const patience = setInterval(giveUp, PATIENCE_TICK_MS);
  for (const lane of lanes) if (lane.socket !== undefined) free.push(lane);
  for (;;) {
    const now = performance.now();
    if (now >= endAt) break;
    // Requests without a connection have given up by now.
    const left = Math.floor(((now - patienceMs - startedAt) / 1000) * perSecond);
    taken = Math.max(taken, left);
    for (;;) {
      const dueAt = startedAt + (taken / perSecond) * 1000;
      if (dueAt > now) break;
      const lane = free.pop();
      if (lane === undefined) break;
      if (lane.socket !== undefined) ask(lane, dueAt);
    }
    await Bun.sleep(TICK_MS);
  }
  isOver = true;
  const seconds = (performance.now() - startedAt) / 1000;
  while (lanes.some((lane) => lane.request !== undefined)) await Bun.sleep(10);
  clearInterval(patience);
  for (const lane of lanes) lane.socket?.end();

  const kinds = Object.fromEntries(tallies.map((tally) => [tally.kind.name, describe([tally])]));
  return {
    seconds,
    total: describe(tallies),
    kinds,
    trace,
  };
}

function openTally(kind: LoadKind): Tally {
  return {
    kind,
    turn: 0,
    asked: 0,
    good: 0,
    refused: 0,
    mute: 0,
    broken: 0,
    gaveUp: 0,
    wrong: {},
    ms: [],
    refusedMs: [],
  };
}

function describe(tallies: readonly Tally[]): KindResult {
  const sum = (read: (tally: Tally) => number) => tallies.reduce((total, tally) => total + read(tally), 0);
  const spread = (read: (tally: Tally) => readonly number[]) => measure(tallies.flatMap(read));
  const wrong: Record<string, number> = {};
  for (const tally of tallies) {
    for (const [status, times] of Object.entries(tally.wrong)) wrong[status] = (wrong[status] ?? 0) + times;
  }
  return {
    asked: sum((tally) => tally.asked),
    good: sum((tally) => tally.good),
    refused: sum((tally) => tally.refused),
    mute: sum((tally) => tally.mute),
    wrong,
    broken: sum((tally) => tally.broken),
    gaveUp: sum((tally) => tally.gaveUp),
    ms: spread((tally) => tally.ms),
    refusedMs: spread((tally) => tally.refusedMs),
  };
}

function measure(times: readonly number[]): Spread {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? -1;
  return { p50: at(0.5), p99: at(0.99) };
}

if (import.meta.main) console.log(JSON.stringify(await generate((await Bun.stdin.json()) as LoadPlan)));
