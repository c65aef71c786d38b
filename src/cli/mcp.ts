import { parsePrefix } from "#address";
import { EXIT, prepareDataDirectory, startServer } from "#app";
import { openLines } from "./batch/read_lines.ts";
import { type Command, commandTextsOf, readOptions } from "./command.ts";

/** Messages that are answered at the same time. The next one is read when one of them is answered. */
const MOST_AT_ONCE = 64;

/**
 * `limpid mcp`: the Model Context Protocol over the standard input and output, for desktop clients. Each line is answered
 * by the handler of `POST /mcp`, also one that is not a message; nothing listens.
 */
export const mcp: Command = {
  ...commandTextsOf("mcp"),
  async run(args, context) {
    readOptions(mcp, args);
    // The only client is the program that started this one, so the limits of visitors do not apply.
    const exemptClients = ["127.0.0.1/32"].flatMap((own) => parsePrefix(own) ?? []);
    const config = { ...context.readConfig(), exemptClients };
    prepareDataDirectory(config.dataDirectory);
    const { handle, stop } = await startServer(config, { ...context, log: context.openLog(config) }, false);
    const unread = new AbortController();
    const signal = AbortSignal.any([context.abortOnSignal(), unread.signal]);
    const running = new Set<Promise<void>>();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = async (message: string) => {
      const request = new Request("http://localhost/mcp", { method: "POST", headers, body: message });
      const text = await (await handle(request)).text();
      // A notification has no answer. The handler writes messages of the protocol only, each on one line.
      if (text !== "") await context.write(`${text}\n`);
    };
    for await (const lines of openLines("-", context.readInput, { signal }).groups()) {
      for (const line of lines) {
        if (line.trim() === "") continue;
        if (running.size >= MOST_AT_ONCE) await Promise.race(running);
        // Only writing fails, when nobody reads the answers any more.
        const answering: Promise<void> = answer(line)
          .catch(() => unread.abort())
          .finally(() => running.delete(answering));
        running.add(answering);
      }
    }
    await Promise.all(running);
    await stop();
    return context.exit(EXIT.ok);
  },
};
