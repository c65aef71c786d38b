/** Questions under way at once to one server; more wait for their turn, within their deadline. */
const MAX_QUESTIONS = 64;

/**
 * For this long after a missed deadline, or until something is answered, nobody waits longer than so: whoever has
 * several questions one after another would else wait the whole deadline for each.
 */
const DOUBT_MS = 10_000;
const DOUBTFUL_DEADLINE_MS = 500;

type Fetch = (request: Request) => Promise<Response>;

/**
 * What libSQL's client asks a server with: every question is answered whole within `deadlineMs`, its turn and the
 * body included, or rejects and is taken back. One that has missed its turn is never sent. A server that has missed a
 * deadline is given less time until it answers.
 */
export function createDeadlineFetch(deadlineMs: number): Fetch {
  const waiting = new Set<() => void>();
  let underWay = 0;
  let doubt: Timer | undefined;

  function stopDoubting(): void {
    clearTimeout(doubt);
    doubt = undefined;
  }

  function startDoubting(): void {
    stopDoubting();
    doubt = setTimeout(stopDoubting, DOUBT_MS);
    // It must not keep a process alive that has nothing else to do.
    doubt.unref();
  }

  function takeTurn(signal: AbortSignal): Promise<void> {
    if (underWay < MAX_QUESTIONS) {
      underWay += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(start);
        reject(new Error("too many questions are waiting"));
      };
      waiting.add(start);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** A turn that ends goes to the one who has waited longest. */
  function endTurn(): void {
    const [next] = waiting;
    if (next === undefined) {
      underWay -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (request) => {
    const deadline = new AbortController();
    const doubted = doubt !== undefined;
    const waitMs = doubted ? Math.min(deadlineMs, DOUBTFUL_DEADLINE_MS) : deadlineMs;
    const timer = setTimeout(() => deadline.abort(), waitMs);
    try {
      await takeTurn(deadline.signal);
      try {
        // No redirect: the token goes to the configured server and nowhere else.
        const response = await globalThis.fetch(request, { signal: deadline.signal, redirect: "error" });
        const body = await response.arrayBuffer();
        stopDoubting();
        return new Response(body, { status: response.status, headers: response.headers });
      } finally {
        endTurn();
      }
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      if (!doubted) startDoubting();
      throw new Error(`no answer within ${waitMs} ms`);
    } finally {
      clearTimeout(timer);
    }
  };
}
