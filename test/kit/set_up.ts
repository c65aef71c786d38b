import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningService, type ServiceOptions, startService } from "./service.ts";
import { startUpstreams, type TestUpstreams, type UpstreamOptions } from "./test_upstreams.ts";

type Environment = Readonly<Record<string, string>>;

/** Returns a function that takes what closes something after the test that runs now; the newest is closed first. */
export function closeAfterEach(): (close: () => unknown) => void {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return (close) => void closers.unshift(close);
}

/** What tests start. The hooks of the test runner end everything, the newest first. */
export interface TestSetup {
  readonly upstreams: TestUpstreams;
  /** Starts a service that asks these upstreams. */
  start(env?: Environment, options?: Omit<ServiceOptions, "env">): Promise<RunningService>;
  /** Ends something that a test started. */
  keep<Started extends { close(): unknown }>(started: Started): Started;
  makeFolder(): string;
}

/** Starts upstreams before each test, or once before all tests of a file or of a `describe`. */
export function setUp(span: "each" | "all", options: UpstreamOptions = {}): TestSetup {
  const [before, after] = span === "each" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  const endings: (() => unknown)[] = [];
  let upstreams: TestUpstreams | undefined;
  const setup: TestSetup = {
    get upstreams() {
      if (upstreams === undefined) throw new Error("Cannot ask the upstreams before the tests begin");
      return upstreams;
    },
    start: async (env, more) =>
      setup.keep(await startService({ env: { ...setup.upstreams.env, ...env }, ...more })),
    keep(started) {
      endings.unshift(() => started.close());
      return started;
    },
    makeFolder() {
      const folder = mkdtempSync(join(tmpdir(), "limpid-test-"));
      endings.unshift(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
  };
  before(async () => {
    upstreams = setup.keep(await startUpstreams(options));
  });
  after(async () => {
    for (const end of endings.splice(0)) await end();
  });
  return setup;
}

/** Stands for what `current` returns: an object that exists only while tests run. */
export function standFor<Current extends object>(current: () => Current | undefined): Current {
  return new Proxy({} as Current, { get: (_, name) => Reflect.get(current() ?? {}, name) });
}

/**
 * Opens something before each test, or once before all tests of a file or of a `describe`, and closes it after them. The
 * result stands for what is open then.
 */
export function openFor<Opened extends { close(): unknown }>(
  span: "each" | "all",
  open: () => Opened | Promise<Opened>,
): Opened {
  const [before, after] = span === "each" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let opened: Opened | undefined;
  before(async () => {
    opened = await open();
  });
  after(() => opened?.close());
  return standFor(() => opened);
}

/** Starts one service and its upstreams before all tests of a file or of a `describe`. It stands for the service then. */
export function setUpService(env: Environment = {}, setup: TestSetup = setUp("all")): RunningService {
  let service: RunningService | undefined;
  beforeAll(async () => {
    service = await setup.start(env);
  });
  return standFor(() => service);
}
