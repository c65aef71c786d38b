import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { parsePrefix } from "#address";
import { EXIT, prepareDataDirectory, startServer } from "#app";
import { type Command, commandTextsOf, readOptions } from "./command.ts";

/**
 * `limpid mcp`: the Model Context Protocol over the standard input and output, for desktop clients. Each message is
 * answered by the handler of `POST /mcp`; nothing listens.
 */
export const mcp: Command = {
  ...commandTextsOf("mcp"),
  async run(args, context) {
    readOptions(mcp, args);
    // The only client is the program that started this one, so the limits of visitors do not apply.
    const exemptClients = ["127.0.0.1/32"].flatMap((own) => parsePrefix(own) ?? []);
    const config = { ...context.readConfig(), exemptClients };
    prepareDataDirectory(config.dataDirectory);
    const server = await startServer(config, { ...context, log: context.openLog(config) }, false);
    const transport = new StdioServerTransport();
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
      // The SDK does not see the end of its input.
      process.stdin.once("end", resolve);
    });
    let running = Promise.resolve();
    transport.onmessage = (message) => {
      running = Promise.allSettled([running, answer(server.handle, message, transport)]).then(() => {});
    };
    await transport.start();
    await Promise.race([closed, context.waitForSignal()]);
    await running;
    await server.stop();
    return context.exit(EXIT.ok);
  },
};

/** Answers a message; a notification has no answer. */
async function answer(
  handle: (request: Request) => Promise<Response>,
  message: JSONRPCMessage,
  transport: StdioServerTransport,
): Promise<void> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify(message),
  });
  const text = await (await handle(request)).text();
  // The handler writes messages of the protocol only.
  if (text !== "") await transport.send(JSON.parse(text) as JSONRPCMessage);
}
