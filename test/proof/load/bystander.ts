import { measureNs, quantile } from "../../bench/harness.ts";
import { type LoadKind, type LoadResult, runLoad } from "./load_plan.ts";

/** The answers of a client that is not part of the load. Times in milliseconds. */
export interface Bystander {
  /** Right answers of a kind, or of all, that were to be asked for between two moments, milliseconds since the epoch. */
  between(from: number, to: number, kind?: string): Span;
  readonly result: LoadResult;
}

/** Answers of a span of time. */
interface Span {
  readonly p99: number;
  /** The same from a bare server without load: the delay of the machine itself. */
  readonly bareP99: number;
}

const CONNECTIONS = 8;
const PATIENCE_MS = 10_000;

/** What a bare server's p99 is on a machine that has time. */
const CALM_BARE_MS = 20;

const BARE_SERVER = `const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("x".repeat(6000)) });
  console.log(server.url.origin);`;

/** Sends the same few requests at an even rate, in its own process, also to a bare server beside it. */
export async function watchBystander(
  url: string,
  mix: readonly LoadKind[],
  seconds: number,
  perSecond = 50,
): Promise<Bystander> {
  const bare = Bun.spawn([process.execPath, "-e", BARE_SERVER], { stdout: "pipe" });
  try {
    const chunk = await bare.stdout.getReader().read();
    const bareUrl = new TextDecoder().decode(chunk.value).trim();
    const plan = {
      connections: CONNECTIONS,
      perSecond,
      seconds,
      patienceMs: PATIENCE_MS,
      trace: true,
    } as const;
    const [result, control] = await Promise.all([
      runLoad({ ...plan, url, mix }),
      runLoad({ ...plan, url: bareUrl, mix: [{ name: "bare", weight: 1, paths: ["/"], statuses: [200] }] }),
    ]);
    return describe(result, control);
  } finally {
    bare.kill();
  }
}

/** The difference of the 99th percentile in two spans, less the difference of the machine. */
export function lossOf(before: Span, meanwhile: Span): number {
  return meanwhile.p99 - before.p99 - Math.max(0, meanwhile.bareP99 - before.bareP99);
}

/**
 * Whether wall times are meaningful: if a server without load is late too, they show other load on the machine.
 * Processor times always count.
 */
export function isCalm(...spans: readonly Span[]): boolean {
  return spans.every(({ bareP99 }) => bareP99 <= CALM_BARE_MS);
}

/** Fixed work, about 0.03–0.06 ms. */
const WORK = JSON.stringify(
  Array.from({ length: 300 }, (_, n) => ({ ip: `8.8.4.${n}`, score: n, flags: [] })),
);

/** Milliseconds this machine needs for fixed work now. Budgets are a number of these, so that a slow machine passes. */
export function measureWorkMs(): number {
  const work = (text: string) => JSON.stringify(JSON.parse(text)).length;
  return measureNs([WORK], work, { rounds: 5, roundMs: 20 }) / 1e6;
}

function describe(result: LoadResult, control: LoadResult): Bystander {
  return {
    result,
    between(from, to, kind) {
      const times = pick(result, from, to, kind);
      const bare = pick(control, from, to);
      return {
        p99: quantile(times, 0.99),
        bareP99: quantile(bare, 0.99),
      };
    },
  };
}

function pick({ trace }: LoadResult, from: number, to: number, kind?: string): readonly number[] {
  return trace
    .filter(([at, , name]) => at >= from && at < to && (kind === undefined || name === kind))
    .map(([, ms]) => ms);
}
