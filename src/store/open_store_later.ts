import { listCauses } from "./list_causes.ts";
import { openStore, type StoreOptions } from "./open_store.ts";
import { type Store, StoreError } from "./store.ts";

/** A server that could not be reached is tried again so often. */
const AGAIN_MS = 5000;

/** What is said by those who got no answer, or one from a proxy that got none. */
const AWAY =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|unable to connect|no answer within|HTTP status 50[234]/i;

/**
 * Opens a database on a server as {@link openStore} does, but waits for nobody: while the server cannot be reached,
 * everything that is asked of the store fails, and it is opened when the server can be.
 * @throws {StoreError} when the server was reached and the database cannot be opened.
 */
export async function openStoreLater(
  options: StoreOptions,
  log: (level: "info" | "error", event: string, fields?: Record<string, unknown>) => void,
): Promise<Store> {
  let opened: Store | undefined;
  let why: unknown;
  let timer: Timer | undefined;
  let trying = Promise.resolve();
  let isClosed = false;
  try {
    return await openStore(options);
  } catch (error) {
    if (!AWAY.test(listCauses(error))) throw error;
    why = error;
    log("error", "database_not_reached", { message: String(error) });
    tryLater();
  }

  function tryLater(): void {
    timer = setTimeout(() => {
      trying = tryAgain();
    }, AGAIN_MS);
    timer.unref();
  }

  async function tryAgain(): Promise<void> {
    try {
      opened = await openStore(options);
      log("info", "database_reached");
    } catch (error) {
      if (listCauses(error) !== listCauses(why))
        log("error", "database_not_reached", { message: String(error) });
      why = error;
      if (!isClosed) tryLater();
    }
  }

  /** The store, if it is open by now. */
  async function reach(): Promise<Store> {
    if (opened !== undefined) return opened;
    throw new StoreError(String(why instanceof Error ? why.message : why), { cause: why });
  }

  return {
    find: async (address) => (await reach()).find(address),
    findSurvey: async (address) => (await reach()).findSurvey(address),
    save: async (report, survey) => (await reach()).save(report, survey),
    rescore: async (report) => (await reach()).rescore(report),
    history: async (address) => (await reach()).history(address),
    newest: async (limit) => (await reach()).newest(limit),
    budgets: {
      settle: async (day, entries) => (await reach()).budgets.settle(day, entries),
      read: async (day) => (await reach()).budgets.read(day),
    },
    permits: {
      take: async (request) => (await reach()).permits.take(request),
      giveBack: async (id) => (await reach()).permits.giveBack(id),
      read: async (day, names) => (await reach()).permits.read(day, names),
    },
    challenges: {
      use: async (id, expiresAt, now) => (await reach()).challenges.use(id, expiresAt, now),
    },
    votes: {
      cast: async (vote) => (await reach()).votes.cast(vote),
      read: async (address) => (await reach()).votes.read(address),
    },
    ping: async () => (await reach()).ping(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await trying;
      await opened?.close();
    },
  };
}
