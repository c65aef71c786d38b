import type { Config } from "#config";
import type { createApp } from "#http";
import { EXIT, ExitError } from "./exit_codes.ts";

/** Kept below Bun's idle timeout, above the longest survey. */
const IDLE_TIMEOUT_SECONDS = 30;

/** More than any document we read, so that we say ourselves what is too large; what is larger still Bun refuses. */
const MAX_REQUEST_BYTES = 65_536;

/**
 * Listens where the configuration says, and nowhere that somebody else listens.
 * @returns the origin, with the port that was chosen.
 * @throws {ExitError} when the port is taken.
 */
export function listen(app: ReturnType<typeof createApp>, config: Pick<Config, "host" | "port">): string {
  try {
    app.listen({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
    });
  } catch (error) {
    throw new ExitError(
      EXIT.software,
      `Cannot listen on ${config.host}:${config.port}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return formatOrigin(config.host, app.server?.port ?? config.port);
}

/** An http origin; IPv6 in brackets. */
export function formatOrigin(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
