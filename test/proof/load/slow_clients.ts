import { connect, type Socket } from "bun";
import type { Extent } from "../run_cases.ts";
import { arrange } from "./arrange.ts";
import { compareSpans, isCalm, lossOf, watchBystander } from "./bystander.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { hitMix } from "./mix.ts";
import { readState } from "./read_state.ts";

/** Connections of each kind. */
const EACH = 125;
const DRIP_MS = 1000;

/** By when each kind is to be gone: a head must be whole in 10 s, a body in 30, each plus the clock's grain. */
const HEAD_MS = 16_000;
const ALL_MS = 45_000;
const IDLE_SECONDS = 2;
const LOSS_MS = 150;

/** Most memory that five hundred of them may cost. */
const MOST_GROWTH_MB = 160;

interface Kind {
  readonly name: string;
  readonly first: string;
  /** Sent every second; empty = nothing is sent. */
  readonly drip: string;
  readonly reads: boolean;
  readonly goneMs: number;
}

/**
 * Five hundred clients that send a byte a second, or nothing, or never read. Others are not affected, memory is
 * bounded, and each connection is closed in time.
 */
export async function slowClients(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const arrangement = await arrange({ known: 24 });
  const { service, known } = arrangement;
  const { pid } = service.process;
  const page = `GET /en/ip/${known[0]} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const kinds: readonly Kind[] = [
    { name: "silent", first: "", drip: "", reads: true, goneMs: HEAD_MS },
    {
      name: "a head, a byte a second",
      first: `GET /en/ip/${known[0]} HTTP/1.1\r\nhost: x\r\nx-more: `,
      drip: "a",
      reads: true,
      goneMs: HEAD_MS,
    },
    {
      name: "a body, a byte a second",
      first:
        "POST /api/verify HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n{",
      drip: " ",
      reads: true,
      goneMs: ALL_MS,
    },
    // Thirty pages a second that the client does not read.
    { name: "asks and never reads", first: page, drip: page.repeat(30), reads: false, goneMs: ALL_MS },
  ];
  const waitMs = extent === "full" ? ALL_MS : HEAD_MS;
  try {
    await (await fetch(`${service.url}/en/ip/${known[0]}`)).arrayBuffer();
    const before = readState(pid);
    const beganAt = Date.now();
    const bystanding = watchBystander(service.url, hitMix(known), IDLE_SECONDS + waitMs / 1000);
    await Bun.sleep(IDLE_SECONDS * 1000);
    const startedAt = Date.now();
    const crowds = await Promise.all(kinds.map((kind) => openCrowd(service.url, kind)));
    let most = 0;
    while (Date.now() < startedAt + waitMs) {
      await Bun.sleep(250);
      most = Math.max(most, readState(pid).rssKb);
    }
    const bystander = await bystanding;
    const idle = bystander.between(beganAt + 1000, startedAt);
    const beside = bystander.between(startedAt, startedAt + waitMs);
    for (const { kind, gone, open } of crowds) {
      see(
        `${kind.name}: ${gone.length} of ${EACH} closed, the last after ${(Math.max(0, ...gone) / 1000).toFixed(1)} s`,
      );
      if (kind.goneMs <= waitMs) check(`${kind.name}: ${open()} connections stay`, open() === 0);
    }
    const grownMb = (most - before.rssKb) / 1024;
    see(`hits of others: ${compareSpans(idle, beside)}; memory at most ${grownMb.toFixed(0)} MB more`);
    const loss = lossOf(idle, beside);
    if (isCalm(idle, beside)) check(`hits: ${loss.toFixed(1)} ms later beside them`, loss <= LOSS_MS);
    check(`memory: ${grownMb.toFixed(0)} MB more`, grownMb <= MOST_GROWTH_MB);
    const { total } = bystander.result;
    check(`others: ${total.asked - total.good} of ${total.asked} not answered`, total.good === total.asked);
    for (const { end } of crowds) end();
    await Bun.sleep(1000);
    const after = readState(pid);
    see(`sockets ${before.sockets} before, ${after.sockets} afterwards`);
    check(`sockets ${before.sockets} → ${after.sockets}`, after.sockets <= before.sockets + 16);
  } finally {
    await arrangement.close();
  }
  return findings;
}

async function openCrowd(url: string, kind: Kind) {
  const { hostname, port } = new URL(url);
  const startedAt = Date.now();
  const gone: number[] = [];
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: EACH }, async () => {
      const socket = await connect({
        hostname,
        port: Number(port),
        socket: {
          data() {},
          close() {
            gone.push(Date.now() - startedAt);
          },
          error() {},
        },
      });
      if (!kind.reads) socket.pause();
      if (kind.first !== "") socket.write(kind.first);
      sockets.push(socket);
    }),
  );
  const dripping = setInterval(() => {
    if (kind.drip !== "") for (const socket of sockets) if (socket.readyState > 0) socket.write(kind.drip);
  }, DRIP_MS);
  return {
    kind,
    gone,
    open: () => EACH - gone.length,
    end() {
      clearInterval(dripping);
      for (const socket of sockets) socket.terminate();
    },
  };
}
