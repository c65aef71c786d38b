import { parseSurvey, type SourceRun, type Survey } from "#evidence";

/**
 * What is proven about a watched address: what each source last said, in `base`. `doubted` are answers that differ from it
 * and came once: an answer counts when the source repeats it.
 */
export interface WatchState {
  readonly base: readonly SourceRun[];
  readonly doubted: readonly SourceRun[];
}

export const EMPTY_STATE: WatchState = { base: [], doubted: [] };

/**
 * Compares a survey with what is proven, and returns two surveys that differ only where a source that answered before
 * says something else now, and says it again. A source that does not answer now keeps its last
 * answer. One that never answered before is added to both sides, so it proves no change. Both surveys have the time of
 * the new one, because the age of an answer is not a change either.
 */
export function compareSurvey({ base, doubted }: WatchState, now: Survey) {
  const earlier = new Map(base.map((run) => [run.id, run]));
  const doubtedBefore = new Map(doubted.map((run) => [run.id, run]));
  const before: SourceRun[] = [];
  const after: SourceRun[] = [];
  const still: SourceRun[] = [];
  for (const run of now.runs) {
    const last = earlier.get(run.id);
    const once = doubtedBefore.get(run.id);
    if (rank(run) < rank(last)) {
      // The source, or its good list, is lost for now. What came once must come twice anew: another error of a
      // list, days later, repeats nothing.
      before.push(last ?? run);
      after.push(last ?? run);
    } else if (last === undefined || rank(last) < rank(run)) {
      before.push(run);
      after.push(run);
    } else if (isSame(last, run) || (once !== undefined && isSame(once, run))) {
      before.push(last);
      after.push(run);
    } else {
      before.push(last);
      after.push(last);
      still.push(run);
    }
  }
  return {
    before: { ...now, runs: before },
    after: { ...now, runs: after },
    state: { base: after.filter((run) => rank(run) > 0), doubted: still },
  };
}

/**
 * How good an answer is: 0 = none, 1 = of an old list, of the list that ships, or of one whose newest version was refused,
 * 2 = current. Only answers of the same rank are compared.
 */
function rank(run: SourceRun | undefined): number {
  if (run === undefined || run.carried !== undefined) return 0;
  if (run.state !== "answered" && run.state !== "empty") return 0;
  const { ageing, snapshot, updateRefused } = run.observation ?? {};
  return ageing === true || snapshot === true || updateRefused === true ? 1 : 2;
}

/** Whether two answers state the same facts. Counts and dates may differ: they change every day. */
function isSame(a: SourceRun, b: SourceRun): boolean {
  return describeFacts(a) === describeFacts(b);
}

function describeFacts({ observation = {} }: SourceRun): string {
  const { flags = {}, usage, asKinds = [], geo, asn, registry, listings = [], vpn } = observation;
  return JSON.stringify([
    Object.entries(flags).sort(),
    usage,
    [...asKinds].sort(),
    geo?.country,
    asn?.asn,
    registry?.country,
    listings
      .filter(({ listed }) => listed)
      .map(({ zone, meanings }) => [zone, ...meanings].join())
      .sort(),
    vpn?.name,
    observation.infrastructure,
    observation.anycast,
    observation.satellite,
    observation.residentialProxy,
  ]);
}

/** Writes a state as two surveys, so that their format is checked when they are read. */
export function formatState({ base, doubted }: WatchState, now: Survey): string {
  return JSON.stringify([base, doubted].map((runs) => ({ ...now, runs })));
}

/** Reads a state. Damage, or a format that is no longer known, counts as nothing known: the next survey begins anew. */
export function parseState(text: string): WatchState {
  try {
    const surveys: unknown = JSON.parse(text);
    const [base, doubted] = (Array.isArray(surveys) ? surveys : []).map(
      (one) => parseSurvey(JSON.stringify(one))?.runs,
    );
    return base === undefined || doubted === undefined ? EMPTY_STATE : { base, doubted };
  } catch {
    return EMPTY_STATE;
  }
}
