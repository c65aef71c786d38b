import {
  type Address,
  endsOf,
  findPublicService,
  findSpecialPurpose,
  listPublicServices,
  listSpecialBlocks,
} from "#address";
import { DAY_MS, isRecent, rememberBy } from "#common";
import { type Columns, type Datasets, startsOfBlocks } from "#datasets";
import { findOwnBlocks, listOwnBlocks, type SourceRun, type Survey } from "#evidence";
import { type Upstream, UpstreamError } from "#upstream";
import { answered, classifyError, failed, type Outcome } from "./outcome.ts";
import { describeRun, findSkip, type Source, type SourceSettings } from "./source.ts";

const NO_NETWORK: Upstream = { http: refuse, a: refuse, aaaa: refuse, txt: refuse, ptr: refuse };
const NEVER_ABORTED = new AbortController().signal;

/** The states of tables and lists are read this often. */
const STATES_READ_MS = 1000;

export type TableSurvey = ReturnType<typeof createTableSurvey>;

/** A table with what is the same in all its runs. */
interface Table {
  readonly source: Source;
  readonly head: Omit<SourceRun, "state">;
  /** The run of a list about an address that is not on it, by IP version, while the states are the same. */
  readonly silent: { 4?: SourceRun; 6?: SourceRun };
}

/**
 * Creates the surveys of many addresses that ask the tables only. The live sources of this installation, and all that
 * are turned off, are in them as not asked, so that coverage means the same as in a report.
 */
export function createTableSurvey(
  sources: readonly Source[],
  ports: {
    readonly datasets: Datasets;
    readonly settings: Omit<SourceSettings, "live">;
    readonly now: () => number;
  },
) {
  const { datasets, now } = ports;
  const settings = { ...ports.settings, live: false };
  const tables = sources
    .filter(({ local }) => local === true)
    // The settings must allow a table for one of the IP versions that it has.
    .filter((one) => one.versions.some((version) => findSkip(one, { version }, settings) === undefined))
    .map((source): Table => ({ source, head: { ...describeRun(source), ms: 0 }, silent: {} }));
  const unasked = { 4: listUnasked(sources, 4, settings), 6: listUnasked(sources, 6, settings) };
  let version = 0;
  let revision = Number.NaN;
  let readAt = Number.NaN;
  let states = "";
  let isCityReady = false;

  /** The states of all tables and lists, and the day: a table becomes old one millisecond after a day has begun. */
  function describeStates(nowMs: number): string {
    const lists = tables.map(({ source }) => {
      const { ready, freshness, problem, date, error } = datasets.feedState(source.id);
      return [ready, freshness, problem, date, error?.reason ?? error !== undefined];
    });
    const seeds = datasets.states().map(({ id, ready, date, problem }) => [id, ready, date, problem]);
    return JSON.stringify([Math.floor((nowMs - 1) / DAY_MS), lists, seeds]);
  }

  function readVersion(): number {
    const nowMs = now();
    const isSame = datasets.revision() === revision;
    if (isSame && isRecent(readAt, nowMs, STATES_READ_MS)) return version;
    readAt = nowMs;
    const current = describeStates(nowMs);
    if (isSame && current === states) return version;
    revision = datasets.revision();
    states = current;
    isCityReady = datasets.state("city").ready;
    for (const { silent } of tables) {
      delete silent[4];
      delete silent[6];
    }
    version += 1;
    return version;
  }

  function ask({ source, head }: Table, address: Address): SourceRun {
    return Object.assign({ ...head }, askTable(source, address, ports));
  }

  return {
    /**
     * Increases when the tables may say something else than before: at once when one is replaced, within a second when
     * one becomes ready, old or refused. Keys of two versions must not be compared.
     */
    version: readVersion,
    /** A key of everything that the tables say about an address: see {@link createTableKeys}. */
    keyOf: createTableKeys(datasets, () => isCityReady),
    /** The starts of the segments inside which all addresses have the same key: see {@link listKeyStarts}. */
    starts: (family: 4 | 6): readonly Columns[] => listKeyStarts(datasets, family),
    /** Asks all tables about an address. Never throws. */
    survey(address: Address): Survey {
      readVersion();
      const named = findListNames(datasets, address);
      const runs: SourceRun[] = [...unasked[address.version]];
      for (const table of tables) {
        const { source, silent } = table;
        if (!source.versions.includes(address.version)) continue;
        if (source.list === true && named?.has(source.id) === false) {
          silent[address.version] ??= ask(table, address);
          runs.push(silent[address.version] ?? ask(table, address));
        } else runs.push(ask(table, address));
      }
      return {
        address: address.text,
        version: address.version,
        surveyedAt: new Date(now()).toISOString(),
        runs,
      };
    },
  };
}

/** The sources that would be asked about an address of this IP version if they and live sources were on. */
function listUnasked(
  sources: readonly Source[],
  version: Address["version"],
  settings: SourceSettings,
): readonly SourceRun[] {
  return sources.flatMap((source): SourceRun | [] => {
    const skip = findSkip(source, { version }, settings);
    const isCounted = skip?.skipped === "live_off" || skip?.skipped === "turned_off";
    return isCounted ? { ...describeRun(source), ms: 0, ...skip } : [];
  });
}

/** The lists that have an entry about the address or its AS. Undefined if that cannot be read. */
function findListNames(datasets: Datasets, address: Address): ReadonlySet<string> | undefined {
  try {
    const names = new Set<string>();
    const asn = datasets.asn(address)?.asn;
    for (const { feed } of datasets.lists(address) ?? []) names.add(feed);
    if (asn !== undefined) for (const { feed } of datasets.asClasses(asn) ?? []) names.add(feed);
    return names;
  } catch {
    return undefined;
  }
}

/** Asks a table, which answers from memory: no time limit, circuit breaker or budget. Never throws. */
export function askTable(
  source: Source,
  address: Address,
  ports: { readonly datasets: Datasets; readonly now: () => number },
): Outcome {
  try {
    const answer = source.ask(address, { upstream: NO_NETWORK, datasets: ports.datasets }, NEVER_ABORTED);
    if (answer instanceof Promise) throw new TypeError("A table must answer at once");
    return answered(source.read(answer, address), source.freshDays, ports.now());
  } catch (error) {
    return failed(classifyError(error));
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new UpstreamError("unavailable", "a table must not use the network"));
}

/** Stands for the value of a table that cannot be read. */
const UNREADABLE = { problem: "unreadable" };

function read<Value>(find: (address: Address) => Value, address: Address): Value | typeof UNREADABLE {
  try {
    return find(address);
  } catch {
    return UNREADABLE;
  }
}

/**
 * Creates a function that makes a key of everything that the tables say about an address. While no table or list
 * changes its state, equal keys mean equal evidence, except for the address itself, and the region and the city of its
 * place. `isCityReady` tells whether the table of cities is used.
 */
function createTableKeys(datasets: Datasets, isCityReady: () => boolean): (address: Address) => string {
  let given = 0;
  // A table gives the same object for the same row, and a table that is replaced gives other objects.
  const number = rememberBy<object, number>(() => ++given);
  const numberOf = (value: object | undefined) => (value === undefined ? 0 : number(value));

  function readCountry(address: Address): string {
    const found = isCityReady() ? read(datasets.place, address) : read(datasets.country, address);
    if (typeof found === "string") return found;
    if (found === undefined) return "";
    return "country" in found ? found.country : found.problem;
  }

  return (address) => {
    const row = read(datasets.asn, address);
    const asn = row !== undefined && "asn" in row ? row.asn : undefined;
    const registered = read(datasets.registration, address) ?? "";
    const home = typeof registered === "string" ? registered : registered.problem;
    const { isCloud, isMobile } = findOwnBlocks(address, asn);
    let key = `${address.version} ${numberOf(row)} ${readCountry(address)} ${home}`;
    if (asn !== undefined) key += ` n${numberOf(datasets.asClasses(asn))}`;
    if (isCloud) key += " cloud";
    if (isMobile) key += " mobile";
    const special = findSpecialPurpose(address);
    if (special !== undefined) key += ` ${special.purpose}`;
    const service = findPublicService(address);
    if (service !== undefined) key += ` s${numberOf(service)}`;
    const entries = read(datasets.lists, address) ?? [];
    if (!Array.isArray(entries)) return `${key} ${UNREADABLE.problem}`;
    for (const entry of entries) key += ` ${numberOf(entry)}`;
    return key;
  };
}

/** Returns the starts of all tables and blocks that a key is made from: addresses between two have the same key. */
function listKeyStarts(datasets: Datasets, version: 4 | 6): readonly Columns[] {
  const blocks = [...listSpecialBlocks(), ...listOwnBlocks()].map(endsOf);
  const services = listPublicServices().map((words) => ({ first: words, last: words }));
  return [startsOfBlocks(version, [...blocks, ...services]), ...datasets.starts(version)];
}
