/** Levels, least urgent first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one event with its facts. Never given a client's address or a secret. */
export type Log = (level: LogLevel, event: string, fields?: Record<string, unknown>) => void;

/** Where lines go, what the time is, and whether a person or a program reads them. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly readable: boolean;
  readonly now: () => number;
  readonly write: (line: string) => void;
}

/** Builds a log of one JSON object a line (`time`, `level`, `event`, facts), or of readable lines for a terminal. */
export function createLog(options: LogOptions): Log {
  const least = LOG_LEVELS.indexOf(options.level);
  return (level, event, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < least) return;
    const time = new Date(options.now()).toISOString();
    if (!options.readable) {
      options.write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
      return;
    }
    const facts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    options.write(`${time.slice(11, 19)} ${level.padEnd(5)} ${event}${facts.join("")}\n`);
  };
}
