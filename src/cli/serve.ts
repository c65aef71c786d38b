import { EXIT, prepareDataDirectory, startMirror, startServer } from "#app";
import { type Command, commandTextsOf, readNumber, readOptions } from "./command.ts";

/** An address of a hosting company: its report says something from the first minute, and without a network. */
const EXAMPLE = "46.4.84.25";

const OWN_LIMITS = `The limits of visitors apply to this machine too, such as five new addresses a day. To lift them:
LIMPID_EXEMPT_CLIENTS=127.0.0.1/32,::1/128\n\n`;

/** The longest shutdown: writing the log takes at most another second. */
const STOP_MS = 8500;

/** `limpid serve`: serves until SIGINT, SIGTERM or SIGHUP. */
export const serve: Command = {
  ...commandTextsOf("serve"),
  async run(args, context) {
    const { flags, values } = readOptions(serve, args);
    const port = readNumber("serve", values, { name: "port", least: 0, most: 65_535 });
    const isWatched = flags.has("stop-with-parent");
    // The launcher may end before the server listens.
    const launcherEnd = isWatched ? [context.waitForLauncherEnd().then(() => "parent ended")] : [];
    const { version } = context;
    const read = context.readConfig("server");
    const config = port === undefined ? read : { ...read, port };
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
    const hint = config.exemptClients.length === 0 ? OWN_LIMITS : "";
    context.announce(`limpid ${version} answers at ${server.url}${publicUrl}\n\n  ${example}\n\n${hint}`);

    log("info", "stopping", { signal: await stopping });
    const isStopped = await Promise.race([
      server.stop().then(() => true),
      Bun.sleep(STOP_MS).then(() => false),
    ]);
    if (!isStopped) log("warn", "stop_timed_out", { afterMs: STOP_MS });
    return context.exit(EXIT.ok);
  },
};
