import { EXIT, ExitError, LOOPBACK } from "#app";
import type { Config } from "#config";
import { probeHealth } from "#upstream";
import { type Command, commandTextsOf, readOptions } from "./command.ts";

const TIMEOUT_MS = 3_000;

/** `limpid health`: asks whether the server of this configuration is alive. */
export const health: Command = {
  ...commandTextsOf("health"),
  async run(args, context) {
    readOptions(health, args);
    await checkHealth(context.readConfig());
    return EXIT.ok;
  },
};

/**
 * Asks the server on this machine with this configuration whether it is alive.
 * @throws {ExitError} with {@link EXIT.notReady} when it is not.
 */
export async function checkHealth(
  config: Pick<Config, "host" | "port">,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const host = LOOPBACK.get(config.host) ?? config.host;
  const problem = await probeHealth(host, config.port, timeoutMs);
  if (problem !== undefined)
    throw new ExitError(EXIT.notReady, `Cannot reach limpid at ${host}:${config.port}: ${problem}`);
}
