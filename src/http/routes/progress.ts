import * as v from "valibot";
import { nameSource } from "#locale";
import type { SurveyEvent } from "#lookup";
import { reportUrlOf } from "#render";
import { type LookupOutcome, lookUpCharged, type Wanted } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import { ip, lang, refresh } from "../parameters.ts";
import { explainFailure } from "../plugins/errors.ts";
import { noteLimit, showAllowance } from "../plugins/limits.ts";
import { createRoutes, type RequestContext } from "../plugins/request_context.ts";
import { describeProblem, refuse } from "../problem.ts";
import { Reply } from "../reply.ts";
import { events, operation, problems } from "../responses.ts";

/** Open streams of one process. */
const MAX_STREAMS = 256;

/** About as long as a survey takes. */
const FULL_RETRY_MS = 5000;

/** Shorter than any proxy's limit for a silent connection. */
const HEARTBEAT_MS = 10_000;

/** `/api/progress`: a lookup with its progress as events, with the limits of any other lookup. */
export function progressRoute(path: string, context: HttpContext) {
  const streams = { open: 0 };
  return createRoutes().get(
    path,
    async ({ query, requestContext }) => {
      try {
        const wanted = { address: query.ip, refresh: query.refresh !== undefined };
        return await watchLookup(context, streams, requestContext, wanted);
      } finally {
        await showAllowance(context, requestContext);
      }
    },
    {
      query: v.object({ ip, refresh, lang }),
      response: {
        200: events("The events, from the first one on.", { examples: ["events"] }),
        ...problems("survey", "json"),
      },
      detail: operation("watchLookup"),
    },
  );
}

/** Returns a refusal, or from the first event on a stream that ends with the report or a problem. */
async function watchLookup(
  context: HttpContext,
  streams: { open: number },
  requestContext: RequestContext,
  wanted: Wanted,
) {
  const { request, language } = requestContext;
  request.signal.throwIfAborted();
  if (streams.open >= MAX_STREAMS) return refuse("overloaded", { retryAfterMs: FULL_RETRY_MS });
  streams.open += 1;
  const leaving = new AbortController();
  const stream = openEventStream(() => {
    streams.open -= 1;
    stopHeartbeat();
    leaving.abort();
  });
  const stopHeartbeat = context.every(HEARTBEAT_MS, stream.beat);
  // A client that disconnects before it reads the stream does not cancel the stream.
  request.signal.addEventListener("abort", stream.close, { once: true });

  const begun = Promise.withResolvers<void>();
  let total = 0;
  let done = 0;
  const watch = (event: SurveyEvent): void => {
    if (event.kind === "admitted") {
      for (const limit of event.limits) noteLimit(requestContext, limit);
      return;
    }
    if (event.kind === "queued") stream.send("queued", {});
    else if (event.kind === "started") {
      total = event.sources.length;
      stream.send("started", {
        total,
        sources: event.sources.map(({ id, name }) => ({ id, name: nameSource(name, language) })),
      });
    } else {
      done += 1;
      const { id, state, ms } = event;
      stream.send("source", { id, name: nameSource(event.name, language), state, ms, done, total });
    }
    begun.resolve();
  };
  const ended = lookUpCharged(context, requestContext, { ...wanted, watch }, leaving.signal);
  try {
    const first = await (request.method === "HEAD" ? ended : Promise.race([begun.promise, ended]));
    if (first?.refusal !== undefined) {
      stream.close();
      return first.refusal;
    }
  } catch (error) {
    stream.close();
    throw error;
  }
  void finish(context, requestContext, ended, stream);
  // Without X-Accel-Buffering, nginx and similar proxies buffer the events.
  const headers = { "x-accel-buffering": "no" };
  return new Reply<"events">(
    { cacheControl: "no-store", shared: true, languages: [requestContext.language], headers },
    { contentType: "text/event-stream; charset=utf-8", content: () => stream.readable },
  );
}

async function finish(
  context: HttpContext,
  requestContext: RequestContext,
  ended: Promise<LookupOutcome>,
  stream: ReturnType<typeof openEventStream>,
): Promise<void> {
  const { language } = requestContext;
  try {
    const { answer, refusal } = await ended;
    if (answer === undefined) stream.send("problem", describeProblem(refusal.response, language));
    else stream.send("report", { url: reportUrlOf(context.baseUrl, answer.assessment.address, language) });
  } catch (error) {
    if (!stream.isOpen()) return;
    stream.send("problem", describeProblem(explainFailure(context, requestContext, error), language));
  } finally {
    stream.close();
  }
}

/**
 * Opens a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Calls `onClose`
 * once, when the stream is closed or its reader disconnects.
 */
function openEventStream(onClose: () => void) {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const readable = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel: () => void end(),
  });

  function end(): ReadableStreamDefaultController<Uint8Array> | undefined {
    const ended = controller;
    controller = undefined;
    if (ended !== undefined) onClose();
    return ended;
  }

  const write = (text: string) => controller?.enqueue(encoder.encode(text));
  return {
    readable,
    /** Sends one event; its data is one line of JSON. Does nothing after the end. */
    send: (name: string, data: unknown) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    /** Sends a comment, so that no proxy closes a silent connection. */
    beat: () => write(":\n\n"),
    isOpen: () => controller !== undefined,
    /** Ends the stream; a second call does nothing. */
    close: () => end()?.close(),
  };
}
