import type { Config } from "#config";
import { probeHealth } from "#upstream";
import { EXIT, ExitError } from "./exit_codes.ts";

const TIMEOUT_MS = 3_000;

/** What listens on every address is asked on this machine's own. */
const OWN_ADDRESS: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/**
 * Asks the process that serves on this machine with this configuration whether it lives.
 * @throws {ExitError} with {@link EXIT.notReady} when it does not.
 */
export async function checkHealth(
  config: Pick<Config, "host" | "port">,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const host = OWN_ADDRESS.get(config.host) ?? config.host;
  const problem = await probeHealth(host, config.port, timeoutMs);
  if (problem !== undefined)
    throw new ExitError(EXIT.notReady, `Cannot reach limpid at ${host}:${config.port}: ${problem}`);
}
