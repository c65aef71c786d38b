import { EXIT, prepareDataDirectory, startMirror, startServer } from "#app";
import { type Command, readFlags } from "./command.ts";

/** An address of a hosting company: its report says something from the first minute, and without a network. */
const EXAMPLE = "46.4.84.25";

/** The longest shutdown: writing the log takes at most another second. */
const STOP_MS = 8500;

/** `limpid serve`: serves until SIGINT, SIGTERM or SIGHUP. */
export const serve: Command = {
  name: "serve",
  operands: "",
  what: "serve the HTTP interface",
  options: [{ name: "stop-with-parent", what: "stop when the program that started this one ends" }],
  async run(args, context) {
    const isWatched = readFlags(serve, args).has("stop-with-parent");
    // The launcher may end before the server listens.
    const launcherEnd = isWatched ? [context.waitForLauncherEnd().then(() => "parent ended")] : [];
    const { version } = context;
    const config = context.readConfig();
    const log = context.openLog(config);
    prepareDataDirectory(config.dataDirectory);
    const { mirror } = config;
    const server = await (mirror === undefined
      ? startServer(config, { ...context, log })
      : startMirror({ ...config, mirror }, { ...context, log }));
    const stopping = Promise.race([context.waitForSignal(), ...launcherEnd]);

    // A script may stop the server as soon as it reads this line, so the signals are watched before.
    const publicUrl = server.publicUrl === server.url ? "" : `, as ${server.publicUrl}`;
    const example = `curl '${server.url}/cli/${EXAMPLE}${context.terminal.language === "en" ? "?lang=en" : ""}'`;
    context.announce(`limpid ${version} answers at ${server.url}${publicUrl}\n\n  ${example}\n\n`);

    log("info", "stopping", { signal: await stopping });
    const isStopped = await Promise.race([
      server.stop().then(() => true),
      Bun.sleep(STOP_MS).then(() => false),
    ]);
    if (!isStopped) log("warn", "stop_timed_out", { afterMs: STOP_MS });
    return context.exit(EXIT.ok);
  },
};
