/** A stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventStream {
  readonly readable: ReadableStream<Uint8Array>;
  /** Sends one event; its data is one line of JSON. Does nothing after the end. */
  readonly send: (name: string, data: unknown) => void;
  /** Sends a comment, so that no proxy closes a silent connection. */
  readonly beat: () => void;
  readonly isOpen: () => boolean;
  /** Ends the stream; a second call does nothing. */
  readonly close: () => void;
}

/** Opens a stream. `onClose` is called once, when the stream is closed or its reader has left. */
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
