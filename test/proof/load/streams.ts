import { connect } from "bun";
import type { Extent } from "../run_cases.ts";
import { arrange } from "./arrange.ts";
import { compareSpans, isCalm, lossOf, watchBystander } from "./bystander.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { hitMix } from "./mix.ts";
import { readState } from "./read_state.ts";

/** Watchers at once that one process has room for, and how many come. */
const ROOM = 256;
const WATCHERS = 320;
const LEAVERS = 60;
/** More than are surveyed at once, but for the brief form. */
const ADDRESSES = { brief: 12, quick: 40, full: 40 };

/** Long enough that no survey ends while other requests still arrive. */
const DELAY_MS = 2500;
const LOSS_MS = 150;
const MOST_GROWTH_MB = 160;

interface Watcher {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly leave: () => void;
  /** The last event of the stream. */
  readonly text: Promise<string>;
}

/** More watchers of surveys than places: the rest is refused, a closed stream frees a place, all get the end. */
export async function streams(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const arrangement = await arrange({ known: 24, delayMs: () => DELAY_MS });
  const { service, known } = arrangement;
  const { pid } = service.process;
  try {
    const before = readState(pid);
    const beganAt = Date.now();
    const bystanding = watchBystander(service.url, hitMix(known).slice(0, 1), extent === "brief" ? 4.5 : 8);
    await Bun.sleep(1500);
    const startedAt = Date.now();
    const open = (n: number) => watch(service.url, `/api/progress?ip=8.100.1.${n % ADDRESSES[extent]}`);
    const watchers = await Promise.all(Array.from({ length: WATCHERS }, (_, n) => open(n)));
    const taken = watchers.filter(({ status }) => status === 200);
    const refused = watchers.filter(({ status }) => status === 503);
    const most = readState(pid);
    for (const watcher of taken.slice(0, LEAVERS)) watcher.leave();
    await Bun.sleep(300);
    const newcomers = await Promise.all(Array.from({ length: LEAVERS }, (_, n) => open(n)));
    const texts = await Promise.all([...taken.slice(LEAVERS), ...newcomers].map(({ text }) => text));
    const endedAt = Date.now();
    const bystander = await bystanding;
    const told = texts.filter((text) => text.includes("event: report\n")).length;
    const idle = bystander.between(beganAt + 700, startedAt);
    const beside = bystander.between(startedAt, endedAt);
    const { longestMs } = arrangement.turns(startedAt, endedAt);
    const after = readState(pid);
    const grownMb = (most.rssKb - before.rssKb) / 1024;
    see(
      `${WATCHERS} watchers come: ${taken.length} let in, ${refused.length} refused; ${LEAVERS} leave, ${newcomers.filter(({ status }) => status === 200).length} of ${LEAVERS} newcomers let in; ${told} of ${texts.length} told the end`,
    );
    see(
      `hits of others: ${compareSpans(idle, beside)}; longest turn of the event loop ${longestMs.toFixed(1)} ms of processor time; memory ${grownMb.toFixed(0)} MB more; sockets ${before.sockets} before, ${after.sockets} afterwards`,
    );
    check(`${taken.length} watchers are let in`, taken.length === ROOM);
    check(`${refused.length} are refused`, refused.length === WATCHERS - ROOM);
    check(
      "who is refused is told when to come again",
      refused.every(({ retryAfter }) => /^[1-9]\d*$/.test(retryAfter ?? "")),
    );
    check(
      "whoever leaves makes room",
      newcomers.every(({ status }) => status === 200),
    );
    check(`${told} of ${texts.length} are told the end`, told === texts.length);
    const loss = lossOf(idle, beside);
    if (isCalm(idle, beside)) check(`hits: ${loss.toFixed(1)} ms later beside them`, loss <= LOSS_MS);
    check(`memory: ${grownMb.toFixed(0)} MB more`, grownMb <= MOST_GROWTH_MB);
    check("nothing failed inside", !service.log().includes("request_failed"));
  } finally {
    await arrangement.close();
  }
  return findings;
}

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
