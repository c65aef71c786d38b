import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type Address, parseAddress } from "#address";
import { DAY_MS } from "#common";
import type { Observation, Survey } from "#evidence";
import { createClock, createRandom, createTemporaryFolder, MIGRATIONS, writeEmptyDatabase } from "#kit";
import { assess } from "#lookup";
import type { Assessment } from "#report";
import { openStore, type Store } from "#store";
import { postMessage } from "#upstream";
import {
  compareAssessments,
  createDelivery,
  createWatcher,
  parseWatchList,
  readWebhookSecret,
  sendEvent,
} from "#watch";
import { listed, type ManifestId, makeSurvey, type Outcome } from "../../scoring/surveys.ts";

const HOUR_MS = 3_600_000;
const DAYS = 90;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const clock = createClock(Date.UTC(2026, 0, 1));
const start = clock.now();
const dayNow = () => (clock.now() - start) / DAY_MS;
const random = createRandom(7);

type Answers = Partial<Record<ManifestId, Outcome>>;

/** What is true of an address from a day on. One source changes at a time. */
interface RealChange {
  readonly day: number;
  readonly answers: Answers;
}

const home = (country: string, more: Observation = {}) => ({
  proxycheck: { usage: "residential", geo: { country }, ...more } as const,
});
const CALM: Answers = { asn_table: { asn: { asn: 64500 } }, ...home("DE") };
const LISTED = { dronebl: listed("dronebl", "abuse") } as const;

/** The watched addresses, and what really happens to each. */
const REAL: Readonly<Record<string, readonly RealChange[]>> = {
  "81.2.69.1": [],
  "81.2.69.2": [
    { day: 8, answers: LISTED },
    { day: 31, answers: { dronebl: "empty" } },
    { day: 58, answers: LISTED },
  ],
  "81.2.69.3": [
    { day: 12, answers: home("LT") },
    { day: 40, answers: home("LT", { flags: { isVpn: true } }) },
    { day: 75, answers: home("LT") },
  ],
  "81.2.69.4": [
    { day: 20, answers: { netblock_feed: listed("netblock_feed", "severe") } },
    { day: 66, answers: { netblock_feed: "empty" } },
  ],
  // A list that really lists and delists again and again.
  "81.2.69.5": Array.from({ length: 9 }, (_, at) => ({
    day: 9 + at * 8,
    answers: { psbl: at % 2 === 0 ? listed("psbl", "abuse") : "empty" },
  })),
  "2a02:6b8::6": [
    {
      day: 27,
      answers: { proxycheck: { usage: "hosting", flags: { isHosting: true }, geo: { country: "DE" } } },
    },
  ],
};

function truthOf(address: string, day: number): Answers {
  const happened = (REAL[address] ?? []).filter((change) => change.day <= day);
  return Object.assign({}, CALM, ...happened.map(({ answers }) => answers)) as Answers;
}

/** What the sources answer: the truth, with outages, refused lists and lists that err for minutes. */
function surveyNow(address: Address): Survey | undefined {
  surveys += 1;
  const day = dayNow();
  // The database or the queue of surveys is full.
  if (random() < 0.03) return undefined;
  const answers: Record<string, Outcome> = { ...truthOf(address.text, day) };
  // For 20 minutes of every five hours, this list lists everything.
  if (clock.now() % (5 * HOUR_MS) < HOUR_MS / 3) answers.spamcop = listed("spamcop", "abuse");
  // The list is refused and an old one is used; later, the one that ships, which lists nobody.
  if (day > 50 && day < 54) answers.netblock_feed = { updateRefused: true, ageing: true };
  if (day > 60 && day < 63) answers.netblock_feed = { snapshot: true, ageing: true };
  const survey = makeSurvey(address.text, answers);
  const isOut = day > 33 && day < 36;
  const isLong = day > 44 && day < 52;
  return {
    ...survey,
    surveyedAt: new Date(clock.now()).toISOString(),
    runs: survey.runs.map((run) => {
      const isLost = isOut || random() < 0.1 || (isLong && run.id === "proxycheck");
      if (run.local || !isLost) return run;
      const { observation: _, ...rest } = run;
      return { ...rest, state: "failed" as const, error: "timeout" as const, ms: 4000 };
    }),
  };
}

/** On day 70 the rules change: every score is lower. */
function assessToday(survey: Survey): Assessment {
  const assessment = assess(survey);
  if (dayNow() < 70) return assessment;
  return { ...assessment, scoringVersion: assessment.scoringVersion + 1, band: "risky", purity: 20 };
}

/** The changes that the truth makes: what perfect sources would prove. */
function expectedChanges(): readonly string[] {
  return Object.entries(REAL).flatMap(([address, changes]) =>
    changes.flatMap(({ day }) => {
      const [before, after] = [day - 0.001, day].map((at) =>
        assess({ ...makeSurvey(address, truthOf(address, at)), surveyedAt: "2026-02-01T00:00:00.000Z" }),
      );
      if (before === undefined || after === undefined) return [];
      return compareAssessments(before, after)
        .filter(({ type }) => day < 70 || type !== "address.band_changed")
        .map(({ type, what, from, to }) => [address, type, what, from, to].join(" "));
    }),
  );
}

let path: string;
let store: Store;
const received: { id: string; body: string; isSigned: boolean }[] = [];
let refusedMessages = 0;
let surveys = 0;

const webhook = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const day = dayNow();
    if ((day > 15 && day < 25) || random() < 0.1) {
      refusedMessages += 1;
      return new Response(null, { status: 500 });
    }
    const body = await request.text();
    const { headers } = request;
    const id = headers.get("webhook-id") ?? "";
    const signed = `${id}.${headers.get("webhook-timestamp")}.${body}`;
    const key = Buffer.from(SECRET.slice(6), "base64");
    const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    received.push({ id, body, isSigned: headers.get("webhook-signature") === signature });
    return new Response(null, { status: 204 });
  },
});

beforeAll(async () => {
  path = join(createTemporaryFolder("limpid-watch-"), "a.db");
  await writeEmptyDatabase(path);
});
afterAll(async () => {
  await store?.close();
  await webhook.stop(true);
});

/** Starts what a process starts. */
async function startProcess() {
  store = await openStore({ url: `file:${path}`, migrations: MIGRATIONS });
  const { watches } = store;
  const changes: string[] = [];
  const watcher = createWatcher({
    entries: () => ENTRIES,
    async resolve(name) {
      // The resolver fails on some days; the name has one of the addresses.
      if (Math.floor(dayNow()) % 4 === 3) throw new Error(`cannot resolve ${name}`);
      return [parseAddress("81.2.69.5")].filter((address) => address !== undefined);
    },
    survey: async (address) => surveyNow(address),
    assess: assessToday,
    repository: watches,
    hasWebhook: true,
    reportUrl: (address) => `https://ip.example.org/ip/${address}`,
    now: clock.now,
    log: () => {},
    onChange: (type) => changes.push(type),
  });
  const target = {
    url: `http://127.0.0.1:${webhook.port}/hook`,
    key: readWebhookSecret(SECRET) ?? expect.unreachable(),
    allowPrivate: true,
  };
  const delivery = createDelivery({
    repository: watches,
    send: (event) => sendEvent(event, target, { resolve: async () => [], post: postMessage, now: clock.now }),
    now: clock.now,
    onAttempt: () => {},
  });
  return { watcher, delivery };
}

const ENTRIES = parseWatchList(
  Object.keys(REAL)
    .map((address) => (address === "81.2.69.5" ? "exit.example.org, flapping" : `${address}, exit`))
    .join("\n"),
);

test("90 days: no false alert, and every real change exactly once", async () => {
  let restarts = 0;
  let running = await startProcess();
  for (let hour = 0; hour < DAYS * 24; hour++) {
    // A process that is ended and started again, now and then before its messages are sent.
    if (hour % 211 === 210) {
      await store.close();
      running = await startProcess();
      restarts += 1;
    }
    await running.watcher.tick();
    if (hour % 211 !== 209) await running.delivery.run();
    clock.advance(HOUR_MS);
  }
  for (let tries = 0; tries < 50; tries++) {
    await running.delivery.run();
    clock.advance(HOUR_MS);
  }
  const told = received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, string> };
    return [data.address, type, data.what, data.from, data.to].join(" ");
  });
  const expected = expectedChanges();
  const falseAlerts = told.filter((one) => !expected.includes(one));
  console.table({
    days: DAYS,
    restarts,
    surveys,
    "real changes": expected.length,
    "messages taken": received.length,
    "messages refused": refusedMessages,
    "false alerts": falseAlerts.length,
    missed: expected.filter((one) => !told.includes(one)).length,
    "told twice": received.length - new Set(received.map(({ id }) => id)).size,
  });
  expect(received.every(({ isSigned }) => isSigned)).toBe(true);
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  expect(told.toSorted()).toEqual(expected.toSorted());
  expect(await store.watches.countWaiting()).toBe(0);
}, 120_000);
