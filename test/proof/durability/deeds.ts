import type { AdmissionCharge, Store, StoredReport } from "#store";
import { makeReport } from "../../store/make_report.ts";

/** Lanes write at the same time; each does one deed after the other on its own rows. */
export const LANES = 4;
const ADDRESSES = 6;
const BASE_MS = Date.parse("2026-03-05T00:00:00Z");
const DAY = Math.floor(BASE_MS / 86_400_000);
const FAR_MS = BASE_MS + 86_400_000;
const MOST = 1_000_000_000;

/** What the `n`-th write of a lane is; it follows from the two numbers alone. */
export type Deed =
  | { readonly kind: "save" | "rescore"; readonly address: string; readonly at: number; readonly of: number }
  | { readonly kind: "vote"; readonly address: string; readonly voter: string; readonly rating: number }
  | { readonly kind: "permit" | "give_back" }
  | { readonly kind: "challenge"; readonly id: string }
  | { readonly kind: "budget" };

const KINDS = [
  "save",
  "vote",
  "save",
  "permit",
  "rescore",
  "challenge",
  "budget",
  "save",
  "permit",
  "give_back",
] as const;

/** The address of a lane that its `n`-th deed is about. */
function addressOf(lane: number, n: number): string {
  return `192.0.2.${lane * ADDRESSES + (n % ADDRESSES)}`;
}

/** All addresses that any lane writes. */
export const ADDRESSES_OF_ALL = Array.from({ length: LANES * ADDRESSES }, (_, index) => `192.0.2.${index}`);

export function planDeed(lane: number, n: number): Deed {
  const kind = KINDS[n % KINDS.length] ?? "save";
  const address = addressOf(lane, n);
  switch (kind) {
    case "save":
      return { kind, address, at: BASE_MS + n, of: n };
    case "rescore":
      // Scores the survey of the deed two before again, which was a save.
      return { kind, address: addressOf(lane, n - 2), at: BASE_MS + n - 2, of: n };
    case "vote":
      return { kind, address, voter: `voter-${lane}-${n}`, rating: (n % 5) + 1 };
    case "challenge":
      return { kind, id: `${kind}-${lane}-${n}` };
    case "permit":
    case "give_back":
    case "budget":
      return { kind };
  }
}

const SOURCES = ["alpha", "beta", "gamma"].map((id) => ({
  id,
  name: id.toUpperCase(),
  kind: "free" as const,
}));

const STATE = "answered" as const;

/** A report in the form that the service stores, its sources those of {@link surveyOf}. */
export function reportAt(address: string, at: number, purity: number): StoredReport {
  const report = makeReport(address, at, purity);
  const sources = SOURCES.map((source, n) => ({ ...source, state: STATE, ms: n }));
  return { ...report, assessment: { ...report.assessment, sources } };
}

/** The report of a saving deed: its number, its address and its moment can be read from it. */
export function reportOf({ kind, address, at, of }: Extract<Deed, { kind: "save" | "rescore" }>) {
  const report = reportAt(address, at, of % 101);
  return kind === "save" ? report : { ...report, assessment: { ...report.assessment, scoringVersion: 2 } };
}

/** The survey of this moment: from a few bytes to some pages, and not compressible to nothing. */
export function surveyOf(at: number): string {
  const words: string[] = [];
  for (let state = (at % 1_000_003) + 1, left = (at % 40) * 25; left > 0; left -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    words.push(state.toString(36));
  }
  const runs = SOURCES.map((source, n) => ({ ...source, state: STATE, ms: n, observation: { words } }));
  return JSON.stringify({ at, runs });
}

function chargesOf(lane: number): readonly AdmissionCharge[] {
  return [
    { name: `window-${lane}`, limit: MOST, until: BASE_MS + 60_000 },
    { name: `client-${lane}`, limit: MOST, until: FAR_MS },
  ];
}

/** Does a deed; when it resolves it is acknowledged. */
export async function doDeed(store: Store, lane: number, deed: Deed): Promise<void> {
  switch (deed.kind) {
    case "save":
      return store.save(reportOf(deed), surveyOf(deed.at));
    case "rescore":
      return store.rescore(reportOf(deed));
    case "vote": {
      const { address, voter, rating } = deed;
      await store.ratings.saveVote({ address, scenario: "streaming", voter, day: DAY, rating });
      return;
    }
    case "permit":
      await store.admissions.admit(BASE_MS, chargesOf(lane));
      return;
    case "give_back":
      return store.admissions.refund(chargesOf(lane));
    case "challenge":
      await store.challenges.use(deed.id, FAR_MS, BASE_MS);
      return;
    case "budget":
      await store.budgets.settle(DAY, [{ id: `source-${lane}`, limit: MOST, wanted: 1, correction: 0 }]);
  }
}

export { BASE_MS, DAY, FAR_MS, MOST };
