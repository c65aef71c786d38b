/** A stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** Sends one event; data becomes one line of JSON. Once closed, nothing is sent any more. */
  readonly send: (name: string, data: unknown) => void;
  /** Sends a comment, so that nobody on the way takes the silence for the end. */
  readonly beat: () => void;
  readonly isOpen: () => boolean;
  /** Ends the stream; twice is once. */
  readonly close: () => void;
}

/** Opens a stream; `onClose` is called once, when it is closed or its reader has gone. */
export function openEventStream(onClose: () => void): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const readable = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      end();
    },
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
    send: (name, data) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(":\n\n"),
    isOpen: () => controller !== undefined,
    close: () => end()?.close(),
  };
}
