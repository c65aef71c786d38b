import { Resolver } from "node:dns/promises";

/** A resolver, and what it has been asked in its life. */
export interface KeptResolver {
  readonly resolver: Resolver;
  readonly asked: Set<string>;
  /** Milliseconds since the epoch. */
  readonly openedAtMs: number;
}

/** Resolvers that wait to be asked: to open one for every question costs more than the question. */
export interface ResolverShelf {
  /** One that has never been asked this, for a resolver remembers its answers; `question` is noted as asked. */
  take(question: string): KeptResolver;
  /** Puts it back when its question has been answered. */
  put(kept: KeptResolver): void;
}

const MAX_IDLE = 64;
/** About as many surveys. */
const MAX_ASKED = 256;
/** The system's servers are read when a resolver is opened, and may change. */
const MAX_AGE_MS = 60_000;
/** A lost packet is sent again after a second, once; two seconds later the question is lost. */
const PACKET = { timeout: 1000, tries: 2 } as const;

/** Creates a {@link ResolverShelf} over these servers, `ADDRESS:PORT`; absent or empty = the system's. */
export function createResolverShelf(
  servers: readonly string[] | undefined,
  now: () => number,
): ResolverShelf {
  const idle: KeptResolver[] = [];

  function open(): KeptResolver {
    const resolver = new Resolver(PACKET);
    if (servers !== undefined && servers.length > 0) resolver.setServers([...servers]);
    return { resolver, asked: new Set(), openedAtMs: now() };
  }

  function isFit({ asked, openedAtMs }: KeptResolver): boolean {
    const ageMs = now() - openedAtMs;
    return asked.size < MAX_ASKED && ageMs >= 0 && ageMs < MAX_AGE_MS;
  }

  function find(question: string): KeptResolver | undefined {
    for (let at = idle.length - 1; at >= 0; at -= 1) {
      const kept = idle[at];
      if (kept === undefined || kept.asked.has(question)) continue;
      idle.splice(at, 1);
      if (isFit(kept)) return kept;
    }
    return undefined;
  }

  return {
    take(question) {
      const kept = find(question) ?? open();
      kept.asked.add(question);
      return kept;
    },
    put(kept) {
      if (idle.length < MAX_IDLE && isFit(kept)) idle.push(kept);
    },
  };
}
