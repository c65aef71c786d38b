import { EXIT, prepareDataDirectory, startMirror, startServer } from "#app";
import { type Command, readFlags } from "./command.ts";

/** An address of a hosting company: its report says something from the first minute, and without a network. */
const EXAMPLE = "46.4.84.25";

/** `limpid serve`: serves until SIGINT or SIGTERM. */
export const serve: Command = {
  name: "serve",
  operands: "",
  what: "serve the HTTP interface",
  options: [],
  async run(args, context) {
    readFlags(serve, args);
    const { version } = context;
    const config = context.readConfig();
    const log = context.openLog(config);
    prepareDataDirectory(config.dataDirectory);
    const { mirror } = config;
    const server = await (mirror === undefined
      ? startServer(config, { ...context, log })
      : startMirror({ ...config, mirror }, { ...context, log }));
    const stopping = context.waitForSignal();

    // A script may stop the server as soon as it reads this line, so the signals are watched before.
    const publicUrl = server.publicUrl === server.url ? "" : `, as ${server.publicUrl}`;
    const example = `curl '${server.url}/cli/${EXAMPLE}${context.terminal.language === "en" ? "?lang=en" : ""}'`;
    context.announce(`limpid ${version} answers at ${server.url}${publicUrl}\n\n  ${example}\n\n`);

    log("info", "stopping", { signal: await stopping });
    await server.stop();
    return context.exit(EXIT.ok);
  },
};
