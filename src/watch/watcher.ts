import { createHash } from "node:crypto";
import { type Address, isBogon } from "#address";
import { DAY_MS, isRecent, type Log, MINUTE_MS } from "#common";
import type { Survey } from "#evidence";
import type { Assessment, ChangeType } from "#report";
import type { WatchEvent, WatchRepository } from "#store";
import { type Change, compareAssessments } from "./changes.ts";
import { compareSurvey, formatState, parseState } from "./compare_survey.ts";
import type { WatchEntry } from "./watch_list.ts";

/** An address that is watched, with the rows of the list that name it. */
export interface WatchTarget extends Omit<WatchEntry, "target"> {
  readonly address: Address;
  readonly name?: string;
}

/** The first survey waits until the lists have been downloaded. */
const FIRST_MS = 10 * MINUTE_MS;

/** An answer that differs is asked for again after this time. */
const DOUBT_MS = 60 * MINUTE_MS;

/** A survey that could not be made or saved is tried again after this time. */
const RETRY_MS = 60 * MINUTE_MS;

/** No turn is further away, unless the clock was ahead when it was set. Such a turn is due. */
const LONGEST_WAIT_MS = 2 * DAY_MS;

const RESOLVE_MS = 60 * MINUTE_MS;
const NAMES_AT_ONCE = 32;
const ADDRESSES_PER_NAME = 8;
const SURVEYS_PER_TICK = 5;

/** Events are kept this long. */
const KEPT_MS = 400 * DAY_MS;

/**
 * Creates what surveys watched addresses, each once a day. All processes on one database share the work: each turn is
 * taken by one of them.
 */
export function createWatcher(options: {
  readonly entries: () => readonly WatchEntry[];
  /** The addresses of a name; rejects when it cannot be resolved now. */
  readonly resolve: (name: string) => Promise<readonly Address[]>;
  /** Surveys an address now; undefined when there is no new survey. */
  readonly survey: (address: Address) => Promise<Survey | undefined>;
  /** Assesses a survey by the rules and corrections of today. */
  readonly assess: (survey: Survey) => Assessment;
  readonly repository: WatchRepository;
  /** Events wait for the webhook. */
  readonly hasWebhook: boolean;
  /** Sends what waits: before names are resolved, which can take a minute, and after the surveys. */
  readonly deliver?: () => Promise<void>;
  readonly reportUrl: (address: string) => string;
  readonly now: () => number;
  readonly log: Log;
  readonly onChange: (type: ChangeType) => void;
}) {
  const { repository, now, log } = options;
  const resolved = new Map<string, { at: number; addresses: readonly Address[] }>();
  let targets: ReadonlyMap<string, WatchTarget> = new Map();
  let prunedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  /** Turns that this process took and could not save, until `turn`, the next one, is due. */
  const unsaved = new Map<
    string,
    { readonly turn: number; readonly state: string; readonly dueAt: number }
  >();

  /** Finds the addresses of a name. A name that cannot be resolved now keeps those that it had. Never rejects. */
  async function resolveName(name: string): Promise<void> {
    const known = resolved.get(name);
    if (isRecent(known?.at, now(), RESOLVE_MS)) return;
    let addresses = known?.addresses ?? [];
    try {
      const found = (await options.resolve(name)).filter((address) => !isBogon(address));
      if (found.length > 0) addresses = found.slice(0, ADDRESSES_PER_NAME);
    } catch (error) {
      log("debug", "watch_name_unresolved", { message: String(error) });
    }
    resolved.set(name, { at: now(), addresses });
  }

  async function findTargets(): Promise<ReadonlyMap<string, WatchTarget>> {
    const found = new Map<string, WatchTarget>();
    const entries = options.entries();
    const names = new Set(entries.flatMap(({ target }) => (typeof target === "string" ? target : [])));
    const waiting = names.values();
    const resolveWaiting = async () => {
      for (const name of waiting) await resolveName(name);
    };
    await Promise.all(Array.from({ length: NAMES_AT_ONCE }, resolveWaiting));
    for (const { target, ...rest } of entries) {
      const addresses = typeof target === "string" ? (resolved.get(target)?.addresses ?? []) : [target];
      const name = typeof target === "string" ? { name: target } : {};
      for (const address of addresses) {
        if (!found.has(address.text)) found.set(address.text, { address, ...name, ...rest });
      }
    }
    for (const name of resolved.keys()) if (!names.has(name)) resolved.delete(name);
    return found;
  }

  async function plan(): Promise<ReadonlyMap<string, number>> {
    targets = await findTargets();
    const due = await repository.readDue();
    const added = [...targets.keys()].filter((address) => !due.has(address));
    // Names may have lost their addresses only for now, so a row goes when its turn is long past.
    const gone = [...due].flatMap(([address, at]) =>
      !targets.has(address) && at < now() - 7 * DAY_MS ? [address] : [],
    );
    if (added.length + gone.length === 0) return due;
    const spreadMs = Math.min(DAY_MS, added.length * MINUTE_MS);
    const first = new Map(
      added.map((address) => [address, now() + FIRST_MS + (slotOf(address) % spreadMs)] as const),
    );
    await repository.plan(first, gone);
    return new Map([...due, ...first]);
  }

  /** Surveys an address, and saves what is proven with its changes in one commit. */
  async function check(target: WatchTarget, saved: string): Promise<void> {
    const { address, policy } = target;
    const state = parseState(saved);
    const survey = await options.survey(address);
    if (survey === undefined) {
      await repository.save({ address: address.text, dueAt: now() + RETRY_MS, state: saved }, [], undefined);
      return;
    }
    const compared = compareSurvey(state, survey);
    const before = options.assess(compared.before);
    const after = options.assess(compared.after);
    const changes = compareAssessments(before, after, policy);
    const events = changes.map((change) => makeEvent(target, change, after));
    // One more survey for a doubted answer; if that brings another doubt, the next day decides.
    const isNew = compared.state.doubted.length > 0 && state.doubted.length === 0;
    const dueAt = isNew ? now() + DOUBT_MS : nextTurn(address.text, now());
    const saving = { address: address.text, dueAt, state: formatState(compared.state, survey) };
    await repository.save(saving, events, options.hasWebhook ? now() : undefined);
    for (const { type } of changes) options.onChange(type);
  }

  function makeEvent(
    { address, name, label }: WatchTarget,
    { type, what, from, to }: Change,
    { purity, band, confidence, surveyedAt }: Assessment,
  ): WatchEvent {
    const at = now();
    const about = { address: address.text, ...(name === undefined ? {} : { name }) };
    const body = JSON.stringify({
      type,
      timestamp: surveyedAt,
      data: {
        ...about,
        ...(label === undefined ? {} : { label }),
        ...{ what, from, to, purity, level: band, confidence, reportUrl: options.reportUrl(address.text) },
      },
    });
    const hash = createHash("sha256").update(JSON.stringify([address.text, at, type, what]));
    return { id: `evt_${hash.digest("base64url").slice(0, 22)}`, address: address.text, at, body };
  }

  async function run(): Promise<void> {
    const due = await plan();
    const turns = [...due].flatMap(([address, turn]) => {
      const target = targets.get(address);
      const left = unsaved.get(address);
      const isLeft = left?.turn === turn && turn > now();
      const { dueAt, state } = isLeft ? left : { dueAt: turn, state: undefined };
      const isDue = dueAt <= now() || turn > now() + LONGEST_WAIT_MS;
      return target === undefined || !isDue ? [] : [{ target, turn, dueAt, state }];
    });
    turns.sort((a, b) => a.dueAt - b.dueAt);
    for (const { target, turn, state: left } of turns.slice(0, SURVEYS_PER_TICK)) {
      const address = target.address.text;
      const next = left === undefined ? nextTurn(address, now()) : turn;
      const state = left ?? (await repository.take(address, turn, next));
      if (state === undefined) continue;
      unsaved.set(address, { turn: next, state, dueAt: now() + RETRY_MS });
      await check(target, state);
      unsaved.delete(address);
    }
    if (now() - prunedAt < DAY_MS) return;
    prunedAt = now();
    await repository.prune(now() - KEPT_MS);
  }

  return {
    /**
     * Surveys the addresses that are due, and delivers; must not be called again before it has ended. Never rejects: of
     * the failures in a row, as while the disk is full, only the first is a warning.
     */
    async tick(): Promise<void> {
      const problems: string[] = [];
      for (const work of [options.deliver, run, options.deliver]) {
        await work?.().catch((error: unknown) => problems.push(String(error)));
      }
      for (const message of problems) {
        log(hasFailed ? "debug" : "warn", "watch_failed", { message });
        hasFailed = true;
      }
      if (hasFailed && problems.length === 0) log("info", "watch_resumed", {});
      hasFailed = problems.length > 0;
    },
    targets: () => targets,
  };
}

/** The time of day of an address, in milliseconds: the same in every process and after every start. */
function slotOf(address: string): number {
  return createHash("sha256").update(address).digest().readUInt32BE(0) % DAY_MS;
}

/** The next turn of an address, at its time of day, and at least half a day away. */
function nextTurn(address: string, now: number): number {
  const earliest = now + DAY_MS / 2;
  const turn = Math.floor(earliest / DAY_MS) * DAY_MS + slotOf(address);
  return turn < earliest ? turn + DAY_MS : turn;
}
