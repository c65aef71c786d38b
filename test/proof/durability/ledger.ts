import { isDeepStrictEqual } from "node:util";
import { readUsed } from "#kit";
import { checkDatabase, openStore, type Store } from "#store";
import {
  ADDRESSES_OF_ALL,
  BASE_MS,
  DAY,
  type Deed,
  doDeed,
  FAR_MS,
  LANES,
  planDeed,
  reportOf,
  surveyOf,
} from "./deeds.ts";
import { migrations } from "./folders.ts";

const HISTORY_LIMIT = 50;

interface Conclusion {
  readonly surveyedAt: number;
  readonly purity: number;
  readonly scoringVersion: number;
}

interface Kept {
  readonly deed: Extract<Deed, { kind: "save" | "rescore" }>;
}

/** What a database must contain after the acknowledged deeds, recorded separately. */
export class Ledger {
  /** The next deed of each lane. */
  readonly next = Array.from({ length: LANES }, () => 0);
  readonly #reports = new Map<string, Kept>();
  readonly #history = new Map<string, Conclusion[]>();
  readonly #votes = new Map<string, { count: number; sum: number }>();
  readonly #permits = new Array<number>(LANES).fill(0);
  readonly #budgets = new Array<number>(LANES).fill(0);
  readonly #challenges: string[] = [];

  /** The deeds of a lane up to and with the `n`-th were acknowledged. */
  acknowledge(lane: number, n: number): void {
    for (let at = this.next[lane] ?? 0; at <= n; at += 1) this.#enter(lane, planDeed(lane, at));
    this.next[lane] = Math.max(this.next[lane] ?? 0, n + 1);
  }

  #enter(lane: number, deed: Deed): void {
    switch (deed.kind) {
      case "save":
      case "rescore":
        this.#reports.set(deed.address, { deed });
        this.#conclude(deed);
        return;
      case "vote": {
        const known = this.#votes.get(deed.address) ?? { count: 0, sum: 0 };
        this.#votes.set(deed.address, { count: known.count + 1, sum: known.sum + deed.rating });
        return;
      }
      case "permit":
        this.#permits[lane] = (this.#permits[lane] ?? 0) + 1;
        return;
      case "give_back":
        this.#permits[lane] = (this.#permits[lane] ?? 0) - 1;
        return;
      case "challenge":
        this.#challenges.push(deed.id);
        return;
      case "budget":
        this.#budgets[lane] = (this.#budgets[lane] ?? 0) + 1;
    }
  }

  #conclude(deed: Kept["deed"]): void {
    const { surveyedAt, assessment } = reportOf(deed);
    const { purity, scoringVersion } = assessment;
    const all = this.#history.get(deed.address) ?? [];
    all.push({ surveyedAt, purity, scoringVersion });
    all.sort((a, b) => b.surveyedAt - a.surveyedAt || b.scoringVersion - a.scoringVersion);
    this.#history.set(deed.address, all.slice(0, HISTORY_LIMIT));
  }

  /** Whether the deed that was under way in a lane is in the database; both are allowed. */
  async #isDone(store: Store, lane: number, deed: Deed): Promise<boolean> {
    switch (deed.kind) {
      case "save":
        return (await store.find(deed.address))?.surveyedAt === deed.at;
      case "rescore":
        return (await store.find(deed.address))?.assessment?.scoringVersion === 2;
      case "vote": {
        const [sum] = await store.ratings.read(deed.address);
        return (sum?.count ?? 0) > (this.#votes.get(deed.address)?.count ?? 0);
      }
      case "permit":
      case "give_back":
        return (await this.#used(store, lane)) !== this.#permits[lane];
      case "challenge":
        // A request counts as use; it is done now in both cases.
        await doDeed(store, lane, deed);
        return true;
      case "budget":
        return ((await store.budgets.read(DAY)).get(`source-${lane}`) ?? 0) !== this.#budgets[lane];
    }
  }

  #used(store: Store, lane: number): Promise<number> {
    return readUsed(store, BASE_MS, `client-${lane}`);
  }

  /** Compares everything with a database without a writer. A deed that was under way is recorded as found. */
  async compare(path: string, options: { readonly isConclusive?: boolean } = {}): Promise<string[]> {
    const wrong: string[] = [];
    const url = `file:${path}`;
    const store = await openStore({ url, migrations });
    try {
      if (options.isConclusive !== true) {
        for (const [lane, n] of this.next.entries()) {
          if (await this.#isDone(store, lane, planDeed(lane, n))) this.acknowledge(lane, n);
        }
      }
      const expect = (what: string, found: unknown, wanted: unknown) => {
        if (!isDeepStrictEqual(found, wanted))
          wrong.push(`${what}: found ${JSON.stringify(found)}, acknowledged ${JSON.stringify(wanted)}`);
      };
      for (const address of ADDRESSES_OF_ALL) await this.#compareAddress(store, address, expect);
      for (let lane = 0; lane < LANES; lane += 1) {
        expect(`permits of lane ${lane}`, await this.#used(store, lane), this.#permits[lane]);
        const budgets = await store.budgets.read(DAY);
        expect(`budget of lane ${lane}`, budgets.get(`source-${lane}`) ?? 0, this.#budgets[lane]);
      }
      // The newest are enough: all were checked when they were new, and each check is a write.
      for (const id of this.#challenges.slice(-8)) {
        if (await store.challenges.use(id, FAR_MS, BASE_MS)) wrong.push(`challenge ${id}: accepted twice`);
      }
    } finally {
      await store.close();
    }
    const check = await checkDatabase({ url, migrations });
    return [...wrong, ...check.problems.map((problem) => `check: ${problem}`)];
  }

  async #compareAddress(
    store: Store,
    address: string,
    expect: (what: string, found: unknown, wanted: unknown) => void,
  ): Promise<void> {
    const kept = this.#reports.get(address);
    const found = await store.find(address);
    const wanted = kept && reportOf(kept.deed);
    expect(`report ${address}`, found?.assessment, wanted?.assessment);
    expect(`moment of ${address}`, found?.surveyedAt, wanted?.surveyedAt);
    expect(`survey ${address}`, await store.findSurvey(address), wanted && surveyOf(wanted.surveyedAt));
    const history = (await store.history(address)).map(({ surveyedAt, purity, scoringVersion }) => ({
      surveyedAt,
      purity,
      scoringVersion,
    }));
    expect(`history ${address}`, history, this.#history.get(address) ?? []);
    const [sum] = await store.ratings.read(address);
    const votes = this.#votes.get(address);
    expect(`votes ${address}`, sum && { count: sum.count, sum: sum.sum }, votes);
  }
}
