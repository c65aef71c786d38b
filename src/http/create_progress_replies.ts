import type { Answer, SurveyEvent } from "#lookup";
import { noteLimit } from "./admit.ts";
import type { Exchange } from "./exchange.ts";
import { explainFailure } from "./explain_failure.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { noteOpenLeft } from "./note_open_left.ts";
import { openEventStream } from "./open_event_stream.ts";
import { openLookup, type Wish } from "./open_lookup.ts";
import { createReply, type Reply } from "./reply.ts";
import { reportUrlOf } from "./report_url.ts";
import { toProblem } from "./say_http_problem.ts";

/** Watchers at once in one process. */
const MAX_STREAMS = 256;

/** About as long as a survey takes. */
const FULL_RETRY_MS = 5000;

/** Well within what proxies leave a quiet connection open. */
const HEARTBEAT_MS = 10_000;

/** Answers a watched lookup: refusals as they are, and from the first event on a stream that ends with the report. */
export type ProgressReplies = (exchange: Exchange, readWish: () => Wish) => Promise<Reply>;

/** Builds {@link ProgressReplies}. Who stops watching ends the watching: the survey goes on, its answer is kept. */
export function createProgressReplies(deps: HttpDeps): ProgressReplies {
  const every = deps.every ?? repeat;
  let open = 0;

  async function watch(exchange: Exchange, readWish: () => Wish): Promise<Reply> {
    exchange.request.signal.throwIfAborted();
    if (open >= MAX_STREAMS) throw new HttpProblem("overloaded", { retryAfterMs: FULL_RETRY_MS });
    const { request, settle } = openLookup(deps, exchange, readWish);
    open += 1;
    const leaving = new AbortController();
    const stream = openEventStream(() => {
      open -= 1;
      stopHeartbeat();
      leaving.abort();
    });
    const stopHeartbeat = every(HEARTBEAT_MS, stream.beat);
    // A caller who leaves before the stream is taken up never cancels it.
    exchange.request.signal.addEventListener("abort", stream.close, { once: true });

    const begun = Promise.withResolvers<void>();
    const tell = createTeller(stream.send);
    const ended = deps
      .lookup(
        {
          ...request,
          watch(event) {
            if (event.kind === "admitted") {
              for (const limit of event.limits) noteLimit(exchange, limit);
              return;
            }
            tell(event);
            begun.resolve();
          },
        },
        leaving.signal,
      )
      .then(settle);
    try {
      await (exchange.request.method === "HEAD" ? ended : Promise.race([begun.promise, ended]));
    } catch (error) {
      stream.close();
      throw error;
    }
    void finish(exchange, ended, stream);
    return eventReply(exchange, stream.readable);
  }

  async function finish(
    exchange: Exchange,
    ended: Promise<Answer>,
    stream: ReturnType<typeof openEventStream>,
  ): Promise<void> {
    try {
      const { assessment } = await ended;
      stream.send("report", { url: reportUrlOf(deps.baseUrl, assessment.address, exchange.language) });
    } catch (error) {
      if (!stream.isOpen()) return;
      stream.send("problem", toProblem(explainFailure(deps, exchange, error), exchange.language));
    } finally {
      stream.close();
    }
  }

  return (exchange, readWish) => noteOpenLeft(deps, exchange, () => watch(exchange, readWish));
}

/** Puts what a watcher is told into events, and counts the sources. */
function createTeller(
  send: (name: string, data: unknown) => void,
): (event: Exclude<SurveyEvent, { kind: "admitted" }>) => void {
  let total = 0;
  let done = 0;
  return (event) => {
    switch (event.kind) {
      case "queued":
        return send("queued", {});
      case "started":
        total = event.sources.length;
        return send("started", { total, sources: event.sources.map(({ id, name }) => ({ id, name })) });
      case "source": {
        done += 1;
        const { id, name, state, ms } = event;
        return send("source", { id, name, state, ms, done, total });
      }
    }
  };
}

function eventReply(exchange: Exchange, readable: ReadableStream<Uint8Array>): Reply {
  return createReply({
    status: 200,
    stream: () => readable,
    keeping: "no-store",
    shared: exchange.shared,
    // Said to nginx and its like, which would else hold the events back.
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
  });
}

function repeat(ms: number, then: () => void): () => void {
  const timer = setInterval(then, ms);
  return () => clearInterval(timer);
}
